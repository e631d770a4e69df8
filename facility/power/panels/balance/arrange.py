"""Balance panelboards with circuit groups, several panelboards at once, and busways.

The optimum and its proof come from iterations of a mixed-integer program.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from facility.core.errors import FacilityError
from facility.core.kinds import FloatArray
from facility.power.panels.balance.choice import Choices
from facility.power.panels.balance.effort import (
    EQUAL,
    Effort,
    Progress,
    ProgressCall,
    Status,
    Watch,
    ended,
)
from facility.power.panels.balance.joint import JointSearch
from facility.power.panels.balance.lines import TIE, TURN, IntArray, Objective
from facility.power.panels.balance.positions import apply_choice, given_choice
from facility.power.panels.balance.program import ChoiceModel
from facility.power.panels.balance.search import ChoiceSearch
from facility.power.panels.balance.units import Units, units_of
from facility.power.panels.board.constraints import groups, impossible
from facility.power.panels.board.model import Panel
from facility.power.panels.board.pack import Packer, Slots

_SOLVER = 1e-7
"""Fraction subtracted from every solver bound, for the finite tolerances of the solver."""

_EVEN_NODES = 2000
"""On all panels tried 100 are sufficient after a proof by the program, 2,000 without one."""

_EVEN_ROUNDS = 20


class Rounds:
    """Iterations of a program, each with tighter cuts than the previous one.

    Each solves the program of `ChoiceModel` and adds the tangents at its solution; the largest
    bound of an iteration holds for the panelboards. They end when the best choice is within the
    gap, or when the limits of `effort` are reached.

    choices, search: Options, and the search over them.
    start: Feasible choice.
    floor: Known bound.
    effort, watch: Limits.
    progress: Called with a `Progress`.

    Attributes
    ----------
    best : ndarray of int
        Best choice found.
    reached, bound : float
        Its objective, and the proven bound.
    values : ndarray or None
        Solution of the program equal to `best`, if it is from the program.
    """

    def __init__(
        self,
        choices: Choices,
        search: ChoiceSearch,
        start: IntArray,
        floor: float,
        effort: Effort,
        watch: Watch,
        progress: ProgressCall | None,
    ) -> None:
        self._choices, self._search = choices, search
        self._effort, self._watch, self._progress = effort, watch, progress
        self.best = start
        self.values: FloatArray | None = None
        self.reached = search.peak(start)
        self.bound = floor if choices.size else self.reached
        self._nodes = 0
        self._stuck = False
        self._reported = -1
        self._scale = self.reached or 1.0
        self._model: ChoiceModel | None = None

    @property
    def status(self) -> Status:
        """Reason for the end of the iterations."""
        return ended(self.reached, self.bound, self._effort, self._watch)

    @property
    def slots(self) -> list[Slots] | None:
        """Positions of the best choice, if only the program has them."""
        if self.values is None or self._model is None or self._choices.fits(self.best):
            return None
        return self._model.slots(self.values, self.best)

    def run(self) -> None:
        """Iterate until the best choice is near the bound, or the effort is used up."""
        while not self.done():
            self.step()

    def done(self) -> bool:
        """Return whether the search is complete or must end."""
        near = self.reached <= self.bound * (1.0 + max(self._effort.gap, EQUAL))
        spent = self._nodes >= self._effort.nodes
        return near or spent or self._stuck or self._watch.stopped()

    def step(self) -> None:
        """Solve the program once, and add cuts at its solution."""
        if self._model is None:
            self._model = ChoiceModel(self._choices, self._scale)
            self._model.sharpen(self.best)
        model = self._model
        ceiling = self.reached / self._scale * (1.0 + _SOLVER)
        solved = model.minimise(
            self.best,
            self.bound / self._scale * (1.0 - _SOLVER),
            ceiling,
            self._effort.gap / 4.0,
            self._effort.nodes - self._nodes,
            self._look,
        )
        self._nodes += solved.nodes
        proven = ceiling if solved.infeasible else min(solved.bound, ceiling)
        before = self.bound
        self.bound = min(max(before, proven * self._scale * (1.0 - _SOLVER)), self.reached)
        if solved.values is None:
            self._stuck = True
            return
        starts = model.starts(solved.values, self.best)
        if not model.positioned and not self._choices.fits(starts):
            model.add_positions()
            return
        shown = float(solved.values[0]) * self._scale
        exact = self._search.peak(starts) <= shown * (1.0 + EQUAL / 4.0)
        self._stuck = exact and self.bound <= before * (1.0 + EQUAL / 4.0)
        model.sharpen(starts)
        self._take(starts, solved.values if model.positioned else None)
        if self._choices.fits(starts):
            self._take(self._search.descend(starts), None)

    def even_choice(self, choice: IntArray, limit: float) -> IntArray:
        """Return `choice`, or a more even one whose peak is at most `limit`.

        If the effort was sufficient for the proof, at most `_EVEN_NODES` further nodes are used;
        none if only the program has the positions.
        """
        choices, search = self._choices, self._search
        near = TIE * float(np.abs(choices.totals(choice)[0]).mean())
        nodes = min(_EVEN_NODES, self._effort.nodes)
        if (
            self._nodes >= self._effort.nodes
            or self._uneven(choice) <= near
            or self._watch.stopped()
        ):
            return choice
        model = self._model or ChoiceModel(choices, self._scale)
        model.sharpen(choice)
        model.aim_even(limit / self._scale, near / self._scale / 4.0)
        seen: set[bytes] = set()
        while nodes > 0:
            solved = model.even_choice(choice, nodes, lambda *_: self._watch.stopped())
            nodes -= solved.nodes + _EVEN_NODES // _EVEN_ROUNDS
            if solved.values is None:
                break
            found = model.starts(solved.values, choice)
            if found.tobytes() in seen:
                break
            if not choices.fits(found):
                if model.positioned:
                    break
                model.add_positions()
                continue
            seen.add(found.tobytes())
            model.sharpen(found)
            model.sharpen_even(found)
            if search.peak(found) <= limit and self._uneven(found) < self._uneven(choice):
                choice = found
            if self._uneven(choice) <= solved.bound * self._scale + near:
                break
        return choice

    def _uneven(self, choice: IntArray) -> float:
        """Return the value minimised by `ChoiceModel.aim_even`."""
        return float(np.abs(self._choices.even_forms(self._choices.totals(choice))).max())

    def _take(self, starts: IntArray, values: FloatArray | None) -> None:
        value = self._search.peak(starts)
        if value < self.reached * (1.0 - 1e-12):
            self.best, self.reached, self.values = starts, value, values
            assert self._model is not None
            self._model.sharpen(starts)

    def _look(self, nodes: int, bound: float) -> bool:
        if self._progress is not None and nodes != self._reported:
            self._reported = nodes
            proven = max(self.bound, bound * self._scale) if np.isfinite(bound) else self.bound
            self._progress(
                Progress(
                    self._nodes + nodes, self._effort.nodes, self.reached, min(proven, self.reached)
                )
            )
        return self._watch.stopped()


_NODES_TO_FIND_ANY = 2000


@dataclass(frozen=True)
class Arranged:
    """Panelboards with all circuits placed, and the proven bound."""

    panels: tuple[Panel, ...]
    bound: float  # Proven lower bound of the weighted objective
    status: Status  # `heuristic`, or the reason for the end of an exact search


def arrange(
    panels: Sequence[Panel],
    objective: Objective,
    kicks: int,
    weights: Sequence[float] = (1.0,),
    effort: Effort | None = None,
    watch: Watch | None = None,
    progress: ProgressCall | None = None,
) -> Arranged:
    """Return `panels` arranged to minimise the largest weighted line value.

    Groups are satisfied. Ties are broken as in `balance`; for several panelboards by the largest
    line current of all together.

    panels: One panelboard or busway, or the panelboards of one cabinet.
    kicks: Effort of the heuristic.
    weights: Factor on the lines of each panelboard.
    effort: Limits of an exact search; None for the heuristic only.
    watch: Stop condition.
    progress: Called during an exact search.

    Raises ``PANEL_GROUP`` for a group without a feasible arrangement, ``PANEL_FULL``.
    """
    watch = watch or Watch()
    if panels[0].is_busway:
        panels = (_at_tap_offs(panels[0]),)
    factors = np.array(weights, dtype=float)
    ties = objective == "current"
    choices = Choices(units_of(panels, objective, weights), factors, ties=ties)
    floor = _floor(choices, objective, factors)
    search = ChoiceSearch(choices, ties=ties, floor=floor)
    joint = JointSearch(choices, floor)
    given = given_choice(choices)
    start = _start(choices, search, given)
    if not ties:
        start = joint.improve(search.descend(start), watch.stopped)

    def stop(reached: float) -> bool:
        # Equal currents are separated by further kicks, unless a proof is requested.
        enough = (joint.reached(reached) and effort is not None) if ties else joint.near(reached)
        return enough or watch.stopped()

    chosen = _improved(choices, search, (start, given), kicks, stop)
    if effort is None:
        return Arranged(apply_choice(choices, chosen), joint.bound, "heuristic")
    return _proven(choices, search, (chosen, given), joint, effort, watch, progress, objective)


def start_phases(units: Units, kicks: int, packer: Packer | None = None) -> IntArray | None:
    """Return the start phase of each of the circuits of units from `loads_of`.

    None if no feasible arrangement was found. `packer` as in `Choices`.
    """
    choices = Choices(units, np.ones(1), ties=True, packer=packer)
    search = ChoiceSearch(choices, ties=True)
    found = search.construct()
    if found is None:
        return None
    choice = search.improve(found, kicks)
    return np.array([choices.options[k].starts[0] for k in choice.tolist()], dtype=np.int64)


def _improved(
    choices: Choices,
    search: ChoiceSearch,
    found: tuple[IntArray, IntArray],
    kicks: int,
    stop: Callable[[float], bool],
) -> IntArray:
    start, given = found
    if choices.size == 0:
        return start
    candidates = [search.improve(start, kicks, stop)]
    if (given >= 0).all() and not np.array_equal(start, given) and choices.fits(given):
        candidates.append(search.improve(given, kicks, stop))
    limit = search.tied(min(search.peak(choice) for choice in candidates))
    near = [choice for choice in candidates if search.peak(choice) <= limit]
    return search.settle(min(near, key=search.measure), given)


def _proven(
    choices: Choices,
    search: ChoiceSearch,
    found: tuple[IntArray, IntArray],
    joint: JointSearch,
    effort: Effort,
    watch: Watch,
    progress: ProgressCall | None,
    objective: Objective,
) -> Arranged:
    heuristic, given = found
    start = heuristic
    if search.lowest is not None and search.peak(search.lowest) < search.peak(heuristic):
        start = search.lowest
    if objective == "current":
        start = joint.improve(start, watch.stopped)
    rounds = Rounds(choices, search, start, joint.bound, effort, watch, progress)
    if choices.units.complete:
        rounds.run()
    best, known = rounds.best, rounds.slots
    limit = rounds.reached
    if objective == "current":
        near = max(limit, rounds.bound * (1.0 + min(TIE, effort.gap)))
        limit = min(search.peak(heuristic), near)
    limit *= 1.0 + 1e-12
    if choices.size and known is None:
        as_good = [c for c in (best, heuristic) if search.peak(c) <= limit]
        candidates = [best, *(search.even_out(c, limit) for c in as_good)]
        best = min(candidates, key=search.measure)
        if objective == "current":
            best = search.even_out(rounds.even_choice(best, limit), limit)
        best = search.settle(best, given, limit)
    return Arranged(apply_choice(choices, best, known), rounds.bound, rounds.status)


def _start(choices: Choices, search: ChoiceSearch, given: IntArray) -> IntArray:
    """Return a feasible choice.

    Raises ``PANEL_GROUP`` or ``PANEL_FULL`` if there is none, or none was found.
    """
    found = search.construct()
    if found is not None:
        return found
    if (given >= 0).all() and choices.fits(given):
        return given
    found, none = ChoiceModel(choices, 1.0).any_choice(_NODES_TO_FIND_ANY)
    if found is not None and choices.fits(found):
        return found
    raise _refusal(choices, proven=none)


def _refusal(choices: Choices, *, proven: bool) -> FacilityError:
    """Return the error for panelboards without a feasible arrangement."""
    panels = choices.units.panels
    tags = ", ".join(panel.tag for panel in panels)
    circuits = choices.units.circuits
    found = [("together", name) for name in groups(circuits, "together")]
    found += [("apart", name) for name in groups(circuits, "apart")]
    if len(choices.units.panels) > 1:
        found += [("partners of", circuit.id) for circuit in circuits if circuit.partner]
    for kind, name in found:
        loose = [_without(panel, kind, name) for panel in panels]
        freed = Choices(units_of(loose, "va", (1.0,) * len(loose)), np.ones(len(loose)), ties=False)
        if ChoiceSearch(freed, ties=False).construct() is not None:
            sure = "the other circuits leave no room for it in any arrangement."
            unsure = "no arrangement was found that fits it with the other circuits."
            return impossible(tags, kind, name, sure if proven else unsure)
    return FacilityError(
        "PANEL_FULL",
        tags,
        "the circuits do not fit the free positions; a breaker needs adjacent positions, "
        "and groups must be kept together or apart.",
        "Use a larger panel, free a fixed circuit, or move circuits elsewhere.",
    )


def _without(panel: Panel, kind: str, name: str) -> Panel:
    """Return a panelboard without one of its groups, or without the partners of a circuit."""
    circuits = []
    for circuit in panel.circuits:
        if kind == "together" and circuit.together == name:
            circuit = replace(circuit, together="")
        if kind == "apart" and circuit.apart == name:
            circuit = replace(circuit, apart="")
        if kind == "partners of" and circuit.id == name:
            circuit = replace(circuit, partner="")
        circuits.append(circuit)
    return replace(panel, circuits=tuple(circuits))


def _floor(choices: Choices, objective: Objective, weights: FloatArray) -> float:
    """Return a lower bound of the largest weighted line value of any arrangement.

    For each line x let J_x = I_x rotated by its phase voltage, so that V conj(J_x) is the complex
    power V_x conj(I_x). The circuits of one side stay in its panelboards; their powers have the
    same sum on any line of any panelboard. With |I_x| <= f / w on every line of a panelboard of
    weight w, the sum of 3 f / w over its panelboards is at least |sum J|. If no load has a power
    factor below 0.5, Re J_x of every load on every line is not negative, hence max |I_x| >=
    max Re J_x of the fixed loads together with any one movable load in its best position.
    Schedule VA are the same without the rotation.
    """
    turn = TURN if objective == "current" else np.ones(3)
    shape = (len(choices.base), len(weights), 3)
    base = choices.base.reshape(shape) * turn
    parts = choices.parts.reshape(len(choices.parts), *shape) * turn
    firsts = parts[choices.first[:-1]].sum(axis=0)
    whole = ((base + firsts) / weights[:, None]).sum(axis=-1)
    sides = np.array([panel.side for panel in choices.units.panels])
    bound = max(
        float(np.abs(whole[:, sides == side].sum(axis=1)).max())
        / 3.0
        / float((1.0 / weights[sides == side]).sum())
        for side in dict.fromkeys(sides.tolist())
    )
    scale = max(bound, 1e-300)
    if min(float(base.real.min()), float(parts.real.min(initial=0.0))) < -1e-9 * scale:
        return bound
    with_one = (base + parts).real.max(axis=(1, 2, 3), initial=-np.inf)
    alone = [float(with_one[choices.unit == unit].min()) for unit in range(choices.size)]
    return max(bound, float(base.real.max()), *alone)


def _at_tap_offs(busway: Panel) -> Panel:
    """Return a busway with a tap-off for every circuit, groups at adjacent ones.

    A tap-off is a row of a single-column panelboard, and every circuit a single-pole breaker; the
    phases are ignored.
    """
    nothing = ((0j,),) * len(busway.states)
    rows = replace(
        busway,
        numbering="SINGLE",
        circuits=tuple(
            replace(c, poles=1, connection="L-N", power_va=nothing, apart="", tap_phase=None)
            for c in busway.circuits
        ),
    )
    placed = arrange((rows,), "va", 0).panels[0]
    return replace(
        busway,
        circuits=tuple(
            replace(circuit, position=row.position)
            for circuit, row in zip(busway.circuits, placed.circuits, strict=True)
        ),
    )
