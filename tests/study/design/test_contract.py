"""The keys of the results: what the command line promises, and how each came about."""

from __future__ import annotations

import math
import pickle

import pytest

from facility.core.errors import FacilityError
from facility.core.kinds import KINDS
from facility.report.sheet.formula_text import formula_text
from facility.study.design.design import design
from facility.study.explained import explain_result
from facility.study.transient.study import transient
from tests.study.helpers import PROJECTS, SHORTEST, design_of, reference, si

POWER, HEAT, COUNT, RATIO = "active_power", "heat_flow", "count", "ratio"
CONTRACT = {
    **dict.fromkeys(
        (
            "load.gpu",
            "load.server",
            "load.it",
            "load.losses",
            "load.cooling",
            "load.house",
            "load.facility",
            "ups.module_rating",
            "ups.losses",
            "generator.rating",
        ),
        POWER,
    ),
    **dict.fromkeys(
        (
            "load.servers",
            "load.racks",
            "load.racks.compute",
            "ups.modules",
            "ups.modules.duty",
            "generator.count",
            "generator.count.duty",
            "transformer.count",
            "transformer.count.duty",
            "pdu.count",
            "pdu.count.duty",
            "panels.count",
            "crah.count",
            "crah.count.duty",
            "cdu.count",
            "cdu.count.duty",
            "plant.chiller_count",
            "plant.chiller_count.duty",
        ),
        COUNT,
    ),
    **dict.fromkeys(("load.basis", "ups.scheme"), ""),
    **dict.fromkeys(
        (
            "ups.module_rating_kva",
            "generator.rating_kva",
            "transformer.rating_kva",
            "utility.demand_kva",
        ),
        "apparent_power",
    ),
    **dict.fromkeys(
        ("ups.loading_normal", "ups.loading_failure", "panels.imbalance_max"), "fraction"
    ),
    **dict.fromkeys(("heat.air", "heat.liquid", "heat.room"), HEAT),
    **dict.fromkeys(("pue.design", "pue.estimate"), RATIO),
    "crah.airflow": "air_flow",
    "cdu.flow": "liquid_flow",
    "energy.annual_estimate": "energy",
    "cost.month_estimate": "money",
}
UNITS = {
    "active_power": "kW",
    "heat_flow": "kW",
    "apparent_power": "kVA",
    "fraction": "%",
    "ratio": "",
    "air_flow": "m3/s",
    "liquid_flow": "L/min",
    "energy": "MWh",
    "money": "USD",
}


@pytest.mark.parametrize("name", PROJECTS)
def test_every_promised_key_is_there_with_its_kind(name: str) -> None:
    results = reference(name).all_results
    missing = {key: kind for key, kind in CONTRACT.items() if key not in results}
    assert not missing
    wrong = {key: results[key].kind for key, kind in CONTRACT.items() if results[key].kind != kind}
    assert not wrong


@pytest.mark.parametrize("name", PROJECTS)
def test_results_as_json_are_flat_finite_and_in_contract_units(name: str) -> None:
    found = reference(name)
    for key, value in found.results.as_json().items():
        if isinstance(value, dict):
            assert set(value) == {"value", "unit"}, key
            assert isinstance(value["value"], float), key
            assert math.isfinite(value["value"]), key
            kind = found.results[key].kind
            assert value["unit"] == UNITS.get(kind, KINDS[kind].view_si), key
        else:
            assert isinstance(value, int | str | bool), key


@pytest.mark.parametrize("name", PROJECTS)
def test_every_count_of_redundant_units_has_its_duty_beside(name: str) -> None:
    results = reference(name).results
    redundant = [key.removesuffix(".duty") for key in results if key.endswith(".duty")]
    assert len(redundant) == 10
    for key in redundant:
        installed, duty = int(results[key].si), int(results[f"{key}.duty"].si)
        assert 0 <= duty <= installed, key
        assert (duty == 0) == (installed == 0), key


