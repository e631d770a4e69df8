"""One supply lost, feeds alive: by hand, and against every supply of every rack one by one."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.core.reference import reference_path
from facility.core.trace import Trace, explain
from facility.files.project.file import load_project
from facility.model.it import ItPlan, PsuSet, Rack, RackCircuit, Supply
from facility.model.power.hall_distribution import PanelBasis
from facility.power.panels.board.currents import class_power, currents
from facility.power.panels.design.groups import rack_names
from facility.power.panels.design.halls import PanelSet, build_panels
from facility.power.panels.design.racks import outlet_banks, supply_power
from facility.power.panels.design.supplies_lost import one_sector, supply_name
from facility.study.resolve.facility import resolve
from facility.study.verification.power.panel_cases import NEC
from tests.power.panels.helpers import DGX, MAKER, SHELF, build, frame, plan, rack

PHASE_V = 415.0 / math.sqrt(3.0)


def server(supplies: int = 2, power_w: float = 2000.0, pf: float = 1.0) -> Rack:
    """Return a rack of one server, all its supplies on one 3-pole circuit of feed A."""
    psu = PsuSet(supplies, 1, 3000.0, 200.0, 240.0, 1, pf, (), MAKER)
    device = replace(DGX, model="R1", maximum_w=power_w, psu=psu)
    return rack(1, "A", devices=1, device=device, breaker_a=None)


def test_the_other_leg_doubles() -> None:
    """2 kW on banks 1 and 2: 4.17 A on two legs; one supply lost: 8.35 A on one."""
    trace = Trace()
    found = build(server(), basis=frame(feeds="A"), trace=trace)
    assert sorted(found.line_a[0, 0, :3]) == pytest.approx([0.0, 1000 / PHASE_V, 1000 / PHASE_V])
    assert found.current_max_a == pytest.approx([2000.0 / PHASE_V])
    assert (found.supplies, found.supplies_covered) == (2, 0)
    lost = found.lost[0]
    assert lost is not None
    assert lost.states == 2
    assert sorted(lost.line_a[:3]) == pytest.approx([0.0, 0.0, 2000.0 / PHASE_V])
    assert lost.state in ("supply 1 of R1 in compute lost", "supply 2 of R1 in compute lost")
    assert trace.value("panel.RPP-A01.current_max") == pytest.approx(2000.0 / PHASE_V)
    assert lost.state in "\n".join(explain(trace, "panel.RPP-A01.current_max"))
    assert trace.value("panels.lost_supplies") == 2.0
    assert found.current_max_a.max() == pytest.approx(2000.0 / PHASE_V)
    (worst_a,) = found.worst_by_inlet(lambda _: True).values()
    assert worst_a == pytest.approx(2000.0 / PHASE_V)


def test_the_breaker_covers_the_leg_with_a_supply_lost() -> None:
    """4.5 kW: 9.4 A a leg, 11.7 A with 125 %; with a supply lost 18.8 and 23.5 A."""
    found = build(server(power_w=4500.0), basis=frame(feeds="A"))
    assert found.panels[0].circuits[0].breaker_a == 25.0
    assert not any(check.failed for check in found.checks if check.rule == "BRANCH-LOAD")


def test_a_breaker_given_too_small_is_found_by_the_supply_lost() -> None:
    kind = server(power_w=4500.0)
    small = replace(kind, circuits=(replace(kind.circuits[0], breaker_a=15.0),))
    found = build(small, basis=frame(feeds="A"))
    (bad,) = (c for c in found.checks if c.rule == "BRANCH-LOAD" and c.failed)
    assert bad.subject == "RPP-A01, supply 1 of R1 in compute lost"
    assert bad.value == pytest.approx(4500.0 / PHASE_V)
    assert bad.limit == pytest.approx(12.0)
    assert "at least 23.5 A required" in bad.why


def test_the_bus_is_not_filled_beyond_its_limit_with_a_supply_lost() -> None:
    """60 racks of 2 kW: 16 A bus, 12.8 A continuous."""
    found = build(replace(server(), count=60), basis=frame(feeds="A", bus_a=16.0, main_a=16.0))
    assert found.current_max_a.max() <= found.limit_a == pytest.approx(12.8)
    assert all(lost is not None for lost in found.lost)
    checks = [c for c in found.checks if c.rule == "PANEL-LOAD" and "supply" in c.subject]
    assert checks
    assert not any(check.failed for check in checks)


def test_dual_corded_racks_need_no_further_state() -> None:
    for kind in (rack(10), rack(10, "AB"), rack(4, "AB", device=SHELF, breaker_a=None)):
        found = build(kind)
        assert found.supplies == found.supplies_covered == kind.count * len(kind.supplies)
        assert found.lost == (None,) * found.count


def test_supplies_on_one_leg_take_over_without_a_change() -> None:
    """Both supplies on one 1-pole circuit: the leg carries the same."""
    found = build(
        rack(3, "A", devices=2, poles=1, device=server().placed[0].device, breaker_a=None),
        basis=frame(feeds="A"),
    )
    assert found.supplies == found.supplies_covered == 12


def test_a_single_supply_takes_its_load_along() -> None:
    found = build(server(supplies=1), basis=frame(feeds="A"))
    assert found.supplies_covered == 1
    assert found.lost == (None,)


def test_supplies_are_named_by_device() -> None:
    kind = rack(1, "A", devices=2)
    assert supply_name(kind, 1) == "supply 2 of DGX H100 no. 1"
    assert supply_name(kind, 6) == "supply 1 of DGX H100 no. 2"


def test_sector_of_what_loads_add_to_a_line() -> None:
    """30 degrees are a power factor of 0.866; loads to neutral alone may differ by 90."""
    assert one_sector([1.0, 0.87], line_to_line=True)
    assert not one_sector([1.0, 0.86], line_to_line=True)
    assert one_sector([0.90, 0.80], line_to_line=True)
    assert one_sector([1.0, 0.01], line_to_line=False)


def test_loads_that_may_cancel_each_other_are_looked_at() -> None:
    """Power factors 1 and 0.4 on pairs of lines add at up to 126 degrees: less may be more."""
    kind = rack(
        2, "A", devices=2, device=server(1).placed[0].device, poles=2, whips=2, breaker_a=None
    )
    apart = tuple(Supply(n, "A", n) for n in range(2))
    found = build(
        replace(kind, supplies=apart, device_pf=(1.0, 0.4)), basis=frame("208Y/120", feeds="A")
    )
    assert (found.supplies, found.supplies_covered) == (4, 0)
    assert [lost.states for lost in found.lost if lost is not None] == [4]
    near = build(
        replace(kind, supplies=apart, device_pf=(1.0, 0.9)), basis=frame("208Y/120", feeds="A")
    )
    assert near.supplies_covered == 4


def _every_loss(it: ItPlan, basis: PanelBasis, found: PanelSet) -> list[tuple[float, float]]:
    """Return, panel by panel, the largest line current of any supply lost, and that reported.

    Every supply of every rack is lost by itself, its device's power shared by those left.
    """
    kinds = dict(rack_names(it))
    every = [_legs(kind, it, basis) for kind in it.racks]
    worst = [0.0] * found.count
    for index, panel in enumerate(found.panels):
        each = [class_power(c, panel.start(c) or 0, len(panel.states))[0] for c in panel.circuits]
        normal = np.sum(each, axis=0)
        racks: dict[str, list[int]] = {}
        for number, circuit in enumerate(panel.circuits):
            racks.setdefault(circuit.rack, []).append(number)
        for name, members in racks.items():
            kind = it.racks[kinds[name]]
            seats = {_number(kind, panel.side, panel.circuits[m].ordinal): m for m in members}
            legs = every[kinds[name]]
            for lost in range(len(kind.supplies)):
                total = normal.copy()
                for given_number, member in seats.items():
                    circuit = panel.circuits[member]
                    now = legs[lost][given_number]
                    power = [now[b] for b in circuit.banks] if circuit.poles == 3 else now[:1]
                    changed = replace(circuit, power_va=(tuple(power),))
                    start = panel.start(circuit) or 0
                    total += class_power(changed, start, 1)[0] - each[member]
                lines = np.abs(currents(total, panel.v_ll))[:3]
                worst[index] = max(worst[index], float(lines.max()))
    return list(zip(worst, found.current_max_a.tolist(), strict=True))


def _number(kind: Rack, feed: str, ordinal: int) -> int:
    on_feed = [n for n, circuit in enumerate(kind.circuits) if circuit.feed == feed]
    return on_feed[ordinal]


def _legs(kind: Rack, it: ItPlan, basis: PanelBasis) -> list[list[list[complex]]]:
    """Return the legs by supply lost, circuit and bank, added up supply by supply [VA]."""
    seen = supply_power(kind, it, basis.feeds)
    banks: dict[int, int] = {}
    for number in range(len(kind.circuits)):
        mine = [n for n, s in enumerate(kind.supplies) if s.circuit == number]
        three = np.array([kind.device_phases[kind.supplies[n].device] == 3 for n in mine])
        if mine:
            banks |= dict(zip(mine, outlet_banks(seen[:, mine], three).tolist(), strict=True))
    found = []
    for lost in range(len(kind.supplies)):
        legs = [[0j] * 3 for _ in kind.circuits]
        alive = Counter(s.device for n, s in enumerate(kind.supplies) if n != lost)
        for n, supply in enumerate(kind.supplies):
            if n == lost:
                continue
            watts = kind.device_w[supply.device] * it.demand_factor
            watts *= (1.0 + it.rack_pdu_loss_fraction) / alive[supply.device]
            va = complex(watts, watts * math.tan(math.acos(kind.device_pf[supply.device])))
            if kind.circuits[supply.circuit].poles < 3:
                legs[supply.circuit][0] += va
            elif banks[n] < 0:
                legs[supply.circuit] = [leg + va / 3.0 for leg in legs[supply.circuit]]
            else:
                legs[supply.circuit][banks[n]] += va
        found.append(legs)
    return found


@pytest.mark.parametrize("name", ["h100-10k", "mixed-hall", "nvl72-hall", "dgx-su-32"])
def test_no_supply_lost_exceeds_what_is_reported_of_a_reference_project(name: str) -> None:
    trace = Trace()
    facility, _ = resolve(load_project(reference_path("projects", f"{name}.yaml")), trace)
    basis = facility.power.panels
    found = build_panels(facility.it, basis, facility.criteria, trace)
    for worst, reported in _every_loss(facility.it, basis, found):
        assert worst <= reported * (1.0 + 1e-9)
    assert found.supplies == sum(kind.count * len(kind.supplies) for kind in facility.it.racks)


@st.composite
def racks(draw: st.DrawFn) -> Rack:
    """Draw a kind of rack: its supplies on any circuits, some feeds, of any power factors.

    Each device draws what one of its supplies of 3.3 kW can carry.
    """
    feeds = draw(st.sampled_from(["A", "AB", "ABC"]))
    circuits = tuple(
        RackCircuit(draw(st.sampled_from(feeds)), draw(st.sampled_from([1, 2, 3])), None, "")
        for _ in range(draw(st.integers(1, 3)))
    )
    devices = draw(st.integers(1, 3))
    supplies = []
    for device in range(devices):
        for _ in range(draw(st.integers(1, 4))):
            circuit = draw(st.integers(0, len(circuits) - 1))
            supplies.append(Supply(device, circuits[circuit].feed, circuit))
    watts = tuple(draw(st.floats(200.0, 3300.0)) for _ in range(devices))
    factors = tuple(draw(st.sampled_from([1.0, 0.98, 0.9, 0.7, 0.4])) for _ in range(devices))
    return replace(
        rack(draw(st.integers(1, 4)), feeds, devices=devices),
        circuits=circuits,
        supplies=tuple(supplies),
        device_w=watts,
        device_peak_w=watts,
        device_pf=factors,
        device_phases=tuple(draw(st.sampled_from([1, 1, 3])) for _ in range(devices)),
    )


@settings(max_examples=60, deadline=None)
@given(racks(), st.sampled_from(["415Y/240", "208Y/120"]))
def test_no_supply_lost_exceeds_what_is_reported(kind: Rack, system: str) -> None:
    it, basis = plan(kind), frame(system)
    found = build_panels(it, basis, NEC, Trace())
    for worst, reported in _every_loss(it, basis, found):
        assert worst <= reported * (1.0 + 1e-9)
