"""Disciplines of checks, and the views that show their studies."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from facility.core.check import Check
from facility.ui.addresses import Place
from facility.ui.work.known import KnownChecks


class DisciplinePage(NamedTuple):
    """A discipline, and the view that shows its study."""

    discipline: str
    title: str  # Of the view
    place: Place
    view: str


_POWER = DisciplinePage("Electrical", "One-line", "design", "one-line")
_COOLING = DisciplinePage("Mechanical", "Cooling loops", "design", "cooling")
_RACKS = DisciplinePage("IT", "Inputs", "design", "inputs")
_SITE = DisciplinePage("Site and record", "Assumptions", "checks", "assumptions")
_OF_STUDY = {
    "distribution": _POWER,
    "outages": _POWER,
    "air": _COOLING,
    "hydraulics": _COOLING,
    "liquid": _COOLING,
    "plant": _COOLING,
    "ride-through": DisciplinePage("Mechanical", "Ride-through", "studies", "ride-through"),
    "load": DisciplinePage("Electrical", "Job load", "studies", "job-load"),
    "year": DisciplinePage("Energy", "Year", "studies", "year"),
}
_PANELS = DisciplinePage("Electrical", "Panels", "design", "panels")
_RECORD = ("SITE-", "MEMORY-DEFAULT", "WAIVER-", "OVERRIDE-", "ENERGY-BALANCE")
_OF_HEAT = ("METHOD-LIQUID", "INLET-EQUIPMENT-COLD")
"""Rules of the whole design that belong to mechanical engineering; the others are electrical."""


PageOf = Callable[[Check], DisciplinePage]
"""The page that shows a check."""


def pages_of(now: KnownChecks) -> PageOf:
    """Return the page of each known check; one rule can belong to several disciplines."""
    design = now.design
    parts = (
        (_RACKS, design.it.checks),
        (_PANELS, design.panels.checks),
        (_COOLING, (*design.cooling.checks, *design.cooling_flow.checks)),
        *((_OF_STUDY[name], checks) for name, checks in now.found.items()),
    )
    known = {
        (check.rule, subject): page
        for page, checks in reversed(parts)
        for check in checks
        for subject in (check.subject, *check.alike)
    }

    def page_of(check: Check) -> DisciplinePage:
        if check.rule.startswith(_RECORD):
            return _SITE
        if check.rule in _OF_HEAT:
            return _COOLING
        return known.get((check.rule, check.subject), _POWER)

    return page_of
