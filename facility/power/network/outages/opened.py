"""Manually opened breakers and isolated equipment, in addition to an outage.

An opened part is a circuit, a unit, or a piece of equipment with all its units. One opened part
alone is equivalent to the loss of that part in the failure study.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from facility.core.errors import FacilityError, unknown
from facility.power.network.graph.types import Network, Outage
from facility.power.network.outages.cases import Case
from facility.power.network.outages.lost import StateKind, bypasses, opens_bypasses

MAX_OPENED = 60
_NAMED = 2
_KINDS: dict[StateKind, StateKind] = {"normal": "loss", "maintenance": "loss-during-maintenance"}


def known_parts(network: Network) -> dict[str, tuple[str, ...]]:
    """Return everything that can be opened: its name to the tags taken out with it."""
    found: dict[str, tuple[str, ...]] = {link.circuit: (link.circuit,) for _, link in network.links}
    found |= {unit: (unit,) for one in network.equipment for unit in one.unit_tags}
    found |= {one.tag: one.unit_tags for one in network.equipment}
    found.pop("", None)
    return found


def openable(
    network: Network, base: Case, opened: Sequence[str]
) -> tuple[tuple[str, ...], tuple[FacilityError, ...]]:
    """Return which of `opened` can be opened in the state `base`, and errors for the others.

    ``NETWORK_TAG`` is a tag outside the network; ``CANNOT_OPEN`` a part already out or open in the
    state, or more parts than can be opened at once.
    """
    if not opened:
        return (), ()
    parts = known_parts(network)
    out, shut = set(base.outage.out), _shut(network, base.outage)
    accepted: list[str] = []
    refused = []
    for tag in dict.fromkeys(opened):
        why = _refusal(tag, parts, base, out, shut)
        if why is None:
            accepted.append(tag)
        else:
            refused.append(why)
    if len(accepted) > MAX_OPENED:
        refused.append(
            FacilityError(
                "CANNOT_OPEN",
                "open",
                f"{len(accepted)} parts are opened at once; the maximum is {MAX_OPENED}.",
                "Close some parts, or choose the loss of their supply.",
            )
        )
    return tuple(accepted[:MAX_OPENED]), tuple(refused)


def opened_case(network: Network, base: Case, opened: Sequence[str]) -> Case:
    """Return the outage `base` with everything in `opened` out of service in addition.

    base: State in which the parts are opened.
    opened: Circuits, units or equipment by tag.

    Raises the first error of `openable`.
    """
    if not opened:
        return base
    tags, refused = openable(network, base, opened)
    if refused:
        raise refused[0]
    parts = known_parts(network)
    lost = tuple(dict.fromkeys(unit for tag in tags for unit in parts[tag]))
    outage = Outage(
        _name(base, tags), lost=(*base.outage.lost, *lost), maintained=base.outage.maintained
    )
    kind = _KINDS.get(base.kind, base.kind)
    return Case(outage, kind, tags[0], _kind(network, tags[0]), 1, tags[:1])


def _name(base: Case, opened: Sequence[str]) -> str:
    """Return the name of the state; as in the failure study if one part is open."""
    if base.kind == "normal" and len(opened) == 1:
        return f"loss of {opened[0]}"
    named = ", ".join(opened[:_NAMED])
    more = len(opened) - _NAMED
    words = f"{named} and {more} more" if more > 0 else named
    return f"{words} out" if base.kind == "normal" else f"{base.outage.id}, {words} out"


def _kind(network: Network, tag: str) -> str:
    for one in network.equipment:
        if tag == one.tag or tag in one.unit_tags:
            return one.kind
    return "circuit"


def _shut(network: Network, outage: Outage) -> dict[str, str]:
    """Return the elements de-energized by an open maintenance bypass, by tag, with the bypass."""
    (whole,) = opens_bypasses(network)([outage])
    found: dict[str, str] = {}
    for tag in bypasses(network):
        if not set(network[tag].unit_tags) <= set(whole.maintained):
            continue
        found |= dict.fromkeys(_around(network, tag), tag)
    return found


def _around(network: Network, bypass: str) -> Iterator[str]:
    """Yield a bypass, its units, and the circuits to it and downstream of it."""
    yield from (bypass, *network[bypass].unit_tags)
    yield from (link.circuit for link in network[bypass].links if link.circuit)
    for target, link in network.links:
        if link.source == bypass and link.circuit and target != bypass:
            yield link.circuit


def _refusal(
    tag: str,
    parts: Mapping[str, tuple[str, ...]],
    base: Case,
    out: set[str],
    shut: Mapping[str, str],
) -> FacilityError | None:
    """Return why a part cannot be opened; None if it can."""
    if tag not in parts:
        return unknown("NETWORK_TAG", "open", f"{tag[:80]!r} is not in the network.", tag, parts)
    if out.issuperset(parts[tag]):
        return FacilityError(
            "CANNOT_OPEN",
            "open",
            f"{tag} is already out of service in the state {base.outage.id!r}.",
            "Choose the normal state, or open another part.",
        )
    if tag in shut:
        return FacilityError(
            "CANNOT_OPEN",
            "open",
            f"{shut[tag]} is open: a maintenance bypass is closed by hand while its UPS or static"
            f" bypass is out of service; opening {tag} has no effect.",
            "Choose the maintenance state of that UPS, which closes the bypass.",
        )
    return None
