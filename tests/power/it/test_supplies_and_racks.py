"""Supplies on feeds, voltage, racks: what fails, and why."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facility.catalogue import table
from facility.core.check import Outcome, Severity
from facility.core.errors import FacilityError
from facility.files.project.file import parse_project
from facility.model.it import MAX_CORDS, Device, Rack
from facility.power.it.racking import max_per_rack, pack
from facility.power.it.supplies import (
    check_psu_redundancy,
    check_single_feed,
    check_supply_voltage,
    draw_with,
    feed_sets,
    refuse_air_only,
    split_supplies,
)
from tests.power.it.helpers import THREE, TWO, found, load_of, plan_of


def server(gpu_model: str, **fields: object) -> Device:
    """Return the default server of a GPU model, with `fields` laid over it."""
    devices = [fields] if fields else None
    plan = plan_of(gpu_model=gpu_model, servers="1", devices=devices, network={"topology": "none"})
    return plan.racks[0].placed[0].device


def test_dgx_h100_on_three_feeds_survives_the_loss_of_one() -> None:
    load = load_of(THREE, gpu_model="H100 SXM5", gpus="10000")
    check = found(load.checks, "PSU-REDUNDANCY", "DGX H100")
    assert check.subject == "DGX H100, supplies 2+2+2 on A+B+C"
    assert check.outcome is Outcome.PASS
    assert (check.value, check.limit) == (pytest.approx(13.2e3), pytest.approx(10.2e3))


def test_dgx_h100_on_two_feeds_is_a_violation() -> None:
    load = load_of(TWO, gpu_model="H100 SXM5", gpus="10000")
    check = found(load.checks, "PSU-REDUNDANCY", "DGX H100")
    assert (check.outcome, check.severity) == (Outcome.FAIL, Severity.VIOLATION)
    assert "3 x 3.3 kW remaining for 10.2 kW" in check.why


def test_gb300_on_two_feeds_runs_on_half_of_its_shelves() -> None:
    """N+N: 4 x 33 kW of output are 136.8 kW of input at 96.5 %, more than 135 kW."""
    check = found(
        load_of(TWO, gpu_model="B300 NVL72", gpus="576").checks, "PSU-REDUNDANCY", "GB300"
    )
    assert check.subject == "GB300 NVL72, supplies 4+4 on A+B"
    assert check.outcome is Outcome.PASS
    assert (check.value, check.limit) == (pytest.approx(132e3), pytest.approx(0.965 * 135e3))
    assert check.why.endswith("4 needed), 130.3 kW of output at 96.5% efficiency")


def test_a_number_needed_that_is_not_published_is_a_warning_about_the_data() -> None:
    """142 kW in all, shelf redundancy not stated: 142 / 33 kW asks for five of eight shelves."""
    racks = [{"name": "R", "count": "2", "devices": [{"model": "GB300 NVL72 NVIDIA"}]}]
    load = load_of(TWO, halls=[{"name": "H", "racks": racks}])
    check = found(load.checks, "PSU-REDUNDANCY", "GB300")
    assert (check.outcome, check.severity) == (Outcome.FAIL, Severity.WARNING)
    assert check.why.endswith("; the 5 are maximum power / rating, not published")
    assert "it.devices[].supplies.needed" in check.remedy


def test_dgx_b200_on_three_feeds_is_capped_and_warned() -> None:
    """5+1 supplies in 2+2+2: four left, GPUs capped at 800 W (DGX B200 user guide)."""
    load = load_of(THREE, gpu_model="B200 SXM", gpus="256")
    check = found(load.checks, "PSU-REDUNDANCY", "DGX B200")
    assert (check.outcome, check.severity) == (Outcome.FAIL, Severity.WARNING)
    assert "4 of 6 supplies alive, 5 needed" in check.why
    assert "(it)" in check.why
    assert "(power.redundancy)" in check.why
    assert "caps each GPU at 800 W" in check.why


def test_dgx_b200_on_two_feeds_is_capped_by_figures_that_conflict() -> None:
    """Three of six supplies: 12.7 kW by the caps of the GPUs, 9.9 kW by the rating of three."""
    check = found(load_of(TWO, gpu_model="B200 SXM", gpus="8").checks, "PSU-REDUNDANCY", "DGX B")
    assert (check.outcome, check.severity) == (Outcome.FAIL, Severity.WARNING)
    assert "capped; published figures conflict" in check.why
    assert "about 12.7 kW in all, 3 supplies deliver at most 9.9 kW; 9.9 kW is used" in check.why
    assert "(power.redundancy)" not in check.why, "no finding about an unspecified choice"
    assert "it.devices[].supplies.capped" in check.remedy


@given(st.sampled_from(["H100 SXM5", "B200 SXM", "B300 SXM", "B200 NVL72"]), st.data())
def test_what_is_drawn_never_falls_with_more_supplies(gpu: str, data: st.DataObject) -> None:
    device = server(gpu)
    psu = device.psu
    assert psu is not None
    full_w = data.draw(st.floats(0.3, 1.0)) * device.maximum_w
    draws = [draw_with(device, count, full_w) for count in range(psu.count + 1)]
    assert [d.input_w for d in draws] == sorted(d.input_w for d in draws)
    assert [d.mode == "full" for d in draws] == [n >= psu.needed for n in range(psu.count + 1)]
    for count, draw in enumerate(draws):
        assert draw.input_w <= draw.sized_w <= full_w
        if draw.mode == "capped":
            assert draw.input_w <= count * psu.rating_w


def test_more_inlets_than_the_network_handles_are_refused() -> None:
    with pytest.raises(FacilityError) as error:
        plan_of(TWO, **_listed({"count": "13", "needed": "6", "rating": "33 kW", "phases": "3"}))
    assert error.value.code == "TOO_MANY_CORDS"
    assert "X is on 13 circuits; the maximum per device is 12" in error.value.message
    assert "supplies.shelves" in error.value.hint


def test_supplies_that_do_not_fill_their_shelves_are_refused() -> None:
    supplies = "{count: 48, rating: 5.5 kW, shelves: 7}"
    text = "schema_version: 1\nit: {server: X, servers: 1, devices: [{model: X, supplies: "
    with pytest.raises(FacilityError) as error:
        parse_project(text + supplies + "}]}\npower: {redundancy: N}\ncooling: {method: air}\n")
    assert error.value.code == "CONTRADICTION"
    assert "48 supplies do not fill 7 shelves" in error.value.message


def test_as_many_inlets_as_the_network_handles_are_accepted() -> None:
    supplies = {"count": "12", "needed": "6", "rating": "33 kW", "phases": "3"}
    assert len(plan_of(TWO, **_listed(supplies)).racks[0].circuits) == MAX_CORDS


def _listed(supplies: dict[str, str]) -> dict[str, object]:
    box = {"model": "X", "category": "server", "maximum_power": "190 kW", "rack_units": "48"}
    rack = {"name": "R", "devices": [{"model": "X"}]}
    return {"devices": [box | {"supplies": supplies}], "halls": [{"name": "A", "racks": [rack]}]}


def test_a_10_kw_server_cannot_run_from_three_3_kw_supplies() -> None:
    """The guide's "redundant 3000 W supplies, 2-3 per server"."""
    device = server("H100 SXM5", model="DGX H100", supplies={"count": "3", "rating": "3 kW"})
    for feeds in (TWO, THREE):
        check = check_psu_redundancy(device, split_supplies(3, feeds), "server")
        assert (check.outcome, check.severity) == (Outcome.FAIL, Severity.VIOLATION)
        assert "3 x 3 kW installed = 9.0 kW, less than 10.2 kW" in check.why
        assert "4 supplies" in check.why


