"""Units of the catalogue tried in a design, side by side: how many, how loaded, what is left."""

from __future__ import annotations

from facility.report.sheet.grid import Column, SheetTable
from facility.study.shortlist import Candidate

_PART = "fraction"

OPTIONS: SheetTable[Candidate] = SheetTable(
    "Units of the catalogue in this design",
    (
        Column("model", "Model", 0, of=lambda o: o.model),
        Column("count", "Units", 0, "count", of=lambda o: o.count or None),
        Column("duty", "Needed", 0, "count", of=lambda o: o.duty or None),
        Column("normal", "Loading, all at work", 0, _PART, of=lambda o: o.normal),
        Column("failure", "Loading, after failure", 0, _PART, of=lambda o: o.failure),
        Column("margin", "Margin", 0, _PART, of=lambda o: o.margin),
        Column("pue", "PUE, design hour", 0, "ratio", of=lambda o: o.pue or None),
        Column("violations", "Violations", 0, "count",
               of=lambda o: None if o.refused else o.violations),
        Column("refused", "Cannot be", 0, of=lambda o: o.refused),
        Column("source", "Source", 0, of=lambda o: o.source),
    ),
)  # fmt: skip
NOTE = (
    "Each model is named in the project, which is designed with it. Loadings are parts of what is "
    "permitted; margin is what is left of it after the designed failure."
)
