"""Networks of pipes and headers: a published Hardy Cross example, fluids with SciPy, and laws."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass, replace
from pathlib import Path

import fluids
import numpy as np
import pytest
from scipy.optimize import root

from facility.cooling.hydraulics.headers import (
    coolant_header_loss,
    flow_without_a_pump,
    header_loss,
)
from facility.cooling.loops.loop import LoopRow
from facility.core.kinds import FloatArray
from facility.model.cooling.units import HydraulicsPlan
from facility.physics.liquids.network import NetworkLinks, network_flows
from tests.study.helpers import reference

WATER = 998.2, 1.002e-3
INFLOW = {"A": 0.08, "D": -0.04, "G": -0.02, "H": -0.02}
_TABLE = Path(__file__).parent.parent / "data/pipe_networks.csv"
ROWS = list(csv.DictReader(_TABLE.read_text(encoding="utf-8").splitlines()))


def links_of(start: list[int], end: list[int], pipes: int, **stated: FloatArray) -> NetworkLinks:
    usual = {
        "resistance": np.zeros(pipes), "length_m": np.zeros(pipes),
        "diameter_m": np.full(pipes, 0.1), "roughness_m": np.full(pipes, 45e-6),
        "lift_pa": np.zeros(pipes), "max_m3_s": np.full(pipes, np.inf),
    }  # fmt: skip
    one_way = stated.pop("one_way", np.zeros(pipes)).astype(bool)
    return NetworkLinks(np.array(start), np.array(end), **(usual | stated), one_way=one_way)


LOOPS = ((1, 2, 3, 4, 5), (-4, 6, 7, 8), (-3, 9, 10, -6))
"""Pipes around each loop, those against the direction of the table negative."""
AROUND = np.array([[(n in loop) - (-n in loop) for loop in LOOPS] for n in range(1, 11)], float)
FIRST = np.array([0.04, 0.04, 0.02, -0.02, -0.04, 0.0, 0.0, -0.02, 0.02, 0.0])
"""Flows that the source starts from; they balance at every node."""


@dataclass(frozen=True)
class Published:
    """The published network: its pipes by the table, its loops solved here without the package."""

    rows: list[dict[str, str]]

    def column(self, name: str) -> FloatArray:
        return np.array([float(row[name]) for row in self.rows])

    @property
    def resistance(self) -> FloatArray:
        """Of a fixed friction factor: 8 f L rho / (pi2 D5)."""
        each = self.column("friction") * self.column("length_m") / self.column("diameter_m") ** 5
        return 8.0 * each * WATER[0] / math.pi**2

    def drops(self, flows: FloatArray) -> FloatArray:
        if self.rows[0]["friction"]:
            return self.resistance * flows * np.abs(flows)
        sizes = zip(self.column("length_m"), self.column("diameter_m"), strict=True)
        pipes = zip(flows, sizes, self.column("roughness_m"), strict=True)
        return np.array([by_fluids(q, *size, rough) if q else 0.0 for q, size, rough in pipes])

    def hardy_cross(self, iterations: int) -> FloatArray:
        """Return the flows after so many iterations, all loops corrected at once."""
        flows = FIRST.copy()
        for _ in range(iterations):
            drops = self.drops(flows)
            slope = np.abs(drops / np.where(flows == 0.0, math.inf, flows))
            flows -= AROUND @ ((AROUND.T @ drops) / (2.0 * np.abs(AROUND.T) @ slope))
        return flows

    def exact(self) -> FloatArray:
        """Return the flows at which the drops around every loop are zero, by SciPy."""

        def left_kpa(corrections: FloatArray) -> FloatArray:
            return AROUND.T @ self.drops(FIRST + AROUND @ corrections) / 1e3

        return FIRST + AROUND @ root(left_kpa, [1e-3] * 3, tol=1e-12).x


@pytest.mark.parametrize("network", ["fixed", "colebrook"])
def test_published_hardy_cross_example(network: str) -> None:
    """Ten pipes in three loops: the exact flows, and those published after three iterations.

    The published table differs from the exact flows by up to 0.23 L/s: its three iterations have
    not converged. They are repeated here, and agree with it to its own rounding.
    """
    found = Published([row for row in ROWS if row["network"] == network])
    after_three = found.hardy_cross(3)
    off = np.abs(after_three - found.column("flow_m3_s"))
    assert (off <= found.column("tolerance_m3_s")).all()
    exact = found.exact()
    assert np.abs(found.hardy_cross(100) - exact).max() < 1e-9
    assert 1.5e-4 < np.abs(exact - after_three).max() < 2.5e-4
    stated = {"diameter_m": found.column("diameter_m")}
    if network == "fixed":
        stated["resistance"] = found.resistance
    else:
        stated |= {name: found.column(name) for name in ("length_m", "roughness_m")}
    names = "ABCDEFGH"
    start, end = ([names.index(row[at]) for row in found.rows] for at in ("start", "end"))
    inflow = np.array([INFLOW.get(name, 0.0) for name in names])
    flows = network_flows(links_of(start, end, 10, **stated), len(names), *WATER, inflow)
    assert flows == pytest.approx(exact, abs=1e-6)


def by_fluids(flow_m3_s: float, length_m: float, diameter_m: float, roughness_m: float) -> float:
    """Return the drop of a pipe by the formulas of the library fluids."""
    speed = flow_m3_s / (math.pi / 4.0 * diameter_m**2)
    reynolds = fluids.Reynolds(V=abs(speed), D=diameter_m, rho=WATER[0], mu=WATER[1])
    friction = fluids.friction_factor(reynolds, roughness_m / diameter_m, Method="Colebrook")
    drop = fluids.dP_from_K(fluids.K_from_f(friction, length_m, diameter_m), WATER[0], speed)
    return math.copysign(float(drop), flow_m3_s)


def test_pump_with_two_branches_against_fluids_and_scipy() -> None:
    """A pump of falling curve feeds two branches by pipes; SciPy solves the loops with fluids."""
    length, wide, rough = (40.0, 60.0, 90.0), (0.15, 0.1, 0.1), 45e-6
    lift, curve, coil = 180e3, 4e7, (3e8, 2e8)

    def loops(flows: FloatArray) -> list[float]:
        first, second = flows
        pump = lift - curve * (first + second) ** 2
        pump -= by_fluids(first + second, length[0], wide[0], rough)
        return [
            pump - by_fluids(q, length[n], wide[n], rough) - coil[n - 1] * q * q
            for n, q in ((1, first), (2, second))
        ]

    exact = root(loops, [0.01, 0.01], tol=1e-12).x
    links = links_of(
        [0, 1, 2, 2, 3, 4], [1, 2, 3, 4, 0, 0], 6,
        lift_pa=np.array([lift, 0, 0, 0, 0, 0.0]),
        resistance=np.array([curve, 0, 0, 0, *coil]),
        length_m=np.array([0.0, *length, 0.0, 0.0]),
        diameter_m=np.array([0.1, *wide, 0.1, 0.1]),
    )  # fmt: skip
    found = network_flows(links, 5, *WATER)
    assert found[[2, 3]] == pytest.approx(exact, rel=1e-5)
    assert found[0] == pytest.approx(exact.sum(), rel=1e-5)


def test_idle_pump_passes_nothing_back_through_its_check_valve() -> None:
    """One pump of 100 kPa beside one that stands still; without the valve the flow returns."""
    lift, resistance = np.array([100e3, 0.0, 0.0]), np.array([1e7, 1e7, 4e7])
    for valve, back in ((1.0, False), (0.0, True)):
        links = links_of(
            [0, 0, 1], [1, 1, 0], 3, lift_pa=lift, resistance=resistance,
            one_way=np.array([1.0, valve, 0.0]),
        )  # fmt: skip
        flow = network_flows(links, 2, *WATER)
        assert (flow[1] < -1e-4) == back
        if not back:  # The curve of the pump and the branch in series
            assert flow[2] == pytest.approx(math.sqrt(100e3 / 5e7), rel=1e-3)


@pytest.mark.parametrize(("pumps", "shutoff"), [(2, 1.2), (3, 1.2), (5, 1.0), (2, 1.5)])
def test_pumps_left_run_along_their_curve_against_a_network(pumps: int, shutoff: float) -> None:
    """Equal pumps with check valves feed one loop of 100 kPa at 0.1 m3/s; the last one stops."""
    head, flow = 100e3, 0.1
    curve = (shutoff - 1.0) * head / (flow / pumps) ** 2
    loop = head / flow**2
    for stopped in (0, 1):
        lift = [shutoff * head] * (pumps - stopped) + [0.0] * stopped + [0.0]
        links = links_of(
            [0] * pumps + [1], [1] * pumps + [0], pumps + 1, lift_pa=np.array(lift),
            resistance=np.array([max(curve, 1e3)] * pumps + [loop]),
            one_way=np.array([1.0] * pumps + [0.0]),
        )  # fmt: skip
        found = network_flows(links, 2, *WATER)[-1]
        wanted = flow_without_a_pump(pumps, shutoff) if stopped else 1.0
        assert found / flow == pytest.approx(wanted, rel=2e-3)
    assert flow_without_a_pump(1, shutoff) == 0.0


def test_control_valve_holds_the_flow_of_its_unit() -> None:
    links = links_of(
        [0, 1], [1, 0], 2, lift_pa=np.array([400e3, 0.0]), resistance=np.array([1e6, 4e7]),
        max_m3_s=np.array([np.inf, 0.05]),
    )  # fmt: skip
    assert network_flows(links, 2, *WATER)[1] == pytest.approx(0.05, rel=0.02)


def loop_of(*sets: str) -> tuple[LoopRow, HydraulicsPlan]:
    design = reference("dgx-su-32", *sets)
    row = design.cooling.chilled.loop
    assert row is not None
    return row, design.cooling.chain.hydraulics


def test_ring_feeds_every_unit_that_is_left_and_a_single_header_none() -> None:
    row, plan = loop_of()
    assert plan.header == "ring"
    ring = header_loss(row, plan, 1)
    assert (ring.left, ring.isolated, ring.sections) == (1.0, 1, row.stretches[-1].places)
    assert ring.min_unit_flow > 1.0
    flat = header_loss(row, replace(plan, pump_shutoff=1.0), 1)
    steep = header_loss(row, replace(plan, pump_shutoff=1.5), 1)
    # Ring flow exceeds design flow.
    assert flat.min_unit_flow > ring.min_unit_flow > steep.min_unit_flow
    dual = header_loss(row, replace(plan, header="dual"), 0)
    assert (dual.left, dual.isolated) == (1.0, 0)
    single = header_loss(row, replace(plan, header="single"), 0)
    assert (single.left, single.section) == (0.0, 1)
    bare = header_loss(row, replace(plan, header="single", header_valves=False), 0)
    assert (bare.left, bare.isolated) == (0.0, row.stretches[-1].places)


def test_ring_without_spare_units_leaves_the_flow_of_the_others() -> None:
    """All units are on duty: each of the others takes its design flow, and no more."""
    row, plan = loop_of()
    branch = row.stretches[-1]
    full = replace(branch, flow_m3_s=row.flow_m3_s / branch.places)
    row = replace(row, stretches=(*row.stretches[:-1], full))
    found = header_loss(row, plan, 1)
    # The branches were sized for fewer units: with less flow each they have head to spare.
    assert found.left == pytest.approx(1.0 - 1.0 / branch.places, rel=0.01)


def test_a_section_with_a_rear_door_leaves_the_flow_of_the_other_units() -> None:
    """20 doors, two units of the halls and two of the electrical rooms, one of each a spare.

    22 take the design flow. With one door shut off its water is of no use to the spares: 21 / 22.
    """
    row, plan = loop_of()
    branch = row.stretches[-1]
    units = replace(branch, places=24, flow_m3_s=row.flow_m3_s / 22.0)
    row = replace(row, stretches=(*row.stretches[:-1], units))
    assert header_loss(row, plan, 1).left == 1.0
    assert header_loss(row, plan, 1, doors=20).left == pytest.approx(21.0 / 22.0)


def test_secondary_pumps_feed_the_headers_with_their_own_head() -> None:
    """Without the plant and its drop: other flows above the design's, at half of the head below."""
    row, plan = loop_of()
    at_plant_pa = sum(p.drop_pa for p in row.parts if p.name in ("chiller, evaporator", "strainer"))
    row = replace(row, head_given_pa=row.head_pa)
    whole = header_loss(row, plan, 1)
    own = header_loss(row, plan, 1, head_pa=row.head_pa - at_plant_pa)
    assert own.left == whole.left == 1.0
    assert own.min_unit_flow > whole.min_unit_flow > 1.0
    weak = header_loss(row, plan, 1, head_pa=0.5 * (row.head_pa - at_plant_pa))
    # Drops grow with the square: 0.5 (1.2 - 0.2 f2) = f2 gives 0.74; two routes of a ring, more.
    assert math.sqrt(0.6 / 1.1) < weak.left < 0.9