@pytest.mark.parametrize("feeds", [TWO, THREE, ("A", "B", "C", "D")])
def test_n_plus_n_sets_survive(feeds: tuple[str, ...]) -> None:
    """DGX A100 3+3, DGX B300 6+6, GB200 shelves 4+4, switches 1+1."""
    for gpu in ("A100 SXM4 80GB", "B300 SXM", "B200 NVL72"):
        load = load_of(feeds, gpu_model=gpu, gpus="5760")
        checks = [c for c in load.checks if c.rule == "PSU-REDUNDANCY"]
        assert checks
        bad = [c for c in checks if c.failed]
        assert not bad, bad


def test_nvl72_shelves_four_on_each_of_two_feeds() -> None:
    plan = plan_of(TWO, gpu_model="B200 NVL72", servers="8")
    rack = plan.racks[0]
    psu = rack.placed[0].device.psu
    assert psu is not None
    assert (psu.count, psu.needed, psu.rating_w, psu.phases) == (8, 4, 33e3, 3)
    assert Counter(s.feed for s in rack.supplies) == {"A": 4, "B": 4}
    assert len(rack.circuits) == 8
    assert len({s.circuit for s in rack.supplies}) == 8, "one whip for each shelf"


def test_pairs_of_feeds_rotate_over_racks() -> None:
    plan = plan_of(THREE, gpu_model="B200 NVL72", servers="9", network={"topology": "none"})
    compute = [rack for rack in plan.racks if rack.purpose == "compute"]
    assert {rack.feeds: rack.count for rack in compute} == {
        ("A", "B"): 3,
        ("B", "C"): 3,
        ("C", "A"): 3,
    }


