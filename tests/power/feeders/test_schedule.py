"""The feeder schedule against the choice of single circuits, and against currents by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from facility.core.check import Severity
from facility.core.trace import Trace
from facility.files.project.file import apply_sets, parse_project
from facility.power.feeders.circuit_currents import sizing_outages
from facility.power.feeders.duties import UnitCurrents
from facility.power.feeders.motors.feeders import with_motors
from facility.power.feeders.mv.choice import choose_mv
from facility.power.feeders.nec.choice import choose_nec
from facility.power.feeders.schedule import Feeder, size_feeders
from facility.power.feeders.types import OCPD_GIVEN, CircuitDemand
from facility.power.network.build.facility import build_network
from facility.power.network.flow.solve import compile_network, solve
from facility.study.design.design import Design, design
from tests.study.helpers import checks_of

NVL72 = """\
schema_version: 1
site: {station: ashburn}
it: {gpu_model: B200 NVL72, gpus: 288, network: {topology: none}, storage: {count: 0}, \
management: {count: 0}}
power: {redundancy: 2N, distribution: {rack_system: 415Y/240}}
cooling: {method: hybrid}
"""
PDU = """\
schema_version: 1
site: {station: ashburn}
it: {gpu_model: H100 SXM5, gpus: 128, server: DGX H100}
power: {redundancy: 3N/2, distribution: {rack_system: 208Y/120}}
cooling: {method: air}
"""
LOSSES = "power.distribution.board_loss=0.5 %"
"""The default, stated: no conductor is larger than its load and drop ask for."""
RACK_W, SHELF_PF, RACK_CIRCUITS = 132e3, 0.98, 4
SQRT3 = math.sqrt(3.0)


@cache
def made(text: str, *sets: str) -> Design:
    return design(apply_sets(parse_project(text), sets))


PLUGS = """\
schema_version: 1
site: {{station: chicago, utility_voltage: 12.47 kV, fault_level: 300 MVA, x_over_r: 10}}
criteria: {{edition: 2017}}
it:
  halls:
    - name: Hall
      racks:
        - name: Store
          count: 24
          purpose: storage
          feeds: [A, B]
          devices: [{{model: Box, count: 4, power: 1500 W}}]
          circuits: [{{poles: 2, feed: A}}, {{poles: 2, feed: B}}]
  devices:
    - {{model: Box, category: storage, maximum_power: 1.6 kW, rack_units: 4, supplies: {{count: 2, \
needed: 1, rating: 2 kW, phases: 1, voltage_min: 200 V, voltage_max: 240 V, power_factor: {pf}}}}}
  network: {{topology: none}}
  storage: {{count: 0}}
  management: {{count: 0}}
power:
  redundancy: 2N
  distribution: {{voltage: 480 V, rack_system: 208Y/120}}
  conductors: {{branch_length: {length}, feeder_length: 200 m}}
