"""Circuit schedules of switchboards, UPS output boards, mechanical boards and house panels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from facility.core.rounding import within
from facility.core.views import show
from facility.physics.circuits.currents import three_phase_current
from facility.power.feeders.schedule import Feeder
from facility.power.network.build.facility import HOUSE
from facility.power.network.build.mechanical import MechanicalBoard
from facility.power.network.build.plan import DEVICE_AT_END
from facility.power.network.graph.types import Equipment, EquipmentKind
from facility.report.book.distribution.mechanical import unit_range
from facility.report.book.panels.supply import available_fault, conductors_text
from facility.report.issue.content import Block, Paragraph, SheetContent, TableBlock
from facility.report.issue.electrical.equipment import IEC_KINDS, KINDS
from facility.report.issue.electrical.facts import (
    ElectricalFacts,
    conductors,
    duty_verdict,
    kiloamperes,
)
from facility.report.issue.electrical.printed import listing
from facility.report.issue.one_line import IssuedWords
from facility.report.sheet.grid import Column, SheetTable

_SERIES = 600
_BOARDS: tuple[EquipmentKind, ...] = (
    "mv-switchgear",
    "generator-bus",
    "lv-board",
    "ups-output",
    "pdu",
)
_FRAMES: Mapping[bool, tuple[float, ...]] = {
    True: (100, 150, 250, 400, 600, 800, 1200, 1600, 2000, 2500, 3000, 4000, 5000, 6000),
    False: (63, 100, 160, 250, 400, 630, 800, 1000, 1250, 1600, 2000, 2500, 3200, 4000, 5000, 6300),
}
"""Usual frame sizes of circuit breakers, whether under the NEC [A]: planning values."""
_NOTE = (
    "Position: main, or number of the outgoing circuit; the manufacturer assigns the compartments. "
    "Frame: smallest usual size for the device, to be confirmed by the manufacturer. Load: of one "
    "circuit; worst case in any designed state, or rated input of the unit. Quantity: equal "
    "circuits, each with its device and conductors. Medium voltage: the device is the pickup of "
    "the relay."
)
_DETAILED = "by the detailed design"
_BY_SUPPLIER = "set breakers and cables by the supplier of the sets"


@dataclass(frozen=True)
class BoardCircuit:
    """Row of the schedule of a board: a main, or equal outgoing circuits."""

    position: str
    tag: str
    load: str
    quantity: int | None = None
    poles: int | None = None
    device_a: float | None = None
    trip: str = ""
    normal_a: float | None = None
    worst_a: float | None = None
    cable: str = _DETAILED
    length_m: float | None = None
    has_frame: bool = True


@dataclass(frozen=True)
class ScheduledBoard:
    """Board with its circuits."""

    tag: str
    words: str  # Equipment, voltage, rating, fault current
    circuits: tuple[BoardCircuit, ...]

    @property
    def title(self) -> str:
        """Tag and words."""
        return f"{self.tag}: {self.words}"


def board_schedules(facts: ElectricalFacts) -> Iterator[SheetContent]:
    """Yield the circuit schedules of all boards other than panels, several on a sheet."""
    boards = list(scheduled_boards(facts))
    if not boards:
        return
    columns = _columns(facts)
    tables: list[TableBlock] = []
    for board in boards:
        keys = [f"{board.tag} {row.tag}" for row in board.circuits]
        table = SheetTable(board.title, columns)
        tables.append(listing(table, board.circuits, facts.system, keys=keys, dense=True))
    blocks: tuple[Block, ...] = (*tables, Paragraph(_NOTE, "note"))
    yield SheetContent("E", _SERIES, "Board schedules", blocks, large=True)


def scheduled_boards(facts: ElectricalFacts) -> Iterator[ScheduledBoard]:
    """Yield the boards of the one-line diagram with their circuits, in the order of supply."""
    design = facts.design
    words = IssuedWords(design, facts.system)
    voltages = dict(words.voltages())
    leaving: dict[str, list[Feeder]] = {}
    entering: dict[str, list[Feeder]] = {}
    for feeder in facts.feeders:
        if feeder.circuit.stage != "branch":
            leaving.setdefault(feeder.circuit.source, []).append(feeder)
            entering.setdefault(feeder.circuit.target, []).append(feeder)
    for one in design.distribution.plan.network.equipment:
        if one.kind == "generator-plant" and not any(
            feeder.circuit.stage == "set" for feeder in leaving.get(one.tag, ())
        ):
            yield _paralleling(facts, one, leaving.get(one.tag, ()))
        if one.kind not in _BOARDS or one.tag not in leaving:
            continue
        volts = voltages.get(one.tag, show(one.voltage_v, "line_voltage", facts.system))
        bus = f", bus {one.rating_a:,.0f} A" if one.rating_a else ""
        rated = words.rating(one.kind)
        fault_a, _ = available_fault(design.distribution.faults, one.tag)
        rating_a = 1e3 * float(rated.split()[0]) if rated else None
        verdict = f"available fault {kiloamperes(fault_a)}"
        if fault_a is not None and rating_a is not None:
            verdict += f", {duty_verdict(fault_a, rating_a)}"
        kind = (KINDS if facts.nec else IEC_KINDS)[one.kind]
        yield ScheduledBoard(
            one.tag,
            f"{kind}, {volts}{bus}, rated {rated or 'not stated'}; {verdict}",
            (*_mains(facts, one, entering), *_outgoing(facts, leaving[one.tag])),
        )
    by_load = {tag: found for tag, found in entering.items() if found[0].circuit.stage == _LOADS}
    yield from _mechanical(facts, by_load)
    for tag, found in by_load.items():
        if tag.startswith(HOUSE):
            row = BoardCircuit("1", f"{tag} circuits", "lighting, small power")
            yield ScheduledBoard(tag, _house_words(facts, found), (*_fed(facts, found), row))


_LOADS = "mechanical"
"""Stage of the circuits to mechanical boards and house panels."""


def _mains(
    facts: ElectricalFacts, one: Equipment, entering: Mapping[str, list[Feeder]]
) -> Iterator[BoardCircuit]:
    """Yield the supplies of a board, also through a transfer switch.

    A device at the other end is on the schedule there.
    """
    network = facts.design.distribution.plan.network
    cables = {feeder.circuit.source: feeder for feeder in entering.get(one.tag, ())}
    for link in one.links:
        feeder = cables.get(link.source)
        if feeder is not None:
            at_board = feeder.circuit.stage in DEVICE_AT_END
            where = f"from {link.source}" if at_board else f"from {link.source}, device there"
            yield _row(facts, feeder, "Main", where)
        elif one.kind == "ups-output":
            yield BoardCircuit("Main", f"{link.source}>{one.tag}", f"from {link.source}", 1, 3,
                               cable="device and cable by the manufacturer of the UPS")  # fmt: skip
        else:
            yield BoardCircuit("Main", f"{link.source}>{one.tag}", f"from {link.source}, bus link",
                               cable="no cable", has_frame=False)  # fmt: skip
            if network[link.source].kind == "ats":
                for feeder in entering.get(link.source, ()):
                    at_end = feeder.circuit.stage in DEVICE_AT_END
                    where = f"{feeder.circuit.source} to {link.source}"
                    yield _row(facts, feeder, "Main", where if at_end else f"{where}, device there")


def _paralleling(
    facts: ElectricalFacts, plant: Equipment, leaving: Iterable[Feeder]
) -> ScheduledBoard:
    """Return the paralleling switchgear of generator sets, which the design does not size."""
    count, voltage_v = len(plant.unit_tags), plant.voltage_v
    current_a = float(three_phase_current.si(facts.design.chain.generators.rating_va, voltage_v))
    sets = BoardCircuit(
        "Main" if count == 1 else f"Main 1 to {count}",
        f"{plant.tag} sets",
        "from one set, rated current",
        count,
        3,
        worst_a=current_a,
        cable=_BY_SUPPLIER,
        has_frame=False,
    )
    volts = show(voltage_v, "line_voltage", facts.system)
    words = f"Paralleling switchgear of the generator sets, {volts}; {_BY_SUPPLIER}"
    return ScheduledBoard(plant.tag, words, (sets, *_outgoing(facts, leaving)))


def _outgoing(facts: ElectricalFacts, leaving: Iterable[Feeder]) -> Iterator[BoardCircuit]:
    """Yield the outgoing circuits, numbered; equal runs of one circuit are one row."""
    number = 1
    for feeder in leaving:
        runs = feeder.circuit.runs
        position = str(number) if runs == 1 else f"{number} to {number + runs - 1}"
        at_end = feeder.circuit.stage in DEVICE_AT_END
        target = f"{feeder.circuit.target}, device there" if at_end else feeder.circuit.target
        yield _row(facts, feeder, position, target)
        number += runs


def _row(facts: ElectricalFacts, feeder: Feeder, position: str, load: str) -> BoardCircuit:
    circuit, choice = feeder.circuit, feeder.choice
    found = BoardCircuit(
        position,
        circuit.tag,
        load,
        circuit.runs,
        circuit.poles,
        trip="" if feeder.trip is None else feeder.trip.label,
        normal_a=feeder.normal_a,
        worst_a=feeder.worst_a,
        cable=feeder.refused or "not sized",
        length_m=feeder.length_m,
        has_frame=circuit.stage != "mv",
    )
    if choice is None:
        return found
    words = conductors(choice, facts.code, circuit.poles)
    trip = found.trip or ("relay 51" if circuit.stage == "mv" and facts.nec else "")
    return replace(found, device_a=choice.ocpd_a, cable=words, trip=trip)


def _fed(facts: ElectricalFacts, feeders: Iterable[Feeder]) -> Iterator[BoardCircuit]:
    """Yield the supplies of a board that is fed by circuits with their devices at the source."""
    for feeder in feeders:
        yield replace(
            _row(facts, feeder, "Main", f"from {feeder.circuit.source}, device there"), quantity=1
        )


def _house_words(facts: ElectricalFacts, feeders: Iterable[Feeder]) -> str:
    circuit = next(iter(feeders)).circuit
    volts = show(circuit.voltage_v, "line_voltage", facts.system)
    neutral = "with neutral" if circuit.neutral else "without neutral"
    return f"House panel, {volts}, {neutral}; final circuits {_DETAILED}"


def _mechanical(
    facts: ElectricalFacts, by_load: Mapping[str, list[Feeder]]
) -> Iterator[ScheduledBoard]:
    """Yield the mechanical boards, equal units of one type in one row."""
    found = facts.design.distribution.mechanical
    circuits = {one.unit.units.tag: one for one in found.circuits}
    installed = Counter[str]()
    scheduled: set[str] = set()
    for board in found.boards:
        rows: list[BoardCircuit] = []
        number = 1
        for unit, count in board.units:
            tag = unit.units.tag
            one = circuits.get(tag)
            position = str(number) if count == 1 else f"{number} to {number + count - 1}"
            row = BoardCircuit(
                position,
                unit_range(tag, installed[tag] + 1, count),
                unit.units.name,
                count,
                3,
                unit.device.rating_a,
                "" if one is None else one.device_words,
                None,
                unit.current_a,
            )
            if one is not None:
                choice = one.choice
                words = one.refused if choice is None else conductors_text(choice, facts.code, 3)
                row = replace(row, cable=words)
            rows.append(row)
            installed[tag] += count
            number += count
        for units, share_a in board.other:
            rows.append(BoardCircuit(str(number), units.tag, units.name, worst_a=share_a))
            number += 1
        scheduled.add(board.load)
        by_source = {one.circuit.source: one for one in by_load.get(board.load, ())}
        mains = _fed(facts, (by_source[tag] for tag in board.sources if tag in by_source))
        yield ScheduledBoard(board.tag, _mechanical_words(board), (*mains, *rows))
    for load, feeders in by_load.items():
        if load not in scheduled and not load.startswith(HOUSE):
            row = BoardCircuit("1", f"{load} circuits", "cooling units")
            words = f"Mechanical board; unit circuits {_DETAILED}"
            yield ScheduledBoard(load, words, (*_fed(facts, feeders), row))


def _mechanical_words(board: MechanicalBoard) -> str:
    other = f", alternate {', '.join(board.sources[1:])}" if board.sources[1:] else ""
    load_a = board.motors.load_a
    return f"Mechanical board, fed from {board.sources[0]}{other}; running load {load_a:,.1f} A"


def _frame(row: BoardCircuit, facts: ElectricalFacts) -> float | None:
    if row.device_a is None or not row.has_frame:
        return None
    return next((a for a in _FRAMES[facts.nec] if within(row.device_a, a)), None)


def _columns(facts: ElectricalFacts) -> tuple[Column[BoardCircuit], ...]:
    amperes = "current"
    return (
        Column("position", "Position", 16),
        Column("tag", "Circuit", 40),
        Column("load", "Supply or load", 52),
        Column("quantity", "Quantity", 14, "count"),
        Column("poles", "Poles", 11, "count"),
        Column("frame", "Frame", 14, amperes, number_format="n0", of=lambda r: _frame(r, facts)),
        Column("device_a", "Device", 14, amperes, number_format="n0"),
        Column("trip", "Trip", 44),
        Column("normal_a", "Normal load", 17, amperes, number_format="n1"),
        Column("worst_a", "Worst-case load", 17, amperes, number_format="n1"),
        Column("cable", "Conductors, raceway", 92),
        Column("length_m", "Length", 15, "length", number_format="n1"),
    )
