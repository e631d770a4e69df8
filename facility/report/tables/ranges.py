"""Columns of the range tables: inputs, results over the samples, sensitivities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from facility.core.kinds import KINDS
from facility.core.table import csv_text
from facility.core.views import view_value
from facility.model.inputs.ranges import Ranged
from facility.report.sheet.grid import Amount, Column, Door, SheetTable
from facility.report.sheet.tables import unit_of
from facility.report.tables.summary import YEAR_FIGURES
from facility.study.ranges.result import Figure, Matter, RangesStudy

_Numbered = TypeVar("_Numbered", Figure, Matter)
_LABELS: Mapping[str, str] = dict(YEAR_FIGURES)


def label(key: str) -> str:
    """Return the label of an annual result."""
    return _LABELS.get(key, key)


INPUTS: SheetTable[Ranged] = SheetTable(
    "Varied inputs",
    (
        Column("field", "Input", 40, of=lambda r: r.path),
        Column("meaning", "Meaning", 48),
        Column("range", "Range", 56, style="text", of=lambda r: r.spread.shown()),
    ),
    because="Range stated in the project (varies).",
)


def _amount(
    name: str, head: str, formula: str = "", door: Door = "", width: float = 14
) -> Column[_Numbered]:
    def of(row: _Numbered) -> Amount | None:
        value = getattr(row, name)
        return None if value is None else Amount(value, row.kind)

    return Column(name, head, width, formula=formula, of=of, door=door, json=name)


_KEY: Column[Any] = Column("key", "", 0, door="json", json="result")
QUANTILES: SheetTable[Figure] = SheetTable(
    "Annual results over all samples",
    (
        Column("result", "Result", 40, of=lambda r: label(r.key)),
        _KEY,
        Column("unit", "Unit", 48, of=lambda r: unit_of(r.kind), door="sheet", json="unit"),
        _amount("nominal", "As designed", width=16),
        _amount("p5", "p5", "PERCENTILE({samples},0.05)"),
        _amount("p50", "p50", "PERCENTILE({samples},0.5)"),
        _amount("p95", "p95", "PERCENTILE({samples},0.95)"),
        _amount("mean", "Mean", "AVERAGE({samples})", "sheet"),
        _amount("low", "Minimum", "MIN({samples})", "sheet"),
        _amount("high", "Maximum", "MAX({samples})", "sheet"),
    ),
    because="The year is simulated for each sample; the named percentage of samples does not "
    "exceed a percentile.",
)


def figures_of(study: RangesStudy) -> tuple[Figure, ...]:
    """Return the main annual figures, in order."""
    found = {figure.key: figure for figure in study.figures}
    return tuple(found[key] for key in _LABELS if key in found)


def _share(name: str, head: str, json: str) -> Column[Matter]:
    return Column(name, head, 11, "ratio", number_format="n3", json=json)


_ALWAYS: tuple[Column[Matter], ...] = (
    Column("result", "Result", 26, of=lambda r: label(r.key)),
    _KEY,
    Column("field", "Input", 40, of=lambda r: r.path, json="field"),
    Column("unit", "", 0, of=lambda r: unit_of(r.kind), door="json", json="unit"),
    _amount("low", "Input at p5"),
    _amount("high", "Input at p95"),
    _share("correlation", "Rank corr.", "rank_correlation"),
)
_SOBOL = tuple(
    _share(name, head, f"sobol_{name}")
    for name, head in (
        ("first", "S1"),
        ("first_error", "± S1"),
        ("total", "ST"),
        ("total_error", "± ST"),
    )
)
MATTERS = SheetTable("Sensitivity", (*_ALWAYS, *_SOBOL))


def matter_columns(study: RangesStudy) -> tuple[Column[Matter], ...]:
    """Return the sensitivity columns, with Sobol indices if computed."""
    return (*_ALWAYS, *_SOBOL) if study.method == "sobol" else _ALWAYS


def left_out(study: RangesStudy) -> tuple[str, ...]:
    """Return the caveats of the numbers."""
    chance = 2.0 / study.samples**0.5
    how = (
        "The facility is resized for each sample."
        if study.resized
        else "Equipment stays as designed; an input affects operation only, defaults derived from "
        "an input follow it, and inputs that only decide sizes have no effect."
    )
    return (
        how,
        "Inputs are drawn independently. Input at p5 and p95: the result with only that input "
        f"changed. A rank correlation under {chance:.2f} may be chance.",
    )


@dataclass(frozen=True)
class SampleTable:
    """Samples in file form: headings with units, and one row each."""

    study: RangesStudy

    @property
    def heads(self) -> list[str]:
        """Headings: sample, inputs, results, the error code."""
        inputs = [_head(ranged.path, ranged.spread.kind) for ranged in self.study.inputs]
        results = [_head(figure.key, figure.kind) for figure in self.study.figures]
        return ["sample", *inputs, *results, "refused"]

    def row(self, sample: int) -> list[str]:
        """Return the row of a sample, counted from 0."""
        study = self.study
        drawn = zip(study.drawn[sample], study.inputs, strict=True)
        given = [_text(value, ranged.spread.kind) for value, ranged in drawn]
        error = study.refused.get(sample)
        came = [
            "" if error else _text(study.found[figure.key][sample], figure.kind)
            for figure in study.figures
        ]
        return [str(sample + 1), *given, *came, error.code if error else ""]


def samples_csv(study: RangesStudy) -> bytes:
    """Return every sample as a CSV file."""
    table = SampleTable(study)
    return csv_text([table.heads, *map(table.row, range(study.samples))]).encode("utf-8")


def _head(name: str, kind: str) -> str:
    unit = unit_of(kind)
    return f"{name} [{unit}]" if unit else name


def _text(si: float, kind: str) -> str:
    return f"{view_value(float(si), kind) if kind in KINDS else float(si):.9g}"
