"""States, groups and availability of a study of failures as the JSON contract has them.

Powers are in kW, loadings, voltages and parts in per cent, times in the unit of their name.
"""

from __future__ import annotations

from typing import Any

from facility.core.views import view_value
from facility.power.network.outages.availability import LoadAvailability
from facility.power.network.outages.states import State
from facility.power.network.outages.verdicts import LoadGroup


def state_object(state: State) -> dict[str, Any]:
    """Return a state as the JSON contract has it: powers in kW, loadings in %, times in s."""
    case = state.case
    return {
        "id": case.outage.id,
        "lost": list(case.outage.out),
        "maintained": list(case.outage.maintained),
        "kind": case.kind,
        "group": case.size,
        "alike": list(case.alike),
        "load_dropped": view_value(state.dropped_w, "active_power"),
        "load_interrupted": view_value(state.interrupted_w, "active_power"),
        "load_unprotected": view_value(state.unprotected_w, "active_power"),
        "other_load_dropped": view_value(state.other_dropped_w, "active_power"),
        "racks_dropped": [tag for tag, _ in state.racks],
        "load_dropped_by_rack": [
            {"id": tag, "load_dropped": view_value(power_w, "active_power")}
            for tag, power_w in state.racks
        ],
        "overloads": [_loading_object(figure) for figure in state.overloads],
        "worst_loading": _loading_object(state.worst_loading) if state.worst_loading else None,
        "lowest_voltage": None
        if state.lowest_voltage is None
        else {
            "id": state.lowest_voltage[0],
            "voltage": view_value(state.lowest_voltage[1], "fraction"),
        },
        "transfers": list(state.transfers),
        "on_battery": [
            {"id": tag, "load": view_value(power_w, "active_power")}
            for tag, power_w in state.riding
        ],
        "battery_s": state.battery_s,
        "battery_reason": state.battery_reason,
    }


def group_object(group: LoadGroup) -> dict[str, Any]:
    """Return a group of loads as the JSON contract has it."""
    worst = group.worst
    return {
        "systems": list(group.systems),
        "loads": group.loads,
        "load": view_value(group.load_w, "active_power"),
        "worst_loading": None if worst is None else _loading_object(worst[:2]),
        "state": worst[2] if worst is not None else None,
    }


def availability_object(one: LoadAvailability) -> dict[str, Any]:
    """Return the availability of a class of loads as the JSON contract has it."""
    down = one.unavailability
    return {
        "loads": list(one.loads),
        "availability": None if down is None else view_value(1.0 - down, "fraction"),
        "unavailability": down,
        "unavailability_exact": one.exact,
        "minutes_per_year": None if one.down_s is None else one.down_s / 60.0,
        "cut_sets": [list(cut) for cut in one.cuts],
        "contributors": [
            {"id": name, "part": view_value(part, "fraction")} for name, part in one.contributors
        ],
        "missing": list(one.missing),
    }


def _loading_object(figure: tuple[str, float]) -> dict[str, Any]:
    return {"id": figure[0], "loading": view_value(figure[1], "fraction")}
