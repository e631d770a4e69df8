"""The distribution of whole projects: checks, results, losses, and both codes end to end."""

from __future__ import annotations

import math

import numpy as np
import pytest

from facility.core.check import Check, Outcome, Severity
from facility.core.errors import FacilityError
from facility.study.design.design import Design
from tests.study.fields import AIR
from tests.study.helpers import PROJECTS, SHORTEST, checks_of, design_of, reference

SMALL = ("it.gpus=128", "power.redundancy=3N/2")
NEAR_AND_FAR = """\
schema_version: 1
site: {fault_level: 300 MVA, x_over_r: 8}
it:
  devices:
    - {model: server, maximum_power: 10 kW, rack_units: 8, airflow: 900 cfm,
       supplies: {count: 2, needed: 1}}
  network: {topology: none}
  storage: {count: 0}
  management: {count: 0}
  halls:
    - name: near
      route_max: 10 m
      route_mean: 10 m
      racks: [{name: N, count: 4, devices: [{model: server, count: 2}], feeds: [A, B]}]
    - name: far
      route_max: 120 m
      route_mean: 120 m
      racks: [{name: F, count: 4, devices: [{model: server, count: 2}], feeds: [A, B]}]
power:
  redundancy: 2N
  faults: {utility_minimum_level: 200 MVA, trip_multiple: 10, delayed_trip_multiple: 6}
cooling: {method: air}
"""
AS_208 = (*SMALL, "power.distribution.rack_system=208Y/120")


def key(found: Design, name: str) -> float:
    return float(found.all_results[name].si)


def failed(found: Design, rule: str) -> list[Check]:
    return [check for check in checks_of(found, rule) if check.failed]


@pytest.mark.parametrize("name", PROJECTS)
class TestReferenceProjects:
    def test_every_circuit_is_sized_or_says_why_not(self, name: str) -> None:
        distribution = reference(name).distribution
        assert len(distribution.feeders.feeders) == len(distribution.plan.circuits)
        for feeder in distribution.feeders.feeders:
            assert feeder.choice is not None or feeder.refused

    def test_nothing_is_loaded_above_its_rating(self, name: str) -> None:
        checks = checks_of(reference(name), "NETWORK-LOADING")
        subjects = [name for check in checks for name in (check.subject, *check.alike)]
        kinds = {name.rsplit(" ", 1)[1] for name in subjects}
        assert {"transformer", "lv-board", "ups", "panel", "generator-plant"} <= kinds
        assert not [check for check in checks if check.failed]

    def test_fault_currents_fall_from_board_to_rack(self, name: str) -> None:
        found = reference(name)
        for state in ("utility", "generator"):
            levels = [
                key(found, f"fault.{place}.{state}") for place in ("board", "panel", "rack_pdu")
            ]
            assert levels == sorted(levels, reverse=True)
        lows = [key(found, f"fault.{place}.generator.min") for place in ("panel", "rack_pdu")]
        assert lows[1] <= lows[0] <= key(found, "fault.panel.generator")

    def test_an_unknown_utility_leaves_lowest_and_service_currents_out(self, name: str) -> None:
        """On an infinite bus the service has no highest current, and nothing a lowest one."""
        results = reference(name).distribution.results
        unknown = ("fault.service", "fault.service.utility", "fault.board.utility.min")
        assert not {name for name in unknown if name in results}
        assert results["fault.board"].si >= results["fault.board.utility"].si

    def test_the_loss_is_that_of_every_circuit(self, name: str) -> None:
        """Branches are as long as the longest route for the drop, and as the mean one for loss."""
        found = reference(name)
        distribution = found.distribution
        losses = distribution.normal.circuit_loss_w[:, 0]
        branch = np.array([to.startswith("RPDU") for to, _ in distribution.plan.network.links])
        (share,) = {h.route_mean_m / h.route_max_m for h in found.facility.it.halls}
        assert 0.4 < share < 1.0
        circuits = distribution.plan.circuits
        medium = np.array(
            [link.circuit in circuits and circuits[link.circuit].stage == "mv"
             for _, link in distribution.plan.network.links]
        )  # fmt: skip
        expected = np.nansum(losses[~branch & ~medium]) + share * np.nansum(losses[branch])
        of_units = sum(one.loss_w for one in distribution.mechanical.circuits)
        assert of_units > 0.0
        assert key(found, "feeder.loss") == pytest.approx(float(expected) + of_units)
        assert key(found, "feeder.loss_mv") == pytest.approx(float(np.nansum(losses[medium])))

    def test_the_drop_is_that_of_the_lowest_rack(self, name: str) -> None:
        distribution = reference(name).distribution
        loads = distribution.plan.network.loads
        racks = [n for n, load in enumerate(loads) if load.kind.critical]
        least = float(np.nanmin(distribution.normal.load_voltage_pu[racks, 0]))
        assert key(reference(name), "feeder.drop_max") == pytest.approx(1.0 - least)
        assert 0.0 < 1.0 - least < 0.05

    def test_every_result_can_be_explained(self, name: str) -> None:
        found = reference(name)
        assert all(
            step in found.distribution.trace
            for step in found.distribution.results
            if step.startswith(("fault.", "feeder.loss", "feeder.drop"))
        )


