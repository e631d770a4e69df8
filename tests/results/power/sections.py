"""Bus sections of the generators, and panels on output buses and PDUs, calculated once more.

The number of sections is counted up from one until each limit holds; loads of buses and PDUs are
sums over the panels one at a time, from the line currents of each panel.
"""

from __future__ import annotations

import cmath
import math
from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from random import Random
from types import SimpleNamespace
from typing import Any

from facility.model.power.redundancy import Scheme
from facility.power.backup.sections import largest_set, section_parts, sections_needed
from facility.power.panels.design.groups import rack_names
from facility.power.panels.design.lineups import _dealt, bus_parts, on_pdus, pdu_peak
from facility.study.design.design import Design
from tests.power.helpers import panel_loads
from tests.results.power.plant import rows

SQRT3 = math.sqrt(3.0)
CLOSE = 1e-7
_ON_ONE_BUS = 32
_USED = 0.95


def _same(name: str, found: float, wanted: float) -> Iterator[str]:
    if not abs(found - wanted) <= CLOSE * max(abs(found), abs(wanted), 1e-9):
        yield f"{name}: {found!r}, by hand {wanted!r}"


# --- sections of the generators -----------------------------------------------------------------


def _switchgear(assembly: str, code: str, volts: float) -> tuple[float, float]:
    """Return the largest short-circuit rating and main bus of the class of a voltage [A]."""
    made = [
        x
        for x in rows("electrical/switchgear_ratings.csv")
        if (x["assembly"], x["code"]) == (assembly, code) and float(x["voltage_max_v"]) >= volts
    ]
    if not made:
        return 0.0, 0.0
    of_class = min(float(x["voltage_max_v"]) for x in made)
    most = max(
        (x for x in made if float(x["voltage_max_v"]) == of_class),
        key=lambda x: float(x["rating_ka"]),
    )
    return 1e3 * float(most["rating_ka"]), float(most["bus_max_a"])


def _one_set(plant: Any, bus_v: float, data: Any) -> float:
    """Return the larger of three-phase and ground fault current of one set, E / Z [A]."""
    base_ohm = bus_v**2 / plant.rating_va
    positive = negative = data.generator_reactance * base_ohm
    zero = data.generator_zero * positive
    if plant.step_up is not None:
        leakage = plant.step_up.impedance * bus_v**2 / plant.step_up.rating_va
        positive, negative, zero = positive + leakage, negative + leakage, leakage
    source_v = bus_v / SQRT3
    return max(source_v / positive, 3.0 * source_v / (positive + negative + zero))


def _motors(design: Any, mech_w: float, data: Any) -> float:
    if design.generators.connection == "MV":
        return 0.0
    running_a = mech_w / design.chain.mechanical_power_factor
    running_a /= SQRT3 * design.chain.wiring.lv_voltage_v
    return data.motor_multiple * data.motor_share * running_a


def _first(holds: Any, most: int) -> int:
    return next((n for n in range(1, most) if holds(n)), most)


def needed(design: Any, flow: Any, mech_w: float, data: Any, code: str) -> int:
    """Return the sections that service, load, faults and load sharing require."""
    plant, utility_v, counts = design.generators, design.utility_voltage_v, [1]
    _, bus_a = _switchgear("mv-switchgear", code, utility_v)
    if utility_v > 1000.0 and bus_a:
        most = max(max(design.boards.normal), *(max(after) for after in design.boards.after))
        counts.append(math.ceil(flow.utility.current_a * most / (_USED * bus_a)))
    if plant.count:
        on_mv = plant.connection == "MV"
        bus_v = utility_v if on_mv else design.chain.wiring.lv_voltage_v
        rated_a, bus_a = _switchgear("mv-switchgear" if on_mv else "lv-board", code, bus_v)
        spare, limits = plant.spare // plant.sections, [lambda sets, _: sets <= _ON_ONE_BUS]
        if rated_a:
            one_a, motors_a = _one_set(plant, bus_v, data), _motors(design, mech_w, data)
            load_a = flow.generators.load_va / (SQRT3 * bus_v)
            counts.append(math.ceil(load_a / bus_a / _USED))
            limits.append(lambda sets, n: sets * one_a + motors_a / n <= _USED * rated_a)
        for held in limits:
            # A section has one set on duty at least, whatever its rating permits.
            fits = _first(
                lambda n, held=held: (
                    (duty := math.ceil(plant.duty / n)) == 1 or held(duty + spare, n)
                ),
                plant.duty,
            )
            duty = max(plant.section_duty)
            over = duty > 1 and not held(duty + spare, plant.sections)
            counts.append(max(fits, plant.sections + 1 if over and plant.sections > 1 else 1))
    built = design.chain.generator.count
    return min(max(counts), built) if built else max(counts)