def test_single_feed_checks_the_redundant_supplies() -> None:
    check = found(load_of(("A",), gpu_model="H100 SXM5", gpus="8").checks, "PSU-REDUNDANCY", "DGX")
    assert check.outcome is Outcome.PASS
    assert "one feed only" in check.why


def test_unpublished_supplies_are_not_evaluated() -> None:
    check = found(
        load_of(
            gpu_model="H100 SXM5",
            server="box",
            gpus="8",
            devices=[
                {
                    "model": "box",
                    "maximum_power": "9 kW",
                    "rack_units": "8",
                    "gpus": "8",
                    "gpu_model": "H100 SXM5",
                }
            ],
        ).checks,
        "PSU-REDUNDANCY",
        "box",
    )
    assert check.outcome is Outcome.NOT_EVALUATED


@pytest.mark.parametrize(
    ("voltage_v", "outcome"),
    [
        (208.0, Outcome.PASS),
        (240.0, Outcome.PASS),
        (230.0, Outcome.PASS),
        (277.0, Outcome.FAIL),
        (120.0, Outcome.FAIL),
        (415.0, Outcome.FAIL),
    ],
)
def test_supply_voltage_of_a_dgx(voltage_v: float, outcome: Outcome) -> None:
    """200-240 V (DGX H100 user guide): 480Y/277 line-to-neutral is a violation."""
    check = check_supply_voltage(server("H100 SXM5"), voltage_v, "whip")
    assert (check.outcome, check.severity) == (outcome, Severity.VIOLATION)
    assert f"200-240 V and is supplied at {voltage_v:.0f} V" in check.why


def test_supply_voltage_of_a_shelf_is_line_to_line() -> None:
    shelf = server("B200 NVL72")
    assert not check_supply_voltage(shelf, 415.0, "shelf").failed
    assert not check_supply_voltage(shelf, 480.0, "shelf").failed
    assert check_supply_voltage(shelf, 208.0, "shelf").failed


@pytest.mark.parametrize(("line_v", "name_v"), [(480.0, 277.0), (400.0, 230.0)])
def test_a_supply_rated_at_the_nominal_phase_voltage_fits(line_v: float, name_v: float) -> None:
    """480Y/277 and 400Y/230 are names: 480 V over root 3 is 277.13 V, 400 V is 230.94 V."""
    supplies = {"count": 6, "rating": "3.3 kW", "voltage_min": "200 V"}
    device = server(
        "H100 SXM5", model="DGX H100", supplies=supplies | {"voltage_max": f"{name_v:g} V"}
    )
    phase_v = line_v / 3.0**0.5
    assert not check_supply_voltage(device, phase_v, "whip").failed
    assert check_supply_voltage(device, 1.02 * phase_v, "whip").failed


def test_a_device_on_one_feed_alone_is_warned_of() -> None:
    device = server("H100 SXM5")
    alone = check_single_feed(device, {"A": 6}, "server")
    assert alone.failed
    assert alone.severity is Severity.WARNING
    assert not check_single_feed(device, {"A": 3, "B": 3}, "server").failed
    load = load_of(("A",), gpu_model="H100 SXM5", servers="4")
    assert "feed A lost" in found(load.checks, "SINGLE-FEED", "DGX H100").why


