"""Cases of small devices: listed breakers, class 3 miniature breakers, fuses, curves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from facility.core.check import Outcome
from facility.model.power.faults import Clearing, EnergyLimits, LetThroughPoint
from facility.power.feeders.iec.checks import short_circuit_check
from facility.power.feeders.let_through import protection
from facility.power.feeders.nec.checks import grounding_withstand, withstand_checks
from facility.power.feeders.nec.tables import wire_size
from facility.power.feeders.types import ConductorChoice
from tests.hand.registry import case
from tests.power.feeders.iec.test_iec_choice import BASIS, chosen
from tests.power.feeders.nec_helpers import choose

_CMIL_M2 = 5.067074790974977e-10


def _timed(limits: EnergyLimits) -> Clearing:
    """Return devices that clear in 0.3 s, molded-case ones in 1.5 cycles, small ones as stated."""
    return Clearing(0.3, 0.025, 630.0, limits)


LISTED = _timed(EnergyLimits("listed breaker"))
BY_TIME = _timed(EnergyLimits("by time"))
CLASS_J = _timed(EnergyLimits("class J"))


def _nec(
    fault_a: float, clearing: Clearing, continuous_a: float, **changes: Any
) -> ConductorChoice:
    """Return the choice, whose checks of the fault must have passed."""
    demand = {"fault_a": fault_a, "earth_fault_a": fault_a, "clearing": clearing} | changes
    found = choose(continuous_a, **demand)
    device = clearing, found.ocpd_a, fault_a, 480.0
    earth_a = demand["earth_fault_a"]
    (line, *_) = withstand_checks("c", found, fault_a, protection(*device), 90.0, "2023")
    egc = grounding_withstand("c", found, earth_a, protection(*device, earth_a), 90.0, "2023")
    assert (line.outcome, egc.outcome) == (Outcome.PASS, Outcome.PASS)
    return found


def _cmil(size: str) -> float:
    return wire_size(size).area_m2 / _CMIL_M2


HOUSE: dict[str, Any] = {"ocpd_a": 10.0, "neutral": "not counted", "poles": 3}


@case("small-nec-house-10-a")
def _() -> float:
    found = _nec(25e3, LISTED, 7.0, **HOUSE)
    assert found.egc_size == "14"
    return _cmil(found.size)


@case("small-nec-house-neutral")
def _() -> float:
    return _cmil(_nec(25e3, LISTED, 7.0, **HOUSE).neutral_size)


@case("small-nec-house-by-time")
def _() -> float:
    found = _nec(25e3, BY_TIME, 7.0, **HOUSE)
    assert (found.neutral_size, found.egc_size) == (found.size, found.size)
    return _cmil(found.size)


@case("small-nec-rack-15-a")
def _() -> float:
    return _cmil(_nec(22e3, LISTED, 12.0, ocpd_a=15.0, location="branch").size)


@case("small-nec-next-size-up")
def _() -> float:
    unraised = choose(50.0)
    assert (unraised.ocpd_a, unraised.size) == (70.0, "6")
    return _cmil(choose(50.0, fault_a=25e3, clearing=LISTED).size)


@case("small-nec-class-j-egc")
def _() -> float:
    return float(_nec(42e3, CLASS_J, 80.0, ocpd_a=100.0).egc_size)


@case("small-nec-egc-250-a-by-time")
def _() -> float:
    found = _nec(20e3, BY_TIME, 200.0)
    assert (found.ocpd_a, found.egc_minimum) == (250.0, "4")
    return _cmil(found.egc_size)


def _iec(
    fault_a: float, limits: EnergyLimits, outcome: Outcome, insulation: str = "PVC", **load: Any
) -> float:
    clearing = _timed(limits)
    basis = {} if insulation == "PVC" else {"insulation": "XLPE", "insulation_c": 90.0}
    found = chosen(basis=basis, fault_a=fault_a, clearing=clearing, **load)
    of_device = protection(clearing, found.ocpd_a, fault_a, 400.0)
    conductors = replace(BASIS, **basis)
    assert short_circuit_check("c", found, fault_a, of_device, conductors).outcome is outcome
    return float(found.size)


TYPE_C = EnergyLimits("type C", 10e3)
SMALL: dict[str, Any] = {"continuous_a": 7.0, "ocpd_a": 10.0}


@case("small-iec-10-a-8-ka")
def _() -> float:
    return _iec(8e3, TYPE_C, Outcome.PASS, **SMALL)


@case("small-iec-10-a-12-ka")
def _() -> float:
    return _iec(12e3, TYPE_C, Outcome.NOT_EVALUATED, **SMALL)


@case("small-iec-10-a-12-ka-backup")
def _() -> float:
    backed = replace(TYPE_C, backup="gG", backup_a=63.0)
    return _iec(12e3, backed, Outcome.PASS, **SMALL)


@case("small-iec-40-a-b")
def _() -> float:
    load: dict[str, Any] = {"continuous_a": 36.0, "ocpd_a": 40.0}
    return _iec(9e3, EnergyLimits("type B", 10e3), Outcome.PASS, "XLPE", **load)


@case("small-iec-curve")
def _() -> float:
    curve = EnergyLimits("by time", points=(LetThroughPoint(16.0, 15e3, 150e3),))
    return _iec(15e3, curve, Outcome.PASS, continuous_a=14.0, ocpd_a=16.0)
