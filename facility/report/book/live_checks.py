"""Checks that the workbook recomputes: value and limit are cells of panels and inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from facility.core.check import Check, Outcome
from facility.core.rounding import ROUNDING, closes
from facility.physics.faults.currents import interrupting_multiplier
from facility.power.rules import RULES as OF_POWER
from facility.power.substation.interrupting_ratings import rating_steps, step_of
from facility.report.book.panels.body import BUS, FAULT, MAIN
from facility.report.book.panels.columns import Form
from facility.report.book.panels.live import PANEL_BUS
from facility.report.book.panels.loads import ScheduledPanel
from facility.report.book.panels.places import PanelCells
from facility.report.book.panels.supply import available_fault
from facility.report.book.year import COMPONENT_LIMITS
from facility.report.sheet.entries import Entries, InputCell, Reach
from facility.study.design.design import Design
from facility.study.resolve.site.checks import MAX_PRICE
from facility.study.rules import RULES as OF_STUDIES

_OF_BUS = ("NEC-PANELBOARD", "NETWORK-LOADING", "PANEL-MAIN", "PANEL-NEUTRAL", "PDU-LOADING")
"""Rules that follow from the bus of a panel, where it is not less than the main."""
_OF_RATING = ("FAULT-INTERRUPTING", "FAULT-MAKING", "FAULT-X-OVER-R")
"""Rules that follow from the short-circuit current rating of a panel."""
_OF_COMPONENTS = {f"{name}-LIMIT": path for name, path in COMPONENT_LIMITS.items()}
_OF_LIMIT = ("PANEL-IMBALANCE", *_OF_COMPONENTS)
"""Rules with a limit that is an input."""
_RULES = {**OF_POWER, **OF_STUDIES}
_OF_PANELS = ", most loaded panel"
_MAX_CONDITIONS = 60
"""Conditions above which the formula of a check would be too long."""


class LiveCheck(NamedTuple):
    """Formulas of a check, and the inputs that they follow from through the engine.

    A check that compares no numbers has conditions instead of value and limit: that it holds, and
    that its finding is as exported. `stale`, if any, is the condition under which only the engine
    knows which subjects the check speaks for.
    """

    value: str = ""
    limit: str = ""
    holds: str = ""
    unchanged: str = ""
    stale: str = ""
    remedy: str = ""  # Of a check that fails
    reach: Reach = Reach.NONE


class _Sides(NamedTuple):
    """Value and limit of one subject: formula and number as exported."""

    value: tuple[str, float]
    limit: tuple[str, float]
    reach: Reach = Reach.NONE


@dataclass(frozen=True)
class CheckCells:
    """Cells that checks refer to, and the inputs that the other checks follow from.

    `panels` and `at` are the panels with a schedule in the workbook, by tag; `sccr` the input of
    the short-circuit current rating of a panel, where the project states it.
    """

    design: Design
    panels: Mapping[str, ScheduledPanel]
    at: Mapping[str, PanelCells]
    sccr: Mapping[str, InputCell]
    entries: Entries

    def of(self, check: Check) -> LiveCheck | None:
        """Return the formulas of a check; None where only the engine can decide it."""
        if check.outcome not in (Outcome.PASS, Outcome.FAIL):
            return None
        if check.rule == "SITE-PRICE":
            return self._price()
        if check.rule in _OF_COMPONENTS and _OF_COMPONENTS[check.rule] in self.entries.entries:
            limit = self.entries.entries[_OF_COMPONENTS[check.rule]].name
            remedy = _RULES[check.rule].remedy
            return LiveCheck(repr(check.value), limit, remedy=remedy, reach=Reach.LOAD)
        subjects = (check.subject, *check.alike)
        if check.rule not in _SIDES:
            return None
        sides = [self._sides(check, subject) for subject in subjects]
        found = [one for one in sides if one is not None and _is_as_exported(check, one)]
        if len(found) < len(subjects):
            return None
        values, limits = [one.value[0] for one in found], [one.limit[0] for one in found]
        near = tolerance(check)
        stale = [*_differ(values, near), *_differ(limits, near), *self._same_rating(limits)]
        if len(stale) > _MAX_CONDITIONS:
            return None
        condition = f"OR({','.join(stale)})" if len(stale) > 1 else "".join(stale)
        remedy, reach = _RULES[check.rule].remedy, found[0].reach
        return LiveCheck(values[0], limits[0], stale=condition, remedy=remedy, reach=reach)

    def reach(self, check: Check) -> Reach:
        """Return the inputs that a check without formulas follows from."""
        follows, inputs = check.rule in _OF_LIMIT, self.entries.entries
        if check.rule == "MEMORY-DEFAULT":
            open_inputs = any(path in inputs for path in (check.subject, *check.alike))
            return Reach.LOAD | (Reach.DEFAULT if open_inputs else Reach.NONE)
        if check.rule == "BREAKER-STANDARD":  # A larger bus only lifts a failure
            follows = check.failed and PANEL_BUS in inputs
        elif check.rule in _OF_BUS and check.outcome is not Outcome.NOT_EVALUATED:
            network = check.rule == "NETWORK-LOADING"
            follows = PANEL_BUS in inputs and (check.subject.endswith(_OF_PANELS) or not network)
        elif check.rule in _OF_RATING:
            follows = self._tag(check.subject) in self.sccr
        return Reach.LOAD | (Reach.LIMIT if follows else Reach.NONE)

    def _tag(self, subject: str) -> str | None:
        """Return the panel, or the first of identical ones, that a subject names."""
        name = subject.rpartition("worst at ")[2]
        for panel in self.design.panels.panels:
            if name == panel.tag or name.startswith((f"{panel.tag}, ", f"{panel.tag} to ")):
                return panel.tag
        return None

    def _sides(self, check: Check, subject: str) -> _Sides | None:
        tag = self._tag(subject)
        if tag is None or tag not in self.at:
            return None
        return _SIDES[check.rule](self, tag, check, subject.rpartition(", ")[2])

    def _ratings(self, tag: str, check: Check, state: str) -> _Sides | None:
        """Return main vs. bus."""
        panel = self.panels[tag].panel
        if panel.bus_a is None or panel.main_a is None:
            return None
        return _Sides((self._form(tag, MAIN), panel.main_a), (self._form(tag, BUS), panel.bus_a))

    def _imbalance(self, tag: str, check: Check, state: str) -> _Sides | None:
        of, limit = self.at[tag].results["imbalance"], self.entries.entries[_IMBALANCE]
        if not isinstance(of.value, float):
            return None
        return _Sides((str(of.cell), of.value), (limit.name, limit.si))

    def _line(self, tag: str, check: Check, state: str) -> _Sides | None:
        """Return the line current of the normal or the failover state vs. the permitted current."""
        panel, at, permitted = self.panels[tag], self.at[tag], self.at[tag].results["permitted"]
        for load, key in ((panel.loads[0], "lines"), (panel.shown_failover, "failover_lines")):
            if load.state == state and isinstance(permitted.value, float):
                value = f"MAX({at.quoted}!{at.spans[key]})", load.current_max_a
                return _Sides(value, (str(permitted.cell), permitted.value))
        return None

    def _loading(self, tag: str, check: Check, state: str) -> _Sides | None:
        """Return the loading of the bus, whose current is that of the power flow."""
        bus, value, limit = self.entries.entries.get(PANEL_BUS), check.value, check.limit
        if bus is None or value is None or limit is None or f", {state}" != _OF_PANELS:
            return None
        formula = f"{value * bus.si!r}/{self._form(tag, BUS)}"
        return _Sides((formula, value), (repr(limit), limit), Reach.LOAD)

    def _fault(self, tag: str, check: Check, state: str) -> _Sides | None:
        """Return the available fault current vs. the rating of the panel."""
        current_a, _ = available_fault(self.design.distribution.faults, tag)
        rating = self.sccr.get(tag)
        if current_a is None or rating is None:
            return None
        return _Sides((f"{self._form(tag, FAULT)}*1000", current_a), (rating.name, rating.si))

    def _offset(self, tag: str, check: Check, state: str) -> _Sides | None:
        """Return the fault current with its DC offset vs. the rating of the panel."""
        found, faults = self._fault(tag, check, state), self.design.distribution.faults
        if found is None:
            return None
        (fault, current_a), rating = found.value, found.limit
        highest = faults.states[available_fault(faults, tag)[1]].highest
        x_over_r, steps = float(highest.x_over_r[highest.index(faults.bus_of[tag])]), rating_steps()
        test = repr(steps[-1].x_over_r)
        for step in reversed(steps[:-1]):
            test = f"IF({rating[0]}<={step.rating_a!r},{step.x_over_r!r},{test})"
        factor = interrupting_multiplier.in_cells(x_over_r=repr(x_over_r), test_x_over_r=test)
        number = interrupting_multiplier.si(x_over_r, step_of(rating[1]).x_over_r)
        return _Sides((f"{fault}*{factor}", current_a * float(number)), rating, Reach.LOAD)

    def _same_rating(self, limits: Sequence[str]) -> list[str]:
        """Return the conditions that ratings become equal: the engine merges their checks."""
        rated = dict.fromkeys(self.sccr.values())
        return [
            f"{one.name}={other.name}"
            for one in rated
            for other in rated
            if one.name in limits and not closes(one.si, other.si)
        ]

    def _price(self) -> LiveCheck | None:
        """Return the check of the energy prices vs. the plausible maximum."""
        found = [e for e in self.entries.entries.values() if e.kind.startswith("energy_price")]
        maximum = MAX_PRICE.get(self.design.facility.site.currency)
        if not found or maximum is None:
            return None
        names = ",".join(one.name for one in found)
        unchanged = ",".join(f"{one.name}={one.shown.value!r}" for one in found)
        holds, remedy = f"MAX({names})<={maximum!r}", _RULES["SITE-PRICE"].remedy
        return LiveCheck(holds=holds, unchanged=f"AND({unchanged})", remedy=remedy)

    def _form(self, tag: str, cell: tuple[int, int]) -> str:
        """Return a cell of the schedule of a panel."""
        form = Form(self.panels[tag].panel.numbering == "IEC")
        return f"{self.at[tag].quoted}!{form.fixed(*cell)}"


_IMBALANCE = "panels.imbalance_limit"
_SIDES: Mapping[str, Callable[[CheckCells, str, Check, str], _Sides | None]] = MappingProxyType(
    {
        "FAULT-INTERRUPTING": CheckCells._fault,
        "FAULT-X-OVER-R": CheckCells._offset,
        "NEC-PANELBOARD": CheckCells._ratings,
        "NETWORK-LOADING": CheckCells._loading,
        "PANEL-IMBALANCE": CheckCells._imbalance,
        "PANEL-LOAD": CheckCells._line,
        "PANEL-MAIN": CheckCells._ratings,
    }
)


def tolerance(check: Check) -> float:
    """Return the difference of two sides of a check that is rounding of the larger one."""
    return ROUNDING * max(abs(check.value or 0.0), abs(check.limit or 0.0))


def _is_as_exported(check: Check, sides: _Sides) -> bool:
    """Return whether the cells of a check contain the numbers that the engine compared."""
    pairs = (sides.value[1], check.value), (sides.limit[1], check.limit)
    return all(one is not None and abs(number - one) <= tolerance(check) for number, one in pairs)


def _differ(cells: Sequence[str], near: float) -> list[str]:
    """Return the condition that cells, equal as exported, differ; none for one cell."""
    first, *others = dict.fromkeys(cells)
    return [f"ABS({first}-{other})>{near!r}" for other in others]
