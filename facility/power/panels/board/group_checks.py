"""Checks of circuits that are said to stand together, or apart, in one panelboard."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from facility.core.check import Check, Rule, Severity
from facility.core.sources import PROJECT
from facility.power.panels.board.constraints import broken_groups, groups
from facility.power.panels.board.model import Panel

_RULE = Rule(
    "PANEL-GROUP",
    "Circuits stand together, or apart, as stated",
    Severity.WARNING,
    PROJECT,
    "Balance the panel (facility balance PROJECT --panel TAG --apply), or correct positions or"
    " groups.",
)
_KINDS: tuple[Literal["together", "apart"], ...] = ("together", "apart")


def group_checks(panels: Iterable[Panel]) -> Iterator[Check]:
    """Yield a check for each group of circuits that a panel is stated to hold.

    panels: Panels with their circuits placed.
    """
    for panel in panels:
        named = [(kind, name) for kind in _KINDS for name in groups(panel.circuits, kind)]
        broken = {(one.kind, one.group): one.text for one in broken_groups(panel)} if named else {}
        for kind, name in named:
            text = broken.get((kind, name), "")
            yield _RULE.verdict(
                f"{panel.tag}, {kind} {name}", not text, text or "they stand as stated"
            )
