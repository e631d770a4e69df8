"""Isolation study: switching steps of one or many targets, verified state by state.

A planning aid, not a switching procedure: the installation, its interlocks and its operating rules
decide, and a qualified person writes the procedure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from facility.core.views import show
from facility.power.network.graph.types import Outage
from facility.study.design.design import Design
from facility.study.equipped import equipped
from facility.study.isolation.actions import Phase, RouteView, SwitchingAction, listed
from facility.study.isolation.devices import DeviceData
from facility.study.isolation.positions import SourceCheck
from facility.study.isolation.safety import RESTORE_CLAUSES, Hazard, IsolationPoint, SafeWork
from facility.study.isolation.states import StateEffect, StateEffects, key_of
from facility.study.isolation.steps import final_outage, reversed_actions, switching
from facility.study.isolation.topology import IsolationTarget, Topology

PLANNING_AID = (
    "Planning aid, not a switching procedure: check every step against the installation, its"
    " interlocks and its operating rules."
)

_BACK: Mapping[Phase, Phase] = MappingProxyType({"open": "close", "transfer": "return"})
"""Phases of the way back."""


@dataclass(frozen=True, slots=True)
class IsolationStep:
    """Numbered step, with the state after it."""

    number: int
    phase: Phase
    action: str
    devices: tuple[str, ...]
    location: str
    clause: str
    effect: StateEffect  # State after the step
    result: str  # What changes in that state, as text


@dataclass(frozen=True, eq=False)
class Isolation:
    """Isolation of one target for maintenance.

    Attributes
    ----------
    tag, kind : str
        Tag as entered; kind of equipment, "circuit", "load", "mechanical board", "cooling unit".
    members : tuple[str, ...]
        Equipment and loads that end dead, the subject first.
    reasons : tuple[str, ...]
        Why more than the subject ends dead.
    steps, restoring : tuple[IsolationStep, ...]
        Steps to the safe work condition, and back in reverse order.
    points : tuple[IsolationPoint, ...]
        Points to lock out and tag.
    tests : tuple[str, ...]
        Points to test for absence of voltage.
    hazards : tuple[Hazard, ...]
        Back-feed, stored energy, neutral, control power, what stays energized.
    end : StateEffect
        Effect of the final state.
    dead : bool
        Whether the final state has the members dead from every source.
    stopped : str
        Why the list stops, with the input that would decide it; empty if it is complete.
    utility_lost : StateEffect
        Effect of the loss of the utility in the final state, generators started.
    fuel_s : float, optional
        Running time of the generators at the design load [s]; None if not known.
    """

    tag: str
    kind: str
    members: tuple[str, ...]
    reasons: tuple[str, ...]
    steps: tuple[IsolationStep, ...]
    restoring: tuple[IsolationStep, ...]
    points: tuple[IsolationPoint, ...]
    tests: tuple[str, ...]
    hazards: tuple[Hazard, ...]
    end: StateEffect
    dead: bool
    stopped: str
    utility_lost: StateEffect
    fuel_s: float | None = None

    def __repr__(self) -> str:
        state = f"stopped: {self.stopped}" if self.stopped else f"{len(self.steps)} steps"
        return f"<Isolation of {self.tag}: {state}>"

    @property
    def outcome(self) -> str:
        """Final state in one word: "dead", "stopped", or "NOT DEAD"."""
        return "stopped" if self.stopped else "dead" if self.dead else "NOT DEAD"

    @property
    def highest(self) -> tuple[str, float] | None:
        """Component with the highest loading in any step, with its loading."""
        found = [one.effect.highest for one in self.steps if one.effect.highest]
        return max(found, key=lambda figure: figure[1], default=None)

    @property
    def cooling_lost(self) -> bool:
        """Whether a step holds because cooling load is lost or units on duty are missing."""
        return any(one.phase == "hold" for one in self.steps)

    @property
    def opened(self) -> tuple[str, ...]:
        """Tags of the devices opened, in order."""
        found = [tag for one in self.steps if one.phase == "open" for tag in one.devices]
        return tuple(dict.fromkeys(found))


@equipped
def isolations(design: Design, tags: Sequence[str] | None = None) -> tuple[Isolation, ...]:
    """Return the isolation of each tag; the states of all are solved together.

    Parameters
    ----------
    design : Design
        The design.
    tags : sequence of str, optional
        Equipment, units, circuits, loads, mechanical boards, cooling units; default all.

    Raises
    ------
    FacilityError
        ``NETWORK_TAG`` for a tag outside the project, with near matches; the errors of the network.
    """
    topology = Topology(design.distribution.plan)
    targets = [topology.target(tag) for tag in (topology.tags if tags is None else tags)]
    effects = StateEffects(design.states)
    finals = [final_outage(topology, target) for target in targets]
    ends = effects.views(finals)
    riding = effects.views(finals, batteries=True)
    actions = [
        switching(topology, target, effects.start, end, _normal_w(effects, target))
        for target, end in zip(targets, ends, strict=True)
    ]
    utility = [u for e in effects.network.equipment if e.kind == "utility" for u in e.unit_tags]
    lost = [
        Outage("utility lost", (*each[-1].outage.lost, *utility), each[-1].outage.maintained)
        for each in actions
    ]
    found = effects.solve([*(one.outage for each in actions for one in each), *lost])
    data, check = DeviceData(design), SourceCheck(topology, effects.start)
    return tuple(
        _isolation(
            SafeWork(data, topology, target, each, effects.start, end),
            found,
            check,
            dead=_dead(topology, target, each, (end, on_battery)),
            utility_lost=found[key_of(without)],
        )
        for target, each, end, on_battery, without in zip(
            targets, actions, ends, riding, lost, strict=True
        )
    )


def isolation(design: Design, tag: str) -> Isolation:
    """Return the isolation of one tag; see `isolations`."""
    return isolations(design, [tag])[0]


def _normal_w(effects: StateEffects, target: IsolationTarget) -> float:
    """Return the power that the subject of an isolation carries in the normal state [W]."""
    normal, network = effects.solver.normal, effects.network
    if target.unit:
        count = len(network[target.of].unit_tags)
        return float(normal.output_w[network.index[target.of], 0]) / count
    subject = target.members[0] if target.members else ""
    if subject and subject not in network.index:
        return next(load.kind.total_w for load in network.loads if load.tag == subject)
    return float(normal.output_w[network.index[subject], 0]) if subject else 0.0


def _dead(
    topology: Topology,
    target: IsolationTarget,
    actions: Sequence[SwitchingAction],
    ends: Sequence[RouteView],
) -> bool:
    """Return whether the target is dead from every source in the final state.

    Each member is without supply in the solved state, on batteries too, and every connection to
    something else is open, in whichever direction it could be energized.
    """
    out = set(actions[-1].outage.out)
    if target.boards:
        return True
    if target.unit:
        return {target.unit, *target.partners} <= out
    network, inside = topology.network, set(target.members)
    for view in ends:
        live = view.live
        if any(live[network.index[one.tag]] for one in topology.equipment(target.members)):
            return False
        if any(view.pattern[topology.loads[t]] for t in inside.intersection(topology.loads)):
            return False
    return all(
        one.plug
        or one.circuit in out
        or (one.own and out.issuperset(network[one.own].unit_tags))
        or {one.source, one.target} <= inside
        for one in topology.connections(target.members)
    )


def _isolation(
    safe: SafeWork,
    found: dict[tuple[str, ...], StateEffect],
    check: SourceCheck,
    *,
    dead: bool,
    utility_lost: StateEffect,
) -> Isolation:
    """Return the numbered steps with their states, up to the first that is not evaluated."""
    target, steps = safe.target, list[IsolationStep]()
    actions, stops = safe.actions, dict(check.refusals(tuple(safe.actions)))
    early = target.refusal or stops.get(-1, "")
    if not early and not dead:
        early = "a device that separates it from every source is not in the model"
    stopped = f"step 2: NOT_EVALUATED: {early}" if early else ""
    effects = [found[key_of(action.outage)] for action in actions]
    racks = dict(figure for effect in effects for figure in effect.racks)
    others = dict(figure for effect in effects for figure in effect.others)
    off = StateEffect(tuple(racks.items()), sum(racks.values()), tuple(others.items()))
    before = StateEffect()
    for number, (action, solved) in enumerate(zip(actions, effects, strict=True)):
        effect = _with_off(solved, off) if number else solved
        if refusal := stops.get(number, ""):
            effect = replace(effect, refusal=f"NOT_EVALUATED: {refusal}")
        steps.append(_step(safe, len(steps) + 1, action, before, effect))
        before = effect
        if effect.refusal:
            stopped = f"step {len(steps)}: {effect.refusal}"
        if stopped:
            break
        if not number:
            steps += _precautions(safe, off, effects)
            before = _with_off(effect, off)
    restoring: list[IsolationStep] = []
    if not stopped:
        for phase, text, devices, location in safe.steps():
            action = SwitchingAction(phase, text, "", devices, location, safe.actions[-1].outage)
            steps.append(_step(safe, len(steps) + 1, action, before, before))
        restoring = list(_restoring(safe, found, before, off))
    fuel = safe.design.results.get("generator.fuel_time")
    return Isolation(
        target.tag,
        target.kind,
        target.members or (target.unit or target.tag,),
        target.reasons,
        tuple(steps),
        tuple(restoring),
        () if stopped else safe.points,
        () if stopped else tuple(safe.test_points()),
        () if target.refusal else safe.hazards,
        before,
        dead and not stopped,
        stopped,
        utility_lost,
        fuel.si if fuel is not None and isinstance(fuel.si, float) else None,
    )


def _with_off(effect: StateEffect, off: StateEffect) -> StateEffect:
    """Return the effect of a state with loads shut down in it."""
    left = tuple(one for one in effect.not_redundant if one not in off.racks)
    return replace(
        effect, racks=off.racks, dropped_w=off.dropped_w, others=off.others, not_redundant=left
    )


def _precautions(
    safe: SafeWork, off: StateEffect, effects: Sequence[StateEffect]
) -> Iterator[IsolationStep]:
    """Yield holds with their time limits, and the shutdown of the loads that lose power.

    Lost cooling is limited by the ride-through, generators by their fuel, and load without UPS
    input by nothing: it is in the results of the steps.
    """
    effect = effects[0]
    boards = {board.load for board in safe.topology.boards.values()}
    cooling = [tag for tag, _ in off.others if tag in boards]
    short = any("COOLING SHORT" in action.text for action in safe.actions)
    number = 2
    if cooling or short:
        what = f"cooling load {listed(cooling)} loses power" if cooling else "COOLING SHORT"
        text = (
            f"HOLD: {what}. Continue only when the IT load that it cools is shut down or is cooled"
            f" by other means; {_time_without_cooling(safe.design, safe.target.tag)}."
        )
        yield IsolationStep(number, "hold", text, (), safe.target.tag, "", effect, "")
        number += 1
    generated_w = max(one.generator_w for one in effects)
    if generated_w > max(0.0, effect.generator_w):
        text = (
            f"HOLD: generators carry {show(generated_w, 'active_power')} in a step below. Continue "
            f"only with fuel for the whole work; {_generator_limits(safe.design)}."
        )
        yield IsolationStep(number, "hold", text, (), safe.target.tag, "", effect, "")
        number += 1
    if off.racks or off.others:
        parts = []
        if off.racks:
            power = show(off.dropped_w, "active_power")
            tags = listed([tag for tag, _ in off.racks])
            parts.append(f"Shut down {len(off.racks):,} IT loads ({power}): {tags}")
        if off.others:
            tags = listed([f"{tag} ({show(w, 'active_power')})" for tag, w in off.others])
            parts.append(f"Stop {tags}")
        text = ". Then: ".join(parts)
        after = _with_off(effect, off)
        devices = tuple(tag for tag, _ in (*off.racks, *off.others))
        result = "these loads are off; the steps below drop no other load"
        yield IsolationStep(number, "shut down", f"{text}.", devices, "", "", after, result)


def _time_without_cooling(design: Design, tag: str) -> str:
    """Return the first temperature limit of the ride-through study that is exceeded.

    The case of the loss of the equipment, or, where it is not a case, the fastest of all cases.
    """
    study = design.ride_through.study
    cases = () if study is None else study.evaluated
    own = [one for one in cases if one.case.title == f"loss of {tag}"]
    known = [(one.first[1], one) for one in own or cases if one.first is not None]
    if not own and not known:
        return "facility transient states the time to the temperature limit"
    if not known:
        time = show(own[0].horizon_s, "time", digits=0)
        return f"no temperature limit is exceeded in {time} (ride-through, loss of {tag})"
    found = min(known, key=lambda one: one[0])[1]
    return f"time limit with the IT load on: {found.first_words} (ride-through, {found.case.title})"


def _generator_limits(design: Design) -> str:
    """Return the fuel time at the design load, and the battery autonomy during the transfer."""
    words = []
    for key, name in (
        ("generator.fuel_time", "fuel at the design load"),
        ("battery.autonomy_normal", "battery autonomy until the generators have taken the load"),
    ):
        found = design.results.get(key)
        if found is not None and isinstance(found.si, float):
            words.append(f"{name} {show(found.si, 'time')}")
    return f"time limits: {', '.join(words) or 'not known'}"


def _step(
    safe: SafeWork,
    number: int,
    action: SwitchingAction,
    before: StateEffect,
    after: StateEffect,
    restoring: str = "",
) -> IsolationStep:
    """Return a numbered step; `restoring` is the clause of a step of the way back."""
    location = safe.data.location(action.location, action.devices)
    text = (restoring and action.undo) or action.text
    clause = restoring or safe.clauses[action.phase]
    result = change_text(before, after, switched=action.phase in ("transfer", "open"))
    phase = _BACK.get(action.phase, action.phase) if restoring else action.phase
    return IsolationStep(number, phase, text, action.devices, location, clause, after, result)


def _restoring(
    safe: SafeWork, found: dict[tuple[str, ...], StateEffect], end: StateEffect, off: StateEffect
) -> Iterator[IsolationStep]:
    """Yield the way back: grounds and locks first, the actions in reverse order, then the loads."""
    grounds = "temporary grounds" if safe.us else "earthing and short-circuiting devices"
    first = SwitchingAction(
        "check",
        f"Remove tools and {grounds}, count them, check that everyone is clear; then remove locks"
        " and tags, each by the person who applied it.",
        "",
        location=safe.target.tag,
    )
    clause = RESTORE_CLAUSES["NEC" if safe.us else "IEC"]
    yield _step(safe, 1, first, end, end, clause)
    before, number = end, 2
    for action, outage in reversed_actions(safe.actions):
        after = found.get(key_of(outage), StateEffect())
        if action is not safe.actions[0]:
            after = _with_off(after, off)
        elif off.racks or off.others:
            devices = tuple(tag for tag, _ in (*off.others, *off.racks))
            text = f"Start the loads that were shut down, cooling first: {listed(devices)}."
            yield IsolationStep(number, "start", text, devices, "", clause, after, "")
            before, number = after, number + 1
        yield _step(safe, number, action, before, after, clause)
        before, number = after, number + 1


def change_text(before: StateEffect, after: StateEffect, *, switched: bool) -> str:
    """Return the effect of a step on the state, as text; "no load dropped" for a switching step."""
    if after.refusal:
        return after.refusal
    if before is after:
        return "no load dropped" if switched else ""
    parts = []
    for name, old, new in (
        ("DROPS", before.racks, after.racks),
        ("serves again", after.racks, before.racks),
    ):
        gone = dict(new).keys() - dict(old).keys()
        if gone:
            power = show(sum(w for tag, w in new if tag in gone), "active_power")
            first = next(tag for tag, _ in new if tag in gone)
            parts.append(f"{name} {len(gone):,} IT loads ({power}), first {first}")
    lost = [
        f"{t} ({show(w, 'active_power')})" for t, w in after.others if (t, w) not in before.others
    ]
    if lost:
        parts.append(f"DROPS {listed(lost)}")
    if len(after.not_redundant) != len(before.not_redundant):
        load = show(after.not_redundant_w, "active_power")
        count = (
            f"{len(after.not_redundant):,} IT loads ({load})"
            if after.not_redundant
            else "no IT load"
        )
        parts.append(f"{count} without a redundant feed")
    bare = after.unprotected_w - before.unprotected_w
    if abs(bare) > 1.0:
        power = show(after.unprotected_w, "active_power") if after.unprotected_w > 1.0 else "none"
        parts.append(f"{power} of IT load without UPS")
    known = dict(before.overloads)
    over = [f"{t} {show(x, 'fraction')}" for t, x in after.overloads if t not in known]
    if over:
        parts.append(f"OVERLOAD {listed(over)}")
    highest, earlier = _highest(after), _highest(before)
    if highest and highest != earlier:
        parts.append(f"highest loading {highest}")
    parts += [move for move in after.moves if move not in before.moves]
    parts += [f"no longer: {move}" for move in before.moves if move not in after.moves]
    return "; ".join(parts) or ("no load dropped" if switched else "")


def _highest(effect: StateEffect) -> str:
    """Return the component with the highest loading, with its loading, as text."""
    if effect.highest is None:
        return ""
    tag, loading = effect.highest
    return f"{tag} {show(loading, 'fraction')}"
