"""Where a check is seen: its discipline, and the page of its study."""

from __future__ import annotations

from typing import NamedTuple

from facility.ui.checks.known import Known


class Place(NamedTuple):
    """A discipline, and the page of the app that shows the study."""

    discipline: str
    title: str  # Of the page
    file: str  # In the folder `views`


_POWER = Place("Electrical", "Power", "power/network")
_COOLING = Place("Mechanical", "Cooling", "cooling/heat_rejection")
_RACKS = Place("IT", "Quick design", "start/quick_design")
_SITE = Place("Site and record", "Assumptions", "record/assumptions")
_OF_STUDY = {
    "distribution": _POWER,
    "outages": _POWER,
    "air": _COOLING,
    "hydraulics": _COOLING,
    "liquid": _COOLING,
    "plant": _COOLING,
    "ride-through": Place("Mechanical", "Ride-through", "cooling/ride_through"),
    "load": Place("Electrical", "Job load", "power/load_motion"),
    "year": Place("Energy", "Year", "year/hours"),
}
_PANELS = Place("Electrical", "Panels", "power/panels")
_RECORD = ("SITE-", "MEMORY-DEFAULT", "WAIVER-", "ENERGY-BALANCE")


def places(now: Known) -> dict[str, Place]:
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