def test_ring_of_narrow_pipe_against_a_path_by_path_solution() -> None:
    """A header far too narrow, one of two feeds shut: the flow of two branches by fluids, SciPy.

    Three sections, fed at the first and the second. The first is shut: the feed at the second
    serves the unit there, and the third over one joint.
    """
    row, plan = loop_of()
    branch, main = row.stretches[-1], row.main
    size = replace(main.size, inside_m=0.6 * main.size.inside_m)
    narrow = replace(main, size=size)
    whole = replace(branch, places=3, flow_m3_s=row.flow_m3_s / 2.0)
    row = replace(row, stretches=(narrow, whole), head_given_pa=row.head_pa)
    found = header_loss(row, plan, 1)
    water = row.liquid.density_kg_m3, row.liquid.viscosity_pa_s
    q, of_branch, of_main = row.flow_m3_s, row.flows[-1], row.flows[0]
    at_unit = of_branch.straight_pa + of_branch.fittings_pa
    at_unit += sum(p.drop_pa for p in row.parts if p.name in ("cooling coil", "control valve"))
    at_plant = sum(p.drop_pa for p in row.parts) - at_unit
    at_plant += of_branch.straight_pa + of_branch.fittings_pa
    header_m = min(plan.header_m, plan.plant_route_m)
    riser_m, joint_m = plan.plant_route_m - header_m, 2.0 * header_m / 3.0

    def pipe(flow: float, length_m: float) -> float:
        speed = flow / (math.pi / 4.0 * size.inside_m**2)
        reynolds = fluids.Reynolds(V=speed, D=size.inside_m, rho=water[0], mu=water[1])
        friction = fluids.friction_factor(reynolds, narrow.roughness_m / size.inside_m)
        return friction * length_m / size.inside_m * water[0] * speed**2 / 2.0

    def loops(flows: FloatArray) -> list[float]:
        near, far = flows
        whole = near + far
        head = 1.2 * row.pump_head_pa - 0.2 * row.pump_head_pa * (whole / q) ** 2
        head -= at_plant * (whole / q) ** 2 + of_main.fittings_pa * (whole / q) ** 2
        head -= max(row.pump_head_pa - row.head_pa, 0.0) * (whole / q) ** 2
        head -= 2.0 * pipe(whole, riser_m)
        unit = at_unit / (q / 2.0) ** 2
        return [head - unit * near**2, head - unit * far**2 - 2.0 * pipe(far, joint_m)]

    exact = root(loops, [0.4 * q, 0.3 * q]).x
    assert exact.max() < q / 2.0  # No control valve limits it
    assert found.left == pytest.approx(exact.sum() / q, rel=1e-6)


