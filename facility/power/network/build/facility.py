"""The network of a designed facility."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from facility.core.errors import FacilityError
from facility.model.it import ItPlan
from facility.physics.circuits.currents import three_phase_current
from facility.power.network.build.loads import circuits_of, load_parts, rack_kind, shared_kind
from facility.power.network.build.plan import NetworkPlan, PlannedCircuit, Stage
from facility.power.network.build.plant import Lineup, Plant, four_wire, lineups, transformer
from facility.power.network.graph.types import Cord, Equipment, Link, Load, LoadKind, Network
from facility.power.panels.board.harmonics import rack_spectrum
from facility.power.panels.board.layout import PHASES
from facility.power.panels.board.model import Circuit, Panel
from facility.power.panels.design.groups import rack_names
from facility.power.panels.design.halls import PanelSet
from facility.power.panels.design.lineups import assigned_panels, lineup_of, pdu_of, pdu_origins
from facility.power.substation.study import pdu_harmonics_leave
from facility.power.train.schemes import cooling_systems
from facility.power.train.types import ChainDemand, ChainDesign, TransformerDesign

_Place = tuple[Panel, Circuit]


class Halls:
    """Collects equipment, circuits and loads between the UPS outputs and the racks."""

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
        for panel, (system, bus), place in assigned_panels(panels, scheme, buses):
            self._panel(panel, system, bus, place)
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

    def _panel(self, panel: Panel, system: str, bus: int, place: int) -> None:
        source = self._origin(panel.side, system, bus)
        if self.design.pdus is not None:
            source = self._pdu(self.design.pdus, panel.side, place, source)
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
        """Make the PDU transformers installed that no panel hangs on."""
        pdus, scheme, buses = self.design.pdus, self.design.chain.scheme, self.design.ups.buses
        if pdus is None:
            return
        origins = pdu_origins(scheme, buses)
        for feed in self.design.chain.feeds:
            for group in range(origins):
                source = self._origin(feed, *lineup_of(scheme, buses, feed, group))
                for place in range(pdus.per_carrier // origins):
                    self._pdu(pdus, feed, place, source)

    def _origin(self, feed: str, system: str, bus: int) -> str:
        """Return the tag of the UPS output, or of the transfer switch, behind a feed."""
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

    def _pdu(self, pdus: TransformerDesign, feed: str, place: int, source: str) -> str:
        """Return the tag of the PDU transformer of a panel, made at its first panel."""
        chain = self.design.chain
        number = pdu_of(chain.scheme, self.design.ups.buses, pdus.per_carrier, place)
        tag = f"PDU-{feed}-{source.split('-', 1)[1]}-{number + 1}"
        if tag not in self._made:
            self._made.add(tag)
            wiring = chain.wiring
            cable = self._link("pdu", source, tag, wiring.lv_voltage_v)
            unit = transformer(tag, pdus.unit, 1, wiring.rack_voltage_v, (cable,), "pdu")
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
        places: dict[str, dict[tuple[str, int], _Place]] = defaultdict(dict)
        for panel in self.panels.panels:
            for circuit in panel.circuits:
                if circuit.rack:
                    places[circuit.rack][panel.side, circuit.ordinal] = panel, circuit
        kinds: dict[tuple[int, int], LoadKind] = {}
        for name, number in rack_names(self.plan):
            rack = self.plan.racks[number]
            found = self._cords(name, number, places[name])
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

    def _cords(self, name: str, number: int, places: dict[tuple[str, int], _Place]) -> list[_Place]:
        seen: dict[str, int] = defaultdict(int)
        found = []
        for given in self.plan.racks[number].circuits:
            key = given.feed, seen[given.feed]
            seen[given.feed] += 1
            if key not in places:
                raise FacilityError(
                    "NETWORK_CORD",
                    name,
                    f"circuit {key[1] + 1} on feed {key[0]} is in no panel.",
                    "Give the rack a circuit on each of its feeds.",
                )
            found.append(places[key])
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


MECH, MECH_UPS, HOUSE = "MECH", "MECH-UPS", "HOUSE"
"""Names of the cooling load on the boards, and on the UPS outputs, and of the house load."""

_LIGHTS_V = 250.0
"""Highest voltage to neutral of lights and receptacles [V]."""


def build_network(
    design: ChainDesign, demand: ChainDemand, panels: PanelSet, plan: ItPlan
) -> NetworkPlan:
    """Return the network of a design, every rack with its cords, conductors not yet chosen.

    Each UPS system has as many lineups as output buses: transformers, LV board, UPS with both
    bypasses. Panels that feed the same racks hang on the lineup of the same number of each
    system. Cooling and house load of a lineup number can be taken from its board in every system.

    demand: Cooling and house load, floats.

    Raises ``NETWORK_CORD`` for a rack circuit that no panel has, ``TOO_MANY_CORDS``.
    """
    plant = Plant(design, design.generators.connection == "MV")
    halls = Halls(design, panels, plan)
    circuits = plant.circuits | halls.circuits
    loads = [*halls.loads, *_other_loads(design, demand, circuits)]
    circuits = {tag: _with_harmonics(one, design) for tag, one in circuits.items()}
    return NetworkPlan(Network((*plant.equipment, *halls.equipment), tuple(loads)), circuits)


def _with_harmonics(circuit: PlannedCircuit, design: ChainDesign) -> PlannedCircuit:
    """Return a circuit with the spectrum stated for it: of the racks, or ahead of the UPS."""
    if circuit.stage == "mechanical":
        return circuit
    basis = design.chain.transformer
    of_racks = circuit.stage in ("bypass", "pdu", "feeder", "branch")
    spectrum = rack_spectrum(basis.it_harmonics if of_racks else basis.harmonics)
    if spectrum is None:
        return circuit
    return replace(circuit, third_harmonic=spectrum.triplen / spectrum.rms)


def load_tag(name: str, bus: int, buses: int) -> str:
    """Return the tag of a cooling or house load, by the number of its bus from 0."""
    return f"{name}-{bus + 1}" if buses > 1 else name


def _other_loads(
    design: ChainDesign, demand: ChainDemand, circuits: dict[str, PlannedCircuit]
) -> list[Load]:
    """Return cooling and house load, on the boards and on the UPS outputs, by number of the bus.

    A number of bus without racks has no cooling. Lights and small power take the neutral where
    the voltage to it is theirs; at 480 V and above, and where a resistor grounds it, they have a
    transformer of their own.
    """
    chain, buses = design.chain, design.ups.buses
    lights = chain.wiring.lv_voltage_v / 3.0**0.5 <= _LIGHTS_V
    own = lights and chain.transformer.grounding_a is None
    cooled = cooling_systems(chain.scheme)
    wanted = (
        (MECH, demand.mech_of_buses(chain), chain.mechanical_power_factor, "board"),
        (HOUSE, (demand.house_w / buses,) * buses, chain.house_power_factor, "board"),
        (MECH_UPS, demand.mech_ups_of_buses(chain), chain.mechanical_power_factor, "output"),
    )
    loads = []
    for name, powers_w, power_factor, place in wanted:
        for bus, power_w in enumerate(powers_w):
            if power_w <= 0.0:
                continue
            tag, lit = load_tag(name, bus, buses), own and name == HOUSE
            boards = [
                lineup.board if place == "board" else lineup.output
                for lineup in lineups(design)
                if lineup.bus == bus and (place == "board" or lineup.system in cooled)
            ]
            cords = []
            for board in boards:
                id = f"{board}>{tag}"
                circuits[id] = PlannedCircuit(
                    id, board, tag, "mechanical", chain.wiring.lv_voltage_v, neutral=lit
                )
                cords.append(Cord(Link(board, id)))
            kind = shared_kind(name, power_w, power_factor, len(cords))
            loads.append(Load(tag, kind, tuple(cords)))
    return loads
