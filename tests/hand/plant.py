"""Cases of transformers and generator sets: what is left after a loss, sections, steps, limits."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from facility.core.sources import PROJECT
from facility.core.trace import Trace
from facility.power.backup.equipment_checks import _generator_bus
from facility.power.backup.fuel import FuelCurve
from facility.power.backup.sections import _by_current, _by_sets, fault_of_one_set
from facility.power.backup.sets import ranked, with_duty
from facility.power.backup.sizing import plant_connection
from facility.power.backup.steps import LoadStep, StepLimit, _later
from facility.power.backup.study import study_generators
from facility.power.chain.sizing import size_chain
from facility.power.substation.count import size_transformers
from facility.power.substation.units import step_up_unit
from facility.power.train.state import Power
from facility.power.train.types import GeneratorSet, TransformerUnit
from tests.hand.power import MODULE, ON_480, SETS, _plant
from tests.hand.registry import case
from tests.power.helpers import LOSSLESS, Built, bare, build, chain, criteria, site

# --- transformers -----------------------------------------------------------------------------


@case("transformer-spares-of-two-buses")
def _() -> float:
    built = build(bare(200e3), redundancy="N+1", ups={**MODULE, "buses": "2"}, distribution=ON_480)
    return float(built.check("TRANSFORMER-SPARE").limit or 0.0)


@case("transformer-check-after-a-loss")
def _() -> float:
    given = {"rating": "150 kVA", "count": 3}
    built = build(bare(200e3), redundancy="N+1", ups=MODULE, distribution=ON_480, transformer=given)
    after = built.check("TRANSFORMER-LOADING-FAILURE").value or 0.0
    return after / float(built.check("TRANSFORMER-LOADING-NORMAL").value or 0.0)


@case("transformer-while-batteries-recharge")
def _() -> float:
    built = build(bare(200e3), redundancy="N", ups=MODULE, distribution=ON_480)
    return built.design.transformers.unit.rating_va


@case("transformer-of-the-fullest-board")
def _() -> float:
    basis = replace(chain(redundancy="N", ups=MODULE, distribution=ON_480), unevenness=1.3)
    made = size_chain(basis, site(), criteria(), bare(200e3), None, Trace())
    return made.transformers.unit.rating_va


ON_208 = {"voltage": "480 V", "rack_system": "208Y/120", **LOSSLESS, "pdu_transformer": "300 kVA"}


def _pdus() -> Built:
    return build(bare(400e3), redundancy="2N", ups=MODULE, distribution=ON_208)


@case("pdus-carry-the-lost-feed")
def _() -> float:
    pdus = _pdus().design.pdus
    assert pdus is not None
    return float(pdus.duty_per_carrier)


@case("pdu-check-after-the-loss-of-a-feed")
def _() -> float:
    built = _pdus()
    return float(built.check("PDU-LOADING").value or 0.0) / float(built.flow.pdus.normal)


@case("pdus-carrying-feeds")
def _() -> float:
    pdus = _pdus().design.pdus
    assert pdus is not None
    return float(pdus.carrying)


@case("ups-output-of-the-worst-state")
def _() -> float:
    wiring = {"voltage": "480 V", "rack_system": "480Y/277", **LOSSLESS, "branch_loss": "1 %"}
    built = build(bare(200e3), redundancy="2N", ups=MODULE, distribution=wiring)
    return built.trace.value("ups.failure_output")


@case("step-up-of-2600-kva")
def _() -> float:
    return step_up_unit(2600e3, "NEC", 13.8e3, 480.0).rating_va


# --- generators -------------------------------------------------------------------------------


@case("generators-at-mv-by-all-their-kva")
def _() -> float:
    """Two sets on duty and a spare one of 1,250 kVA, against a board of 4,000 A."""
    basis = chain(redundancy="N", generator=SETS).generator
    load = Power(900e3, (1e6**2 - 900e3**2) ** 0.5)
    found = plant_connection(basis, site(), load, 900e3, 480.0, 4000.0, None)
    return float(found.side == "MV")


@case("generator-derate-at-50-degrees")
def _() -> float:
    at = site(elevation_m=0.0, dry_bulb_c=50.0)
    return build(bare(1e6), at=at, redundancy="N").design.generators.derate


def _set(step_up: Any) -> float:
    plant = SimpleNamespace(rating_va=1e6, step_up=step_up)
    data = SimpleNamespace(generator_reactance=0.1, generator_zero=0.5)
    return fault_of_one_set(plant, 480.0, data)  # type: ignore[arg-type]


@case("generator-ground-fault-of-one-set")
def _() -> float:
    return _set(None)


@case("generator-fault-behind-its-step-up")
def _() -> float:
    return _set(SimpleNamespace(impedance=0.05, rating_va=1.25e6))


@case("generator-sections-by-current")
def _() -> float:
    return float(_by_current(2900.0, 3000.0, "service", 13.8e3)[0])


@case("generator-sections-with-spares")
def _() -> float:
    plant = SimpleNamespace(spare=4, sections=1, section_duty=(30,), duty=30)
    return float(_by_sets(plant, lambda _: 32, "")[0])  # type: ignore[arg-type]


@case("generator-fuel-beyond-its-curve")
def _() -> float:
    curve = FuelCurve(((0.25, 1e-5), (1.0, 4e-5)), 1e6, PROJECT, "")
    assert curve.at(0.5e6) == 2e-5
    return float(curve.at(1.2e6) is None)


@case("generator-worst-of-the-later-steps")
def _() -> float:
    steps = tuple(LoadStep(f"{n}", 0.0, part) for n, part in enumerate((0.2, 0.2, 0.5)))
    (check,) = _later(steps, StepLimit(0.5, (0.5, 0.3, 0.2), ""), "sets")
    return float(check.value or 0.0)


def _first_of_two(large_w: float) -> float:
    """Return the rating that is taken: one large set, or two of 900 kW."""
    one = GeneratorSet(
        model="large",
        rating_w=large_w,
        rating_va=large_w / 0.8,
        rating_basis="",
        max_loading=0.7,
        frequency_hz=60.0,
        source=PROJECT,
        memory=(),
        duty=1,
    )
    two = replace(one, model="small", rating_w=0.9e6, duty=2)
    return ranked([one, two], 0)[0].rating_w


@case("generators-least-installed-first")
def _() -> float:
    return _first_of_two(2.4e6)


@case("generators-fewer-within-a-quarter")
def _() -> float:
    return _first_of_two(2e6)


@case("generator-leading-limit-of-the-running-sets")
def _() -> float:
    built = _plant(filter_capacitive="10 kvar", leading_limit="20 %")
    found = study_generators(built.design, built.demand, built.flow, built.flow, None, built.trace)
    return next(float(c.limit or 0.0) for c in found.checks if c.rule == "GENERATOR-LEADING-PF")


@case("generator-bus-of-the-fullest-section")
def _() -> float:
    """Current of the fullest of two sections, 60 and 40 %, over that of the whole plant."""
    built = _plant(connection="LV")
    generator = replace(built.design.chain.generator, section_parts=(0.6, 0.4))
    design = replace(built.design, chain=replace(built.design.chain, generator=generator))
    whole = _generator_bus(built.design, built.flow, criteria())[-1].value or 0.0
    return float(_generator_bus(design, built.flow, criteria())[-1].value or 0.0) / whole


@case("transformer-load-loss-of-the-rule")
def _() -> float:
    given = {"rating": "2500 kVA", "count": 1}
    built = build(bare(2e6), redundancy="N", distribution=ON_480, transformer=given)
    return built.design.transformers.unit.load_loss_w


@case("transformers-of-two-halves")
def _() -> float:
    unit = TransformerUnit(1e6, 1e3, 1e4, 0.0575, PROJECT, ())
    return float(size_transformers([unit], ("A",), 1, 2.2e6, 1.0, 0, parts=2).per_carrier)


@case("generator-share-of-the-fullest-section")
def _() -> float:
    trace = Trace()
    for id, value, kind in (
        ("generator.design_load", 1e6, "active_power"),
        ("generator.design_load_va", 1e6, "apparent_power"),
        ("generator.rating", 1e6, "active_power"),
        ("generator.rating_kva", 1.25e6, "apparent_power"),
        ("generator.derate", 1.0, "ratio"),
    ):
        trace.given(id, value, kind, PROJECT)
    basis = SimpleNamespace(section_parts=(0.4, 0.6))
    one = GeneratorSet(
        model="own",
        rating_w=1e6,
        rating_va=1.25e6,
        rating_basis="standby",
        max_loading=1.0,
        frequency_hz=60.0,
        source=PROJECT,
        memory=(),
    )
    with_duty(one, basis, 1e6, 1e6, 1.0, trace)  # type: ignore[arg-type]
    return trace.value("generator.section.load")
