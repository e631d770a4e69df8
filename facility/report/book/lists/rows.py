"""What the flat lists are written from: every panel circuit once, with its cable and currents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from facility.power.feeders.schedule import Feeder
from facility.power.panels.board.currents import panel_loads
from facility.power.panels.board.model import Circuit, Panel
from facility.report.book.panels.loads import ScheduledPanel
from facility.report.book.panels.loads_rows import CircuitRow, circuit_rows
from facility.report.book.panels.supply import PanelSupply, conductors_text, panel_supplies
from facility.study.design.design import Design

NO_RECEPTACLE = "none chosen"


@dataclass(frozen=True)
class ListedCircuit:
    """One circuit of a panel as the lists show it."""

    panel: Panel  # Where it stands
    circuit: Circuit
    supply: PanelSupply  # What feeds the panel
    feeder: Feeder | None  # Its conductors; None for a spare
    cable: str  # Its conductors as printed
    # State of the largest line current of the panel after a loss; empty where none is known.
    failover_state: str
    normal_va: float  # Apparent power with all feeds live [VA]
    failover_va: float  # Apparent power in that state [VA]
    normal_a: float  # Largest line current with all feeds live [A]
    failover_a: float  # Largest line current in that state [A]
    worst_a: float  # Largest line current in any state, each feed and each supply lost [A]

    @property
    def key(self) -> str:
        """Rack, feed and input, whatever poles it stands on; else the circuit's identity."""
        circuit = self.circuit
        if not circuit.rack:
            return circuit.id
        return f"{circuit.rack}/{self.panel.side}/{circuit.ordinal + 1}"

    @property
    def banks(self) -> str | None:
        """Outlet bank of the rack PDU on each pole, from 1; None but for 3-pole rack circuits."""
        circuit = self.circuit
        if circuit.poles < 3 or not circuit.rack:
            return None
        return ",".join(str(bank + 1) for bank in circuit.banks)

    @property
    def positions(self) -> str:
        """Pole positions as printed, e.g. ``"1,3,5"``."""
        panel = self.panel
        return ",".join(panel.layout.label(n) for n in panel.occupied(self.circuit))

    @property
    def input(self) -> int | None:
        """Number of the input of its rack, from 1; None where it feeds no rack."""
        return self.circuit.ordinal + 1 if self.circuit.rack else None

    @property
    def source(self) -> str:
        """Panel and poles, as a label names the source of a cord."""
        return f"{self.panel.tag}-{self.positions}"

    @property
    def receptacle(self) -> str:
        """Receptacle or connector."""
        return self.circuit.receptacle or NO_RECEPTACLE

    @property
    def breaker(self) -> str:
        """Device in words, e.g. ``"60 A 3P"``."""
        rating_a, poles = self.circuit.breaker_a, self.circuit.poles
        return f"{poles}P" if rating_a is None else f"{rating_a:g} A {poles}P"

    @property
    def length_m(self) -> float | None:
        """One-way length of its cable [m]."""
        return self.circuit.length_m if self.feeder is None else self.feeder.length_m


def listed_circuits(design: Design) -> Iterator[ListedCircuit]:
    """Yield the circuits of all panels, panel by panel, by position."""
    code = design.facility.criteria.code
    supplies = panel_supplies(design)
    feeders = {f.circuit.tag: f for f in design.distribution.feeders.feeders}
    for panel, lost in zip(design.panels.panels, design.panels.lost, strict=True):
        scheduled = ScheduledPanel(panel, panel_loads(panel), lost)
        for row in circuit_rows(panel, scheduled.failover, lost):
            yield _listed(scheduled, row, supplies[panel.tag], feeders, code)


def _listed(
    scheduled: ScheduledPanel,
    row: CircuitRow,
    supply: PanelSupply,
    feeders: Mapping[str, Feeder],
    code: str,
) -> ListedCircuit:
    circuit, lost = row.circuit, scheduled.failover
    feeder = feeders.get(circuit.id)
    choice = None if feeder is None else feeder.choice
    return ListedCircuit(
        panel=scheduled.panel,
        circuit=circuit,
        supply=supply,
        feeder=feeder,
        cable="" if choice is None else conductors_text(choice, code, circuit.poles),
        failover_state=scheduled.shown_failover.state if lost else "",
        normal_va=abs(circuit.total_va(0)),
        failover_va=abs(circuit.total_va(lost)),
        normal_a=row.line_a[0],
        failover_a=row.line_a[1],
        worst_a=row.other_a or max(row.line_a),
    )
