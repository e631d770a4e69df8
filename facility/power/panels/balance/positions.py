"""Positions for a choice of options, with the fewest breakers moved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from facility.core.errors import FacilityError
from facility.power.panels.balance.choice import Choices
from facility.power.panels.balance.lines import IntArray
from facility.power.panels.balance.units import Option
from facility.power.panels.board.model import Circuit, Panel
from facility.power.panels.board.pack import ANY, Packer, Slots, Want


def given_choice(choices: Choices) -> IntArray:
    """Return the present option of every unit, -1 if it has none."""
    units = choices.units
    found = np.full(choices.size, -1, dtype=np.int64)
    for number, unit in enumerate(units.units):
        for option in range(int(choices.first[number]), int(choices.first[number + 1])):
            if _present_positions(choices, unit.members, choices.options[option]):
                found[number] = option
                break
    return found


def apply_choice(
    choices: Choices, choice: IntArray, known: Sequence[Slots] | None = None
) -> tuple[Panel, ...]:
    """Return the panelboards with the circuits placed by `choice`.

    choices: Options.
    choice: Option of every unit.
    known: Feasible positions, in case no packing is found.

    Raises ``PANEL_FULL`` if the breakers do not fit.
    """
    positions: dict[int, tuple[int, int | None, int | None]] = {}
    for p in range(len(choices.units.panels)):
        here = [u for u in range(choices.size) if choices.options[choice[u]].panel == p]
        tops = _tops(choices, choice, p, here, None if known is None else known[p])
        for unit in here:
            option = choices.options[choice[unit]]
            top = tops.get(unit)
            units = choices.units
            panel = units.panels[option.panel]
            for k, index in enumerate(units.units[unit].members):
                position, phase = units.circuits[index].position, units.circuits[index].tap_phase
                if panel.is_busway:
                    phase = option.starts[k]
                elif option.positions:
                    position = option.positions[k]
                elif top is not None:
                    position = top + panel.layout.stride * option.rows[k]
                positions[index] = (option.panel, position, phase)
    return tuple(_filled(choices, p, positions) for p in range(len(choices.units.panels)))


def _present_positions(choices: Choices, members: tuple[int, ...], option: Option) -> bool:
    units = choices.units
    panel = units.panels[option.panel]
    for index, start in zip(members, option.starts, strict=True):
        now = panel.start(units.circuits[index])
        if units.homes[index] != option.panel or now is None or start not in (now, ANY):
            return False
    if option.positions:
        return all(
            units.circuits[i].position == n for i, n in zip(members, option.positions, strict=True)
        )
    return panel.is_busway or _top(choices, members, option) is not None


def _top(choices: Choices, members: tuple[int, ...], option: Option) -> int | None:
    """Return the first position of a unit already placed as in `option`; otherwise None."""
    units = choices.units
    stride = units.panels[option.panel].layout.stride
    tops = {
        (units.circuits[index].position or 0) - stride * row
        for index, row in zip(members, option.rows, strict=True)
    }
    return next(iter(tops)) if len(tops) == 1 else None


def _tops(
    choices: Choices, choice: IntArray, p: int, here: list[int], known: Slots | None
) -> dict[int, int]:
    """Return the first position of every unit in panelboard `p` that needs positions."""
    units, options = choices.units, choices.options
    panel = units.panels[p]
    seeking = [u for u in here if options[choice[u]].want is not None]
    if not seeking:
        return {}
    blocked = frozenset(
        n
        for u in here
        for index, at in zip(units.units[u].members, options[choice[u]].positions, strict=False)
        for n in panel.layout.occupied(at, units.circuits[index].poles)
    )
    wants = {u: want for u in seeking if (want := options[choice[u]].want) is not None}
    standing = {
        u: top
        for u in seeking
        if _present_positions(choices, units.units[u].members, options[choice[u]])
        and (top := _top(choices, units.units[u].members, options[choice[u]])) is not None
    }

    def pack(stay: frozenset[int], required: Counter[Want]) -> Slots | None:
        return choices.packer(p, blocked | stay).pack(required)

    tops = _first_positions(panel, wants, standing, blocked, pack)
    if tops is None and known is not None:
        tops = _assigned(wants, known, standing)
    if tops is None:
        raise _full(panel, "no arrangement of its circuits in their groups was found.")
    return tops


def _first_positions(
    panel: Panel,
    wants: Mapping[int, Want],
    standing: Mapping[int, int],
    blocked: frozenset[int],
    pack: Callable[[frozenset[int], Counter[Want]], Slots | None],
) -> dict[int, int] | None:
    """Return the first position of every element in `wants`; None if they do not fit.

    Present positions are kept if the others fit around them: all of them, otherwise those of
    two poles or more, otherwise those of three.
    """

    def poles(one: int) -> set[int]:
        return {standing[one] + panel.layout.stride * row for row in range(abs(wants[one][0]))}

    free = [one for one in wants if one in standing and not poles(one) & blocked]
    for min_poles in (1, 2, 3, panel.poles):
        pinned = {one: standing[one] for one in free if abs(wants[one][0]) >= min_poles}
        rest = {one: want for one, want in wants.items() if one not in pinned}
        stay = frozenset(n for one in pinned for n in poles(one))
        slots = pack(stay, Counter(rest.values()))
        if slots is not None:
            return pinned | _assigned(rest, slots, standing)
    return None


def _assigned(
    wants: Mapping[int, Want], slots: Slots, standing: Mapping[int, int]
) -> dict[int, int]:
    """Return the first position of each, the present one if possible."""
    free = {want: sorted(found) for want, found in slots.items()}
    tops: dict[int, int] = {}
    for one, want in wants.items():
        if standing.get(one) in free[want]:
            tops[one] = standing[one]
            free[want].remove(standing[one])
    for one, want in wants.items():
        if one not in tops:
            tops[one] = free[want].pop(0)
    return tops


def position_circuits(panel: Panel, starts: Mapping[int, int]) -> Panel:
    """Return `panel` with a position for every circuit, with the fewest changes.

    panel: Panel; circuits without an entry in `starts` keep their position.
    starts: Start phase (0, 1, 2 or `ANY`) of each circuit to be placed, by its index in the panel.

    Raises ``PANEL_FULL`` if the breakers do not fit.
    """
    circuits = list(panel.circuits)
    wants = {index: (circuits[index].poles, start) for index, start in starts.items()}
    standing = {
        index: now
        for index, start in starts.items()
        if (now := circuits[index].position) is not None and start in (ANY, panel.layout.phase(now))
    }
    blocked = frozenset(
        n for index, c in enumerate(circuits) if index not in starts for n in panel.occupied(c)
    )

    def pack(stay: frozenset[int], required: Counter[Want]) -> Slots | None:
        return Packer(panel.layout, panel.poles, blocked | stay).pack(required)

    tops = _first_positions(panel, wants, standing, blocked, pack)
    if tops is None:
        poles = f"{panel.poles_used} poles in {panel.poles}"
        raise _full(panel, f"no arrangement of {poles} was found.")
    for index, top in tops.items():
        circuits[index] = replace(circuits[index], position=top)
    return replace(panel, circuits=tuple(circuits))


def _full(panel: Panel, message: str) -> FacilityError:
    return FacilityError("PANEL_FULL", panel.tag, message, "Use a larger panel, or relax a group.")


def _filled(
    choices: Choices, p: int, positions: dict[int, tuple[int, int | None, int | None]]
) -> Panel:
    """Return panelboard `p` with its remaining circuits in order, then the added ones."""
    units = choices.units
    stay: list[Circuit] = []
    come: list[Circuit] = []
    for index, circuit in enumerate(units.circuits):
        home, position, phase = positions.get(
            index, (units.homes[index], circuit.position, circuit.tap_phase)
        )
        if home == p:
            placed = replace(circuit, position=position, tap_phase=phase)
            (stay if units.homes[index] == p else come).append(placed)
    return replace(units.panels[p], circuits=(*stay, *come))


def unbalanced(panel: Panel) -> Panel:
    """Return `panel` with its breakers in list order from the top, all rack circuits wired equally.

    A three-phase rack circuit with unequal legs to neutral has its largest leg on its first pole,
    so that identical racks load the same phase. Fixed circuits are released too.

    Raises ``PANEL_FULL`` if the breakers do not fit.
    """
    loose = tuple(
        replace(_largest_leg_first(circuit), position=None, fixed=False)
        for circuit in panel.circuits
    )
    return position_circuits(replace(panel, circuits=loose), dict.fromkeys(range(len(loose)), ANY))


def _largest_leg_first(circuit: Circuit) -> Circuit:
    """Rotate the legs of a three-phase circuit: the largest in the normal state comes first."""
    legs = [abs(power) for power in circuit.power_va[0]]
    if circuit.connection != "L-N" or len(legs) != 3:
        return circuit
    shift = max(range(3), key=lambda first: [*legs[first:], *legs[:first]])
    turned = tuple((*state[shift:], *state[:shift]) for state in circuit.power_va)
    return replace(circuit, power_va=turned)
