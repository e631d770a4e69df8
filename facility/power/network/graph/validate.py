"""Validation of a network: no loops, no islands, matching voltages."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
from numpy.typing import NDArray

from facility.core.errors import FacilityError, unknown
from facility.power.network.graph.types import SOURCES, Equipment, Link, Load, Network

_SAME_VOLTAGE = 1e-6
_BALANCE = 1e-9
_STEPS_DOWN = ("transformer", "pdu")


def check_network(network: Network) -> None:
    """Reject a network that cannot be solved, with the component.

    Raises ``NETWORK_DUPLICATE`` for a tag used twice (units and circuits included),
    ``NETWORK_SOURCE`` for no source or a supplied source, ``NETWORK_ISLAND`` for equipment or a
    load without a path to a source, ``NETWORK_VOLTAGE`` for a link between different nominal
    voltages, ``NETWORK_VALUE`` for a value out of range.
    """
    _check_tags(network)
    _check_sources(network)
    for one in network.equipment:
        _check_equipment(network, one)
    for load in network.loads:
        _check_load(network, load)


def levels(network: Network) -> list[int]:
    """Return for each equipment the number of steps of its longest path from a source.

    Raises ``NETWORK_LOOP`` if equipment supplies itself.
    """
    below: list[list[int]] = [[] for _ in network.equipment]
    waiting = []
    for row, one in enumerate(network.equipment):
        waiting.append(len(one.links))
        for link in one.links:
            below[network.index[link.source]].append(row)
    level = [0] * len(network.equipment)
    ready = [row for row, count in enumerate(waiting) if count == 0]
    for row in ready:
        for child in below[row]:
            level[child] = max(level[child], level[row] + 1)
            waiting[child] -= 1
            if waiting[child] == 0:
                ready.append(child)
    if len(ready) < len(network.equipment):
        ring = _ring(network, {row for row, count in enumerate(waiting) if count})
        raise FacilityError(
            "NETWORK_LOOP",
            ring[0],
            f"the equipment supplies itself: {' <- '.join([*ring, ring[0]])}.",
            "Power flows one way: connect a tie to the incomer of the adjacent board, not its"
            " busbar.",
        )
    return level


def _ring(network: Network, rows: set[int]) -> list[str]:
    """Return the tags of one loop among equipment that each have a source among them."""
    path: list[int] = [min(rows)]
    while True:
        sources = (network.index[link.source] for link in network.equipment[path[-1]].links)
        back = next(row for row in sources if row in rows)
        if back in path:
            return [network.equipment[row].tag for row in path[path.index(back) :]]
        path.append(back)


def _check_tags(network: Network) -> None:
    tags: list[str] = [load.tag for load in network.loads]
    for one in network.equipment:
        tags.append(one.tag)
        if one.unit_tags != (one.tag,):
            # A unit may have the tag of its equipment, but no two units the same tag.
            tags.extend(unit for unit in dict.fromkeys(one.unit_tags) if unit != one.tag)
            tags.extend(unit for unit, count in Counter(one.unit_tags).items() if count > 1)
    tags.extend(link.circuit for _, link in network.links if link.circuit)
    twice = [tag for tag, count in Counter(tags).items() if count > 1]
    if twice:
        raise FacilityError(
            "NETWORK_DUPLICATE",
            twice[0],
            "the tag is used twice.",
            "Use a unique tag for each piece of equipment, unit, circuit and load.",
        )


def _check_sources(network: Network) -> None:
    sources = [one for one in network.equipment if one.kind in SOURCES]
    if not sources:
        raise FacilityError(
            "NETWORK_SOURCE", "", "the network has no source.", "Add a utility or a plant."
        )
    for one in sources:
        if one.links:
            raise FacilityError(
                "NETWORK_SOURCE",
                one.tag,
                f"a {one.kind} is supplied by {one.links[0].source}.",
                "Remove its links: a source has none.",
            )


def _check_equipment(network: Network, one: Equipment) -> None:
    if one.kind not in SOURCES and not one.links:
        raise FacilityError(
            "NETWORK_ISLAND", one.tag, "the equipment has no supply.", "Add a link."
        )
    for value in (one.voltage_v, one.rating_va, one.rating_w, one.rating_a):
        if value is not None and not 0.0 < value < math.inf:
            _bad_value(one.tag, "voltage and ratings must be greater than zero")
    if not (0.0 <= one.resistance_ohm < math.inf and 0.0 <= one.no_load_w < math.inf):
        _bad_value(one.tag, "resistance and no-load loss must not be negative")
    if one.no_load_w and (one.kind in SOURCES or one.converter is not None):
        _bad_value(one.tag, f"a {one.kind} cannot have a no-load loss")
    if one.converter is not None and one.rating_w is None:
        _bad_value(one.tag, "a converter requires its active rating, the base of its losses")
    for link in one.links:
        source = _source(network, one.tag, link)
        if not _voltage_fits(source, one):
            raise FacilityError(
                "NETWORK_VOLTAGE",
                one.tag,
                f"{link.source} supplies {source.voltage_v:g} V; {one.kind} {one.tag} is rated "
                f"{one.voltage_v:g} V.",
                "Correct the voltages: only transformers, PDUs and UPS change the voltage, and "
                "transformers and PDUs only step down.",
            )


def _voltage_fits(source: Equipment, one: Equipment) -> bool:
    ratio = source.voltage_v / one.voltage_v
    if one.converter is not None:
        return True
    if one.kind == "transformer" and source.kind == "generator-plant":
        return True
    if one.kind in _STEPS_DOWN:
        return ratio >= 1.0 - _SAME_VOLTAGE
    return abs(ratio - 1.0) <= _SAME_VOLTAGE


def _check_load(network: Network, load: Load) -> None:
    kind = load.kind
    if not load.cords or len(load.cords) != kind.cords:
        raise FacilityError(
            "NETWORK_ISLAND",
            load.tag,
            f"the load has {len(load.cords)} cords; its type {kind.name!r} has {kind.cords}.",
            "Connect every cord.",
        )
    for cord in load.cords:
        _source(network, load.tag, cord.link)
        if sorted(cord.phases) != [0, 1, 2]:
            _bad_value(load.tag, f"phases {cord.phases} of a cord must be an order of 0, 1 and 2")
    if network.balanced and not _is_balanced(kind.neutral_va, kind.pair_va):
        _bad_value(load.tag, f"load type {kind.name!r} is unbalanced in a balanced network")


def _is_balanced(*tables: NDArray[np.complex128]) -> bool:
    return all(np.allclose(table, table[..., :1], rtol=_BALANCE, atol=_BALANCE) for table in tables)


def _source(network: Network, tag: str, link: Link) -> Equipment:
    if link.source not in network.index:
        raise unknown(
            "NETWORK_ISLAND",
            tag,
            f"its source {link.source!r} is not in the network.",
            link.source,
            network.index,
        )
    rating = link.rating_a
    if not 0.0 <= link.resistance_ohm < math.inf or not (rating is None or 0.0 < rating < math.inf):
        _bad_value(link.circuit or tag, "resistance must not be negative, a rating not zero")
    return network[link.source]


def _bad_value(tag: str, message: str) -> None:
    raise FacilityError("NETWORK_VALUE", tag, f"{message}.", "Correct the value.")
