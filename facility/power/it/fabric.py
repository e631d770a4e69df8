"""Switch counts of a fat-tree or rail-optimised compute fabric.

Equal links: every switch of a tier has the same number of links to each switch of the upper tier,
so the upper count is the smallest divisor of the uplinks with enough ports. This rule yields the
switch counts of the reference architectures, including 16 spines for 24 leaves.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.power.rules import RULES

_MAX_PORTS = 1024
"""Port count of the largest switch with split ports."""

Topology = Literal["fat-tree", "rail-optimised"]


@dataclass(frozen=True)
class Fabric:
    """Switches of a fabric by tier, total of all planes."""

    topology: Topology  # `fat-tree` or `rail-optimised`
    tiers: int  # 1 (one switch), 2 (leaf and spine) or 3 (with core)
    # Switches of each tier.
    leaf: int
    spine: int
    core: int
    down: int  # Leaf ports to the endpoints
    up: int  # Leaf ports to the spine
    why: str  # The rule as text

    @property
    def switches(self) -> int:
        """Switches in all tiers."""
        return self.leaf + self.spine + self.core


def leaf_ports(radix: int, oversubscription: float) -> tuple[int, int]:
    """Return the (down, up) ports of a leaf: down/up is at most `oversubscription`.

    Raises ``FABRIC_PORTS`` if the radix is odd or below 4, or the oversubscription leaves no
    port.
    """
    if radix < 4 or radix % 2:
        raise FacilityError(
            "FABRIC_PORTS",
            "it.network.radix",
            f"{radix} ports; a fabric needs an even number.",
            "Enter the port count of one switch, e.g. 64.",
        )
    if oversubscription < 1.0:
        raise FacilityError(
            "FABRIC_PORTS",
            "it.network.oversubscription",
            f"{oversubscription:g} is below 1 (non-blocking).",
            "Enter the ratio of downlink to uplink bandwidth at the leaf, e.g. 1 or 2.",
        )
    down = math.floor(radix * oversubscription / (1.0 + oversubscription) + 1e-9)
    if down >= radix:
        raise FacilityError(
            "FABRIC_PORTS",
            "it.network.oversubscription",
            f"{oversubscription:g} leaves no uplink on {radix} ports.",
            f"Enter at most {radix - 1}.",
        )
    return down, radix - down


def largest_fabric(radix: int, oversubscription: float, tiers: int) -> int:
    """Return the maximum endpoints of `tiers` tiers of switches with `radix` ports.

    A non-blocking two-tier tree supports radix^2/2 endpoints, a three-tier tree radix^3/4.
    """
    down, _ = leaf_ports(radix, oversubscription)
    leaves = {1: 1, 2: radix, 3: radix * (radix // 2)}[tiers]
    return radix if tiers == 1 else leaves * down


def design_fabric(
    topology: Topology,
    nodes: int,
    rails: int,
    radix: int,
    oversubscription: float = 1.0,
    planes: int = 1,
) -> Fabric:
    """Return the switches of a fabric with ``nodes x rails`` endpoints per plane.

    topology: ``fat-tree``: endpoints fill the leaves in any order. ``rail-optimised``: port i of
        every node of a group is connected to the same leaf: a rail is one hop wide.
    nodes: Servers (or compute trays).
    rails: Fabric ports of one node in one plane.
    radix: Ports of one switch.
    oversubscription: Leaf downlink / uplink bandwidth; 1 is non-blocking.
    planes: Separate identical fabrics, each with one port of every endpoint.

    Raises ``FABRIC_PORTS``, or ``FABRIC_TOO_LARGE`` if three tiers are not sufficient.
    """
    down, up = leaf_ports(radix, oversubscription)
    endpoints = nodes * rails
    if endpoints <= radix:
        why = f"{endpoints} endpoints fit on one switch of {radix} ports"
        return Fabric(topology, 1, planes, 0, 0, radix, 0, why)
    leaf = _leaves(topology, nodes, rails, down)
    if leaf <= radix:
        spine = _equal_links(math.ceil(leaf * up / radix), up)
        why = f"two tiers: {leaf} leaves of {down} ports down and {up} up, {spine} spines"
        return Fabric(topology, 2, leaf * planes, spine * planes, 0, down, up, why)
    half = radix // 2
    pods = math.ceil(leaf / half)
    if pods > radix:
        raise FacilityError(
            "FABRIC_TOO_LARGE",
            "it.network.radix",
            f"{endpoints} endpoints need {leaf} leaves; three tiers of {radix}-port switches carry "
            f"{largest_fabric(radix, oversubscription, 3)} endpoints.",
            _remedy(topology, nodes, rails, oversubscription),
        )
    spine = pods * up
    core = up * _equal_links(math.ceil(pods / 2), half)
    why = (
        f"three tiers: {leaf} leaves of {down} ports down and {up} up in {pods} pods, "
        f"{spine} spines, {core} cores"
    )
    return Fabric(topology, 3, leaf * planes, spine * planes, core * planes, down, up, why)


def _remedy(topology: Topology, nodes: int, rails: int, oversubscription: float) -> str:
    """Return the remedy for a fabric above three tiers: the minimum sufficient even radix."""
    for radix in range(4, _MAX_PORTS + 1, 2):
        down = leaf_ports(radix, oversubscription)[0]
        if _leaves(topology, nodes, rails, down) <= radix * (radix // 2):
            return (
                f"Use switches with {radix} ports (it.network.radix: {radix}; ports are split"
                " where they are faster than the adapters), or no fabric (it.network.topology:"
                " none)."
            )
    return (
        "Design the cluster in parts, or omit the fabric (it.network.topology: none); no switch"
        f" with {_MAX_PORTS} ports is sufficient."
    )


def fabric_checks(fabric: Fabric, built: Mapping[str, int | None]) -> tuple[Check, ...]:
    """Return the checks of the as-built counts, by tier (leaf, spine, core)."""
    return tuple(
        RULES["FABRIC-SWITCHES"].at_least(
            f"network {tier}",
            count,
            getattr(fabric, tier),
            "count",
            f"{count} {tier} switches as built, {getattr(fabric, tier)} needed ({fabric.why})",
        )
        for tier, count in built.items()
        if count is not None
    )


def _leaves(topology: Topology, nodes: int, rails: int, down: int) -> int:
    if topology == "fat-tree":
        return math.ceil(nodes * rails / down)
    if nodes <= down:
        return math.ceil(rails / (down // nodes))
    return rails * math.ceil(nodes / down)


def _equal_links(minimum: int, uplinks: int) -> int:
    """Return the smallest divisor of `uplinks` that is at least `minimum`."""
    return next(count for count in range(minimum, uplinks + 1) if uplinks % count == 0)
