"""Options of all units for the search: line contributions and feasibility of a choice.

A choice is one option of every unit, by its index among all options.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

import numpy as np

from facility.core.kinds import ComplexArray, FloatArray
from facility.power.panels.balance.lines import (
    IntArray,
    neutral_then_imbalance,
    numbered,
    peak,
    unevenness,
)
from facility.power.panels.balance.units import Unit, Units
from facility.power.panels.board.pack import Packer, Slots, Want


class Choices:
    """All options of some units.

    weights: Factors applied to the lines, shape (panels,).
    ties: Whether peaks are phasor currents, ranked by `neutral_then_imbalance`; otherwise by
        `unevenness`.
    packer: Packer of a single panelboard, with its cache.

    Attributes
    ----------
    units : Units
        Units.
    parts : ndarray, shape (options, states, lines)
        Line contribution of each option.
    base : ndarray, shape (states, lines)
        Line values of fixed circuits.
    unit : ndarray, shape (options,)
        Unit of each option.
    first : ndarray, shape (units + 1,)
        First option of each unit.
    shape : ndarray, shape (units,)
        Units of equal shape have the same options and may be exchanged.
    """

    def __init__(
        self, units: Units, weights: FloatArray, *, ties: bool, packer: Packer | None = None
    ) -> None:
        self.units = units
        self._weights = weights
        self._measure = neutral_then_imbalance if ties else unevenness
        counts = [len(unit.options) for unit in units.units]
        self.first: IntArray = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        self.unit: IntArray = np.repeat(np.arange(len(counts)), counts).astype(np.int64)
        parts = [unit.parts for unit in units.units]
        self.base = units.base
        self.parts: ComplexArray = (
            np.concatenate(parts) if parts else np.zeros((0, *self.base.shape), dtype=complex)
        )
        self.options = [option for unit in units.units for option in unit.options]
        self.shape = numbered(_shape(number, unit) for number, unit in enumerate(units.units))
        # Exclusive tokens of each option, as zeros and ones
        tokens = sorted({t for unit in units.units for owned in unit.tokens for t in owned})
        index = {token: column for column, token in enumerate(tokens)}
        options = [owned for unit in units.units for owned in unit.tokens]
        marks = np.zeros((len(options), len(tokens)), dtype=np.int64)
        for row, owned in enumerate(options):
            for token in owned:
                marks[row, index[token]] = 1
        self.marks = marks
        self._runs = tuple(
            {-o.want[0] for o in self.options if o.want and o.want[0] < 0 and o.panel == p}
            for p in range(len(units.panels))
        )
        lines = self.totals(self.first[:-1]).reshape(len(self.base), len(weights), 3)
        self._mean = float(np.abs((lines / weights[:, None]).sum(axis=1)).mean()) or 1.0
        self._packers: dict[tuple[int, frozenset[int]], Packer] = {}
        if packer is not None:
            self._packers[0, frozenset()] = packer
        # Position requirement of each option, as a number.
        self._request = numbered(
            number if option.positions else (option.panel, option.want)
            for number, option in enumerate(self.options)
        )
        self._packed: dict[bytes, bool] = {}

    @property
    def size(self) -> int:
        """Number of units."""
        return len(self.units.units)

    def totals(self, choice: IntArray) -> ComplexArray:
        """Return the sum over all units by state and line."""
        return np.asarray(self.base + self.parts.take(choice, axis=0).sum(axis=0))

    @property
    def sure(self) -> bool:
        """Whether all rejected packings are proven infeasible."""
        return not any(packer.gave_up for packer in self._packers.values())

    def kinds(self) -> list[IntArray]:
        """Return groups of identical units, in order of first appearance."""
        kinds: dict[Hashable, list[int]] = {}
        for unit in range(self.size):
            options = slice(int(self.first[unit]), int(self.first[unit + 1]))
            key: Hashable = (int(self.shape[unit]), self.parts[options].tobytes())
            if self.marks[options].any():
                key = unit
            kinds.setdefault(key, []).append(unit)
        return [np.array(kind, dtype=np.int64) for kind in kinds.values()]

    def balanced_angles(self) -> FloatArray:
        """Return the angle of each line phasor of balanced panelboards, by state [rad]."""
        if not (np.any(self.parts.imag) or np.any(self.base.imag)):
            return np.zeros(self.base.shape)
        panels = self.base.shape[1] // 3
        turned = np.exp(-2j * np.pi / 3.0 * np.arange(3))
        lines = self.totals(self.first[:-1])
        whole = lines.reshape(len(lines), panels, 3).sum(axis=1)
        angles = np.angle((whole * turned.conj()).sum(axis=-1)[:, None] * turned)
        return np.tile(angles, panels)

    def even_forms(self, totals: ComplexArray) -> ComplexArray:
        """Return the phasors (last axis) whose largest magnitude ranks equal peaks first.

        The neutral of the normal state; for several panelboards the combined lines.
        """
        panels = len(self._weights)
        if panels == 1:
            return np.asarray(totals[..., 0, :].sum(axis=-1)[..., None])
        lines = totals.reshape(*totals.shape[:-1], panels, 3) / self._weights[:, None]
        return np.asarray(lines.sum(axis=-2).reshape(*totals.shape[:-2], -1))

    def measure(self, totals: ComplexArray) -> FloatArray:
        """Return the secondary objective for choices of equal peak, to be minimised.

        For several panelboards, first the largest combined line current relative to its
        mean.
        """
        panels = len(self._weights)
        if panels == 1:
            return self._measure(totals)
        lines = totals.reshape(*totals.shape[:-1], panels, 3) / self._weights[:, None]
        whole = lines.sum(axis=-2)
        return np.asarray(peak(whole) / self._mean + 1e-3 * self._measure(whole))

    def apart(self, choice: IntArray) -> bool:
        """Return whether no exclusive token is used twice."""
        return self.marks.shape[1] == 0 or bool((self.marks[choice].sum(axis=0) <= 1).all())

    def fits(self, choice: IntArray) -> bool:
        """Return whether all breakers of a complete or partial `choice` fit the panelboards."""
        if not self.apart(choice):
            return False
        key = np.bincount(self._request[choice]).tobytes()
        if key not in self._packed:
            self._packed[key] = self.slots(choice) is not None
        return self._packed[key]

    def slots(self, choice: IntArray, pending: Counter[Want] | None = None) -> list[Slots] | None:
        """Return the positions by panelboard and breaker type; None if they do not fit.

        The `pending` breakers must also fit, in the first panelboard.
        """
        wants: list[Counter[Want]] = [Counter() for _ in self.units.panels]
        wants[0] += pending or Counter()
        taken = [set[int]() for _ in self.units.panels]
        for number in choice.tolist():
            option = self.options[number]
            if option.want is not None:
                wants[option.panel][option.want] += 1
            elif option.positions:
                members = self.units.units[int(self.unit[number])].members
                here = self._occupied(option.panel, members, option.positions)
                if here & taken[option.panel]:
                    return None
                taken[option.panel] |= here
        found: list[Slots] = []
        for p, required in enumerate(wants):
            if not required:
                found.append({})
                continue
            slots = self.packer(p, frozenset(taken[p])).pack(required)
            if slots is None:
                return None
            found.append(slots)
        return found

    def packer(self, panel: int, taken: frozenset[int]) -> Packer:
        """Return the packer of one panelboard with the positions `taken` unavailable."""
        if (panel, taken) not in self._packers:
            board = self.units.panels[panel]
            self._packers[panel, taken] = Packer(
                board.layout, board.poles, self.units.taken[panel] | taken, self._runs[panel]
            )
        return self._packers[panel, taken]

    def _occupied(
        self, panel: int, members: tuple[int, ...], positions: tuple[int, ...]
    ) -> set[int]:
        layout = self.units.panels[panel].layout
        return {
            n
            for index, position in zip(members, positions, strict=True)
            for n in layout.occupied(position, self.units.circuits[index].poles)
        }


def _shape(number: int, unit: Unit) -> Hashable:
    if len(unit.members) > 1:
        return ("run", number)
    return tuple((o.panel, o.starts, o.want) for o in unit.options)
