"""Design data that several electrical sheets need, looked up once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from facility.core.check import Check, Outcome
from facility.core.rounding import within
from facility.core.views import System, show
from facility.power.feeders.schedule import Feeder
from facility.power.feeders.types import ConductorChoice
from facility.power.panels.board.currents import panel_loads
from facility.power.panels.board.model import Panel
from facility.power.panels.design.checks import check_panel
from facility.power.panels.design.lost_states import PanelLost
from facility.report.book.lists.circuits import ListedCircuit, listed_circuits
from facility.report.book.panels.loads import ScheduledPanel
from facility.report.book.panels.supply import PanelSupply, conductors_text, panel_supplies
from facility.report.issue.electrical.printed import NOT_KNOWN, NOT_STATED
from facility.study.design.design import Design

OUTCOMES: Mapping[Outcome, str] = {
    Outcome.PASS: "OK",
    Outcome.FAIL: "CHECK",
    Outcome.NOT_EVALUATED: "not evaluated",
    Outcome.WAIVED: "waived",
}
"""Verdict words of a schedule."""


@dataclass(frozen=True, eq=False)
class ElectricalFacts:
    """A design with the supplies, circuits and checks of its panels."""

    design: Design
    system: System

    @property
    def code(self) -> str:
        """Code of the project: NEC or IEC."""
        return self.design.facility.criteria.code

    @property
    def nec(self) -> bool:
        """Whether the project is under the NEC."""
        return self.code == "NEC"

    @property
    def edition(self) -> str:
        """Code with its edition."""
        return self.design.facility.criteria.code_edition

    @cached_property
    def feeders(self) -> tuple[Feeder, ...]:
        """All circuits of the network."""
        return self.design.distribution.feeders.feeders

    @cached_property
    def supplies(self) -> Mapping[str, PanelSupply]:
        """Supply of each panel by tag."""
        return panel_supplies(self.design)

    @cached_property
    def circuits(self) -> Mapping[str, list[ListedCircuit]]:
        """Circuits of each panel by its tag, in panel order."""
        found: dict[str, list[ListedCircuit]] = {}
        for one in listed_circuits(self.design):
            found.setdefault(one.panel.tag, []).append(one)
        return found

    @cached_property
    def disconnection(self) -> Mapping[int, Check]:
        """Check of the earth-fault loop by the number of the circuit group (IEC)."""
        group = {feeder.circuit.tag: feeder.group for feeder in self.feeders}
        found = (c for c in self.design.distribution.checks if c.rule == "IEC-DISCONNECTION")
        return {group[check.subject]: check for check in found if check.subject in group}

    @cached_property
    def _checked(self) -> dict[tuple[object, ...], tuple[Check, ...]]:
        return {}

    def checks(self, panel: Panel, lost: PanelLost | None) -> tuple[Check, ...]:
        """Return the checks of a panel, evaluated once for equal panels."""
        circuits = (
            (c.poles, c.connection, c.position, c.power_va, c.breaker_a) for c in panel.circuits
        )
        without = () if lost is None else (lost.state, *lost.circuit_a)
        key = (panel.poles, panel.rating_a, panel.side, without, *circuits)
        if key not in self._checked:
            facility = self.design.facility
            limit = facility.power.panels.imbalance_limit
            self._checked[key] = check_panel(panel, facility.criteria, lost, limit)
        return self._checked[key]

    def scheduled(self, panel: Panel, lost: PanelLost | None) -> ScheduledPanel:
        """Return a panel with its load in every state."""
        return ScheduledPanel(panel, panel_loads(panel), lost)

    def length(self, length_m: float | None) -> str:
        """Return a length with its unit."""
        if length_m is None:
            return NOT_STATED
        return show(length_m, "length", self.system, digits=0 if self.system == "ip" else 1)


def conductors(choice: ConductorChoice, code: str, poles: int) -> str:
    """Return conductors with count, grounding conductor and raceway."""
    raceway = f"{choice.trade_size} in. {choice.raceway}" if choice.trade_size else choice.raceway
    return ", ".join(part for part in (conductors_text(choice, code, poles), raceway) if part)


def feeder_words(feeder: Feeder, facts: ElectricalFacts) -> str:
    """Return device, conductors, raceway and length of a feeder."""
    choice = feeder.choice
    if choice is None:
        return feeder.refused or "not sized"
    trip = f" {feeder.trip.label}" if feeder.trip is not None else ""
    poles = feeder.circuit.poles
    return (
        f"{choice.ocpd_a:,g} A {poles}P{trip}; {conductors(choice, facts.code, poles)}; "
        f"{facts.length(feeder.length_m)}"
    )


def kiloamperes(current_a: float | None, otherwise: str = NOT_KNOWN) -> str:
    """Return a fault current or rating in kA."""
    return otherwise if current_a is None else f"{current_a / 1e3:,.1f} kA"


def duty_verdict(fault_a: float | None, rating_a: float | None) -> str:
    """Return whether a short-circuit rating covers the fault current, in a word."""
    if fault_a is None or rating_a is None:
        return NOT_KNOWN
    return "OK" if within(fault_a, rating_a) else "CHECK"
