"""The assumption ledger: every default has a basis and a source, and can be confirmed or given."""

from __future__ import annotations

import pytest

from facility.core.errors import FacilityError
from facility.core.ledger import OVERRIDDEN
from facility.core.views import show
from facility.report.book.record import counted_assumptions
from facility.report.why.derivation import why
from facility.report.why.known import known
from facility.study.design.design import Design
from facility.study.explained import explain_result
from facility.study.overrides import input_of
from tests.study.helpers import PROJECTS, SHORTEST, checks_of, design_of, reference, results_text

BASES = (*PROJECTS, "shortest")


def base(name: str, *sets: str) -> Design:
    return design_of(SHORTEST, *sets) if name == "shortest" else reference(name, *sets)


def confirming(found: Design) -> tuple[str, ...]:
    return tuple(f"confirmed.{n}={entry.id}" for n, entry in enumerate(found.ledger))


@pytest.mark.parametrize("name", BASES)
def test_every_assumption_has_value_basis_and_source(name: str) -> None:
    for entry in base(name).ledger:
        assert entry.basis.strip(), entry.id
        assert entry.source.id, entry.id
        assert (entry.text != "") != (entry.value is not None), entry.id
        assert (entry.kind != "") == (entry.value is not None), entry.id
        assert entry.status == "open", entry.id


@pytest.mark.parametrize("name", BASES)
def test_every_assumption_can_be_confirmed(name: str) -> None:
    found = base(name)
    confirmed = base(name, *confirming(found))
    assert {entry.status for entry in confirmed.ledger} == {"confirmed"}
    assert not list(confirmed.open_assumptions)
    assert confirmed.warnings == []
    assert not checks_of(confirmed, "MEMORY-DEFAULT")
    assert results_text(confirmed) == results_text(found), "to confirm changes no number"
    assert confirmed.sha256 != found.sha256


def test_confirming_some_leaves_the_others_open() -> None:
    found = design_of(SHORTEST, "confirmed.0=it.diversity", "confirmed.1=power.ups.recharge")
    status = {entry.id: entry.status for entry in found.ledger}
    assert [id for id, s in status.items() if s == "confirmed"] == [
        "power.ups.recharge",
        "it.diversity",
    ]
    (check,) = checks_of(found, "MEMORY-DEFAULT")
    assert "power.ups.recharge" not in (check.subject, *check.alike)
    assert found.warnings[-1] == f"{len(status) - 2} assumptions are not confirmed"


def test_an_assumption_never_made_cannot_be_confirmed() -> None:
    with pytest.raises(FacilityError) as caught:
        design_of(SHORTEST, "confirmed.0=it.diversty")
    assert (caught.value.code, caught.value.where) == ("UNKNOWN_ASSUMPTION", "confirmed[0]")
    assert "'it.diversity'" in caught.value.hint
    with pytest.raises(FacilityError, match="UNKNOWN_ASSUMPTION"):
        design_of(SHORTEST, "it.diversity=90 %", "confirmed.0=it.diversity")


def test_the_assumption_of_a_long_model_name_can_be_confirmed() -> None:
    model = "M" * 64
    sets = (
        f"it.devices.0.model={model}",
        "it.devices.0.category=server",
        "it.devices.0.gpus=8",
        "it.devices.0.gpu_model=H100 SXM5",
        "it.devices.0.maximum_power=9 kW",
        "it.devices.0.rack_units=8",
        f"it.server={model}",
        "it.gpu_model=",
        "it.devices.0.supplies.count=6",
        "it.devices.0.supplies.needed=4",
        "it.devices.0.supplies.rating=3 kW",
        "it.devices.0.supplies.voltage_min=200 V",
        "it.devices.0.supplies.voltage_max=240 V",
    )
    found = design_of(SHORTEST, *sets)
    ids = [entry.id for entry in found.ledger if model in entry.id]
    assert ids
    confirmed = design_of(SHORTEST, *sets, f"confirmed.0={ids[0]}")
    assert {e.id: e.status for e in confirmed.ledger}[ids[0]] == "confirmed"


