"""Isolation: hand-worked cases, every tag of three projects, and where the list stops.

The tables of `cases.csv` were reasoned by hand from the one-line diagram, each with its reasoning:
order of the devices, load dropped, load that has no redundant feed left.
"""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from facility.core.errors import FacilityError
from facility.power.network.flow.compile import compile_network
from facility.power.network.flow.solve import solve
from facility.power.network.graph.types import Equipment, Network, Outage
from facility.power.network.outages.lost import opens_bypasses
from facility.power.network.outages.opened import known_parts
from facility.report.studies.lists.isolation import IsolationReport
from facility.study.design.design import Design
from facility.study.isolation.study import Isolation, isolation, isolations
from tests.study.helpers import SHORTEST, design_of

PROJECTS = {
    "pdu-2n": """\
schema_version: 1
site: {station: ashburn, utility_voltage: 13.8 kV, fault_level: 350 MVA, x_over_r: 12}
it: {gpu_model: H100 SXM5, gpus: 128, server: DGX H100, servers_per_rack: 2, feeds: [A, B]}
power:
  redundancy: 2N
  distribution: {voltage: 480 V, rack_system: 208Y/120, pdu_transformer: 300 kVA}
cooling: {method: air}
""",
    "single": """\
schema_version: 1
it: {gpu_model: H100 SXM5, gpus: 128, servers_per_rack: 2}
power: {redundancy: N+1, transformer: {redundancy: N+1}}
cooling: {method: air, plant: {heat_rejection: tower}}
""",
    "block": """\
schema_version: 1
site: {country: DE, design_dry_bulb: 32 degC, design_wet_bulb: 21 degC}
it: {gpu_model: H100 SXM5, gpus: 256, servers_per_rack: 2}
power: {redundancy: block-redundant}
cooling: {method: air}
""",
}
ROWS = (Path(__file__).parent / "cases.csv").read_text(encoding="utf-8").splitlines()
CASES = tuple(csv.DictReader(ROWS))
US = [
    "check",
    "hold",
    "shut down",
    "transfer",
    "open",
    "verify",
    "discharge",
    "lock",
    "test",
    "ground",
]
IEC = [
    "check",
    "hold",
    "shut down",
    "transfer",
    "open",
    "discharge",
    "lock",
    "test",
    "ground",
    "adjacent",
]


def designed(project: str) -> Design:
    return design_of(PROJECTS[project])


@lru_cache(3)
def every(project: str) -> tuple[Isolation, ...]:
    return isolations(designed(project))


def switching(found: Isolation) -> str:
    """Return the devices of transfers and openings, in order."""
    words = []
    for step in found.steps:
        if step.phase in ("transfer", "open"):
            verb = "open " if step.phase == "open" else ""
            verb = "start " if step.action.startswith("Start ") else verb
            words.append(verb + " ".join(step.devices))
    return "; ".join(words)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['project']} {case['tag']}")
def test_hand_worked_isolations(case: dict[str, str]) -> None:
    found = next(one for one in every(case["project"]) if one.tag == case["tag"])
    assert found.dead
    assert not found.stopped
    assert switching(found) == case["switching"]
    assert " ".join(found.members) == case["dead"]
    assert len(found.end.racks) == int(case["dropped"])
    assert found.end.dropped_w / 1e3 == pytest.approx(float(case["dropped_kw"]))
    assert found.end.not_redundant_w / 1e3 == pytest.approx(float(case["not_redundant_kw"]))


@pytest.mark.parametrize("project", PROJECTS)
def test_every_tag_ends_dead_and_serves_all_that_it_does_not_name(project: str) -> None:
    """The final state is solved again from the devices, without the study."""
    network = designed(project).distribution.plan.network
    compiled, parts, found = compile_network(network), known_parts(network), every(project)
    ends = [one.steps[-1].effect for one in found]
    outages = [Outage(one.tag, tuple(_out(network, one))) for one in found]
    flow = solve(compiled, opens_bypasses(network)(outages))
    tags = [load.tag for load in network.loads]
    for state, (one, end) in enumerate(zip(found, ends, strict=True)):
        if one.stopped:
            continue
        assert one.dead, one.tag
        assert parts.keys() | {one.tag} >= set(one.opened), one.tag
        if one.kind in ("mechanical board", "cooling unit"):
            continue
        named = {tag for tag, _ in (*end.racks, *end.others)}
        on_bypass = any("maintenance bypass" in step.action for step in one.steps)
        if not on_bypass:
            dropped = {tags[n] for n in np.flatnonzero(flow.dropped_w[:, state] > 0.0)}
            assert dropped == named, one.tag
        for tag in one.members:
            if tag in network.index:
                assert not flow.live[network.index[tag], state], one.tag


