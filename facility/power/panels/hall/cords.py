"""Outlet banks of cords: the ways to plug the cords of one circuit that are worth a try."""

from __future__ import annotations

import numpy as np

from facility.core.kinds import ComplexArray
from facility.model.power.hall_distribution import Connection
from facility.power.panels.balance.lines import IntArray, kept_first
from facility.power.panels.board.currents import currents
from facility.power.panels.design.racks import bank_power
from facility.power.panels.hall.turnings import all_ways
from facility.power.panels.hall.units import CircuitCords

TRIED = 6
"""Most ways to plug the cords of one circuit that a hall is tried with, the given one aside."""

_EQUAL = 1e-9


def options(cords: CircuitCords, connection: Connection) -> list[IntArray]:
    """Return ways to plug `cords`, the given one first, then by largest bank and spread.

    No way loads a bank, or a line of the circuit, above the most loaded one as given: breaker and
    rack PDU that fit now go on to fit. Ways that load the banks alike but for a turn count once.

    cords: Cords of one 3-pole circuit.
    connection: How its banks are connected.

    A way is the bank of each cord, 0 to 2, or -1 for a cord of three phases; shape (cords,).
    """
    members = _members(cords)
    ways = all_ways([(len(each), False) for each in members])
    return _inside(cords, connection, members, _near(cords, members) if ways is None else ways)[
        : TRIED + 1
    ]


def all_options(cords: CircuitCords, connection: Connection) -> list[IntArray] | None:
    """Return all the ways that `options` chooses from; None where these are too many."""
    members = _members(cords)
    ways = all_ways([(len(each), False) for each in members])
    return None if ways is None else _inside(cords, connection, members, ways)


def _members(cords: CircuitCords) -> list[IntArray]:
    """Return the cords of one phase that are alike."""
    single = np.flatnonzero(cords.banks >= 0)
    if len(single) == 0:
        return []
    groups = _alike(cords.power_va[:, single])
    return [single[groups == number] for number in range(int(groups.max()) + 1)]


def _inside(
    cords: CircuitCords, connection: Connection, members: list[IntArray], ways: IntArray
) -> list[IntArray]:
    """Return those of `ways` that load nothing more than given, the given one first."""
    if not members:
        return [cords.banks]
    given = bank_power(cords.power_va, cords.banks, 3)
    legs = _legs(cords, members, ways)
    scale = max(float(np.abs(given).max()), 1e-300)
    inside = _worst_bank(legs) <= _worst_bank(given) + _EQUAL * scale
    inside &= _worst_line(legs, connection) <= _worst_line(given, connection) + _EQUAL * scale
    ways, legs = ways[inside], legs[inside]
    power = np.abs(legs)
    spread = (power.max(axis=2) - power.min(axis=2)).max(axis=1)
    order = np.lexsort((np.round(spread / scale, 9), np.round(_worst_bank(legs) / scale, 9)))
    seen = {_turn_free(given, scale)}
    found = [cords.banks]
    for row in order:
        if (key := _turn_free(legs[row], scale)) not in seen:
            seen.add(key)
            found.append(_plugged(cords, members, ways[row]))
    return found


def _alike(power: ComplexArray) -> IntArray:
    """Return the number of the group of equal cords that each cord belongs to."""
    scale = max(float(np.abs(power).max(initial=0.0)), 1e-300)
    rows = np.round(power.T / scale, 9) + 0.0
    return np.asarray(np.unique(rows, axis=0, return_inverse=True)[1]).reshape(-1)


def _legs(cords: CircuitCords, members: list[IntArray], ways: IntArray) -> ComplexArray:
    each = np.stack([cords.power_va[:, mine[0]] for mine in members])
    legs = np.einsum("wgb,gs->wsb", ways, each)
    common = cords.power_va[:, cords.banks < 0].sum(axis=1)
    return np.asarray(legs + common[:, None] / 3.0)


def _worst_bank(legs: ComplexArray) -> ComplexArray:
    return np.asarray(np.abs(legs).max(axis=(-2, -1)))


def _worst_line(legs: ComplexArray, connection: Connection) -> ComplexArray:
    zeros = np.zeros_like(legs)
    pairs = [legs, zeros] if connection == "L-N" else [zeros, legs]
    return np.asarray(
        np.abs(currents(np.concatenate(pairs, axis=-1), 1.0)[..., :3]).max(axis=(-2, -1))
    )


def _turn_free(legs: ComplexArray, scale: float) -> bytes:
    turns = [np.roll(legs, turn, axis=-1) for turn in range(3)]
    return min((np.round(legs / scale, 7) + 0.0).tobytes() for legs in turns)


def _plugged(cords: CircuitCords, members: list[IntArray], way: IntArray) -> IntArray:
    """Return the bank of each cord, leaving those that need not be replugged."""
    banks = cords.banks.copy()
    for mine, counts in zip(members, way, strict=True):
        banks[mine] = kept_first(banks[mine], counts)
    return banks


def _near(cords: CircuitCords, members: list[IntArray]) -> IntArray:
    """Return the given way and those that differ by one cord moved, or two exchanged."""
    way = np.array([np.bincount(cords.banks[mine], minlength=3) for mine in members])
    ways = [way]
    steps = []
    for group in range(len(members)):
        for source in range(3):
            for target in range(3):
                if source != target and way[group, source] > 0:
                    step = np.zeros_like(way)
                    step[group, source] -= 1
                    step[group, target] += 1
                    steps.append(step)
    ways += [way + step for step in steps]
    ways += [way + a + b for k, a in enumerate(steps) for b in steps[k:]]
    stacked = np.unique(np.array(ways), axis=0)
    return stacked[(stacked >= 0).all(axis=(1, 2))]
