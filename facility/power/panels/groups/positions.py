"""Positions for a choice of options, moving no breaker that need not move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from facility.core.errors import FacilityError
from facility.power.panels.board.model import Circuit, Panel
from facility.power.panels.board.pack import ANY, Slots, Want
from facility.power.panels.groups.choice import Choices
from facility.power.panels.groups.units import Option
from facility.power.panels.search.descent import IntArray


def given_choice(choices: Choices) -> IntArray:
    """Return the option of every unit that it stands in now, -1 where it stands in none."""
    units = choices.units
    found = np.full(choices.size, -1, dtype=np.int64)
    for number, unit in enumerate(units.units):
        for option in range(int(choices.first[number]), int(choices.first[number + 1])):
            if _stands(choices, unit.members, choices.options[option]):
                found[number] = option
                break
    return found


def place_choice(
    choices: Choices, choice: IntArray, known: Sequence[Slots] | None = None
) -> tuple[Panel, ...]:
    """Return the panelboards with every circuit where `choice` says.

    Parameters
    ----------
    choices : Choices
        Options.
    choice : ndarray of int
        Option of every unit.
    known : sequence of Slots, optional
        Positions that hold them, should no packing be found.

    Raises
    ------
    FacilityError
        ``PANEL_FULL`` when the breakers do not fit.
    """
    places: dict[int, tuple[int, int | None, int | None]] = {}
    for p in range(len(choices.units.panels)):
        here = [u for u in range(choices.size) if choices.options[choice[u]].panel == p]
        tops = _tops(choices, choice, p, here, None if known is None else known[p])
        for unit in here:
            option = choices.options[choice[unit]]
            _put(choices, unit, option, tops.get(unit), places)
    return tuple(_filled(choices, p, places) for p in range(len(choices.units.panels)))


def _stands(choices: Choices, members: tuple[int, ...], option: Option) -> bool:
    units = choices.units
    panel = units.panels[option.panel]
    for index, start in zip(members, option.starts, strict=True):
        now = panel.start(units.circuits[index])
        if units.homes[index] != option.panel or now is None or start not in (now, ANY):
            return False
    if option.places:
        return all(
            units.circuits[i].position == n for i, n in zip(members, option.places, strict=True)
        )
    return panel.is_busway or _top(choices, members, option) is not None


def _top(choices: Choices, members: tuple[int, ...], option: Option) -> int | None:
    """Return the first position of a unit that stands as `option` has it, else None."""
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
    blocked = {
        n
        for u in here
        for index, place in zip(units.units[u].members, options[choice[u]].places, strict=False)
        for n in panel.layout.occupied(place, units.circuits[index].poles)
    }
    rows = {u: abs((options[choice[u]].want or (1, 0))[0]) for u in seeking}

    def poles(unit: int, top: int) -> set[int]:
        return {top + panel.layout.stride * row for row in range(rows[unit])}

    standing = {
        u: top
        for u in seeking
        if _stands(choices, units.units[u].members, options[choice[u]])
        and (top := _top(choices, units.units[u].members, options[choice[u]])) is not None
        and not poles(u, top) & blocked
    }
    pinnings = [{u: standing[u] for u in standing if rows[u] >= k} for k in (1, 2, 3)]
    for pinned in (*pinnings, dict[int, int]()):
        stay = {n for u, top in pinned.items() for n in poles(u, top)}
        rest = [u for u in seeking if u not in pinned]
        wants: Counter[Want] = Counter(
            want for u in rest if (want := options[choice[u]].want) is not None
        )
        slots = choices.packer(p, frozenset(blocked | stay)).pack(wants)
        if slots is not None:
            return pinned | _assigned(choices, choice, rest, slots, standing)
    if known is not None:
        return _assigned(choices, choice, seeking, known, standing)
    raise FacilityError(
        "PANEL_FULL", panel.tag, "no arrangement of its circuits in their groups was found.",
        "Use a larger panel, or loosen a group.", exit_code=4,
    )  # fmt: skip


def _assigned(
    choices: Choices, choice: IntArray, rest: list[int], slots: Slots, standing: dict[int, int]
) -> dict[int, int]:
    """Return the first position of each unit of `rest`, the one it stands at where it can."""
    free = {want: sorted(found) for want, found in slots.items()}
    tops: dict[int, int] = {}
    for unit in rest:
        want = choices.options[choice[unit]].want or (1, ANY)
        if standing.get(unit) in free[want]:
            tops[unit] = standing[unit]
            free[want].remove(standing[unit])
    for unit in rest:
        if unit not in tops:
            tops[unit] = free[choices.options[choice[unit]].want or (1, ANY)].pop(0)
    return tops


def _put(
    choices: Choices,
    unit: int,
    option: Option,
    top: int | None,
    places: dict[int, tuple[int, int | None, int | None]],
) -> None:
    """Write down panelboard, position and tap phase of every circuit of a unit."""
    units = choices.units
    panel = units.panels[option.panel]
    for k, index in enumerate(units.units[unit].members):
        position, phase = units.circuits[index].position, units.circuits[index].tap_phase
        if panel.is_busway:
            phase = option.starts[k]
        elif option.places:
            position = option.places[k]
        elif top is not None:
            position = top + panel.layout.stride * option.rows[k]
        places[index] = (option.panel, position, phase)


def _filled(
    choices: Choices, p: int, places: dict[int, tuple[int, int | None, int | None]]
) -> Panel:
    """Return panelboard `p` with those that stay in their order, then those that came."""
    units = choices.units
    stay: list[Circuit] = []
    come: list[Circuit] = []
    for index, circuit in enumerate(units.circuits):
        home, position, phase = places.get(
            index, (units.homes[index], circuit.position, circuit.tap_phase)
        )
        if home == p:
            placed = replace(circuit, position=position, tap_phase=phase)
            (stay if units.homes[index] == p else come).append(placed)
    return replace(units.panels[p], circuits=(*stay, *come))
