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


@equation(
    "K_S",
    r"\frac{U_{nQ}^2}{U_{rG}^2}\frac{U_{rTLV}^2}{U_{rTHV}^2}"
    r"\frac{c_{max}}{1 + |x''_d - x_T| \sin\varphi_{rG}}",
    Source("iec-60909-0", "6.7.1", "2016", "secondary"),
)
def unit_correction_on_load_taps(
    network_v: LineVoltage,
    rated_v: LineVoltage,
    low_v: LineVoltage,
    high_v: LineVoltage,
    c_max: Ratio,
    reactance: Fraction,
    transformer_reactance: Fraction,
    sine: Ratio,
) -> Ratio:
    """Return the factor on generator and unit transformer together, with an on-load tap changer.

    network_v, rated_v: nominal voltage at the high side, rated voltage of the generator.
    low_v, high_v: rated voltages of the unit transformer.
    c_max: voltage factor for the highest currents.
    reactance, transformer_reactance: x"d and reactance of the transformer, each as a fraction of
        its rated impedance.
    sine: of the phase angle of the generator at rated load.
    """
    ratio = network_v / rated_v * low_v / high_v
    return ratio**2 * c_max / (1.0 + np.abs(reactance - transformer_reactance) * sine)


@equation(
    "K_{SO}",
    r"\frac{U_{nQ}}{U_{rG}(1 + p_G)}\frac{U_{rTLV}}{U_{rTHV}}"
    r"\frac{c_{max}}{1 + x''_d \sin\varphi_{rG}}",
    Source("iec-60909-0", "6.7.2", "2016", "secondary"),
)
def unit_correction_fixed_taps(
    network_v: LineVoltage,
    rated_v: LineVoltage,
    low_v: LineVoltage,
    high_v: LineVoltage,
    c_max: Ratio,
    reactance: Fraction,
    sine: Ratio,
    voltage_range: Fraction,
) -> Ratio:
    """Return the factor on generator and unit transformer together, without on-load taps.

    Off-load taps at their middle position are taken.

    network_v, rated_v: nominal voltage at the high side, rated voltage of the generator.
    low_v, high_v: rated voltages of the unit transformer.
    c_max: voltage factor for the highest currents.
    reactance: x"d as a fraction of the rated impedance.
    sine: of the phase angle of the generator at rated load.
    voltage_range: range of the generator voltage above the rated one.
    """
    ratio = network_v / (rated_v * (1.0 + voltage_range)) * low_v / high_v
    return ratio * c_max / (1.0 + reactance * sine)


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
