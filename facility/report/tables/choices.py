"""Choices by result and their alternatives: candidates and criterion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from facility.core.choice import EQUAL_LOSS, NEAR, Alternative, Selection
from facility.core.kinds import money_kind
from facility.core.rounding import within
from facility.core.views import System, show
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
    def why_not(self) -> str:
        """The first figure by which the candidate ranks after the chosen one."""
        one, best = self.candidate, self.choice.chosen
        if one is best:
            return ""
        if one.excluded:
            return f"Fails {one.excluded}"
        if self.cost is not None and ChoiceRow(self.choice, best).cost is not None:
            return "Higher life-cycle cost"
        lowest_w = min(each.installed_w for each in self.choice.candidates if not each.excluded)
        if not within(one.installed_w, (1.0 + NEAR) * lowest_w):
            share = show(one.installed_w / lowest_w - 1.0, "fraction")
            return f"{share} above the lowest installed power (limit {100.0 * NEAR:.0f} %)"
        if one.recalled and not best.recalled:
            return "Unverified loss data"
        more_w = one.loss_w - best.loss_w
        if more_w > EQUAL_LOSS * best.loss_w:
            return f"{show(more_w, 'active_power')} more loss"
        if one.machines > best.machines:
            return f"{one.machines - best.machines:,} more machines"
        more_w = one.installed_w - best.installed_w
        return f"{show(more_w, 'active_power')} more installed" if more_w > 0.0 else "Equal figures"

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


_TITLES = {"power chain": "power chain with UPS, transformers and rack voltage"}
_WHY: Column[ChoiceRow] = Column("why_not", "Why not", 40, style="cell")
_COMPARED = ("chosen", "candidate", "loss", "installed", "machines", "cost")


def candidate_table(choice: Selection[object], system: System) -> TextTable:
    """Return the candidates of one choice with the figures that decide, the chosen one first.

    Without the figures that no candidate has, with the reason against each other candidate.
    """
    rows = list(choice_rows([choice]))
    columns = [column for column in CHOICES.columns if column.key in _COMPARED]
    shown = [one for one in columns if any(one.value(row) not in (None, "") for row in rows)]
    table = SheetTable(f"Candidates, {_TITLES.get(choice.subject, choice.subject)}", (*shown, _WHY))
    return table.text(rows, system, f"{choice.criterion}.", "")


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
