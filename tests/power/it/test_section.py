"""The ``it`` section: what it takes, what it refuses, and what it assumes aloud."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from facility.catalogue import table
from facility.core.errors import FacilityError
from facility.core.trace import Trace
from facility.model.inputs.it import ItSection
from tests.power.it.helpers import THREE, TWO, found, load_of, plan_of


def refusal(plant: tuple[str, ...] = THREE, **fields: Any) -> FacilityError:
    with pytest.raises(FacilityError) as error:
        plan_of(plant, **fields)
    return error.value


SHORT = {"gpu_model": "H100 SXM5", "gpus": "256"}
RACK = {"name": "R", "devices": [{"model": "DGX H100", "count": "4"}]}


@pytest.mark.parametrize(
    ("fields", "code", "where"),
    [
        ({}, "MISSING_FIELD", "it.gpu_model"),
        ({"gpu_model": "H100 SXM5"}, "MISSING_FIELD", "it.gpus"),
        ({"gpu_model": "H100", "gpus": "8"}, "AMBIGUOUS_MODEL", "it.gpu_model"),
        ({"gpu_model": "MI355X", "gpus": "8"}, "MISSING_FIELD", "it.server"),
        (SHORT | {"server": "DGX H10"}, "UNKNOWN_MODEL", "it.server"),
        (SHORT | {"server": "DGX B200"}, "CONTRADICTION", "it.server"),
        (SHORT | {"server": "QM9700"}, "CONTRADICTION", "it.server"),
        (SHORT | {"servers": "31"}, "CONTRADICTION", "it.servers"),
        (SHORT | {"feeds": ["A", "D"]}, "UNKNOWN_FEED", "it.feeds"),
        (SHORT | {"feeds": []}, "DUPLICATE", "it.feeds"),
        (SHORT | {"basis": "measured"}, "MISSING_FIELD", "it.measured_power"),
        (SHORT | {"basis": "typical"}, "UNKNOWN_VALUE", "it.server"),
        (
            SHORT | {"basis": "nameplate", "measured_power": "8 kW"},
            "CONTRADICTION",
            "it.measured_power",
        ),
        (SHORT | {"network": {"switch": "SN5600"}}, "UNKNOWN_VALUE", "it.network.switch"),
        (SHORT | {"network": {"switch": "DGX H100"}}, "CONTRADICTION", "it.network.switch"),
        (
            SHORT | {"network": {"topology": "none", "leaf": "4"}},
            "CONTRADICTION",
            "it.network.topology",
        ),
        (SHORT | {"network": {"radix": "33"}}, "FABRIC_PORTS", "it.network.radix"),
        (SHORT | {"storage": {"model": "AI400X2"}}, "UNKNOWN_VALUE", "it.storage.model"),
        (SHORT | {"storage": {"model": "400G optic"}}, "NOT_A_DEVICE", "it.storage.model"),
        (SHORT | {"rack_units": "7"}, "RACK_TOO_SMALL", "it.server"),
        (SHORT | {"cords": {"rack_pdu": "NA 415V"}}, "UNKNOWN_MODEL", "it.cords.rack_pdu"),
        (SHORT | {"halls": []}, "MISSING_FIELD", "it.halls"),
        (SHORT | {"halls": [{"name": "H"}, {"name": "H"}]}, "DUPLICATE", "it.halls[1].name"),
        (SHORT | {"halls": [{"name": "H", "racks": [RACK]}]}, "CONTRADICTION", "it.gpu_model"),
        (
            SHORT | {"devices": [{"model": "DGX H100"}, {"model": "DGX H100"}]},
            "DUPLICATE",
            "it.devices[1].model",
        ),
        (
            SHORT | {"devices": [{"model": "X"}], "server": "X"},
            "MISSING_FIELD",
            "it.devices[0].maximum_power",
        ),
        (
            SHORT | {"devices": [{"model": "DGX H100", "typical_power": "11 kW"}]},
            "CONTRADICTION",
            "it.devices[0].typical_power",
        ),
        (
            {"halls": [{"name": "H", "racks": [RACK, RACK]}]},
            "DUPLICATE",
            "it.halls[0].racks[1].name",
        ),
        (
            {"halls": [{"name": "H", "racks": [RACK | {"devices": []}]}]},
            "MISSING_FIELD",
            "it.halls[0].racks[0].devices",
        ),
        (
            {"halls": [{"name": "H", "racks": [RACK | {"feeds": ["Z"]}]}]},
            "UNKNOWN_FEED",
            "it.halls[0].racks[0].feeds",
        ),
        (
            {"halls": [{"name": "H", "racks": [RACK | {"circuits": [{"feed": "A"}]}]}]},
            "CONTRADICTION",
            "it.halls[0].racks[0]",
        ),
        (
            {"halls": [{"name": "H", "racks": [RACK]}, {"name": "I"}]},
            "MISSING_FIELD",
            "it.halls[1].racks",
        ),
        (
            {"halls": [{"name": "H", "route_mean": "50 m", "route_max": "20 m", "racks": [RACK]}]},
            "CONTRADICTION",
            "it.halls[0].route_mean",
        ),
    ],
)
def test_refusals(fields: dict[str, Any], code: str, where: str) -> None:
    error = refusal(**fields)
    assert (error.code, error.where) == (code, where), str(error)
    assert error.message


@pytest.mark.parametrize(
    "fields",
    [
        SHORT | {"rack_power": "132 W"},
        SHORT | {"rack_power": "40 kVA"},
        SHORT | {"rack_power": "40"},
        SHORT | {"gpus": "-8"},
        SHORT | {"gpus": "0"},
        SHORT | {"gpus": "1e3"},
        SHORT | {"gpus": "010"},
        SHORT | {"demand_factor": "1.2"},
        SHORT | {"diversity": "0"},
        SHORT | {"basis": "NO"},
        SHORT | {"colour": "red"},
        SHORT | {"network": {"topology": "dragonfly"}},
        SHORT | {"cords": {"poles": "4"}},
        SHORT | {"devices": [{"model": "X", "supplies": {"count": "4", "needed": "6"}}]},
        SHORT | {"devices": [{"model": "X", "supplies": {"count": "4", "phases": "2"}}]},
        SHORT
        | {
            "devices": [
                {
                    "model": "X",
                    "supplies": {"count": "1", "voltage_min": "240 V", "voltage_max": "200 V"},
                }
            ]
        },
    ],
)
def test_section_refuses(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        ItSection.model_validate(fields)


def test_near_matches_are_offered() -> None:
    assert "'DGX H100'" in refusal(**SHORT, server="DGX H10").hint
    assert "H100 SXM5" in refusal(gpu_model="H100 SMX5", gpus="8").hint
    assert "maximum_power" in refusal(**SHORT, network={"switch": "SN5600"}).hint


def test_every_default_is_in_the_ledger_with_a_source() -> None:
    trace = Trace()
    plan_of(trace=trace, **SHORT)
    ids = {a.id for a in trace.ledger}
    assert {
        "it.basis",
        "it.demand_factor",
        "it.diversity",
        "it.rack_pdu_loss",
        "it.halls",
        "it.server",
        "it.network.topology",
        "it.network.switch",
        "it.network.radix",
        "it.network.oversubscription",
        "it.network.other_switches",
        "it.storage.model",
        "it.storage.count",
        "it.management.model",
        "it.management.count",
        "it.rack_units",
        "it.servers_per_rack",
        "it.peak",
        "it.power_factor",
        "it.hall.1.row_pitch",
        "it.hall.1.rows",
        "it.hall.1.route_rule",
    } <= ids
    assert all(a.basis and a.source.id and a.source.id != "project" for a in trace.ledger)


def test_what_is_given_is_not_assumed() -> None:
    trace = Trace()
    plan = plan_of(
        trace=trace,
        gpu_model="H100 SXM5",
        gpus="256",
        server="DGX H100",
        basis="nameplate",
        demand_factor="0.9",
        diversity="0.95",
        rack_pdu_loss="1 %",
        servers_per_rack="2",
        rack_units="42",
        network={
            "topology": "fat-tree",
            "switch": "QM9790",
            "radix": "64",
            "oversubscription": "2",
            "ports_per_gpu": "1",
            "planes": "1",
            "other_switches": "3",
        },
        storage={"model": "CPU node 2U", "count": "4"},
        management={"model": "CPU node 2U", "count": "2"},
        halls=[
            {
                "name": "North",
                "floor_area": "300 m2",
                "rows": "2",
                "rack_pitch": "0.8 m",
                "route_mean": "20 m",
                "route_max": "35 m",
            }
        ],
    )
    assert (plan.demand_factor, plan.diversity) == (0.9, 0.95)
    assert plan.rack_pdu_loss_fraction == 0.01
    (hall,) = plan.halls
    assert (hall.name, hall.floor_area_m2, hall.rows) == ("North", 300.0, 2)
    assert (hall.route_mean_m, hall.route_max_m) == (20.0, 35.0)
    given = {
        "it.basis",
        "it.server",
        "it.demand_factor",
        "it.servers_per_rack",
        "it.rack_units",
        "it.network.topology",
        "it.network.switch",
        "it.network.radix",
        "it.storage.count",
        "it.management.model",
        "it.halls",
        "it.hall.1.rows",
    }
    assert not given & {a.id for a in trace.ledger}


def test_gpus_are_rounded_up_to_whole_servers() -> None:
    load = load_of(gpu_model="H100 SXM5", gpus="100")
    assert (load.servers, load.gpus) == (13, 104)


def test_long_form_mixes_air_and_liquid() -> None:
    plan = plan_of(
        THREE,
        halls=[
            {
                "name": "Air",
                "racks": [
                    {
                        "name": "DGX",
                        "count": "8",
                        "devices": [{"model": "DGX H100", "count": "4"}],
                        "circuits": [{"feed": f, "poles": "3", "breaker": "60 A"} for f in "ABC"],
                        "rack_units": "48",
                        "power_limit": "45 kW",
                    },
                    {
                        "name": "Fabric",
                        "feeds": ["A", "B"],
                        "devices": [{"model": "QM9700", "count": "12"}],
                    },
                    {"name": "Data", "devices": [{"model": "NVMe storage node 2U", "count": "10"}]},
                ],
            },
            {
                "name": "Liquid",
                "racks": [
                    {
                        "name": "NVL",
                        "count": "4",
                        "feeds": ["B", "C"],
                        "devices": [{"model": "GB200 NVL72"}],
                    }
                ],
            },
        ],
    )
    by_name = {rack.name: rack for rack in plan.racks}
    assert [by_name[n].purpose for n in ("DGX", "Fabric", "Data", "NVL")] == [
        "compute",
        "network",
        "storage",
        "compute",
    ]
    assert [c.breaker_a for c in by_name["DGX"].circuits] == [60.0] * 3
    assert by_name["NVL"].feeds == ("B", "C")
    assert {s.feed for s in by_name["NVL"].supplies} == {"B", "C"}
    assert [hall.name for hall in plan.halls] == ["Air", "Liquid"]


def test_long_form_takes_power_and_supplies_as_stated() -> None:
    load = load_of(
        THREE,
        halls=[
            {
                "name": "H",
                "racks": [
                    {
                        "name": "R",
                        "count": "2",
                        "devices": [
                            {
                                "model": "DGX H100",
                                "count": "2",
                                "power": "8.4 kW",
                                "supplies": {"A": "4", "B": "2"},
                            }
                        ],
                    }
                ],
            }
        ],
    )
    assert load.servers_w == pytest.approx(4 * 8.4e3)
    check = found(load.checks, "PSU-REDUNDANCY", "DGX H100")
    assert check.failed
    assert "feed A lost: 2 x 3.3 kW remaining" in check.why
    wrong = {"name": "R", "devices": [{"model": "DGX H100", "supplies": {"A": "4"}}]}
    assert refusal(halls=[{"name": "H", "racks": [wrong]}]).code == "CONTRADICTION"


def test_long_form_adds_what_its_sections_ask_for() -> None:
    halls = [{"name": "H", "racks": [RACK | {"count": "8"}]}]
    bare = load_of(THREE, halls=halls)
    assert (bare.network_w, bare.storage_w, bare.management_w) == (0.0, 0.0, 0.0)
    full = load_of(THREE, halls=halls, network={}, storage={}, management={"count": "3"})
    short = load_of(THREE, gpu_model="H100 SXM5", gpus="256", management={"count": "3"})
    assert full.it_w == pytest.approx(short.it_w)


def test_halls_without_racks_share_the_designed_ones() -> None:
    load = load_of(gpu_model="H100 SXM5", gpus="10000", halls=[{"name": "1"}, {"name": "2"}])
    one, two = load.halls
    assert abs(one.it_w - two.it_w) < 0.01 * load.it_w
    assert one.it_w + two.it_w == pytest.approx(load.it_w)
    assert load.servers == 1250


def test_cords_shape_the_circuits() -> None:
    plan = plan_of(TWO, **SHORT, cords={"per_feed": "2", "breaker": "60 A", "poles": "3"})
    rack = plan.racks[0]
    assert [(c.feed, c.poles, c.breaker_a) for c in rack.circuits] == [
        ("A", 3, 60.0),
        ("A", 3, 60.0),
        ("B", 3, 60.0),
        ("B", 3, 60.0),
    ]
    assert {s.circuit for s in rack.supplies} == {0, 1, 2, 3}
    single_pole = refusal(TWO, gpu_model="B200 NVL72", gpus="72", cords={"poles": "1"})
    assert "three-phase shelf" in single_pole.message


def test_own_server_needs_no_catalogue_row() -> None:
    box = {
        "model": "Box 8",
        "gpus": "8",
        "gpu_model": "MI300X",
        "maximum_power": "11 kW",
        "typical_power": "9 kW",
        "idle_power": "3 kW",
        "peak_power": "13 kW",
        "rack_units": "8",
        "liquid_fraction": "0.7",
        "airflow": "1000 cfm",
        "supplies": {
            "count": "6",
            "needed": "3",
            "rating": "4 kW",
            "voltage_min": "200 V",
            "voltage_max": "277 V",
            "efficiency_class": "80 PLUS Platinum",
        },
    }
    load = load_of(
        TWO,
        gpu_model="MI300X",
        gpus="64",
        devices=[box],
        basis="typical",
        network={"topology": "none"},
        storage={"count": "0"},
        management={"count": "0"},
    )
    assert load.servers_w == pytest.approx(8 * 9e3)
    assert load.idle_w == pytest.approx(8 * 3e3)
    assert load.peak_w == pytest.approx(8 * 13e3)
    assert load.gpu_w == pytest.approx(64 * 750.0)
    assert load.liquid_w == pytest.approx(0.7 * load.it_w)
    assert not found(load.checks, "PSU-REDUNDANCY", "Box 8").failed
    assert 0.0 < load.supply_loss_w < 0.12 * load.it_w


def test_dc_server_is_taken_at_the_ac_side_of_its_shelves() -> None:
    """DGX B300 with 54 V busbar: 14.5 kW DC, about 2.5 % more AC."""
    load = load_of(
        gpu_model="B300 SXM", server="DGX B300 DC", gpus="8", network={"topology": "none"}
    )
    assert load.servers_w == pytest.approx(14.5e3 / 0.975)


def outcome(model: str) -> str:
    try:
        load = load_of(server=model, servers="4")
    except FacilityError as error:
        return error.code
    return "resolved" if load.servers_w > 0.0 else "nothing"


def test_every_catalogue_server_resolves_or_says_what_is_missing() -> None:
    outcomes = {
        str(row["model"]): outcome(str(row["model"])) for row in table("equipment/servers").rows
    }
    assert set(outcomes.values()) == {"resolved", "UNKNOWN_VALUE"}
    missing = {model for model, found in outcomes.items() if found == "UNKNOWN_VALUE"}
    assert {"SYS-821GE H100", "GB200 NVL72 QCT"} <= missing, "no maximum input is published"
    assert not missing & {"DGX H100", "DGX B200", "GB200 NVL72", "GB300 NVL72", "XE9680 H100"}