def coolant_loop() -> tuple[LoopRow, HydraulicsPlan]:
    study = reference("nvl72-hall").ride_through.study
    assert study is not None
    assert study.plant.coolant is not None
    return study.plant.coolant, study.plant.design.chain.hydraulics


def test_coolant_header_loses_its_racks_unless_two_pairs_feed_them() -> None:
    """One row of eight racks: a single header loses all of them, a ring one, two pairs none."""
    row, plan = coolant_loop()
    assert [stretch.places for stretch in row.stretches] == [1, 8]
    single, ring, dual = (
        coolant_header_loss(row, replace(plan, tcs_header=header))
        for header in ("single", "ring", "dual")
    )
    assert single is not None
    assert (single.isolated, single.left, single.unit) == (8, 0.0, "racks")
    assert ring is not None
    assert (ring.isolated, ring.left) == (1, pytest.approx(7.0 / 8.0))
    assert 1.0 <= ring.min_unit_flow < 1.01
    assert dual is not None
    assert (dual.isolated, dual.left) == (0, 1.0)
    # Of two rows a single header fed at its end loses one, and both behind a header across them.
    along, hoses = row.stretches
    two = replace(row, stretches=(replace(along, places=2), hoses))
    lost = coolant_header_loss(two, replace(plan, tcs_header="single"))
    assert lost is not None
    assert (lost.isolated, lost.left) == (4, 0.5)
    across = replace(row, stretches=(along, replace(along, places=2), hoses))
    lost = coolant_header_loss(across, replace(plan, tcs_header="single"))
    assert lost is not None
    assert lost.isolated == 8
    assert coolant_header_loss(replace(row, stretches=(hoses,)), plan) is None


