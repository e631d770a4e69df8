"""Switching as an operator reads it: texts of every tag of three projects, carried out on a board.

The board of this file knows only tags, links and the words of the steps, not the study's positions.
"""

from __future__ import annotations

import re
from functools import lru_cache

import pytest

from facility.power.network.graph.types import Network
from facility.study.design.design import Design
from facility.study.isolation.study import Isolation, IsolationStep, isolation, isolations
from tests.study.helpers import design_of
from tests.study.isolation.test_isolation import PROJECTS, designed, every

MEDIUM_VOLTAGE = """\
schema_version: 1
site: {station: dallas, utility_voltage: 13.8 kV}
criteria: {redundancy_goal: 2N}
it: {gpu_model: GB200 NVL72, gpus: 2304}
power: {distribution: {rack_system: 415Y/240}}
"""
"""Generators on the medium-voltage switchgear, which transfers: GEN>MVS-A is normally open."""
TAGS = ("UTIL", "GEN", "GEN-1", "MVS-A", "TX-A1", "UPS-A1", "UPO-A1", "MBP-A1", "LVB-A1")
SWITCHES = ("ats", "sts")
CLOSING = re.compile(r"(?:^Close|, close) (?:maintenance bypass )?([^\s,;:)]+)")
OPENING = re.compile(r"(?:^Open|[(:] ?open) (?:maintenance bypass )?([^\s,;:)]+)")


