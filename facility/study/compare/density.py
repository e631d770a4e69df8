"""Cooling power vs. rack density, and the crossover density from air to liquid cooling.

The density of the compute racks equal to the densest one is varied at constant total heat, which
determines their number. Constant are the heat by stream, the losses, the other racks, the design
weather, all temperatures and all unit types; unit counts are recalculated at each density. Limits
on rack airflow apply to these racks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from facility.cooling.chain.sizing import size_cooling, solve_cooling
from facility.core.errors import FacilityError
from facility.core.rounding import argmax_within_rounding, whole_units
from facility.core.trace import Quiet
from facility.core.views import show
from facility.model.cooling.chain import CoolingChain, RackAir
from facility.model.it import Rack
from facility.study.compare.limits import broken_limit, option_checks, reason_of
from facility.study.compare.variants import LABELS, OptionName
from facility.study.design.design import Design

DENSITIES_W = (5e3, 250e3)
"""Minimum and maximum rack power in a comparison."""
_POINTS = 25
_HALVINGS = 24
_BEYOND = 1.01
"""Distance from the limit density at which the limit is evaluated, for distinct numbers."""
_LIQUID: tuple[OptionName, ...] = ("hybrid", "liquid")


@dataclass(frozen=True)
class DensityPoint:
    """Cooling power at one rack density; None if infeasible, with the limit exceeded."""

    density_w: float
    power_w: float | None
    reason: str


@dataclass(frozen=True)
class DensityCurve:
    """Cooling power of a method over rack density."""

    name: OptionName
    points: tuple[DensityPoint, ...]  # From the lowest density to the highest
    # Density from which it is infeasible; None if feasible at all densities, or at none.
    ends_w: float | None
    because: str  # The limit exceeded there, or at every density; empty if none

    @property
    def feasible(self) -> bool:
        """Whether it is feasible at the minimum density."""
        return bool(self.points) and self.points[0].power_w is not None


@dataclass(frozen=True)
class Crossover:
    """Crossover density from air to liquid; None without a crossover.

    `by_power_w` is the density from which liquid requires less power than air, `by_limit_w` the
    feasible limit of air, `density_w` the lower of them; each with its reason.
    """

    density_w: float | None
    because: str
    by_power_w: float | None
    by_power_because: str
    by_limit_w: float | None
    by_limit_because: str


class DensitySweep:
    """One designed cooling method, evaluated at any rack density.

    name: The cooling method.
    design: Its design at the density of the project.
    """

    def __init__(self, name: OptionName, design: Design) -> None:
        self.name = name
        self._design = design
        self._reference = reference_racks(design)
        self._known: dict[float, DensityPoint] = {}

    def at(self, density_w: float) -> DensityPoint:
        """Return the cooling with compute racks of `density_w` each."""
        if density_w not in self._known:
            self._known[density_w] = self._solved(density_w)
        return self._known[density_w]

    def _solved(self, density_w: float) -> DensityPoint:
        facility, heat = self._design.facility, self._design.point.heat
        chain = facility.cooling
        scaled = tuple(_scaled(rack, self._reference, density_w) for rack in chain.racks)
        before, after = (sum(rack.count for rack in found) for found in (chain.racks, scaled))
        path = chain.crah.path
        if path.terminal == "in-row" and before > 0.0:
            path = replace(path, groups=_rows(chain, after / before))
        chain = replace(chain, racks=scaled, crah=replace(chain.crah, path=path))
        try:
            cooling = size_cooling(chain, facility.site, facility.criteria, heat, None, Quiet())
            flow = solve_cooling(cooling, heat, facility.site.design)
        except FacilityError as error:
            return DensityPoint(density_w, None, f"{error.code}: {error.message}")
        # In-row coolers serve all racks; other limits apply to the racks of this density only.
        checked = cooling
        if self.name != "in_row":
            racks = tuple(rack for rack in cooling.chain.racks if rack.name in self._reference)
            checked = replace(cooling, chain=replace(cooling.chain, racks=racks))
        broken = broken_limit(option_checks(self.name, facility, cooling, flow, heat, checked))
        if broken is not None:
            return DensityPoint(density_w, None, reason_of(broken))
        return DensityPoint(density_w, flow.power.total_w, "")


def reference_racks(design: Design) -> Mapping[str, float]:
    """Return the rack types with varied density, and the IT power of each rack.

    They are the compute racks with the devices of the densest one; without compute racks, of the
    densest of all.
    """
    racks = [rack for rack in design.facility.it.racks if rack.purpose == "compute"]
    racks = racks or list(design.facility.it.racks)
    densest = _models(racks[argmax_within_rounding([rack.input_w for rack in racks])])
    return {rack.name: rack.input_w for rack in racks if _models(rack) == densest}


def _models(rack: Rack) -> frozenset[str]:
    return frozenset(placed.device.model for placed in rack.placed)


def project_density(design: Design) -> float:
    """Return the IT power of the densest compute rack of a design."""
    return max(reference_racks(design).values())


def _scaled(rack: RackAir, reference: Mapping[str, float], density_w: float) -> RackAir:
    input_w = reference.get(rack.name, 0.0)
    if input_w <= 0.0:
        return rack
    factor = density_w / input_w
    drawn = rack.drawn_m3_s
    return replace(
        rack,
        count=whole_units(rack.count / factor, 1),
        air_w=rack.air_w * factor,
        airflow_m3_s=rack.airflow_m3_s * factor,
        drawn_m3_s=None if drawn is None else drawn * factor,
        standard_m3_s=rack.standard_m3_s * factor,
        sea_level_m3_s=rack.sea_level_m3_s * factor,
        max_m3_s=rack.max_m3_s * factor,
        fans_w=rack.fans_w * factor,
    )


def _rows(chain: CoolingChain, factor: float) -> tuple[tuple[str, float], ...]:
    """Return the rows of each hall with the number of racks multiplied by `factor`."""
    rows: list[tuple[str, float]] = []
    for hall, share in chain.crah.halls:
        here = [part for name, part in chain.crah.path.groups if name.startswith(f"{hall}, row")]
        count = max(round(len(here) * factor), 1)
        rows += [(f"{hall}, row {index + 1}", share / count) for index in range(count)]
    return tuple(rows)


def density_curve(sweep: DensitySweep, density_w: float) -> DensityCurve:
    """Return a cooling method over the range of densities, the project's own included.

    The feasible limit is found by bisection.
    """
    grid = set(np.geomspace(*DENSITIES_W, _POINTS).tolist())
    if DENSITIES_W[0] < density_w < DENSITIES_W[1]:
        grid.add(density_w)
    points = [sweep.at(at_w) for at_w in sorted(grid)]
    if points[0].power_w is None:
        return DensityCurve(sweep.name, tuple(points), None, points[0].reason)
    first = next((i for i, point in enumerate(points) if point.power_w is None), None)
    if first is None:
        return DensityCurve(sweep.name, tuple(points), None, "")
    low, high = _turn(
        lambda at_w: sweep.at(at_w).power_w is None,
        points[first - 1].density_w,
        points[first].density_w,
    )
    points.insert(first, sweep.at(low))
    because = sweep.at(_BEYOND * high).reason or sweep.at(high).reason
    return DensityCurve(sweep.name, tuple(points), high, because)


def _turn(passed: Callable[[float], bool], low: float, high: float) -> tuple[float, float]:
    """Return the bracket in which `passed` becomes true between `low` and `high`."""
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if passed(middle) else (middle, high)
    return low, high


def crossover(
    sweeps: Mapping[OptionName, DensitySweep],
    curves: Mapping[OptionName, DensityCurve],
    refused: str,
) -> Crossover:
    """Return the crossover from air to liquid.

    refused: Why air is infeasible at any density; empty if it is feasible.
    """
    air = curves.get("air")
    if air is None or not air.feasible:
        because = "air is infeasible at every density: " + (air.because if air else refused)
        return Crossover(None, because, None, because, None, because)
    limit_w, limit_because = air.ends_w, air.because
    if limit_w is None:
        limit_because = f"air is feasible up to {show(DENSITIES_W[1], 'active_power')} per rack"
    power_w, power_because = _by_power(sweeps, air, curves)
    found = [(at, why) for at, why in ((power_w, power_because), (limit_w, limit_because)) if at]
    if not found:
        because = f"{power_because}; {limit_because}"
        return Crossover(None, because, None, power_because, None, limit_because)
    density_w, because = min(found)
    if power_w is None:
        because = f"limit of air cooling: {because}. No crossover by power: {power_because}"
    return Crossover(density_w, because, power_w, power_because, limit_w, limit_because)


def _by_power(
    sweeps: Mapping[OptionName, DensitySweep],
    air: DensityCurve,
    curves: Mapping[OptionName, DensityCurve],
) -> tuple[float | None, str]:
    """Return the density from which liquid requires less power than air, and the reason."""
    liquid = [name for name in _LIQUID if name in curves and curves[name].feasible]
    if not liquid:
        return None, "no liquid cooling method is feasible"

    def cheaper(density_w: float) -> bool | None:
        by_air = sweeps["air"].at(density_w).power_w
        powers = [sweeps[name].at(density_w).power_w for name in liquid]
        known = [power for power in powers if power is not None]
        return None if by_air is None or not known else min(known) < by_air

    at = [p.density_w for p in air.points if cheaper(p.density_w) is not None]
    states = [cheaper(density_w) for density_w in at]
    if not any(states):
        return None, "liquid requires more power than air at all densities feasible with air"
    first = states.index(True)
    if first == 0:
        return None, (
            f"liquid requires less power than air at every density from "
            f"{show(DENSITIES_W[0], 'active_power')} per rack"
        )
    _, density_w = _turn(lambda x: bool(cheaper(x)), at[first - 1], at[first])
    names = " or ".join(LABELS[name].lower() for name in liquid)
    return density_w, f"from here {names} requires less power than air"
