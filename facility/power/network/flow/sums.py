"""Sums over selected rows of an array."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facility.core.kinds import FloatArray

Ints = NDArray[np.intp]
_BLOCK = 1 << 17
"""Values added at once, so that they stay in the cache."""


@dataclass(frozen=True, eq=False)
class RowSums:
    """Rows of each sum, in order.

    A sparse matrix of ones would be equivalent and as fast. Its import takes longer than all the
    sums of a design of 10,000 GPUs.
    """

    count: int
    # Sums of equal numbers of rows: indices of the sums, shape (n,), and their rows, shape (n,
    # rows).
    groups: tuple[tuple[Ints, Ints], ...]

    def of(self, values: FloatArray) -> FloatArray:
        """Return the sums, zero for empty ones; shape (count, columns)."""
        found = np.zeros((self.count, values.shape[1]))
        for sums, rows in self.groups:
            step = max(1, _BLOCK // (rows.shape[1] * max(1, values.shape[1])))
            for lo in range(0, sums.size, step):
                parts = values.take(rows[lo : lo + step], axis=0)
                found[sums[lo : lo + step]] = np.add.reduce(parts, axis=1)
        return found


def row_sums(sums: Ints, rows: Ints, count: int) -> RowSums:
    """Return the sums of `rows`, each assigned to one of `sums`, from 0 to `count`."""
    order = np.lexsort((rows, sums))
    rows, each = rows[order], np.bincount(sums, minlength=count)
    first = np.cumsum(each) - each
    groups = ((n, np.flatnonzero(each == n)) for n in np.unique(each[each > 0]))
    return RowSums(count, tuple((at, rows[first[at][:, None] + np.arange(n)]) for n, at in groups))
