"""Sets at voltages that they are made for, step-up transformers, bus sections, surplus."""

from __future__ import annotations

import math
from functools import cache

import pytest

from facility.core.check import Outcome
from facility.files.project.file import apply_sets, load_project
from facility.power.backup.sections import fault_of_one_set, section_of, section_parts
from facility.power.backup.voltages import set_voltage, standard_set_voltages
from facility.power.network.flow.solve import compile_network, solve
from facility.power.network.outages.lost import utility_outages
from facility.study.design.design import Design, design
from tests.power.helpers import DATA, build, demand, panel_loads, site


@cache
def designed(name: str, *sets: str) -> Design:
    return design(apply_sets(load_project(DATA / "projects" / f"{name}.yaml"), sets))


@pytest.mark.parametrize(
    ("hz", "kva", "bus_v", "volts"),
    [
        (60.0, 625.0, 480.0, 480.0),
        (60.0, 625.0, 415.0, 415.0),
        (60.0, 3438.0, 13800.0, 13800.0),
        (60.0, 3438.0, 34500.0, 13800.0),
        (60.0, 625.0, 13800.0, 480.0),
        (60.0, 1000.0, 13800.0, 4160.0),
        (50.0, 2063.0, 11000.0, 11000.0),
        (50.0, 2063.0, 33000.0, 11000.0),
        (50.0, 625.0, 11000.0, 400.0),
        (50.0, 625.0, 400.0, 400.0),
        (50.0, 625.0, 480.0, 400.0),
        (60.0, 625.0, 380.0, 380.0),
        (60.0, 2500.0, 6600.0, 6600.0),
        (60.0, 2500.0, 22900.0, 13800.0),
    ],
)
def test_sets_are_bought_at_a_voltage_that_they_are_made_for(
    hz: float, kva: float, bus_v: float, volts: float
) -> None:
    assert set_voltage(hz, kva * 1e3, bus_v) == volts


def test_small_sets_are_not_made_for_medium_voltage() -> None:
    assert max(standard_set_voltages(60.0, 625e3)) == 600.0
    assert 13800.0 in standard_set_voltages(60.0, 3438e3)


def test_a_stated_voltage_nobody_makes_is_a_warning_by_a_recalled_table() -> None:
    own = {"rating": "500 kW", "rating_kva": "625 kVA", "connection": "LV"}
    wrong = build(generator={**own, "voltage": "4160 V"}).check("GENERATOR-VOLTAGE")
    assert wrong.failed
    assert wrong.severity == "WARNING"
    right = build(generator={**own, "voltage": "480 V"})
    assert right.check("GENERATOR-VOLTAGE").outcome is Outcome.PASS
    assert right.design.generators.step_up is not None  # 480 V sets on a 415 V bus


def test_step_up_losses_are_load_of_the_sets_and_of_nothing_else() -> None:
    """Each 750 kVA unit: no-load loss, and its load loss with the square of its load."""
    own = {"rating": "500 kW", "rating_kva": "625 kVA"}
    built = build(generator={**own, "connection": "MV"})
    plant, unit = built.design.generators, built.design.generators.step_up
    assert unit is not None
    assert (plant.voltage_v, unit.rating_va) == (480.0, 750e3)
    load = built.flow.generators
    direct = build(generator={**own, "connection": "MV", "voltage": "13800 V"}).flow
    assert load.load_w - load.step_up_w == pytest.approx(direct.generators.load_w)
    part = direct.generators.load_va / (plant.on_duty * unit.rating_va)
    each_w = unit.no_load_w + unit.load_loss_w * part**2
    assert load.step_up_w == pytest.approx(plant.on_duty * each_w)
    assert built.flow.utility == direct.utility


def test_fault_current_of_one_set_by_hand() -> None:
    """3,438 kVA at 34.5 kV are 57.5 A; X 0.12 + 0.0575 x 3438 / 3750, Z0 the transformer alone."""
    found = designed("campus-100mw")
    data = found.facility.electrical.faults.sources
    x_t = 0.0575 * 3438.0 / 3750.0
    rated_a = 3438e3 / (math.sqrt(3.0) * 34.5e3)
    by_hand = rated_a * 3.0 / (2.0 * (0.12 + x_t) + x_t)
    assert fault_of_one_set(found.chain.generators, 34.5e3, data) == pytest.approx(by_hand)


def test_sections_hold_whole_lineups() -> None:
    assert [section_of(bus, 7, 3) for bus in range(7)] == [0, 0, 0, 1, 1, 2, 2]
    scheme = build(redundancy="N").design.chain.scheme
    on_bus = [("A", group, 1.0) for group in range(9)]
    assert section_parts(panel_loads(*on_bus[:8]), scheme, 8, 2) == (0.5, 0.5)
    assert section_parts(panel_loads(*on_bus), scheme, 8, 2) == pytest.approx((5 / 9, 4 / 9))
    assert section_parts(panel_loads(), scheme, 7, 3) == pytest.approx((3 / 7, 2 / 7, 2 / 7))


