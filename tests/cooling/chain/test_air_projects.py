"""Projects that nobody tuned the tool on: limits of racks, doors and coolers."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import pytest

from facility.core.check import Check, Outcome, Severity
from facility.core.errors import FacilityError
from facility.core.sources import PRACTICE
from facility.files.project.file import apply_sets, parse_project
from facility.study.compare.ways import compare_cooling
from facility.study.design.design import Design, design

DATA = Path(__file__).parents[1] / "data"
CASES = list(csv.DictReader((DATA / "air_projects.csv").read_text().splitlines()))


def typed(name: str, *changes: str) -> str:
    """Return a project as typed, with words of it replaced: ``"old -> new"``."""
    text = (DATA / "projects" / f"{name}.yaml").read_text()
    for change in changes:
        old, _, new = change.partition(" -> ")
        assert old in text
        text = text.replace(old, new)
    return text


@cache
def designed(name: str, *changes: str) -> Design:
    return design(parse_project(typed(name, *changes)))


def found(result: Design, rule: str, subject: str = "") -> Check:
    return next(c for c in result.checks if c.rule == rule and subject in c.subject)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['project']}: {case['what']}")
def test_figures_worked_by_hand(case: dict[str, str]) -> None:
    """Each row: a value, or value or limit of a check, with the hand calculation beside it."""
    changes = (case["change"],) if case["change"] else ()
    result = designed(case["project"], *changes)
    what, _, side = case["what"].partition(":")
    if side:
        check = found(result, what)
        number = check.value if side == "value" else check.limit
        assert check.outcome is Outcome[case["outcome"]]
    else:
        number = float(result.all_results[what].si)
    assert number == pytest.approx(float(case["expected"]), rel=float(case["tolerance"]))


def test_a_door_too_small_fails_the_check_as_it_fails_the_comparison() -> None:
    checked = found(designed("rear-doors"), "DOOR-AIRFLOW")
    compared = compare_cooling(parse_project(typed("rear-doors"))).option("rear_door")
    assert checked.outcome is Outcome.FAIL
    assert compared.design is not None
    assert found(compared.design, "DOOR-AIRFLOW") == checked
    assert compared.reason.startswith(f"DOOR-AIRFLOW: {checked.subject}: {checked.why}")


OWN_BOX = """
schema_version: 1
project: {{name: own}}
site: {{station: phoenix}}
it:
  halls:
  - name: Hall 1
    racks:
    - {{name: C, count: 8, devices: [{{model: Own box, count: 3}}]}}
  devices:
  - {{model: Own box, category: server, maximum_power: 8 kW, rack_units: 6, airflow: 800 cfm,
     {limit},
     supplies: {{count: 4, needed: 2, rating: 5 kW, voltage_min: 200 V, voltage_max: 277 V}}}}
