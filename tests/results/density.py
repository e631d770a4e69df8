"""Cooling over rack density, worked once more on methods whose power and limit are known.

The power of each method is a straight line of the density, so that the densities at which two of
them draw the same, and at which one ends, follow from the lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import Any

from facility.model.cooling.chain import RackAir
from facility.study.compare.density import (
    DENSITIES_W,
    DensityPoint,
    DensitySweep,
    _rows,
    _scaled,
    crossover,
    density_curve,
    project_density,
    reference_racks,
)
from tests.results.second import differs

_NEAR = 1e-6
_LEAST_W, _MOST_W = DENSITIES_W


class _Line(DensitySweep):
    """A method whose power is a + b times the density, up to a limit."""

    def __init__(self, name: Any, at_zero_w: float, slope: float, limit_w: float) -> None:
        self.name = name
        self._of = at_zero_w, slope, limit_w

    def at(self, density_w: float) -> DensityPoint:
        at_zero_w, slope, limit_w = self._of
        if density_w > limit_w:
            near = density_w < 1.005 * limit_w
            return DensityPoint(density_w, None, "nearly" if near else f"limit of {self.name}")
        return DensityPoint(density_w, at_zero_w + slope * density_w, "")


_CASES: tuple[tuple[Mapping[str, tuple[float, float, float]], float | None, float | None], ...] = (
    # By power before the limit of air: 100 + 5 x = 400 + 2 x at 100 kW.
    (
        {"air": (100e3, 5.0, 150e3), "hybrid": (400e3, 2.0, 1e9), "liquid": (900e3, 1.0, 1e9)},
        100e3,
        150e3,
    ),
    # The later line crosses first: 100 + 5 x = 300 + 1 x at 50 kW.
    (
        {"air": (100e3, 5.0, 60e3), "hybrid": (600e3, 2.0, 1e9), "liquid": (300e3, 1.0, 1e9)},
        50e3,
        60e3,
    ),
    # Never by power: air ends at 35 kW.
    ({"air": (100e3, 1.0, 35e3), "liquid": (400e3, 2.0, 1e9)}, None, 35e3),
    # Air has no limit.
    ({"air": (100e3, 3.0, 1e9), "liquid": (200e3, 1.0, 1e9)}, 50e3, None),
    # Liquid draws less from the lowest density on.
    ({"air": (300e3, 3.0, 90e3), "liquid": (200e3, 1.0, 1e9)}, None, 90e3),
)
"""Methods by power at zero [W], power per density and limit [W]; crossover by power, by limit."""


def crossovers() -> Iterator[str]:
    """Ends of the curves, the densities of equal power, and the lower of both."""
    for number, (methods, by_power_w, by_limit_w) in enumerate(_CASES):
        sweeps: dict[Any, DensitySweep] = {n: _Line(n, *line) for n, line in methods.items()}
        curves: dict[Any, Any] = {n: density_curve(s, 22e3) for n, s in sweeps.items()}
        for name, curve in curves.items():
            yield from _curve(f"{name} of case {number}", curve, methods[name])
        found = crossover(sweeps, curves, "")
        lowest = min((at for at in (by_power_w, by_limit_w) if at is not None), default=None)
        for name, shown, wanted in (
            ("by power", found.by_power_w, by_power_w),
            ("by limit", found.by_limit_w, by_limit_w),
            ("crossover", found.density_w, lowest),
        ):
            if (shown is None) != (wanted is None):
                yield f"{name} of case {number}: {shown}, by hand {wanted}"
            elif shown is not None and wanted is not None:
                yield from differs(f"{name} of case {number}", shown, wanted, _NEAR)
    none = density_curve(_Line("air", 1.0, 1.0, 1e3), 22e3)
    found = crossover({}, {"air": none}, "")
    if none.feasible or none.ends_w is not None or found.density_w is not None:
        yield f"air at no density: {none.ends_w}, {found.density_w}"


def _curve(name: str, curve: Any, line: tuple[float, float, float]) -> Iterator[str]:
    at = [point.density_w for point in curve.points]
    grid = {_LEAST_W * (_MOST_W / _LEAST_W) ** (k / 24.0) for k in range(25)} | {22e3}
    if at != sorted(at) or len(set(at)) != len(at):
        yield f"{name}: densities {at}"
    for density in grid:
        if min(abs(one - density) for one in at) > 1e-6 * density:
            yield f"{name}: no point at {density}"
    for point in curve.points:
        if (point.power_w is None) != (point.density_w > line[2]):
            yield f"{name}: {point}"
    if line[2] > _MOST_W:
        if curve.ends_w is not None:
            yield f"{name}: ends at {curve.ends_w}"
    else:
        if curve.because != f"limit of {curve.name}":
            yield f"{name} ends because of {curve.because!r}"
        yield from differs(f"end of {name}", curve.ends_w or 0.0, line[2], _NEAR)
        best = max(point.density_w for point in curve.points if point.power_w is not None)
        yield from differs(f"last point of {name}", best, line[2], _NEAR)


def racks_of_a_density() -> Iterator[str]:
    """Heat and air of a rack go with its density, their number against it, rounded up."""
    rack = RackAir("R", 12, 9e3, 0.8, "H", 12.0, 0.7, 0.75, 0.6, 0.9, 300.0)
    for density_w, count in ((40e3, 6), (35e3, 7), (20e3, 12), (19e3, 13), (1e6, 1)):
        found, part = _scaled(rack, {"R": 20e3}, density_w), density_w / 20e3
        yield from differs(f"racks of {density_w:g} W", found.count, count)
        for name in (
            "air_w", "airflow_m3_s", "drawn_m3_s", "standard_m3_s", "sea_level_m3_s",
            "max_m3_s", "fans_w",
        ):  # fmt: skip
            yield from differs(name, getattr(found, name), part * getattr(rack, name))
        if (found.rise_k, found.hall, found.name) != (12.0, "H", "R"):
            yield f"rack at {density_w:g} W: {found}"
    if _scaled(rack, {"other": 20e3}, 40e3) is not rack:
        yield "another rack changes its heat"
    chain: Any = SimpleNamespace(
        crah=SimpleNamespace(
            halls=(("A", 0.75), ("B", 0.25)),
            path=SimpleNamespace(
                groups=tuple((f"{h}, row {n}", 0.1) for h in "AB" for n in "1234")
            ),
        )
    )
    rows = _rows(chain, 0.6)
    if rows != (
        *((f"A, row {n}", 0.375) for n in (1, 2)),
        *((f"B, row {n}", 0.125) for n in (1, 2)),
    ):
        yield f"rows of 0.6 times the racks: {rows}"
    if _rows(chain, 0.01) != (("A, row 1", 0.75), ("B, row 1", 0.25)):
        yield f"rows of few racks: {_rows(chain, 0.01)}"

    def kind(name: str, purpose: str, input_w: float, *models: str) -> Any:
        placed = tuple(SimpleNamespace(device=SimpleNamespace(model=one)) for one in models)
        return SimpleNamespace(name=name, purpose=purpose, input_w=input_w, placed=placed)

    racks = (
        kind("network", "network", 50e3, "S"), kind("large", "compute", 40e3, "X", "Y"),
        kind("half", "compute", 20e3, "Y", "X"), kind("other", "compute", 30e3, "Z"),
    )  # fmt: skip
    design: Any = SimpleNamespace(facility=SimpleNamespace(it=SimpleNamespace(racks=racks)))
    if reference_racks(design) != {"large": 40e3, "half": 20e3}:
        yield f"racks whose density is varied: {reference_racks(design)}"
    yield from differs("density of the project", project_density(design), 40e3)
