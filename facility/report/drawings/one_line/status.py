"""Equipment status in one network state: in service, overloaded, on battery, de-energised."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

from facility.core.rounding import OVER
from facility.power.network.flow.solve import Flow
from facility.power.network.graph.types import Equipment, Network, Outage

Status = Literal["out", "dead", "overloaded", "bypass", "battery", "open", "standby", "live"]
"""Ordered from worst to best."""

STATUS_WORDS: dict[Status, str] = {
    "live": "in service",
    "standby": "ready, carries no load",
    "open": "open, or not running",
    "battery": "on battery",
    "bypass": "without UPS",
    "overloaded": "above its rating",
    "dead": "without supply",
    "out": "out of service",
}
SHORT_WORDS: dict[Status, str] = {
    "live": "",
    "standby": "standby",
    "open": "open",
    "battery": "on battery",
    "bypass": "without UPS",
    "overloaded": "OVERLOAD",
    "dead": "no supply",
    "out": "OUT",
}
_ORDER: tuple[Status, ...] = get_args(Status)
_BYPASSES = ("static-bypass", "maintenance-bypass")


def worst_of(found: Iterable[Status], *, last: bool = False) -> Status:
    """Return the worst of the statuses, or the best if `last` is set."""
    ranks = [_ORDER.index(status) for status in found]
    return _ORDER[max(ranks) if last else min(ranks)]


def states_of(network: Network, flow: Flow, state: int, outage: Outage) -> tuple[Status, ...]:
    """Return the status of every piece of equipment.

    network: The network that was solved.
    flow: Its states.
    state: Which of them.
    outage: Failed or maintained equipment. Other equipment out in the state was switched by the
    network: an open bypass, generators that have not started, a UPS transferred to bypass.
    """
    failed, out = set(outage.out), set(flow.outages[state].out)
    bare: dict[str, bool] = {}
    riding: dict[str, bool] = {}
    found: list[Status] = []
    for n, one in enumerate(network.equipment):
        taken = int(flow.taken[n, state])
        source = one.links[taken].source if one.links and taken >= 0 else ""
        carries = float(flow.output_w[n, state]) > 0.0
        bare[one.tag] = bare.get(source, False) or (one.kind in _BYPASSES and carries)
        riding[one.tag] = riding.get(source, False) or bool(flow.on_battery[n, state])
        if _is_out(one, failed):
            found.append("out")
        elif not flow.live[n, state]:
            found.append(_idle(one, out))
        elif float(flow.loading[n, state]) > OVER:
            found.append("overloaded")
        elif not carries:
            found.append("standby")
        elif bare[one.tag]:
            found.append("bypass")
        else:
            found.append("battery" if riding[one.tag] else "live")
    return tuple(found)


def _idle(one: Equipment, out: set[str]) -> Status:
    if not _is_out(one, out):
        return "dead"
    return "bypass" if one.kind == "ups" else "open"


def _is_out(one: Equipment, out: set[str]) -> bool:
    return one.tag in out or out.issuperset(one.unit_tags)