power: {{redundancy: 2N}}
"""


SHORT = """
schema_version: 1
site: {{station: ashburn}}
it: {{gpu_model: {gpu}, gpus: 256}}
cooling: {{method: air, air: {{terminal: {terminal}}}}}
"""
RULES = ("AIR-PER-RACK", "DOOR-AIRFLOW", "COOLERS-PER-RACK")


@pytest.mark.parametrize("gpu", ["A100 SXM4 80GB", "H100 SXM5", "B200 SXM", "B300 SXM"])
@pytest.mark.parametrize(
    "terminal", ["crah", "fan-wall", "crac", "in-row", "rear-door", "active-rear-door"]
)
def test_racks_left_open_keep_the_limits_of_their_units(gpu: str, terminal: str) -> None:
    result = design(parse_project(SHORT.format(gpu=gpu, terminal=terminal)))
    limits = [check for check in result.checks if check.rule in RULES]
    assert len(limits) == 1
    assert limits[0].outcome is Outcome.PASS, limits[0]


def test_full_racks_of_unpublished_air_keep_that_of_their_doors() -> None:
    """29 management nodes of 900 W, in air of 24 degC, are too many for a passive door."""
    project = parse_project(SHORT.format(gpu="B200 SXM", terminal="rear-door"))
    result = design(apply_sets(project, ["it.management.count=60"]))
    (check,) = (check for check in result.checks if check.rule == "DOOR-AIRFLOW")
    assert check.subject.startswith("rack Management")
    assert check.outcome is Outcome.PASS, check


def test_coolers_that_do_not_fit_beside_their_racks_fail() -> None:
    """40.8 kW beside coolers rated 42.9 kW at 7 degC: at 20 degC each takes less than a third."""
    row = "method: air -> method: air\n  air: {terminal: in-row}"
    cold = "plant: {heat_rejection: tower} -> plant: {chilled_water_supply: 7 degC}"
    warm = "plant: {heat_rejection: tower} -> plant: {chilled_water_supply: 20 degC}"
    none = "kind: air-side-direct, dew_point_max: 15 degC, dew_point_min: -9 degC -> kind: none"
    inside = found(designed("direct-air", row, cold, none), "COOLERS-PER-RACK")
    outside = found(designed("direct-air", row, warm, none), "COOLERS-PER-RACK")
    assert (inside.outcome, outside.outcome) == (Outcome.PASS, Outcome.FAIL)
    assert inside.limit == outside.limit == 2.0


def test_open_water_is_as_cold_as_coolers_beside_their_racks_need() -> None:
    """The usual 18 degC fails by a third as 20 degC does; the open water passes, and just so."""
    row = "method: air -> method: air\n  air: {terminal: in-row}"
    none = "kind: air-side-direct, dew_point_max: 15 degC, dew_point_min: -9 degC -> kind: none"
    opened = designed("direct-air", row, none)
    water_c = opened.facility.cooling.chilled_water.supply_c
    assert 7.0 <= water_c < 18.0
    assert found(opened, "COOLERS-PER-RACK").outcome is Outcome.PASS
    warmer = (
        f"plant: {{heat_rejection: tower}} -> plant: {{chilled_water_supply: {water_c + 2} degC}}"
    )
    failed = found(designed("direct-air", row, warmer, none), "COOLERS-PER-RACK")
    assert failed.outcome is Outcome.FAIL
    assert "cooling.plant.chilled_water_supply" in failed.why


DENSE = """
schema_version: 1
site: {station: ashburn, elevation: 0 m}
it:
  halls: [{name: Hall 1, racks: [{name: Compute, count: 202, devices: [{model: Own, count: 4}]}]}]
  devices:
  - {model: Own, category: server, maximum_power: 5.6 kW, rack_units: 6, airflow: 1470 cfm,
     supplies: {count: 2, needed: 1, rating: 6 kW, voltage_min: 200 V, voltage_max: 277 V}}
