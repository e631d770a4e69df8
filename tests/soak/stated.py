"""Violations that come from what a project states: no value of an open field removes them.

Each entry says when the rule may fail, from the project as typed and the check alone. A rule that
is not listed may not fail on a valid project.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from facility.core.check import Check

Tree = dict[str, Any]

_ALIVE = re.compile(r"\d+ of (\d+) supplies alive, (\d+) needed")
_SIDES = {"2N": 2, "2(N+1)": 2, "3N/2": 3, "4N/3": 4, "5N/4": 5, "6N/5": 6, "block-redundant": 3}


def _supplies_outnumber_the_sides(check: Check, tree: Tree) -> bool:
    """Return whether the scheme has fewer sides than the supplies of the server need.

    The fewest supplies that a lost feed can take with it are all over the sides, rounded up.
    """
    sides = _SIDES.get(tree["power"]["redundancy"])
    found = _ALIVE.search(check.why)
    if sides is None or found is None or "(power.redundancy)" not in check.why:
        return False
    count, needed = int(found[1]), int(found[2])
    return needed > count - -(-count // sides)


def _rack_system_stated(check: Check, tree: Tree) -> bool:
    return "rack_system" in tree["power"].get("distribution", {})


def _raised_floor_stated(check: Check, tree: Tree) -> bool:
    return tree["cooling"].get("air", {}).get("supply") == "raised-floor"


def _racks_stated(check: Check, tree: Tree) -> bool:
    return "halls" in tree["it"] or "servers_per_rack" in tree["it"]


_COOLER_AIR = re.compile(r"coolers of ([\d.]+) .*drawing up to ([\d.]+) ")


def _air_of_stated_racks(check: Check, tree: Tree) -> bool:
    """Return whether two coolers beside a stated rack move less than its servers and leaks take."""
    found = _COOLER_AIR.search(check.why)
    most = 2.0 * float(found[1]) / 1.05 if found is not None else float("inf")
    return found is not None and _racks_stated(check, tree) and float(found[2]) > most


def _racks_beyond_their_door(check: Check, tree: Tree) -> bool:
    """Return whether stated racks breathe what a stated door leaves of their heat."""
    door = "door" in tree["cooling"].get("air", {}).get("terminal", "")
    return door and _racks_stated(check, tree) and "cooling.air.terminal" in check.why


def _source_and_class_stated(check: Check, tree: Tree) -> bool:
    source = tree["cooling"].get("facility_water", {}).get("source")
    return source is not None and "liquid_class" in tree["criteria"]


def no_spare_set(component: str, tree: Tree) -> bool:
    """Return whether a generator is loaded above its rating for want of a spare set, as stated."""
    stated = tree["power"].get("generator", {}).get("redundancy")
    return component.startswith("GEN") and stated == "N"


def _no_spare_set(check: Check, tree: Tree) -> bool:
    return no_spare_set(check.subject, tree) and "and GEN" in check.why


_SHUT_DOORS = re.compile(r"racks of up to ([\d.]+) kW with doors rated ([\d.]+) kW")
_NO_SPARE_PUMP = re.compile(r"no spare pump \(cooling\.(cdu|plant)(\.chiller)?\.redundancy\)")


def _unit_or_buffer_stated(check: Check, tree: Tree) -> bool:
    """Return whether what is stated forbids what would ride through: spares, UPS, tanks."""
    cooling = tree["cooling"]
    spares = {
        "one chiller fails": cooling.get("plant", {}).get("chiller", {}),
        "one CDU": cooling.get("cdu", {}),
        "facility-water header section": cooling.get("cdu", {}),
        "chilled-water header section": cooling.get("crah", {}),
        "loss of utility, one generator set out": tree["power"].get("generator", {}),
    }
    if (found := _NO_SPARE_PUMP.search(check.why)) is not None:
        section = cooling.get(found[1], {})
        return bool((section.get("chiller", {}) if found[2] else section).get("redundancy") == "N")
    doors = _SHUT_DOORS.search(check.why)
    if doors is not None and float(doors[1]) > float(doors[2]):
        return _racks_beyond_their_door(check, tree)
    for start, section in spares.items():
        if check.subject.startswith(start):
            return bool(section.get("redundancy") == "N")
    if "for any practical buffer" in check.why:
        lost = check.subject.startswith(("loss of ", "one of the facility-water pumps"))
        return lost and "source" in cooling.get("facility_water", {})
    tanks = {"chilled_water_tank", "facility_water_tank"}
    return "on_ups" in cooling or bool(tanks & cooling.get("thermal", {}).keys())


ASKED: dict[str, Callable[[Check, Tree], bool]] = {
    "OVERLOAD-IN-STATE": _no_spare_set,
    "PSU-REDUNDANCY": _supplies_outnumber_the_sides,
    "SUPPLY-VOLTAGE": _rack_system_stated,
    "AIR-TILES": _raised_floor_stated,
    "AIR-PER-RACK": _racks_stated,
    "COOLERS-PER-RACK": _air_of_stated_racks,
    "DOOR-AIRFLOW": _racks_stated,
    "INLET-EQUIPMENT": _racks_beyond_their_door,
    "FWS-TEMPERATURE": _source_and_class_stated,
    "RIDE-THROUGH": _unit_or_buffer_stated,
    "FWS-SUPPLY": _source_and_class_stated,
    "ANNUAL-LIMIT": _source_and_class_stated,
}
"""Rule -> whether the stated fields of the project explain that it fails."""


def of_stated_fields(check: Check, tree: Tree) -> bool:
    """Return whether `check` fails for what the project states."""
    explains = ASKED.get(check.rule)
    return explains is not None and explains(check, tree)
