"""Feeder busways chosen once more, from the table as its maker publishes it."""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from facility.core.errors import FacilityError
from facility.model.power.faults import Clearing
from facility.power.feeders.busway import busway_withstand, choose_busway, may_be_busway
from facility.power.feeders.types import CircuitDemand
from facility.study.verification.power.conductor_cases import COPPER, feeder
from facility.study.verification.power.panel_cases import NEC
from tests.results.power.plant import rows

SQRT3 = math.sqrt(3.0)
_FT_M = 0.3048
Option = tuple[int, float, complex, float]
"""Runs, rating of one [A], impedance of one [ohm], withstand [A]."""


def _same(name: str, found: float, wanted: float) -> Iterator[str]:
    if not abs(found - wanted) <= 1e-9 * max(abs(found), abs(wanted), 1e-9):
        yield f"{name}: {found!r}, by hand {wanted!r}"


def _options(metal: str, length_m: float, hz: float) -> list[Option]:
    """Return one run of each rating, then two."""
    ohm_m = 1e-3 / (100.0 * _FT_M)
    one = sorted(
        (
            float(x["rated_a"]),
            complex(float(x["r_mohm_per_100ft"]), float(x["x_mohm_per_100ft"]) * hz / 60.0),
            float(x["withstand_a"]),
        )
        for x in rows("electrical/feeder_busway.csv")
        if x["conductor"] == metal
    )
    return [(n, a, z * ohm_m * length_m, most_a) for n in (1, 2) for a, z, most_a in one]


def _drop_v(demand: CircuitDemand, runs: int, ohm: complex) -> float:
    """Return R cos + X sin times the current of a run."""
    sine = math.sqrt(1.0 - demand.power_factor**2)
    amperes = (demand.continuous_a + demand.other_a) / runs
    return SQRT3 * amperes * (ohm.real * demand.power_factor + ohm.imag * sine)


def busways() -> Iterator[str]:
    """Runs, rating, factors and drop of busways by load, ambient, length, fault and metal."""
    for ocpd_a, poles, location in ((800.0, 3, "feeder"), (700.0, 3, "feeder"),
                                    (800.0, 2, "feeder"), (800.0, 3, "branch")):  # fmt: skip
        asked = feeder(600.0, poles=poles, location=location)
        if may_be_busway(asked, ocpd_a) != ((ocpd_a, poles, location) == (800.0, 3, "feeder")):
            yield f"busway for {ocpd_a:g} A, {poles} poles, {location}"
    chance = Random(33)
    for number in range(120):
        load_a = chance.uniform(500.0, 5200.0)
        length_m = chance.choice([10.0, 40.0, 90.0, 150.0])
        cleared_s = chance.choice([0.05, 0.05, 0.5, None])
        demand = feeder(
            load_a, length_m=length_m, power_factor=chance.choice([0.85, 0.95, 1.0]),
            fault_a=chance.choice([None, 42e3, 90e3, 130e3, 190e3]),
            other_a=chance.choice([0.0, 90.0]),
            clearing=Clearing(cleared_s), min_ampacity_a=chance.choice([0.0, 2100.0]),
        )  # fmt: skip
        metal, hz = chance.choice(["cu", "al"]), chance.choice([50.0, 60.0])
        ambient_c = chance.choice([25.0, 40.0, 50.0, 65.0])
        basis = replace(COPPER, material=metal, ambient_c=ambient_c, frequency_hz=hz)
        ocpd_a = next(
            a for a in (800.0, 1000.0, 1600.0, 2500.0, 4000.0, 5000.0, 6000.0, 9e3)
            if a >= 1.25 * load_a
        )  # fmt: skip
        factor = min(1.0, math.sqrt((95.0 - ambient_c) / 55.0))
        least_a, limit_v = max(ocpd_a, demand.min_ampacity_a), NEC.voltage_drop_feeder * 480.0
        known = demand.fault_a is not None and cleared_s is not None and cleared_s <= 0.1
        fits = [
            one
            for one in _options(metal, length_m, hz)
            if one[0] * one[1] * factor >= least_a * (1.0 - 1e-9)
            and _drop_v(demand, one[0], one[2]) <= limit_v * (1.0 + 1e-9)
        ]
        held = [one for one in fits if not known or one[3] >= (demand.fault_a or 0.0)]
        wanted = next(iter(held or fits), None)
        try:
            found = choose_busway(demand, basis, NEC, ocpd_a, 1.25 * load_a)
        except FacilityError:
            if wanted is not None:
                yield f"busway {number}: none, by hand {wanted}"
            continue
        if wanted is None:
            yield f"busway {number}: {found.label}, by hand none"
            continue
        runs, rated_a, ohm, most_a = wanted
        drop_v = _drop_v(demand, runs, ohm)
        amperes = (demand.continuous_a + demand.other_a) / runs
        drawn_a = cmath.rect(amperes, -math.acos(demand.power_factor))
        exact_v = SQRT3 * (demand.v_ln - abs(demand.v_ln - drawn_a * ohm))
        for name, one, by_hand in (
            ("runs", found.sets, runs),
            ("rating", float(found.size), rated_a),
            ("ambient factor", found.ambient_factor, factor),
            ("rating of all runs", found.ampacity_term_a, runs * rated_a),
            ("ampacity", found.ampacity_a, runs * rated_a * factor),
            ("ampacity corrected", found.ampacity_corrected_a, runs * rated_a * factor),
            ("resistance", found.resistance_ohm or 0.0, ohm.real),
            ("reactance", found.reactance_ohm or 0.0, ohm.imag),
            ("drop", found.drop_v or 0.0, drop_v),
            ("exact drop", found.drop_exact_v or 0.0, exact_v),
        ):
            yield from _same(f"{name} of busway {number}", one, by_hand)
        sides = {
            "BUSWAY-DEVICE": (ocpd_a, 1.25 * load_a),
            "BUSWAY-RATING": (ocpd_a, runs * rated_a * factor),
            "BUSWAY-VOLTAGE-DROP": (drop_v / 480.0, NEC.voltage_drop_feeder),
            "BUSWAY-AMBIENT": (ambient_c, 70.0),
        }
        for one in found.checks:
            for side, by_hand in zip((one.value, one.limit), sides[one.rule], strict=True):
                yield from _same(f"{one.rule} of busway {number}", side or 0.0, by_hand)
        check = busway_withstand("B", found, demand.fault_a, cleared_s)
        if known:
            yield from _same(f"withstand of busway {number}", check.limit or 0.0, most_a)
            yield from _same(f"fault at busway {number}", check.value or 0.0, demand.fault_a or 0.0)
        elif check.value is not None:
            yield f"withstand of busway {number} is evaluated"
