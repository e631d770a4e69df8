"""Where a check is seen: its discipline, and the page of its study."""

from __future__ import annotations

from typing import NamedTuple

from facility.ui.checks.known import KnownChecks


class DisciplinePage(NamedTuple):
    """A discipline, and the page of the app that shows the study."""

    discipline: str
    title: str  # Of the page
    file: str  # In the folder `views`


_POWER = DisciplinePage("Electrical", "Power", "power/network")
_COOLING = DisciplinePage("Mechanical", "Cooling", "cooling/heat_rejection")
_RACKS = DisciplinePage("IT", "Inputs", "start/inputs")
_SITE = DisciplinePage("Site and record", "Assumptions", "record/assumptions")
_OF_STUDY = {
    "distribution": _POWER,
    "outages": _POWER,
    "air": _COOLING,
    "hydraulics": _COOLING,
    "liquid": _COOLING,
    "plant": _COOLING,
    "ride-through": DisciplinePage("Mechanical", "Ride-through", "cooling/ride_through"),
    "load": DisciplinePage("Electrical", "Job load", "power/load_motion"),
    "year": DisciplinePage("Energy", "Year", "year/hours"),
}
_PANELS = DisciplinePage("Electrical", "Panels", "power/panels")
_RECORD = ("SITE-", "MEMORY-DEFAULT", "WAIVER-", "ENERGY-BALANCE")


def places(now: KnownChecks) -> dict[str, DisciplinePage]:
    """Return where each rule of the checks that are known is seen."""
    design = now.design
    parts = (
        (_RACKS, design.it.checks),
        (_PANELS, design.panels.checks),
        (_COOLING, (*design.cooling.checks, *design.cooling_flow.checks)),
        *((_OF_STUDY[name], checks) for name, checks in now.found.items()),
    )
    known = {check.rule: place for place, checks in reversed(parts) for check in checks}
    rules = {check.rule for check in now.checks}
    return {r: _SITE if r.startswith(_RECORD) else known.get(r, _POWER) for r in rules}
