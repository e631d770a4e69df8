"""Cases of ratings, clearing times and trip units that the project leaves open."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from facility.core.check import Outcome
from facility.model.power.faults import Clearing, EnergyLimits, FaultBasis
from facility.power.faults.currents import fault_currents
from facility.power.faults.device_checks import (
    FaultDevice,
    StateCurrents,
    device_checks,
    with_rating,
)
from facility.power.faults.sources import utility_source
from facility.power.faults.types import FaultTree
from facility.power.feeders.let_through import protection
from facility.power.feeders.nec.tables import wire_size
from facility.power.feeders.trip_units import TripChoice, TripUnit
from facility.power.substation.interrupting_ratings import assembly_ratings, design_fault_current
from tests.hand.registry import case
from tests.power.faults.networks import VOLTAGE
from tests.power.feeders.nec_helpers import choose
from tests.power.helpers import criteria
from tests.study.helpers import reference

_CMIL_M2 = 5.067074790974977e-10
ASSUMED = Clearing(None, 0.025, 630.0, EnergyLimits(), 0.05, assumed=True)
"""Nothing stated: 1.5 cycles of a molded case, 3 cycles of a power circuit-breaker."""
_TENTH = replace(ASSUMED, offset_s=10.0 / (2.0 * math.pi * 50.0))
"""The same where the offset of X/R 10 at 50 Hz counts."""


# --- ratings on a utility of unknown fault level ----------------------------------------------


def _unlimited(voltage_v: float) -> StateCurrents:
    source = utility_source("U", "B", voltage_v, None, None, _basis().sources)
    tree = FaultTree("B", voltage_v, (), (source,))
    high, low = (fault_currents(tree, "per-unit", one, VOLTAGE) for one in ("max", "min"))
    return StateCurrents(high, low)


def _switchgear(country: str, voltage_v: float, code: str) -> FaultDevice:
    found = design_fault_current(country, voltage_v)
    standard = assembly_ratings("mv-switchgear", code, voltage_v)
    device = FaultDevice("D", "B", standard=standard)
    if found is not None:
        device = replace(device, assumed_a=found.rating_a, assumed_source=str(found.source))
    return with_rating(device, {"utility": _unlimited(voltage_v)}, criteria(code=code))


@case("mv-design-fault-current-gb-11-kv")
def _() -> float:
    device = _switchgear("GB", 11e3, "IEC")
    states = {"utility": _unlimited(11e3)}
    (found,) = (
        c for c in device_checks([device], states, criteria()) if c.rule == "FAULT-INTERRUPTING"
    )
    assert found.outcome is Outcome.PASS
    assert found.limit == 25e3
    return float(found.value or 0.0)


@case("mv-switchgear-gb-33-kv")
def _() -> float:
    return float(_switchgear("GB", 33e3, "IEC").interrupting_a or 0.0)


@case("mv-switchgear-of-no-published-level")
def _() -> float:
    """Not evaluated, and the largest standard rating of the voltage is named."""
    device, states = _switchgear("US", 13.8e3, "NEC"), {"utility": _unlimited(13.8e3)}
    found = device_checks([device], states, criteria())[0]
    assert device.interrupting_a is None
    assert found.outcome is Outcome.NOT_EVALUATED
    return float(found.why.partition("largest standard rating is ")[2].partition(" kA")[0]) * 1e3


# --- clearing times where none is stated ------------------------------------------------------


@case("assumed-grounding-conductor-of-1000-a")
def _() -> float:
    found = choose(750.0, ocpd_a=1000.0, fault_a=1e5, earth_fault_a=1e5, clearing=ASSUMED)
    assert found.sets == 3
    return wire_size(found.egc_size).area_m2 / _CMIL_M2


@case("assumed-power-breaker-with-offset")
def _() -> float:
    found = protection(_TENTH, 800.0, 50e3, 400.0)
    assert found is not None
    assert found.known
    return float(found.duration_s or 0.0)


@case("assumed-molded-case-with-offset")
def _() -> float:
    found = protection(_TENTH, 160.0, 36e3, 400.0)
    assert found is not None
    assert not found.known
    return float(found.duration_s or 0.0)


@case("assumed-times-are-none-below-the-trip")
def _() -> float:
    """The number of devices whose time below the instantaneous trip is known."""
    below = [ASSUMED.times_s(rating_a)[1] for rating_a in (100.0, 630.0, 800.0, 4000.0, None)]
    return float(sum(time_s is not None for time_s in below))


# --- trip units -------------------------------------------------------------------------------


def _basis() -> FaultBasis:
    return reference("mixed-hall").facility.electrical.faults


@cache
def _units(
    *ratings: tuple[str, float], code: str = "NEC", solid: bool = True
) -> Mapping[str, TripUnit]:
    """Return the trip units of system A of the mixed hall at 415Y/240 V, with ratings changed."""
    plan = reference("mixed-hall").distribution.plan
    usual = {"TX-A>LVB-A": 2500.0, "LVB-A>UPS-A": 1600.0, "LVB-A>SBP-A": 1200.0}
    rated = usual | dict(ratings)
    return TripChoice(plan, rated, _basis(), criteria(code=code), solid).all_units()


def _lsig(units: Mapping[str, TripUnit]) -> float:
    return float(sum(unit.ground_fault for unit in units.values()))


@case("trip-ground-fault-at-the-main")
def _() -> float:
    units = _units()
    assert units["LVB-A>UPS-A"].ground_fault_upstream == "TX-A>LVB-A"
    assert units["TX-A>LVB-A"].ground_fault
    return _lsig(units)


@case("trip-ground-fault-below-a-main-of-999-a")
def _() -> float:
    units = _units(("TX-A>LVB-A", 999.0))
    assert units["TX-A>LVB-A"].functions == "LSI"
    return _lsig(units)


@case("trip-ground-fault-behind-the-ups")
def _() -> float:
    """An inverter feeds the output from batteries: the main does not see its ground faults."""
    (panel, *_) = (
        tag
        for tag, c in reference("mixed-hall").distribution.plan.circuits.items()
        if c.source == "UPO-A" and c.stage == "feeder"
    )
    return _lsig(_units((panel, 1000.0)))


@case("trip-ground-fault-behind-a-resistor")
def _() -> float:
    return _lsig(_units(solid=False))


@case("trip-ground-fault-by-the-iec")
def _() -> float:
    units = _units(code="IEC")
    assert {unit.functions for unit in units.values()} == {"LSI"}
    assert not any(unit.arc_energy for unit in units.values())
    return _lsig(units)


@case("trip-arc-energy-from-1200-a")
def _() -> float:
    units = _units(("LVB-A>SBP-A", 1199.0))
    return float(sum(unit.arc_energy == "maintenance switch" for unit in units.values()))


@case("trip-thermal-magnetic-to-250-a")
def _() -> float:
    units = _units(("LVB-A>SBP-A", 250.0), ("LVB-A>UPS-A", 250.1))
    return float(sum(unit.functions == "TM" for unit in units.values()))
