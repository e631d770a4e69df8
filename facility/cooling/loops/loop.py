"""Layout of one loop: pipes sized by velocity and gradient, components, head, volume."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from facility.core.errors import FacilityError
from facility.core.sources import Source
from facility.core.trace import Quiet, Trace
from facility.model.cooling.units import Fluid, HydraulicsPlan, PipeSize, RatedDrop
from facility.physics.liquids.coolant import capacity_rate, tabulated
from facility.physics.liquids.pipes import (
    darcy_friction,
    fittings_pressure_drop,
    pipe_pressure_drop,
    pipe_velocity,
    reynolds_number,
    scaled_pressure_drop,
)
from facility.physics.plant.fans_pumps import pump_power

_FULLY_TURBULENT = 1e9
_MAX_PIPES = 64
_SCHEDULE = Source("fluids", "schedule 40")


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")


@dataclass(frozen=True)
class LoopLiquid:
    """Fluid of a loop at mean temperature."""

    name: str
    density_kg_m3: float
    specific_heat_j_kgk: float
    viscosity_pa_s: float

    def rate_w_k(self, flow_m3_s: float) -> float:
        """Return the heat capacity rate of a flow."""
        return float(capacity_rate.si(flow_m3_s, self.density_kg_m3, self.specific_heat_j_kgk))


class PipeFlow(NamedTuple):
    """Flow in each pipe of a stretch at design: velocity, friction and drops."""

    velocity_m_s: float
    reynolds: float
    friction: float
    straight_pa: float
    fittings_pa: float


@dataclass(frozen=True)
class Stretch:
    """Pipe of one size in the worst path of a loop."""

    name: str
    size: PipeSize  # Size of each pipe
    pipes: int  # Parallel pipes
    flow_m3_s: float  # Flow of all of them at design
    length_m: float  # Supply and return together
    places: int  # Number of such stretches in the loop, for its volume
    roughness_m: float  # Wall roughness
    fittings: float  # Equivalent length of all fittings over diameter

    @property
    def coefficients(self) -> float:
        """Sum of the loss coefficients of the fittings, K = f_T (L/D), fully turbulent."""
        rough = self.roughness_m / self.size.inside_m
        return float(darcy_friction.si(_FULLY_TURBULENT, rough)) * self.fittings

    def straight_pa(self, liquid: LoopLiquid) -> float:
        """Return the drop of the straight pipe alone at design."""
        *_, straight = self._straight(liquid, Quiet(), "")
        return float(straight)

    def flow(self, liquid: LoopLiquid, trace: Trace | None = None, at: str = "") -> PipeFlow:
        """Return the flow in each pipe at design; steps are recorded in `trace` below `at`."""
        steps = trace or Quiet()
        fittings = "K = friction fully turbulent times L/D"
        found = (
            *self._straight(liquid, steps, at),
            steps.do(f"{at}.fittings", fittings_pressure_drop, fittings,
                     coefficients=self.coefficients, density_kg_m3=liquid.density_kg_m3,
                     velocity_m_s=f"{at}.velocity"),
        )  # fmt: skip
        return PipeFlow(*map(float, found))

    def _straight(self, liquid: LoopLiquid, steps: Trace, at: str) -> tuple[float, ...]:
        """Return velocity, Reynolds number, friction and drop of the straight pipe."""
        size = self.size
        words = f"DN{size.dn}, {self.pipes} parallel"
        steps.choose(f"{at}.diameter", size.inside_m, "length", words, _SCHEDULE)
        wide = {"diameter_m": f"{at}.diameter"}
        moved: dict[str, float | str] = {
            "density_kg_m3": liquid.density_kg_m3,
            "velocity_m_s": f"{at}.velocity",
        }
        do = steps.do
        return (
            do(f"{at}.velocity", pipe_velocity, flow_m3_s=self.flow_m3_s / self.pipes, **wide),
            do(f"{at}.reynolds", reynolds_number, **moved, **wide,
               viscosity_pa_s=liquid.viscosity_pa_s),
            do(f"{at}.friction", darcy_friction, reynolds=f"{at}.reynolds",
               roughness=self.roughness_m / size.inside_m),
            do(f"{at}.straight", pipe_pressure_drop, friction=f"{at}.friction",
               length_m=self.length_m, **wide, **moved),
        )  # fmt: skip

    @property
    def volume_m3(self) -> float:
        """Volume of all such stretches of the loop."""
        area_m2 = math.pi / 4.0 * self.size.inside_m**2
        return area_m2 * self.length_m * self.pipes * self.places


_EXCHANGERS = ("chiller, evaporator", "chiller, condenser", "cooling coil", "plate exchanger")
"""Components rated with water, with fluid-dependent drop; CDUs are rated with their fluid."""


@dataclass(frozen=True)
class PartDrop:
    """Pressure drop of a component of the worst path at design, with source."""

    name: str
    drop_pa: float
    basis: str


@dataclass(frozen=True)
class LoopRow:
    """One loop: a row of the loop table."""

    name: str  # Key of its results
    title: str  # Display name
    liquid: LoopLiquid  # Fluid at mean temperature
    fluid: Fluid  # Property table
    flow_m3_s: float  # Flow at design, with growth
    # Flow and temperatures at the design hour.
    running_m3_s: float
    supply_c: float
    return_c: float
    stretches: tuple[Stretch, ...]  # Pipes of the worst path
    parts: tuple[PartDrop, ...]  # Components of the worst path
    # Head of the pumps as stated, or external CDU head; None if not stated.
    head_given_pa: float | None
    # Wire-to-water pump efficiency; None for data-sheet power.
    efficiency: float | None
    other_volume_m3: float  # Volume in racks, or in the second route of a header
    expansion: float  # Growth of the volume from filling to the return temperature, as a fraction
    outdoors: bool  # Whether it has outdoor pipes

    def with_pipes_of(self, built: LoopRow) -> LoopRow:
        """Return the loop with the pipes of another one."""
        pairs = zip(self.stretches, built.stretches, strict=True)
        stretches = (replace(new, size=old.size, pipes=old.pipes) for new, old in pairs)
        return replace(self, stretches=tuple(stretches))

    @cached_property
    def flows(self) -> tuple[PipeFlow, ...]:
        """The flow in each stretch at design."""
        return tuple(stretch.flow(self.liquid) for stretch in self.stretches)

    @cached_property
    def head_pa(self) -> float:
        """Head of the loop at its design flow."""
        return self.head(Quiet())

    def head(self, trace: Trace) -> float:
        """Return the head, with each drop of the worst path as a step of `trace`."""
        pipes, parts = [], []
        for stretch in self.stretches:
            at = self.pipe_id(stretch)
            stretch.flow(self.liquid, trace, at)
            pipes.append(f"{at}.drop")
            trace.sum(pipes[-1], "pressure", stretch.name, f"{at}.straight", f"{at}.fittings")
        for part in self.parts:
            parts.append(f"{self.id}.drop.{_slug(part.name)}")
            source = Source("component", part.basis)
            trace.given(parts[-1], part.drop_pa, "pressure", source, f"at {self.id}.flow")
        ids = f"{self.id}.head.pipes", f"{self.id}.head.components"
        trace.sum(ids[0], "pressure", "pipes and fittings of the worst path", *pipes)
        trace.sum(ids[1], "pressure", "components of the worst path", *parts)
        return float(trace.sum(f"{self.id}.head", "pressure", "worst path at design flow", *ids))

    @property
    def id(self) -> str:
        """Id of its results."""
        return f"loop.{self.name}"

    def pipe_id(self, stretch: Stretch) -> str:
        """Return the id of the steps of a stretch."""
        return f"{self.id}.pipe.{_slug(stretch.name)}"

    @property
    def pump_head_pa(self) -> float:
        """Head of its pumps: as stated, else calculated loop head."""
        return self.head_pa if self.head_given_pa is None else self.head_given_pa

    def at_work(self, running_m3_s: float, supply_c: float, return_c: float) -> LoopRow:
        """Return the loop with the flow and the temperatures of an hour."""
        return replace(self, running_m3_s=running_m3_s, supply_c=supply_c, return_c=return_c)

    @property
    def main(self) -> Stretch:
        """First stretch, with full header flow."""
        return self.stretches[0]

    @property
    def heat_w(self) -> float:
        """Heat transported at the design hour."""
        return self.liquid.rate_w_k(self.running_m3_s) * (self.return_c - self.supply_c)

    @property
    def volume_m3(self) -> float:
        """Volume of the pipes and connected racks, as far as known."""
        return sum(stretch.volume_m3 for stretch in self.stretches) + self.other_volume_m3

    @property
    def expansion_m3(self) -> float:
        """Growth of the volume from filling to return temperature."""
        return self.volume_m3 * self.expansion

    @property
    def pump_power_w(self) -> float | None:
        """Power of the pumps at design flow and the head of the loop; None where unknown."""
        if self.efficiency is None:
            return None
        return float(pump_power.si(self.flow_m3_s, self.head_pa, self.efficiency))


_WARMTH = {
    "tcs": "cooling.cdu.tcs_supply",
    "fws": "cooling.facility_water.supply",
    "fws_tower": "cooling.facility_water.supply",
    "chw": "cooling.plant.chilled_water_supply",
    "cw": "cooling.plant.condenser_range",
}
"""Temperature field of each loop."""


def loop_liquid(fluid: Fluid, supply_c: float, return_c: float, loop: str) -> LoopLiquid:
    """Return the fluid of a loop at mean temperature.

    Raises ``LOOP_TEMPERATURES`` if the supply is not below the return, with the loop name;
    ``OUT_OF_RANGE`` outside the property table, with the temperature field of the loop.
    """
    where = f"loop.{loop}"
    if not supply_c < return_c:
        raise FacilityError(
            "LOOP_TEMPERATURES",
            where,
            f"supply of {supply_c:.1f} degC is not below the return of {return_c:.1f} degC.",
            "Check flow, heat and temperatures of the loop.",
        )
    mean_c, table_c = 0.5 * (supply_c + return_c), fluid.temperatures_c
    location = f"{_WARMTH.get(loop, where)} ({fluid.name} of loop {loop})"
    return LoopLiquid(
        fluid.name,
        float(tabulated(mean_c, table_c, fluid.densities_kg_m3, location)),
        float(tabulated(mean_c, table_c, fluid.specific_heats_j_kgk, location)),
        float(tabulated(mean_c, table_c, fluid.viscosities_pa_s, location)),
    )


def expansion_of(fluid: Fluid, fill_c: float, hot_c: float) -> float:
    """Return the growth of the volume from filling to `hot_c`, within the property table."""
    low_c, high_c = fluid.temperatures_c[0], fluid.temperatures_c[-1]
    at = [min(max(t, low_c), high_c) for t in (fill_c, hot_c)]
    cold, hot = (float(tabulated(t, fluid.temperatures_c, fluid.densities_kg_m3)) for t in at)
    return max(cold / hot - 1.0, 0.0)


def laid_out(
    name: str,
    flow_m3_s: float,
    length_m: float,
    liquid: LoopLiquid,
    plan: HydraulicsPlan,
    places: int = 1,
) -> Stretch:
    """Return the pipe for a flow: the smallest size, and the fewest pipes, within the limits.

    flow_m3_s, length_m: Flow at design; length of supply and return together.
    places: Number of such stretches in the loop.

    Raises ``PIPE_TOO_SMALL`` if no number of the largest pipes meets the limits.
    """
    full_m3_s, fittings = (1.0 + plan.spare_flow) * flow_m3_s, _fittings(length_m, plan)
    for pipes in range(1, _MAX_PIPES + 1):
        for size in plan.sizes:
            # Most sizes are too small by velocity alone.
            if pipe_velocity.si(full_m3_s / pipes, size.inside_m) > plan.velocity_max_m_s:
                continue
            full = Stretch(
                name, size, pipes, full_m3_s, length_m, places, plan.roughness_m, fittings
            )
            if full.straight_pa(liquid) / length_m <= plan.gradient_max_pa_m:
                return replace(full, flow_m3_s=flow_m3_s)
    raise FacilityError(
        "PIPE_TOO_SMALL",
        "cooling.hydraulics",
        f"{name}: {_MAX_PIPES} pipes of the largest size exceed the limits at {flow_m3_s:,.2f} "
        "m3/s of water.",
        "Raise velocity_max or gradient_max, or add units where their number is stated; "
        "too few units, or fans running too fast, require that flow.",
    )


def _fittings(length_m: float, plan: HydraulicsPlan) -> float:
    """Return the equivalent length over diameter of the fittings of a stretch."""
    elbows = math.ceil(length_m / plan.elbow_spacing_m) + 2
    each = plan.fittings
    return (
        elbows * each["elbow 90 degrees"]
        + 2 * each["tee, branch"]
        + 2 * each["tee, through"]
        + 4 * each["butterfly valve"]
        + each["check valve"]
    )


def part_of(component: RatedDrop, flow_m3_s: float, name: str = "", fluid: float = 1.0) -> PartDrop:
    """Return the drop of a component at a flow: scaled from its rating, or selected for the flow.

    `fluid` is the fluid drop over water drop, for exchangers (`_EXCHANGERS`) only.
    """
    drop_pa = component.drop_pa
    if component.flow_m3_s is not None:
        ratio = flow_m3_s / component.flow_m3_s
        drop_pa = float(scaled_pressure_drop.si(drop_pa, ratio, component.exponent))
    if component.name in _EXCHANGERS:
        drop_pa *= fluid
    return PartDrop(name or component.name, drop_pa, str(component.source))


def parts_of(
    names: Iterable[str], flow_m3_s: float, plan: HydraulicsPlan, fluid: float = 1.0
) -> tuple[PartDrop, ...]:
    """Return the drops of the components `names` at a flow: see `part_of`."""
    return tuple(part_of(plan.components[name], flow_m3_s, "", fluid) for name in names)
