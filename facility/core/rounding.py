"""How much rounding is forgiven where a computed number meets a limit or a size.

One part in 1e9 stands between what arithmetic leaves behind and what data can say: the loop of a
design is solved to 1e-12, and no rating, table or project states ten digits. So a load computed
equal to a rating neither requires one more unit nor fails its check; a true excess still does.
The same part decides which of equals is named, or stands first: the last bits of a sum are those
of the processor it was added on, and the answer must not be.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from facility.core.kinds import Numeric

ROUNDING = 1e-9
IN_CELLS = "1E-9"
"""`ROUNDING` as the formulas of cells have it."""
OVER = 1.0 + 1e-6
"""Load over capacity above which equipment is overloaded. A load equal to the capacity sized for
it exceeds that by up to a millionth, where a loop or a flow is solved by iteration."""


def reaches(value: float, minimum: float) -> bool:
    """Return whether `value` is not below `minimum`, rounding forgiven."""
    return value >= minimum or math.isclose(value, minimum, rel_tol=ROUNDING)


def within(value: float, maximum: float) -> bool:
    """Return whether `value` is not above `maximum`, rounding forgiven."""
    return value <= maximum or math.isclose(value, maximum, rel_tol=ROUNDING)


def whole_units_each(needed: Numeric, minimum: int = 0) -> Numeric:
    """Return `whole_units` of a number, or of each element of an array, as floats."""
    return np.maximum(np.ceil(needed * (1.0 - ROUNDING)), minimum)


def closes(value: float, whole: float) -> bool:
    """Return whether a sum is the `whole` it must be, rounding forgiven."""
    return abs(value - whole) <= ROUNDING * whole


def whole_units(needed: float, minimum: int = 0) -> int:
    """Return the fewest whole units that cover `needed`, rounding forgiven.

    Nothing needs no unit, unless what is there at all has at least `minimum`.
    """
    return max(minimum, math.ceil(needed * (1.0 - ROUNDING)))


def reaches_in_cells(value: str, minimum: str) -> str:
    """Return `reaches` as the condition of a cell."""
    return f"{value}*(1+{IN_CELLS})>={minimum}"


def within_in_cells(value: str, maximum: str) -> str:
    """Return `within` as the condition of a cell."""
    return f"{value}<={maximum}*(1+{IN_CELLS})"


def closes_in_cells(value: str, whole: str) -> str:
    """Return `closes` as the condition of a cell."""
    return f"ABS({value}-{whole})<={IN_CELLS}*{whole}"


def whole_units_in_cells(needed: str) -> str:
    """Return `whole_units` as a cell has it."""
    return f"ROUNDUP({needed}*(1-{IN_CELLS}),0)"


def argmax_within_rounding(values: Sequence[float] | NDArray[np.float64]) -> int:
    """Return the index of the first value equal to the largest, rounding forgiven.

    NaN is passed over; the index is that in the flat array.
    """
    found = np.asarray(values, dtype=np.float64)
    maximum = float(np.nanmax(found))
    minimum = maximum if math.isinf(maximum) else maximum - ROUNDING * abs(maximum)
    return int(np.argmax(found >= minimum))


def argmax_of_rows_within_rounding(values: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the index of `argmax_within_rounding` in each row; all values are finite numbers."""
    maximum = values.max(axis=1, keepdims=True)
    return np.asarray(np.argmax(values >= maximum - ROUNDING * np.abs(maximum), axis=1))


def argmin_within_rounding(values: Sequence[float] | NDArray[np.float64]) -> int:
    """Return the index of the first value equal to the minimum within rounding."""
    return argmax_within_rounding(-np.asarray(values, dtype=np.float64))


def rounded(value: float) -> float:
    """Return a number to ten digits, a sort key that leaves equals in their order."""
    return float(f"{value:.9e}")


def rising(values: Sequence[float] | NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the indices of values in ascending order; equal values keep their order.

    Values are equal within one part in 1e10 of the largest magnitude.
    """
    found = np.asarray(values, dtype=np.float64)
    scale = float(np.abs(found).max(initial=0.0)) or 1.0
    return np.argsort(np.round(found / scale, 10), kind="stable")
