"""Mixed-integer program of the unit options, including groups and positions.

Identical units are counted, not distinguished. The magnitude of a line phasor is replaced by its
projections on some directions, which never exceed it, so every bound of the program is a bound of
the panelboards. Positions are added only after an infeasible choice was found.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict

import numpy as np

from facility.core.kinds import ComplexArray, FloatArray
from facility.power.panels.balance.choice import Choices
from facility.power.panels.balance.lines import IntArray, reuse_numbers
from facility.power.panels.balance.solver import Look, Program, SolverAnswer
from facility.power.panels.board.pack import ANY, Slots, Want

_FAN = (0.0, -0.1, 0.1, -0.25, 0.25)
"""Directions around the line phasor of a balanced panel [rad]."""

_ROUND = 12
"""Directions all around, for phasors without a preferred direction."""

_Sort = tuple[int, int, int]
"""Panelboard; poles, or minus the rows of a run, or 0; for a run its first position."""


class ChoiceModel:
    """Program of the choices of some panelboards; its values are fractions of `scale`."""

    def __init__(self, choices: Choices, scale: float) -> None:
        self._choices = choices
        self._parts, self._base = choices.parts / scale, choices.base / scale
        self._kinds = choices.kinds()
        self._program = Program()
        self._peak = self._program.column(0.0, math.inf, whole=False)
        self._uneven = self._program.column(0.0, math.inf, whole=False)
        self._columns = [
            [self._program.column(0.0, len(kind)) for _ in self._options(kind)]
            for kind in self._kinds
        ]
        self._arcs: dict[int, tuple[_Sort, int]] = {}
        for columns, kind in zip(self._columns, self._kinds, strict=True):
            self._program.row(len(kind), len(kind), columns, [1.0] * len(columns))
        self._hold_apart()
        self._room()
        self._fan_out()

    @property
    def positioned(self) -> bool:
        """Whether the program includes the positions."""
        return bool(self._arcs)

    def _options(self, kind: IntArray) -> range:
        """Return the options of the first unit of a group."""
        return range(int(self._choices.first[kind[0]]), int(self._choices.first[kind[0] + 1]))

    def _each(self) -> list[tuple[int, int]]:
        """Return every column with its counted option."""
        return [
            (column, option)
            for columns, kind in zip(self._columns, self._kinds, strict=True)
            for column, option in zip(columns, self._options(kind), strict=True)
        ]

    def _hold_apart(self) -> None:
        marks = self._choices.marks
        for token in range(marks.shape[1]):
            users = [column for column, option in self._each() if marks[option, token]]
            self._program.row(0.0, 1.0, users, [1.0] * len(users))

    def _room(self) -> None:
        """Limit the poles to the free positions of each phase, and in total."""
        units = self._choices.units
        for p, panel in enumerate(units.panels):
            if panel.is_busway:
                continue
            free = [n for n in range(1, panel.poles + 1) if n not in units.taken[p]]
            room = Counter(panel.layout.phase(n) for n in free)
            needs = [(column, self._need(option, p)) for column, option in self._each()]
            for phase in range(3):
                of_phase = [(column, need[phase]) for column, need in needs if need[phase]]
                columns, poles = [c for c, _ in of_phase], [float(n) for _, n in of_phase]
                self._program.row(0.0, room[phase], columns, poles)
            used = [(column, sum(need)) for column, need in needs if sum(need)]
            self._program.row(0.0, len(free), [c for c, _ in used], [float(n) for _, n in used])

    def _need(self, number: int, panel: int) -> tuple[int, int, int, int]:
        """Return the poles of an option on A, B, C of a panelboard, and on any phase."""
        units = self._choices.units
        option = self._choices.options[number]
        need = [0, 0, 0, 0]
        if option.panel != panel:
            return (0, 0, 0, 0)
        members = units.units[int(self._choices.unit[number])].members
        for index, start in zip(members, option.starts, strict=True):
            circuit = units.circuits[index]
            if circuit.fixed:
                continue
            for pole in range(circuit.poles):
                need[3 if start == ANY and circuit.poles < 3 else (start + pole) % 3] += 1
        return (need[0], need[1], need[2], need[3])

    def _fan_out(self) -> None:
        self._straight = not (np.any(self._parts.imag) or np.any(self._base.imag))
        if self._straight:
            self._cut(np.zeros(self._base.shape))
            return
        angles = self._choices.balanced_angles()
        for offset in _FAN:
            self._cut(angles + offset)

    def _cut(self, angles: FloatArray) -> None:
        """Constrain the peak above the projection of every line of every state on its angle."""
        parts = self._parts.reshape(len(self._parts), -1)
        self._above(self._peak, parts, self._base.ravel(), angles.ravel())

    def _above(
        self, bounded: int, parts: ComplexArray, base: ComplexArray, angles: FloatArray
    ) -> None:
        """Constrain a column above the projections of all phasors, options and base."""
        each = self._each()
        columns = [bounded, *(column for column, _ in each)]
        slopes = parts[np.array([option for _, option in each], dtype=np.int64)]
        for form, angle in enumerate(angles):
            turn = np.exp(-1j * angle)
            row = [1.0, *(-(slopes[:, form] * turn).real)]
            self._program.row(float((base[form] * turn).real), math.inf, columns, row)

    def sharpen(self, choice: IntArray) -> None:
        """Add the tangents at the line phasors of `choice`, where the program is then exact."""
        if not self._straight:
            self._cut(np.angle(self._base + self._parts[choice].sum(axis=0)))

    def aim_even(self, limit: float, near: float) -> None:
        """Minimise the secondary objective to within `near`, below a peak limit."""
        self._program.limit(self._peak, 0.0, limit)
        self._program.aim(self._uneven, near)
        forms = self._choices.even_forms(self._base).shape[-1]
        for angle in np.arange(_ROUND) * 2.0 * np.pi / _ROUND:
            self._even_cut(np.full(forms, angle))

    def sharpen_even(self, choice: IntArray) -> None:
        """Add the tangents of the secondary objective at `choice`."""
        total = self._base + self._parts[choice].sum(axis=0)
        self._even_cut(np.angle(self._choices.even_forms(total)))

    def _even_cut(self, angles: FloatArray) -> None:
        forms = self._choices.even_forms
        self._above(self._uneven, forms(self._parts), forms(self._base), angles)

    def even_choice(self, start: IntArray, nodes: int, look: Look) -> SolverAnswer:
        """Return the solution of `aim_even`, starting from the choice `start`."""
        return self._program.minimise(self._given(start), 0.0, nodes, look)

    def add_positions(self) -> None:
        """Add the positions of breakers and runs to the program."""
        units = self._choices.units
        required: dict[_Sort, list[tuple[int, int]]] = defaultdict(list)
        for column, number in self._each():
            option = self._choices.options[number]
            if option.want is not None:
                required[option.panel, option.want[0], 0].append((column, option.want[1]))
            elif option.positions:
                required[option.panel, 0, min(option.positions)].append((column, ANY))
        for p in range(len(units.panels)):
            self._paths(p, [sort for sort in required if sort[0] == p])
        for sort, users in required.items():
            self._tie(sort, users)

    def _paths(self, p: int, sorts: list[_Sort]) -> None:
        panel = self._choices.units.panels[p]
        sizes = {sort: self._rows(sort) for sort in sorts}
        for column in panel.layout.columns(panel.poles):
            steps: list[list[tuple[int, float]]] = [[] for _ in range(len(column) + 1)]
            for row, position in enumerate(column):
                fitting = [s for s in sorts if self._fits(s, column, row, sizes[s])]
                for sort in (None, *fitting):
                    arc = self._program.column(0.0, 1.0)
                    steps[row].append((arc, 1.0))
                    steps[row + (sizes[sort] if sort else 1)].append((arc, -1.0))
                    if sort:
                        self._arcs[arc] = (sort, position)
            for row, ends in enumerate(steps):
                flow = float(row == 0) - float(row == len(column))
                self._program.row(flow, flow, [a for a, _ in ends], [v for _, v in ends])

    def _rows(self, sort: _Sort) -> int:
        if sort[1]:
            return abs(sort[1])
        units = self._choices.units
        return next(
            sum(units.circuits[i].poles for i in unit.members)
            for unit in units.units
            for option in unit.options
            if option.panel == sort[0] and option.positions and min(option.positions) == sort[2]
        )

    def _fits(self, sort: _Sort, column: range, row: int, rows: int) -> bool:
        units = self._choices.units
        panel, position = units.panels[sort[0]], column[row]
        if row + rows > len(column) or (sort[2] and position != sort[2]):
            return False
        if sort[1] > 0 and not panel.layout.may_start(position, sort[1], panel.poles):
            return False
        blocked = units.taken[sort[0]].intersection(column[row : row + rows])
        return not blocked or bool(sort[2])

    def _tie(self, sort: _Sort, users: list[tuple[int, int]]) -> None:
        """Constrain the count of a breaker type to its required number."""
        layout = self._choices.units.panels[sort[0]].layout
        arcs = {arc: layout.phase(at) for arc, (found, at) in self._arcs.items() if found == sort}
        columns = [column for column, _ in users]
        ones = [1.0] * len(arcs) + [-1.0] * len(columns)
        self._program.row(0.0, 0.0, [*arcs, *columns], ones)
        for start in range(3):
            here = [arc for arc, at in arcs.items() if at == start]
            counts = [column for column, phase in users if phase == start]
            ones = [1.0] * len(here) + [-1.0] * len(counts)
            self._program.row(0.0, math.inf, here + counts, ones)

    def minimise(
        self, start: IntArray, floor: float, ceiling: float, gap: float, nodes: int, look: Look
    ) -> SolverAnswer:
        """Return the minimum peak between `floor` and `ceiling`, from the choice `start`."""
        self._program.limit(self._peak, floor, ceiling)
        given = [(self._peak, ceiling), *self._given(start)]
        return self._program.minimise(given, gap, nodes, look)

    def _given(self, start: IntArray) -> list[tuple[int, float]]:
        return [
            (column, float(sum(start[unit] - self._choices.first[unit] == k for unit in kind)))
            for columns, kind in zip(self._columns, self._kinds, strict=True)
            for k, column in enumerate(columns)
        ]

    def any_choice(self, nodes: int) -> tuple[IntArray | None, bool]:
        """Return a feasible choice, and whether infeasibility is proven."""
        if not self.positioned:
            self.add_positions()
        solved = self._program.minimise([], math.inf, nodes, lambda *_: False)
        if solved.values is None:
            return None, solved.infeasible
        return self.starts(solved.values, self._choices.first[:-1]), False

    def starts(self, values: FloatArray, near: IntArray) -> IntArray:
        """Return the option of every unit; identical units keep `near` if possible."""
        choice = near.copy()
        first = self._choices.first
        for columns, kind in zip(self._columns, self._kinds, strict=True):
            counts = np.rint(values[columns]).astype(np.int64)
            choice[kind] = first[kind] + reuse_numbers(near[kind] - first[kind], counts)
        return choice

    def slots(self, values: FloatArray, choice: IntArray) -> list[Slots]:
        """Return the positions of a solution that includes them, by panelboard and breaker type."""
        options = [self._choices.options[number] for number in choice.tolist()]
        missing = Counter((o.panel, o.want) for o in options if o.want is not None)
        slots: list[Slots] = [{} for _ in self._choices.units.panels]
        for arc, ((p, size, pinned), position) in self._arcs.items():
            if values[arc] < 0.5 or pinned:
                continue
            want: Want = (size, self._choices.units.panels[p].layout.phase(position))
            if missing[p, want] == 0:
                want = (size, ANY)
            missing[p, want] -= 1
            slots[p].setdefault(want, []).append(position)
        return slots
