"""The study of a design: cases, what overheats first, checks, coupling with the power network."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from facility.cooling.ride_through.limits import limits_of, while_running
from facility.cooling.ride_through.schedule import PowerState, RideCase
from facility.cooling.ride_through.signals import case_signals, simulate
from facility.cooling.ride_through.stores import SIGNALS
from facility.core.check import Check, Outcome, Severity
from facility.core.errors import FacilityError
from facility.files.project.file import apply_sets, parse_project
from facility.model.facility import Goal
from facility.report.book.cooling.ride_through import CASES, LIMITS, case_rows, limit_rows
from facility.report.studies.transient import case_object
from facility.study.design.design import design as design_project
from facility.study.transient.checks import ride_checks
from facility.study.transient.study import TransientStudy, transient
from tests.study.helpers import PROJECTS, SHORTEST, design_of, reference
from tests.study.transient.helpers import BARE, SHORT, plant_of

WHAT_IF_ON_UPS = {"utility_all_on_ups", "utility_none_on_ups"}
AIR_CASES = {"utility", "utility_generator", "crah", "chiller", "rejection", "chw_header"}
AIR_CASES |= WHAT_IF_ON_UPS
LIQUID_CASES = AIR_CASES | {"cdu", "cdu_pump", "fws_header", "coolant_flow"}


@cache
def study_of(name: str, *sets: str, only: tuple[str, ...] = ()) -> TransientStudy:
    return transient(reference(name, SHORT, *sets), only, storage=False)


def checks_of(study: TransientStudy, word: str) -> list[Check]:
    return [check for check in study.checks if word in check.subject]


@pytest.mark.parametrize("name", PROJECTS)
def test_every_project_has_its_cases(name: str) -> None:
    study = study_of(name)
    ids = {found.case.id for found in study.cases}
    wanted = AIR_CASES if name in ("h100-10k", "dgx-su-32") else LIQUID_CASES
    air_cooled = study.plant.design.chilled.plan.sink.kind == "air_cooled"
    assert ids >= wanted - ({"rejection"} if air_cooled else set())
    assert ("fws_rejection" in ids) == (name in ("nvl72-hall", "mixed-hall"))
    for found in study.cases:
        assert found.series["inlet_worst"][0] == pytest.approx(study.plant.flow.inlet_worst_c)
        assert all(np.isfinite(values).all() for values in found.series.values())
        assert found.horizon_s == 240.0


@pytest.mark.parametrize("name", PROJECTS)
def test_air_that_moves_lasts_longer_and_water_that_moves_longest(name: str) -> None:
    study = study_of(name, *BARE)
    times = [
        {limit.id: t for limit, t, _ in study[id].limits}["allowable"] or math.inf
        for id in ("utility_none_on_ups", "utility", "utility_all_on_ups")
    ]
    assert times[0] < times[1] < times[2]
    assert times[0] < 10.0


def test_cold_plates_trip_within_seconds_when_their_pumps_stop() -> None:
    stopped = study_of("nvl72-hall", only=("utility_none_on_ups",))["utility_none_on_ups"]
    running = study_of("nvl72-hall", only=("utility",))["utility"]
    times = {limit.id: t for limit, t, _ in stopped.limits}
    assert times["plates"] is not None
    assert 3.0 < times["plates"] < 30.0
    assert {limit.id: t for limit, t, _ in running.limits}["plates"] is None


def test_first_is_the_earliest_allowable_limit() -> None:
    for found in study_of("nvl72-hall").cases:
        hard = [t for limit, t, _ in found.limits if limit.grade == "allowable" and t is not None]
        assert found.holds == (not hard)
        if hard:
            assert found.first is not None
            assert found.first[1] == min(hard)
            assert found.first[0].title in found.first_words


def test_cooling_comes_back_with_the_last_load_step() -> None:
    sets = ("power.generator.start_time=20 s", "cooling.thermal.generator_step=3 s")
    for found, start_s, step_s in (
        (study_of("nvl72-hall"), 10.0, 5.0),
        (study_of("nvl72-hall", *sets), 20.0, 3.0),
    ):
        steps = reference("nvl72-hall").results["generator.steps"].si
        power = found["utility"].case.power
        assert power.restored_s == start_s + (float(steps) - 1.0) * step_s
        assert power.on_board == (0.0, 1.0)
        assert power.on_ups == (1.0, 1.0)
        assert found.results["ride.restored"].si == power.restored_s


def test_loops_hold_what_is_laid_out_unless_it_is_given() -> None:
    """Nobody gave volumes: pipes and racks of the loop table, never a figure beside it."""
    found, study = reference("nvl72-hall", SHORT), study_of("nvl72-hall")
    for name in ("tcs", "fws"):
        assert (
            study.results[f"ride.volume.{name}"].si == found.all_results[f"loop.{name}.volume"].si
        )
    given = study_of("nvl72-hall", "cooling.thermal.tcs_volume=2 m3", only=("utility",))
    assert given.results["ride.volume.tcs"].si == pytest.approx(2.0)


def test_coolant_warms_as_its_mixed_supply_side_does() -> None:
    """Facility water stops within a second: half of 2 m3 mixes with the return of the racks.

    1 m3 of PG25 at 44 to 57 degC holds 4.02 MJ/K; 1,040 L/min of it carry 69.8 kW/K: 57.6 s. From
    44 degC towards 57.3 degC, half a second late: 45.0 degC after 5 s, 47.0 degC after 15 s.
    """
    sets = ("cooling.thermal.tcs_volume=2 m3", "power.generator.start_time=60 s")
    study = study_of("nvl72-hall", *sets, *BARE, only=("utility",))
    supply_c = np.interp([5.0, 15.0], study.time_s, study["utility"].series["tcs_supply"])
    exact = [57.28 - 13.28 * math.exp(-(t - 0.5) / 57.6) for t in (5.0, 15.0)]
    assert supply_c == pytest.approx(exact, abs=0.1)


def test_buffer_brings_the_loop_to_the_volume_that_its_chillers_need() -> None:
    """6 US gal per ton of the chiller load, the buffer included; a stated one may fall short."""
    study = study_of("dgx-su-32")
    (check,) = checks_of(study, "chilled water")
    assert (check.rule, check.failed) == ("RIDE-THROUGH-VOLUME", False)
    assert "excluding evaporators (" in check.why
    assert "excluding evaporators (" in study.results["ride.volume.chw"].basis
    stated = study_of("dgx-su-32", "cooling.thermal.chilled_water_tank=0 m3", only=("crah",))
    (check,) = checks_of(stated, "chilled water")
    assert (check.failed, check.severity) == (True, Severity.WARNING)
    given = study_of("dgx-su-32", "cooling.thermal.chilled_water_volume=3 m3", only=("crah",))
    assert given.results["ride.volume.chw"].basis == "stated; without buffer"


def test_limits_of_equipment_without_power_do_not_count() -> None:
    """Both racks lose their supply with the only switchgear: the room then warms, and may."""
    plant = study_of("dgx-su-32").plant
    criteria = reference("dgx-su-32", SHORT).facility.criteria
    (limit,) = (one for one in limits_of(plant, criteria) if one.id == "allowable")
    times = np.array([0.0, 10.0, 20.0, 30.0])
    series = np.array([[25.0], [26.0], [36.0], [40.0]])
    off = RideCase("off", "", PowerState(it_air=(1.0, 0.0), restored_s=15.0))
    on = RideCase("on", "", PowerState(it_air=(1.0, 0.5), restored_s=15.0))
    assert while_running(series, limit, [off], times)[:, 0].tolist() == [25.0, 26.0, 25.0, 25.0]
    assert while_running(series, limit, [on], times)[:, 0].tolist() == series[:, 0].tolist()


@pytest.mark.parametrize("gpus", [8, 64])
def test_room_with_cracs_rides_through_by_the_choices_of_the_tool(gpus: int) -> None:
    """Compressors restart after 3 min, room air passes 30 degC within one: they are on the UPS."""
    text = f"schema_version: 1\nit: {{gpu_model: H100 SXM5, gpus: {gpus}}}\n"
    text += "cooling: {air: {terminal: crac}}\n"
    study = transient(design_project(apply_sets(parse_project(text), ())))
    assert not [check for check in study.checks if check.rule == "RIDE-THROUGH" and check.failed]
    bare = apply_sets(parse_project(text), ("cooling.on_ups.0=crah_fans",))
    failed = [c for c in transient(design_project(bare)).checks if c.rule == "RIDE-THROUGH"]
    assert any(c.failed and "crac_compressors" in c.why for c in failed)


def test_batteries_that_end_before_the_generators_start_stop_the_it() -> None:
    study = study_of("nvl72-hall", "cooling.thermal.generator_step=3600 s", only=("utility",))
    power = study["utility"].case.power
    assert power.exhausted
    (check,) = [one for one in study.checks if one.rule == "RIDE-THROUGH-BATTERY"]
    assert check.failed
    times, values = case_signals(study.plant, study["utility"].case)
    heat_w = values[:, SIGNALS.index("liquid_w")]
    assert power.battery_s is not None
    assert (heat_w[times <= power.battery_s] > 0.0).all()
    assert heat_w[np.searchsorted(times, power.battery_s + 2.0)] == 0.0


def test_without_a_set_nothing_comes_back_after_the_utility() -> None:
    """The batteries carry IT and what is on the UPS to their end, and nothing after it."""
    found = reference("dgx-su-32", "power.generator.count=0")
    study = transient(found)
    case = study["utility"]
    power = case.case.power
    assert case.case.title == "loss of utility, no generator set"
    assert "ride.restored" not in study.results
    assert math.isinf(power.restored_s)
    assert power.battery_s is not None
    times, values = case_signals(study.plant, case.case)
    after = dict(zip(SIGNALS, values[times.searchsorted(power.battery_s) + 1], strict=True))
    assert after == dict(zip(SIGNALS, values[-1], strict=True))
    assert after["it_air_w"] == after["supply_air_w_k"] == after["chiller_w"] == 0.0
    (verdict,) = (check for check in study.checks if check.rule == "RIDE-THROUGH-BATTERY")
    assert verdict.failed
    assert "no generator set is installed" in verdict.why
    assert case_object(case)["restored_s"] is None
    checks = {check.rule: check for check in found.checks}
    assert "STUDY-NOT-RUN" not in checks
    assert "storage.restart_volume" not in found.results


def test_a_load_beyond_the_discharge_table_stops_nothing() -> None:
    """Two strings as built under a load for which more are sized: their table ends before it."""
    few = "power.battery.strings=2"
    small = "power.battery.model=EP65-12"
    study = study_of("h100-10k", "it.gpus=512", few, small, *BARE, only=("utility",))
    assert study["utility"].case.power.battery_s is None
    (check,) = [one for one in study.checks if one.rule == "RIDE-THROUGH-BATTERY"]
    assert check.outcome is Outcome.NOT_EVALUATED
    times = {limit.id: t for limit, t, _ in study["utility"].limits}
    assert times["allowable"] is not None
    assert times["allowable"] < 60.0


def test_violations_are_of_what_the_equipment_allows() -> None:
    study = study_of("dgx-su-32", *BARE)
    failed = {check.rule: check.severity for check in study.checks if check.failed}
    assert failed["RIDE-THROUGH"] is Severity.VIOLATION
    assert failed["RIDE-THROUGH-RECOMMENDED"] is Severity.ADVICE
    assert not checks_of(study, "all fans and pumps on the UPS")
    assert all(check.why for check in study.checks)
    (room,) = checks_of(study, "electrical rooms")
    assert room.outcome is Outcome.NOT_EVALUATED


@pytest.mark.parametrize("name", PROJECTS)
def test_a_section_of_each_header_is_shut_in_every_design(name: str) -> None:
    """The rings that follow N+1 leave the units that remain the whole flow: no limit is passed."""
    study = study_of(name)
    found = checks_of(study, "header")
    assert found
    assert {check.outcome for check in found if check.rule == "RIDE-THROUGH"} == {Outcome.PASS}
    flows = {k: v for k, v in study.results.items() if k.endswith("header.flow_left")}
    liquid = name not in ("h100-10k", "dgx-su-32")
    assert ("ride.tcs_header.flow_left" in flows) is liquid
    left = [v for k, v in flows.items() if k != "ride.tcs_header.flow_left"]
    assert len(left) == 1 + (name not in ("h100-10k", "dgx-su-32"))
    assert all(value.si == 1.0 and "ring header" in value.basis for value in left)


def test_a_single_header_stops_its_loop_and_is_named() -> None:
    study = study_of("dgx-su-32", "cooling.hydraulics.header=single")
    assert study.results["ride.chw_header.flow_left"].si == 0.0
    failed = [c for c in checks_of(study, "header") if c.rule == "RIDE-THROUGH" and c.failed]
    assert failed
    assert all("cooling.hydraulics.header is single" in check.why for check in failed)
    assert {check.severity for check in failed} == {Severity.ADVICE}, "planned, and no goal stated"
    criteria = replace(study.plant.design.criteria, goal=Goal("", "concurrently_maintainable"))
    plant = replace(study.plant, design=replace(study.plant.design, criteria=criteria))
    binding = [c for c in ride_checks((study["chw_header"],), plant, 0.0) if c.failed]
    assert Severity.VIOLATION in {check.severity for check in binding}
    stated = study_of("dgx-su-32", "cooling.thermal.header_flow=60 %")
    assert stated.results["ride.chw_header.flow_left"].si == 0.6


def test_headers_without_valves_are_refused_with_the_redundancy_they_cannot_meet() -> None:
    with pytest.raises(FacilityError) as caught:
        reference("dgx-su-32", "cooling.hydraulics.header_valves=false")
    assert caught.value.code == "HEADER_VALVES"
    assert "cooling.hydraulics.header is ring" in caught.value.message
    assert "cooling.crah.redundancy" in caught.value.message


@pytest.mark.parametrize(
    ("sets", "words"),
    [
        (("cooling.hydraulics.tcs_header=ring",), "tcs_header is ring (stated)"),
        (
            ("criteria.availability_goal=concurrently_maintainable",),
            "tcs_header is dual (for concurrently_maintainable (criteria.availability_goal))",
        ),
    ],
)
def test_coolant_headers_without_valves_are_refused_with_what_they_cannot_meet(
    sets: tuple[str, ...], words: str
) -> None:
    single = "cooling.hydraulics.header=single"
    with pytest.raises(FacilityError) as caught:
        reference("nvl72-hall", single, "cooling.hydraulics.header_valves=false", *sets)
    assert caught.value.code == "HEADER_VALVES"
    assert caught.value.where == "cooling.hydraulics.header_valves"
    assert words in caught.value.message
    # A single header needs no valves, and its racks are lost together.
    bare = study_of("nvl72-hall", single, "cooling.hydraulics.header_valves=false")
    assert bare.results["ride.tcs_header.flow_left"].si == 0.0


def test_a_section_of_the_coolant_header_stops_the_racks_on_it() -> None:
    for header, racks, left in (("single", 8, 0.0), ("ring", 1, 7 / 8), ("dual", 0, 1.0)):
        study = study_of("nvl72-hall", f"cooling.hydraulics.tcs_header={header}")
        case = study["tcs_header"].case
        assert case.racks == racks
        assert study.results["ride.tcs_header.flow_left"].si == pytest.approx(left)
        assert study["tcs_header"].holds
        assert (f"{racks} of 8 racks isolated" in case.title) is (racks > 0)
    volumes = [
        study_of("nvl72-hall", f"cooling.hydraulics.tcs_header={header}").plant.tcs_m3
        for header in ("single", "ring", "dual")
    ]
    assert volumes[0] < volumes[1] == volumes[2]


def test_a_rack_with_too_little_coolant_behind_a_shut_section_is_followed() -> None:
    """Half of the flow of a rack: its chips are warmer than at the design hour."""
    plant = study_of("nvl72-hall").plant
    cases = [RideCase("half", "half", headers={"cdus": 0.5}), RideCase("all", "all")]
    plates = simulate(plant, cases).node("plates")
    assert plates[-1, 0] > plates[-1, 1] + 5.0


def test_time_without_any_coolant_flow_lies_between_metal_and_all_coolant() -> None:
    """NVL72 racks: 0.3 kJ/K of metal for each kW and 20 L of coolant in a rack, 25 K to 95 degC."""
    study = study_of("nvl72-hall")
    plant, cdus = study.plant, study.plant.design.cdus
    assert cdus is not None
    liquid = plant.design.chain.liquid
    assert liquid is not None
    rise_k = 95.0 - plant.settings.tcs_c - 30.0
    least_s = 0.3 * rise_k
    water_j_k = 0.020 * sum(rack.count for rack in liquid.racks)
    water_j_k *= cdus.tcs.density_kg_m3 * cdus.tcs.specific_heat_j_kgk
    most_s = least_s + water_j_k * rise_k / plant.heat.liquid_it_w
    result = study.results["ride.coolant_flow.chip_limit.least"].si
    assert result == pytest.approx(least_s, rel=0.02)
    assert study.results["ride.coolant_flow.chip_limit.most"].si == pytest.approx(most_s, rel=0.02)
    stepped = study.results["ride.coolant_flow.time.plates"].si
    assert least_s <= float(stepped) <= 1.2 * least_s + 1.0
    assert not checks_of(study, "loss of all coolant flow")


def test_an_unknown_limit_is_not_evaluated() -> None:
    """Racks whose maker states no limit of the coolant supply."""
    study = study_of("nvl72-hall")
    limits = {limit.id: limit for limit, _, _ in study["cdu"].limits}
    stated = limits["coolant"].limit_c is not None
    found = checks_of(study, "one CDU fails: coolant supply")
    assert (found[0].outcome is Outcome.NOT_EVALUATED) != stated


@pytest.mark.parametrize("terminal", ["rear-door", "active-rear-door"])
def test_rear_doors_need_their_water(terminal: str) -> None:
    """Without water the exhaust of the racks reaches the room as it is."""
    study = study_of(
        "dgx-su-32", f"cooling.air.terminal={terminal}", *BARE, only=("utility", "crah")
    )
    assert study["crah"].holds
    assert not study["utility"].holds
    room_c = study["utility"].series["return_air"]
    assert room_c[0] < 30.0
    assert room_c.max() > 40.0


def test_the_metal_of_cracs_is_that_of_the_units_that_stand() -> None:
    """Few kW of air beside liquid: coils of their load alone changed within half a second."""
    plant = study_of("nvl72-hall", "cooling.air.terminal=crac", only=("utility",)).plant
    unit, counts = plant.design.chain.crah.unit, plant.design.counts
    assert plant.coil_j_k == pytest.approx(0.5 * counts.crah * (unit.net_sensible_w + unit.fan_w))


def test_cracs_cool_again_once_their_compressors_restart() -> None:
    """There is no cold water in between: the room warms as it does without any cooling."""
    sets = ("cooling.air.terminal=crac", "cooling.on_ups.0=crah_fans")
    study = study_of("dgx-su-32", *sets, only=("utility", "crah"))
    assert {"chiller", "chw_header"}.isdisjoint(one.case.id for one in study.cases)
    assert "ride.volume.chw" not in study.results
    assert study["crah"].holds
    utility = study["utility"]
    assert not utility.holds
    back_s = utility.case.power.restored_s + study.plant.thermal.restart.chiller_s
    warmest_s = study.time_s[np.argmax(utility.series["return_air"])]
    assert 180.0 < warmest_s <= back_s + study.plant.thermal.restart.chiller_ramp_s
    failed = [check for check in checks_of(study, "loss of utility") if check.failed]
    assert any("cooling.thermal.chiller_restart" in check.why for check in failed)


@pytest.mark.parametrize(
    "stated", ["server_mass=1 kJ/K", "coil_mass=1 kJ/K", "chilled_water_volume=0.001 m3"]
)
def test_a_store_too_small_to_be_followed_is_refused_by_its_field(stated: str) -> None:
    """Steps without a bound took 6 GB; the field that makes them so is named."""
    with pytest.raises(FacilityError) as caught:
        transient(reference("dgx-su-32", f"cooling.thermal.{stated}"), storage=False)
    assert caught.value.code == "RIDE_THROUGH_STEP"
    assert caught.value.where == f"cooling.thermal.{stated.split('=')[0]}"


@pytest.mark.parametrize(
    ("sets", "key"),
    [
        (
            ("cooling.plant.chiller.count=1", "cooling.plant.chiller.capacity=150 kW"),
            "plant.chiller_count",
        ),
        (("cooling.crah.count=1",), "crah.count"),
    ],
)
def test_no_more_run_than_stand_and_no_tank_replaces_them(sets: tuple[str, ...], key: str) -> None:
    """Some 395 kW and 21 m3/s: three chillers of 150 kW and three air handlers are needed."""
    found = reference("dgx-su-32", *sets)
    installed, duty = found.results[key].si, found.results[f"{key}.duty"].si
    assert duty == installed
    with pytest.raises(FacilityError) as caught:
        transient(found)
    assert caught.value.code == "RIDE_THROUGH_SHORT"
    assert caught.value.where.endswith(".count")
    assert found.year is not None
    failed = [one for one in found.year.checks if one.rule == "ANNUAL-CAPACITY" and one.failed]
    assert len(failed) == 1
    assert "assume sufficient capacity" in failed[0].why


@pytest.mark.parametrize("terminal", ["in-row", "fan-wall"])
def test_other_units_with_water_coils_are_followed(terminal: str) -> None:
    study = study_of(
        "dgx-su-32", f"cooling.air.terminal={terminal}", *BARE, only=("utility", "crah")
    )
    assert study["crah"].holds
    assert not study["utility"].holds


def test_fans_on_the_ups_are_those_of_the_project() -> None:
    sets = ("cooling.on_ups.0=crah_fans", "cooling.on_ups.1=water_pumps")
    supplied = study_of("dgx-su-32", *sets, only=("utility",))["utility"].case.supplied
    assert supplied == {"fans", "fws_pumps", "chw_pumps"}


def test_an_unknown_case_names_the_known_ones() -> None:
    with pytest.raises(FacilityError) as caught:
        study_of("dgx-su-32", only=("utilty",))
    assert caught.value.code == "UNKNOWN_CASE"
    assert caught.value.exit_code == 2
    assert "Did you mean 'utility'" in caught.value.hint
    assert "chw_header" in caught.value.hint
    with pytest.raises(FacilityError):
        study_of("dgx-su-32", only=("crah",))["cdu"]


def test_the_study_is_kept_with_storage_and_its_results_are_plain() -> None:
    found = reference("nvl72-hall", SHORT, *BARE)
    study = transient(found)
    assert transient(found) is study
    assert study["crah"].storage is None
    assert study["utility_all_on_ups"].storage is not None
    body = study.results.as_json()
    assert body["ride.utility.holds"] is False
    assert body["ride.crah.time.allowable"] == "not reached"
    assert body["ride.utility.peak.inlet_worst"]["unit"] == "degC"
    assert body["ride.utility_all_on_ups.storage.fws"]["value"] > 0.0


def test_rows_of_tables_and_plots() -> None:
    study = study_of("nvl72-hall", only=("utility", "crah"))
    rows = list(study.rows(10.0))
    names = {(row[0], row[1]) for row in rows}
    assert ("utility", "inlet_worst") in names
    times = [row[2] for row in rows if row[:2] == ("utility", "inlet_worst")]
    assert times == [10.0 * n for n in range(25)]
    assert [row[0] for row in CASES.text(case_rows(study)).rows] == ["utility", "crah"]
    shut = study_of("nvl72-hall", only=("crah", "chw_header"))
    assert [one.case.id for one in shut.evaluated] == ["crah", "chw_header"]
    assert [row[1] for row in CASES.text(case_rows(shut)).rows] == [
        "one CRAH fails",
        "chilled-water header section shut off",
    ]
    limits = list(LIMITS.text(limit_rows(study)).rows)
    assert len(limits) == sum(len(found.limits) for found in study.cases)
    body = case_object(study["utility"])
    assert body["restored_s"] == 25.0
    assert body["limits"][0]["grade"] == "recommended"
    assert body["on_ups"] == ["cdus", "chw_pumps", "fans", "fws_pumps"]


@pytest.mark.parametrize("name", PROJECTS)
def test_open_fields_ride_through_and_a_smaller_tank_does_not(name: str) -> None:
    """Fans and pumps stand on the UPS, and each tank is the smallest that holds or bridges."""
    found = reference(name)
    study = transient(found, storage=False)
    assert not [c for c in study.checks if c.rule == "RIDE-THROUGH" and c.failed]
    assert study["utility"].case.supplied >= {"fans", "chw_pumps"}
    for key, field in (
        ("storage.tank", "chilled_water_tank"),
        ("storage.facility_water_tank", "facility_water_tank"),
    ):
        tank_m3 = found.all_results[key].si if key in found.all_results else 0.0
        if not tank_m3:
            continue
        less = reference(name, f"cooling.thermal.{field}={tank_m3 / 1.4} m3")
        fails = [
            c for c in less.checks if c.rule in ("RIDE-THROUGH", "STORAGE-RESTART") and c.failed
        ]
        assert fails
        named = [c for c in fails if c.rule == "RIDE-THROUGH"]
        assert all(f"cooling.thermal.{field} is" in c.why for c in named)


def test_stated_fields_that_forbid_it_are_named() -> None:
    pumps = study_of("dgx-su-32", "cooling.on_ups.0=crah_fans")
    failed = [c for c in pumps.checks if c.rule == "RIDE-THROUGH" and c.failed]
    assert failed
    assert all("water_pumps not on the UPS (cooling.on_ups)" in c.why for c in failed)
    spare = transient(reference("dgx-su-32", "cooling.plant.chiller.redundancy=N"), storage=False)
    failed = [c for c in spare.checks if c.rule == "RIDE-THROUGH" and c.failed]
    subjects = {c.subject.split(":")[0] for c in failed}
    pumps_fail = {f"one of the {loop}-water pumps fails" for loop in ("chilled", "condenser")}
    assert subjects == {"one chiller fails"} | pumps_fail
    assert all("no spare" in c.why for c in failed)
    assert all("(cooling.plant.chiller.redundancy)" in c.why for c in failed)


def test_a_limit_that_no_tank_keeps_takes_none_from_the_others() -> None:
    design = design_of(
        """\
