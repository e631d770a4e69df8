"""Tables of an isolation: steps, restoring, lockout points, hazards, loads; and their sheets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from facility.core.views import show
from facility.report.sheet.grid import Column, Row, SheetTable
from facility.report.sheet.model import Page, Sheet
from facility.report.sheet.tables import PageSetup, fit_heights, write_heading, write_notes
from facility.study.isolation.safety import Hazard, IsolationPoint
from facility.study.isolation.study import PLANNING_AID, Isolation, IsolationStep

_W = "active_power"
_OUTSIDE = ("mechanical board", "cooling unit")
_PHASES = {
    "check": "Check",
    "hold": "HOLD",
    "shut down": "Shut down",
    "start": "Start loads",
    "transfer": "Transfer",
    "open": "Open",
    "verify": "Verify open",
    "discharge": "Discharge",
    "lock": "Lock out",
    "test": "Test",
    "ground": "Ground",
    "adjacent": "Adjacent parts",
    "close": "Close",
    "return": "Return",
}
_EUROPEAN = _PHASES | {"lock": "Secure", "ground": "Earth"}
"""Names of the phases in the words of EN 50110-1."""


@dataclass(frozen=True, slots=True)
class ExposedLoad:
    """Load that the final state drops, or leaves without a redundant feed."""

    load: str
    state: str
    power_w: float


def exposed_loads(found: Isolation) -> tuple[ExposedLoad, ...]:
    """Return the loads dropped and the IT loads without a redundant feed in the final state."""
    end = found.end
    return (
        *(ExposedLoad(tag, "dropped", power_w) for tag, power_w in (*end.racks, *end.others)),
        *(ExposedLoad(tag, "no redundant feed", power_w) for tag, power_w in end.not_redundant),
    )


STEPS: SheetTable[IsolationStep] = SheetTable(
    "Isolation steps",
    (
        Column("number", "Step", 6, "count", json="step"),
        Column(
            "phase",
            "Phase",
            14,
            style="cell",
            of=lambda s: (_EUROPEAN if s.clause.startswith("EN") else _PHASES)[s.phase],
            json="phase",
        ),
        Column("action", "Action", 62, style="cell", json="action"),
        Column("location", "Location", 24, style="cell", json="location"),
        Column("result", "State after the step", 40, style="cell", json="result"),
        Column(
            "dropped",
            "IT load dropped (kW)",
            10,
            _W,
            number_format="n1",
            of=lambda s: s.effect.dropped_w,
            door="sheet",
            json="load_dropped",
        ),
        Column(
            "racks",
            "IT loads dropped",
            9,
            "count",
            of=lambda s: len(s.effect.racks),
            door="sheet",
            json="loads_dropped",
        ),
        Column(
            "devices",
            "Devices",
            40,
            of=lambda s: ", ".join(s.devices),
            style="cell",
            door="sheet",
            json="devices",
        ),
        Column("clause", "Clause", 30, style="cell", door="sheet", json="clause"),
    ),
    40,
)
POINTS: SheetTable[IsolationPoint] = SheetTable(
    "Points to lock out and tag",
    (
        Column("tag", "Point", 18, json="tag"),
        Column("location", "Location", 12, json="location"),
        Column("device", "Device", 20, style="cell", json="device"),
        Column("supply", "Other side, or reason", 30, style="cell", json="supply"),
    ),
    18,
)
HAZARDS: SheetTable[Hazard] = SheetTable(
    "Back-feed, stored energy, neutral, control power, live parts",
    (
        Column("topic", "Topic", 16, json="topic"),
        Column("at", "At", 14, json="at"),
        Column("statement", "Statement", 60, style="cell", json="statement"),
    ),
    18,
)
LOADS: SheetTable[ExposedLoad] = SheetTable(
    "Load exposed in the final state",
    (
        Column("load", "Load", 30, json="load"),
        Column("state", "State", 14, json="state"),
        Column("power_w", "Power (kW)", 12, _W, number_format="n1", json="power"),
    ),
    18,
)


SUMMARY: SheetTable[Isolation] = SheetTable(
    "Isolation of every tag",
    (
        Column("tag", "Tag", 24, json="tag"),
        Column("kind", "Kind", 18, json="kind"),
        Column("steps", "Steps", 8, "count", of=lambda i: len(i.steps), json="steps"),
        Column("points", "Lock points", 8, "count", of=lambda i: len(i.points), json="points"),
        Column(
            "dropped",
            "IT load dropped (kW)",
            12,
            _W,
            number_format="n1",
            of=lambda i: i.end.dropped_w,
            json="load_dropped",
        ),
        Column(
            "last",
            "IT load without redundant feed (kW)",
            12,
            _W,
            number_format="n1",
            of=lambda i: i.end.not_redundant_w,
            json="load_not_redundant",
        ),
        Column(
            "unprotected",
            "IT load without UPS (kW)",
            12,
            _W,
            number_format="n1",
            of=lambda i: i.end.unprotected_w,
            json="load_without_ups",
        ),
        Column(
            "generator",
            "IT load on generators (kW)",
            12,
            _W,
            number_format="n1",
            of=lambda i: i.end.generator_w,
            json="load_on_generators",
        ),
        Column(
            "fuel",
            "Fuel at design load (h)",
            9,
            of=lambda i: _fuel(i) if i.end.generator_w else "",
            json="fuel",
        ),
        Column(
            "cooling", "Cooling", 8, of=lambda i: "HOLD" if i.cooling_lost else "", json="cooling"
        ),
        Column(
            "highest",
            "Highest loading of a step",
            16,
            of=lambda i: f"{i.highest[0]} {show(i.highest[1], 'fraction')}" if i.highest else "",
            json="highest_loading",
        ),
        Column("outcome", "Final state", 12, json="outcome"),
    ),
    30,
)


def _fuel(found: Isolation) -> str:
    """Return the running time of the generators at the design load, in hours, as text."""
    return "not known" if found.fuel_s is None else f"{found.fuel_s / 3600.0:,.1f}"


def facts(found: Isolation) -> Iterator[str]:
    """Yield the effects of an isolation, worst first, and the note that it is a planning aid."""
    yield f"{PLANNING_AID}"
    if found.stopped:
        yield f"STOPPED at {found.stopped}. The steps below end there."
    elif found.kind in _OUTSIDE:
        yield (
            f"Final state: {found.tag} isolated at its board. It is outside the state solver: the"
            " power network only loses its load."
        )
        if not found.cooling_lost:
            yield "The units on duty remain."
    elif found.dead:
        yield f"Final state: {', '.join(found.members)} dead from every source."
    else:
        yield f"Final state: {', '.join(found.members)} NOT dead from every source."
    yield from (f"Isolated together: {reason}." for reason in found.reasons)
    end = found.end
    yield from (one.action for one in found.steps if one.phase == "hold")
    if end.racks:
        power = show(end.dropped_w, _W)
        yield f"DROPS {len(end.racks):,} IT loads, {power}: the list shuts them down first."
    elif not found.stopped:
        yield "No IT load is dropped."
    if end.others:
        power = show(sum(power_w for _, power_w in end.others), _W)
        yield f"DROPS {len(end.others):,} cooling or building loads, {power}."
    if end.not_redundant:
        power = show(end.not_redundant_w, _W)
        yield f"{len(end.not_redundant):,} IT loads, {power}, have no redundant feed."
    if end.unprotected_w:
        yield f"{show(end.unprotected_w, _W)} of IT load runs without UPS."
    if end.generator_w:
        yield (
            f"{show(end.generator_w, _W)} of IT load runs on generators only; fuel at the design"
            f" load (h): {_fuel(found)}."
        )
    if found.highest:
        tag, loading = found.highest
        yield f"Highest loading of all steps: {tag} {show(loading, 'fraction')}."
    lost = found.utility_lost
    if lost.dropped_w > end.dropped_w and not found.stopped:
        power = show(lost.dropped_w - end.dropped_w, _W)
        yield f"Loss of the utility in this state would drop {power} more of IT load."
    if end.overloads:
        listed = ", ".join(f"{tag} {show(x, 'fraction')}" for tag, x in end.overloads[:4])
        yield f"OVERLOAD in the final state: {listed}."


def isolation_sheets(found: Isolation, page_setup: PageSetup) -> Iterator[Sheet]:
    """Yield the sheets of an isolation: steps, restoring, lockout, hazards, loads exposed."""
    tests = f"Test for absence of voltage: {'; '.join(found.tests)}."
    notes = (*facts(found), *((tests,) if found.tests else ()))
    large, aid = page_setup.page(large=True), (PLANNING_AID,)
    small = page_setup.page(landscape=False)

    def sheet(
        name: str, table: SheetTable[Row], rows: Iterable[Row], lines: Sequence[str], page: Page
    ) -> Sheet:
        made = Sheet(name, page=page)
        write_heading(made, f"{name}: {found.tag}", page_setup.project)
        table.write_alone(made, 4 + len(lines), rows)
        write_notes(made, 3, len(table.columns), lines)
        fit_heights(made, 3)
        return made

    yield sheet("Isolation", STEPS, found.steps, notes, large)
    if found.stopped:
        return
    yield sheet("Restoring", STEPS, found.restoring, aid, large)
    yield sheet("Lockout", POINTS, found.points, aid, small)
    yield sheet("Hazards", HAZARDS, found.hazards, aid, small)
    if loads := exposed_loads(found):
        yield sheet("Load exposed", LOADS, loads, aid, small)


def summary_sheet(found: tuple[Isolation, ...], page_setup: PageSetup) -> Sheet:
    """Return the isolation of every tag, one row each."""
    sheet = Sheet("Isolation", page=page_setup.page(landscape=False))
    write_heading(sheet, SUMMARY.title, page_setup.project)
    sheet.put(3, 1, PLANNING_AID, "listed")
    SUMMARY.write_alone(sheet, 5, found)
    return sheet
