"""Generated networks: what each scheme survives, and invariants of their power flow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.model.power.redundancy import SCHEMES
from facility.power.network.flow.solve import Flow, base_state, compile_network, solve, solve_from
from facility.power.network.flow.transfer import route
from facility.power.network.graph.types import SOURCES, Cord, Link, Load, LoadKind, Network, Outage
from tests.power.network.schemes import SchemeOptions, scheme_network, sharing_kind

RACKS = 12
LOAD_W = 1.2e6
MANY = ("5N/4", "6N/5")
"""Schemes of ten and fifteen pairs of feeds, each of which takes a rack."""

NORMAL = Outage("normal")
UNEVEN = (0.5, 0.3, 0.2)


def lost(network: Network, kind: str) -> list[Outage]:
    """Return the loss of each piece of equipment of a kind."""
    return [Outage(e.tag, (e.tag,)) for e in network.equipment if e.kind == kind]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_normal_state_and_loss_of_utility(scheme: str) -> None:
    network = scheme_network(scheme, LOAD_W, SchemeOptions(racks=RACKS))
    flow = solve(compile_network(network), [NORMAL, Outage("utility", ("UTILITY",))])
    assert network.balanced
    assert flow.dropped_w.sum() == 0.0
    assert not flow.unprotected.any()
    assert np.nanmax(flow.loading) <= 1.0
    assert np.nanmax(flow.circuit_loading) <= 1.0
    assert np.nanmin(flow.load_voltage_pu) > 0.9


@pytest.mark.parametrize("scheme", SCHEMES)
def test_what_each_scheme_survives(scheme: str) -> None:
    """A module lost, and a system lost, of modules of 250 kVA for 1.34 MVA at the UPS.

    Normal load over the modules left: N 1.34 / 1.25, 4N/3 0.33 / 0.25 of a system, a block
    0.45 / 0.25; the others stay under their rating. A lost system is carried where there are
    several.
    """
    network = scheme_network(scheme, LOAD_W, SchemeOptions(racks=RACKS, module_w=250e3))
    modules = [
        Outage(e.unit_tags[0], e.unit_tags[:1]) for e in network.equipment if e.kind == "ups"
    ]
    systems = lost(network, "ups-output")
    flow = solve(compile_network(network), [*modules, *systems])
    ups = [n for n, e in enumerate(network.equipment) if e.kind == "ups"]
    by_module = flow.loading[ups][:, : len(modules)]
    assert (np.nanmax(by_module) > 1.0) == (scheme in ("N", "4N/3", "block-redundant", *MANY))
    several = len(systems) > 1
    after = slice(len(modules), None)
    assert (flow.dropped_w[:, after].sum() == 0.0) == several
    if several:
        assert np.nanmax(flow.loading[ups][:, after]) <= 1.0
        assert not flow.unprotected[:, after].any()


def test_distributed_groups_of_unequal_size() -> None:
    groups = {("A", "B"): 0.5, ("B", "C"): 0.25, ("C", "A"): 0.25}
    network = scheme_network("3N/2", LOAD_W, SchemeOptions(racks=RACKS, groups=groups))
    flow = solve(compile_network(network), [NORMAL, *lost(network, "ups-output")])
    racks_w = np.array([flow.output_w[network.index[f"UPS-{s}"]] for s in "ABC"])
    expected = np.array([[4.5, 0, 7.5, 6], [4.5, 7.5, 0, 6], [3, 4.5, 4.5, 0]]) / 12 * LOAD_W
    assert racks_w == pytest.approx(expected, rel=0.05)
    assert flow.dropped_w.sum() == 0.0


def test_the_reserve_catches_a_block() -> None:
    network = scheme_network("block-redundant", LOAD_W, SchemeOptions(racks=RACKS))
    flow = solve(compile_network(network), [NORMAL, Outage("block", ("OUT-P1",))])
    reserve, sts = network.index["UPS-R"], network.index["STS-P1-A-1"]
    assert flow.output_w[reserve] == pytest.approx([0.0, LOAD_W / 3], rel=0.05, abs=1e-6)
    assert flow.taken[sts].tolist() == [0, 1]


def test_n_corded_racks() -> None:
    network = scheme_network("N", LOAD_W, SchemeOptions(racks=RACKS, feeds=("A", "B", "C")))
    flow = solve(compile_network(network), [NORMAL, Outage("a", ("PDU-A-1",))])
    assert flow.pattern[0].tolist() == [7, 6]


@st.composite
def cases(draw: st.DrawFn) -> tuple[Network, list[Outage]]:
    """Return a small network of any scheme, balanced or not, and a few outages."""
    scheme = draw(st.sampled_from(SCHEMES))
    options = SchemeOptions(
        racks=draw(st.integers(3, 9) if scheme not in MANY else st.integers(15, 18)),
        racks_per_panel=draw(st.integers(1, 4)),
        panels_per_pdu=2,
        power_factor=draw(st.floats(0.8, 1.0)),
        ties=draw(st.booleans()),
        legs=draw(st.sampled_from([SchemeOptions().legs, UNEVEN])),
    )
    network = scheme_network(scheme, draw(st.floats(1e4, 3e6)), options)
    if not network.balanced and draw(st.booleans()):
        network = between_phases(network)
    tags = [unit for e in network.equipment for unit in e.unit_tags]
    tags += [link.circuit for _, link in network.links if link.circuit]
    outs = draw(st.lists(st.lists(st.sampled_from(tags), max_size=5), min_size=1, max_size=4))
    return network, [Outage(f"{n}", tuple(out)) for n, out in enumerate(outs)]


def between_phases(network: Network) -> Network:
    """Return the network with half of each load between phases."""
    kinds: dict[int, LoadKind] = {}
    for load in network.loads:
        half = load.kind.neutral_va / 2.0
        kinds.setdefault(id(load.kind), replace(load.kind, neutral_va=half, pair_va=half))
    loads = [replace(load, kind=kinds[id(load.kind)]) for load in network.loads]
    return Network(network.equipment, tuple(loads))


def run(network: Network, outages: Sequence[Outage], *, batteries: bool = False) -> Flow:
    return solve(compile_network(network), outages, batteries=batteries)


def served_w(network: Network, flow: Flow) -> np.ndarray:
    return np.array([[load.kind.total_w] for load in network.loads]) - flow.dropped_w


@settings(max_examples=25)
@given(cases(), st.booleans())
def test_energy_closes(case: tuple[Network, list[Outage]], batteries: bool) -> None:
    network, outages = case
    flow = run(network, outages, batteries=batteries)
    sources = [n for n, e in enumerate(network.equipment) if e.kind in SOURCES]
    given_w = flow.output_w[sources].sum(axis=0)
    given_w += ((flow.output_w + flow.loss_w) * flow.on_battery).sum(axis=0)
    used_w = served_w(network, flow).sum(axis=0) + flow.loss_w.sum(axis=0)
    used_w += flow.circuit_loss_w.sum(axis=0)
    total_w = sum(load.kind.total_w for load in network.loads)
    assert np.abs(given_w - used_w).max() <= 1e-9 * total_w


@settings(max_examples=25)
@given(cases(), st.booleans())
def test_a_state_solved_from_the_base_state_is_that_of_the_whole(
    case: tuple[Network, list[Outage]], batteries: bool
) -> None:
    """Each outage alone, so that all it does not touch is taken over; then all of them at once.

    PDUs of two units, one of them lost, so that something changes below a converter that lives.

    Both stop when a voltage changes by less than 1e-9 of nominal, each after its own rounds.
    """
    network, outages = case
    pairs = [
        replace(one, units=(f"{one.tag}-X", f"{one.tag}-Y")) if one.kind == "pdu" else one
        for one in network.equipment
    ]
    outages += [Outage(one.tag, one.units[:1]) for one in pairs if one.kind == "pdu"][:1]
    compiled = compile_network(Network(tuple(pairs), network.loads, balanced=network.balanced))
    base = base_state(compiled, batteries=batteries)
    whole = solve(compiled, outages, batteries=batteries)
    every = list(range(len(outages)))
    for asked in (*([n] for n in every), every):
        wanted = [outages[n] for n in asked]
        for states, flow in solve_from(base, wanted, route(compiled, wanted, batteries)):
            for name, found in vars(flow).items():
                if isinstance(found, np.ndarray):
                    expected = getattr(whole, name)[..., np.array(asked)[states]]
                    np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-6, err_msg=name)


@settings(max_examples=25)
@given(cases(), st.data())
def test_removing_a_component_serves_no_more(
    case: tuple[Network, list[Outage]], data: st.DataObject
) -> None:
    network, outages = case
    tag = data.draw(st.sampled_from([e.tag for e in network.equipment]))
    more = [replace(outage, maintained=(tag,)) for outage in outages]
    before, after = run(network, outages), run(network, more)
    assert np.all(served_w(network, after) <= served_w(network, before))
    assert np.all(after.live <= before.live)


@settings(max_examples=15)
@given(cases(), st.floats(0.1, 3.0))
def test_currents_scale_with_the_loads(case: tuple[Network, list[Outage]], factor: float) -> None:
    network, outages = case
    equipment = [
        replace(
            one,
            resistance_ohm=0.0,
            reactance_ohm=0.0,
            no_load_w=0.0,
            converter=None,
            links=tuple(replace(k, resistance_ohm=0.0, reactance_ohm=0.0) for k in one.links),
        )
        for one in network.equipment
    ]
    loads = [
        replace(
            load,
            cords=tuple(Cord(Link(cord.link.source, cord.link.circuit)) for cord in load.cords),
        )
        for load in network.loads
    ]
    ideal = Network(tuple(equipment), tuple(loads), balanced=network.balanced)
    compiled = compile_network(ideal)
    once = solve(compiled, outages)
    scaled = solve(compiled, outages, load_factor=np.full((len(loads), len(outages)), factor))
    np.testing.assert_allclose(scaled.current_a, once.current_a * factor, rtol=1e-9, atol=1e-9)
    assert np.nanmin(once.voltage_pu, initial=1.0) == pytest.approx(1.0, abs=1e-12)


@settings(max_examples=15)
@given(cases())
def test_cyclic_relabelling_of_the_phases(case: tuple[Network, list[Outage]]) -> None:
    network, outages = case
    network = Network(network.equipment, network.loads, balanced=False)

    def turned(cord: Cord) -> Cord:
        a, b, c = ((phase + 1) % 3 for phase in cord.phases)
        return replace(cord, phases=(a, b, c))

    loads = [replace(load, cords=tuple(map(turned, load.cords))) for load in network.loads]
    one = run(network, outages)
    other = run(Network(network.equipment, tuple(loads)), outages)
    np.testing.assert_allclose(
        other.current_a, np.roll(one.current_a, 1, axis=1), rtol=1e-7, atol=1e-6
    )
    for name in ("voltage_pu", "loading", "load_voltage_pu", "circuit_loading", "loss_w"):
        np.testing.assert_allclose(
            getattr(other, name), getattr(one, name), rtol=1e-7, atol=1e-6, err_msg=name
        )


@settings(max_examples=15)
@given(cases(), st.data())
def test_a_unit_more_never_raises_a_loading(
    case: tuple[Network, list[Outage]], data: st.DataObject
) -> None:
    """Apart from the fixed losses of the unit itself, which are left out here."""
    network, outages = case
    lossless = [
        replace(
            one, no_load_w=0.0, converter=one.converter and replace(one.converter, constant=0.0)
        )
        for one in network.equipment
    ]
    row = data.draw(st.integers(0, len(lossless) - 1))
    more = list(lossless)
    more[row] = replace(more[row], units=(*more[row].unit_tags, "one more"))
    before = run(Network(tuple(lossless), network.loads, balanced=network.balanced), outages)
    after = run(Network(tuple(more), network.loads, balanced=network.balanced), outages)
    same = (after.pattern == before.pattern).all(axis=0) & (after.taken == before.taken).all(axis=0)
    assert np.all(
        np.nan_to_num(after.loading[:, same]) <= np.nan_to_num(before.loading[:, same]) + 1e-8
    )


def test_sharing_kind() -> None:
    kind = sharing_kind("k", 900.0, 3, 0.9)
    assert kind.neutral_va.real.sum(axis=(1, 2)) == pytest.approx([0, *[900.0] * 7])
    assert kind.neutral_va[5].real.sum(axis=1) == pytest.approx([450.0, 0.0, 450.0])
    assert kind.neutral_va[7].imag.sum() == pytest.approx(900.0 * np.tan(np.arccos(0.9)))
    assert kind.dropped_w.tolist() == [900.0, *[0.0] * 7]


def test_loads_keep_their_cords() -> None:
    network = scheme_network("2N", LOAD_W, SchemeOptions(racks=RACKS))
    assert all(isinstance(load, Load) and len(load.cords) == 2 for load in network.loads)
    assert {cord.link.source[:5] for load in network.loads for cord in load.cords} == {
        "PNL-A",
        "PNL-B",
    }
