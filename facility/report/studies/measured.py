"""Presentation of a meter log compared with the model."""

from __future__ import annotations

from calendar import month_name
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from facility.core.views import System, show
from facility.report.sheet.grid import Amount, Column, GridValue, SheetTable, TextTable
from facility.report.studies.protocol import Object, StudyReport
from facility.study.measured.study import MeasuredMonth, MeasuredStudy

_ROWS = (
    ("measured.hours", "Hours measured"),
    ("measured.it.readings", "IT energy, measured"),
    ("measured.facility.readings", "Facility energy, measured"),
    ("pue.readings", "PUE, measured"),
    ("pue.designed", "PUE, model with load profile and typical weather"),
    ("pue.difference.load", "Difference, load"),
    ("pue.difference.weather", "Difference, weather"),
    ("pue.difference.equipment", "Difference, equipment and operation"),
    ("measured.bias", "Bias of the hourly model"),
    ("measured.scatter", "Scatter of the hourly model, CV(RMSE)"),
)
MONTHS: SheetTable[MeasuredMonth] = SheetTable(
    "Monthly values, measured and modelled",
    (
        Column("month", "Month", 12, of=lambda m: month_name[m.number]),
        Column("hours", "Hours", 8, "count", of=lambda m: round(m.hours)),
        Column("it", "IT (MWh)", 11, "energy", of=lambda m: m.it_j),
        Column("facility", "Facility (MWh)", 12, "energy", of=lambda m: m.facility_j),
        Column("pue", "PUE, measured", 12, "ratio", of=lambda m: m.pue),
        Column("model", "PUE, model", 12, "ratio", of=lambda m: m.model_pue),
    ),
    because="meter readings, and the model at the measured load and weather",
)


@dataclass(frozen=True)
class MeterLogReport(StudyReport):
    """A meter log compared with the model of the design."""

    study: MeasuredStudy
    verb = "import-measured"

    def opening(self) -> Iterator[str]:
        """Return file and hours, and how each column was read."""
        yield f"Readings: {self.study.title}."
        for key, title in (("it", "IT"), ("facility", "Facility")):
            yield f"{title}: {' + '.join(name[:60] for name in self.study.log.columns[key])}."
        for heading, facts in self.study.log.facts.items():
            yield f"{heading[:60]}: {'; '.join(facts.notes) or 'read as is'}."

    def lists(self) -> Mapping[str, Sequence[Object]]:
        """Return the months."""
        return {"months": MONTHS.objects(self.study.months)}

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return the figures and the months."""
        results = self.study.results
        rows, values = list[tuple[str, ...]](), list[tuple[GridValue, ...]]()
        for key, label in _ROWS:
            value = results[key]
            number = Amount(float(value.si), value.kind)
            signed = key.startswith("pue.difference")
            text = f"{number.si:+.3f}" if signed else show(*number, system)
            rows.append((label, text, value.basis))
            values.append((label, number, value.basis))
        heads = ("Quantity", "Value", "Basis")
        keys = [key for key, _ in _ROWS]
        yield TextTable("Measured PUE vs. model", heads, rows, keys=keys, values=values)
        yield MONTHS.text(self.study.months, system)


def readings_csv(study: MeasuredStudy) -> str:
    """Return the readings and the model hour by hour as CSV."""
    lines = ["hour_end,it_kw,facility_kw,model_kw,pue,model_pue"]
    series = zip(
        study.hours.ends_h.tolist(),
        (study.it_w / 1e3).tolist(),
        (study.facility_w / 1e3).tolist(),
        (study.model_w / 1e3).tolist(),
        strict=True,
    )
    for end, it, facility, model in series:
        pues = f"{facility / it:.4f},{model / it:.4f}" if it > 0.0 else ","
        lines.append(f"{end:g},{it:.3f},{facility:.3f},{model:.3f},{pues}")
    return "\n".join(lines) + "\n"