def _out(network: Network, one: Isolation) -> set[str]:
    """Return what the steps of an isolation take out: circuits, and units of equipment."""
    if one.kind in ("mechanical board", "cooling unit"):
        return set()
    units = {e.tag: e.unit_tags for e in network.equipment}
    sources = ("ups", "static-bypass", "maintenance-bypass", "utility", "generator-plant")
    unit = one.members[0] not in units and any(one.members[0] in u for u in units.values())
    out = {one.members[0]} if unit else set(one.opened)
    for step in () if unit else one.steps:
        if step.phase in ("open", "transfer") and not step.action.startswith("Start "):
            out.update(tag for tag in step.devices if _is(network, tag, sources))
    out |= {tag for tag in one.members if _is(network, tag, sources)}
    out -= {tag for tag in out if tag not in units and tag in {ld.tag for ld in network.loads}}
    return {u for tag in out for u in units.get(tag, (tag,))}


def _is(network: Network, tag: str, kinds: tuple[str, ...]) -> bool:
    return tag in network.index and network[tag].kind in kinds


@pytest.mark.parametrize(("project", "order"), [("pdu-2n", US), ("block", IEC)])
def test_phases_follow_the_order_of_the_code(project: str, order: list[str]) -> None:
    for one in every(project):
        if one.stopped:
            continue
        seen = list(dict.fromkeys(step.phase for step in one.steps))
        assert seen == [phase for phase in order if phase in seen], one.tag
        assert seen[-1] == order[-1]
        assert len(seen) >= len(order) - 3


def test_restoring_goes_back_through_the_same_states() -> None:
    found = next(one for one in every("pdu-2n") if one.tag == "LVB-A")
    dropped = [step.effect.dropped_w for step in found.restoring]
    assert dropped[0] == found.end.dropped_w
    assert dropped[-1] == 0.0
    assert [step.phase for step in found.restoring][-2:] == ["start", "check"]
    closed = [step.devices for step in found.restoring if step.phase == "close"]
    opened = [step.devices for step in found.steps if step.phase == "open"]
    assert closed == opened[::-1]


def without_rating(design: Design, circuit: str) -> Design:
    """Return the design with one circuit of its network without a rating."""
    found = design.distribution
    network = found.plan.network

    def unrated(one: Equipment) -> Equipment:
        links = (replace(k, rating_a=None) if k.circuit == circuit else k for k in one.links)
        return replace(one, links=tuple(links))

    changed = Network(tuple(map(unrated, network.equipment)), network.loads)
    copied = replace(design)
    plan = replace(found.plan, network=changed)
    vars(copied)["distribution"] = replace(found, plan=plan)
    return copied


def test_the_list_stops_where_a_transfer_is_not_evaluated() -> None:
    """The generator supply of ATS-A has no rating: whether it carries side A is undecided."""
    design = without_rating(designed("pdu-2n"), "GPB>ATS-A")
    found, other = isolations(design, ["TX-A", "TX-B"])
    assert found.stopped.startswith("step 3: NOT_EVALUATED: GPB>ATS-A has no rating")
    assert "would decide it" in found.stopped
    assert [step.phase for step in found.steps] == ["check", "transfer", "transfer"]
    assert not found.dead
    assert not found.restoring
    assert not found.points
    assert other.dead
    assert not other.stopped


def test_hazards_and_points_of_a_ups_on_its_maintenance_bypass() -> None:
    design = designed("single")
    found = next(one for one in every("single") if one.tag == "UPS-1")
    topics = {(one.topic, one.at) for one in found.hazards}
    assert {("Back-feed", "UPO-1"), ("Stored energy", "UPS-1"), ("Neutral", "UPS-1")} <= topics
    assert {point.tag for point in found.points} >= {"UPS-1", "LVB-1>UPS-1", "MBP-1"}
    assert found.end.unprotected_w == pytest.approx(190_580.0)
    assert "UPS-1 DC link and battery terminals (DC)" in found.tests
    report = IsolationReport(design, found)
    assert json.dumps(report.lists())
    assert all(len(row) == 10 for row in report.csv_rows())


@pytest.mark.parametrize(
    ("tag", "words"),
    [
        ("LVB-1", r"cooling load .* time limit with the IT load on: .* after \d+ s \(ride-through"),
        ("TX-1", r"generators carry .* fuel at the design load [\d.]+ h, battery autonomy .* \d"),
    ],
)
def test_a_hold_names_its_time_limit(tag: str, words: str) -> None:
    found = isolation(design_of(SHORTEST), tag)
    holds = [step.action for step in found.steps if step.phase == "hold"]
    assert len(holds) == 1
    assert re.search(words, holds[0]), holds


def test_an_unknown_tag_is_rejected_with_near_matches() -> None:
    with pytest.raises(FacilityError) as error:
        isolation(designed("pdu-2n"), "TX-C")
    assert error.value.code == "NETWORK_TAG"
    assert "TX-A" in error.value.hint
