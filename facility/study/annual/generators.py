"""The periodic tests of the generator sets over the year: their energy and fuel."""

from __future__ import annotations

from collections.abc import Iterator

from facility.core.check import Check
from facility.core.trace import Findings
from facility.power.backup.fuel import fuel_curve
from facility.power.train.types import ChainDesign
from facility.study.rules import RULES

_WORDS = "on a load bank: nothing of it passes the meter"


def tests_of_sets(chain: ChainDesign, found: Findings) -> Iterator[Check]:
    """Record hours, energy and fuel of the tests of all sets; yield what is said of their load."""
    plant, operation = chain.generators, chain.chain.generator.operation
    if not plant.count or not operation.test_s:
        return
    load_w = operation.test_load * plant.rating_w
    words = f"{plant.count} sets at {operation.test_load:.0%} of {plant.rating_w / 1e3:,.0f} kW"
    found.note("annual.generator.test_time", operation.test_s, "time", "of each set")
    energy_j = plant.count * load_w * operation.test_s
    found.note("annual.generator.test_energy", energy_j, "energy", f"{words}, {_WORDS}")
    curve = fuel_curve(plant)
    flow = curve.at(load_w) if curve is not None else None
    if curve is None or flow is None:
        why = f"fuel.annual: no fuel of {plant.model} is known at {operation.test_load:.0%}"
        yield RULES["GENERATOR-TEST-LOAD"].not_evaluated(plant.model, why)
        return
    burnt_m3 = plant.count * flow * operation.test_s
    found.note("fuel.annual", burnt_m3, "volume", f"tests of {words}; {curve.words}")
    limit = operation.minimum_load
    yield RULES["GENERATOR-TEST-LOAD"].compare(
        plant.model, operation.test_load, ">=", limit, "fraction"
    )
