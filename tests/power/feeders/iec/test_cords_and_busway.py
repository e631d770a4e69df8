"""Receptacles, cords and busway by continuous rating."""

from __future__ import annotations

from dataclasses import replace

import pytest

from facility.catalogue import table
from facility.core.check import Outcome, Severity
from facility.core.errors import FacilityError
from facility.model.power.faults import Clearing
from facility.model.power.hall_distribution import Connection
from facility.power.feeders.busway import busway_withstand, choose_busway, parallel_sets
from facility.power.feeders.cords import (
    continuous_current,
    cord_length,
    neutral_checks,
    receptacle_checks,
)
from facility.power.feeders.nec.choice import choose_nec
from facility.power.panels.board.breakers import receptacle_row
from facility.report.book.panels.supply import feeder_text
from facility.study.verification.power.conductor_cases import COPPER, feeder
from tests.power.helpers import criteria
from tests.study.fields import AIR
from tests.study.helpers import design_of

NEC = criteria()
IEC = replace(criteria(code="IEC"), continuous_factor=1.0)


@pytest.mark.parametrize("row", table("electrical/receptacles").rows, ids=lambda r: r.key[0])
def test_continuous_current_is_the_tabulated_one(row) -> None:  # type: ignore[no-untyped-def]
    """The table derates receptacles of the NEC to 80 % and those of the IEC not at all."""
    is_nec = row.si("continuous_a") < row.si("amps_a")
    assert continuous_current(row, NEC if is_nec else IEC) == pytest.approx(row.si("continuous_a"))


def test_cord_of_645() -> None:
    assert not cord_length(4.5, "cord", NEC).failed
    long = cord_length(5.0, "cord", NEC)
    assert long.failed
    assert long.severity is Severity.ADVICE
    assert cord_length(None, "cord", NEC).outcome is Outcome.NOT_EVALUATED
    assert cord_length(5.0, "cord", IEC).outcome is Outcome.NOT_EVALUATED


def test_receptacles_of_a_design() -> None:
    found = design_of(AIR)
    checks = list(receptacle_checks(found.panels, found.facility.criteria))
    rules = {check.rule for check in checks}
    assert {"RECEPTACLE-LOAD", "RECEPTACLE-RATING", "CORD-LENGTH"} <= rules
    assert not [c for c in checks if c.failed and c.severity is Severity.VIOLATION]
    assert {c.subject for c in checks} <= {c.subject for c in found.checks}


@pytest.mark.parametrize("system", ["208Y/120", "415Y/240", "480Y/277", "400Y/230"])
@pytest.mark.parametrize("connection", ["L-N", "L-L"])
@pytest.mark.parametrize("breaker_a", [16.0, 20.0, 30.0, 60.0])
def test_receptacles_chosen_have_the_wires_of_the_cable(
    system: str, connection: Connection, breaker_a: float
) -> None:
    own = design_of(AIR).panels.basis
    line, _, phase = system.partition("Y/")
    basis = replace(own, system=system, v_ll=float(line), v_ln=float(phase))
    if system == "400Y/230":
        basis = replace(basis, numbering="IEC")
    row = receptacle_row(basis, 3, connection, breaker_a)
    if row is not None:
        wires = ("4P5W", "3P+N+E") if connection == "L-N" else ("3P4W", "3P+E")
        assert row["poles_wires"] in wires


def test_receptacle_and_cable_agree_about_the_neutral() -> None:
    """A rack PDU of 415 V has its outlets of 250 V from line to neutral."""
    found = design_of(AIR)
    panel = found.panels.panels[0]
    circuit = next(c for c in panel.circuits if c.rack)
    pdu = "PX3-5878I2R-P1Q1R1A5D5"

    def fails(receptacle: str, connection: Connection) -> bool:
        one = replace(circuit, poles=3, connection=connection, receptacle=receptacle)
        panels = replace(found.panels, panels=(replace(panel, circuits=(one,)),))
        (check,) = neutral_checks(panels)
        return check.failed

    assert not fails("NEMA L21-20R", "L-N")
    assert fails("NEMA L21-20R", "L-L")
    assert fails("NEMA L15-20R", "L-N")
    assert not fails("NEMA L15-20R", "L-L")
    assert fails(pdu, "L-L")
    assert not fails(pdu, "L-N")
    assert not fails("NA 208 V 3ph 30 A", "L-L")