def test_the_lowest_current_is_that_of_the_worst_circuit_of_the_level() -> None:
    faults = reference("dgx-su-32").distribution.faults
    low = faults.states["generator"].lowest
    racks = [n for n, tag in enumerate(low.tags) if tag.startswith("RPDU")]
    least = min(
        float(current[racks].min())
        for current in (low.line_line_a, low.line_ground_a, low.sustained_a)
    )
    assert key(reference("dgx-su-32"), "fault.rack_pdu.generator.min") == pytest.approx(least)


def test_lineups_are_sized_for_the_panels_that_hang_on_them() -> None:
    """One group of panels on three primaries: all of the load on the first."""
    busways = "power.distribution.rack_system=415Y/240"
    servers = ("it.gpus=256", "it.servers_per_rack=4")
    found = design_of(SHORTEST, "power.redundancy=block-redundant", *servers, busways)
    assert found.trace.value("ups.unevenness") == pytest.approx(3.0)
    assert not failed(found, "NETWORK-LOADING")


def test_too_few_transformers_as_built_overload_loudly() -> None:
    sets = (
        "power.redundancy=3N/2",
        "it.gpus=256",
        "power.transformer.rating=225 kVA",
        "power.transformer.count=3",
    )
    overloaded = failed(design_of(SHORTEST, *sets), "NETWORK-LOADING")
    assert overloaded
    assert all(float(check.value or 0.0) > 1.0 for check in overloaded)