def _drawn(chance: Random) -> tuple[Any, Any, float, Any, str]:
    pick = chance.choice
    code, side = pick(["NEC", "IEC"]), pick(["LV", "LV", "MV"])
    sections, systems = pick([1, 1, 2, 3]), pick([1, 2, 3])
    duty, spare = [chance.randint(1, 14) for _ in range(sections)], pick([0, 1, 2])
    rating_va = pick([500e3, 1e6, 2.5e6, 3.75e6])
    step_up = SimpleNamespace(impedance=pick([0.05, 0.0575]), rating_va=1.1 * rating_va)
    plant = SimpleNamespace(
        connection=side,
        count=sum(duty) + spare * sections if chance.random() < 0.95 else 0,
        duty=sum(duty),
        spare=spare * sections,
        sections=sections,
        section_duty=tuple(duty),
        rating_va=rating_va,
        step_up=step_up if side == "MV" and chance.random() < 0.6 else None,
    )
    parts = [chance.uniform(0.2, 1.0) for _ in range(systems)]
    normal = tuple(part / sum(parts) for part in parts)
    after = tuple(
        tuple(part * 1.4 if k != lost else 0.0 for k, part in enumerate(normal))
        for lost in range(systems)
    )
    built = pick([None, None, 3, 40])
    design = SimpleNamespace(
        generators=plant,
        utility_voltage_v=pick([480.0, 4160.0, 13.8e3, 20e3, 34.5e3, 69e3]),
        boards=SimpleNamespace(normal=normal, after=after),
        ups=SimpleNamespace(buses=pick([1, 2, 4])),
        chain=SimpleNamespace(
            generator=SimpleNamespace(count=built),
            wiring=SimpleNamespace(lv_voltage_v=pick([400.0, 480.0, 690.0])),
            mechanical_power_factor=pick([0.85, 0.95]),
        ),
    )
    flow = SimpleNamespace(
        utility=SimpleNamespace(current_a=10.0 ** chance.uniform(1.0, 4.2)),
        generators=SimpleNamespace(load_va=10.0 ** chance.uniform(5.5, 8.2)),
    )
    data = SimpleNamespace(
        generator_reactance=pick([0.1, 0.15]),
        generator_zero=pick([0.2, 0.5, 1.5]),
        motor_share=pick([0.5, 1.0]),
        motor_multiple=pick([4.0, 6.0]),
    )
    return design, flow, 10.0 ** chance.uniform(4.5, 7.0), data, code


def sections_of_the_generators() -> Iterator[str]:
    """Sections needed, and the largest set of a section, of plants drawn at random."""
    chance = Random(33)
    for number in range(300):
        design, flow, mech_w, data, code = _drawn(chance)
        criteria: Any = SimpleNamespace(code=code)
        found, _ = sections_needed(design, flow, mech_w, data, criteria)
        name = f"plant {number}"
        yield from _same(f"sections of {name}", found, needed(design, flow, mech_w, data, code))
        plant, most_va = design.generators, math.inf
        bus_v = design.chain.wiring.lv_voltage_v
        if plant.connection == "LV" and plant.count:
            rated_a, _ = _switchgear("lv-board", code, bus_v)
            left_a = _USED * rated_a - _motors(design, mech_w, data) / design.ups.buses
            sets = plant.spare // plant.sections + 1
            most_va = left_a / sets / (_one_set(plant, bus_v, data) / plant.rating_va)
        found_va = largest_set(design, mech_w, data, criteria)
        if not found_va == most_va == math.inf:
            yield from _same(f"largest set of {name}", found_va, most_va)


# --- panels on output buses ---------------------------------------------------------------------


def _bus(scheme: Scheme, buses: int, feed: str, group: int) -> tuple[str, int]:
    """Return system and bus of a panel: groups in turn over all places of their feed."""
    primaries = [name for name in scheme.systems if name != scheme.reserve]
    if len(scheme.systems) == 1:
        places = [(scheme.systems[0], bus) for bus in range(buses)]
    elif scheme.reserve:
        places = [(system, bus) for bus in range(buses) for system in primaries]
    else:
        places = [(feed, bus) for bus in range(buses)]
    return places[group % len(places)]