cooling: {air: {terminal: in-row}, supply_air: 24 degC}
"""


def test_coolers_stand_in_rows_of_whole_racks() -> None:
    """202 racks are 4 rows of 19 and 7 of 18: 4 * 37 + 7 * 35 coolers; alike they were 11 * 36.

    With 18 degC water they are more than two for each rack; and so are those that move a tenth of
    other heat, for which the choice of the water leaves room.
    """
    result = design(parse_project(DENSE))
    shares = [share * 202 for _, share in result.facility.cooling.crah.path.groups]
    assert shares == pytest.approx([19.0] * 4 + [18.0] * 7)
    assert result.facility.cooling.chilled_water.supply_c == 17.5
    check = found(result, "COOLERS-PER-RACK")
    assert check.outcome is Outcome.PASS
    assert check.value == pytest.approx((4 * 37 + 7 * 35) / 202)


@pytest.mark.parametrize(
    ("recirculation", "supply_c"), [("2 %", 24.0), ("15 %", 21.5), ("20 %", 18.0), ("30 %", 18.0)]
)
def test_open_supply_air_leaves_room_for_what_returns(recirculation: str, supply_c: float) -> None:
    """The worst inlet takes in 30 %: 30 - 0.2 - 19.2 * 0.3 / 0.7 = 21.5; of 60 % nothing is enough.

    Each kind of rack warms its air by its own rise, and all checks see the one that does the most.
    """
    project = parse_project(SHORT.format(gpu="H100 SXM5", terminal="crah"))
    result = design(apply_sets(project, [f"cooling.recirculation={recirculation}"]))
    assert result.facility.cooling.crah.supply_air_c == pytest.approx(supply_c)
    rules = ("INLET-TEMPERATURE", "INLET-EQUIPMENT", "AIR-ALLOWABLE")
    checks = [check for check in result.checks if check.rule in rules]
    assert len(checks) == 3
    leak = 2.0 * float(recirculation.removesuffix(" %")) / 100.0
    rise_k = max(rack.rise_k for rack in result.facility.cooling.racks)
    worst_c = supply_c + rise_k * leak / (1.0 - leak)
    assert [check.value for check in checks] == pytest.approx([worst_c] * 3)
    assert all(check.failed for check in checks) is (recirculation == "30 %")


@pytest.mark.parametrize(
    ("sets", "supply_c"),
    [
        (("cooling.recirculation=15 %", "cooling.plant.chilled_water_supply=18 degC"), 21.6),
        (("cooling.recirculation=20 %", "cooling.plant.chilled_water_supply=20 degC"), 23.6),
        (("cooling.recirculation=25 %", "cooling.air.terminal=crac"), 20.4),
    ],
)
def test_lowered_open_supply_air_is_what_coils_can_make(
    sets: tuple[str, ...], supply_c: float
) -> None:
    """0.6 of 6 K above stated water, of 9 K above a refrigerant of 15 degC: nothing is refused."""
    project = parse_project(SHORT.format(gpu="H100 SXM5", terminal="crah"))
    result = design(apply_sets(project, sets))
    assert result.facility.cooling.crah.supply_air_c == pytest.approx(supply_c)
    (entry,) = [one for one in result.ledger if one.id == "cooling.supply_air"]
    assert "K above the " in entry.basis
    assert "cooling.worst_recirculation" in entry.basis
    assert "0.2 K margin for loss of a unit" in entry.basis
    assert entry.source == PRACTICE


@pytest.mark.parametrize("name", ["storage", "direct-air", "rear-doors"])
def test_no_check_contradicts_another(name: str) -> None:
    """Of coils the surface decides; the tower of the default plant is on the safe side."""
    result = designed(name)
    assert not any(check.rule == "DEW-POINT" for check in result.checks)
    assert found(result, "AIR-COIL-SURFACE", "electrical").outcome is Outcome.PASS
    assert found(result, "TOWER-BOX").outcome is Outcome.PASS


def test_wet_coils_are_told_once_for_each_kind_of_room() -> None:
    """5 degC water below air of 24 degC: near the water's end of the films, under 15 degC."""
    cold = designed("storage", "chilled_water_supply: 12 degC -> chilled_water_supply: 5 degC")
    wet = [c for c in cold.checks if c.rule == "AIR-COIL-SURFACE"]
    assert [c.outcome for c in wet] == [Outcome.FAIL] * 2
    assert all(c.value is not None and 5.0 < c.value < 15.0 for c in wet)
    assert {c.rule for c in cold.checks if "dew point" in c.why and c.failed} == {
        "AIR-COIL-SURFACE"
    }


def test_a_chiller_behind_outdoor_air_is_counted_by_its_own_load() -> None:
    """Heat that outdoor air takes out of the halls never reaches the chilled water."""
    running = found(designed("direct-air"), "CHILLER-MINIMUM-FLOW")
    assert running.subject.startswith("1 of")
    warmer = designed("direct-air", "supply_air: 24 degC -> supply_air: 25 degC")
    value = warmer.plant_options.results["plant.chillers_running.mean"].si
    assert found(warmer, "CHILLER-MINIMUM-FLOW").subject.startswith(f"{value:.0f} of")


def test_a_small_room_is_told_how_much_too_large_the_catalogue_is() -> None:
    """11.1 kW of IT: 100 kW of the smallest CRAH; 34.465 kW of the smallest chiller is enough."""
    at_415 = "power: {redundancy: N, distribution: {rack_system: 415Y/240}}"
    result = designed("edge", f"power: {{redundancy: N}} -> {at_415}")
    sizes = [check for check in result.checks if check.rule == "UNIT-SIZE"]
    assert [check.outcome for check in sizes] == [Outcome.FAIL, Outcome.PASS]
    room_w, chilled = result.cooling.crah.coils_w, result.cooling.chilled
    loads_w = [100e3 / room_w, 34.465e3 / chilled.load_w]
    assert [check.value for check in sizes] == pytest.approx(loads_w)
    assert chilled.plan.sink.kind == "air_cooled"
    # Carrier: 0.98 of the capacity at 762 m; Dulles airport is at 82 m.
    assert chilled.capacity_w == pytest.approx(34.465e3 / 2.0 * (1.0 - 0.02 * 82.0 / 762.0))
    assert "8.7 x the required 11.5 kW" in sizes[0].why
    assert result.results["load.house"].si == pytest.approx(0.021 * 11.1e3)
    ups = result.results["pue.part.losses.ups"].si  # of a module far too large, not of the cooling
    assert float(result.results["pue.design"].si) - float(ups) < 1.6


