"""Loads of the seeded panels, as numbers alone: read by our benchmark and by other solvers'."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

SIZES = ((20, 6, 2, 42), (30, 0, 0, 42), (10, 8, 4, 42), (40, 10, 6, 84))
"""Number of 1-, 2- and 3-pole loads, and poles of the panel."""

Loads = list[tuple[int, float]]

_RANGES = ((1, 500.0, 4000.0), (2, 2000.0, 8000.0), (3, 5000.0, 17000.0))


def loads(ones: int, twos: int, threes: int, rng: np.random.Generator) -> Loads:
    """Return poles and VA of each load, uniform in the range of its number of poles."""
    return [
        (poles, float(load_va))
        for (poles, low_va, high_va), number in zip(_RANGES, (ones, twos, threes), strict=True)
        for load_va in rng.uniform(low_va, high_va, number)
    ]


def seeded() -> Iterator[tuple[str, int, Loads]]:
    """Yield name, poles and loads of the panels of `SIZES`, drawn one after the other."""
    rng = np.random.default_rng(0)
    for ones, twos, threes, poles in SIZES:
        yield f"{ones}/{twos}/{threes} in {poles}", poles, loads(ones, twos, threes, rng)
