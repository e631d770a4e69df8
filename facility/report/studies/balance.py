"""Presentation of the balance of a panel, and of a cabinet of panels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from facility.core.check import Check
from facility.core.table import Results, Value
from facility.core.trace import Trace
from facility.core.views import System
from facility.model.inputs.criteria import CriteriaSection
from facility.power.panels.balance.cabinet import Cabinet, CabinetBalance
from facility.power.panels.balance.effort import EQUAL
from facility.power.panels.balance.one_panel import DEFINITION, BalanceResult
from facility.power.panels.board.constraints import Broken, broken_groups
from facility.power.panels.board.model import Circuit, Panel
from facility.power.panels.design.checks import branch_ratings, check_panel
from facility.report.sheet.grid import TextTable
from facility.report.studies.protocol import Object, Study, notices_of_project
from facility.study.design.design import Design
from facility.study.resolve.criteria import resolve_criteria
from facility.study.resolve.power.wiring import USUAL_RACK_SYSTEMS
from facility.study.resolve.standards import evaluated_where_covered

_ENDED = {
    "heuristic": "heuristic",
    "optimal": "exact: optimal",
    "gap": "exact: within the gap",
    "nodes": "exact: stopped: nodes",
    "time": "exact: stopped: time (not reproducible)",
    "cancelled": "exact: stopped: cancelled",
}
_HEADS = ("Quantity", "Before", "After")
_OF_RATINGS = ("PANEL-LOAD", "PANEL-MAIN", "BRANCH-LOAD")
_IEC_ALONE = frozenset(USUAL_RACK_SYSTEMS["IEC"]) - frozenset(USUAL_RACK_SYSTEMS["NEC"])
_NO_MOVE = "No circuit moves."
_Row = tuple[str, ...]


def _of_ratings(panel: Panel, design: Design | None) -> list[Check]:
    """Return the checks of a panel; a standalone panel is checked by the code of its system.

    400Y/230, 380Y/220 and way numbering imply the IEC.
    """
    if design is not None:
        criteria = design.facility.criteria
    else:
        iec = panel.numbering == "IEC" or panel.system in _IEC_ALONE
        code = ("IEC" if iec else "NEC", "from its system and numbering")
        criteria = resolve_criteria(CriteriaSection.unstated(), Trace(), code)
    checks = evaluated_where_covered(criteria.uncovered, check_panel(panel, criteria))
    found = [one for one in checks if one.rule in _OF_RATINGS]
    return found if design is not None else [*found, *branch_ratings(panel)]


@dataclass(frozen=True)
class PanelBalanced(Study):
    """One panel balanced; `design` is its design, None for a standalone panel."""

    given: Panel
    found: BalanceResult
    design: Design | None = None
    notes: tuple[str, ...] = ()  # On the table of circuits that was read
    verb = "balance"

    @property
    def project(self) -> Mapping[str, str] | None:
        """Name and hash."""
        return None if self.design is None else self.design.project_identity

    @property
    def results(self) -> Mapping[str, object]:
        """Imbalance and currents before and after."""
        return _before_and_after(self.found.results)

    @property
    def warnings(self) -> Sequence[str]:
        """Standards that are not covered, and groups violated in the given placement."""
        notices = () if self.design is None else notices_of_project(self.design.project)
        return [*notices, *self.notes, *_group_warnings(broken_groups(self.given))]

    @property
    def checks(self) -> Sequence[Check]:
        """Checks of bus, main and breakers with the balanced load, where rated."""
        return _of_ratings(self.found.panel, self.design)

    def lists(self) -> Mapping[str, Sequence[Object]]:
        """Return the circuits to move, and the placement of all."""
        return panel_lists(self.found)

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return the improvement and the circuits to move."""
        given, found, results = self.given, self.found, self.found.results
        rows = [
            _shown(results, "Imbalance of line currents", "imbalance"),
            _shown(results, "Imbalance of VA per pole", "imbalance_va"),
            _shown(results, "(max - min) / mean of lines", "spread"),
            _after(results, "Lines A / B / C", "current.a", "current.b", "current.c"),
            _after(results, "Neutral", "current.n"),
            *_if_known(results, "Neutral with third harmonics", "current.n_harmonics"),
            *_if_known(results, "Harmonics", "harmonics"),
            _after(results, "Largest line current, any state", "current.max"),
            *_if_known(results, "Loading of the bus at its feed end", "bus.loading"),
            _after(results, f"Bound on the {_goal(found.objective)}", "bound"),
            ("Above the bound", "", _gap_text(results)),
            ("Search", "", _ENDED[found.status]),
        ]
        room = "tap-offs" if given.is_busway else "poles"
        title = f"Balance of {given.tag}, {given.system}, {given.poles} {room}"
        below = [f"Imbalance: {DEFINITION}, normal state.", ""]
        if not found.moves:
            yield TextTable(title, _HEADS, rows, [*below, _NO_MOVE, ""])
            return
        yield TextTable(title, _HEADS, rows, below)
        heads = ("Circuit", "Description", "From", "To", "Poles", "Phases")
        yield TextTable(_moves_text(len(found.moves)), heads, self._moves())

    def _moves(self) -> Iterator[_Row]:
        for move in self.found.moves:
            old, new = move.before, move.after
            came = f"{old.position} ({old.phases})" if self.given.is_busway else str(old.position)
            yield move.id, move.description, came, str(new.position), str(move.poles), new.phases

    def closing(self, system: System) -> Sequence[str]:
        """Return the groups violated in the given placement."""
        return self.warnings


