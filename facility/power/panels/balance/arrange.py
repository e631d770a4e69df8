"""Balance panelboards whose circuits stand together or apart, several at once, and busways."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from facility.core.errors import FacilityError
from facility.core.kinds import FloatArray
from facility.power.panels.balance.choice import Choices
from facility.power.panels.balance.effort import EQUAL, Effort, ProgressCall, Status, Watch
from facility.power.panels.balance.lines import TIE, TURN, IntArray, Objective
from facility.power.panels.balance.positions import given_choice, place_choice
from facility.power.panels.balance.program import ChoiceModel
from facility.power.panels.balance.rounds import Rounds
from facility.power.panels.balance.search import ChoiceSearch
from facility.power.panels.balance.units import Units, units_of
from facility.power.panels.board.constraints import groups, impossible
from facility.power.panels.board.model import Panel
from facility.power.panels.board.pack import Packer

_NODES_TO_FIND_ANY = 2000


@dataclass(frozen=True)
class Arranged:
    """Panelboards with every circuit placed, and what is proven about them."""

    panels: tuple[Panel, ...]
    bound: float  # No arrangement has a lower objective, in its measure times the weights
    status: Status  # `heuristic`, or why an exact search ended


def arrange(
    panels: Sequence[Panel],
    objective: Objective,
    kicks: int,
    weights: Sequence[float] = (1.0,),
    effort: Effort | None = None,
    watch: Watch | None = None,
    progress: ProgressCall | None = None,
) -> Arranged:
    """Return `panels` so that the largest line value times its weight is least.

    Groups hold. Ties are broken as by `balance`; of several panelboards by the largest line
    current of all together.

    panels: One panelboard or busway, or the panelboards of one cabinet.
    kicks: Effort of the heuristic.
    weights: Factor on the lines of each panelboard.
    effort: Limits of an exact search; None for none.
    watch: Tells when to stop.
    progress: Called during an exact search.

    Raises ``PANEL_GROUP`` for a group that no arrangement can satisfy, ``PANEL_FULL``.
    """
    watch = watch or Watch()
    if panels[0].is_busway:
        panels = (_at_tap_offs(panels[0]),)
    factors = np.array(weights, dtype=float)
    ties = objective == "current"
    choices = Choices(units_of(panels, objective, weights), factors, ties=ties)
    floor = _floor(choices, objective, factors)
    search = ChoiceSearch(choices, ties=ties, floor=floor)
    given = given_choice(choices)
    enough = floor * (1.0 + EQUAL) if effort else -1.0
    start = _start(choices, search, given)
    chosen = _improved(
        choices, search, (start, given), kicks, lambda least: least <= enough or watch.stopped()
    )
    if effort is None:
        return Arranged(place_choice(choices, chosen), floor, "heuristic")
    return _proven(choices, search, (chosen, given), floor, effort, watch, progress, objective)


def start_phases(units: Units, kicks: int, packer: Packer | None = None) -> IntArray | None:
    """Return the start phase of each of the circuits that `loads_of` made units of.

    None where no arrangement was found that fits. `packer` as for `Choices`.
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
    floor: float,
    effort: Effort,
    watch: Watch,
    progress: ProgressCall | None,
    objective: Objective,
) -> Arranged:
    heuristic, given = found
    start = heuristic
    if search.lowest is not None and search.peak(search.lowest) < search.peak(heuristic):
        start = search.lowest
    rounds = Rounds(choices, search, start, floor, effort, watch, progress)
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
            best = search.even_out(rounds.most_even(best, limit), limit)
        best = search.settle(best, given, limit)
    return Arranged(place_choice(choices, best, known), rounds.bound, rounds.status)


def _start(choices: Choices, search: ChoiceSearch, given: IntArray) -> IntArray:
    """Return a choice that fits.

    Raises ``PANEL_GROUP`` or ``PANEL_FULL`` when there is none, or none was found.
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
    """Return the error about panelboards that hold their circuits in no arrangement."""
    panels = choices.units.panels
    tags = ", ".join(panel.tag for panel in panels)
    for kind, name in _names(choices):
        loose = [_without(panel, kind, name) for panel in panels]
        freed = Choices(units_of(loose, "va", (1.0,) * len(loose)), np.ones(len(loose)), ties=False)
        if ChoiceSearch(freed, ties=False).construct() is not None:
            sure = "no arrangement of the other circuits leaves room for it."
            unsure = "no arrangement was found that holds it beside the other circuits."
            return impossible(tags, kind, name, sure if proven else unsure)
    return FacilityError(
        "PANEL_FULL",
        tags,
        "the circuits do not fit the free positions, breakers being of one "
        "piece and groups standing together or apart.",
        "Use a larger panel, free a fixed circuit, or move circuits elsewhere.",
    )


def _names(choices: Choices) -> list[tuple[str, str]]:
    circuits = choices.units.circuits
    found = [("together", name) for name in groups(circuits, "together")]
    found += [("apart", name) for name in groups(circuits, "apart")]
    if len(choices.units.panels) > 1:
        found += [("partners of", circuit.id) for circuit in circuits if circuit.partner]
    return found


def _without(panel: Panel, kind: str, name: str) -> Panel:
    """Return a panelboard without one of its groups, or of its circuits that name partners."""
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
    """Return a bound on the largest weighted line value of any arrangement.

    For each line x let J_x = I_x turned by its phase voltage, so that V conj(J_x) is the complex
    power V_x conj(I_x). The circuits of one side stay in its panelboards; their powers add up to
    the same, whatever line of whichever panelboard each is on. With |I_x| <= f / w on every line of
    a panelboard of weight w, the sum of 3 f / w over its panelboards is not less than |sum J|.
    Where no load has a power factor below 0.5, Re J_x of every load on every line is not negative,
    hence max |I_x| >= max Re J_x of the fixed loads together with any one movable load at its best.
    Schedule VA are the same without the turn.
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
    """Return a busway with a tap-off for every circuit, groups at neighbouring ones.

    A tap-off is a row of a panelboard of one column, and every circuit a breaker of one pole; the
    phases are of no matter.
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