class TestDevices:
    RATED = (
        "site.fault_level=500 MVA",
        "power.faults.board_rating=50 kA",
        "power.faults.panel_rating=14 kA",
        "power.faults.rack_pdu_rating=10 kA",
        "power.faults.clearing_time=50 ms",
    )

    def test_ratings_are_held_against_the_currents(self) -> None:
        found = reference("nvl72-hall", *self.RATED)
        by_subject = {c.subject.split(",")[0]: c for c in checks_of(found, "FAULT-INTERRUPTING")}
        assert by_subject["LV boards"].outcome is Outcome.PASS
        assert by_subject["panels"].failed
        assert by_subject["panels"].value == pytest.approx(key(found, "fault.panel"))

    def test_the_lowest_current_is_held_against_the_trip(self) -> None:
        """Five times 60 A trips on every source; 20 times does not on weak inverters."""
        known = ("site.fault_level=500 MVA", "power.faults.utility_minimum_level=300 MVA")
        low = reference("nvl72-hall", *known, "power.faults.trip_multiple=5")
        (trips,) = checks_of(low, "FAULT-LOWEST")
        assert trips.outcome is Outcome.PASS
        assert trips.limit == pytest.approx(300.0)
        weak = ("power.faults.trip_multiple=20", "power.faults.ups_multiple=0.2")
        (never,) = checks_of(reference("nvl72-hall", *known, *weak), "FAULT-LOWEST")
        assert never.failed

    def test_the_lowest_current_is_that_of_the_farthest_rack(self) -> None:
        """A hall of 10 m beside one of 120 m: the currents fall with the way, the trips do not."""
        found = design_of(NEAR_AND_FAR, "power.ups.model=9395XR-600")
        (check,) = checks_of(found, "FAULT-LOWEST")
        plan, faults = found.distribution.plan, found.distribution.faults
        lowest: dict[str, float] = {"near": math.inf, "far": math.inf}
        for one in plan.network.equipment:
            for state in faults.states.values():
                low, bus = state.lowest, faults.bus_of[one.tag]
                if one.kind == "rack-pdu" and bus in low.tags:
                    at = low.index(bus)
                    least_a = min(low.line_line_a[at], low.line_ground_a[at], low.sustained_a[at])
                    lowest[one.hall] = min(lowest[one.hall], float(least_a))
        assert check.value == pytest.approx(lowest["far"])
        assert lowest["far"] < 0.6 * lowest["near"]
        (unused,) = checks_of(found, "INPUT-UNUSED")
        assert unused.subject == "power.faults.delayed_trip_multiple"

    def test_a_rack_pdu_is_judged_at_its_panel(self) -> None:
        """The nearest rack may hang on a few metres: the current of the panel is the bound."""
        found = reference("nvl72-hall", *self.RATED)
        (check,) = [
            c for c in checks_of(found, "FAULT-INTERRUPTING") if c.subject.startswith("rack PDUs")
        ]
        assert check.value == pytest.approx(key(found, "fault.panel"))
        assert float(check.value or 0.0) > key(found, "fault.rack_pdu")

    def test_a_stated_clearing_time_reaches_withstand_inverters_and_arc_flash(self) -> None:
        found = reference("nvl72-hall", *self.RATED)
        withstand = checks_of(found, "NEC-WITHSTAND")
        assert withstand
        assert {c.outcome for c in withstand} <= {Outcome.PASS, Outcome.FAIL}
        assert checks_of(found, "FAULT-INVERTER-TIME")[0].outcome is Outcome.PASS
        assert {row.clearing_s for row in found.distribution.arc_flash} == {0.05}
        assert {row.clearing_s for row in reference("nvl72-hall").distribution.arc_flash} == {None}

    def test_each_device_clears_in_its_own_time(self) -> None:
        """In withstand that at the highest fault; on the arc flash that below the trip."""
        by_time = "power.faults.small_device=by time"
        delayed = reference("nvl72-hall", *self.RATED, "power.faults.clearing_time=0.4 s", by_time)
        at = {row.bus: row.clearing_s for row in delayed.distribution.arc_flash}
        feeders = {f.circuit.tag: f for f in delayed.distribution.feeders.feeders}
        for check in checks_of(delayed, "NEC-WITHSTAND"):
            one = feeders[check.subject]
            assert one.choice is not None
            molded = one.choice.ocpd_a <= 630.0 and one.circuit.stage != "transformer"
            expected_s = 0.025 if molded else 0.4
            assert one.clearing_s == expected_s
            assert f"{expected_s:.3f} s" in check.why
            bus = delayed.distribution.faults.bus_of.get(one.circuit.target)
            if bus is not None and one.circuit.stage in ("branch", "feeder"):
                assert at[bus] == 0.4
        alone = reference("nvl72-hall", "power.faults.molded_case_time=10 ms")
        assert {row.clearing_s for row in alone.distribution.arc_flash} == {None}
        slow = checks_of(
            reference("nvl72-hall", "power.faults.clearing_time=10 ms", by_time), "NEC-WITHSTAND"
        )
        assert all("0.010 s" in check.why for check in slow)

    @pytest.mark.parametrize("trip", [(), ("10",), ("5",)])
    def test_a_trip_that_the_inverters_do_not_reach_is_none(self, trip: tuple[str, ...]) -> None:
        """2,003 A on the inverters, 1,735 between lines: 5 x 400 A does not trip."""
        sets = (f"power.faults.trip_multiple={multiple}" for multiple in trip)
        whole = "power.ups.model=9395XR-600"
        found = reference("dgx-su-32", "power.faults.clearing_time=300 ms", whole, *sets)
        assert key(found, "fault.inverter") == pytest.approx(2003.0, abs=1.0)
        (check,) = checks_of(found, "FAULT-INVERTER-TIME")
        assert check.value == 0.3
        assert check.failed
        assert "UPO-A>RPP-A01: instantaneous trip not ensured" in check.why
        assert {row.clearing_s for row in found.distribution.arc_flash} == {0.3}

    @pytest.mark.parametrize(("multiple", "clearing_s"), [(4, 0.025), (5, 0.3)])
    def test_a_trip_that_the_inverters_reach_clears_at_once(
        self, multiple: int, clearing_s: float
    ) -> None:
        """1,735 A between lines against 1,600 and 2,000 A of the breakers of 400 A."""
        sets = ("power.faults.clearing_time=300 ms", f"power.faults.trip_multiple={multiple}")
        whole = "power.ups.model=9395XR-600"
        found = reference("dgx-su-32", whole, *sets, "cooling.on_ups.0=cdu_pumps")
        (check,) = checks_of(found, "FAULT-INVERTER-TIME")
        assert check.value == clearing_s

    def test_the_lowest_current_needs_a_trip_and_says_so(self) -> None:
        (check,) = checks_of(reference("nvl72-hall"), "FAULT-LOWEST")
        assert check.outcome is Outcome.NOT_EVALUATED
        assert "trip" in check.why


