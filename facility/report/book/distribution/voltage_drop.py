"""The Voltage drop sheet: every sort of circuit, its drop live, what decided it, articles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from facility.model.facility import Criteria
from facility.power.feeders.schedule import Feeder
from facility.report.book.distribution.feeders import UNSIZED
from facility.report.sheet.cells import Span
from facility.report.sheet.grid import Column, Grid, GridValue, Values
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import Furniture, fit_heights, write_heading

_ALONG = "({r}*{pf}+{x}*SQRT(1-{pf}^2))/1000*{current}"
_ACROSS = "({x}*{pf}-{r}*SQRT(1-{pf}^2))/1000*{current}"
_PHASE = "{voltage}/IF({poles}=3,SQRT(3),2)"
_WAYS = "IF({poles}=3,SQRT(3),2)"
_COLUMNS: tuple[Column[Values], ...] = (
    Column("tag", "Heaviest circuit", 20),
    Column("stage", "Stage", 11),
    Column("count", "Circuits", 8, "count"),
    Column("conductors", "Line conductors", 16),
    Column("voltage", "Voltage V", 8, "line_voltage", number_format="n1"),
    Column("poles", "Poles", 6, "count"),
    Column("load", "Load A", 9, "current"),
    Column("sets", "Sets", 6, "count"),
    Column("current", "Current per set A", 9, "current", "{load}/{sets}"),
    Column("pf", "Power factor", 8, "ratio"),
    Column("length", "Length m", 8, "length"),
    Column("r", "R of one conductor mΩ", 10, "resistance", unit="mohm", number_format="n3"),
    Column("x", "X of one conductor mΩ", 10, "resistance", unit="mohm", number_format="n3"),
    Column("drop_v", "Drop V", 8, "line_voltage", f"{_WAYS}*{_ALONG}", number_format="n2"),
    Column("drop", "Drop", 8, "fraction", "{drop_v}/{voltage}", number_format="pct2"),
    Column(
        "exact_v",
        "Exact drop V",
        8,
        "line_voltage",
        f"{_WAYS}*({_PHASE}-SQRT(({_PHASE}-{_ALONG})^2+({_ACROSS})^2))",
        number_format="n2",
    ),
    Column("exact", "Exact drop", 8, "fraction", "{exact_v}/{voltage}", number_format="pct2"),
    Column("limit", "Limit", 8, "fraction"),
    Column("held", "Within limit", 8, "verdict", 'IF({drop}<={limit}*(1+1E-9),"OK","CHECK")'),
    Column("governed", "Size decided by", 26, style="cell"),
    Column("articles", "Articles", 44, style="cell"),
    Column("notes", "Notes", 44, style="cell"),
)


def voltage_drop_sheet(
    name: str, feeders: Sequence[Feeder], criteria: Criteria, furniture: Furniture
) -> Sheet:
    """Return the voltage drop of every sort of circuit, for the heaviest of them."""
    sheet = Sheet(name, page=furniture.page(large=True, repeat_rows=(4, 4)), freeze=(5, 2))
    write_heading(
        sheet,
        "Voltage drop",
        "One row per sort of circuit, the heaviest of it at its worst load; of each circuit alone, "
        "not summed along the chain.",
    )
    grid = Grid(sheet, 4, _COLUMNS, 54)
    grid.set_widths()
    count = Counter(feeder.alike for feeder in feeders)
    for feeder in feeders:
        if feeder.circuit.tag == feeder.heaviest:
            grid.write(_row(feeder, count[feeder.alike], criteria))
    grid.mark("held", '{}="CHECK"', "warn")
    for offset, text in enumerate(_notes(criteria.code), start=grid.row + 1):
        sheet.merge(Span(offset, 1, offset, 16), text, "note")
    fit_heights(sheet, 5)
    return sheet


def _row(feeder: Feeder, count: int, criteria: Criteria) -> dict[str, GridValue]:
    circuit, choice = feeder.circuit, feeder.choice
    row: dict[str, GridValue] = {
        "tag": circuit.tag,
        "stage": circuit.stage,
        "count": count,
        "poles": circuit.poles,
        "load": feeder.worst_a,
        "voltage": circuit.voltage_v,
    }
    if choice is None:
        return row | {"conductors": UNSIZED}
    row |= {
        "conductors": choice.label.replace("mm2", "mm²"),
        "voltage": choice.voltage_v,
        "sets": choice.sets,
        "current": feeder.worst_a / choice.sets,
        "pf": min(1.0, feeder.power_factor),
        "length": feeder.length_m,
        "governed": choice.governed_by,
        "articles": ", ".join(choice.articles),
        "notes": "; ".join(choice.notes).replace(" degC", " °C"),
    }
    if choice.drop_v is None or choice.drop is None:
        return row | {"drop_v": "not known"}
    branch = circuit.stage == "branch"
    limit = criteria.voltage_drop_branch if branch else criteria.voltage_drop_feeder
    return row | {
        "r": choice.resistance_ohm,
        "x": choice.reactance_ohm,
        "drop_v": choice.drop_v,
        "drop": choice.drop,
        "exact_v": choice.drop_exact_v,
        "exact": choice.drop_exact,
        "limit": limit,
        "held": "OK" if choice.drop <= limit * (1 + 1e-9) else "CHECK",
    }


def _notes(code: str) -> Iterator[str]:
    yield (
        "Drop = √3 · I · (R·pf + X·sin φ) for three phases, 2 · I · (R·pf + X·sin φ) for two "
        "wires; exact: the phasor difference of the voltages at both ends, the power factor taken "
        "at the source. R and X are of one conductor over the one-way length."
    )
    yield (
        "NEC chapter 9, table 9: resistance at 75 °C, reactance at 60 Hz."
        if code == "NEC"
        else "Resistance at the highest temperature of the insulation, reactance at 50 Hz."
    )
