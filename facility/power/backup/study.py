"""Generator plant operation: load steps, motor start, minimum load, fuel, leading load."""

from __future__ import annotations

from dataclasses import dataclass

from facility.core.check import Check
from facility.core.sources import DERIVED, PROJECT, RECALLED
from facility.core.trace import Findings, Trace
from facility.physics.machines.generator import set_loading
from facility.physics.machines.motor_start import starting_power, voltage_dip
from facility.physics.machines.ups import recharge_power
from facility.power.backup.fuel import study_fuel
from facility.power.backup.steps import (
    iso_class,
    load_steps,
    running_sets,
    step_checks,
    step_results,
)
from facility.power.rules import RULES
from facility.power.train.results import ChainFlow
from facility.power.train.types import ChainDemand, ChainDesign

_EMERGENCY_S = 10.0
"""Time to power for emergency loads, NEC 700.12."""
_RULES = (
    "GENERATOR-FIRST-STEP",
    "GENERATOR-LATER-STEPS",
    "GENERATOR-VOLTAGE-DIP",
    "GENERATOR-MINIMUM-LOAD",
    "GENERATOR-FUEL",
    "GENERATOR-LEADING-PF",
    "GENERATOR-START-TIME",
)
"""Plant rules that cannot be evaluated without a set."""


@dataclass(frozen=True)
class MotorLoad:
    """Largest motor started on the plant: name and electrical input [W]."""

    name: str
    input_w: float


def study_generators(
    design: ChainDesign,
    grown: ChainDemand,
    flow: ChainFlow,
    now: ChainFlow,
    motor: MotorLoad | None,
    trace: Trace,
) -> Findings:
    """Return the plant operation under the design load and the present load.

    grown, flow: Load and power flow with growth.
    now: Power flow of the present load.
    motor: Largest cooling motor; None if unknown.

    Raises ``GENERATOR_CONTRADICTION`` for more running sets than are installed.
    """
    found = Findings(trace)
    if not design.generators.count:
        why = "no set is installed"
        found.checks += [RULES[rule].not_evaluated("generators", why) for rule in _RULES]
        return found
    steps = load_steps(design, grown, flow, trace)
    # Calculated, and so traced, before the loads and steps that the results list first.
    later = Findings(trace)
    fuel = study_fuel(design, float(flow.generators.load_w), later)
    dip = _motor_start(design, motor, later)
    side = design.generators.connection
    found.text("generator.connection", side)
    found.show("generator.load", f"with recharge, on the {side} side")
    found.show("generator.design_load", "with growth and recharge")
    step_results(steps, found)
    found.results |= later.results
    # The load of every installed set with fully charged batteries
    ups, plant = design.ups, design.generators
    recharge = design.chain.ups.recharge
    charge_w = float(recharge_power.si(recharge, ups.modules, ups.module.rating_w))
    found.trace.given(
        "generator.least_load",
        float(now.generators.load_w) - charge_w,
        "active_power",
        DERIVED,
        "present load without recharge",
    )
    found.trace.do(
        "generator.loading_least",
        set_loading,
        "all installed sets, at their rating",
        load_w="generator.least_load",
        sets=float(plant.count),
        set_w="generator.rating",
        derate=1.0,
    )
    basis = "all sets on the bus, no recharge, IT at design load"
    found.show("generator.loading_least", basis)
    limit, key = design.chain.generator.operation.minimum_load, "generator.loading_least"
    why = f"each of {plant.count} sets at {trace.value(key):.1%} of its rating, minimum {limit:.0%}"
    minimum = RULES["GENERATOR-MINIMUM-LOAD"].at_least(
        f"{plant.count} x {plant.model}", trace.value(key), limit, "fraction", why
    )
    found.checks += [
        *step_checks(design, steps),
        *dip,
        minimum,
        fuel,
        _leading(design),
        _start(design),
    ]
    return found