class TestTransformers:
    def test_what_no_clause_asks_for_is_no_violation(self) -> None:
        """450.3(A) has its figure; the 125 % under the IEC is a planning value."""
        for code, severity in (("NEC", Severity.VIOLATION), ("IEC", Severity.WARNING)):
            found = design_of(AIR, f"criteria.code={code}")
            checks = checks_of(found, "TRANSFORMER-DEVICE")
            assert {check.severity for check in checks} == {severity}

    def limits(self, *sets: str) -> dict[str, tuple[float | None, float | None, bool]]:
        at = "power.distribution"
        stated = (f"{at}.pdu_transformer=150 kVA", f"{at}.panel_main=400 A")
        made = design_of(SHORTEST, *AS_208, *stated, *sets)
        found = checks_of(made, "NEC-TRANSFORMER-PROTECTION")
        return {c.subject.split(", ")[1]: (c.value, c.limit, c.failed) for c in found}

    def test_a_primary_device_alone_may_protect_a_pdu_transformer(self) -> None:
        """150 kVA at 480 V: 125 % of 180.4 A is 225.5 A, the next standard rating is 250 A."""
        assert self.limits() == {"primary": (250.0, 250.0, False)}

    def test_a_larger_one_needs_its_secondary_protected(self) -> None:
        """75 kVA: 250 % of 90.2 A rounded down; 125 % of 208.2 A on the secondary, rounded up.

        One stated a feed, with two panels of 400 A behind it.
        """
        too_few = ("power.distribution.pdu_transformer=75 kVA", "power.distribution.pdus=3")
        assert self.limits(*too_few) == {
            "primary": (175.0, 225.0, False),
            "secondary": (800.0, 300.0, True),
        }

    def test_long_secondary_conductors_are_named(self) -> None:
        found = design_of(SHORTEST, *AS_208)
        # defaults: 25 m outdoors from the transformer, and 7.5 m of 25 ft = 7.62 m from the PDU
        assert not [c for c in found.checks if c.failed and "240.21" in c.source.locator]
        (outdoors,) = checks_of(found, "NEC-SECONDARY-LENGTH")
        assert outdoors.source.locator == "240.21(C)(4)"
        assert "25.0 m outdoors" in outdoors.why
        # 8 m indoors: above 25 ft
        lengths = ("panel_length=5 m", "transformer_length=8 m", "transformer_location=indoors")
        near = design_of(SHORTEST, *AS_208, *(f"power.conductors.{one}" for one in lengths))
        assert {
            c.subject.split("-")[0]: c.severity for c in failed(near, "NEC-SECONDARY-LENGTH")
        } == {"TX": Severity.VIOLATION}
        assert checks_of(near, "NEC-TAP-RATIO")


@pytest.mark.parametrize(
    ("edition", "ampacity", "medium", "pickup"),
    [
        ("2017", "Table 310.15(B)(16)", "Table 310.60(C)(77)", "240.101(A)"),
        ("2020", "Table 310.16", "Table 311.60(C)(77)", "240.101(A)"),
        ("2023", "Table 310.16", "Table 315.60(C)(11)", "245.27(A)"),
    ],
)
def test_articles_are_those_of_the_edition(
    edition: str, ampacity: str, medium: str, pickup: str
) -> None:
    found = design_of(SHORTEST, *SMALL, f"criteria.edition={edition}")
    chosen = [(f.circuit.stage, f.choice) for f in found.distribution.feeders.feeders if f.choice]
    assert {stage == "mv" for stage, _ in chosen} == {True, False}
    for stage, choice in chosen:
        named = {medium, pickup} if stage == "mv" else {ampacity}
        assert named <= set(choice.articles)


