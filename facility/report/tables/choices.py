"""Choices by result and their alternatives: candidates and criterion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from facility.core.choice import Alternative, Selection
from facility.core.kinds import money_kind
from facility.core.views import System
from facility.report.sheet.grid import Amount, Column, GridValue, SheetTable, TextTable


@dataclass(frozen=True)
class ChoiceRow:
    """One candidate of a choice."""

    choice: Selection[object]
    candidate: Alternative[object]

    @property
    def subject(self) -> str:
        """Subject of the choice."""
        return self.choice.subject

    @property
    def chosen(self) -> bool:
        """Whether the candidate is the chosen one."""
        return self.candidate is self.choice.chosen

    @property
    def cost(self) -> GridValue:
        """Life-cycle cost; None if unknown."""
        cost = self.candidate.cost
        if cost is None or cost.missing:
            return None
        return Amount(cost.total, money_kind(cost.currency))

    @property
    def currency(self) -> str:
        """Currency of the life-cycle cost; empty if unknown."""
        cost = self.candidate.cost
        return "" if cost is None or cost.missing else cost.currency


CHOICES: SheetTable[ChoiceRow] = SheetTable(
    "Equipment choices and alternatives",
    (
        Column("subject", "Subject", 22, style="cell"),
        Column("chosen", "Selected", 9, style="outcome", of=lambda r: "yes" if r.chosen else ""),
        Column(
            "candidate",
            "Candidate",
            52,
            style="finding",
            of=lambda r: r.candidate.name.replace("_", " "),
        ),
        Column("loss", "Loss (kW)", 12, "active_power", of=lambda r: r.candidate.loss_w),
        Column(
            "installed", "Installed (kW)", 13, "active_power", of=lambda r: r.candidate.installed_w
        ),
        Column("machines", "Machines", 10, "count", of=lambda r: r.candidate.machines or None),
        Column("cost", "Life-cycle cost", 16, of=lambda r: r.cost),
        Column("currency", "Currency", 9, style="center", door="sheet"),
        Column(
            "data",
            "Loss data",
            11,
            style="cell",
            of=lambda r: "unverified" if r.candidate.recalled else "",
        ),
        Column("excluded", "Excluded by rule", 24, style="cell", of=lambda r: r.candidate.excluded),
        Column(
            "criterion",
            "Criterion",
            70,
            style="cell",
            door="sheet",
            of=lambda r: r.choice.criterion if r.chosen else "",
        ),
    ),
    0,
    (("chosen", '${}="yes"', "good"),),
    "number",
    because="Candidate figures used in the comparison; the criterion is given below the table.",
)


def choice_rows(choices: Sequence[Selection[object]]) -> Iterator[ChoiceRow]:
    """Yield the candidates of each choice, the chosen one first."""
    for choice in choices:
        yield from (ChoiceRow(choice, one) for one in choice.candidates)


def choice_table(choices: Sequence[Selection[object]], system: System) -> TextTable:
    """Return the choices for text output, with the criterion of each below."""
    subjects: dict[str, list[str]] = {}
    for choice in choices:
        subjects.setdefault(choice.criterion, []).append(choice.subject)
    below = [f"{', '.join(of)}: {criterion}." for criterion, of in subjects.items()]
    return CHOICES.text(choice_rows(choices), system, *below, "")


_COMPARED = ("chosen", "candidate", "loss", "installed", "machines", "cost")


def candidate_table(choice: Selection[object], system: System) -> TextTable:
    """Return the candidates of one choice with the figures that decide, the chosen one first."""
    columns = tuple(column for column in CHOICES.columns if column.key in _COMPARED)
    return SheetTable("Candidates", columns).text(choice_rows([choice]), system)


def choice_objects(choices: Sequence[Selection[object]]) -> list[dict[str, object]]:
    """Return the choices as JSON objects, in SI units."""
    return [
        {
            "subject": row.subject,
            "criterion": row.choice.criterion,
            "candidate": row.candidate.name,
            "chosen": row.chosen,
            "loss_w": row.candidate.loss_w,
            "installed_w": row.candidate.installed_w,
            "machines": row.candidate.machines,
            "life_cycle_cost": row.cost.si if isinstance(row.cost, Amount) else None,
            "currency": row.currency or None,
            "recalled": row.candidate.recalled,
            "excluded": row.candidate.excluded or None,
        }
        for row in choice_rows(choices)
    ]