def test_units_of_the_size_of_their_room_pass() -> None:
    """Chillers of a quarter of the smallest, 172.3 kW, are at the limit of four."""
    checks = {
        gpus: found(
            design(
                parse_project(
                    SHORT.format(gpu="H100 SXM5", terminal="crah")
                    .replace("gpus: 256", f"gpus: {gpus}")
                    .replace("method: air,", "method: air, plant: {heat_rejection: tower},")
                )
            ),
            "UNIT-SIZE",
            "chillers",
        )
        for gpus in (8, 256)
    }
    for check in checks.values():
        assert check.value is not None
        assert (check.outcome is Outcome.FAIL) == (check.value > 4.0)
    assert {check.outcome for check in checks.values()} == {Outcome.PASS, Outcome.FAIL}


def test_the_coil_of_the_default_crac_is_dry() -> None:
    result = design(parse_project(SHORT.format(gpu="H100 SXM5", terminal="crac")))
    surfaces = [c for c in result.checks if c.rule == "AIR-COIL-SURFACE"]
    assert surfaces
    assert all(c.outcome is Outcome.PASS for c in surfaces), surfaces


@pytest.mark.parametrize(("water_c", "air_c"), [(22, 26.2), (24, 27.0), (26, 29.0)])
def test_open_supply_air_follows_warm_water_as_far_as_the_servers_allow(
    water_c: int, air_c: float
) -> None:
    """27 recommended less 19.2 K x 0.04 / 0.96; then 3 K over the water, under the DGX' 30 degC."""
    plant = f"plant: {{chilled_water_supply: {water_c} degC}}"
    text = SHORT.format(gpu="H100 SXM5", terminal="crah").replace("air: {", plant + ", air: {")
    result = design(parse_project(text))
    assert result.facility.cooling.crah.supply_air_c == pytest.approx(air_c)
    limits = ("INLET-TEMPERATURE", "INLET-EQUIPMENT")
    assert not [c for c in result.checks if c.rule in limits and c.failed]


@pytest.mark.parametrize(("limit", "air_c"), [("inlet_max: 22", 21.0), ("inlet_min: 26", 26.0)])
def test_open_supply_air_is_what_the_equipment_takes_in(limit: str, air_c: float) -> None:
    """22 less 19.2 K x 0.04 / 0.96 at the worst rack, 0.2 K for a lost unit; 26 as it stands."""
    text = OWN_BOX.format(limit=f"{limit} degC")
    result = design(parse_project(text))
    assert result.facility.cooling.crah.supply_air_c == pytest.approx(air_c)
    assert not [c for c in result.checks if c.failed and c.severity is Severity.VIOLATION]


def test_water_too_warm_for_the_servers_is_refused() -> None:
    plant = "plant: {chilled_water_supply: 28 degC}"
    text = SHORT.format(gpu="H100 SXM5", terminal="crah").replace("air: {", plant + ", air: {")
    with pytest.raises(FacilityError, match="chilled_water_supply") as caught:
        design(parse_project(text))
    assert (caught.value.code, caught.value.exit_code) == ("CRAH_INFEASIBLE", 4)


CHILLER = "cooling.plant.chiller"
CRACS = """
schema_version: 1
site: {station: miami}
it: {gpu_model: H100 SXM5, gpus: 64}
power: {redundancy: N+1}
cooling: {method: air, air: {terminal: crac}}
"""


def test_the_ledger_of_cracs_has_no_chillers_and_that_of_air_no_condenser_water() -> None:
    listed = {entry.id for entry in design(parse_project(CRACS)).ledger}
    inert = ("redundancy", "largest", "altitude", "condenser_approach")
    assert not {f"{CHILLER}.{name}" for name in inert} & listed
    assert "cooling.plant.rejection.redundancy" not in listed
    assert {f"{CHILLER}.evaporator_approach", "cooling.crah.redundancy"} <= listed
    cooled = CRACS.replace("air: {terminal: crac}", "plant: {heat_rejection: air_cooled}")
    listed = {entry.id for entry in design(parse_project(cooled)).ledger}
    assert not {"cooling.plant.rejection.redundancy", f"{CHILLER}.condenser_approach"} & listed
    assert {f"{CHILLER}.redundancy", f"{CHILLER}.largest"} <= listed
