"""The IT load against published totals, and what must hold for any plan."""

from __future__ import annotations

import csv
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.core.trace import Trace, explain
from facility.power.it.load import roll_up
from tests.power.it.helpers import DATA, TWO, found, load_of, plan_of

with (DATA / "roll_up.csv").open(newline="", encoding="utf-8") as _stream:
    PUBLISHED = list(csv.DictReader(_stream))


@pytest.mark.parametrize("row", PUBLISHED, ids=lambda r: f"{r['case']} {r['quantity']}")
def test_published_totals(row: dict[str, str]) -> None:
    load = load_of(tuple(row["feeds"].split()), gpu_model=row["gpu_model"], servers=row["servers"])
    assert getattr(load, row["quantity"]) == pytest.approx(
        float(row["expected"]), abs=float(row["tolerance"])
    )


def test_scalable_unit_with_leaf_switches() -> None:
    """326.4 kW of systems; 332.4 kW with 8 leaves at typical, 340.2 kW at maximum draw."""
    for optics, total_w in (("passive", 332.4e3), ("active", 340.2e3)):
        network = {"optics": optics, "spine": "0", "other_switches": "0"}
        load = load_of(gpu_model="H100 SXM5", servers="32", network=network)
        assert load.servers_w + load.network_w == pytest.approx(total_w, abs=50.0)


def test_nvl72_racks_stay_within_the_published_budget_of_a_scalable_unit() -> None:
    """Eight racks of 132 kW and their network, storage and management: at most 1.2 MW."""
    load = load_of(TWO, gpu_model="B200 NVL72", gpus="576")
    assert {d.input_w for d in load.devices if d.device.gpus} == {132e3}
    assert load.servers_w < load.it_w <= 1.2e6
    assert load.liquid_w / load.servers_w == pytest.approx(0.871)


def test_guide_of_a_thousand_servers_on_its_own_basis() -> None:
    """At 8 kW per server 1,000 servers are 8 MW; GPUs 5.6 kW of each."""
    load = load_of(
        gpu_model="H100 SXM5", servers="1000", measured_power="8 kW", network={"topology": "none"}
    )
    assert load.basis == "measured"
    assert load.servers_w == pytest.approx(8.0e6)
    assert load.gpu_w == pytest.approx(5.6e6)


def test_bases_of_one_server() -> None:
    """DGX H100: 10.2 kW on the data sheet, 4 x 3.3 kW of supplies needed; components between."""
    each = {
        basis: load_of(
            gpu_model="H100 SXM5", servers="1", basis=basis, network={"topology": "none"}
        ).servers_w
        for basis in ("datasheet_maximum", "nameplate", "component_sum")
    }
    assert each["datasheet_maximum"] == pytest.approx(10.2e3)
    assert each["nameplate"] == pytest.approx(13.2e3)
    assert 8.4e3 < each["component_sum"] < 10.2e3, "above the measured maximum, below the sheet"


def test_reconciliation_shows_components_loss_and_remainder() -> None:
    load = load_of(gpu_model="H100 SXM5", gpus="256")
    (rows,) = [r for r in load.reconciliations if r.model == "DGX H100"]
    by_part = {row.part: row for row in rows.rows}
    assert by_part["gpu"].power_w == pytest.approx(8 * 700.0)
    assert rows.sum_w == pytest.approx(rows.components_w + rows.supply_loss_w)
    assert rows.sum_w + rows.remainder_w == pytest.approx(rows.maximum_w, rel=1e-12)
    x = rows.components_w / (6 * 3300.0)
    efficiency = 0.94 + 0.02 * (x - 0.2) / 0.3
    assert rows.components_w / rows.sum_w == pytest.approx(efficiency, rel=1e-12)
    check = found(load.checks, "COMPONENT-SUM", "DGX H100")
    assert not check.failed
    assert "remainder 1.44 kW" in check.why


def test_unknown_component_falls_into_the_remainder() -> None:
    load = load_of(gpu_model="B300 SXM", gpus="64")
    (rows,) = load.reconciliations
    assert rows.unknown == ("ConnectX-8 800 Gb/s",)
    assert {r.power_w for r in rows.rows if r.part == "nic"} == {None}


def test_unknown_idle_and_typical_are_none_never_zero() -> None:
    load = load_of(gpu_model="H100 SXM5", gpus="256")
    assert load.idle_w is None
    assert load.typical_w is None
    devices = [{"model": "DGX H100", "idle_power": "2 kW", "typical_power": "8 kW"}]
    known = load_of(
        gpu_model="H100 SXM5",
        gpus="256",
        devices=devices,
        network={"topology": "none"},
        storage={"count": "0"},
        management={"count": "0"},
    )
    assert known.idle_w == pytest.approx(32 * 2e3)
    assert known.typical_w == pytest.approx(32 * 8e3)


def test_peak_is_the_published_one_or_the_maximum_with_advice() -> None:
    """GB300 NVL72: 155 kW short-time peak over 135 kW (Lenovo, HPE)."""
    gb300 = load_of(
        gpu_model="B300 NVL72",
        servers="8",
        network={"topology": "none"},
        storage={"count": "0"},
        management={"count": "0"},
    )
    assert gb300.peak_w == pytest.approx(8 * 155e3)
    assert not found(gb300.checks, "PEAK-KNOWN", "GB300").failed
    h100 = load_of(gpu_model="H100 SXM5", gpus="8")
    assert h100.peak_w == pytest.approx(h100.it_w)
    assert found(h100.checks, "PEAK-KNOWN", "DGX H100").failed


