"""Numbers of objects against the design, with margins computed by hand."""

from __future__ import annotations

import pytest

from facility.power.network.outages.cases import cases
from facility.report.drawings.live.moments import live_state
from facility.report.drawings.live.racks import HallLoads
from facility.report.objects.checks import ObjectChecks
from facility.report.objects.fact import ObjectFact
from facility.report.objects.facts import facts_of
from facility.report.objects.loading import NetworkLoading
from facility.report.objects.objects import DesignObjects
from facility.report.why.known import known
from facility.study.design.design import Design
from facility.study.failures.study import failures
from tests.study.helpers import checks_of, reference


@pytest.fixture(scope="module")
def design() -> Design:
    return reference("h100-10k")


@pytest.fixture(scope="module")
def loading(design: Design) -> NetworkLoading:
    return NetworkLoading(design.states, failures(design))


@pytest.fixture(scope="module")
def objects(design: Design) -> DesignObjects:
    return DesignObjects(design, design.states.network)


def _facts(
    objects: DesignObjects, loading: NetworkLoading, id: str
) -> dict[tuple[str, str], ObjectFact]:
    design = objects.design
    found = known(design, design.checks)
    index = ObjectChecks(objects, design.checks)
    facts = facts_of(objects, objects[id], found.results, index, loading)
    return {(fact.label, fact.case): fact for fact in facts}


def test_a_ups(design: Design, objects: DesignObjects, loading: NetworkLoading) -> None:
    facts = _facts(objects, loading, "UPS-B1")
    lost, normal = facts["Loading", "loss of MVS-A"], facts["Loading", "normal"]
    # 78.0 % and 51.5 % of the module: 22.0 % and 48.5 % are left.
    texts = [(one.value_text(), one.limit_text(), one.margin_text()) for one in (lost, normal)]
    assert texts == [("78.0 %", "100.0 %", "22.0 %"), ("51.5 %", "100.0 %", "48.5 %")]
    assert next(iter(facts.values())) is lost
    row = design.states.network.index["UPS-B1"]
    assert normal.value == pytest.approx(design.states.normal.loading[row, 0], rel=1e-12)
    bus = facts["Output bus", "worst state, most loaded UPS"]
    (check,) = checks_of(design, "UPS-OUTPUT-BUS")
    assert bus.value == check.value
    # 2,052 A of 4,800 A: (4,800 - 2,052) / 4,800 = 57.2 %
    assert (bus.value_text(), bus.limit_text(), bus.margin_text()) == (
        "2,052 A",
        "4,800 A",
        "57.2 %",
    )
    battery = facts["Battery", "design failure, end of life"]
    # A minimum: 15.2 min exceed 10.0 min by 52.1 % (912.32 / 600 - 1 = 0.5205).
    assert battery.margin == pytest.approx(0.520534, abs=1e-6)
    assert battery.margin_text() == "52.1 %"
    charger = facts["Charging power", "recharge time"]
    # 221 kW of 187.5 kW: 220.793 / 187.5 - 1 = 17.8 % over.
    assert (charger.look, charger.margin_text()) == ("over", "17.8 % over")
    fault = facts["Fault at the output", "worst, UPO-A1"]
    assert (fault.value_text(), fault.limit_text(), fault.look) == ("60.7 kA", "65.0 kA", "tight")


def test_a_hall_in_both_unit_systems(objects: DesignObjects, loading: NetworkLoading) -> None:
    fact = _facts(objects, loading, "Hall 1")["Inlet air, recommended", "design hour"]
    # A temperature has a difference, not a share: 27.0 - 24.68 = 2.32 K, 4.2 Δ°F.
    assert (fact.value_text(), fact.margin_text(), fact.margin) == ("24.7 °C", "2.3 K", None)
    assert (fact.value_text("ip"), fact.margin_text("ip")) == ("76.4 °F", "4.2 Δ°F")
    assert fact.look == "ok"


def test_a_chiller_plant(objects: DesignObjects, loading: NetworkLoading) -> None:
    facts = _facts(objects, loading, "CH")
    load = facts["Part load", "design hour"]
    # 87.1 % where at least 40 % are required: 0.8713 / 0.4 - 1 = 117.8 %.
    assert (load.sense, load.margin_text()) == (">=", "117.8 %")
    assert facts["COP", "design hour"].limit_text() == ""


def test_the_loading_of_a_ups_is_derived(objects: DesignObjects, loading: NetworkLoading) -> None:
    fact = _facts(objects, loading, "UPS-B1")["Loading", "loss of MVS-A"]
    steps = loading.steps(objects["UPS-B1"], fact, None)
    assert [(step.label, step.sign, step.value) for step in steps] == [
        ("Carried in normal operation", "", "958 kW"),
        ("Taken over in this state", "+", "493 kW"),
        ("Load in this state", "", "1,450 kW"),
        ("Rating", "÷", "1,875 kW"),
        ("Most loaded phase over the mean", "×", "1.008"),
    ]


def test_the_loading_on_battery_is_derived_from_its_moment(
    objects: DesignObjects, loading: NetworkLoading
) -> None:
    """Before the transfer UPS-B1 has its normal load; the settled state adds that of side A."""
    design, one = objects.design, objects["UPS-B1"]
    case = next(case for case in cases(design.states.network) if case.outage.id == "loss of MVS-A")
    halls = HallLoads(design.states.network)
    battery = live_state(design.states, halls, case, (), "on battery")
    fact = next(loading.facts(one, battery))
    assert (fact.case, fact.value_text()) == (battery.words, "51.5 %")
    steps = [(step.label, step.value) for step in loading.steps(one, fact, battery)]
    assert steps == [
        ("Carried in normal operation", "958 kW"),
        ("Taken over in this state", "0.0 kW"),
        ("Load in this state", "958 kW"),
        ("Rating", "1,875 kW"),
        ("Most loaded phase over the mean", "1.008"),
    ]
    settled = live_state(design.states, halls, case, ())
    shown = [(fact.case, fact.value_text()) for fact in loading.facts(one, settled)]
    assert shown == [(settled.words, "78.0 %"), ("normal", "51.5 %")]


def test_identical_equipment_shares_its_worst_outage() -> None:
    """The study solves the loss of ATS-A for both sides of a symmetric 2N network."""
    design = reference("nvl72-hall")
    loading = NetworkLoading(design.states, failures(design))
    one, other = loading.worst("UPS-A"), loading.worst("UPS-B")
    assert one is not None
    assert other is not None
    assert one.loading == pytest.approx(other.loading, rel=1e-9)
    assert (one.tag, other.tag) == ("UPS-B", "UPS-B")


def test_a_section_has_results_of_the_whole_design(
    design: Design, objects: DesignObjects, loading: NetworkLoading
) -> None:
    facts = _facts(objects, loading, "SITE")
    assert facts["PUE", "design hour"].value == design.results["pue.design"].si
    points = _facts(objects, loading, "POWER")["Single points of failure", "single failures"]
    assert points.value == 0.0
