"""Bus sections of generators and medium-voltage switchgear.

Low-voltage sets feed the transfer switches of the lineups in their section.

A section includes the lineups with the same bus numbers in every system. The racks of a bus number
are fed only from the lineups of that number, so their load stays on its section if a system fails.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from facility.model.facility import Criteria
from facility.model.power.faults import SourceData
from facility.model.power.redundancy import Scheme
from facility.physics.circuits.currents import three_phase_current
from facility.power.backup.voltages import LOW_VOLTAGE_V, MAX_ON_ONE_BUS
from facility.power.panels.design.lineups import PanelLoads, bus_parts
from facility.power.substation.interrupting_ratings import assembly_ratings
from facility.power.train.results import ChainFlow
from facility.power.train.types import ChainDesign, GeneratorDesign

_MARGIN = 0.95
"""Share of a switchgear rating that these estimates use; the fault study checks the rating."""


def section_of(bus: int, buses: int, sections: int) -> int:
    """Return the section of a lineup, by the number of its bus, from 0."""
    return bus * sections // buses


def section_parts(
    on_bus: PanelLoads, scheme: Scheme, buses: int, sections: int
) -> tuple[float, ...]:
    """Return the share of the load on each section.

    on_bus: All panelboards.
    buses, sections: Lineups of each system; sections.
    """
    parts = [0.0] * sections
    for bus, part in enumerate(bus_parts(on_bus, scheme, buses, coolant=0.5)):
        parts[section_of(bus, buses, sections)] += part
    return tuple(parts)


def bus_voltage(design: ChainDesign) -> float:
    """Return the voltage of the bus fed by the sets [V]."""
    if design.generators.connection == "MV":
        return design.utility_voltage_v
    return design.chain.wiring.lv_voltage_v


def fault_of_one_set(plant: GeneratorDesign, bus_v: float, data: SourceData) -> float:
    """Return the contribution of one set to a bus fault, three-phase or line to ground [A].

    Behind a step-up transformer with delta on the set side, the set's zero sequence is excluded.
    """
    reactance = data.generator_reactance
    zero = data.generator_zero * reactance
    if plant.step_up is not None:
        zero = plant.step_up.impedance * plant.rating_va / plant.step_up.rating_va
        reactance += zero
    factor = max(1.0, 3.0 / (2.0 + zero / reactance))
    return factor * float(three_phase_current.si(plant.rating_va, bus_v)) / reactance


def motors_current(design: ChainDesign, mech_w: float, data: SourceData) -> float:
    """Return the motor contribution of the LV boards to a fault on a generator bus [A].

    Zero for a medium-voltage plant: motors behind its transformers are excluded.

    mech_w: Cooling load on the LV boards, all sections.
    """
    if design.generators.connection == "MV":
        return 0.0
    motors_va = mech_w / design.chain.mechanical_power_factor
    run_a = float(three_phase_current.si(motors_va, bus_voltage(design)))
    return data.motor_share * data.motor_multiple * run_a


def largest_set(design: ChainDesign, mech_w: float, data: SourceData, criteria: Criteria) -> float:
    """Return the largest set permitted on a low-voltage section, spare sets included [VA].

    The number of sections is at most the number of lineups. Infinite at medium voltage, where sets
    stay well below the switchgear ratings.
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
    """Return the required number of generator and MV switchgear sections, with the reason.

    Each section is limited by the largest main bus, the short-circuit rating of switchgear at this
    voltage, and the number of sets that share load in parallel. The number may exceed the lineups,
    but not the as-built number of sets.

    flow: Power flow with growth.
    mech_w: Cooling load on the LV boards, with growth.
    data: Reactances of the sets.
    criteria: Code, which determines the ratings.
    """
    motors_a, built = motors_current(design, mech_w, data), design.chain.generator.count
    needed, why = max(_requested_sections(design, flow, motors_a, data, criteria))
    return min(needed, built or needed), why


def _requested_sections(
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
            f"{one_a / 1e3:,.2f} kA of fault current each, device rating"
            f" {ratings[-1].rating_a / 1e3:,.1f} kA"
        )
        if motors_a:
            words += f", total motor contribution {motors_a / 1e3:,.2f} kA"
        limit_a = _MARGIN * ratings[-1].rating_a
        yield _by_sets(plant, lambda n: math.floor((limit_a - motors_a / n) / one_a), words)
    yield _by_sets(plant, lambda _: MAX_ON_ONE_BUS, "in parallel on one bus")


def _by_current(current_a: float, max_a: float, name: str, voltage_v: float) -> tuple[int, str]:
    words = (
        f"{current_a:,.0f} A of the {name} at {voltage_v / 1e3:,.1f} kV exceeds {max_a:,.0f} A,"
        " the largest common main bus"
    )
    return math.ceil(current_a / (_MARGIN * max_a)), words


def _by_sets(plant: GeneratorDesign, max_sets: Callable[[int], int], words: str) -> tuple[int, str]:
    """Return the sections needed for a maximum number of sets on each, spare sets included.

    max_sets: Maximum sets per section as a function of the number of sections.
    """
    spare = plant.spare // plant.sections

    def on_duty(sections: int) -> int:
        return max(1, max_sets(sections) - spare)

    over = max(plant.section_duty, default=plant.duty) > on_duty(plant.sections)
    lowest = plant.sections + 1 if over and plant.sections > 1 else 1
    fits = (n for n in range(1, plant.duty) if math.ceil(plant.duty / n) <= on_duty(n))
    needed = max(lowest, next(fits, plant.duty))
    return needed, f"{plant.duty} sets on duty, at most {max_sets(needed)} {words}"