def lineups_of_the_panels(found: Design) -> Iterator[str]:
    """Shares and fullest phases of the output buses; the fullest of the PDUs, and who is on it."""
    chain, panels = found.chain.chain, found.panels
    scheme, buses, pdus = chain.scheme, chain.ups.buses, found.chain.pdus
    coolant = {
        rack: found.facility.it.racks[kind].coolant_part
        for rack, kind in rack_names(found.facility.it)
    }
    load: dict[tuple[str, int], float] = defaultdict(float)
    wet: dict[tuple[str, int], float] = defaultdict(float)
    for panel in panels.panels:
        at = _bus(scheme, buses, panel.side, panel.group)
        va = sum((sum(c.power_va[0]) for c in panel.circuits), 0j)
        given = sum((sum(c.power_va[0]) * coolant.get(c.rack, 0.0) for c in panel.circuits), 0j)
        load[at] += abs(va)
        wet[at] += abs(given)
    air = {at: load[at] - wet[at] for at in load}
    for name, of, wanted in (
        ("bus_air", air, chain.bus_air),
        ("bus_coolant", wet, chain.bus_coolant),
    ):
        total = sum(of.values())
        for bus in range(buses):
            part = sum(va for (_, n), va in of.items() if n == bus)
            yield from _same(
                f"{name} {bus}", wanted[bus], part / total if total > 1e-6 else 1 / buses
            )
    sharing: dict[str, list[float]] = defaultdict(list)
    for (system, _), va in load.items():
        sharing["" if scheme.reserve else system].append(va)
    count = buses * (len(scheme.systems) - 1) if scheme.reserve else buses
    most = max(max(loads) / (sum(loads) / count) for loads in sharing.values())
    yield from _same("unevenness", chain.unevenness, most)
    yield from _parts_of_sections(scheme, buses, load)
    yield from _phases(found, count)
    if pdus is not None:
        yield from _pdus(found, pdus.per_carrier // count)


def _parts_of_sections(
    scheme: Scheme, buses: int, load: dict[tuple[str, int], float]
) -> Iterator[str]:
    """Neighbouring buses make a section; each has half of the cooling of air and of coolant."""
    groups = range(buses * max(1, len(scheme.systems) - 1))
    feeds = scheme.systems if not scheme.reserve else ("A",)
    hung = [
        (feed, group, load.get(_bus(scheme, buses, feed, group), 0.0))
        for feed in feeds
        for group in groups
    ]
    on_bus, total = panel_loads(*hung), sum(va for _, _, va in hung)
    for sections in range(1, buses + 1):
        parts = [0.0] * sections
        for feed, group, va in hung:
            bus = _bus(scheme, buses, feed, group)[1]
            parts[math.floor(bus * sections / buses + 1e-9)] += va / total
        found = section_parts(on_bus, scheme, buses, sections)
        for n, part in enumerate(parts):
            yield from _same(f"section {n} of {sections}", found[n], part)
    on_buses: dict[str, list[float]] = defaultdict(lambda: [0.0] * buses)
    for feed, group, va in hung:
        system, bus = _bus(scheme, buses, feed, group)
        on_buses[system][bus] += va
    for system, loads in on_buses.items():
        found = bus_parts(on_bus, scheme, buses, 0.5, system)
        for bus, va in enumerate(loads):
            yield from _same(f"bus {bus} of {system}", found[bus], va / sum(loads))


def _phases(found: Design, count: int) -> Iterator[str]:
    chain, panels = found.chain.chain, found.panels
    scheme, buses, transformed = chain.scheme, chain.ups.buses, found.chain.pdus is not None
    lines: dict[tuple[str, int], list[list[complex]]] = {}
    states = panels.phasors.shape[1]
    for panel, phasors in zip(panels.panels, panels.phasors, strict=True):
        at = _bus(scheme, buses, panel.side, panel.group)
        sums = lines.setdefault(at, [[0j, 0j, 0j] for _ in range(states)])
        for state, line in product(range(states), range(3)):
            sums[state][line] += complex(phasors[state, line])
    mean_a, fullest_a = 0.0, [0.0] * buses
    together: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for at in lines:
        together["" if scheme.reserve else at[0]].append(at)
    for members in together.values():
        for state in range(states):
            even = sum(
                lines[at][state][line] * cmath.exp(2j * math.pi * line / 3.0)
                for at in members
                for line in range(3)
            )
            mean_a = max(mean_a, abs(even) / 3.0 / count)
    for (_, bus), sums in lines.items():
        for a, b, c in sums:
            amperes = [a, b, c]
            if transformed:
                amperes = [(a - b) / SQRT3, (b - c) / SQRT3, (c - a) / SQRT3]
            fullest_a[bus] = max(fullest_a[bus], *map(abs, amperes))
    raised = max(1.0, mean_a / max(fullest_a))
    for bus in range(buses):
        wanted = fullest_a[bus] * raised / mean_a
        yield from _same(f"fullest phase of bus {bus}", chain.bus_phases[bus], wanted)


def _pdus(found: Design, each: int) -> Iterator[str]:
    """The fullest PDU over an even part of the fullest feed, of the panels that hang on it."""
    chain, panels = found.chain.chain, found.panels
    scheme, buses, states = chain.scheme, chain.ups.buses, panels.phasors.shape[1]
    per_feed = found.chain.pdus.per_carrier if found.chain.pdus else 0
    on_pdu: dict[tuple[str, str, int, int], list[list[complex]]] = {}
    feeds: dict[str, list[complex]] = {}
    numbers: dict[tuple[str, str, int], set[int]] = defaultdict(set)
    rows_of = {panel.tag: row for panel, row in zip(panels.panels, panels.phasors, strict=True)}
    for panel, lineup, number in on_pdus(panels, scheme, buses, per_feed):
        if lineup != _bus(scheme, buses, panel.side, panel.group):
            yield f"{panel.tag} on {lineup}"
        numbers[panel.side, *lineup].add(number)
        sums = on_pdu.setdefault(
            (panel.side, *lineup, number), [[0j, 0j, 0j] for _ in range(states)]
        )
        whole = feeds.setdefault(panel.side, [0j] * states)
        for state, line in product(range(states), range(3)):
            ampere = complex(rows_of[panel.tag][state, line])
            sums[state][line] += ampere
            whole[state] += ampere * cmath.exp(2j * math.pi * line / 3.0)
    origins = buses * (len(scheme.systems) - 1) if scheme.reserve else buses
    even_a = max(abs(a) for whole in feeds.values() for a in whole) / 3.0 / origins / each
    fullest_a = max(abs(a) for sums in on_pdu.values() for lines in sums for a in lines)
    yield from _same("fullest PDU", pdu_peak(chain, per_feed), fullest_a / even_a)
    for at, used in numbers.items():
        if max(used) >= each:
            yield f"{at}: PDU {max(used)} of {each}"


def synthetic_lineups() -> Iterator[str]:
    """Buses and PDUs of panels drawn at random, more and less even than designs have them."""
    chance = Random(7)
    for number in range(12):
        places, pdus = chance.randint(3, 9), chance.randint(2, 4)
        sizes = [chance.choice([40.0, 55.0, chance.uniform(10.0, 90.0)]) for _ in range(places)]
        yield from _dealt_panels(f"{number}", sizes, pdus)


def _dealt_panels(name: str, sizes: list[float], pdus: int) -> Iterator[str]:
    """No PDU carries more than in turn, nor 11/9 of the least of all ways to deal them."""
    import numpy as np

    lines = np.array([[[s, s * -0.5, s * -0.5]] for s in sizes], dtype=np.complex128)
    numbers = _dealt(lines, pdus).tolist()
    if sorted(set(numbers) - set(range(pdus))):
        yield f"PDUs of {name}: {numbers}"

    def fullest(on: tuple[int, ...] | list[int]) -> float:
        filled = [0.0] * pdus
        for place, size in zip(on, sizes, strict=True):
            filled[place] += size
        return max(filled)

    least = min(fullest(on) for on in product(range(pdus), repeat=len(sizes)))
    in_turn = fullest([place % pdus for place in range(len(sizes))])
    largest_first = [0.0] * pdus
    for size in sorted(sizes, reverse=True):
        largest_first[largest_first.index(min(largest_first))] += size
    most = min(in_turn, max(least * 1.01, max(largest_first)))
    if fullest(numbers) > most * (1.0 + CLOSE):
        yield f"{name}: {fullest(numbers)} on the fullest PDU, {most} by hand, {least} at least"