@dataclass(frozen=True)
class CabinetBalanced(Study):
    """A cabinet of several panelboards balanced."""

    given: Cabinet
    found: CabinetBalance
    verb = "balance"

    @property
    def results(self) -> Mapping[str, object]:
        """Results of the whole cabinet, then of each panelboard."""
        return _before_and_after(self.found.results)

    @property
    def warnings(self) -> Sequence[str]:
        """Groups violated in the given placement."""
        return _group_warnings(self.found.broken)

    @property
    def checks(self) -> Sequence[Check]:
        """Checks of bus, main and breakers of each panelboard with the balanced load."""
        return [one for panel in self.found.cabinet.panels for one in _of_ratings(panel, None)]

    def lists(self) -> Mapping[str, Sequence[Object]]:
        """Return the circuits to move, and the placement of all."""
        return cabinet_lists(self.found)

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return the improvement."""
        found, results = self.found, self.found.results
        rows = [
            _shown(results, "Imbalance of all line currents", "imbalance"),
            _shown(results, "Imbalance of all VA per pole", "imbalance_va"),
            _after(
                results, "Lines A / B / C of the cabinet", "current.a", "current.b", "current.c"
            ),
            _after(results, "Neutral of the cabinet", "current.n"),
            *_if_known(results, "Neutral with third harmonics", "current.n_harmonics"),
            *_if_known(results, "Harmonics", "harmonics"),
            _after(results, "Largest line current of a panelboard", "current.max"),
            _after(results, "Largest line current of the cabinet", "cabinet.current.max"),
            *_if_known(results, "Loading of the cabinet", "cabinet.loading"),
            _after(
                results,
                f"Bound on the {_goal(found.objective)}" + ", over its bus" * found.by_bus,
                "bound",
            ),
            ("Above the bound", "", _gap_text(results)),
            ("Search", "", _ENDED[found.status]),
        ]
        for panel in self.given.panels:
            head, of_bus = f"panel.{panel.tag}", f"{panel.tag}: largest line current / of its bus"
            rows.append(_shown(results, f"{panel.tag}: imbalance", f"{head}.imbalance"))
            rows.append(_after(results, of_bus, f"{head}.current.max", f"{head}.loading"))
        title = f"Balance of {self.given.tag}, {len(self.given.panels)} panelboards"
        yield TextTable(title, _HEADS, rows)

    def closing(self, system: System) -> Iterator[str]:
        """Return the definition, violated groups, and the moves as instructions."""
        yield f"Imbalance: {DEFINITION}, normal state. Currents: any state."
        yield from (*self.warnings, "")
        if not self.found.steps:
            yield _NO_MOVE
            return
        yield f"{_moves_text(len(self.found.moves))}:"
        yield from (f"    {n}. {step}" for n, step in enumerate(self.found.steps, start=1))


def panel_lists(found: BalanceResult) -> dict[str, list[Object]]:
    """Return ``moves`` and ``placement``: id, position, poles, phases."""
    return {
        "moves": [
            {"id": m.id, "position": m.after.position, "poles": m.poles, "phases": m.after.phases}
            for m in found.moves
        ],
        "placement": [_placed(found.panel, circuit) for circuit in found.panel.circuits],
    }


def cabinet_lists(found: CabinetBalance) -> dict[str, list[Object]]:
    """Return ``moves`` and ``placement``: id, panel, position, poles, phases."""
    placement = [
        {"id": circuit.id, "panel": panel.tag} | _placed(panel, circuit)
        for panel in found.cabinet.panels
        for circuit in panel.circuits
    ]
    moving = {move.id for move in found.moves}
    return {"moves": [e for e in placement if e["id"] in moving], "placement": placement}


def _before_and_after(results: Results) -> Mapping[str, object]:
    """Return results, with null for values before if not every circuit was placed."""
    names, known = ("imbalance", "imbalance_va", "spread"), results.as_json()
    head = [f"{name}.{when}" for name in names for when in ("before", "after")]
    return {key: known.get(key) for key in head} | known


def _placed(panel: Panel, circuit: Circuit) -> Object:
    return {
        "id": circuit.id,
        "position": circuit.position,
        "poles": circuit.poles,
        "phases": panel.phases(circuit),
    }


def _group_warnings(broken: Iterable[Broken]) -> list[str]:
    """Return warnings on groups violated in the given placement."""
    return [f"as given, {b.kind} {b.group!r} does not hold: {b.text}" for b in broken]


def _goal(objective: str) -> str:
    return "largest line current" if objective == "current" else "largest VA of a pole"


def _text(results: Results, *keys: str) -> str:
    return " / ".join(results[key].shown() if key in results else "" for key in keys)


def _shown(results: Results, head: str, key: str) -> _Row:
    """Return a row of a value before and after."""
    return head, _text(results, f"{key}.before"), _text(results, f"{key}.after")


def _gap_text(results: Results) -> str:
    """Return the distance from the bound, without differences that are rounding only."""
    gap = results["gap"]
    return (gap if float(gap.si) > EQUAL else Value(0.0, gap.kind)).shown()


def _moves_text(count: int) -> str:
    return f"{count} circuit {'move' if count == 1 else 'moves'}"


def _after(results: Results, head: str, *keys: str) -> _Row:
    """Return a row of a value known only after balancing."""
    return head, "", _text(results, *keys)


def _if_known(results: Results, head: str, key: str) -> list[_Row]:
    return [_after(results, head, key)] if key in results else []