def test_busway_of_4000_a_by_hand() -> None:
    """0.38 + j0.24 mohm per 100 ft: 0.3117 + j0.1969 mohm over 25 m.

    2,457 A at 0.95: 1.7321 x 2457 x (0.3117 x 0.95 + 0.1969 x 0.3122) mohm = 1.522 V.
    """
    demand = feeder(2457.0, length_m=25.0)
    found = choose_busway(demand, COPPER, NEC, 4000.0, 1.25 * 2457.0, id="TX")
    assert found.label == "4000 A busway"
    assert found.resistance_ohm == pytest.approx(0.3117e-3, rel=1e-3)
    assert found.reactance_ohm == pytest.approx(0.1969e-3, rel=1e-3)
    assert found.drop_v == pytest.approx(1.522, rel=1e-3)
    assert not [check for check in found.checks if check.failed]


@pytest.mark.parametrize(
    ("ocpd_a", "label"),
    [(4000.0, "4000 A busway"), (5000.0, "5000 A busway"), (6000.0, "2 x 3200 A busway")],
)
def test_the_busway_is_not_below_its_device(ocpd_a: float, label: str) -> None:
    found = choose_busway(feeder(0.8 * ocpd_a), COPPER, NEC, ocpd_a, ocpd_a)
    assert found.label == label
    (rating,) = [check for check in found.checks if check.rule == "BUSWAY-RATING"]
    assert rating.limit is not None
    assert rating.limit >= ocpd_a


@pytest.mark.parametrize(
    ("ambient_c", "label"),
    [
        (40.0, "3200 A busway"),
        # sqrt((95 - 45) / 55) = 0.953: 3,051 of 3,200 A, 3,814 of 4,000 A
        (45.0, "4000 A busway"),
        # sqrt((95 - 70) / 55) = 0.674: 2,697 of 4,000 A, 3,371 of 5,000 A
        (70.0, "5000 A busway"),
    ],
)
def test_a_hot_room_takes_a_larger_busway(ambient_c: float, label: str) -> None:
    hot = replace(COPPER, ambient_c=ambient_c)
    found = choose_busway(feeder(2560.0), hot, NEC, 3200.0, 3200.0)
    assert found.label == label
    assert found.ampacity_a >= 3200.0
    assert not [check for check in found.checks if check.failed]


def test_a_device_below_the_load_and_a_room_beyond_all_factors_fail() -> None:
    hot = replace(COPPER, ambient_c=71.0)
    found = choose_busway(feeder(2600.0), hot, NEC, 3000.0, 1.25 * 2600.0)
    failed = {check.rule for check in found.checks if check.failed}
    assert failed == {"BUSWAY-DEVICE", "BUSWAY-AMBIENT"}
    cool = choose_busway(feeder(2400.0), replace(COPPER, ambient_c=40.0), NEC, 3000.0, 3000.0)
    assert not [check for check in cool.checks if check.failed]


def test_no_busway_is_large_enough() -> None:
    with pytest.raises(FacilityError) as caught:
        choose_busway(feeder(8000.0), COPPER, NEC, 10001.0, 10001.0, id="main")
    assert (caught.value.code, caught.value.exit_code) == ("NO_BUSWAY", 4)


def test_a_drop_over_the_limit_takes_the_next_busway() -> None:
    """1,600 A over 300 m at 480 V: 0.94 + j0.50 mohm per 100 ft drop 29 V, over 3 % (14.4 V)."""
    near, far = (
        choose_busway(feeder(1280.0, length_m=length_m), COPPER, NEC, 1600.0, 1600.0)
        for length_m in (30.0, 300.0)
    )
    assert near.label == "1600 A busway"
    assert float(far.size) * far.sets > 1600.0
    assert far.drop is not None
    assert far.drop <= 0.03