@pytest.mark.parametrize("name", PROJECTS)
def test_every_number_is_in_the_trace_with_the_same_value(name: str) -> None:
    found = reference(name)
    numbers = {key: value for key, value in found.all_results.items() if value.kind}
    trace = found.full_trace
    assert {value.kind for key, value in numbers.items() if key not in trace} <= {"count"}
    assert {key for key in found.results if key in numbers} <= {step.id for step in found.trace}
    traced = {key: value for key, value in numbers.items() if key in trace}
    differing = {
        key: (value.si, trace.value(key))
        for key, value in traced.items()
        if trace.value(key) != float(value.si)
    }
    assert not differing
    kinds = {key: (trace[key].kind, value.kind) for key, value in traced.items()}
    assert not {key: two for key, two in kinds.items() if len({KINDS[k].si for k in two}) > 1}


@pytest.mark.parametrize("name", PROJECTS)
def test_the_balance_is_that_of_the_trace(name: str) -> None:
    found = reference(name)
    point, results = found.point, found.results
    assert point.facility_w == results["load.facility"].si
    assert point.facility_w / point.demand.it_w == results["pue.design"].si
    assert point.cooling.power.total_w == results["load.cooling"].si
    assert point.demand.house_w == results["load.house"].si
    assert point.flow.losses_w == results["load.losses"].si
    assert type(results["load.servers"].si) is int


@pytest.mark.parametrize("name", PROJECTS)
def test_every_result_explains_itself(name: str) -> None:
    found = reference(name)
    for key in found.all_results:
        lines = explain_result(found, key)
        assert lines[0].startswith(f"{key} = "), key
        assert len(lines) > 1, key
        if key in found.results:
            assert any("source:" in line for line in lines), key


@pytest.mark.parametrize(
    "key",
    [
        "feeder.sorts",
        "network.circuits",
        "fault.board",
        "air.terminal",
        "air.supply",
        "cdu.count",
        "loop.tcs.head",
        "tcs.rack_flow",
        "ride.utility.holds",
        "concurrently_maintainable",
    ],
)
def test_a_fresh_design_explains_a_result_of_any_study(key: str) -> None:
    fresh = design(reference("nvl72-hall").project)
    assert explain_result(fresh, key)[0].startswith(f"{key} = ")


def test_the_buffers_of_a_failure_are_explained() -> None:
    found = reference("mixed-hall")
    keys = [key for key in transient(found).results if ".storage." in key]
    assert keys
    for key in keys:
        assert explain_result(found, key)[0].startswith(f"{key} = ")


@pytest.mark.parametrize(
    ("key", "verb"), [("imbalance.after", "balance"), ("checks.pass", "check")]
)
def test_a_result_of_one_panel_or_of_the_checks_names_its_verb(key: str, verb: str) -> None:
    with pytest.raises(FacilityError, match=f"facility {verb} "):
        explain_result(reference("mixed-hall"), key)


def test_a_question_is_answered_by_the_study_it_needs_alone() -> None:
    fresh = design(reference("mixed-hall").project)
    assert explain_result(fresh, "fault.board")
    assert not {"room_air", "plant_options", "ride_through", "outages"} & vars(fresh).keys()


@pytest.mark.parametrize("name", PROJECTS)
def test_asking_the_studies_leaves_a_design_as_it_was(name: str) -> None:
    asked, fresh = reference(name), design(reference(name).project)
    assert asked.checks
    assert len(asked.all_results) > len(asked.results)
    assert list(asked.trace) == list(fresh.trace)
    assert list(asked.ledger) == list(fresh.ledger)
    of_design = {step.id for step in asked.trace}
    own = [[step for step in study.trace if step.id not in of_design] for study in asked.studies]
    assert list(asked.full_trace) == [*asked.trace, *(step for steps in own for step in steps)]
    assert len({step.id for step in asked.full_trace}) == len(of_design) + sum(map(len, own))


def test_studies_say_the_same_whichever_is_asked_first() -> None:
    first, second = (design(reference("mixed-hall").project) for _ in range(2))
    assert [first.room_air, first.distribution]
    assert [second.hydraulics, second.liquid_path]
    assert list(first.full_trace) == list(second.full_trace)


