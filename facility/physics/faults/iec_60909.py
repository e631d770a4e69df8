"""Correction and peak factors of IEC 60909-0.

The initial current is `facility.physics.faults.currents.bolted_current` with c times the nominal
voltage and the impedances corrected as here. Tables that calculate with the no-load voltage (1.05
times the nominal one) have no c: the two are never applied together.
"""

from __future__ import annotations

import numpy as np

from facility.core.equation import equation
from facility.core.kinds import Current, Fraction, LineVoltage, Numeric, Ratio
from facility.core.sources import Source

_LOW_VOLTAGE_V = 1000.0


@equation(
    "K_T", r"0.95\frac{c_{max}}{1 + 0.6\,x_T}", Source("iec-60909-0", "6.3.3", "2016", "secondary")
)
def transformer_correction(c_max: Ratio, reactance: Fraction) -> Ratio:
    """Return the factor on the impedance of a network transformer, for the highest currents.

    A transformer that carries load has a higher internal voltage than the nominal one; the factor
    stands for it. It is 0.963 for 6 % at c 1.05: leaving it out makes a current 3.7 % low.

    c_max: voltage factor of the low-voltage side for the highest currents.
    reactance: as a fraction of the rated impedance.
    """
    return 0.95 * c_max / (1.0 + 0.6 * reactance)


@equation(
    "K_G",
    r"\frac{U_n}{U_{rG}}\,\frac{c_{max}}{1 + x''_d \sin\varphi_{rG}}",
    Source("iec-60909-0", "6.6.1", "2016", "secondary"),
)
def generator_correction(
    network_v: LineVoltage, rated_v: LineVoltage, c_max: Ratio, reactance: Fraction, sine: Ratio
) -> Ratio:
    """Return the factor on the impedance of a generator connected without a unit transformer.

    network_v, rated_v: nominal voltage of the network, rated voltage of the generator.
    c_max: voltage factor for the highest currents.
    reactance: subtransient reactance X"d as a fraction of the rated impedance.
    sine: of the phase angle at rated load: 0.6 at power factor 0.8.
    """
    return network_v / rated_v * c_max / (1.0 + reactance * sine)


@equation(r"\kappa", r"1.02 + 0.98\,e^{-3 R/X}", Source("iec-60909-0", "8.1", "2016", "secondary"))
def peak_factor(r_over_x: Ratio) -> Ratio:
    """Return kappa, the first peak over the crest of the symmetrical current.

    Where several sources of unlike R/X feed the fault, R/X is taken at 20 Hz (24 Hz at 60 Hz)
    and multiplied by 0.4 (method c), which is exact for one source.

    r_over_x: resistance over reactance at the fault.
    """
    return 1.02 + 0.98 * np.exp(-3.0 * r_over_x)


@equation("i_p", r"\kappa \sqrt{2}\,I''_k", Source("iec-60909-0", "8.1", "2016", "secondary"))
def peak_current(initial_a: Current, kappa: Ratio) -> Current:
    """Return the peak short-circuit current.

    initial_a: initial symmetrical current.
    kappa: peak factor.
    """
    return kappa * np.sqrt(2.0) * initial_a


def voltage_factor(voltage_v: Numeric, highest: bool, low_voltage_tolerance: float) -> Numeric:
    """Return c of IEC 60909-0 table 1, of the shape of `voltage_v`.

    Up to 1000 V: 1.05 and 0.95 where the supply is kept within 6 %, 1.10 and 0.90 within 10 %.
    Above: 1.10 and 1.00.

    voltage_v: Nominal line-to-line voltage [V].
    highest: True for the highest currents, False for the lowest.
    low_voltage_tolerance: 0.06 or 0.10.
    """
    narrow = low_voltage_tolerance <= 0.06
    low = (1.05 if narrow else 1.10) if highest else (0.95 if narrow else 0.90)
    return np.where(np.asarray(voltage_v) <= _LOW_VOLTAGE_V, low, 1.10 if highest else 1.00)