schema_version: 1
site: {station: fargo, fault_level: 250 MVA}
it: {gpu_model: B200 NVL72, gpus: 2880}
power: {redundancy: 2N}
cooling: {method: liquid, plant: {heat_rejection: dry_cooler},
  facility_water: {source: dry_cooler, fluid: water}}
"""
    )
    study = transient(design, storage=False)
    failed = [c for c in study.checks if c.failed and c.rule == "RIDE-THROUGH"]
    assert {c.subject.split(": ")[1] for c in failed} == {"coolant supply of the equipment"}
    assert all("45.0 °C in the design hour is too close to 45.0 °C" in c.why for c in failed)
    assert design.all_results["storage.tank"].si > 0.0


def test_a_tank_beside_another_that_nothing_asks_for_keeps_its_limit_alone() -> None:
    """Chilled water trims the coolers: its tank would keep the coolant; control alone needs one."""
    design = design_of(
        """\
schema_version: 1
site: {station: phoenix}
criteria: {liquid_class: W40}
it: {gpu_model: B200 NVL72, gpus: 288}
cooling: {method: hybrid, facility_water: {source: dry_cooler_and_chiller}}
"""
    )
    assert not [c for c in transient(design).checks if c.failed and c.rule == "RIDE-THROUGH"]
    plant = transient(design, storage=False).plant
    short_m3 = plant.chw_min_m3 - plant.chw_m3
    assert short_m3 < design.all_results["storage.tank"].si < 1.3 * short_m3
    assert 1.0 < design.all_results["storage.facility_water_tank"].si < 5.0


def test_the_chosen_tank_lasts_from_the_loss_of_the_utility_until_the_chillers_are_back() -> None:
    found = reference("dgx-su-32")
    results = found.all_results
    assert results["storage.tank"].si >= results["storage.restart_volume"].si
    tank = results["storage.tank"].si
    assert tank / 10 ** math.floor(math.log10(tank)) in (1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8)
    doors = reference("dgx-su-32", "cooling.air.terminal=rear-door").all_results
    assert doors["storage.tank"].si >= doors["storage.restart_volume"].si


def test_the_tank_of_the_largest_halls_lasts_as_long() -> None:
    """No size is tried below what lasts, where fewer than the usual number are left above it."""
    results = reference("h100-10k", "it.gpus=40000").all_results
    assert results["storage.tank"].si >= results["storage.restart_volume"].si > 630.0


HIGH = (
    "site.station=",
    "site.country=ZA",
    "site.elevation=2400 m",
    "site.design_dry_bulb=30 degC",
    "site.design_wet_bulb=18 degC",
    "criteria.air_class=A2",
)


def test_every_study_holds_the_class_to_its_limit_at_the_elevation() -> None:
    """ASHRAE TC 9.9: A2 allows 35 degC, 1 K less for each 300 m above 900 m: 30 at 2,400 m."""
    found = design_of(SHORTEST, *HIGH)
    rides = [c for c in found.checks if c.rule == "RIDE-THROUGH" and "A2 allowable" in c.subject]
    limits = {c.limit for c in rides if c.limit is not None}
    for rule in ("AIR-ALLOWABLE", "INLET-TEMPERATURE"):
        limits |= {c.limit for c in found.checks if c.rule == rule}
    assert rides
    assert all(limit == pytest.approx(30.0) for limit in limits)


@pytest.mark.parametrize(("elevation", "air_class"), [("3040 m", "A1"), ("10 m", "H1")])
@pytest.mark.parametrize("terminal", ["crah", "in-row", "rear-door"])
def test_open_supply_air_is_what_its_class_allows(
    elevation: str, air_class: str, terminal: str
) -> None:
    sets = (f"site.elevation={elevation}", f"criteria.air_class={air_class}")
    found = design_of(SHORTEST, *HIGH, *sets, f"cooling.air.terminal={terminal}")
    held = ("AIR-ALLOWABLE", "INLET-TEMPERATURE", "INLET-RECOMMENDED", "RIDE-THROUGH")
    assert not [c for c in found.checks if c.rule in held and c.failed]


def test_losses_of_electrical_rooms_go_with_the_load_that_they_feed() -> None:
    """Half of the racks dark after 30 s: half of the losses; all of them dark: none."""
    plant = plant_of("dgx-su-32")
    for left in (0.5, 0.0):
        power = PowerState(it_air=(1.0, left), restored_s=30.0)
        _, values = case_signals(plant, RideCase("dark", "", power))
        losses_w = values[:, SIGNALS.index("electrical_w")]
        rooms_w, fresh_w = plant.flow.electrical_coils_w, plant.flow.fresh_w
        assert losses_w[0] == pytest.approx(rooms_w + fresh_w)
        assert losses_w[-1] == pytest.approx(left * rooms_w + fresh_w)