def test_the_network_has_the_sections_their_sets_and_step_up_transformers() -> None:
    found = designed("campus-100mw")
    network = found.distribution.plan.network
    plants = [one for one in network.equipment if one.kind == "generator-plant"]
    raised = [one for one in network.equipment if one.tag.startswith("GSU")]
    assert len(plants) == len(raised) == 3
    for kind in (plants, raised):
        assert sum(len(one.unit_tags) for one in kind) == found.chain.generators.count
    assert {one.voltage_v for one in plants} == {13800.0}
    assert {one.voltage_v for one in raised} == {34500.0}
    gear = [one for one in network.equipment if one.kind == "mv-switchgear"]
    assert len(gear) == 3 * 4
    assert all(len(one.links) == 2 for one in gear)
    loading = [c for c in found.distribution.checks if c.rule == "NETWORK-LOADING"]
    assert all(check.outcome is Outcome.PASS for check in loading)


def test_a_set_and_its_step_up_transformer_are_lost_together() -> None:
    """On the generators n sets carry a section; without one set or its GSU n - 1 of each do.

    Set and GSU then carry n / (n - 1) as much, and no more than their rating with N+2.
    """
    network = designed("campus-100mw").distribution.plan.network
    outages = [outage for outage, _ in utility_outages(network)][:2]
    assert outages[1].lost == ("UTIL", "GEN-S1-1", "GSU-S1-1")
    whole = len(network["GEN-S1"].unit_tags)
    assert whole == len(network["GSU-S1"].unit_tags)
    flow = solve(compile_network(network), outages)
    for tag in ("GEN-S1", "GSU-S1"):
        all_in, one_out = flow.loading[network.index[tag]].tolist()
        assert one_out / all_in == pytest.approx(whole / (whole - 1), rel=0.004)
        assert one_out < 1.0


def test_more_sets_than_share_a_bus_are_warned_about() -> None:
    """32 sets pass, 33 do not."""
    own = {"rating": "200 kW", "rating_kva": "250 kVA", "connection": "MV"}
    assert build(generator={**own, "count": "32"}).check("GENERATOR-ONE-BUS").outcome == "PASS"
    assert build(generator={**own, "count": "33"}).check("GENERATOR-ONE-BUS").failed


def test_the_current_of_a_generator_bus_is_held_against_the_largest_bus() -> None:
    """3,000 A at 13.8 kV are 71.7 MVA: 60 MW of IT fits, 80 MW does not."""
    within = build(demand(55e6)).check("GENERATOR-BUS-CURRENT")
    assert within.outcome is Outcome.PASS
    assert within.limit == 3000.0
    above = build(demand(80e6)).check("GENERATOR-BUS-CURRENT")
    assert above.failed


def test_a_surplus_is_named_and_just_inside_the_limit_it_is_not() -> None:
    """One 600 kW module: 300 kW is twice what is asked, with losses a little less."""
    own = {"module_rating": "600 kW"}

    def surplus(it_w: float) -> list[str]:
        found = build(demand(it_w, mech_ups_w=0.0), redundancy="N", ups=own).design.checks
        (check,) = [
            c for c in found if c.rule == "INSTALLED-SURPLUS" and c.subject.startswith("UPS")
        ]
        return [check.outcome, check.why]

    assert surplus(300e3)[0] == "PASS"
    failed, why = surplus(290e3)
    assert failed == "FAIL"
    assert "2.0" in why


def test_stated_pdus_beyond_what_is_asked_are_a_surplus() -> None:
    """1 MW on two of 40 PDUs of 500 kVA a feed would do: 40 are loaded to a twentieth of that."""
    wiring = {"rack_system": "208Y/120", "pdu_transformer": "500 kVA", "pdus": "80"}
    found = build(demand(1e6), redundancy="2N", distribution=wiring).design.checks
    (check,) = [c for c in found if c.rule == "INSTALLED-SURPLUS" and "PDU" in c.subject]
    assert check.failed
    assert float(check.value or 0.0) == pytest.approx(0.95 * 40 * 500e3 / 1.03e6, rel=0.05)


def test_the_smallest_units_say_by_how_much_they_are_too_large() -> None:
    """8 GPUs: 11.8 kW on a quarter of a 600 kW frame is 12.3 times what is asked, and no smaller.

    A stated module of 600 kW is four times that, and there are smaller ones.
    """
    found = designed("edge", "power.distribution.rack_system=415Y/240")
    checks = [c for c in found.checks if c.rule == "INSTALLED-SURPLUS"]
    assert [c.subject.partition(",")[0] for c in checks] == ["UPS", "transformers", "generators"]
    assert not any(c.failed for c in checks)
    quarter = float(checks[0].why.split()[0])
    assert quarter == pytest.approx(12.3, rel=0.02)
    assert all("no smaller known size" in c.why for c in checks[:2])
    stated = designed(
        "edge", "power.distribution.rack_system=415Y/240", "power.ups.module_rating=600 kW"
    )
    ups = next(c for c in stated.checks if c.rule == "INSTALLED-SURPLUS")
    assert ups.failed
    assert float(ups.value or 0.0) == pytest.approx(4.0 * quarter, rel=0.01)


def test_a_large_bus_with_little_load_needs_no_second_section() -> None:
    assert build(demand(3e6), at=site()).design.generators.sections == 1
