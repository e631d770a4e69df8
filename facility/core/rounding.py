"""How much rounding is forgiven where a computed number meets a limit or a size.

One part in 1e9 stands between what arithmetic leaves behind and what data can say: the loop of a
design is solved to 1e-12, and no rating, table or project states ten digits. So a load computed
equal to a rating neither asks for one unit more nor fails its check, and a true excess still does.
"""

from __future__ import annotations

import math

ROUNDING = 1e-9


def reaches(value: float, least: float) -> bool:
    """Return whether `value` is not below `least`, rounding forgiven."""
    return value >= least or math.isclose(value, least, rel_tol=ROUNDING)


def within(value: float, most: float) -> bool:
    """Return whether `value` is not above `most`, rounding forgiven."""
    return value <= most or math.isclose(value, most, rel_tol=ROUNDING)


def whole_units(needed: float, least: int = 0) -> int:
    """Return the fewest whole units that cover `needed`, rounding forgiven.

    Nothing needs no unit, unless what is there at all has at `least` one.
    """
    return max(least, math.ceil(needed * (1.0 - ROUNDING)))
