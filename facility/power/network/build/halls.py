"""Network from the UPS outputs to the rack cords: PDUs, panelboards, rack PDUs."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from facility.core.errors import FacilityError
from facility.model.it import ItPlan
from facility.physics.circuits.currents import three_phase_current
from facility.power.network.build.loads import circuits_of, load_parts, rack_kind
from facility.power.network.build.plan import PlannedCircuit, Stage
from facility.power.network.build.plant import Lineup, four_wire, lineups, transformer
from facility.power.network.graph.types import Cord, Equipment, Link, Load, LoadKind
from facility.power.panels.board.layout import PHASES
from facility.power.panels.board.model import Circuit, Panel
from facility.power.panels.design.groups import rack_names
from facility.power.panels.design.halls import PanelSet
from facility.power.panels.design.lineups import lineup_of, on_pdus, pdu_origins
from facility.power.substation.study import pdu_harmonics_leave
from facility.power.train.types import ChainDesign, TransformerDesign

_PanelCircuit = tuple[Panel, Circuit]


class Halls:
    """Collector of equipment, circuits and loads between UPS outputs and racks."""

    def __init__(self, design: ChainDesign, panels: PanelSet, plan: ItPlan) -> None:
        self.design, self.panels, self.plan = design, panels, plan
        self.equipment: list[Equipment] = []
        self.circuits: dict[str, PlannedCircuit] = {}
        self.loads: list[Load] = []
        self._by_system: dict[str, list[Lineup]] = defaultdict(list)
        for lineup in lineups(design):
            self._by_system[lineup.system].append(lineup)
        self._made: set[str] = set()
        scheme, buses = design.chain.scheme, design.ups.buses
        per_feed = 0 if design.pdus is None else design.pdus.per_carrier
        for panel, (system, bus), pdu in on_pdus(panels, scheme, buses, per_feed):
            self._panel(panel, system, bus, pdu)
        self._without_panels()
        self._racks()

    def _link(
        self,
        stage: Stage,
        source: str,
        target: str,
        voltage_v: float,
        breaker_a: float | None = None,
    ) -> Link:
        tag = f"{source}>{target}"
        neutral = stage == "feeder" or four_wire(self.design)
        self.circuits[tag] = PlannedCircuit(
            tag, source, target, stage, voltage_v, neutral=neutral, breaker_a=breaker_a
        )
        return Link(source, tag)

    def _panel(self, panel: Panel, system: str, bus: int, pdu: int) -> None:
        source = self._origin(panel.side, system, bus)
        if self.design.pdus is not None:
            source = self._pdu(self.design.pdus, panel.side, pdu, source)
        link = self._link("feeder", source, panel.tag, panel.v_ll, panel.main_a)
        self.equipment.append(
            Equipment(
                panel.tag, "panel", panel.v_ll, (link,), rating_a=panel.bus_a, hall=panel.hall
            )
        )
        for circuit in panel.circuits:
            if circuit.rack:
                self._rack_pdu(panel, circuit)

    def _without_panels(self) -> None:
        """Add the installed PDU transformers without panels."""
        pdus, scheme, buses = self.design.pdus, self.design.chain.scheme, self.design.ups.buses
        if pdus is None:
            return
        origins = pdu_origins(scheme, buses)
        for feed in self.design.chain.feeds:
            for group in range(origins):
                source = self._origin(feed, *lineup_of(scheme, buses, feed, group))
                for number in range(pdus.per_carrier // origins):
                    self._pdu(pdus, feed, number, source)

    def _origin(self, feed: str, system: str, bus: int) -> str:
        """Return the tag of the UPS output or transfer switch that supplies a feed."""
        scheme = self.design.chain.scheme
        own = self._by_system[system][bus]
        if not scheme.reserve:
            return own.output
        spare = self._by_system[scheme.reserve][bus]
        tag = f"STS-{own.name}-{feed}"
        if tag not in self._made:
            self._made.add(tag)
            voltage_v = self.design.chain.wiring.lv_voltage_v
            ways = tuple(
                self._link("pdu", lineup.output, tag, voltage_v) for lineup in (own, spare)
            )
            self.equipment.append(Equipment(tag, "sts", voltage_v, ways))
        return tag

    def _pdu(self, pdus: TransformerDesign, feed: str, number: int, source: str) -> str:
        """Return the tag of the PDU transformer of a panel, added at its first panel."""
        chain = self.design.chain
        tag = f"PDU-{feed}-{source.split('-', 1)[1]}-{number + 1}"
        if tag not in self._made:
            self._made.add(tag)
            wiring = chain.wiring
            cable = self._link("pdu", source, tag, wiring.lv_voltage_v)
            unit = transformer(
                tag,
                pdus.unit,
                1,
                wiring.rack_voltage_v,
                (cable,),
                "pdu",
                rating_left=wiring.pdu_rating_left,
            )
            left = pdu_harmonics_leave(wiring, chain.transformer)
            if left < 1.0:
                rated_a = float(three_phase_current.si(pdus.unit.rating_va, wiring.rack_voltage_v))
                unit = replace(unit, rating_a=left * rated_a)
            self.equipment.append(unit)
        return tag

    def _rack_pdu(self, panel: Panel, circuit: Circuit) -> None:
        factor = 1.0 if panel.listed_100 else self._continuous
        rating_a = None if circuit.breaker_a is None else circuit.breaker_a / factor
        self.circuits[circuit.id] = PlannedCircuit(
            circuit.id,
            panel.tag,
            rack_pdu_tag(circuit),
            "branch",
            panel.v_ll,
            circuit.poles,
            circuit.connection == "L-N",
            circuit.length_m,
            circuit.breaker_a,
            breaker_given=circuit.breaker_given,
        )
        self.equipment.append(
            Equipment(
                rack_pdu_tag(circuit),
                "rack-pdu",
                panel.v_ll,
                (Link(panel.tag, circuit.id, rating_a=rating_a),),
                hall=panel.hall,
                maintainable=False,
            )
        )

    @property
    def _continuous(self) -> float:
        basis = self.panels.basis
        return min(basis.bus_a, basis.main_a) / self.panels.limit_a

    def _racks(self) -> None:
        panel_circuits: dict[str, dict[tuple[str, int], _PanelCircuit]] = defaultdict(dict)
        for panel in self.panels.panels:
            for circuit in panel.circuits:
                if circuit.rack:
                    panel_circuits[circuit.rack][panel.side, circuit.ordinal] = panel, circuit
        kinds: dict[tuple[int, int], LoadKind] = {}
        for name, number in rack_names(self.plan):
            rack = self.plan.racks[number]
            found = self._cords(name, number, panel_circuits[name])
            parts = load_parts(rack)
            for part, devices in enumerate(parts):
                if (number, part) not in kinds:
                    kinds[number, part] = rack_kind(
                        rack,
                        devices,
                        self.plan,
                        self.panels.basis,
                        tuple(circuit.connection for _, circuit in found),
                    )
                cords = tuple(
                    Cord(Link(rack_pdu_tag(circuit)), _phases(panel, circuit))
                    for panel, circuit in (found[c] for c in circuits_of(rack, devices))
                )
                tag = name if len(parts) == 1 else f"{name} device {part + 1}"
                self.loads.append(Load(tag, kinds[number, part], cords, rack.hall))

    def _cords(
        self, name: str, number: int, panel_circuits: dict[tuple[str, int], _PanelCircuit]
    ) -> list[_PanelCircuit]:
        seen: dict[str, int] = defaultdict(int)
        found = []
        for given in self.plan.racks[number].circuits:
            key = given.feed, seen[given.feed]
            seen[given.feed] += 1
            if key not in panel_circuits:
                raise FacilityError(
                    "NETWORK_CORD",
                    name,
                    f"circuit {key[1] + 1} on feed {key[0]} is in no panel.",
                    "Connect the rack to each of its feeds with a circuit.",
                )
            found.append(panel_circuits[key])
        return found


def rack_pdu_tag(circuit: Circuit) -> str:
    """Return the tag of the rack PDU at the end of a branch circuit."""
    return f"RPDU {circuit.id}"


def _phases(panel: Panel, circuit: Circuit) -> tuple[int, int, int]:
    """Return the phase of each outlet bank, or of each leg, of a circuit."""
    on = [PHASES.index(phase) for phase in panel.phases(circuit)]
    if circuit.poles == 3:
        first, second, third = (on[circuit.banks.index(bank)] for bank in range(3))
        return first, second, third
    rest = [phase for phase in range(3) if phase not in on]
    first, second, third = (*on, *rest)
    return first, second, third