class TestIec:
    IEC = (
        *SMALL,
        "criteria.code=IEC",
        "power.distribution.rack_system=400Y/230",
        "site.fault_level=500 MVA",
        "power.faults.utility_minimum_level=300 MVA",
    )

    def test_it_designs_end_to_end(self) -> None:
        found = design_of(SHORTEST, *self.IEC)
        distribution = found.distribution
        chosen = [f.choice for f in distribution.feeders.feeders if f.choice]
        assert chosen
        assert {choice.size_unit for choice in chosen} == {"mm2"}
        assert all(choice.ocpd_a <= choice.ampacity_a for choice in chosen)
        assert not [c for c in distribution.checks if c.rule.startswith("NEC-")]
        assert distribution.faults.states["utility"].highest.method == "iec-60909"
        assert math.isfinite(key(found, "fault.board.utility.min"))

    ALIKE = "power.faults.molded_case_time=100 ms"

    def test_withstand_is_judged_with_the_currents_found(self) -> None:
        """k = 143 for copper and XLPE: one 240 mm2 cable holds 108.5 kA for 0.1 s."""
        by_time = "power.faults.small_device=by time"
        open_checks = checks_of(design_of(SHORTEST, *self.IEC, by_time), "IEC-SHORT-CIRCUIT")
        assert {c.outcome for c in open_checks} == {Outcome.NOT_EVALUATED, Outcome.PASS}
        assert all("kA" in check.why for check in open_checks)
        assert all(
            "ms at most" in c.why or "power circuit-breaker" in c.why
            for c in open_checks
            if c.outcome is Outcome.PASS
        )
        timed = design_of(SHORTEST, *self.IEC, "power.faults.clearing_time=100 ms", self.ALIKE)
        chosen = {f.circuit.tag: f.choice for f in timed.distribution.feeders.feeders}
        checks = checks_of(timed, "IEC-SHORT-CIRCUIT")
        counts = [sum(1 + len(c.alike) for c in one) for one in (checks, open_checks)]
        assert counts[0] == counts[1]
        for check in checks:
            choice = chosen[check.subject]
            assert choice is not None
            expected = 143.0 * choice.area_m2 * 1e6 / math.sqrt(0.1) * choice.sets
            assert check.limit == pytest.approx(expected)


def test_no_generators_leave_their_state_out() -> None:
    found = design_of(SHORTEST, *SMALL, "power.generator.count=0")
    assert not [name for name in found.distribution.results if ".generator" in name]
    assert "fault.board.utility" in found.distribution.results
    assert [key for key in found.results if key.startswith("generator.")] == ["generator.count"]
    capacity = {c.rule: c.outcome for c in found.checks if c.rule.startswith("GENERATOR-")}
    assert set(capacity.values()) == {"NOT_EVALUATED"}


@pytest.mark.parametrize(
    "sets",
    [
        AS_208,
        (*AS_208, "power.distribution.pdus=24"),
        (*AS_208, "power.redundancy=2N", "power.ups.buses=2", "power.distribution.pdus=12"),
        (*AS_208, "power.redundancy=block-redundant", "power.distribution.pdus=18"),
    ],
)
def test_what_is_installed_stands_in_the_network(sets: tuple[str, ...]) -> None:
    """Of each kind as many units as the design counts, with a panel behind them or not."""
    found = design_of(SHORTEST, *sets)
    units: dict[str, int] = {}
    for one in found.distribution.plan.network.equipment:
        units[one.kind] = units.get(one.kind, 0) + len(one.unit_tags)
    assert units["pdu"] == key(found, "pdu.count")
    assert units["panel"] == key(found, "panels.count")
    assert units["ups"] == key(found, "ups.modules")
    assert units["generator-plant"] == key(found, "generator.count")


