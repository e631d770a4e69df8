"""Presentation of annual results over input ranges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from facility.core.views import System
from facility.model.inputs.ranges import Ranged
from facility.report.sheet.grid import Amount, SheetTable, TextTable
from facility.report.sheet.tables import unit_of
from facility.report.studies.protocol import Object, StudyReport
from facility.report.tables.ranges import (
    INPUTS,
    MATTERS,
    QUANTILES,
    figures_of,
    label,
    left_out,
    matter_columns,
)
from facility.study.ranges.result import RangesStudy


@dataclass(frozen=True)
class Ranges(StudyReport):
    """Annual results over input ranges: quantiles and sensitivities."""

    study: RangesStudy
    verb = "ranges"

    def lists(self) -> Mapping[str, Sequence[Object]]:
        """Return inputs, result ranges, and sensitivities."""
        study = self.study
        return {
            "inputs": [_input_object(ranged) for ranged in study.inputs],
            "ranges": QUANTILES.objects(study.figures),
            "matters": MATTERS.objects(study.matters),
        }

    def opening(self) -> Iterator[str]:
        """Return how the samples were drawn."""
        yield f"Annual uncertainty: {self.study.title}."

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return the inputs, the annual figures, and the sensitivities of each."""
        study = self.study
        yield INPUTS.text(study.inputs, system)
        yield QUANTILES.text(figures_of(study), system)
        for key in dict.fromkeys(matter.key for matter in study.matters):
            table = SheetTable(f"Sensitivity: {label(key)}", matter_columns(study)[1:])
            yield table.text(study.matters_to(key), system)

    @property
    def left_out(self) -> Sequence[str]:
        """Caveats of the numbers."""
        return left_out(self.study)


def _input_object(ranged: Ranged) -> Object:
    spread = ranged.spread
    ends = {"low": spread.low, "high": spread.high, "p50": spread.at(0.5)}
    return {
        "field": ranged.path,
        "distribution": spread.form,
        "unit": unit_of(spread.kind),
        **{name: Amount(value, spread.kind).plain for name, value in ends.items()},
    }
