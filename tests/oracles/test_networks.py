"""The recorded networks are sane: the recorded answers satisfy the equations of the tables.

None of this runs a solver of the product. Kirchhoff's laws are applied to the recorded answers, and
a plain sweep over the tables finds the same voltages, so that the tables alone define the problem.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.oracles.networks import (
    DATA,
    Branch,
    Network,
    Recorded,
    States,
    Transformer,
    read_network,
    read_recorded,
    read_states,
    rows,
)

VOLTAGE_PU = 1e-4
BASE_VA = 1e6


@lru_cache(maxsize=1)
def two_n() -> tuple[Network, States, Recorded]:
    network = read_network("network_190")
    states = read_states("network_190", network)
    return network, states, read_recorded("network_190", network, states)


def impedance_pu(network: Network, element: Branch | Transformer) -> complex:
    """Series impedance on `BASE_VA` and the nominal voltage of the to-side."""
    if isinstance(element, Transformer):
        percent = complex(
            element.vkr_percent, (element.vk_percent**2 - element.vkr_percent**2) ** 0.5
        )
        return percent / 100.0 * BASE_VA / (element.sn_kva * 1e3)
    nominal_v = network.buses[network.bus_index[element.to_bus]].nominal_kv * 1e3
    return complex(element.r_ohm, element.x_ohm) * BASE_VA / nominal_v**2


def sweep(
    network: Network, power: NDArray[np.complex128], in_service: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Return voltage magnitudes by bus and state of a radial network, balanced.

    The no-load loss of a transformer stands half at each end as a conductance. Elements are
    listed from the source outwards.
    """
    index = network.bus_index
    ends = [(index[e.from_bus], index[e.to_bus]) for e in network.elements]
    order = outwards(network, ends)
    source = np.array([np.nan if b.source_pu is None else b.source_pu for b in network.buses])
    alive = np.repeat(~np.isnan(source)[:, None], power.shape[1], axis=1)
    half = (
        np.array(
            [e.pfe_kw * 500.0 if isinstance(e, Transformer) else 0.0 for e in network.elements]
        )
        / BASE_VA
    )
    ohm = [impedance_pu(network, e) for e in network.elements]
    voltage = np.ones(power.shape, dtype=np.complex128)
    root = np.arange(len(network.buses))
    for e in order:
        start, end = ends[e]
        root[end] = root[start]
        alive[end] = alive[start] & in_service[e]
    voltage[:] = source[root][:, None]
    for _ in range(60):
        drawn = np.where(alive, np.conj(power / BASE_VA / voltage), 0.0)
        series = np.zeros((len(ends), power.shape[1]), dtype=np.complex128)
        for e in reversed(order):
            start, end = ends[e]
            series[e] = np.where(alive[end], drawn[end] + half[e] * voltage[end], 0.0)
            drawn[start] += series[e] + np.where(alive[end], half[e] * voltage[start], 0.0)
        for e in order:
            start, end = ends[e]
            voltage[end] = voltage[start] - ohm[e] * series[e]
    return np.where(alive, np.abs(voltage), np.nan)


def outwards(network: Network, ends: list[tuple[int, int]]) -> list[int]:
    """Return the elements, each after the one that supplies it."""
    reached = {i for i, bus in enumerate(network.buses) if bus.source_pu is not None}
    order: list[int] = []
    while len(order) < len(ends):
        ready = [e for e, (a, _) in enumerate(ends) if a in reached and e not in order]
        assert ready, "an element that no source reaches"
        order += ready
        reached |= {ends[e][1] for e in ready}
    return order


# --- the radial network of 16 buses -------------------------------------------------------------


def test_radial_network_closes_its_power_balance() -> None:
    network = read_network("radial_16")
    found = {r["element"]: r for r in rows(DATA / "radial_16" / "found_elements.csv")}
    assert set(found) == {e.id for e in network.elements}
    (from_source,) = (e for e in network.elements if e.from_bus == "UTIL")
    sent_kw = float(found[from_source.id]["from_kw"])
    loss_kw = sum(float(r["loss_kw"]) for r in found.values())
    load_kw = sum(load.p_kw for load in network.loads)
    assert sent_kw == pytest.approx(load_kw + loss_kw, abs=1e-4)
    assert loss_kw > 20.0


def test_radial_network_is_of_two_voltages_and_twelve_buses_or_more() -> None:
    network = read_network("radial_16")
    assert len(network.buses) >= 12
    assert Counter(b.nominal_kv for b in network.buses) == {13.8: 6, 0.48: 10}
    assert len(network.elements) == len(network.buses) - 1
    assert all(u.pfe_kw > 0.0 and 0.0 < u.vkr_percent < u.vk_percent for u in network.transformers)