cooling: {{method: air}}
"""
"""Racks of 6 kW on plugs between two lines."""


def of_stage(found: Design, stage: str) -> list[Feeder]:
    return [f for f in found.distribution.feeders.feeders if f.circuit.stage == stage]


def rack_pdu_loss(found: Design) -> float:
    return 1.0 + found.facility.it.rack_pdu_loss_fraction


class TestLineToLine:
    """A load between two lines turns the power factor of each line, not its own."""

    @pytest.mark.parametrize(
        ("length", "size", "drop_v", "drop"),
        [("60 m", "6", 5.59, 0.0269), ("70 m", "4", 4.13, 0.0198)],
    )
    def test_a_branch_by_hand(self, length: str, size: str, drop_v: float, drop: float) -> None:
        """2 I R of chapter 9 table 9 at unity: 28.99 A, 0.49 ohm/kft of 6 AWG in steel.

        Over 70 m that is 2 x 28.99 x 0.11253 = 6.52 V, 3.14 % of 208 V and over 3 %: the next size
        has 0.31 ohm/kft.
        """
        found = made(PLUGS.format(pf=1.0, length=length), LOSSES)
        per_kft_ohm = {"6": 0.49, "4": 0.31}[size]
        for feeder in of_stage(found, "branch"):
            assert feeder.choice is not None
            assert feeder.worst_a == pytest.approx(28.99, abs=0.005)
            assert feeder.power_factor == pytest.approx(1.0, abs=1e-9)
            assert feeder.choice.size == size
            far_m = float(length.split()[0])
            by_hand_v = 2.0 * 28.99 * per_kft_ohm * far_m / 304.8
            assert by_hand_v == pytest.approx(drop_v, abs=0.005)
            assert feeder.choice.drop_v == pytest.approx(by_hand_v, rel=2e-4)
            assert feeder.choice.drop == pytest.approx(drop, abs=5e-5)

    def test_what_is_ahead_of_unlike_pairs(self) -> None:
        """Racks that do not fill the three pairs alike: every circuit has the factor of its racks.

        The transformer of the PDU adds the reactive power of its impedance.
        """
        found = made(PLUGS.format(pf=0.9, length="20 m").replace("count: 24", "count: 5"))
        for feeder in (*of_stage(found, "branch"), *of_stage(found, "feeder")):
            assert feeder.power_factor == pytest.approx(0.9, abs=1e-9)
        for feeder in of_stage(found, "pdu"):
            assert 0.89 < feeder.power_factor <= 0.9001


class TestCurrents:
    def test_a_branch_carries_its_part_of_the_rack_with_the_other_feed_lost(self) -> None:
        found = made(NVL72)
        whole_a = RACK_W * rack_pdu_loss(found) / SHELF_PF / (SQRT3 * 415.0)
        for feeder in of_stage(found, "branch"):
            assert feeder.worst_a == pytest.approx(whole_a / RACK_CIRCUITS, rel=1e-6)
            assert feeder.normal_a == pytest.approx(whole_a / RACK_CIRCUITS / 2.0, rel=1e-3)
            assert "lost" in feeder.worst_state

    @pytest.mark.parametrize("redundancy", ["2N", "N+1"])
    def test_what_feeds_a_board_carries_the_recharge_too(self, redundancy: str) -> None:
        """Ten percent of the modules of a system, at the power factor of their rectifiers.

        Batteries recharge with all systems back. Of two systems one alone then carries twice the
        normal load, which is more.
        """
        found = made(NVL72, f"power.redundancy={redundancy}", "power.transformer.rating=1000 kVA")
        plan, panels = found.distribution.plan, found.panels
        flow = solve(compile_network(plan.network), sizing_outages(plan.network, panels))
        ups = found.chain.ups
        charge_va = 0.10 * ups.modules_per_system * ups.module.rating_w
        charge_a = charge_va / ups.module.input_power_factor / (SQRT3 * 415.0)
        for feeder in of_stage(found, "transformer"):
            row = plan.network.index[feeder.circuit.source]
            nominal = flow.current_a[row].max(axis=0) * np.nan_to_num(flow.voltage_pu[row])
            charging_a, failed_a = float(nominal[0]) + charge_a, float(nominal.max())
            # The design currents leave out what the conductors themselves lose: about 1 %.
            assert feeder.worst_a == pytest.approx(max(charging_a, failed_a), rel=0.015)
            assert feeder.worst_a > float(nominal.max())
            alone = redundancy == "2N"
            assert (failed_a > charging_a) == alone
            assert feeder.worst_state.endswith("batteries recharging") != alone
        ups_input = found.electrical.results["ups.input_current_low_line"].si
        inputs = of_stage(found, "ups-input")
        assert [f.worst_a for f in inputs] == pytest.approx([ups_input] * len(inputs))
        per_bus = ups.modules_per_system // ups.buses
        assert {f.circuit.runs for f in inputs} == {per_bus}

    def test_generators_feed_a_board_as_its_transformer_does(self) -> None:
        found = made(NVL72)
        worst = {f.circuit.target: f.worst_a for f in of_stage(found, "transformer")}
        for feeder in of_stage(found, "generator"):
            assert feeder.worst_a == pytest.approx(worst[feeder.circuit.target])

    @pytest.mark.parametrize(("redundancy", "spare"), [("2N", 0), ("N+1", 1)])
    def test_a_bypass_carries_the_rating_of_its_ups(self, redundancy: str, spare: int) -> None:
        """Around the whole system its modules but the spare; each module has a static switch."""
        found = made(NVL72, f"power.redundancy={redundancy}")
        ups = found.chain.ups
        module_a = ups.module.rating_va / (SQRT3 * 415.0)
        count = ups.modules_per_system // ups.buses
        assert count > spare
        for feeder in of_stage(found, "bypass"):
            static = feeder.circuit.target.startswith("SBP")
            assert feeder.circuit.runs == (count if static else 1)
            duty = 1 if static else count - spare
            assert feeder.worst_a == pytest.approx(duty * module_a)

    def test_a_tie_makes_the_transformer_of_the_neighbour_carry_two_boards(self) -> None:
        stated = "power.transformer.rating=300 kVA"
        tied = made(PDU, "power.distribution.ties=true", stated)
        states = {o.id for o in sizing_outages(tied.distribution.plan.network, tied.panels)}
        assert {f"transformers downstream of MVS-{s} lost" for s in "ABC"} <= states
        alone = max(f.worst_a for f in of_stage(made(PDU, stated), "transformer"))
        assert max(f.worst_a for f in of_stage(tied, "transformer")) > 1.2 * alone


class TestChoices:
    def demand(self, found: Design, feeder: Feeder) -> CircuitDemand:
        circuit = feeder.circuit
        behind_pdu = circuit.stage == "feeder" and circuit.source.startswith("PDU-")
        location = {"transformer": "transformer secondary"}.get(circuit.stage, circuit.stage)
        if location not in ("branch", "transformer secondary"):
            location = "transformer secondary" if behind_pdu else "feeder"
        least_a, of_set = 0.0, circuit.terminals
        if of_set is not None:
            location = "generator device" if of_set.device_at_set else "generator"
            least_a = 0.0 if of_set.device_at_set else 1.15 * of_set.nameplate_a
        assert feeder.length_m is not None
        return CircuitDemand(
            continuous_a=feeder.worst_a,
            other_a=0.0,
            poles=circuit.poles,  # type: ignore[arg-type]
            voltage_v=circuit.voltage_v / (SQRT3 if circuit.poles == 1 else 1.0),
            v_ln=circuit.voltage_v / SQRT3,
            neutral="counted" if circuit.neutral else "none",
            length_m=feeder.length_m,
            power_factor=min(1.0, feeder.power_factor),
            nonlinear=circuit.stage != "mechanical",
            location=location,  # type: ignore[arg-type]
            ocpd_a=circuit.breaker_a,
            min_ampacity_a=least_a,
            terminals=circuit.terminals,
        )

    @pytest.mark.parametrize("text", [NVL72, PDU])
    def test_the_heaviest_of_a_sort_has_what_a_single_circuit_would_get(self, text: str) -> None:
        found = made(text, LOSSES)
        heaviest = [
            f
            for f in found.distribution.feeders.feeders
            if f.choice
            and f.circuit.tag == f.heaviest
            and not f.choice.governed_by.startswith("short-circuit withstand")
        ]
        assert len(heaviest) >= 8
        basis, criteria = found.facility.electrical.conductors, found.facility.criteria
        for feeder in heaviest:
            chosen = feeder.choice
            assert chosen is not None
            demand = self.demand(found, feeder)
            if feeder.series:
                demand = replace(demand, min_device=(chosen.ocpd_a, "as one that it feeds"))
            demand = with_motors(demand, [feeder.circuit], criteria)
            choose = choose_mv if feeder.circuit.stage == "mv" else choose_nec
            alone = choose(demand, basis, criteria)
            assert (chosen.label, chosen.ocpd_a, chosen.egc_size, chosen.trade_size) == (
                alone.label,
                alone.ocpd_a,
                alone.egc_size,
                alone.trade_size,
            ), feeder.circuit.tag

    @pytest.mark.parametrize("text", [NVL72, PDU])
    def test_circuits_of_one_sort_are_built_alike_for_the_heaviest(self, text: str) -> None:
        sorts: dict[int, list[Feeder]] = {}
        for feeder in made(text).distribution.feeders.feeders:
            sorts.setdefault(feeder.group, []).append(feeder)
        assert any(len(members) > 4 for members in sorts.values())
        for members in sorts.values():
            assert len({id(f.choice) for f in members}) == 1
            assert len({(f.circuit.stage, f.circuit.voltage_v, f.length_m) for f in members}) == 1
            top = max(members, key=lambda f: f.worst_a)
            assert top.worst_a == pytest.approx(
                next(f for f in members if f.circuit.tag == f.heaviest).worst_a
            )

    def test_behind_a_pdu_the_conductors_carry_the_rating_of_the_device(self) -> None:
        """Transformer secondary conductors: no next standard rating up, 240.21(C)."""
        feeders = of_stage(made(PDU), "feeder")
        assert feeders
        for feeder in feeders:
            assert feeder.choice is not None
            assert feeder.choice.ampacity_a >= feeder.choice.ocpd_a

    def test_the_neutral_of_nonlinear_load_is_not_reduced(self) -> None:
        """On the way through the bypasses as in the halls, 220.61(C)."""
        for stage in ("transformer", "bypass", "feeder", "branch"):
            for feeder in of_stage(made(NVL72), stage):
                assert feeder.choice is not None
                assert feeder.choice.neutral_size == feeder.choice.size

    def test_branches_run_to_the_farthest_rack(self) -> None:
        found = made(NVL72)
        longest = max(hall.route_max_m for hall in found.facility.it.halls)
        assert {f.length_m for f in of_stage(found, "branch")} == {longest}


def test_a_refusal_is_a_violation_of_the_circuit() -> None:
    """The table of ambients ends below 80 degC for conductors rated 75 degC."""
    hot = made(NVL72, "power.conductors.ambient=80 degC", "power.conductors.insulation=THW")
    found = hot.distribution.feeders
    refused = [f for f in found.feeders if f.refused]
    assert refused
    assert all(f.choice is None and f.circuit.tag not in found.links for f in refused)
    failed = [c for c in found.checks if c.rule == "CIRCUIT-TOO-LARGE"]
    assert len(failed) == len({f.group for f in refused})
    assert all(c.failed and c.severity is Severity.VIOLATION and c.why for c in failed)


def test_currents_do_not_depend_on_the_conductors() -> None:
    """Design currents are those of nominal voltages: sizing a sized network again is the same."""
    found = made(NVL72)
    facility = found.facility
    plan = build_network(found.chain, found.point.demand, found.panels, facility.it)
    again = size_feeders(
        plan,
        sizing_outages(plan.network, found.panels),
        facility.electrical.conductors,
        facility.criteria,
        False,
        UnitCurrents(),
        Trace(),
    )
    first = {f.circuit.tag: f.worst_a for f in found.distribution.feeders.feeders}
    same = [f for f in again.feeders if f.circuit.stage in ("feeder", "branch")]
    assert same
    np.testing.assert_allclose([f.worst_a for f in same], [first[f.circuit.tag] for f in same])


@pytest.mark.parametrize("code", ["NEC", "IEC"])
def test_the_trace_says_where_load_and_device_come_from(code: str) -> None:
    """The main of a panel was not typed, and is no next standard rating of the load."""
    found = made(NVL72, f"criteria.code={code}")
    feeder = next(f for f in of_stage(found, "feeder") if f.circuit.tag == f.heaviest)
    trace, tag = found.distribution.trace, feeder.circuit.tag
    steps = {name: trace[f"feeder.{tag}.{name}"] for name in ("ocpd", "continuous")}
    assert steps["ocpd"].because == OCPD_GIVEN
    assert steps["ocpd"].source.id != "project"
    assert feeder.worst_state in steps["continuous"].because


SINGLE_FED = """\
schema_version: 1
it:
  gpu_model: H100 SXM5
  gpus: 64
  server: DGX H100
  servers_per_rack: 4
  feeds: [A]
  cords: {per_feed: 2, poles: 3, breaker: 60 A}
