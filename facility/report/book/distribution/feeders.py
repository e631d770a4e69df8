"""The Feeders sheet: every circuit down to the panels, branch circuits by sort, conductors live."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from facility.model.facility import Criteria
from facility.model.power.conductors import ConductorBasis
from facility.physics.circuits.conductors import corrected_ampacity
from facility.power.feeders.nec.tables import table_ampacity, wire_size
from facility.power.feeders.schedule import Feeder
from facility.power.feeders.types import ConductorChoice
from facility.report.book.settings import CONTINUOUS_NAME
from facility.report.sheet.cells import Span
from facility.report.sheet.grid import Column, Grid, GridValue, Values
from facility.report.sheet.lines import table_row
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import Furniture, fit_heights, write_heading

UNSIZED = "by its maker's table"
_FACTOR_CELL = "$B$4"
_CORRECTED = corrected_ampacity.in_cells(
    table_a="{base}", sets="{sets}", ambient="{ambient}", bundling="{bundling}"
)
_COLUMNS: tuple[Column[Values], ...] = (
    Column("tag", "Circuit", 21),
    Column("source", "From", 11),
    Column("target", "To", 16),
    Column("stage", "Stage", 11),
    Column("count", "Circuits", 8, "count"),
    Column("voltage", "Voltage V", 8, "line_voltage"),
    Column("poles", "Poles", 6, "count"),
    Column("normal", "Load normal A", 9, "current"),
    Column("worst", "Must carry A", 9, "current"),
    Column("state", "In state, or rating", 30, style="cell"),
    Column("heaviest", "Built like", 19),
    Column("sized", "Sized on A", 9, "current"),
    Column("required", "Required A", 9, "current", "{sized}*" + _FACTOR_CELL),
    Column("ocpd", "Device A", 8, "current", number_format="n0"),
    Column("sets", "Sets", 6, "count"),
    Column("size", "Line conductor", 15),
    Column("metal", "Metal, insulation", 17),
    Column("base", "Table ampacity A, one set", 10, "current", number_format="n0"),
    Column("termbase", "At terminations A, one set", 12, "current", number_format="n0"),
    Column("ambient", "Ambient factor", 8, "ratio"),
    Column("bundling", "Bundling factor", 9, "ratio"),
    Column("corrected", "Ampacity corrected A", 10, "current", _CORRECTED),
    Column("term", "Ampacity, terminations A", 12, "current", "{sets}*{termbase}"),
    Column("used", "Ampacity used A", 9, "current", "MIN({corrected},{term})"),
    Column(
        "held",
        "Device and ampacity",
        10,
        "verdict",
        'IF(AND({ocpd}*(1+1E-9)>={required},{used}*(1+1E-9)>={sized}),"OK","CHECK")',
    ),
    Column("neutral", "Neutral", 10),
    Column("egc", "Earth conductor", 10),
    Column("raceway", "Raceway", 11),
    Column("fill", "Fill", 7, "fraction"),
)


@dataclass(frozen=True)
class FeederFacts:
    """What the schedule rests on beside the circuits themselves."""

    criteria: Criteria
    basis: ConductorBasis
    listed_100: bool


def feeders_sheet(
    name: str, feeders: Sequence[Feeder], facts: FeederFacts, furniture: Furniture
) -> Sheet:
    """Return the feeder schedule.

    Parameters
    ----------
    feeders : sequence of Feeder
        All circuits; those of one sort are built alike, for the heaviest of them.
    facts : FeederFacts
        Code and conductors.
    """
    sheet = Sheet(name, page=furniture.page(large=True, repeat_rows=(6, 6)), freeze=(7, 2))
    criteria, basis = facts.criteria, facts.basis
    where = f"{basis.ambient_c:g} °C ambient"
    write_heading(
        sheet,
        "Feeder schedule",
        f"{criteria.code} {criteria.edition}; {where}; one row per circuit down to the panels, "
        "branch circuits by sort. Circuits of a sort are built for the heaviest of them.",
    )
    _write_factor(sheet, facts)
    grid = Grid(sheet, 6, _columns(criteria.code), 54)
    grid.set_widths()
    by_tag = {feeder.circuit.tag: feeder for feeder in feeders}
    for feeder, count in schedule_rows(feeders):
        grid.write(_row(feeder, by_tag[feeder.heaviest], count, criteria.code, basis))
    sheet.filter_span = Span(6, 1, grid.row - 1, len(grid.columns))
    grid.mark("held", '{}="CHECK"', "bad")
    _write_notes(sheet, grid.row + 1, criteria.code)
    fit_heights(sheet, 7)
    return sheet


def schedule_rows(feeders: Sequence[Feeder]) -> Iterator[tuple[Feeder, int]]:
    """Yield the circuits that stand in the schedule, each with how many runs it stands for."""
    number = Counter(feeder.alike for feeder in feeders)
    for feeder in feeders:
        if feeder.circuit.stage != "branch":
            yield feeder, feeder.circuit.runs
    for feeder in feeders:
        if feeder.circuit.stage == "branch" and feeder.circuit.tag == feeder.heaviest:
            yield feeder, number[feeder.alike]


def continuous_factor(facts: FeederFacts) -> float:
    """Return the factor on continuous load that the circuits are sized with."""
    if facts.criteria.code == "NEC" and facts.listed_100:
        return 1.0
    return facts.criteria.continuous_factor


def _columns(code: str) -> list[Column[Values]]:
    """Return the columns; the IEC knows no ampacity at the terminations."""
    if code == "NEC":
        return list(_COLUMNS)
    return [
        replace(column, formula="{corrected}") if column.key == "used" else column
        for column in _COLUMNS
        if column.key not in ("term", "termbase")
    ]


def _write_factor(sheet: Sheet, facts: FeederFacts) -> None:
    """Write the factor on continuous load: the named setting, or 1 for listed assemblies."""
    setting = continuous_factor(facts) == facts.criteria.continuous_factor
    sheet.put(4, 1, "Factor, continuous", "cell")
    table_row(sheet, 4, 2, continuous_factor(facts), "ratio", CONTINUOUS_NAME if setting else "")
    because = "sheet Settings" if setting else "assemblies and devices are listed for 100 %"
    sheet.merge(Span(4, 3, 4, 4), because, "cell")


def _row(
    feeder: Feeder, heaviest: Feeder, count: int, code: str, basis: ConductorBasis
) -> dict[str, GridValue]:
    circuit, choice = feeder.circuit, feeder.choice
    row: dict[str, GridValue] = {
        "tag": circuit.tag, "source": circuit.source, "target": circuit.target,
        "stage": circuit.stage, "count": count, "voltage": circuit.voltage_v,
        "poles": circuit.poles, "normal": feeder.normal_a, "worst": feeder.worst_a,
        "state": feeder.worst_state, "heaviest": feeder.heaviest,
    }  # fmt: skip
    if choice is None:
        return row | {"size": UNSIZED}
    base_a, term_a = _one_set(choice, code, basis)
    bus = choice.is_busway
    held = choice.ocpd_a * (1 + 1e-9) >= choice.required_a and (
        choice.ampacity_a * (1 + 1e-9) >= heaviest.worst_a
    )
    return row | {
        "sized": heaviest.worst_a, "required": choice.required_a, "ocpd": choice.ocpd_a,
        "sets": choice.sets, "size": _line(choice, code),
        "metal": f"{choice.material.capitalize()} {choice.insulation}", "base": base_a,
        "ambient": choice.ambient_factor, "bundling": choice.bundling_factor,
        "corrected": choice.ampacity_corrected_a, "termbase": term_a,
        "term": choice.ampacity_term_a, "used": choice.ampacity_a,
        "held": "OK" if held else "CHECK",
        "neutral": "100 %" if bus and choice.neutral_size else _size(choice.neutral_size, code),
        "egc": "housing" if bus else _size(choice.egc_size, code),
        "raceway": f"{choice.raceway} {choice.trade_size}".strip(),
        "fill": choice.fill,
    }  # fmt: skip


def _line(choice: ConductorChoice, code: str) -> str:
    if choice.is_busway:
        return f"{choice.size} {choice.size_unit}"
    return _size(choice.size, code)


def _size(name: str, code: str) -> str:
    """Return a size with its unit, e.g. ``"600 kcmil"``, ``"95 mm²"``."""
    if not name:
        return "none"
    return wire_size(name, "size").label if code == "NEC" else f"{name} mm²"


def _one_set(choice: ConductorChoice, code: str, basis: ConductorBasis) -> tuple[float, float]:
    """Return the table ampacity of one set by its insulation, and at the terminations [A]."""
    term_a = choice.ampacity_term_a / choice.sets
    if code != "NEC" or choice.is_busway:
        return term_a, term_a
    found = table_ampacity(choice.size, choice.material, basis.insulation_c)
    return (0.0 if found is None else found), term_a


def _write_notes(sheet: Sheet, row: int, code: str) -> None:
    per_code = (
        "Table ampacity: NEC Table 310.16 in the column of the insulation; at the terminations in "
        "the column of 110.14(C). Ampacity used: the lesser of both, all sets together."
        if code == "NEC"
        else "Table ampacity Iz: IEC 60364-5-52 for the method of installation; used after the "
        "factors."
    )
    for offset, text in enumerate(
        (
            per_code,
            "Must carry: the largest of the power flow of any state with the load kept, the panel "
            "below in its worst state, and the rating of the PDU transformer, UPS input or bypass "
            "that it feeds; of several equal circuits one. Required: that times the "
            "factor on continuous load. Voltage drop, articles and what decided each size: sheet "
            "Voltage drop.",
            "Medium-voltage circuits are not sized: no sourced table of MV cable is held.",
        )
    ):
        sheet.merge(Span(row + offset, 1, row + offset, 16), text, "note")
