"""Power flow and transfer against hand-solved and densely solved networks."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import root

from facility.core.errors import FacilityError
from facility.power.network.flow import compile as network_compile
from facility.power.network.flow import solve as network_solve
from facility.power.network.flow import sweep as network_sweep
from facility.power.network.flow.solve import compile_network, solve
from facility.power.network.graph.types import (
    Converter,
    Cord,
    Equipment,
    Link,
    Load,
    LoadKind,
    Network,
    Outage,
)
from tests.power.network.schemes import SchemeOptions, scheme_network, sharing_kind

NORMAL = Outage("normal")


def single(name: str, neutral_va: list[complex], pair_va: list[complex]) -> LoadKind:
    """Return a single-corded load."""
    neutral, pair = np.zeros((2, 2, 1, 3), dtype=np.complex128)
    neutral[1, 0], pair[1, 0] = neutral_va, pair_va
    total = float((neutral + pair).real.sum())
    return LoadKind(name, neutral, pair, np.array([total, 0.0]), np.array([True, False]))


def test_two_buses_by_the_quadratic() -> None:
    """|V|^4 + (2 Re(z* S) - 1) |V|^2 + |z S|^2 = 0 in per unit, the larger root."""
    base_va, volts = 1e6, 480.0
    z_ohm, power_va = complex(0.004, 0.01), complex(600e3, 250e3)
    link = Link("U", "C", z_ohm.real, z_ohm.imag, 800.0)
    network = Network(
        (
            Equipment("U", "utility", volts),
            Equipment("P", "panel", volts, (link,), rating_a=1000.0),
        ),
        (Load("L", single("l", [power_va / 3] * 3, [0] * 3), (Cord(Link("P")),)),),
        balanced=True,
    )
    flow = solve(compile_network(network), [NORMAL])
    z, s = z_ohm * base_va / volts**2, power_va / base_va
    b = 2.0 * (z.conjugate() * s).real - 1.0
    square = (-b + math.sqrt(b * b - 4.0 * abs(z * s) ** 2)) / 2.0
    amperes = abs(power_va) / (math.sqrt(3.0 * square) * volts)
    assert flow.voltage_pu[1, 0] == pytest.approx(math.sqrt(square), abs=1e-9)
    assert flow.current_a[1, 0, 0] == pytest.approx(amperes, rel=1e-8)
    assert flow.loading[1, 0] == pytest.approx(amperes / 1000.0, rel=1e-8)
    assert flow.circuit_loading[0, 0] == pytest.approx(amperes / 800.0, rel=1e-8)
    assert flow.circuit_loss_w[0, 0] == pytest.approx(3 * amperes**2 * z_ohm.real, rel=1e-8)
    assert flow.output_va[1, 0] == pytest.approx(abs(power_va), rel=1e-8)


NEUTRAL_VA = [60e3 + 12e3j, 25e3 + 9e3j, 4e3 - 1e3j]
PAIR_VA = [30e3 + 4e3j, 0j, 18e3 + 6e3j]
Z_CABLE, Z_TX, Z_FEEDER, Z_CORD = 0.9 + 0.6j, 0.006 + 0.03j, 0.008 + 0.005j, 0.02 + 0.004j
NO_LOAD_W = 1500.0


def dense_currents(volts: np.ndarray) -> np.ndarray:
    """Return the phase currents of the unbalanced load at phase voltages [A]."""
    ab, bc, ca = volts - np.roll(volts, -1)
    pair = np.conj(np.array(PAIR_VA) / np.array([ab, bc, ca]))
    return np.conj(np.array(NEUTRAL_VA) / volts) + pair - np.roll(pair, 1)


def dense_solution() -> tuple[np.ndarray, np.ndarray]:
    """Solve in volts and amperes with a delta-wye transformer of true phase shift.

    Returns the voltages of transformer, panel and cord end, and the currents of the utility.
    """
    ratio = 480.0 / 13_800.0 / math.sqrt(3.0)
    source = 13_800.0 / math.sqrt(3.0) * np.exp(-2j * np.pi / 3 * np.arange(3))
    shunt = NO_LOAD_W / 480.0**2

    def residual(x: np.ndarray) -> np.ndarray:
        high, low, panel, cord = (x[:12] + 1j * x[12:]).reshape(4, 3)
        drawn = dense_currents(cord)
        secondary = drawn + shunt * low
        primary = ratio * (secondary - np.roll(secondary, -1))
        parts = (
            source - Z_CABLE * primary - high,
            ratio * (high - np.roll(high, 1)) - Z_TX * secondary - low,
            low - Z_FEEDER * drawn - panel,
            panel - Z_CORD * drawn - cord,
        )
        flat = np.concatenate(parts)
        return np.concatenate([flat.real, flat.imag])

    turned = source * 480.0 / 13_800.0 * np.exp(-1j * np.pi / 6)
    start = np.concatenate([source, turned, turned, turned])
    found = root(residual, np.concatenate([start.real, start.imag]), tol=1e-13)
    volts = (found.x[:12] + 1j * found.x[12:]).reshape(4, 3)
    assert np.abs(residual(found.x)).max() < 1e-6
    secondary = dense_currents(volts[3]) + shunt * volts[1]
    return volts[1:], ratio * (secondary - np.roll(secondary, -1))


def test_unbalanced_delta_wye_against_a_dense_solution() -> None:
    network = Network(
        (
            Equipment("U", "utility", 13_800.0),
            Equipment(
                "T",
                "transformer",
                480.0,
                (Link("U", "C-T", Z_CABLE.real, Z_CABLE.imag),),
                resistance_ohm=Z_TX.real,
                reactance_ohm=Z_TX.imag,
                no_load_w=NO_LOAD_W,
                delta_wye=True,
                rating_va=300e3,
            ),
            Equipment("P", "panel", 480.0, (Link("T", "C-P", Z_FEEDER.real, Z_FEEDER.imag),)),
        ),
        (
            Load(
                "L",
                single("l", NEUTRAL_VA, PAIR_VA),
                (Cord(Link("P", "C-L", Z_CORD.real, Z_CORD.imag)),),
            ),
        ),
    )
    flow = solve(compile_network(network), [NORMAL])
    volts, utility_a = dense_solution()
    least = np.abs(volts).min(axis=1) / (480.0 / math.sqrt(3.0))
    assert flow.voltage_pu[1:, 0] == pytest.approx(least[:2], abs=1e-8)
    assert flow.load_voltage_pu[0, 0] == pytest.approx(least[2], abs=1e-8)
    assert flow.current_a[0, :, 0] == pytest.approx(np.abs(utility_a), rel=1e-7)
    drawn = dense_currents(volts[2])
    assert flow.current_a[2, :, 0] == pytest.approx(np.abs(drawn), rel=1e-7)
    assert flow.neutral_a is not None
    assert flow.neutral_a[2, 0] == pytest.approx(abs(drawn.sum()), rel=1e-7)
    assert flow.neutral_a[0, 0] == pytest.approx(0.0, abs=1e-6)
    through = np.abs(drawn + NO_LOAD_W / 480.0**2 * volts[0]).max()
    assert flow.loading[1, 0] == pytest.approx(through * 480.0 * math.sqrt(3.0) / 300e3, rel=1e-7)
    winding_w = Z_TX.real * (np.abs(drawn + NO_LOAD_W / 480.0**2 * volts[0]) ** 2).sum()
    core_w = NO_LOAD_W / 480.0**2 * (np.abs(volts[0]) ** 2).sum()
    assert flow.loss_w[1, 0] == pytest.approx(winding_w + core_w, rel=1e-6)


def test_phases_of_a_cord() -> None:
    """Leg 1 on phase C, leg 2 on A: the pair 1-2 hangs between C and A."""
    kind = single("l", [0, 0, 3e3], [6e3, 0, 0])
    network = Network(
        (Equipment("U", "utility", 208.0), Equipment("P", "panel", 208.0, (Link("U"),))),
        (Load("L", kind, (Cord(Link("P"), (2, 0, 1)),)),),
    )
    flow = solve(compile_network(network), [NORMAL])
    pair_a, neutral_a = 6e3 / 208.0, 3e3 / (208.0 / math.sqrt(3.0))
    assert flow.current_a[1, :, 0] == pytest.approx([pair_a, neutral_a, pair_a], rel=1e-9)


def converter_network() -> Network:
    """Return a two-module UPS with a static bypass, without impedances."""
    converter = Converter(0.01, 0.02, 0.03, 0.8)
    return Network(
        (
            Equipment("U", "utility", 480.0),
            Equipment(
                "UPS",
                "ups",
                480.0,
                (Link("U", "C-UPS"),),
                ("UPS-1", "UPS-2"),
                rating_va=125e3,
                rating_w=100e3,
                converter=converter,
            ),
            Equipment("SB", "static-bypass", 480.0, (Link("U", "C-SB"),)),
            Equipment("OUT", "ups-output", 480.0, (Link("UPS"), Link("SB"))),
        ),
        (Load("L", single("l", [90e3, 30e3 + 40e3j, 0], [0, 0, 0]), (Cord(Link("OUT")),)),),
    )


def test_converter_by_hand() -> None:
    flow = solve(compile_network(converter_network()), [NORMAL, Outage("m", ("UPS-1",))])
    for state, units in enumerate((2, 1)):
        x = 120e3 / (units * 100e3)
        loss_w = units * 100e3 * (0.01 + 0.02 * x + 0.03 * x * x)
        assert flow.loss_w[1, state] == pytest.approx(loss_w, rel=1e-9)
        assert flow.output_w[0, state] == pytest.approx(120e3 + loss_w, rel=1e-9)
        assert flow.output_va[0, state] == pytest.approx((120e3 + loss_w) / 0.8, rel=1e-9)
        assert np.ptp(flow.current_a[0, :, state]) == pytest.approx(0.0, abs=1e-6)
        assert flow.loading[1, state] == pytest.approx(270e3 / (units * 100e3), rel=1e-9)


def test_converter_without_input() -> None:
    states = [Outage("loss", ("U",)), Outage("cable", ("C-UPS",)), Outage("ups", ("UPS",))]
    compiled = compile_network(converter_network())
    flow = solve(compiled, states)
    assert flow.live[3].tolist() == [False, True, True]
    assert flow.taken[3].tolist() == [-1, 1, 1]
    assert flow.unprotected[0].tolist() == [False, True, True]
    assert flow.dropped_w[0].tolist() == [120e3, 0.0, 0.0]
    assert not flow.on_battery.any()
    ride = solve(compiled, states, batteries=True)
    assert ride.on_battery[1].tolist() == [True, True, False]
    assert ride.taken[3].tolist() == [0, 0, 1]
    assert ride.unprotected[0].tolist() == [False, False, True]
    assert ride.output_w[0, 1] == 0.0
    assert ride.output_w[1, 1] == pytest.approx(120e3)
    assert np.isnan(flow.voltage_pu[3, 0])
    assert np.isnan(flow.loading[1, 2])


def test_transfer_of_a_2n_network() -> None:
    network = scheme_network("2N", 1e6, SchemeOptions(racks=8, ties=True))
    states = [
        NORMAL,
        Outage("utility", ("UTILITY",)),
        Outage("ats", ("ATS-A",)),
        Outage("board", ("BD-A",)),
        Outage("both", ("BD-A",), ("PDU-B-1",)),
    ]
    flow = solve(compile_network(network), states)
    taken = {tag: flow.taken[n].tolist() for tag, n in network.index.items()}
    assert taken["ATS-A"] == [0, 1, -1, 0, 0]
    assert taken["BD-A"] == [0, 0, 1, -1, -1]
    assert taken["OUT-A"] == [0, 0, 0, -1, -1]
    assert flow.pattern[0].tolist() == [3, 3, 3, 2, 0]
    assert flow.dropped_w.sum(axis=0) == pytest.approx([0, 0, 0, 0, 1e6])
    side = [n for n, one in enumerate(network.equipment) if one.tag.startswith(("PDU-B", "PNL-B"))]
    fed = [
        n
        for n, (_, link) in enumerate(network.links)
        if link.source.startswith(("OUT-B", "PDU-B", "PNL-B"))
    ]
    below_w = flow.loss_w[side].sum(axis=0) + flow.circuit_loss_w[fed].sum(axis=0)
    racks_w = flow.output_w[network.index["UPS-B"]] - below_w
    assert racks_w == pytest.approx([0.5e6, 0.5e6, 0.5e6, 1e6, 0.0], abs=1e-2)


def strips() -> Network:
    """Return a board with strips of one load each, and one of two, all on lossy circuits."""
    links = [Link("B", f"C{n}", 0.02 + 0.01 * n, 0.01 + 0.005 * n, 60.0) for n in range(4)]
    strip = [
        Equipment(f"S{n}", "rack-pdu", 415.0, (link,), rating_a=50.0)
        for n, link in enumerate(links)
    ]
    board = Equipment("B", "panel", 415.0, (Link("U", "C", 0.01, 0.02, 400.0),))
    kinds = [
        single("leg", [3e3 + 1e3j, 0, 0], [0, 0, 0]),
        single("pair", [0, 0, 0], [0, 5e3 + 1e3j, 0]),
        single("both", [2e3, 1e3j, 4e3], [1e3, 0, 2e3]),
    ]
    loads = [
        Load(f"L{n}", kinds[n % 3], (Cord(Link(f"S{min(n, 3)}", "", 0.03, 0.0)),)) for n in range(5)
    ]
    return Network((Equipment("U", "utility", 415.0), board, *strip), tuple(loads))


def test_tips_are_equipment_like_any(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solved with their cords they come to what they come to as rows of their own."""
    states = [NORMAL, Outage("a strip", ("S1",)), Outage("a circuit", ("C2",))]
    tips = compile_network(strips())
    assert (tips.tips.first, tips.order.size) == (3, 6)
    monkeypatch.setattr(
        network_compile, "are_tips", lambda network, plain: np.zeros(plain.size, dtype=bool)
    )
    rows = compile_network(strips())
    assert rows.tips.first == rows.order.size
    together, apart = solve(tips, states), solve(rows, states)
    for name, found in vars(together).items():
        if isinstance(found, np.ndarray):
            nothing = 1e-7 if name.endswith("_a") else 1e-12
            same = pytest.approx(getattr(apart, name), rel=1e-9, abs=nothing, nan_ok=True)
            assert found == same, name