def test_liquid_racks_refuse_air_alone() -> None:
    racks = plan_of(gpu_model="B200 NVL72", servers="8").racks
    refuse_air_only(racks, "liquid")
    refuse_air_only(plan_of(gpu_model="H100 SXM5", servers="8").racks, "air")
    with pytest.raises(FacilityError) as error:
        refuse_air_only(racks, "air")
    assert (error.value.code, error.value.exit_code) == ("LIQUID_REQUIRED", 4)
    assert "87%" in error.value.message


@given(st.integers(1, 60), st.integers(1, 6), st.integers(0, 20))
def test_split_is_complete_and_even(count: int, feeds: int, start: int) -> None:
    split = split_supplies(count, tuple("ABCDEF"[:feeds]), start)
    assert sum(split.values()) == count
    assert max(split.values()) - min(split.values()) <= 1


@given(st.integers(3, 6), st.integers(1, 400))
def test_rotation_loads_feeds_alike(feeds: int, racks: int) -> None:
    psu = server("B200 NVL72").psu
    assert psu is not None
    names = tuple("ABCDEF"[:feeds])
    sets = feed_sets([psu], names)
    turns = Counter(feed for i in range(racks) for feed in sets[i % len(sets)])
    if len(sets) > 1 and racks % len(sets) == 0:
        assert len(set(turns.values())) == 1
    assert all(len(set(s)) == len(s) for s in sets)


def test_every_supply_hangs_once_on_a_circuit_of_its_feed() -> None:
    for gpu in ("H100 SXM5", "B200 NVL72", "B300 SXM"):
        for feeds in (TWO, THREE, ("A", "B", "C", "D")):
            for rack in plan_of(feeds, gpu_model=gpu, gpus="4000").racks:
                _check_hanging(rack)


def _check_hanging(rack: Rack) -> None:
    per_device = Counter(s.device for s in rack.supplies)
    index = 0
    for placed in rack.placed:
        assert placed.device.psu is not None
        for _ in range(placed.count):
            assert per_device[index] == placed.device.psu.count
            index += 1
    assert len(rack.device_w) == len(rack.device_pf) == len(rack.device_phases) == index
    assert all(rack.circuits[s.circuit].feed == s.feed for s in rack.supplies)
    assert {s.feed for s in rack.supplies} <= set(rack.feeds)


def test_four_dgx_h100_to_a_rack_and_eight_do_not_fit() -> None:
    """The reference rack holds 4 in 48U; the guide's 8 x 8U is 64U."""
    plan = plan_of(gpu_model="H100 SXM5", gpus="10000")
    racks = {rack.name: rack.count for rack in plan.racks if rack.purpose == "compute"}
    assert racks == {"Compute": 312, "Compute (2 of 4)": 1}
    eight = load_of(gpu_model="H100 SXM5", gpus="10000", servers_per_rack="8")
    (check,) = [c for c in eight.checks if c.rule == "RACK-UNITS" and c.failed]
    assert check.subject == "Compute"
    assert "8 x 8U DGX H100 = 64U do not fit 48U" in check.why
    assert eight.racks_compute == 157


@pytest.mark.parametrize(
    ("units", "limit_w", "expected", "why"),
    [
        (48, None, 6, "height"),
        (48, 40.8e3, 4, "power"),
        (48, 62e3, 6, "height"),
        (42, 30e3, 2, "power"),
        (8, None, 1, "height"),
    ],
)
def test_packing_by_the_tighter_limit(
    units: int, limit_w: float | None, expected: int, why: str
) -> None:
    most, reason = max_per_rack(8, 10.2e3, units, limit_w, "it.server")
    assert most == expected
    assert reason.startswith(why)


def test_a_rack_that_holds_nothing_is_refused() -> None:
    for units, limit_w in ((7, None), (48, 10e3)):
        with pytest.raises(FacilityError) as error:
            max_per_rack(8, 10.2e3, units, limit_w, "it.server")
        assert (error.value.code, error.value.exit_code) == ("RACK_TOO_SMALL", 4)


