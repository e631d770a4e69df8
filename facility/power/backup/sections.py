"""Into how many bus sections generators and medium-voltage switchgear are split.

Sets at low voltage feed the transfer switches of the lineups of their section.

A section holds the lineups of some bus numbers in every system. The racks of a bus number hang on
the lineups of that number alone, so that its load stays on its section whatever system is lost.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from facility.model.facility import Criteria
from facility.model.power.faults import SourceData
from facility.model.power.redundancy import Scheme
from facility.physics.circuits.currents import three_phase_current
from facility.power.backup.voltages import LOW_VOLTAGE_V, MOST_ON_ONE_BUS
from facility.power.panels.design.lineups import PanelLoads, bus_parts
from facility.power.substation.interrupting_ratings import assembly_ratings
from facility.power.train.results import ChainFlow
from facility.power.train.types import ChainDesign, GeneratorDesign

_MARGIN = 0.95


def section_of(bus: int, buses: int, sections: int) -> int:
    """Return the section of a lineup, by the number of its bus, from 0."""
    return bus * sections // buses


def section_parts(
    on_bus: PanelLoads, scheme: Scheme, buses: int, sections: int
) -> tuple[float, ...]:
    """Return the part of the load on each section.

    on_bus: All panelboards.
    buses, sections: Lineups of each system; sections.
    """
    parts = [0.0] * sections
    for bus, part in enumerate(bus_parts(on_bus, scheme, buses, coolant=0.5)):
        parts[section_of(bus, buses, sections)] += part
    return tuple(parts)


def bus_voltage(design: ChainDesign) -> float:
    """Return the voltage of the bus that the sets feed [V]."""
    if design.generators.connection == "MV":
        return design.utility_voltage_v
    return design.chain.wiring.lv_voltage_v


def fault_of_one_set(plant: GeneratorDesign, bus_v: float, data: SourceData) -> float:
    """Return what one set gives to a fault of its bus, three-phase or to ground [A].

    Behind a step-up transformer, delta towards the set, its own zero sequence does not count.
    """
    reactance = data.generator_reactance
    zero = data.generator_zero * reactance
    if plant.step_up is not None:
        zero = plant.step_up.impedance * plant.rating_va / plant.step_up.rating_va
        reactance += zero
    most = max(1.0, 3.0 / (2.0 + zero / reactance))
    return most * float(three_phase_current.si(plant.rating_va, bus_v)) / reactance


def motors_current(design: ChainDesign, mech_w: float, data: SourceData) -> float:
    """Return what motors on the LV boards give to a fault of a bus that the sets feed with them.

    None behind the transformers of a plant at medium voltage, where they are not counted [A].

    mech_w: Cooling on the LV boards, all sections.
    """
    if design.generators.connection == "MV":
        return 0.0
    motors_va = mech_w / design.chain.mechanical_power_factor
    run_a = float(three_phase_current.si(motors_va, bus_voltage(design)))
    return data.motor_share * data.motor_multiple * run_a


def largest_set(design: ChainDesign, mech_w: float, data: SourceData, criteria: Criteria) -> float:
    """Return the largest set that stands, with the spare ones, on a section at low voltage [VA].

    There are as many sections as lineups at most. Infinite at medium voltage, where no set comes
    near what switchgear is made for.
    """
    plant, voltage_v = design.generators, bus_voltage(design)
    ratings = assembly_ratings("lv-board", criteria.code, voltage_v)
    if plant.connection == "MV" or not plant.count or not ratings:
        return math.inf
    motors_a = motors_current(design, mech_w, data) / design.ups.buses
    each_a = (_MARGIN * ratings[-1].rating_a - motors_a) / (1 + plant.spare // plant.sections)
    return plant.rating_va * each_a / fault_of_one_set(plant, voltage_v, data)


def sections_needed(
    design: ChainDesign, flow: ChainFlow, mech_w: float, data: SourceData, criteria: Criteria
) -> tuple[int, str]:
    """Return the sections that generators and MV switchgear need, and why.

    Each section within the largest main bus and short-circuit rating that switchgear of the voltage
    is made for, and within the sets that share a load in parallel. They may be more than lineups,
    never more than the sets as built.

    flow: The chain under the load with growth.
    mech_w: Cooling on the LV boards, with growth.
    data: Reactances of the sets.
    criteria: Code, which decides the ratings.
    """
    motors_a, built = motors_current(design, mech_w, data), design.chain.generator.count
    needed, why = max(_asked(design, flow, motors_a, data, criteria))
    return min(needed, built or needed), why


def _asked(
    design: ChainDesign, flow: ChainFlow, motors_a: float, data: SourceData, criteria: Criteria
) -> Iterator[tuple[int, str]]:
    yield 1, ""
    plant, voltage_v = design.generators, design.utility_voltage_v
    ratings = assembly_ratings("mv-switchgear", criteria.code, voltage_v)
    if ratings and voltage_v > LOW_VOLTAGE_V:
        share = max((*design.boards.normal, *(p for after in design.boards.after for p in after)))
        service_a = float(flow.utility.current_a) * share
        yield _by_current(service_a, ratings[-1].bus_max_a, "service", voltage_v)
    if not plant.count:
        return
    bus_v = bus_voltage(design)
    if plant.connection != "MV":
        ratings = assembly_ratings("lv-board", criteria.code, bus_v)
    if ratings:
        load_a = float(three_phase_current.si(flow.generators.load_va, bus_v))
        yield _by_current(load_a, ratings[-1].bus_max_a, "generators", bus_v)
        one_a = fault_of_one_set(plant, bus_v, data)
        words = (
            f"{one_a / 1e3:,.2f} kA of fault current each against"
            f" {ratings[-1].rating_a / 1e3:,.1f} kA"
        )
        if motors_a:
            words += f", {motors_a / 1e3:,.2f} kA of motors in all"
        limit_a = _MARGIN * ratings[-1].rating_a
        yield _by_sets(plant, lambda n: math.floor((limit_a - motors_a / n) / one_a), words)
    yield _by_sets(plant, lambda _: MOST_ON_ONE_BUS, "in parallel on one bus")


def _by_current(current_a: float, most_a: float, name: str, voltage_v: float) -> tuple[int, str]:
    words = (
        f"{current_a:,.0f} A of the {name} at {voltage_v / 1e3:,.1f} kV against {most_a:,.0f} A,"
        " the largest usual main bus"
    )
    return math.ceil(current_a / (_MARGIN * most_a)), words


def _by_sets(plant: GeneratorDesign, most: Callable[[int], int], words: str) -> tuple[int, str]:
    """Return the sections of which each, spare sets included, has at most so many sets.

    most: The sets that one of so many sections may have.
    """
    spare = plant.spare // plant.sections

    def on_duty(sections: int) -> int:
        return max(1, most(sections) - spare)

    over = max(plant.section_duty, default=plant.duty) > on_duty(plant.sections)
    least = plant.sections + 1 if over and plant.sections > 1 else 1
    fits = (n for n in range(1, plant.duty) if math.ceil(plant.duty / n) <= on_duty(n))
    needed = max(least, next(fits, plant.duty))
    return needed, f"{plant.duty} sets on duty, at most {most(needed)} {words}"