# Assumption id -> field that replaces it, where the field is not of the same name.
FIELD_OF = {
    "power.feeder_in_hall": "power.distribution.feeder_in_hall",
    "power.voltage": "power.distribution.voltage",
    "power.rack_system": "power.distribution.rack_system",
    "power.branch_loss": "power.distribution.branch_loss",
    "power.feeder_loss": "power.distribution.feeder_loss",
    "power.board_loss": "power.distribution.board_loss",
    "power.panel_bus": "power.distribution.panel_bus",
    "power.panel_main": "power.distribution.panel_main",
    "power.panel_poles": "power.distribution.panel_poles",
    "power.listed_100": "power.distribution.listed_100",
    "power.transformer.largest": "power.transformer.rating",
    "it.hall.1.rack_pitch": "it.halls.0.rack_pitch",
    "it.hall.1.rows": "it.halls.0.rows",
}
VALUES = {
    "site.design_dry_bulb": "38 degC",
    "site.design_wet_bulb": "26 degC",
    "site.mean_dry_bulb": "14 degC",
    "site.mean_wet_bulb": "9 degC",
    "site.utility_voltage": "13.2 kV",
    "site.frequency": "60 Hz",
    "site.tariff": "0.06 USD/kWh",
    "site.station": "ashburn",
    "site.country": "US",
    "criteria.growth": "10 %",
    "criteria.continuous_factor": "1.25",
    "criteria.voltage_drop_branch": "3 %",
    "it.diversity": "100 %",
    "it.load_factor": "80 %",
    "it.demand_factor": "100 %",
    "it.rack_pdu_loss": "1 %",
    "it.storage.count": "4",
    "it.management.count": "7",
    "it.network.planes": "1",
    "it.network.rails": "8",
    "it.network.radix": "64",
    "it.network.ports_per_gpu": "1",
    "it.network.oversubscription": "1",
    "it.network.other_switches": "4",
    "it.network.switch": "QM9700",
    "it.rack_units": "48",
    "it.network.topology": "fat-tree",
    "it.basis": "nameplate",
    "power.voltage": "415 V",
    "power.branch_loss": "1 %",
    "power.feeder_loss": "1 %",
    "power.board_loss": "1 %",
    "power.ups.recharge": "5 %",
    "power.ups.max_loading": "90 %",
    "power.panel_bus": "225 A",
    "power.panel_main": "225 A",
    "power.panel_poles": "84",
    "power.listed_100": "true",
    "power.transformer.max_loading": "80 %",
    "power.transformer.largest": "500 kVA",
    "power.generator.redundancy": "N",
    "house.controls": "1 kW",
    "house.security": "1 kW",
    "house.people": "4",
    "house.other": "1 kW",
    "house.generator_heaters": "1 kW",
    "house.envelope": "1 kW",
    "house.heat_per_person": "80 W",
    "house.lighting_share": "0.2 %",
    "cooling.bypass": "5 %",
    "cooling.recirculation": "1 %",
    "cooling.supply_air": "24 degC",
    "cooling.containment": "cold-aisle",
    "cooling.room_dew_point": "12 degC",
    "cooling.outdoor_recirculation": "2 K",
    "cooling.crah.redundancy": "N+2",
    "cooling.plant.delta_t": "7 K",
    "cooling.plant.chilled_water_supply": "16 degC",
    "cooling.plant.pump.head": "200 kPa",
    "cooling.plant.pump.efficiency": "70 %",
    "cooling.plant.heat_rejection": "air_cooled",
    "cooling.plant.condenser_range": "5 K",
    "cooling.plant.chiller.redundancy": "N",
    "cooling.plant.chiller.largest": "300 kW",
    "cooling.plant.rejection.redundancy": "N",
    "cooling.plant.rejection.pump.head": "150 kPa",
    "panels.imbalance_limit": "5 %",
    "it.power_factor": "0.95",
    "power.transformer.distortion": "8 %",
    "power.ups.conductor_spare": "2 %",
    "power.ups.shortlist": "2",
    "power.feeder_in_hall": "80 %",
    "power.battery.float_voltage": "2.27 V",
}


@pytest.mark.parametrize("id", VALUES)
def test_an_assumption_is_gone_once_its_field_is_given(id: str) -> None:
    base = SHORTEST
    if id == "cooling.plant.heat_rejection":  # which the shortest project states
        base = base.replace(", plant: {heat_rejection: tower}", "")
    given = design_of(base, f"{FIELD_OF.get(id, id)}={VALUES[id]}")
    assert id in {entry.id for entry in design_of(base).ledger}
    assert id not in {entry.id for entry in given.ledger}


REASONED = ("overridden.0.reason=measured at the neighbour", "overridden.0.by=A. Owner")
OVERRIDES = {
    "power.ups.recharge": ("power.ups.recharge=12 %", "12.0 %"),
    "power.feeder_loss": ("power.distribution.feeder_loss=0.8 %", "0.8 %"),
    "cooling.crah.redundancy": ("cooling.crah.redundancy=N+2", "N+2"),
}


@pytest.mark.parametrize("id", OVERRIDES)
def test_a_value_given_in_place_of_an_assumption_keeps_its_reason(id: str) -> None:
    typed, shown = OVERRIDES[id]
    assert id in {entry.id for entry in design_of(SHORTEST).open_assumptions}
    assert input_of(id) == typed.partition("=")[0]
    found = design_of(SHORTEST, typed, f"overridden.0.assumption={id}", *REASONED)
    (entry,) = (entry for entry in found.ledger if entry.status == OVERRIDDEN)
    assert (entry.id, entry.basis) == (id, "measured at the neighbour (A. Owner)")
    assert (entry.text or show(entry.value or 0.0, entry.kind)) == shown
    assert id not in {entry.id for entry in found.open_assumptions}
    assert not checks_of(found, "OVERRIDE-UNUSED")
    told = "\n".join(explain_result(found, id))
    assert "measured at the neighbour (A. Owner)" in told
    assert why(known(found), id).because == "measured at the neighbour (A. Owner)"
    without = design_of(SHORTEST, typed)
    assert results_text(found) == results_text(without), "the reason changes no number"


def test_a_reason_without_a_value_is_a_finding() -> None:
    found = design_of(SHORTEST, "overridden.0.assumption=power.ups.recharge", *REASONED)
    (check,) = checks_of(found, "OVERRIDE-UNUSED")
    assert check.failed
    assert check.subject == "power.ups.recharge"
    assert "A. Owner said why: measured at the neighbour" in check.why
    assert not [entry for entry in found.ledger if entry.status == OVERRIDDEN]


def test_what_is_given_with_a_reason_is_counted_apart() -> None:
    plain = list(design_of(SHORTEST).ledger)
    sets = ("power.ups.recharge=12 %", "overridden.0.assumption=power.ups.recharge")
    found = list(design_of(SHORTEST, *sets, *REASONED).ledger)
    assert counted_assumptions(plain) == (
        f"{len(plain)} default values in use, {len(plain)} not confirmed."
    )
    assert counted_assumptions(found) == (
        f"{len(plain) - 1} default values in use, {len(plain) - 1} not confirmed; "
        "1 given in their place, with a reason."
    )
