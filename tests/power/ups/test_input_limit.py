"""A stated input-current limit in a whole design: feeder, bypass, recharge, one-line, label."""

from __future__ import annotations

import pytest

from facility.report.book.lists.circuits import listed_circuits
from facility.report.book.lists.labels import labels_sheet
from facility.report.drawings.one_line.facts import facts_of
from facility.report.sheet.tables import PageSetup
from facility.study.design.design import Design
from tests.study.helpers import checks_of, design_of, si

PROJECT = """\
schema_version: 1
site: {station: ashburn}
it: {gpu_model: H100 SXM5, gpus: 512, server: DGX H100}
power: {redundancy: N+1, battery: {technology: VRLA}}
cooling: {method: air}
"""
MODULES = ("power.ups.model=9395XR-600", "power.ups.modules_per_system=3")


def made(*sets: str) -> Design:
    return design_of(PROJECT, *MODULES, *sets)


@pytest.fixture(scope="module")
def limited() -> Design:
    return made("power.ups.input_limit=800 A")


def devices(found: Design, stage: str) -> dict[str, tuple[float, float]]:
    """Return what each circuit of a stage must carry, and its device [A]."""
    feeders = found.distribution.feeders
    return {
        f.circuit.tag: (f.worst_a, feeders.device_a[f.circuit.tag])
        for f in feeders.feeders
        if f.circuit.stage == stage
    }


def test_the_feeder_is_sized_on_the_limit_and_nothing_else_is(limited: Design) -> None:
    plain = made()
    assert devices(limited, "ups-input") == {"LVB-1>UPS-1": (800.0, 1000.0)}
    assert devices(plain, "ups-input")["LVB-1>UPS-1"][0] == pytest.approx(1065.4, abs=0.1)
    for stage in ("bypass", "transformer", "generator", "board"):
        assert devices(limited, stage) == devices(plain, stage)
    (feeder,) = (f for f in limited.distribution.feeders.feeders if f.circuit.stage == "ups-input")
    assert feeder.sized_by == "input-current limit of the UPS module, 800 A"


def test_what_the_limit_leaves_decides_the_recharge() -> None:
    """480 A at 415 V and 0.99 let in 341.6 kW; 251.5 kW of load and 6.8 kW of loss leave 83.2 kW.

    Each module charges its own batteries, with 30 % of 600 kW where nothing limits it.
    """
    sets = ("power.ups.input_limit=480 A", "power.ups.recharge=30 %", "power.ups.low_line=0 %")
    found = made(*sets, "power.battery.recharge_time=20 min")
    assert si(found, "ups.recharge_left") == pytest.approx(83.2e3, abs=300.0)
    power_w = si(found, "battery.recharge_power")
    assert power_w == pytest.approx(83.2e3, abs=300.0)
    needed_w = si(found, "battery.charging_power")
    assert needed_w > power_w
    assert si(found, "battery.recharge_time") == pytest.approx(1200.0 * needed_w / power_w)
    (check,) = checks_of(found, "BATTERY-RECHARGE")
    assert check.failed
    assert check.why == (
        "the input-current limit of the UPS, 480 A, limits its chargers to"
        f" {power_w / 1e3:.1f} kW of 180.0 kW: {si(found, 'battery.recharge_time') / 3600:.1f} h"
    )


def test_a_limit_that_the_load_takes_all_leaves_nothing_to_charge_with() -> None:
    found = made("power.ups.input_limit=350 A")
    assert si(found, "battery.recharge_power") == 0.0
    assert "battery.recharge_time" not in found.results
    assert [check.failed for check in checks_of(found, "BATTERY-RECHARGE")] == [True]


def test_one_line_and_label_say_the_limit(limited: Design) -> None:
    assert facts_of(limited).plates["UPS-1"] == "input limit 800 A each"
    sheet = labels_sheet(
        "Labels", [*listed_circuits(limited)], limited, PageSetup("", "", "", False)
    )
    words = [cell.value for cell in sheet.cells.values()]
    assert words.count("INPUT LIMIT 800 A, BYPASS NOT LIMITED") == 1
    plain = made()
    assert "UPS-1" not in facts_of(plain).plates
