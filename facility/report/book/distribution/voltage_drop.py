"""The Voltage drop sheet: live voltage drop by circuit type, sizing criterion, articles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from facility.core.rounding import within, within_in_cells
from facility.core.views import printed_text
from facility.physics.circuits.voltage_drop import (
    effective_impedance,
    voltage_drop_exact,
    voltage_drop_three_phase,
    voltage_drop_two_wire,
)
from facility.power.feeders.schedule import Feeder
from facility.power.feeders.types import ConductorChoice
from facility.report.book.distribution.feeders import (
    UNSIZED,
    FeederFacts,
    FeederRow,
    heaviest_rows,
    sized,
    step_of,
)
from facility.report.sheet.grid import Column, GridValue, SheetTable, verdict_word
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import PageSetup, fit_heights, write_heading, write_notes

_OHM = {"resistance_ohm": "{r}", "reactance_ohm": "{x}", "power_factor": "{pf}"}
_WIRE = {"current_a": "{current}", "impedance_ohm": effective_impedance.in_cells(**_OHM)}
_DROP = (
    f"IF({{poles}}=3,{voltage_drop_three_phase.in_cells(**_WIRE)},"
    f"{voltage_drop_two_wire.in_cells(**_WIRE)})"
)
_WAYS = "IF({poles}=3,SQRT(3),2)"
_EXACT = voltage_drop_exact.in_cells(source_v=f"{{voltage}}/{_WAYS}", current_a="{current}", **_OHM)


def _if_known(choice: ConductorChoice, value: float | None) -> float | None:
    return None if choice.drop is None else value


def _limit(row: FeederRow, choice: ConductorChoice) -> float | None:
    if choice.drop is None:
        return None
    criteria, branch = row.facts.criteria, row.feeder.circuit.stage == "branch"
    return criteria.voltage_drop_branch if branch else criteria.voltage_drop_feeder


def _within(row: FeederRow, choice: ConductorChoice) -> GridValue:
    limit = _limit(row, choice)
    return verdict_word(
        None if limit is None or choice.drop is None else within(choice.drop, limit)
    )


def _voltage(row: FeederRow) -> float:
    choice = row.feeder.choice
    return row.feeder.circuit.voltage_v if choice is None else choice.voltage_v


def _conductors(row: FeederRow) -> str:
    choice = row.feeder.choice
    return UNSIZED if choice is None else choice.label.replace("mm2", "mm²")


VOLTAGE_DROP: SheetTable[FeederRow] = SheetTable(
    "Voltage drop",
    (
        Column("tag", "Most loaded circuit", 20, of=lambda r: r.feeder.circuit.tag),
        Column("stage", "Stage", 11, of=lambda r: r.feeder.circuit.stage),
        Column("count", "Circuits", 8, "count"),
        Column("conductors", "Line conductors", 16, style="choice", of=_conductors,
               id=step_of("conductor")),
        Column("voltage", "Voltage (V)", 8, "line_voltage", number_format="n1", of=_voltage),
        Column("poles", "Poles", 6, "count", of=lambda r: r.feeder.circuit.poles),
        Column("load", "Load (A)", 9, "current", of=lambda r: r.feeder.worst_a,
               because="worst-case load of the circuit, without the continuous-load factor"),
        sized("sets", "Sets", 6, lambda r, c: c.sets, "count"),
        sized("current", "Current per set (A)", 9, lambda r, c: r.feeder.worst_a / c.sets,
              "current", "{load}/{sets}"),
        sized("pf", "Power factor", 8, lambda r, c: min(1.0, r.feeder.power_factor), "ratio",
              because="from the power flow in the state of the worst-case load"),
        sized("length", "Length (m)", 8, lambda r, c: r.feeder.length_m, "length",
              because="one way, from the stage lengths (power.conductors)"),
        sized("r", "R of one conductor (mΩ)", 10, lambda r, c: _if_known(c, c.resistance_ohm),
              "resistance", "", "n3", "mohm",
              because="of one conductor over its length: NEC chapter 9, table 9, or the "
              "resistance of the metal at the highest temperature of the insulation"),
        sized("x", "X of one conductor (mΩ)", 10, lambda r, c: _if_known(c, c.reactance_ohm),
              "resistance", "", "n3", "mohm",
              because="of one conductor over its length, at the frequency of the site"),
        sized("drop_v", "Drop (V)", 8, lambda r, c: "not known" if c.drop is None else c.drop_v,
              "line_voltage", _DROP, "n2", step="voltage_drop"),
        sized("drop", "Drop", 8, lambda r, c: c.drop, "fraction", "{drop_v}/{voltage}", "pct2"),
        sized("exact_v", "Exact drop (V)", 8, lambda r, c: c.drop_exact_v, "line_voltage",
              f"{_WAYS}*({_EXACT})", "n2"),
        sized("exact", "Exact drop", 8, lambda r, c: c.drop_exact, "fraction",
              "{exact_v}/{voltage}", "pct2"),
        sized("limit", "Limit", 8, _limit, "fraction",
              because="project design criterion for branch circuits or feeders (criteria)"),
        sized("held", "Within limit", 8, _within, "verdict",
              f'IF({within_in_cells("{drop}", "{limit}")},"OK","CHECK")'),
        sized("governed", "Size decided by", 26, lambda r, c: c.governed_by, style="finding"),
        sized("articles", "Articles", 44, lambda r, c: ", ".join(c.articles), style="finding"),
        sized("notes", "Notes", 44, lambda r, c: printed_text("; ".join(c.notes)),
              style="finding"),
    ),
    head_height=54,
    marks=(("held", '{}="CHECK"', "warn"),),
)  # fmt: skip


def voltage_drop_sheet(
    name: str, feeders: Sequence[Feeder], facts: FeederFacts, page_setup: PageSetup
) -> Sheet:
    """Return the voltage drop of every circuit type, for its most loaded circuit."""
    sheet = Sheet(name, page=page_setup.page(large=True, repeat_rows=(4, 4)), freeze=(5, 2))
    write_heading(
        sheet,
        "Voltage drop",
        "One row per circuit type, for its most loaded circuit at worst-case load; drop of each "
        "circuit only, not summed along the chain.",
    )
    grid = VOLTAGE_DROP.write_alone(sheet, 4, heaviest_rows(feeders, facts))
    write_notes(sheet, grid.row + 1, 16, _notes(facts.criteria.code))
    fit_heights(sheet, 5)
    return sheet


def _notes(code: str) -> Iterator[str]:
    yield (
        "Drop = √3 · I · (R·pf + X·sin φ) for three phases, 2 · I · (R·pf + X·sin φ) for two "
        "wires; exact: the phasor difference of the voltages at both ends, with the power factor "
        "at the source. R and X are for one conductor over the one-way length."
    )
    yield (
        "NEC chapter 9, table 9: resistance at 75 °C, 60 Hz reactance scaled by the frequency "
        "ratio."
        if code == "NEC"
        else "Resistance at the highest temperature of the insulation, 50 Hz reactance "
        "scaled by the frequency ratio."
    )