def test_radial_loadings_are_the_currents_over_the_ratings() -> None:
    network = read_network("radial_16")
    found = {r["element"]: r for r in rows(DATA / "radial_16" / "found_elements.csv")}
    for branch in network.branches:
        row = found[branch.id]
        largest_a = max(float(row["from_a"]), float(row["to_a"]))
        assert float(row["loading_percent"]) == pytest.approx(100 * largest_a / branch.rating_a)
        loss_kw = 3e-3 * branch.r_ohm * float(row["to_a"]) ** 2
        assert float(row["loss_kw"]) == pytest.approx(loss_kw, rel=1e-6)


def test_radial_voltages_follow_from_the_tables() -> None:
    network = read_network("radial_16")
    power = np.zeros((len(network.buses), 1), dtype=np.complex128)
    for load in network.loads:
        power[network.bus_index[load.bus], 0] += complex(load.p_kw, load.q_kvar) * 1e3
    voltage = sweep(network, power, np.ones((len(network.elements), 1), dtype=np.bool_))
    recorded = {
        r["bus"]: float(r["voltage_pu"]) for r in rows(DATA / "radial_16" / "found_buses.csv")
    }
    assert set(recorded) == set(network.bus_index)
    for bus, at in network.bus_index.items():
        assert voltage[at, 0] == pytest.approx(recorded[bus], abs=0.01 * VOLTAGE_PU), bus


# --- the 2N network of 190 buses ----------------------------------------------------------------


def test_two_n_network_has_its_size_and_is_two_trees() -> None:
    network, states, recorded = two_n()
    assert len(network.buses) == 190
    assert sum(bus.source_pu is not None for bus in network.buses) == 2
    assert len(network.elements) == 188
    assert Counter(e.to_bus for e in network.elements).most_common(1)[0][1] == 1
    assert recorded.voltage_pu.shape == states.p_w.shape == (190, len(states.names))
    assert recorded.solver == "pandapower"


def test_states_are_many_and_all_different() -> None:
    network, states, _ = two_n()
    assert len(states.names) >= 500
    assert len(set(states.outages)) == len(states.outages)
    assert Counter(map(len, states.outages))[1] == len(network.elements)
    assert len({column.tobytes() for column in states.p_w.T}) == len(states.names)
    assert [int(n) for n in (~states.in_service).sum(axis=0)] == [len(o) for o in states.outages]


def test_dead_buses_are_those_behind_an_outage_and_carry_no_load() -> None:
    network, states, recorded = two_n()
    dead = np.isnan(recorded.voltage_pu)
    assert not dead[:, 0].any()
    assert np.all(states.p_w[dead] == 0.0)
    assert np.all(states.q_var[dead] == 0.0)
    index = network.bus_index
    for e, element in enumerate(network.elements):
        expected = dead[index[element.from_bus]] | ~states.in_service[e]
        assert np.array_equal(dead[index[element.to_bus]], expected), element.id


def test_every_rack_that_has_a_live_cord_is_served() -> None:
    """The load of a state is between 85 and 100 % of the racks that still have a live panel."""
    network, states, recorded = two_n()
    alive = ~np.isnan(recorded.voltage_pu)
    fed_w = np.zeros(len(states.names))
    for rack in rows(DATA / "network_190" / "racks.csv"):
        a, b = (alive[network.bus_index[rack[side]]] for side in ("a_bus", "b_bus"))
        fed_w += float(rack["p_w"]) * (a | b)
    served_w = states.p_w.sum(axis=0)
    assert served_w[0] == fed_w[0] == 3_192_000.0
    assert np.all((served_w > 0.85 * fed_w) & (served_w < fed_w + 100.0))
    assert np.all(fed_w[1:189] == fed_w[0])  # no single outage drops load
    assert (fed_w < fed_w[0]).any()  # some double outages do


def test_two_n_voltages_follow_from_the_tables_in_every_state() -> None:
    network, states, recorded = two_n()
    voltage = sweep(network, states.p_w + 1j * states.q_var, states.in_service)
    assert np.array_equal(np.isnan(voltage), np.isnan(recorded.voltage_pu))
    assert np.nanmax(np.abs(voltage - recorded.voltage_pu)) < 0.01 * VOLTAGE_PU
    assert np.nanmin(recorded.voltage_pu) < 0.97