def test_figures_from_memory_are_advised() -> None:
    load = load_of(gpu_model="H100 SXM5", gpus="256")
    memory = {c.subject for c in load.checks if c.rule == "DATA-MEMORY" and c.failed}
    assert memory == {"NVMe storage node 2U", "management node 1U", "components of DGX H100"}
    own = [{"model": "NVMe storage node 2U", "maximum_power": "1.3 kW"}]
    given = load_of(gpu_model="H100 SXM5", gpus="256", devices=own)
    assert not found(given.checks, "DATA-MEMORY", "NVMe storage").failed


def test_nvl72_figure_as_ac_input_is_advised() -> None:
    load = load_of(TWO, gpu_model="B200 NVL72", servers="8")
    check = found(load.checks, "SHELF-SIDE", "GB200 NVL72")
    assert check.failed
    assert "135.4 kW AC" in check.why


def test_demand_factor_and_diversity_multiply() -> None:
    base = load_of(gpu_model="H100 SXM5", gpus="1024")
    scaled = load_of(gpu_model="H100 SXM5", gpus="1024", demand_factor="80 %", diversity="0.9")
    assert scaled.it_w == pytest.approx(0.72 * base.it_w)
    assert scaled.gpu_w == pytest.approx(0.72 * base.gpu_w)
    assert scaled.it_va == pytest.approx(0.72 * base.it_va)
    assert scaled.peak_w == pytest.approx(0.9 * base.peak_w)
    assert sum(hall.it_w for hall in scaled.halls) == pytest.approx(scaled.it_w)


def test_trace_explains_the_load() -> None:
    trace = Trace()
    load_of(trace=trace, gpu_model="H100 SXM5", gpus="10000")
    text = "\n".join(explain(trace, "load.it"))
    assert "DGX H100, basis datasheet maximum" in text
    assert "1,250" in text
    assert "10.2 kW" in text
    assert "8.367 kW" in "\n".join(explain(trace, "device.dgx_h100.component_sum"))


MODELS = ["H100 SXM5", "B200 SXM", "B300 SXM", "A100 SXM4 80GB", "B200 NVL72", "B300 NVL72"]


@settings(max_examples=60)
@given(st.sampled_from(MODELS), st.integers(1, 30000), st.sampled_from([1, 2, 3, 4]))
def test_energy_closes(gpu: str, gpus: int, feeds: int) -> None:
    load = load_of(tuple("ABCD"[:feeds]), gpu_model=gpu, gpus=str(gpus))
    parts = load.servers_w + load.network_w + load.storage_w + load.management_w
    assert load.it_w == pytest.approx(parts, rel=1e-12)
    assert load.air_w + load.liquid_w == pytest.approx(load.it_w, rel=1e-12)
    assert sum(h.it_w for h in load.halls) == pytest.approx(load.it_w, rel=1e-12)
    assert sum(h.air_w + h.liquid_w for h in load.halls) == pytest.approx(load.it_w, rel=1e-12)
    assert sum(d.demand_w for d in load.devices) == pytest.approx(load.it_w, rel=1e-12)
    assert 0.0 <= load.gpu_w <= load.servers_w <= load.it_w <= load.peak_w * (1 + 1e-12)
    assert load.it_va >= load.it_w
    assert load.gpus >= gpus


@settings(max_examples=60)
@given(st.sampled_from(MODELS), st.integers(1, 20000), st.integers(1, 500))
def test_more_gpus_never_take_less_power(gpu: str, gpus: int, more: int) -> None:
    small, large = (load_of(gpu_model=gpu, gpus=str(n)) for n in (gpus, gpus + more))
    assert large.it_w >= small.it_w - 1e-6
    assert large.racks >= small.racks


def test_order_and_grouping_of_equal_racks_change_nothing() -> None:
    plan = plan_of(gpu_model="H100 SXM5", gpus="2000")
    load = roll_up(plan, Trace())
    reversed_racks = replace(plan, racks=tuple(reversed(plan.racks)))
    single = [replace(rack, count=1) for rack in plan.racks for _ in range(rack.count)]
    for other in (reversed_racks, replace(plan, racks=tuple(single))):
        again = roll_up(other, Trace())
        assert again.it_w == pytest.approx(load.it_w, rel=1e-13)
        assert again.liquid_w == pytest.approx(load.liquid_w, rel=1e-13)
        assert (again.racks, again.servers, again.gpus) == (load.racks, load.servers, load.gpus)
        assert {c.rule for c in again.checks} == {c.rule for c in load.checks}


def test_same_input_same_result() -> None:
    one, other = (load_of(gpu_model="H100 SXM5", gpus="10000") for _ in range(2))
    assert one == other


def test_hundred_thousand_gpus() -> None:
    load = load_of(gpu_model="H100 SXM5", gpus="100000")
    assert load.servers == 12500
