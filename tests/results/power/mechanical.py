"""Mechanical boards and the circuits of cooling units, calculated once more.

Units are divided over buses by largest remainder and over the boards of a bus one at a time;
devices are looked up in the standard ratings by NEC 430.52, 430.62 and 440.22.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from random import Random
from types import SimpleNamespace
from typing import Any

from facility.model.power.mechanical import CoolingUnits
from facility.power.feeders.motors.circuits import MechanicalCircuit
from facility.power.network.build.mechanical import CoolingSupply, MechanicalBoard, MechanicalBoards
from facility.study.design.design import Design
from tests.results.power.conductors import IecCircuit, NecCircuit, exact_drop
from tests.results.power.plant import rows

SQRT3 = math.sqrt(3.0)
CLOSE = 1e-9
_UNDER = 1.0 - 1e-9


def _same(name: str, found: float, wanted: float) -> Iterator[str]:
    if not abs(found - wanted) <= 1e-7 * max(abs(found), abs(wanted), 1e-9):
        yield f"{name}: {found!r}, by hand {wanted!r}"


def _ratings(code: str, edition: str) -> list[float]:
    if code == "IEC":
        table = rows("electrical/iec_breaker_ratings.csv")
        return sorted({float(x["rated_current_a"]) for x in table})
    return sorted(
        float(x["rating_a"])
        for x in rows("electrical/nec_240_6_standard_ocpd.csv")
        if x["since_edition"] != "additional fuse rating"
        and (x["since_edition"] != "2023" or edition >= "2023")
    )


def device(drive: str, amperes: float, code: str, ratings: list[float]) -> tuple[float, float]:
    """Return the device of the circuit of one unit, and the largest permitted [A]."""

    def up(least_a: float) -> float:
        return next((a for a in ratings if a >= least_a * _UNDER), ratings[-1])

    def down(most_a: float) -> float:
        return max([a for a in ratings if a <= most_a / _UNDER], default=ratings[0])

    if code == "IEC":
        return up((1.25 if drive == "compressor" else 1.0) * amperes), ratings[-1]
    ratings = [a for a in ratings if a >= 15.0]
    least_a = up(1.25 * amperes)
    if drive != "compressor":
        return least_a, up(2.5 * amperes)
    return max(least_a, down(1.75 * amperes)), max(least_a, down(2.25 * amperes))


# --- boards drawn at random ---------------------------------------------------------------------


class _Boards:
    """The boards of one supply: units by bus and board, feeder devices, number of boards."""

    def __init__(self, case: dict[str, Any]) -> None:
        self.case, supply = case, case["supply"]
        self.units = [u for u in case["units"] if u.installed and u.on_ups == supply.on_ups]
        self.other = [u for u in case["units"] if not u.installed and u.on_ups == supply.on_ups]
        self.ratings = _ratings(case["code"], "2023")
        self.amperes = {u.tag: self.current(u.rated_w) for u in self.units}
        self.devices = {
            u.tag: device(u.drive, self.amperes[u.tag], case["code"], self.ratings)
            for u in self.units
        }
        self.ring = max(len(systems) for systems in supply.systems)
        self.times = self.ring if self.ring > 2 else 1

    def current(self, watts: float) -> float:
        return watts / self.case["factor"] / (SQRT3 * self.case["volts"])

    def weights(self, unit: CoolingUnits) -> list[float]:
        given = [
            (1.0 - unit.coolant) * air + unit.coolant * wet if watts > 0.0 else 0.0
            for air, wet, watts in zip(
                self.case["air"], self.case["wet"], self.case["supply"].powers_w, strict=True
            )
        ]
        if not sum(given):
            given = [1.0 if watts > 0.0 else 0.0 for watts in self.case["supply"].powers_w]
        return [one / sum(given) for one in given]

    def by_bus(self, unit: CoolingUnits) -> list[int]:
        exact = [unit.installed * weight for weight in self.weights(unit)]
        found = [int(value) for value in exact]
        rest = sorted(range(len(exact)), key=lambda n: -(exact[n] - found[n]))
        for bus in rest[: unit.installed - sum(found)]:
            found[bus] += 1
        return found

    def fewest(self) -> int:
        powers = [watts for watts in self.case["supply"].powers_w if watts > 0.0]
        least = 2 if self.ring == 2 and len(powers) == 1 else 1
        if self.case["one_out"]:
            for unit in self.units:
                if unit.installed > unit.duty:
                    on_bus = max(self.by_bus(unit)) / self.times
                    least = max(least, math.ceil(on_bus / (unit.installed - unit.duty) - 1e-9))
        return least

    def on_boards(self, bus: int, boards: int) -> list[Counter[str]]:
        filled, on = [0.0] * boards, [Counter[str]() for _ in range(boards)]
        for unit in sorted(self.units, key=lambda u: -self.amperes[u.tag]):
            for _ in range(self.by_bus(unit)[bus]):
                fewest = min(one[unit.tag] for one in on)
                open_ = [n for n in range(boards) if on[n][unit.tag] == fewest]
                at = min(open_, key=lambda n: (round(filled[n], 9), n))
                on[at][unit.tag] += 1
                filled[at] += self.amperes[unit.tag]
        return [+one for one in on]

    def group(self, bus: int, boards: int, on: Counter[str]) -> tuple[float, float, float, float]:
        """Return load, largest motor, least and largest feeder device of a board [A]."""
        load_a = sum(self.current(u.hour_w) * self.weights(u)[bus] / boards for u in self.other)
        for unit in self.units:
            load_a += min(on[unit.tag], unit.duty) * self.amperes[unit.tag]
        if not on:
            return load_a, 0.0, load_a, load_a
        sort = max(on, key=lambda tag: self.amperes[tag])
        rest_a = load_a - self.amperes[sort]
        least_a, most_a = self.devices[sort]
        return load_a, self.amperes[sort], rest_a + least_a, rest_a + most_a

    def number(self) -> int:
        """Return the boards of each bus, over the ring of systems."""
        own_a = max(least_a for least_a, _ in self.devices.values())
        above_a = next((a for a in self.ratings if a > own_a * (1.0 + 1e-6)), own_a)
        limit_a = max(self.case["largest_a"], above_a)
        fewest, buses = self.fewest(), range(len(self.case["supply"].powers_w))
        most = max(fewest, *(unit.installed for unit in self.units))
        for number in range(fewest, most + 1):
            boards = number * self.times
            on = [(bus, one) for bus in buses for one in self.on_boards(bus, boards)]
            if all(sum(one.values()) <= 1 for _, one in on):
                return number
            if all(self.group(bus, boards, one)[2] <= limit_a / _UNDER for bus, one in on):
                return number
        return most


def _case(chance: Random) -> dict[str, Any]:
    buses, systems = chance.randint(1, 3), chance.choice([1, 2, 2, 3])
    powers = [chance.choice([0.0, 1e5, 2e5]) if buses > 1 else 2e5 for _ in range(buses)]
    powers[0] = powers[0] or 1e5
    air = [chance.uniform(0.2, 1.0) for _ in range(buses)]
    wet = [chance.choice([0.0, 0.5, 1.0]) for _ in range(buses)]
    units = []
    for n in range(chance.randint(1, 3)):
        installed = chance.randint(1, 9)
        units.append(
            CoolingUnits(
                f"U{n}", "unit", chance.choice(["compressor", "drive", "drive"]), False, installed,
                max(1, installed - chance.randint(0, 2)), chance.choice([4e3, 15e3, 40e3, 120e3]),
                1e5, chance.choice([0.0, 1.0, 0.4]), "drawn",
            )
        )  # fmt: skip
    if chance.random() < 0.5:
        units.append(CoolingUnits("D", "doors", "load", False, 0, 0, 0.0, 3e4, 0.0, "drawn"))
    tags = tuple(tuple(f"LVB-{s}{b}" for s in range(systems)) for b in range(buses))
    return {
        "supply": CoolingSupply(False, tags, tuple(powers)),
        "units": units, "code": chance.choice(["NEC", "NEC", "IEC"]), "volts": 480.0,
        "factor": 0.85, "air": tuple(x / sum(air) for x in air),
        "wet": tuple(x / (sum(wet) or 1.0) for x in wet),
        "largest_a": chance.choice([250.0, 400.0, 800.0]), "one_out": chance.random() < 0.5,
    }  # fmt: skip


def mechanical_boards() -> Iterator[str]:
    """Boards of each bus, the units on each, what feeds them, and what their feeders carry."""
    chance = Random(33)
    for number in range(150):
        yield from _boards_of(f"case {number}", _case(chance))


def _boards_of(name: str, case: dict[str, Any]) -> Iterator[str]:
    design: Any = SimpleNamespace(
        chain=SimpleNamespace(
            mechanical_power_factor=case["factor"],
            wiring=SimpleNamespace(lv_voltage_v=case["volts"]),
            bus_air=case["air"],
            bus_coolant=case["wet"],
        )
    )
    made = MechanicalBoards(
        design, case["units"], case["largest_a"], case["code"], "2023", one_out=case["one_out"]
    )
    none = made.feeders(CoolingSupply(True, case["supply"].systems, (2e5,) * 4), [""] * 4)
    if none != [(1, None)] * 4:
        yield f"{name}: feeders {none} of a supply without known units"
    supply, tags = case["supply"], [f"MECH-{n}" for n in range(len(case["supply"].powers_w))]
    feeders, work = made.feeders(supply, tags), _Boards(case)
    number = work.number()
    boards = number * work.times
    by_load: dict[str, list[MechanicalBoard]] = defaultdict(list)
    for board in made.boards:
        by_load[board.load].append(board)
    for bus, tag in enumerate(tags):
        wanted = work.on_boards(bus, boards)
        groups = [work.group(bus, boards, on) for on in wanted]
        most = max(groups, key=lambda group: round(group[2], 6))
        runs, group = feeders[bus]
        yield from _same(f"feeders, {name}, {tag}", runs, number * (2 if work.ring > 2 else 1))
        yield from _group(f"{name}, {tag}", group, most)
        found = by_load[tag]
        if not supply.powers_w[bus]:
            if found:
                yield f"{name}: boards of {tag}, which has no load"
            continue
        loaded = [n for n, on in enumerate(wanted) if on or work.other]
        yield from _same(f"boards, {name}, {tag}", len(found), len(loaded))
        for board, n in zip(found, loaded, strict=False):
            on = Counter({circuit.units.tag: count for circuit, count in board.units})
            if on != wanted[n]:
                yield f"{board.tag}, {name}: {on}, by hand {wanted[n]}"
            systems = supply.systems[bus]
            pair = [systems[(n + k) % len(systems)] for k in range(min(2, len(systems)))]
            if list(board.sources) != pair:
                yield f"{board.tag}, {name}: fed from {board.sources}, by hand {pair}"
            if on:
                yield from _group(f"{board.tag}, {name}", board.motors, groups[n])
            for circuit, _ in board.units:
                tag_ = circuit.units.tag
                own = (circuit.device.rating_a, circuit.device.max_a)
                yield from _same(f"current of {tag_}", circuit.current_a, work.amperes[tag_])
                for one, by_hand in zip(own, work.devices[tag_], strict=True):
                    yield from _same(f"device of {tag_}, {name}", one, by_hand)


def _group(name: str, group: Any, wanted: tuple[float, float, float, float]) -> Iterator[str]:
    load_a, largest_a, least_a, most_a = wanted
    if group is None:
        if largest_a:
            yield f"{name}: no motors, by hand {largest_a} A"
        return
    yield from _same(f"load of {name}", group.load_a, load_a)
    yield from _same(f"largest motor of {name}", group.largest_a, largest_a)
    yield from _same(f"feeder device of {name}", group.min_device_a, least_a)
    yield from _same(f"largest device of {name}", group.max_device_a, most_a)
    conductor_a = 1.25 * largest_a + load_a - largest_a
    yield from _same(f"conductors of {name}", group.conductor_a, conductor_a)


# --- circuits of a design -----------------------------------------------------------------------


def circuits_of_the_units(found: Design) -> Iterator[str]:
    """Conductors, device, earth conductor and loss of the circuit of every sort of unit."""
    criteria, chain = found.facility.criteria, found.chain.chain
    code, nec = criteria.code, criteria.code == "NEC"
    mechanical, ratings = found.distribution.mechanical, _ratings(code, criteria.edition)
    installed = Counter[str]()
    for board in mechanical.boards:
        for circuit, count in board.units:
            installed[circuit.units.tag] += count
    for one in mechanical.circuits:
        units, tag = one.unit.units, one.unit.units.tag
        amperes = units.rated_w / chain.mechanical_power_factor
        amperes /= SQRT3 * chain.wiring.lv_voltage_v
        yield from _same(f"current of {tag}", one.unit.current_a, amperes)
        yield from _same(f"circuits of {tag}", installed[tag], units.installed)
        rating_a, most_a = device(units.drive, amperes, code, ratings)
        yield from _same(f"device of {tag}", one.unit.device.rating_a, rating_a)
        yield from _same(f"largest device of {tag}", one.unit.device.max_a, most_a)
        choice = one.choice
        least_a = 1.25 * amperes if nec else amperes
        yield from _same(f"conductors of {tag}", one.conductor_a, least_a)
        if choice is None:
            continue
        if choice.ampacity_a < least_a * _UNDER:
            yield f"{tag}: {choice.ampacity_a} A, {least_a} A by hand"
        if not nec:
            yield from _same(f"device of the circuit of {tag}", choice.ocpd_a, rating_a)
        yield from _along_the_circuit(found, one, amperes)
        if choice.resistance_ohm is not None:
            each_a = amperes * units.hour_w / units.duty / units.rated_w
            lost_w = 3.0 * units.duty * each_a**2 * choice.resistance_ohm / choice.sets
            yield from _same(f"loss of {tag}", one.loss_w, lost_w)
        if nec and choice.egc_size:
            table = rows("electrical/nec_250_122_egc.csv")
            metal = "cu" if choice.material == "cu" else "al"
            least = next(x for x in table if rating_a <= float(x["ocpd_max_a"]))[f"{metal}_size"]
            order = [x["size"] for x in rows("electrical/nec_310_16_ampacity.csv")]
            needed = min(order.index(least), order.index(choice.size))
            if order.index(one.egc) < needed or (
                order.index(one.egc) > max(needed, order.index(choice.egc_size))
            ):
                yield f"{tag}: earth conductor {one.egc}, {order[needed]} by hand"


def _along_the_circuit(found: Design, one: MechanicalCircuit, amperes: float) -> Iterator[str]:
    """Impedance and drop of the circuit of a unit; and that the next smaller size does not do."""
    criteria, tag, choice = found.facility.criteria, one.unit.units.tag, one.choice
    assert choice is not None
    boards = found.distribution.mechanical.boards
    board = next(b for b in boards if any(c.units.tag == tag for c, _ in b.units))
    volts = found.chain.chain.wiring.lv_voltage_v
    circuit = SimpleNamespace(
        tag=tag, poles=3, stage="branch", source=board.sources[0], terminals=None, voltage_v=volts
    )
    factor, length_m = (
        found.chain.chain.mechanical_power_factor,
        found.facility.electrical.conductors.unit_length_m,
    )
    feeder: Any = SimpleNamespace(
        circuit=circuit, choice=choice, worst_a=amperes, power_factor=factor, length_m=length_m
    )
    nec = criteria.code == "NEC"
    work: Any = NecCircuit(found, feeder) if nec else IecCircuit(found, feeder)
    size: Any = choice.size if nec else float(choice.size)
    ohm, limit = work.impedance(size), criteria.voltage_drop_branch
    yield from _same(f"voltage of {tag}", choice.voltage_v, volts)
    if ohm is None:
        return
    yield from _same(f"resistance of {tag}", choice.resistance_ohm or 0.0, ohm.real)
    yield from _same(f"reactance of {tag}", choice.reactance_ohm or 0.0, ohm.imag)
    drop_v = work.drop_v(size, choice.sets)
    yield from _same(f"drop of {tag}", choice.drop_v or 0.0, drop_v)
    exact_v = exact_drop(feeder, ohm, amperes / choice.sets)
    yield from _same(f"phasor drop of {tag}", choice.drop_exact_v or 0.0, exact_v)
    for check in choice.checks:
        if check.rule in ("NEC-VOLTAGE-DROP", "IEC-VOLTAGE-DROP"):
            yield from _same(f"{check.rule} of {tag}", check.value or 0.0, drop_v / volts)
            yield from _same(f"limit of {check.rule} of {tag}", check.limit or 0.0, limit)
