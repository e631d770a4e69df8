"""As-built panels: rack circuits of a board, and their specified data.

A rack circuit is identified by its rack, the feed of its board, and its number on that feed. If it
is entered under another board of that feed than in the design, it moves there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from facility.core.errors import FacilityError, near_matches
from facility.model.power.hall_distribution import AsBuiltCircuit, AsBuiltPanel, AsBuiltSpare
from facility.power.panels.board.model import Circuit, Panel
from facility.power.panels.design.fill import Assigned

_Key = tuple[str, str, int]


@dataclass(frozen=True, eq=False)
class AssignedCircuit:
    """Circuit of a rack, its as-built data, and its location in the project."""

    assigned: Assigned
    rack: str
    as_built: AsBuiltCircuit | None = None
    where: str = ""

    @property
    def key(self) -> _Key:
        """Rack, feed and number of the circuit."""
        return self.rack, self.assigned.tap_off.feed, self.assigned.tap_off.ordinal


@dataclass(frozen=True, eq=False)
class Board:
    """Panelboard before its circuits are placed."""

    tag: str
    feed: str
    hall: str
    carried: tuple[AssignedCircuit, ...]  # Its circuits; circuits moved here come last
    spares: tuple[AsBuiltSpare, ...] = ()  # Breakers without a load
    where: str = ""  # Its location in the project; empty without as-built data


def as_built_of(panels: Iterable[Panel]) -> tuple[AsBuiltPanel, ...]:
    """Return `panels` as as-built data: every rack circuit, and the spares.

    Positions, fixed marks, outlet banks of 3-pole circuits and groups are copied from the panel;
    descriptions are left to the design. Other circuits are not part of a project.
    """
    return tuple(
        AsBuiltPanel(
            panel.tag,
            tuple(_as_built(c) for c in panel.circuits if c.rack),
            tuple(
                AsBuiltSpare(c.poles, c.breaker_a, c.position)
                for c in panel.circuits
                if c.class_code == "SPARE" and c.breaker_a and c.position
            ),
        )
        for panel in panels
    )


def _as_built(circuit: Circuit) -> AsBuiltCircuit:
    return AsBuiltCircuit(
        rack=circuit.rack,
        number=circuit.ordinal,
        position=circuit.position,
        fixed=circuit.fixed,
        banks=circuit.banks if circuit.poles == 3 else None,
        together=circuit.together,
        apart=circuit.apart,
    )


def rearranged(boards: Sequence[Board], stated: Sequence[AsBuiltPanel]) -> dict[int, Board]:
    """Return the boards that differ from the design, by their index in `boards`.

    These are the as-built boards, and boards that lost a circuit to them.

    boards: All boards as filled in the design.
    stated: As-built data, in the order of the project.

    Raises ``UNKNOWN_PANEL``, ``UNKNOWN_RACK``, ``UNKNOWN_FEED`` or ``UNKNOWN_CIRCUIT`` for names
    outside the design, ``AMBIGUOUS_RACK`` for a name of two racks, ``PANEL_DUPLICATE`` for a
    circuit entered twice, ``PANEL_HALL`` for a circuit that would leave its hall, ``PANEL_BANKS``
    for banks of fewer than three poles.
    """
    index = {board.tag: number for number, board in enumerate(boards)}
    home = {one.key: (n, one) for n, board in enumerate(boards) for one in board.carried}
    twice = {key for key, n in Counter(s.key for b in boards for s in b.carried).items() if n > 1}
    named: dict[_Key, tuple[int, AssignedCircuit]] = {}
    for number, panel in enumerate(stated):
        where = f"panels.boards[{number}]"
        if panel.tag not in index:
            raise FacilityError(
                "UNKNOWN_PANEL",
                f"{where}.tag",
                f"the design has no panel {panel.tag!r}.",
                f"{near_matches(panel.tag, index)} Correct the tag, or remove the board.".strip(),
            )
        target = index[panel.tag]
        for at_index, entry in enumerate(panel.circuits):
            at = f"{where}.circuits[{at_index}]"
            if (entry.rack, boards[target].feed, entry.number) in twice:
                raise FacilityError(
                    "AMBIGUOUS_RACK",
                    f"{at}.rack",
                    f"two racks are called {entry.rack!r}.",
                    "Rename the rack types in the IT section so that their numbered names differ.",
                )
            board = boards[target]
            found = home.get((entry.rack, board.feed, entry.number))
            if found is None:
                raise _unknown(entry, board, home, at)
            poles = found[1].assigned.tap_off.circuit.poles
            if entry.banks is not None and poles != 3:
                raise FacilityError(
                    "PANEL_BANKS",
                    f"{at}.banks",
                    f"{_words(entry, board.feed)} has {poles} pole{'s' * (poles > 1)}; only a"
                    " 3-pole circuit has outlet banks on each pole.",
                    "Remove banks.",
                )
            origin, one = found
            if one.key in named:
                raise FacilityError(
                    "PANEL_DUPLICATE",
                    at,
                    f"{_words(entry, boards[target].feed)} is also named at"
                    f" {named[one.key][1].where}.",
                    "Remove one of the two entries.",
                )
            _refuse_other_hall(boards[origin], boards[target], entry, at)
            named[one.key] = (target, AssignedCircuit(one.assigned, one.rack, entry, at))
    return _moved(boards, stated, named, index)


def _moved(
    boards: Sequence[Board],
    stated: Sequence[AsBuiltPanel],
    named: dict[_Key, tuple[int, AssignedCircuit]],
    index: dict[str, int],
) -> dict[int, Board]:
    found: dict[int, Board] = {}
    stated_index = {index[panel.tag]: n for n, panel in enumerate(stated)}
    arriving: dict[int, list[AssignedCircuit]] = {}
    for number, board in enumerate(boards):
        for one in board.carried:
            if one.key in named and named[one.key][0] != number:
                target, moving = named[one.key]
                arriving.setdefault(target, []).append(moving)
    for number, board in enumerate(boards):
        staying = [named.get(one.key, (number, one)) for one in board.carried]
        retained = tuple(one for target, one in staying if target == number)
        if number not in stated_index and len(retained) == len(board.carried):
            continue
        entry = stated_index.get(number)
        found[number] = Board(
            board.tag,
            board.feed,
            board.hall,
            (*retained, *arriving.get(number, ())),
            () if entry is None else stated[entry].spares,
            "" if entry is None else f"panels.boards[{entry}]",
        )
    return found


def _unknown(
    entry: AsBuiltCircuit, board: Board, home: dict[_Key, tuple[int, AssignedCircuit]], where: str
) -> FacilityError:
    numbers: dict[str, int] = {}
    for rack, feed, _ in home:
        if rack == entry.rack:
            numbers[feed] = numbers.get(feed, 0) + 1
    if not numbers:
        near = near_matches(entry.rack, dict.fromkeys(rack for rack, _, _ in home))
        return FacilityError(
            "UNKNOWN_RACK",
            f"{where}.rack",
            f"panel {board.tag} cannot feed rack {entry.rack!r}: the IT section has no such rack.",
            f"{near} Correct the name, remove this circuit, or restore the rack in the IT"
            " section.".strip(),
        )
    if board.feed not in numbers:
        return FacilityError(
            "UNKNOWN_FEED",
            f"{where}.rack",
            f"rack {entry.rack!r} has no circuit on feed {board.feed}, the feed of panel"
            f" {board.tag}; its circuits are on {', '.join(numbers)}.",
            "Enter the circuit under a panel of those feeds, or add a circuit on this feed to"
            " the rack in the IT section.",
        )
    count = numbers[board.feed]
    return FacilityError(
        "UNKNOWN_CIRCUIT",
        f"{where}.circuit",
        f"there is no circuit {entry.number + 1} of rack {entry.rack!r} on feed {board.feed}; it"
        f" has {count}.",
        f"Enter a number from 1 to {count}, or remove this circuit.",
    )


def _refuse_other_hall(origin: Board, target: Board, entry: AsBuiltCircuit, where: str) -> None:
    if origin.hall != target.hall:
        raise FacilityError(
            "PANEL_HALL",
            where,
            f"rack {entry.rack!r} is in hall {origin.hall!r}, panel {target.tag} in"
            f" {target.hall!r}; a branch circuit cannot leave its hall.",
            f"Enter it under a panel of feed {target.feed} in hall {origin.hall!r}.",
        )


def _words(entry: AsBuiltCircuit, feed: str) -> str:
    return f"circuit {entry.number + 1} of rack {entry.rack!r} on feed {feed}"