def test_nothing_is_left_to_settle(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the last rounds leave is less than what is promised, by rounds that go on."""
    compiled = compile_network(strips())
    flow = solve(compiled, [NORMAL])
    assert 3 <= flow.iterations < 10
    promised = network_sweep.TOLERANCE
    for module in (network_sweep, network_solve):
        monkeypatch.setattr(module, "TOLERANCE", 1e-4 * promised)
    ended = solve(compiled, [NORMAL])
    assert ended.iterations > flow.iterations
    assert np.abs(flow.voltage_pu - ended.voltage_pu).max() < promised
    assert np.abs(flow.load_voltage_pu - ended.load_voltage_pu).max() < promised


def test_load_factor_scales_loads() -> None:
    network = scheme_network("2N", 1e6, SchemeOptions(racks=8))
    compiled = compile_network(network)
    half = solve(compiled, [NORMAL], load_factor=np.full((8, 1), 0.5))
    direct = solve(compile_network(scheme_network("2N", 1e6, SchemeOptions(racks=8))), [NORMAL])
    out = network.index["OUT-A"]
    assert half.output_w[out, 0] < 0.5 * direct.output_w[out, 0]
    assert half.output_w[out, 0] == pytest.approx(0.5 * direct.output_w[out, 0], rel=0.03)
    with pytest.raises(FacilityError, match="NETWORK_VALUE"):
        solve(compiled, [NORMAL], load_factor=np.ones((1, 8)))
    with pytest.raises(FacilityError, match="NETWORK_VALUE"):
        solve(compiled, [NORMAL], load_factor=np.full((8, 1), np.nan))


def test_no_states_and_no_loads() -> None:
    network = Network((Equipment("U", "utility", 480.0),), ())
    assert solve(compile_network(network), []).live.shape == (1, 0)
    assert solve(compile_network(network), [NORMAL]).live.tolist() == [[True]]


def test_collapse_names_state_and_component() -> None:
    link = Link("U", "C", 0.0, 1.0)
    network = Network(
        (Equipment("U", "utility", 480.0), Equipment("P", "panel", 480.0, (link,))),
        (Load("L", sharing_kind("k", 500e3, 1), (Cord(Link("P")),)),),
        balanced=True,
    )
    with pytest.raises(FacilityError, match="'normal'") as caught:
        solve(compile_network(network), [NORMAL])
    assert (caught.value.code, caught.value.where) == ("NETWORK_COLLAPSE", "P")


def test_unknown_tag() -> None:
    compiled = compile_network(scheme_network("N", 1e6, SchemeOptions(racks=2)))
    with pytest.raises(FacilityError, match="UPS-1") as caught:
        solve(compiled, [Outage("typo", ("UPS-l",))])
    assert (caught.value.code, caught.value.where) == ("NETWORK_TAG", "typo")


U, V = Equipment("U", "utility", 480.0), Equipment("V", "utility", 208.0)
KIND = sharing_kind("k", 1e3, 1)
REFUSED = {
    "loop": (
        "NETWORK_LOOP",
        "A",
        [
            U,
            Equipment("A", "lv-board", 480.0, (Link("U"), Link("B"))),
            Equipment("B", "lv-board", 480.0, (Link("A"),)),
        ],
    ),
    "no link": ("NETWORK_ISLAND", "A", [U, Equipment("A", "panel", 480.0)]),
    "unknown source": ("NETWORK_ISLAND", "A", [U, Equipment("A", "panel", 480.0, (Link("X"),))]),
    "voltage": ("NETWORK_VOLTAGE", "A", [V, Equipment("A", "panel", 480.0, (Link("V"),))]),
    "step up": ("NETWORK_VOLTAGE", "A", [V, Equipment("A", "pdu", 480.0, (Link("V"),))]),
    "tag twice": ("NETWORK_DUPLICATE", "U", [U, Equipment("U", "panel", 480.0, (Link("U"),))]),
    "unit twice": (
        "NETWORK_DUPLICATE",
        "X",
        [U, Equipment("A", "panel", 480.0, (Link("U"),), units=("X", "X"))],
    ),
    "circuit twice": (
        "NETWORK_DUPLICATE",
        "U",
        [U, Equipment("A", "panel", 480.0, (Link("U", "U"),))],
    ),
    "no source": ("NETWORK_SOURCE", "", [Equipment("A", "panel", 480.0)]),
    "fed source": ("NETWORK_SOURCE", "W", [U, Equipment("W", "utility", 480.0, (Link("U"),))]),
    "rating": (
        "NETWORK_VALUE",
        "A",
        [U, Equipment("A", "panel", 480.0, (Link("U"),), rating_a=0.0)],
    ),
    "no-load loss": ("NETWORK_VALUE", "A", [Equipment("A", "utility", 480.0, no_load_w=1.0)]),
    "converter": (
        "NETWORK_VALUE",
        "A",
        [U, Equipment("A", "ups", 480.0, (Link("U"),), converter=Converter(0, 0, 0, 1))],
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_networks(name: str) -> None:
    code, where, equipment = REFUSED[name]
    with pytest.raises(FacilityError) as caught:
        compile_network(Network(tuple(equipment), ()))
    assert (caught.value.code, caught.value.where) == (code, where)


@pytest.mark.parametrize(
    ("code", "load"),
    [
        ("NETWORK_ISLAND", Load("L", KIND, (Cord(Link("X")),))),
        ("NETWORK_ISLAND", Load("L", KIND, ())),
        ("NETWORK_ISLAND", Load("L", sharing_kind("k", 1e3, 2), (Cord(Link("U")),))),
        ("NETWORK_VALUE", Load("L", KIND, (Cord(Link("U"), (0, 0, 1)),))),
        ("NETWORK_VALUE", Load("L", single("l", [1, 0, 0], [0, 0, 0]), (Cord(Link("U")),))),
    ],
)
def test_refused_loads(code: str, load: Load) -> None:
    with pytest.raises(FacilityError) as caught:
        compile_network(Network((U,), (load,), balanced=True))
    assert (caught.value.code, caught.value.where) == (code, "L")
