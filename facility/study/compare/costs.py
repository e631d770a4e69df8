"""Capital cost of a way of cooling by published unit costs; what has none is named, not guessed.

The cost of one unit is fixed + slope x size ^ exponent in the range of sizes the row holds for.
Prices are those of the year of the row; they are added without escalation, and the years are told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from facility.catalogue import Row, table
from facility.cooling.plant.sinks import Sink
from facility.core.sources import RULE, Source
from facility.core.trace import Trace
from facility.study.compare.quantities import sinks_of
from facility.study.design.design import Design

_PUMPS = 3
_PUMPS_DUTY = 2
_TERMINAL_PARTS = {"crah": "crah", "in-row": "in_row", "fan-wall": "fan_wall", "crac": "crac"}


@dataclass(frozen=True)
class PartCost:
    """Cost of one kind of equipment."""

    part: str  # What is bought
    units: int  # How many
    size_w: float  # Size of one, as `basis` says
    usd: float | None  # Cost of all of them; None where nobody published one for this size
    price_year: int | None  # Year of the prices
    source: Source | None  # Where the unit cost is from
    why: str  # Basis of the cost, or why there is none


@dataclass(frozen=True)
class CapitalCost:
    """Cost of the parts that have one.

    `known_usd` is their sum, `lacks` names the parts without, `years` those of the prices.
    """

    parts: tuple[PartCost, ...]

    @property
    def known_usd(self) -> float:
        """Sum of the costs that are known."""
        return sum(part.usd for part in self.parts if part.usd is not None)

    @property
    def is_known(self) -> bool:
        """Whether a part has a cost."""
        return any(part.usd is not None for part in self.parts)

    @property
    def lacks(self) -> tuple[str, ...]:
        """Parts whose cost is not known."""
        return tuple(part.part for part in self.parts if part.usd is None)

    @property
    def years(self) -> tuple[int, ...]:
        """Years of the prices."""
        return tuple(sorted({p.price_year for p in self.parts if p.price_year is not None}))


def assume_costs(trace: Trace) -> None:
    """Record what the number of pumps rests on."""
    trace.assume(
        "compare.pumps_per_loop",
        _PUMPS,
        "count",
        "pumps, and plate exchangers, priced in each loop: two on duty and one spare",
        RULE,
    )


def unit_cost(part: str, units: int, size_w: float, called: str = "") -> PartCost:
    """Return the cost of `units` of one size; without a published one for it, not known.

    Parameters
    ----------
    part : str
        Part of the table of unit costs.
    units : int
        How many.
    size_w : float
        Size of one, on the basis of the table [W].
    called : str
        What it is called where not by its part.
    """
    name = called or part.replace("_", " ")
    rows = table("cooling/unit_costs").select(part=part)
    if not rows:
        return PartCost(name, units, size_w, None, None, None, "no published unit cost was found")
    for row in rows:
        if float(row.require("from_size")) <= size_w <= float(row.require("to_size")):
            return _priced(row, name, units, size_w)
    low = min(float(row.require("from_size")) for row in rows)
    high = max(float(row.require("to_size")) for row in rows)
    why = f"{size_w / 1e3:,.1f} kW is outside the published {low / 1e3:g} to {high / 1e3:,g} kW"
    return PartCost(name, units, size_w, None, None, None, why)


def _priced(row: Row, name: str, units: int, size_w: float) -> PartCost:
    slope, exponent = float(row.require("slope_usd")), float(row.require("exponent"))
    each_usd = row.si("fixed_usd") + slope * size_w**exponent
    why = f"{each_usd:,.0f} USD each, {size_w / 1e3:,.1f} kW, {row['scope']}"
    return PartCost(
        name,
        units,
        size_w,
        units * each_usd,
        row.integer("price_year"),
        row.cite("slope_usd"),
        why,
    )


def capital_cost(design: Design, units: Mapping[str, int]) -> CapitalCost:
    """Return the capital cost of the cooling of a design; outside the US none is known.

    Parameters
    ----------
    design : Design
        The design.
    units : Mapping[str, int]
        Its units installed by kind.
    """
    parts = tuple(_parts(design, units))
    if design.facility.site.country != "US":
        why = "the unit costs carried are in USD, and the site is not known to be in the US"
        return CapitalCost(
            tuple(replace(p, usd=None, price_year=None, source=None, why=why) for p in parts)
        )
    return CapitalCost(parts)


def _parts(design: Design, units: Mapping[str, int]) -> Iterator[PartCost]:
    chain, cooling = design.facility.cooling, design.cooling
    path = chain.crah.path
    hall = _TERMINAL_PARTS.get(path.terminal, "crah")
    in_halls = units.get("crah", units.get("in_row", 0))
    yield unit_cost(hall, in_halls, chain.crah.unit.net_sensible_w, f"{path.unit_name}s")
    if "electrical_crah" in units:
        each_w = path.electrical_unit.net_sensible_w
        yield unit_cost("crah", units["electrical_crah"], each_w, "CRAHs of electrical rooms")
    if path.door is not None and "doors" in units:
        yield unit_cost("rear_door", units["doors"], path.door.net_sensible_w, "rear doors")
    if chain.cdu is not None and "cdu" in units:
        yield unit_cost("cdu", units["cdu"], chain.cdu.unit.capacity_w, "CDUs")
    if cooling.chilled.installed:
        kind = "air" if cooling.chilled.sink.plan.kind == "air_cooled" else "water"
        count, each_w = cooling.chilled.installed, cooling.chilled.capacity_w
        yield unit_cost(f"chiller_{kind}", count, each_w, "chillers")
    for loop, sink, heat_w in sinks_of(design):
        if heat_w > 0.0 and sink.duty:
            yield _rejection(loop, sink)
    if chain.facility_water is not None and chain.facility_water.source != "dry_cooler":
        heat_w = design.cooling_flow.facility_water_w
        yield unit_cost("plate_exchanger", _PUMPS, heat_w / _PUMPS_DUTY, "plate exchangers")
    power = design.cooling_flow.power
    for loop, loop_w in (
        ("chilled-water", power.chw_pumps_w),
        ("facility-water", power.fws_pumps_w),
        ("condenser", power.condenser_pumps_w),
    ):
        if loop_w > 0.0:
            yield unit_cost("pump", _PUMPS, loop_w / _PUMPS_DUTY, f"{loop} pumps")


def _rejection(loop: str, sink: Sink) -> PartCost:
    part = "tower" if sink.plan.kind == "tower" else "dry_cooler"
    return unit_cost(
        part, sink.installed, sink.heat_w / sink.duty, f"{part.replace('_', ' ')}s, {loop}"
    )
