"""The Feeders sheet: circuits down to the panels, branch circuits by type, conductors live."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from facility.catalogue.articles import article
from facility.core.rounding import reaches, reaches_in_cells
from facility.model.facility import Criteria, Facility
from facility.model.power.conductors import ConductorBasis
from facility.physics.circuits.conductors import corrected_ampacity
from facility.power.feeders.nec.ampacity import ambient_subject
from facility.power.feeders.nec.tables import table_ampacity
from facility.power.feeders.schedule import Feeder
from facility.power.feeders.trip_units import TRIP_FUNCTIONS
from facility.power.feeders.types import ConductorChoice
from facility.report.book.panels.live import CONTINUOUS_NAME
from facility.report.book.panels.supply import size_text
from facility.report.sheet.grid import Column, Grid, GridValue, verdict_word
from facility.report.sheet.lines import table_row
from facility.report.sheet.model import Sheet, Span
from facility.report.sheet.tables import PageSetup, fit_heights, write_heading, write_notes

UNSIZED = "by manufacturer's table"
_FACTOR_CELL = "$B$4"
_IEC_STEPS = {
    "bundling_factor": "grouping_factor",
    "ampacity_corrected": "ampacity",
    "conductor": "size",
}
"""Trace names of IEC circuit figures that differ from those of the NEC."""
_CORRECTED = corrected_ampacity.in_cells(
    table_a="{base}", sets="{sets}", ambient="{ambient}", bundling="{bundling}"
)
_VERDICT = (
    f"IF(AND({reaches_in_cells('{ocpd}', '{required}')},{reaches_in_cells('{used}', '{sized}')})"
    ',"OK","CHECK")'
)


@dataclass(frozen=True)
class FeederFacts:
    """Design data of the schedule other than the circuits."""

    criteria: Criteria
    basis: ConductorBasis
    listed_100: bool

    @classmethod
    def of(cls, facility: Facility) -> FeederFacts:
        """Return the facts of a facility."""
        listed = facility.power.panels.listed_100
        return cls(facility.criteria, facility.electrical.conductors, listed)

    @property
    def factor(self) -> float:
        """Continuous-load factor used to size the circuits."""
        if self.criteria.code == "NEC" and self.listed_100:
            return 1.0
        return self.criteria.continuous_factor


@dataclass(frozen=True)
class FeederRow:
    """Circuit, the most loaded circuit of its type, and the number of circuits it represents."""

    feeder: Feeder
    heaviest: Feeder
    count: int
    facts: FeederFacts

    @property
    def nec(self) -> bool:
        """Whether it is sized by the NEC."""
        return self.facts.criteria.code == "NEC"

    def size(self, name: str) -> str:
        """Return a size with its unit, or a dash."""
        return size_text(name, self.facts.criteria.code) or "none"

    def base_a(self, choice: ConductorChoice) -> float:
        """Return the table ampacity of one set in the column of its insulation [A]."""
        if self.feeder.circuit.stage == "mv":
            factor = choice.ambient_factor * choice.bundling_factor
            return choice.ampacity_corrected_a / (choice.sets * factor)
        if not self.nec or choice.is_busway:
            return choice.ampacity_term_a / choice.sets
        return table_ampacity(choice.size, choice.material, self.facts.basis.insulation_c) or 0.0

    def holds(self, choice: ConductorChoice) -> bool:
        """Return whether device and ampacity cover the required current."""
        return reaches(choice.ocpd_a, choice.required_a) and reaches(
            choice.ampacity_a, self.heaviest.worst_a
        )


def sized(  # noqa: PLR0913 - what a column takes
    key: str,
    head: str,
    width: float,
    of: Callable[[FeederRow, ConductorChoice], GridValue],
    kind: str = "",
    formula: str = "",
    number_format: str = "",
    unit: str = "",
    style: str = "choice",
    step: str = "",
    because: str = "",
) -> Column[FeederRow]:
    """Return a column that applies where a circuit has conductors.

    step: Trace name of the figure for the circuit that sizes the row.
    """

    def known(row: FeederRow) -> GridValue:
        return None if row.feeder.choice is None else of(row, row.feeder.choice)

    id = step_of(step) if step else None
    return Column(
        key, head, width, kind, formula, unit, number_format, style, known, id=id, because=because
    )


def step_of(name: str) -> Callable[[FeederRow], str]:
    """Return the trace id of a figure of the circuit that sizes the row."""

    def step(row: FeederRow) -> str:
        found = name if row.nec else _IEC_STEPS.get(name, name)
        return f"feeder.{row.feeder.heaviest}.{found}"

    return step


def _line(row: FeederRow) -> str:
    choice = row.feeder.choice
    if choice is None:
        return UNSIZED
    return f"{choice.size} {choice.size_unit}" if choice.is_busway else row.size(choice.size)


_COLUMNS: tuple[Column[FeederRow], ...] = (
    Column("tag", "Circuit", 21, of=lambda r: r.feeder.circuit.tag),
    Column("origin", "From", 11, of=lambda r: r.feeder.circuit.source),
    Column("target", "To", 16, of=lambda r: r.feeder.circuit.target),
    Column("stage", "Stage", 11, of=lambda r: r.feeder.circuit.stage),
    Column("count", "Circuits", 8, "count",
           because="parallel circuits with this tag, or circuits of this type for branch circuits"),
    Column("voltage", "Volts L-L", 8, "line_voltage", of=lambda r: r.feeder.circuit.voltage_v,
           because="network voltage at the source of the circuit"),
    Column("poles", "Poles", 6, "count", of=lambda r: r.feeder.circuit.poles,
           because="line conductors of the circuit"),
    Column("normal", "Normal load (A)", 9, "current", of=lambda r: r.feeder.normal_a,
           because="power flow, all in service: most loaded line of one circuit"),
    Column("worst", "Worst-case load (A)", 9, "current", of=lambda r: r.feeder.worst_a,
           because="the largest of: power flow in any state that keeps the load, downstream panel "
           "in its worst state, rating of the transformer, UPS input, bypass or cooling units fed, "
           "input-current limit of the UPS; one of several equal circuits"),
    Column("state", "Sized by (state or rating)", 24, style="finding",
           of=lambda r: r.feeder.sized_by),
    Column("heaviest", "Sized with circuit", 19, style="choice", of=lambda r: r.feeder.heaviest),
    sized("sized", "Sizing current (A)", 9, lambda r, c: r.heaviest.worst_a, "current",
          because="worst-case load of the most loaded circuit of this type; all circuits of the "
          "type are sized for it"),
    sized("other", "Of that at 100 % (A)", 9, lambda r, c: r.heaviest.other_a, "current",
          because="motors of a mechanical board except the largest, NEC 430.24"),
    sized("required", "Required (A)", 9, lambda r, c: c.required_a, "current",
           "({sized}-{other})*" + _FACTOR_CELL + "+{other}", step="required"),
    sized("ocpd", "Device (A)", 8, lambda r, c: c.ocpd_a, "current", number_format="n0",
          step="ocpd"),
    sized("trip", "Trip unit", 13, lambda r, c: r.feeder.trip.label if r.feeder.trip else None),
    sized("sets", "Sets", 6, lambda r, c: c.sets, "count",
          because="parallel conductors per line: the fewest for which a size carries the current"),
    Column("size", "Line conductor", 15, style="choice", of=_line, id=step_of("conductor")),
    sized("metal", "Metal, insulation", 17,
          lambda r, c: f"{c.material.capitalize()} {c.insulation}", step="conductor"),
    sized("base", "Table ampacity, one set (A)", 10, FeederRow.base_a, "current",
           number_format="n0",
           because="NEC Table 310.16 in the column of the insulation; IEC 60364-5-52 for the "
           "method of installation; busway: its rating; medium-voltage cables: NEC Table "
           "315.60(C) or IEC 60502-2, annex B"),
    sized("termbase", "At terminations, one set (A)", 12, lambda r, c: c.ampacity_term_a / c.sets,
           "current", number_format="n0",
           because="NEC Table 310.16 in the column of the terminations, 110.14(C)"),
    sized("ambient", "Ambient factor", 8, lambda r, c: c.ambient_factor, "ratio",
          step="ambient_factor"),
    sized("bundling", "Bundling factor", 9, lambda r, c: c.bundling_factor, "ratio",
          step="bundling_factor"),
    sized("corrected", "Corrected ampacity (A)", 10, lambda r, c: c.ampacity_corrected_a, "current",
           _CORRECTED, step="ampacity_corrected"),
    sized("harmonic", "Harmonic factor", 9, lambda r, c: c.harmonic_factor, "ratio",
          step="harmonic_factor"),
    sized("term", "Ampacity at terminations (A)", 12, lambda r, c: c.ampacity_term_a, "current",
           "{sets}*{termbase}", step="ampacity_termination"),
    sized("used", "Ampacity used (A)", 9, lambda r, c: c.ampacity_a, "current",
           "MIN({corrected},{term})"),
    sized("held", "Device and ampacity", 10, lambda r, c: verdict_word(r.holds(c)), "verdict",
          _VERDICT),
    sized("neutral", "Neutral", 10, lambda r, c: "100 %" if c.is_busway and c.neutral_size
           else r.size(c.neutral_size)),
    sized("egc", "Earth conductor", 10,
          lambda r, c: "housing" if c.is_busway else r.size(c.egc_size), step="egc"),
    sized("raceway", "Raceway", 11, lambda r, c: f"{c.raceway} {c.trade_size}".strip(),
          step="fill"),
    sized("fill", "Fill", 7, lambda r, c: c.fill, "fraction", step="fill"),
)  # fmt: skip


def feeder_columns(code: str) -> list[Column[FeederRow]]:
    """Return the columns of the schedule.

    The IEC has no ampacity at the terminations, the NEC no factor for harmonics.
    """
    if code == "NEC":
        return [column for column in _COLUMNS if column.key != "harmonic"]
    return [
        replace(column, formula="{corrected}*{harmonic}") if column.key == "used" else column
        for column in _COLUMNS
        if column.key not in ("term", "termbase")
    ]


def feeders_sheet(
    name: str, feeders: Sequence[Feeder], facts: FeederFacts, page_setup: PageSetup
) -> Sheet:
    """Return the feeder schedule.

    feeders: All circuits; circuits of one type are sized for the most loaded of them.
    facts: Code and conductors.
    """
    sheet = Sheet(name, page=page_setup.page(large=True, repeat_rows=(6, 6)), freeze=(7, 2))
    criteria, basis = facts.criteria, facts.basis
    where = f"{basis.ambient_c:g} °C ambient"
    if criteria.code == "NEC":
        by = "" if basis.ambient_by_table else "the equation of "
        of = article(ambient_subject(basis), criteria.edition).locator
        where += f", factor by {by}{of}"
    write_heading(
        sheet,
        "Feeder schedule",
        f"{criteria.code_edition}; {where}; one row per circuit down to the panels, "
        f"branch circuits by type. Circuits of one type are sized for the most loaded of them.",
    )
    setting = facts.factor == facts.criteria.continuous_factor
    sheet.put(4, 1, "Factor, continuous", "cell")
    table_row(sheet, 4, 2, facts.factor, "ratio", CONTINUOUS_NAME if setting else "")
    because = "sheet Inputs" if setting else "assemblies and devices are listed for 100 %"
    sheet.merge(Span(4, 3, 4, 4), because, "cell")
    grid = Grid(sheet, 6, feeder_columns(criteria.code), 54)
    grid.set_widths()
    for row in schedule_rows(feeders, facts):
        grid.write(row)
    sheet.filter_span = Span(6, 1, grid.row - 1, len(grid.columns))
    grid.mark("held", '{}="CHECK"', "bad")
    write_notes(sheet, grid.row + 1, 16, _notes(criteria.code))
    fit_heights(sheet, 7)
    return sheet


def schedule_rows(feeders: Sequence[Feeder], facts: FeederFacts) -> Iterator[FeederRow]:
    """Yield the circuits of the schedule: branch circuits last, one per type."""
    number, by_tag = Counter(f.group for f in feeders), {f.circuit.tag: f for f in feeders}
    for feeder in feeders:
        if feeder.circuit.stage != "branch":
            yield FeederRow(feeder, by_tag[feeder.heaviest], feeder.circuit.runs, facts)
    for feeder in feeders:
        if feeder.circuit.stage == "branch" and feeder.circuit.tag == feeder.heaviest:
            yield FeederRow(feeder, feeder, number[feeder.group], facts)


def heaviest_rows(feeders: Sequence[Feeder], facts: FeederFacts) -> Iterator[FeederRow]:
    """Yield the most loaded circuit of every type."""
    number = Counter(feeder.group for feeder in feeders)
    for feeder in feeders:
        if feeder.circuit.tag == feeder.heaviest:
            yield FeederRow(feeder, feeder, number[feeder.group], facts)


def _notes(code: str) -> Iterator[str]:
    yield (
        "Table ampacity: NEC Table 310.16 in the column of the insulation; at the terminations in "
        "the column of 110.14(C). Ampacity used: the lower of both, all sets together."
        if code == "NEC"
        else "Table ampacity Iz: IEC 60364-5-52 for the method of installation; used after the "
        "factors."
    )
    yield (
        "Worst-case load: the largest of power flow in any state that keeps the load, downstream "
        "panel in its worst state, and rating of the transformer, UPS input, bypass or cooling "
        "units fed; one of several equal circuits. Required: worst-case load times the "
        "continuous-load factor, motors except the largest at 100 %. Voltage drop, articles and "
        "the deciding criterion of each size: sheet Voltage drop."
    )
    functions = "; ".join(f"{short}: {words}" for short, words in TRIP_FUNCTIONS.items())
    yield (
        f"Trip unit: {functions}. Long-time setting: the rating of the device. Pickups and delays: "
        f"see the coordination study."
    )
    yield (
        "Medium-voltage circuits: the device is the pickup of a phase overcurrent relay; the table "
        "ampacity is that of NEC Table 315.60(C) or IEC 60502-2, annex B. Installation and what is "
        "not evaluated: sheet Voltage drop, notes."
    )
