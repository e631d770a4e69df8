"""Outage cases to solve, each representing all equivalent ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from facility.power.network.graph.types import Network, Outage
from facility.power.network.outages.grouping import Grouping
from facility.power.network.outages.lost import (
    Part,
    StateKind,
    losses,
    maintenance,
    pairs,
    utility_outages,
)


@dataclass(frozen=True, slots=True)
class Case:
    """Outage case to solve."""

    outage: Outage  # What is out of service
    kind: StateKind  # Type of outage
    # Failed component or, without a failure, maintained component; empty in the normal state.
    component: str = ""
    component_kind: str = ""  # Kind of that component
    size: int = 1  # Number of outages represented, itself included
    # Components represented, itself first; only itself for two simultaneous outages.
    alike: tuple[str, ...] = ()


def cases(
    network: Network, depth: int = 1, *, grouped: bool = True, grouping: Grouping | None = None
) -> Iterator[Case]:
    """Yield the outages of a study.

    depth: 1: single losses, single maintenance outages, loss of utility; 2: also every loss during
        every maintenance of the power train down to the panels.
    grouped: Whether one outage represents all equivalent ones.
    grouping: Grouping of the network, if known.
    """
    grouping = (grouping or Grouping(network)) if grouped else None
    yield Case(Outage("normal"), "normal")
    lost, services = losses(network), [e for e in network.equipment if e.kind == "utility"]
    single = sum(len(e.unit_tags) for e in services) == 1
    alone = [part for part in lost if not (single and part.kind == "utility")]
    for part, members in _singles(grouping, alone):
        yield _case(Outage(f"loss of {part.name}", lost=part.tags), "loss", part, members)
    for part, members in _singles(grouping, maintenance(network)):
        outage = Outage(f"maintenance of {part.name}", maintained=part.tags)
        yield _case(outage, "maintenance", part, members)
    yield from _utility(network, grouping)
    if depth > 1:
        train = maintenance(network, down_to_panels=True)
        yield from _pairs(grouping, train, losses(network, down_to_panels=True))


def _case(outage: Outage, kind: StateKind, part: Part, members: Sequence[Part]) -> Case:
    names = tuple(other.name for other in members)
    return Case(outage, kind, part.name, part.kind, len(members), names)


def _singles(
    grouping: Grouping | None, parts: Sequence[Part], marked: Part | None = None
) -> Iterator[tuple[Part, Sequence[Part]]]:
    if grouping is None:
        yield from ((part, (part,)) for part in parts)
    else:
        yield from ((group[0], group) for group in grouping.groups(parts, marked))


def _utility(network: Network, grouping: Grouping | None) -> Iterator[Case]:
    found = list(utility_outages(network))
    outage_of = {part.name: outage for outage, part in found if part is not None}
    for outage, part in found:
        if part is None:
            name = outage.lost[0] if len(outage.lost) == 1 else "utility"
            yield Case(outage, "utility", name, "utility", 1, (name,))
    parts = [part for _, part in found if part is not None]
    for part, members in _singles(grouping, parts):
        yield _case(outage_of[part.name], "utility-generator", part, members)


def _pairs(
    grouping: Grouping | None, maintained: Sequence[Part], lost: Sequence[Part]
) -> Iterator[Case]:
    for part, same in _singles(grouping, maintained):
        outages = {other.name: outage for other, outage in pairs(part, lost)}
        left = [other for other in lost if other.name in outages]
        for other, members in _singles(grouping, left, part):
            yield Case(
                outages[other.name],
                "loss-during-maintenance",
                other.name,
                other.kind,
                len(same) * len(members),
                (other.name,),
            )
