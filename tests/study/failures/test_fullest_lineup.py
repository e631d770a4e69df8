"""Of several output buses the fullest decides, in the design as in its failures."""

from __future__ import annotations

from functools import cache

import pytest

from facility.power.chain.solve import solve_chain
from facility.study.design.design import Design
from facility.study.failures.study import failures
from tests.study.helpers import checks_of, design_of, si

UNEVEN = """\
schema_version: 1
site: {country: GB, latitude: 51.5, longitude: -0.5, elevation: 30 m, design_dry_bulb: 38 degC, \
design_wet_bulb: 23 degC, mean_dry_bulb: 11 degC, mean_wet_bulb: 9 degC, utility_voltage: 11 kV, \
fault_level: 250 MVA, x_over_r: 10}
it: {gpu_model: H100 SXM5, gpus: 1024}
power:
  redundancy: N+1
  ups: {module_rating: 500 kW, buses: 2}
  distribution: {voltage: 690 V, rack_system: 400Y/230}
cooling: {method: air}
"""
"""Groups of panels that two buses of a system cannot share evenly."""
WITHIN = 0.025
"""The network has the losses of its own conductors, and cooling and house load by their boards."""


@cache
def uneven(redundancy: str) -> Design:
    return design_of(UNEVEN, f"power.redundancy={redundancy}")


@pytest.mark.parametrize("redundancy", ["N+1", "2N"])
def test_autonomy_is_that_of_the_failures(redundancy: str) -> None:
    found = uneven(redundancy)
    assert found.facility.power.unevenness > 1.05
    least_s = min(state.battery_s for state in failures(found).states if state.battery_s)
    assert si(found, "battery.autonomy_normal") == pytest.approx(least_s, rel=WITHIN)
    (held,) = checks_of(found, "BATTERY-AUTONOMY")
    assert not held.failed


@pytest.mark.parametrize("redundancy", ["N+1", "2N"])
def test_transformers_are_loaded_as_in_the_network(redundancy: str) -> None:
    found = uneven(redundancy)
    (highest,) = (
        check.value
        for check in checks_of(found, "NETWORK-LOADING")
        if check.subject.endswith("transformer")
    )
    (loading,) = checks_of(found, "TRANSFORMER-LOADING-FAILURE")
    (harmonics,) = checks_of(found, "TRANSFORMER-HARMONICS")
    assert loading.value == pytest.approx(highest, rel=WITHIN)
    assert harmonics.value == loading.value
    assert si(found, "transformer.loading_failure") == loading.value


def test_the_step_of_a_lineup_is_its_own_load() -> None:
    """Cooling aside the plant takes up the lineups, each with the part of its racks."""
    found = uneven("N+1")
    chain = found.chain.chain
    (parts,) = chain.bus_load
    assert max(parts) * 2.0 == pytest.approx(chain.unevenness)
    grown = found.point.demand.grown(found.facility.criteria.growth)
    flow, trace = solve_chain(found.chain, grown), found.trace
    recharge_w = 0.10 * found.chain.ups.modules * found.chain.ups.module.rating_w / 2.0
    second = trace.value("generator.step.2.load")
    assert second == pytest.approx(flow.systems[0].input_w * parts[1] + recharge_w, rel=1e-9)