class TestGrounding:
    """A ground fault through a resistor of V / (sqrt(3) I) is I, whatever else is in its way."""

    MV = (*AS_208, "site.fault_level=500 MVA")
    RESISTOR = (
        "power.transformer.grounding=high-resistance",
        "power.transformer.grounding_current=8 A",
    )

    def test_the_resistor_limits_ground_faults_of_the_boards_alone(self) -> None:
        solid, limited = (design_of(SHORTEST, *self.MV, *more) for more in ((), self.RESISTOR))
        assert key(limited, "fault.board.utility.line_ground") == pytest.approx(8.0, rel=1e-3)
        sets = solid.chain.generators.count
        of_sets = key(limited, "fault.board.generator.line_ground")
        assert of_sets == pytest.approx(8.0 * sets, rel=2e-2)
        for name in ("board.utility", "panel.utility", "panel.utility.line_ground", "rack_pdu"):
            assert key(limited, f"fault.{name}") == pytest.approx(key(solid, f"fault.{name}"))
        inverters = [s for n, s in limited.distribution.faults.states.items() if "inverter" in n]
        for state in inverters:
            assert state.highest.line_ground_a[0] == pytest.approx(8.0, rel=1e-3)
            assert state.highest.three_phase_a[0] > 100.0

    def test_sets_behind_step_up_transformers_leave_no_solid_neutral_on_the_boards(self) -> None:
        """Sets of 480 V on boards of 690 V: the neutral of the boards is that of the step-up."""
        own = ("power.ups.module_rating=400 kW", "power.distribution.voltage=690 V")
        at = ("criteria.code=IEC", "power.generator.connection=LV", "power.generator.voltage=480 V")
        found = design_of(SHORTEST, *self.MV, *own, *at, *self.RESISTOR)
        assert found.chain.generators.step_up is not None
        sets = found.chain.generators.count
        of_sets = key(found, "fault.board.generator.line_ground")
        assert of_sets == pytest.approx(1.05 * 8.0 * sets, rel=2e-2)

    def test_the_factor_of_the_voltage_counts_under_the_iec(self) -> None:
        found = design_of(SHORTEST, *self.MV, *self.RESISTOR, "criteria.code=IEC")
        ground_a = key(found, "fault.board.utility.line_ground")
        assert ground_a == pytest.approx(1.05 * 8.0, rel=1e-3)
        assert checks_of(found, "NEUTRAL-RESISTOR")

    def test_a_first_earth_fault_of_it_does_not_disconnect(self) -> None:
        """IEC 60364-4-41, 411.6, at the boards; TN behind the PDU transformers, and without."""
        iec = ("criteria.code=IEC", "power.distribution.voltage=480 V")
        own = (*SMALL, *iec, "power.distribution.rack_system=400Y/230")
        for resistor in ((), self.RESISTOR):
            found = design_of(SHORTEST, *own, *resistor)
            stages = {f.circuit.tag: f.circuit.stage for f in found.distribution.feeders.feeders}
            checks = [c for c in found.distribution.checks if c.rule == "IEC-DISCONNECTION"]
            seen = set()
            for check in checks:
                behind = stages[check.subject.partition(" and ")[0]] in ("feeder", "branch")
                seen.add(behind)
                isolated = bool(resistor) and not behind
                assert check.outcome is Outcome.NOT_EVALUATED
                assert (check.source.locator == "411.6") == isolated
                assert ("first earth fault of 8 A is monitored" in check.why) == isolated
            assert seen == {True, False}

    def test_the_rule_of_grounding_is_that_of_the_resistor(self) -> None:
        found = design_of(SHORTEST, *self.MV, *self.RESISTOR)
        grounding = checks_of(found, "NEC-GROUNDING")
        assert grounding
        for check in grounding:
            assert "250.36" in check.source.locator
            assert "250.66" not in check.source.locator
            assert check.remedy.startswith("Show resistor, detector")
        solid = checks_of(design_of(SHORTEST, *self.MV), "NEC-GROUNDING")
        assert all("250.66" in check.source.locator for check in solid)

    def test_protection_of_equipment_is_not_asked_for(self) -> None:
        """230.95 and 215.10 are of solidly grounded systems."""
        without = "power.faults.ground_fault_protection=no"
        large = (*self.MV, "it.gpus=1024", "power.redundancy=N", without)
        asked, not_asked = (
            failed(design_of(SHORTEST, *large, *more), "NEC-GFP") for more in ((), self.RESISTOR)
        )
        assert asked
        assert not not_asked
        why = [c.why for c in checks_of(design_of(SHORTEST, *large, *self.RESISTOR), "NEC-GFP")]
        assert any("the neutral is not solidly grounded" in words for words in why)

    @pytest.mark.parametrize(
        "sets",
        [
            RESISTOR,
            (*AS_208, *RESISTOR, "power.transformer.vector_group=Dd0"),
            (*AS_208, "power.transformer.grounding_current=8 A"),
        ],
    )
    def test_a_neutral_that_is_taken_or_missing_is_refused(self, sets: tuple[str, ...]) -> None:
        with pytest.raises(FacilityError, match="GROUNDING_CONTRADICTION"):
            design_of(SHORTEST, *sets)