def _motor_start(design: ChainDesign, motor: MotorLoad | None, found: Findings) -> list[Check]:
    operation, plant, source = design.chain.generator.operation, design.generators, DERIVED
    trace = found.trace
    if operation.largest_motor_w is not None:
        motor = MotorLoad("largest motor", operation.largest_motor_w)
        source = PROJECT
    if motor is None:
        why = "the largest motor is not specified (power.generator.largest_motor)"
        return [RULES["GENERATOR-VOLTAGE-DIP"].not_evaluated(plant.model, why)]
    sets = running_sets(design) / plant.sections
    sets_va = sets * plant.rating_va
    trace.given("generator.largest_motor", motor.input_w, "active_power", source, motor.name)
    trace.do(
        "generator.starting_kva",
        starting_power,
        operation.motor_start,
        input_w="generator.largest_motor",
        power_factor="power.mechanical_power_factor",
        current_ratio="power.generator.starting_current",
    )
    found.show("generator.starting_kva", motor.name)
    dip = trace.do(
        "generator.voltage_dip",
        voltage_dip,
        f"{motor.name} on {sets:g} sets",
        starting_va="generator.starting_kva",
        sets_va=sets_va,
        reactance=_reactance_to_bus(design, trace),
    )
    found.show("generator.voltage_dip", f"{motor.name}, {operation.motor_start}")
    return _dip_checks(design, motor, float(dip))


def _reactance_to_bus(design: ChainDesign, trace: Trace) -> str:
    """Return the trace step of the transient reactance up to the bus, step-up included."""
    at, plant = "power.generator.transient_reactance", design.generators
    if plant.step_up is None:
        return at
    unit = plant.step_up
    own = design.chain.generator.operation.transient_reactance
    trace.derive(
        "generator.reactance_to_bus",
        own + unit.impedance * plant.rating_va / unit.rating_va,
        "fraction",
        "set and step-up transformer, on the rating of the set",
        own=at,
    )
    return "generator.reactance_to_bus"


def _dip_checks(design: ChainDesign, motor: MotorLoad, dip: float) -> list[Check]:
    rule = RULES["GENERATOR-VOLTAGE-DIP"]
    name = design.chain.generator.operation.performance_class
    row = iso_class(name)
    permitted = row.si_or_none("transient_voltage_load_increase_max_pct")
    subject = f"{running_sets(design)} x {design.generators.model}"
    if permitted is None:
        why = f"{motor.name}: dip {dip:.1%}; class {name} has no limit (agreed with manufacturer)"
        return [rule.not_evaluated(subject, why)]
    recalled = row.is_memory("transient_voltage_load_increase_max_pct")
    return [
        rule.at_most(
            subject,
            dip,
            abs(permitted),
            "fraction",
            f"{motor.name}: dip {dip:.1%}, {abs(permitted):.0%} permitted by class {name}",
        ),
        RULES["MEMORY-DATA"].verdict(
            f"ISO 8528-5 class {name}",
            not recalled,
            "unverified: transient voltage limit" if recalled else "all data read from sources",
        ),
    ]


def _leading(design: ChainDesign) -> Check:
    rule = RULES["GENERATOR-LEADING-PF"]
    operation, plant, ups = design.chain.generator.operation, design.generators, design.ups
    subject = f"{running_sets(design)} x {plant.model}"
    limit = operation.factors["leading_limit"]
    limit_var = limit * running_sets(design) * plant.rating_va
    if operation.filter_var is None:
        return rule.not_evaluated(
            subject,
            f"the capacitive reactive power of the {ups.module.model} input at light load is not"
            " known (power.generator.filter_capacitive); the sets accept about"
            f" {limit_var / 1e3:,.0f}"
            " kvar leading",
        )
    found_var = operation.filter_var * ups.modules
    why = (
        f"{ups.modules} modules, {found_var / 1e3:,.0f} kvar before they are loaded;"
        f" {limit_var / 1e3:,.0f} kvar at {limit:.0%} of the kVA on the bus"
    )
    return rule.at_most(subject, found_var, limit_var, "reactive_power", why)


def _start(design: ChainDesign) -> Check:
    rule = RULES["GENERATOR-START-TIME"]
    found_s = design.chain.generator.operation.start_s
    why = (
        f"{found_s:.0f} s; limits: {_EMERGENCY_S:.0f} s for emergency loads, 60 s for legally"
        " required standby loads, none for the IT load, which the UPS carries meanwhile"
    )
    if design.chain.panels.numbering == "IEC":
        why = f"{found_s:.0f} s; national rules govern emergency loads"
        return rule.by(RECALLED).not_evaluated(design.generators.model, why)
    return rule.at_most(design.generators.model, found_s, _EMERGENCY_S, "time", why)
