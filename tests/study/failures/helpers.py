"""Networks and studies for the tests of failures."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from facility.model.power.electrical import ReliabilityBasis
from facility.power.network.graph.types import Cord, Equipment, Link, Load, LoadKind, Network
from facility.power.network.outages.states import OutageState
from facility.study.failures.study import FailureBasis, FailureStudy, network_failures
from tests.power.network.schemes import SchemeOptions, scheme_network, sharing_kind

HOUR = 3600.0
KINDS = (
    "utility",
    "generator-plant",
    "mv-switchgear",
    "transformer",
    "ats",
    "lv-board",
    "ups",
    "static-bypass",
    "ups-output",
    "sts",
    "pdu",
    "panel",
    "rack-pdu",
    "circuit",
)
TEST_TIMES = ReliabilityBasis(dict.fromkeys(KINDS, (1e5 * HOUR, 10.0 * HOUR)))
"""One pair of times for every kind: made up, to exercise the sums."""


@cache
def scheme_study(
    name: str, load_w: float = 900e3, depth: int = 1, grouped: bool = True, racks: int = 24
) -> FailureStudy:
    """Return the study of a generated network."""
    network = scheme_network(name, load_w, SchemeOptions(racks=racks))
    return network_failures(network, FailureBasis(scheme=name), depth, grouped)


def state(study: FailureStudy, id: str) -> OutageState:
    """Return the state of that outage."""
    return next(s for s in study.states if s.case.outage.id == id)


def board(tag: str, *sources: str, units: int = 1, circuits: bool = False) -> Equipment:
    """Return a board fed from `sources`, first choice first."""
    links = tuple(Link(s, f"{s}>{tag}" if circuits else "") for s in sources)
    names = tuple(f"{tag}-{n + 1}" for n in range(units)) if units > 1 else ()
    return Equipment(tag, "lv-board", 480.0, links, names)


def source(tag: str) -> Equipment:
    """Return a utility service at the voltage of the boards."""
    return Equipment(tag, "utility", 480.0)


def kind(cords: int, needed: int = 1, power_w: float = 1e3) -> LoadKind:
    """Return a load that shares its power over the live cords and stops below `needed` of them."""
    found = sharing_kind("rack", power_w, cords)
    if needed == 1:
        return found
    few = np.array([bin(n).count("1") < needed for n in range(2**cords)])
    neutral = np.where(few[:, None, None], 0.0, found.neutral_va)
    return LoadKind("rack", neutral, found.pair_va, np.where(few, power_w, 0.0), few)


def load(tag: str, *sources: str, needed: int = 1) -> Load:
    """Return a load with one cord on each of `sources`."""
    return Load(tag, kind(len(sources), needed), tuple(Cord(Link(s)) for s in sources))


def network(*equipment: Equipment, loads: tuple[Load, ...]) -> Network:
    """Return a balanced network."""
    return Network(equipment, loads, balanced=True)


def with_modules(net: Network, units: int, rating_va: float) -> Network:
    """Return `net` with `units` modules of that rating in each of its UPS."""
    return Network(
        tuple(
            replace(
                e,
                units=tuple(f"{e.tag}-{n + 1}" for n in range(units)) if units > 1 else (),
                rating_va=rating_va,
                rating_w=rating_va,
            )
            if e.kind == "ups"
            else e
            for e in net.equipment
        ),
        net.loads,
        net.balanced,
    )


def lossless(net: Network) -> Network:
    """Return `net` without impedances and no-load losses, and without kVA limits."""

    def bare(link: Link) -> Link:
        return replace(link, resistance_ohm=0.0, reactance_ohm=0.0)

    return Network(
        tuple(
            replace(
                e,
                resistance_ohm=0.0,
                reactance_ohm=0.0,
                no_load_w=0.0,
                rating_va=None,
                links=tuple(bare(link) for link in e.links),
            )
            for e in net.equipment
        ),
        tuple(
            replace(one, cords=tuple(replace(c, link=bare(c.link)) for c in one.cords))
            for one in net.loads
        ),
        net.balanced,
    )