power: {redundancy: N}
cooling: {method: air}
"""


def test_a_lost_supply_sizes_the_circuits_of_racks_on_one_feed() -> None:
    """Of a switch with two supplies, each on a bank of its own, one carries all: twice as much."""
    found = made(SINGLE_FED)
    panels = found.panels
    branches = {f.circuit.tag: f for f in of_stage(found, "branch")}
    switches = [c for p in panels.panels for c in p.circuits if c.class_code == "IT-NET"]
    assert switches
    for circuit in switches:
        branch = branches[circuit.id]
        assert branch.worst_a == pytest.approx(2.0 * branch.normal_a)
        assert branch.worst_state == f"a supply in {circuit.rack} lost"
    for feeder in of_stage(found, "feeder"):
        assert feeder.worst_a > feeder.normal_a
        assert feeder.worst_a == pytest.approx(panels.current_max_a.max())


SERVER = """\
schema_version: 1
site: {station: miami}
criteria: {code: IEC}
it: {gpu_model: H100 SXM5, gpus: 8, server: DGX H100}
power: {redundancy: 2N}
"""


def test_conductors_lose_no_more_than_the_design_assumes_where_losses_are_not_stated() -> None:
    """With the least cables 0.62 kW are lost of 0.38 kW, behind a plant of dry coolers."""
    plant = "cooling.plant.heat_rejection=dry_cooler"
    found = made(SERVER, plant)
    (check,) = checks_of(found, "CONDUCTOR-LOSS")
    assert check.outcome == "PASS"
    stated = made(SERVER, plant, "power.distribution.feeder_loss=0.5 %")
    (least,) = checks_of(stated, "CONDUCTOR-LOSS")
    assert (least.word, least.limit) == ("WARNING", check.limit)
    assert least.value is not None
    assert least.value > 1.5 * (check.value or 0.0)
    sizes = [
        {f.circuit.tag: f.choice.size for f in one.distribution.feeders.feeders if f.choice}
        for one in (found, stated)
    ]
    larger, smallest = (float(one["UPO-A>RPP-A01"]) for one in sizes)
    assert smallest == 10.0
    # Least section by the ratio of losses asked for: 10 mm2 x 618 / 383 is over 16, under 25 mm2.
    needed_mm2 = 10.0 * least.value / (check.limit or math.inf)
    assert 16.0 < needed_mm2 < 25.0 == larger
    step = found.distribution.trace["feeder.UPO-A>RPP-A01.continuous"]
    assert step.because.endswith("conductors larger, for the losses assumed in the design")