class Board:
    """Open devices, mode of each source, and position of each transfer switch."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.kind = {e.tag: e.kind for e in network.equipment}
        self.open = {t for t, kind in self.kind.items() if kind == "maintenance-bypass"}
        self.running = {t for t, kind in self.kind.items() if kind in ("utility", "ups")}
        self.on_bypass: set[str] = set()
        self.position = {e.tag: e.links[0].source for e in network.equipment if e.links}
        for one in network.equipment:
            if one.kind in ("mv-switchgear", "lv-board"):
                self.open |= {link.circuit for link in one.links[1:] if link.circuit}

    def state(self) -> tuple[frozenset[str], ...]:
        positions = frozenset(f"{t} {s}" for t, s in self.position.items())
        return frozenset(self.open), frozenset(self.running), frozenset(self.on_bypass), positions

    def carry_out(self, step: IsolationStep) -> None:
        other_units = " module " in step.action or "other units" in step.action
        if step.phase not in ("transfer", "open", "close", "return") or other_units:
            return
        text = step.action.rstrip(".")
        words = text.split()
        first = step.devices[0] if step.devices else ""
        if "branch circuits" in text:
            (self.open.update if text[0] == "O" else self.open.difference_update)(step.devices)
        elif text.startswith("Check that") and "start the inverter" not in text:
            assert first in self.open, text
        elif text.startswith("Start ") and step.phase in ("transfer", "return"):
            self.running.add(words[1].rstrip(":"))
        elif text.startswith("Stop "):
            self.running.discard(words[1])
        elif "to static bypass" in text:
            self.running.discard(first)
            self.on_bypass.add(first)
        elif "start the inverter" in text:
            self.running.add(first)
            self.on_bypass.discard(first)
        elif "clearance" in text:
            (self.running.add if text.startswith("Return") else self.running.discard)(first)
        elif text.startswith("Transfer ") and self.kind.get(first) in SWITCHES:
            self.position[first] = words[words.index("to") + 1]
        elif "battery breaker" not in text and "run " not in text:
            self.open.update(OPENING.findall(text) if "output device" not in text else ())
            self.open.difference_update(
                CLOSING.findall(text) if "output device" not in text else ()
            )
            if "output device" in text:
                (self.open.add if text[0] == "O" else self.open.discard)(first)

    def sources(self) -> dict[str, set[str]]:
        """Return the running sources connected to each equipment, through closed devices."""
        edges: dict[str, set[str]] = {}
        static = {e.tag for e in self.network.equipment if e.kind == "static-bypass"}
        bypassing = {t for t in static if t.replace("SBP", "UPS") in self.on_bypass}
        for one in self.network.equipment:
            for link in one.links:
                kind = self.kind[link.source]
                own = kind in ("ups", "static-bypass", "maintenance-bypass")
                broken = link.circuit in self.open or (own and link.source in self.open)
                broken |= kind == "static-bypass" and link.source not in bypassing
                broken |= one.kind in SWITCHES and self.position[one.tag] != link.source
                if not broken:
                    start = f"{link.source}:out" if kind == "ups" else link.source
                    edges.setdefault(start, set()).add(one.tag)
                    edges.setdefault(one.tag, set()).add(start)
        found: dict[str, set[str]] = {}
        for source in self.running:
            pending = {f"{source}:out" if self.kind[source] == "ups" else source}
            seen: set[str] = set()
            while pending:
                tag = pending.pop()
                seen.add(tag)
                found.setdefault(tag, set()).add(source)
                pending |= edges.get(tag, set()) - seen
        return found


@lru_cache(1)
def medium() -> tuple[Design, tuple[Isolation, ...]]:
    design = design_of(MEDIUM_VOLTAGE)
    return design, isolations(design, TAGS)


def lists(project: str) -> list[Isolation]:
    if project == "medium":
        return list(medium()[1])
    racks = ("load", "rack-pdu", "rpp", "mechanical board", "cooling unit")
    return [one for one in every(project) if not one.stopped and one.kind not in racks]


@pytest.mark.parametrize("project", [*PROJECTS, "medium"])
def test_no_step_joins_two_sources_and_restoring_ends_in_the_starting_state(project: str) -> None:
    design = medium()[0] if project == "medium" else designed(project)
    network = design.distribution.plan.network
    for one in lists(project):
        board = Board(network)
        start = board.state()
        for step in (*one.steps, *one.restoring):
            board.carry_out(step)
            for tag, sources in board.sources().items():
                assert len(sources) < 2, (one.tag, step.action, tag, sources)
        assert board.state() == start, one.tag


@pytest.mark.parametrize("project", [*PROJECTS, "medium"])
def test_every_opened_device_is_locked_and_every_ground_is_tested(project: str) -> None:
    for one in medium()[1] if project == "medium" else every(project):
        points = {point.tag for point in one.points}
        if one.stopped:
            assert not points, one.tag
            assert not one.restoring
            assert all(step.phase not in ("open", "lock", "ground") for step in one.steps)
            continue
        if one.kind not in ("cooling unit", "mechanical board"):
            assert set(one.opened) <= points, one.tag
        text = next(step.action for step in one.steps if step.phase == "ground")
        if " all phases at: " in text:
            for place in text.partition(" all phases at: ")[2].rstrip(".").split("; "):
                assert any(test.startswith(f"{place} (") for test in one.tests), (one.tag, place)
                assert place.split()[0] in {*one.members}, (one.tag, place)


@pytest.mark.parametrize("project", PROJECTS)
def test_load_is_shut_down_before_the_first_switching_step(project: str) -> None:
    for one in every(project):
        if one.end.racks:
            phases = [step.phase for step in one.steps]
            assert phases.index("shut down") < min(phases.index(p) for p in ("open",))
        for step in one.steps:
            if step.phase in ("transfer", "open"):
                assert "DROPS" not in step.result, (one.tag, step.action)


def test_restoring_of_a_ups_on_its_maintenance_bypass() -> None:
    """Input, rectifier and battery, static bypass, bypass to static bypass, inverter."""
    found = next(one for one in every("single") if one.tag == "UPS-1")
    order = [step.action.split(",")[0].split(":")[0].split(";")[0] for step in found.restoring][1:]
    assert order == [
        "Close LVB-1>UPS-1.",
        "Start the rectifier of UPS-1",
        "Close LVB-1>SBP-1.",
        "Close the output device of SBP-1",
        "Close the output device of UPS-1",
        "Open maintenance bypass MBP-1 after the static bypass of UPS-1 carries its load.",
        "Check that MBP-1 is open",
        "Check the normal state",
    ]


@pytest.mark.parametrize(
    ("tag", "grounds", "locks"),
    [
        ("UTIL", "UTIL service terminals", "UTIL>MVS-A UTIL>MVS-B MVS-A MVS-B UTIL"),
        ("GEN", "GEN generator terminals", "GEN>MVS-A GEN>MVS-B GEN MVS-A MVS-B"),
        ("GEN-1", "GEN-1 generator terminals", "GEN-1 GEN-1"),
        (
            "TX-A1",
            "TX-A1 incoming terminals; TX-A1 secondary terminals",
            "TX-A1>LVB-A1 MVS-A>TX-A1 UPS-A1",
        ),
    ],
)
def test_grounds_and_locks_at_medium_voltage(tag: str, grounds: str, locks: str) -> None:
    """From the one-line diagram: only own terminals, every device opened, every control blocked."""
    found = next(one for one in medium()[1] if one.tag == tag)
    text = next(step.action for step in found.steps if step.phase == "ground")
    assert text == f"Ground all phases at: {grounds}."
    assert " ".join(point.tag for point in found.points) == locks
    assert found.end.generator_w == pytest.approx(4_759e3 if tag == "UTIL" else 0.0, rel=1e-3)


def test_a_cooling_unit_on_several_boards_is_not_isolated() -> None:
    found = isolation(medium()[0], "CH-1")
    assert found.stopped.startswith("step 2: NOT_EVALUATED: CH is on MECH-1, MECH-2, MECH-3")
    assert not found.points
