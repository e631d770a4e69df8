"""Numbers of objects against the design, with margins computed by hand."""

from __future__ import annotations

import pytest

from facility.power.faults.of_network import highest_faults
from facility.power.network.graph.types import Outage
from facility.power.network.outages.cases import Case, cases
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
from tests.study.helpers import SHORTEST, checks_of, design_of, reference


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
    # The check is only advice: the colour of a warning.
    assert (charger.look, charger.margin_text()) == ("tight", "17.8 % over")
    fault = facts["Fault at the output", "maximum"]
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
        ("Load in this state", "958 kW"),
        ("Rating", "1,875 kW"),
        ("Most loaded phase over the mean", "1.008"),
    ]
    settled = live_state(design.states, halls, case, ())
    shown = [(fact.case, fact.value_text()) for fact in loading.facts(one, settled)]
    assert shown == [(settled.words, "78.0 %"), ("normal", "51.5 %")]


def test_an_overloaded_ups_has_the_load_before_its_transfer() -> None:
    """All UPS transfer to their static bypass: their output is zero, their loading is not."""
    model = "power.ups.model=Galaxy VXL 1250 at 875 kW"
    design = design_of(SHORTEST, model, "power.ups.modules_per_system=1", "it.gpus=1024")
    loading = NetworkLoading(design.states, failures(design))
    one = DesignObjects(design, design.states.network)["UPS-1"]
    live = live_state(
        design.states, HallLoads(design.states.network), Case(Outage("normal"), "normal"), ()
    )
    normal = next(fact for fact in loading.facts(one, live) if fact.case == "normal")
    assert normal.look == "over"
    steps = loading.steps(one, normal, live)
    numbers = [float(step.value.split()[0].replace(",", "")) for step in steps]
    load, rating, *factor = numbers
    expected = load / rating * (factor[0] if factor else 1.0)
    assert normal.value == pytest.approx(expected, rel=2e-3)


def test_equipment_without_voltage_has_no_loading(
    design: Design, objects: DesignObjects, loading: NetworkLoading
) -> None:
    case = next(case for case in cases(design.states.network) if case.outage.id == "loss of UPO-B1")
    live = live_state(design.states, HallLoads(design.states.network), case, ())
    dead, idle = (next(loading.facts(objects[id], live)) for id in ("UPO-B1", "UPS-B1"))
    assert (dead.value, dead.case, dead.margin) == ("without voltage", live.words, None)
    assert (idle.value, idle.margin) == ("no load", None)


def test_a_panel_has_its_own_fault_current(
    design: Design, objects: DesignObjects, loading: NetworkLoading
) -> None:
    own_a = highest_faults(design.distribution.faults)
    panels = [one.id for one in objects.values() if one.kind == "panel"]
    lowest = min(panels, key=own_a.__getitem__)
    fact = _facts(objects, loading, lowest)["Fault current", "maximum"]
    (check,) = (c for c in checks_of(design, "FAULT-INTERRUPTING") if c.subject.startswith("panel"))
    assert fact.value == own_a[lowest]
    assert check.value is not None
    assert own_a[lowest] < check.value
    assert fact.limit == check.limit


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
