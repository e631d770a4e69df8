"""Load steps of the generator plant vs. permitted steps."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from facility.catalogue import Row, table
from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.core.rounding import argmax_within_rounding, within
from facility.core.sources import DERIVED, PROJECT
from facility.core.table import Value
from facility.core.trace import Findings, Trace
from facility.physics.machines.generator import set_loading
from facility.physics.machines.ups import recharge_power
from facility.power.backup.sections import section_of
from facility.power.backup.sets import OWN_SET
from facility.power.rules import RULES
from facility.power.train.results import ChainFlow
from facility.power.train.types import ChainDemand, ChainDesign

_CLOSE = 1e-9
_LOAD_STEPS = ("load_step_1_pct", "load_step_2_pct", "load_step_3_pct")


@dataclass(frozen=True)
class LoadStep:
    """Load block: name, power, and fraction of the running capacity."""

    name: str
    load_w: float
    part: float


@dataclass(frozen=True)
class StepLimit:
    """Permitted load steps: the first step from no load, and the following steps if known."""

    first: float | None
    ladder: tuple[float, ...]
    because: str

    def after(self, reached: float) -> float | None:
        """Return the permitted step at the load `reached`; None if unknown."""
        if self.first is not None and self.first >= 1.0:
            return 1.0
        total = 0.0
        for step in self.ladder:
            total += step
            if reached <= total + _CLOSE:
                return step
        return self.ladder[-1] if self.ladder else None


def iso_class(name: str) -> Row:
    """Return the row of an ISO 8528-5 performance class."""
    return table("electrical/generator_iso8528_classes").get(name, "performance_class")


def running_sets(design: ChainDesign) -> int:
    """Return the number of sets on the bus when load is connected: as specified, or duty sets.

    Raises ``GENERATOR_CONTRADICTION`` for more sets than are installed.
    """
    plant, given = design.generators, design.chain.generator.operation.running_sets
    if given is None:
        return plant.on_duty
    if given > plant.count:
        raise FacilityError(
            "GENERATOR_CONTRADICTION",
            "power.generator.running_sets",
            f"{given} sets on the bus, {plant.count} installed.",
            "Enter at most the installed number.",
        )
    return given


def load_steps(
    design: ChainDesign, demand: ChainDemand, flow: ChainFlow, trace: Trace
) -> tuple[LoadStep, ...]:
    """Return the load steps in sequence; they sum to the plant load.

    demand, flow: Load and power flow with growth.
    trace: Records ``generator.step.<n>``.
    """
    sets = running_sets(design)
    given = design.chain.generator.operation.steps
    if given:
        total_w = (
            float(flow.generators.load_w) / sum(given) * design.chain.generator.section_parts[0]
        )
        blocks = [(f"step {n}", part * total_w) for n, part in enumerate(given, 1)]
    else:
        blocks = _blocks(design, demand, flow)
    sections = design.generators.sections
    where = f" on the first of {sections} buses" if sections > 1 else ""
    if design.chain.generator.operation.running_sets is not None:
        trace.given("generator.running_sets", sets / sections, "count", PROJECT, where.strip())
    else:
        plant = design.generators
        on_bus = max(1, plant.section_sets(0) - plant.spare // sections)
        trace.derive(
            "generator.running_sets",
            on_bus,
            "count",
            f"all duty sets{where}",
            installed="generator.count",
        )
    steps = []
    for number, (name, load_w) in enumerate(blocks, 1):
        id = f"generator.step.{number}"
        trace.given(f"{id}.load", load_w, "active_power", DERIVED, name)
        part = trace.do(
            id,
            set_loading,
            name,
            load_w=f"{id}.load",
            sets="generator.running_sets",
            set_w="generator.rating",
            derate="generator.derate",
        )
        steps.append(LoadStep(name, load_w, float(part)))
    return tuple(steps)


def _blocks(design: ChainDesign, demand: ChainDemand, flow: ChainFlow) -> list[tuple[str, float]]:
    """Return the default load blocks: UPS by lineup, then cooling by system.

    For a sectioned plant, one section: its lineups and its share of the other loads.
    """
    ups, sections = design.ups, design.generators.sections
    of_section = design.chain.generator.section_parts[0]
    recharge_w = recharge_power.si(
        design.chain.ups.recharge, ups.modules_per_system, ups.module.rating_w
    )
    base_w = float(demand.house_w + flow.part("lv_board").loss_w)
    if design.generators.connection == "MV":
        base_w += float(flow.part("transformer").loss_w)
    base_w = (base_w + float(flow.generators.step_up_w)) * of_section
    blocks = []
    for system in flow.systems:
        for bus in range(ups.buses):
            if section_of(bus, ups.buses, sections):
                continue
            lineup = f"UPS {system.name}" + (f", bus {bus + 1}" if ups.buses > 1 else "")
            load_w = (
                system.input_w * design.chain.part_of_bus(system.name, bus) + recharge_w / ups.buses
            )
            blocks.append((lineup, float(load_w)))
    first, first_w = blocks[0]
    blocks[0] = (f"building load, losses and {first}", first_w + base_w)
    count = len(flow.systems)
    if demand.mech_w > 0:
        cooling = (f"cooling, block {n + 1} of {count}" for n in range(count))
        blocks += [(name, float(demand.mech_w) / count * of_section) for name in cooling]
    return blocks


def step_limit(design: ChainDesign) -> StepLimit:
    """Return the permitted load step: project, data sheet, or performance class."""
    operation, plant = design.chain.generator.operation, design.generators
    row = iso_class(operation.performance_class)
    ladder = _ladder([row.si_or_none(column) for column in _LOAD_STEPS])
    if operation.first_step is not None:
        return StepLimit(operation.first_step, ladder, "first step as stated")
    if plant.model != OWN_SET:
        sheet = table("equipment/generators").get(plant.model).si_or_none("block_load_pct")
        if sheet is not None:
            return StepLimit(sheet, ladder, f"data sheet of {plant.model}")
    if ladder:
        return StepLimit(ladder[0], ladder, f"steps of class {operation.performance_class}")
    return StepLimit(None, (), "")


def _ladder(levels: list[float | None]) -> tuple[float, ...]:
    """Return the steps between the load levels of a class; empty if not published."""
    known = [0.0, *(level for level in levels if level is not None)]
    return tuple(high - low for low, high in pairwise(known))


def step_checks(design: ChainDesign, steps: tuple[LoadStep, ...]) -> list[Check]:
    """Return the checks of the first step and of the most critical later step."""
    rule = RULES["GENERATOR-FIRST-STEP"]
    limit, first = step_limit(design), steps[0]
    name = design.chain.generator.operation.performance_class
    subject = f"{running_sets(design)} x {design.generators.model}"
    words = f"{first.name}: {first.load_w / 1e3:,.0f} kW, {first.part:.1%} of the running capacity"
    if limit.first is None:
        unknown = (
            f"{words}; no available data sheet states the permitted step, and class {name} refers"
            " to the mean effective pressure of the engine"
        )
        return [rule.not_evaluated(subject, unknown), *_later(steps, limit, subject)]
    why = f"{words}; {limit.first:.0%} permitted ({limit.because})"
    check = rule.at_most(subject, first.part, limit.first, "fraction", why)
    return [check, *_later(steps, limit, subject)]


def _later(steps: tuple[LoadStep, ...], limit: StepLimit, subject: str) -> list[Check]:
    rule = RULES["GENERATOR-LATER-STEPS"]
    if len(steps) == 1:
        return [rule.verdict(subject, True, "the full load is connected in one step")]
    reached, worst = steps[0].part, None
    for step in steps[1:]:
        reached += step.part
        permitted = limit.after(reached)
        if permitted is None:
            largest = steps[1 + argmax_within_rounding([one.part for one in steps[1:]])]
            return [
                rule.not_evaluated(
                    subject,
                    f"largest: {largest.name}, {largest.part:.1%} of the running capacity;"
                    " the permitted step of a loaded set is not known",
                )
            ]
        if worst is None or not within(step.part / permitted, worst[0].part / worst[1]):
            worst = (step, permitted)
    assert worst is not None
    step, permitted = worst
    why = (
        f"{step.name}: {step.load_w / 1e3:,.0f} kW, {step.part:.1%} of the running capacity;"
        f" {permitted:.0%} permitted ({limit.because})"
    )
    return [rule.at_most(subject, step.part, permitted, "fraction", why)]


def step_results(steps: tuple[LoadStep, ...], found: Findings) -> None:
    """Record ``generator.first_step``, ``.largest_step`` and ``.steps``."""
    for name, number in (
        ("first", 0),
        ("largest", argmax_within_rounding([one.part for one in steps])),
    ):
        id, step = f"generator.{name}_step", steps[number]
        of = f"generator.step.{number + 1}"
        found.trace.derive(id, step.part, "fraction", step.name, step=of)
        found.show(id, f"of the running capacity: {step.name}")
    id, count = "generator.steps", len(steps)
    found.trace.derive(id, count, "count", "load blocks in sequence")
    found.results[id] = Value(count, "count")
