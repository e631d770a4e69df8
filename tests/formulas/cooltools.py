"""Open crossflow towers by the CoolTools correlation, beside YorkCalc."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from facility.core.equation import equation
from facility.core.kinds import Numeric, Ratio, Temperature, TemperatureDifference
from facility.core.sources import Source

_COOLTOOLS = Source("energyplus-towers", "CoolTools crossflow, 35 terms")

COOLTOOLS_BOX: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "wet bulb": (-1.0, 26.6667),
        "range": (1.1111, 11.1111),
        "water flow ratio": (0.75, 1.25),
        "approach": (1.1111, 11.1111),
    }
)

# Powers of the fan power ratio (air flow ratio cubed), water flow ratio, wet bulb and range; and
# the coefficient.
COOLTOOLS = (
    ((0, 0, 0, 0), 0.52049709836241),
    ((1, 0, 0, 0), -10.617046395344),
    ((2, 0, 0, 0), 10.7292974722538),
    ((3, 0, 0, 0), -2.74988377158227),
    ((0, 1, 0, 0), 4.73629943913743),
    ((1, 1, 0, 0), -8.25759700874711),
    ((2, 1, 0, 0), 1.57640938114136),
    ((0, 2, 0, 0), 6.51119643791324),
    ((1, 2, 0, 0), 1.50433525206692),
    ((0, 3, 0, 0), -3.2888529287801),
    ((0, 0, 1, 0), 0.0257786145353773),
    ((1, 0, 1, 0), 0.182464289315254),
    ((2, 0, 1, 0), -0.0818947291400898),
    ((0, 1, 1, 0), -0.215010003996285),
    ((1, 1, 1, 0), 0.0186741309635284),
    ((0, 2, 1, 0), 0.0536824177590012),
    ((0, 0, 2, 0), -0.00270968955115031),
    ((1, 0, 2, 0), 0.00112277498589279),
    ((0, 1, 2, 0), -0.00127758497497718),
    ((0, 0, 3, 0), 7.60420796601607e-05),
    ((0, 0, 0, 1), 1.43600088336017),
    ((1, 0, 0, 1), -0.5198695909109),
    ((2, 0, 0, 1), 0.117339576910507),
    ((0, 1, 0, 1), 1.50492810819924),
    ((1, 1, 0, 1), -0.135898905926974),
    ((0, 2, 0, 1), -0.152577581866506),
    ((0, 0, 1, 1), -0.0533843828114562),
    ((1, 0, 1, 1), 0.00493294869565511),
    ((0, 1, 1, 1), -0.00796260394174197),
    ((0, 0, 2, 1), 0.000222619828621544),
    ((0, 0, 0, 2), -0.0543952001568055),
    ((1, 0, 0, 2), 0.00474266879161693),
    ((0, 1, 0, 2), -0.0185854671815598),
    ((0, 0, 1, 2), 0.00115667701293848),
    ((0, 0, 0, 3), 0.000807370664460284),
)


@equation(
    r"\Delta T_a",
    r"\sum_i c_i\,a^{3 p_i} w^{q_i} T_{wb}^{r_i} R^{s_i}",
    _COOLTOOLS,
    empirical="polynomial fitted in degC and K",
)
def cooltools_approach(
    wet_bulb_c: Temperature, range_k: TemperatureDifference, water_ratio: Ratio, air_ratio: Ratio
) -> TemperatureDifference:
    """Return the approach of an open crossflow tower, rated at 25.6 degC wet bulb, 3.9 and 5.6 K.

    The other correlation of EnergyPlus, with a narrower box than YorkCalc. Inputs and approach are
    clipped to it; `cooltools_outside` names what was.
    """
    return _clipped("approach", _polynomial(wet_bulb_c, range_k, water_ratio, air_ratio))


def _clipped(name: str, value: Numeric) -> Numeric:
    low, high = COOLTOOLS_BOX[name]
    return np.clip(value, low, high)[()]


def _polynomial(
    wet_bulb_c: Numeric, range_k: Numeric, water_ratio: Numeric, air_ratio: Numeric
) -> Numeric:
    inputs = (
        air_ratio**3,
        _clipped("water flow ratio", water_ratio),
        _clipped("wet bulb", wet_bulb_c),
        _clipped("range", range_k),
    )
    powers = [(1.0, x, x * x, x * x * x) for x in inputs]
    return sum(
        factor * powers[0][a] * powers[1][w] * powers[2][t] * powers[3][r]
        for (a, w, t, r), factor in COOLTOOLS
    )
