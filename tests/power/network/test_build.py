"""The network of a designed facility against the design it is built from."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from facility.files.project.file import parse_project
from facility.power.network.build.facility import build_network
from facility.power.network.build.plan import NetworkPlan
from facility.power.network.flow.solve import compile_network, solve
from facility.power.network.graph.types import LoadKind, Outage
from facility.study.design.design import Design, design

PROJECTS = {
    "tri-redundant": """\
schema_version: 1
site: {station: ashburn}
it: {gpu_model: H100 SXM5, gpus: 512, server: DGX H100}
power: {redundancy: 3N/2}
cooling: {method: air}
""",
    "pdu": """\
schema_version: 1
site: {station: ashburn}
it: {gpu_model: H100 SXM5, gpus: 512, server: DGX H100}
power: {redundancy: 3N/2, distribution: {rack_system: 208Y/120}}
cooling: {method: air}
""",
    "nvl72": """\
schema_version: 1
site: {station: ashburn}
it: {gpu_model: B200 NVL72, gpus: 288, network: {topology: none}}
power: {redundancy: 2N}
cooling: {method: hybrid}
""",
    "catcher": """\
schema_version: 1
site: {station: ashburn}
it: {gpu_model: B200 NVL72, gpus: 288, network: {topology: none}}
power: {redundancy: block-redundant, blocks: 2}
cooling: {method: hybrid}
""",
}


@pytest.fixture(scope="module", params=PROJECTS)
def built(request: pytest.FixtureRequest) -> tuple[Design, NetworkPlan]:
    found = design(parse_project(PROJECTS[request.param]))
    plan = build_network(found.chain, found.point.demand, found.panels, found.facility.it)
    return found, plan


def _kinds(plan: NetworkPlan) -> list[LoadKind]:
    return list({id(load.kind): load.kind for load in plan.network.loads}.values())


def test_loads_are_those_of_the_design(built: tuple[Design, NetworkPlan]) -> None:
    found, plan = built
    demand = found.point.demand
    total = {
        critical: sum(x.kind.total_w for x in plan.network.loads if x.kind.critical is critical)
        for critical in (True, False)
    }
    assert total[True] == pytest.approx(demand.it_w, rel=1e-12)
    other = demand.mech_w + demand.mech_ups_w + demand.house_w
    assert total[False] == pytest.approx(other, rel=1e-12)


def test_every_circuit_has_its_link(built: tuple[Design, NetworkPlan]) -> None:
    _, plan = built
    linked = {link.circuit: (link.source, tag) for tag, link in plan.network.links if link.circuit}
    assert linked == {c.tag: (c.source, c.target) for c in plan.circuits.values()}


def test_units_are_those_of_the_design(built: tuple[Design, NetworkPlan]) -> None:
    found, plan = built
    units = {
        kind: sum(len(e.unit_tags) for e in plan.network.equipment if e.kind == kind)
        for kind in ("ups", "transformer", "generator-plant", "panel")
    }
    assert units == {
        "ups": found.chain.ups.modules,
        "transformer": found.chain.transformers.count,
        "generator-plant": found.chain.generators.count,
        "panel": found.panels.count,
    }


def test_load_served_and_dropped_is_the_whole(built: tuple[Design, NetworkPlan]) -> None:
    found, plan = built
    for kind in _kinds(plan):
        drawn = (kind.neutral_va.sum(axis=(1, 2)) + kind.pair_va.sum(axis=(1, 2))).real
        loss = found.facility.it.rack_pdu_loss_fraction if kind.critical else 0.0
        served = drawn / (1.0 + loss)
        if kind.capped is not None:
            served += kind.capped.load_w - kind.capped.drawn_w
        np.testing.assert_allclose(served + kind.dropped_w, kind.total_w, rtol=1e-12)


def test_more_live_cords_never_drop_more(built: tuple[Design, NetworkPlan]) -> None:
    for kind in _kinds(built[1]):
        for row, cord in itertools.product(range(2**kind.cords), range(kind.cords)):
            assert kind.dropped_w[row | 1 << cord] <= kind.dropped_w[row]


def test_dead_cord_draws_nothing(built: tuple[Design, NetworkPlan]) -> None:
    for kind in _kinds(built[1]):
        drawn = np.abs(kind.neutral_va).sum(axis=2) + np.abs(kind.pair_va).sum(axis=2)
        for row, cord in itertools.product(range(2**kind.cords), range(kind.cords)):
            if not row >> cord & 1:
                assert drawn[row, cord] == 0.0


def test_panel_currents_are_those_of_the_panel_schedule(built: tuple[Design, NetworkPlan]) -> None:
    """Without impedance between, the network finds the phasor currents that the panels print."""
    found, plan = built
    if found.facility.it.diversity != 1.0:
        pytest.fail("the comparison needs racks without diversity")
    compiled = compile_network(plan.network)
    flow = solve(compiled, (Outage("normal"),))
    source = _phase_voltage_factor(plan, flow)
    for row, panel in enumerate(found.panels.panels):
        n = plan.network.index[panel.tag]
        np.testing.assert_allclose(
            flow.current_a[n, :, 0] * source[n], found.panels.line_a[row, 0, :3], rtol=2e-3
        )


def _phase_voltage_factor(plan: NetworkPlan, flow: object) -> np.ndarray:
    """Return the voltage at each piece of equipment: behind transformers it is not the nominal."""
    return np.nan_to_num(flow.voltage_pu[:, 0], nan=1.0)  # type: ignore[attr-defined]