def test_narrow_coolant_ring_against_a_path_by_path_solution() -> None:
    """Three racks, fed at the first and the second section; the first is shut: fluids and SciPy."""
    row, plan = coolant_loop()
    along, hoses = row.stretches
    narrow = replace(along, size=replace(along.size, inside_m=0.5 * along.size.inside_m))
    each_m3_s = row.flow_m3_s / 3.0
    row = replace(
        row,
        stretches=(narrow, replace(hoses, places=3, flow_m3_s=each_m3_s)),
        head_given_pa=row.head_pa,
    )
    found = coolant_header_loss(row, replace(plan, tcs_header="ring"))
    assert found is not None
    fluid = row.liquid.density_kg_m3, row.liquid.viscosity_pa_s
    q, bore_m = row.flow_m3_s / narrow.pipes, narrow.size.inside_m
    header, hose = row.flows
    at_rack = hose.straight_pa + hose.fittings_pa + sum(part.drop_pa for part in row.parts)

    def pipe(flow: float, length_m: float) -> float:
        speed = flow / (math.pi / 4.0 * bore_m**2)
        reynolds = fluids.Reynolds(V=speed, D=bore_m, rho=fluid[0], mu=fluid[1])
        friction = fluids.friction_factor(reynolds, narrow.roughness_m / bore_m)
        return friction * length_m / bore_m * fluid[0] * speed**2 / 2.0

    def loops(flows: FloatArray) -> list[float]:
        near, far = flows
        whole = near + far
        head = 1.2 * row.pump_head_pa - 0.2 * row.pump_head_pa * (whole / q) ** 2
        head -= header.fittings_pa * (whole / q) ** 2 + 2.0 * pipe(whole, 1.0)
        rack = at_rack / (q / 3.0) ** 2
        joint = 2.0 * pipe(far, narrow.length_m / 3.0)
        return [head - rack * near**2, head - rack * far**2 - joint]

    exact = root(loops, [0.3 * q, 0.25 * q]).x
    assert exact.max() < q / 3.0  # No control valve limits it
    assert found.min_unit_flow == pytest.approx(exact.min() / (q / 3.0), rel=0.005)
    assert found.left == pytest.approx(exact.sum() / q, rel=0.005)