class TestEarthFaultsOfTheIec:
    """543.1 and 411.4.4 by the currents of the network, the trip and the times that are stated."""

    STATED = (
        "criteria.code=IEC", "power.distribution.voltage=400 V",
        "power.distribution.rack_system=400Y/230", "site.frequency=50 Hz",
        "site.fault_level=350 MVA", "power.faults.utility_minimum_level=200 MVA",
        "power.faults.clearing_time=0.2 s", "power.faults.trip_multiple=10",
        "power.faults.small_device=by time",
        "power.distribution.panel_main=400 A",
    )  # fmt: skip

    def test_protective_conductors_chosen_withstand_what_the_network_gives(self) -> None:
        found = design_of(SHORTEST, "site.utility_voltage=20 kV", *self.STATED)
        checks = checks_of(found, "IEC-PROTECTIVE-CONDUCTOR")
        assert checks
        assert all(check.outcome is Outcome.PASS for check in checks)
        states = found.distribution.faults.states
        for one in found.distribution.feeders.feeders:
            if one.circuit.stage != "branch" or one.choice is None:
                continue
            bus = found.distribution.faults.bus_of[one.circuit.source]
            most = max(
                float(s.highest.line_ground_a[s.highest.index(bus)])
                for s in states.values() if bus in s.highest.tags
            )  # fmt: skip
            assert float(one.choice.egc_size) >= most * 0.025**0.5 / 143.0 * (1.0 - 1e-9)

    def test_disconnection_is_judged_by_the_loop_with_the_conductors_chosen(self) -> None:
        found = design_of(SHORTEST, "site.utility_voltage=20 kV", *self.STATED)
        feeders = {f.circuit.tag: f for f in found.distribution.feeders.feeders}
        judged = [c for c in checks_of(found, "IEC-DISCONNECTION") if c.value is not None]
        assert "branch" in {feeders[c.subject].circuit.stage for c in judged}
        delayed = [c for c in checks_of(found, "IEC-DISCONNECTION") if "long-time trip" in c.why]
        assert {c.outcome for c in delayed} == {Outcome.NOT_EVALUATED}
        stages = {feeders[c.subject].circuit.stage for c in delayed}
        assert stages == {"generator", "bypass", "feeder"}
        for check in judged:
            one = feeders[check.subject]
            assert one.choice is not None
            limit = 0.95 * 400.0 / 3.0**0.5 / (10.0 * one.choice.ocpd_a)
            assert check.limit == pytest.approx(limit)
            own = complex(one.choice.resistance_ohm or 0.0, one.choice.reactance_ohm or 0.0)
            cable = 2.0 * abs(own) / one.choice.sets
            assert float(check.value or 0.0) > cable

    def test_final_circuits_grow_until_they_disconnect(self) -> None:
        """Of 16 A that trip at 10 times: 0.95 * 230.9 V / 160 A = 1.371 ohm, also 250 m away.

        The devices limit what they let through, or the withstand would ask for as much.
        """
        far = (
            "power.conductors.branch_length=250 m",
            "criteria.voltage_drop_branch=20 %",
            "power.faults.molded_case_time=1 ms",
            "power.distribution.board_loss=0.5 %",
        )
        unstated = [one for one in self.STATED if "trip_multiple" not in one]
        grown, plain = (
            design_of(SHORTEST, "site.utility_voltage=20 kV", *stated, *far)
            for stated in (self.STATED, unstated)
        )
        sizes: dict[str, list[float]] = {}
        for found in (grown, plain):
            for one in found.distribution.feeders.feeders:
                choice = one.choice
                if one.circuit.stage == "branch" and choice is not None and choice.ocpd_a <= 32.0:
                    sizes.setdefault(one.circuit.tag, []).append(float(choice.size))
        assert sizes
        assert all(with_trip > without for with_trip, without in sizes.values()), sizes
        assert not failed(grown, "IEC-DISCONNECTION")

    def test_devices_with_a_delayed_trip_are_judged_by_it(self) -> None:
        delayed = ("power.faults.molded_case_rating=40 A", "power.faults.delayed_trip_multiple=4")
        outcomes = []
        for more in ((), delayed[:1], delayed):
            found = design_of(SHORTEST, "site.utility_voltage=20 kV", *self.STATED, *more)
            stages = {f.circuit.tag: f.circuit.stage for f in found.distribution.feeders.feeders}
            outcomes.append(
                {
                    check.outcome
                    for check in checks_of(found, "IEC-DISCONNECTION")
                    if "feeder" in {stages[tag] for tag in (check.subject, *check.alike)}
                }
            )
        assert outcomes == [{Outcome.NOT_EVALUATED}, {Outcome.NOT_EVALUATED}, {Outcome.PASS}]

    def test_what_inverters_hold_for_longer_than_allowed_is_not_known_to_trip(self) -> None:
        held = "power.faults.ups_duration=10 s"
        found = design_of(SHORTEST, "site.utility_voltage=20 kV", *self.STATED, held)
        stages = {f.circuit.tag: f.circuit.stage for f in found.distribution.feeders.feeders}
        checks = checks_of(found, "IEC-DISCONNECTION")
        behind = [c for c in checks if stages[c.subject] in ("feeder", "branch")]
        assert behind
        assert all(c.outcome is Outcome.NOT_EVALUATED for c in behind)
        assert any("power.faults.ups_duration" in c.why for c in behind)
        assert any(c.value is not None for c in checks if stages[c.subject] == "ups-input")

    def test_the_spectrum_of_the_racks_reaches_their_cables(self) -> None:
        """Annex E: above 33 % by the neutral, 3 x 0.4 / 1.077 = 1.114 Ib; over 0.86, 1.30."""
        listed = ("order=3", "current=40 %")
        spectrum = [f"power.transformer.it_harmonics.0.{one}" for one in listed]
        found = design_of(SHORTEST, "site.utility_voltage=20 kV", *self.STATED, *spectrum)
        known = {c.subject: c.outcome for c in checks_of(found, "IEC-HARMONICS")}
        stages = {f.circuit.tag: f.circuit.stage for f in found.distribution.feeders.feeders}
        for subject, outcome in known.items():
            behind = stages[subject.partition(" and ")[0]] in ("bypass", "feeder", "branch")
            assert (outcome is Outcome.PASS) is behind
        loaded = [c for c in checks_of(found, "IEC-OVERLOAD") if ">RPP" in c.subject]
        assert loaded
        assert all("loaded 1.30 times" in check.why for check in loaded)


@pytest.mark.parametrize(
    ("sets", "lit"),
    [
        (TestEarthFaultsOfTheIec.STATED, True),
        (("power.distribution.voltage=480 V", "power.distribution.rack_system=208Y/120"), False),
        # A resistor grounds a neutral that no load takes
        (
            (
                "criteria.code=IEC",
                "power.distribution.voltage=400 V",
                "power.distribution.rack_system=208Y/120",
                "power.transformer.grounding=high-resistance",
            ),
            False,
        ),
    ],
)
def test_house_load_takes_the_neutral_where_lights_take_its_voltage(
    sets: tuple[str, ...], lit: bool
) -> None:
    """230 V to neutral are those of lights and receptacles, 277 V are behind a transformer."""
    found = design_of(SHORTEST, "site.utility_voltage=20 kV", *sets)
    houses = [f for f in found.distribution.feeders.feeders if f.circuit.target == "HOUSE"]
    assert houses
    for one in houses:
        assert one.circuit.neutral is lit
        assert one.choice is not None
        assert bool(one.choice.neutral_size) is lit
    others = [f for f in found.distribution.feeders.feeders if f.circuit.target.startswith("MECH")]
    assert not any(one.circuit.neutral for one in others)