@pytest.mark.parametrize("name", ["h100-10k", "mixed-hall"])
def test_a_pickled_design_answers_as_the_one_it_was_made_of(name: str) -> None:
    found = design(reference(name).project)
    again = pickle.loads(pickle.dumps(found))
    assert again.results == found.results
    assert list(again.trace) == list(found.trace)
    for key in ("cost.month_estimate", "loop.chw.head", "feeder.sorts"):
        assert explain_result(again, key) == explain_result(found, key)
    assert [c.rule for c in again.checks] == [c.rule for c in found.checks]
    assert list(again.full_trace) == list(found.full_trace)
    assert pickle.loads(pickle.dumps(again)).checks == again.checks


def test_a_design_with_a_year_of_weather_is_pickled_too() -> None:
    found = design_of(
        SHORTEST, "site.station=ashburn", "cooling.economizer.kind=integrated-water-side"
    )
    assert "economizer.share_year" in found.plant_options.results
    again = pickle.loads(pickle.dumps(found))
    assert again.all_results == found.all_results


def test_the_facility_load_leads_back_to_what_was_typed() -> None:
    lines = [x.strip() for x in explain_result(reference("h100-10k"), "cost.month_estimate")]
    for start in (
        "site.tariff = 0.0500 USD/kWh  (input)",
        "it.load_factor = 76.0 %  (assumed)",
        "load.device.dgx_h100.input = 10.2 kW  (input)",
        "it.gpus = 10,000  (input)",
        "load.house = ",
    ):
        assert any(line.startswith(start) for line in lines), start


def test_devices_lead_back_to_the_gpus_asked_for_and_listed_ones_to_no_others() -> None:
    for key in ("load.gpus", "load.racks.compute", "load.device.qm9700.count", "load.gpu"):
        lines = [line.strip() for line in explain_result(reference("h100-10k"), key)]
        assert "it.gpus = 10,000  (input)" in lines, key
    listed = reference("mixed-hall")
    counted = [s for s in listed.trace if s.id.startswith("load.device.") and s.how == "derived"]
    assert {ref for step in counted for *_, ref in step.inputs if ref.endswith("servers")} == set()


def test_numbers_of_a_derivation_can_be_computed_again_by_hand() -> None:
    lines = explain_result(reference("h100-10k"), "load.device.qm9700")
    assert lines[0] == "load.device.qm9700 = 1,826.64 kW  (computed)"
    assert "count = 1,062, unit_w = 1.72 kW" in lines[2]


def test_formulas_can_be_shown_without_latex() -> None:
    lines = explain_result(reference("dgx-su-32"), "pue.design", formula=formula_text)
    assert lines[1].strip() == "PUE = P_facility/P_IT"


def test_words_are_explained_too() -> None:
    given, assumed = reference("h100-10k"), design_of(SHORTEST)
    assert explain_result(given, "ups.scheme") == [
        "ups.scheme = 3N/2  (input)",
        "  source: project, power.redundancy",
    ]
    lines = explain_result(assumed, "ups.model")
    assert lines[0].startswith("ups.model = ")
    assert lines[0].endswith("(assumed, open: power.ups.model)")
    assert lines[-1].startswith("  source: ")
    assert explain_result(assumed, "it.network.topology")[0] == (
        "it.network.topology = rail-optimised  (assumed, open: it.network.topology)"
    )


def test_an_unknown_result_offers_near_ones() -> None:
    with pytest.raises(FacilityError) as caught:
        explain_result(design_of(SHORTEST), "ups.schema")
    assert caught.value.code == "UNKNOWN_RESULT"
    assert "'ups.scheme'" in caught.value.hint


def test_fault_current_is_traced_where_the_utility_gave_its_level() -> None:
    found = design_of(SHORTEST, "site.fault_level=500 MVA", "site.x_over_r=15")
    assert si(found, "utility.fault_current") == pytest.approx(500e6 / (3**0.5 * 13.8e3))
    assert found.trace["utility.fault_peak"].value == pytest.approx(si(found, "utility.fault_peak"))
    assert "utility.fault_current" not in design_of(SHORTEST).results


def test_unknown_figures_are_left_out_never_zero() -> None:
    found = design_of(SHORTEST)
    assert "load.it_idle" not in found.results
    assert "racks.mass_max" not in found.results
    assert 0.0 not in [
        v.si
        for k, v in found.results.items()
        if k.startswith(("utility.", "generator.", "ups.")) and isinstance(v.si, float)
    ]