def test_withstand_of_a_busway_is_that_of_six_cycles() -> None:
    found = choose_busway(feeder(3200.0), COPPER, NEC, 4000.0, 4000.0)
    assert busway_withstand("F", found, 200e3, 0.1).outcome is Outcome.PASS
    assert busway_withstand("F", found, 200.1e3, 0.1).failed
    assert busway_withstand("F", found, 50e3, 0.2).outcome is Outcome.NOT_EVALUATED
    assert busway_withstand("F", found, 50e3, None).outcome is Outcome.NOT_EVALUATED
    assert busway_withstand("F", found, None, 0.1).outcome is Outcome.NOT_EVALUATED


def test_a_busway_bears_the_fault_it_is_chosen_behind() -> None:
    """Table 6: 800 A copper bears 85 kA for six cycles, 1,000 A bears 100 kA."""
    weak = feeder(600.0, fault_a=85e3, clearing=Clearing(0.1))
    strong = feeder(600.0, fault_a=86e3, clearing=Clearing(0.1))
    labels = [choose_busway(d, COPPER, NEC, 800.0, 750.0).label for d in (weak, strong)]
    assert labels == ["800 A busway", "1000 A busway"]


def test_reactance_of_a_busway_is_that_of_the_frequency() -> None:
    """800 A copper: 1.2 mohm per 100 ft at 60 Hz, 1.0 at 50 Hz."""
    sixty, fifty = (
        choose_busway(
            feeder(600.0, length_m=30.48), replace(COPPER, frequency_hz=hz), NEC, 800.0, 750.0
        )
        for hz in (60.0, 50.0)
    )
    assert (sixty.reactance_ohm, fifty.reactance_ohm) == pytest.approx((1.2e-3, 1.0e-3))
    assert sixty.resistance_ohm == fifty.resistance_ohm


def test_eight_sets_are_cables_and_nine_a_busway() -> None:
    """600 kcmil THHN at 75 degC is 420 A: 8 x 420 = 3,360 A carries 3,000 A, not 4,000 A."""
    few, many = (choose_nec(feeder(load_a), COPPER, NEC) for load_a in (2400.0, 2500.0))
    assert (few.ocpd_a, few.is_busway) == (3000.0, False)
    assert few.sets <= 8
    assert (many.ocpd_a, many.label) == (4000.0, "4000 A busway")
    more = choose_nec(feeder(2500.0), replace(COPPER, parallel_sets=10), NEC)
    assert (more.is_busway, more.sets) == (False, 10)


def test_conductors_as_built_beyond_the_limit_are_named() -> None:
    assert parallel_sets("F", 9, COPPER).failed
    assert not parallel_sets("F", 8, COPPER).failed
    built = choose_nec(feeder(2500.0, size="600", sets=10), COPPER, NEC)
    assert {c.rule for c in built.checks if c.failed} == {"PARALLEL-SETS"}


@pytest.mark.parametrize("code", ["NEC", "IEC"])
def test_a_design_with_a_busway_prints_it(code: str) -> None:
    iec = ("criteria.code=IEC", "power.distribution.rack_system=400Y/230", "power.ups.buses=3")
    sets = () if code == "NEC" else iec
    found = design_of(AIR, "it.gpus=4096", "it.servers_per_rack=4", *sets)
    ducts = [f for f in found.distribution.feeders.feeders if f.choice and f.choice.is_busway]
    assert ducts
    assert "A busway" in feeder_text(ducts[0], code)
    rules = {c.rule for c in found.distribution.checks}
    assert {"BUSWAY-DEVICE", "BUSWAY-RATING", "BUSWAY-WITHSTAND", "PARALLEL-SETS"} <= rules