@given(st.integers(1, 10**6), st.integers(1, 100))
def test_packing_holds_all(count: int, per_rack: int) -> None:
    packing = pack(count, per_rack, "")
    assert packing.full * per_rack + packing.last == count
    assert packing.last < per_rack
    assert (packing.racks - 1) * per_rack < count


def test_rack_power_given_limits_packing_and_is_checked() -> None:
    load = load_of(gpu_model="H100 SXM5", servers="100", rack_power="21 kW")
    assert load.racks_compute == 50
    assert not found(load.checks, "RACK-POWER", "Compute").failed
    forced = load_of(gpu_model="H100 SXM5", servers="100", rack_power="21 kW", servers_per_rack="4")
    assert found(forced.checks, "RACK-POWER", "Compute").failed


@pytest.mark.parametrize(
    ("model", "shelves", "needed", "rating_kw"),
    [
        ("GB200 NVL72 NVIDIA", 8, 4, 33.0),
        ("GB200 NVL72", 8, 4, 33.0),
        # 135 kW over shelves of 33 kW is 4.09; 142 kW is 4.30: five of eight shelves.
        ("GB200 NVL72 Supermicro", 8, 5, 33.0),
        ("GB300 NVL72 NVIDIA", 8, 5, 33.0),
    ],
)
def test_shelves_of_the_catalogue(model: str, shelves: int, needed: int, rating_kw: float) -> None:
    """48 supplies of 5.5 kW, six in a shelf of 33 kW, 24 needed (NVIDIA DGX GB user guide)."""
    plan = plan_of(TWO, server=model, servers="8")
    psu = next(rack for rack in plan.racks if rack.purpose == "compute").placed[0].device.psu
    assert psu is not None
    assert (psu.count, psu.needed, psu.rating_w, psu.phases) == (
        shelves,
        needed,
        rating_kw * 1e3,
        3,
    )
    assert not psu.assumed


def test_a_rack_of_shelves_hangs_on_both_feeds() -> None:
    """8 shelves of 33 kW, N+N: 4 + 4 on two feeds, and 4 carry 120 kW after the loss of one."""
    load = load_of(TWO, server="GB200 NVL72 NVIDIA", servers="8")
    redundant = found(load.checks, "PSU-REDUNDANCY", "GB200")
    assert redundant.subject == "GB200 NVL72 NVIDIA, supplies 4+4 on A+B"
    assert redundant.outcome is Outcome.PASS
    assert (redundant.value, redundant.limit) == (pytest.approx(132e3), pytest.approx(120e3))
    single = [c for c in load.checks if c.rule == "SINGLE-FEED" and c.subject.startswith("GB200")]
    assert all(check.outcome is Outcome.PASS for check in single)


def test_shelf_columns_agree_with_the_supplies() -> None:
    for row in table("equipment/servers").rows:
        shelves, each = row["psu_shelves"], row["psu_per_shelf"]
        if shelves is not None and each is not None:
            assert int(shelves) * int(each) == row["psu_count"], row.label
            assert int(each) * row.si("psu_rating_w") == row.si("shelf_rating_kw"), row.label


@pytest.mark.parametrize(
    ("rating", "outcome"),
    [("1 kW", Outcome.FAIL), ("4.49 kW", Outcome.FAIL), ("4.51 kW", Outcome.PASS)],
)
def test_supplies_that_contradict_the_power_name_both_sides(rating: str, outcome: Outcome) -> None:
    """2 supplies needed for 10 kW of input give at least 9 kW of output at 90 % efficiency."""
    device = {
        "model": "X",
        "category": "server",
        "gpus": "8",
        "gpu_model": "H100 SXM5",
        "maximum_power": "10 kW",
        "rack_units": "8",
        "supplies": {"count": "40", "needed": "2", "rating": rating},
    }
    load = load_of(
        TWO,
        devices=[device],
        halls=[{"name": "A", "racks": [{"name": "R", "devices": [{"model": "X"}]}]}],
    )
    check = found(load.checks, "PSU-REDUNDANCY", "X")
    assert check.outcome is outcome
    if outcome is Outcome.FAIL:
        assert check.severity is Severity.VIOLATION
        assert f"2 x {rating}" in check.why
        assert "the stated device draw is 10 kW" in check.why
