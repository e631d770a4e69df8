"""Network of a designed facility."""

from __future__ import annotations

from dataclasses import replace

from facility.model.it import ItPlan
from facility.physics.circuits.harmonics import rectifier_spectrum
from facility.power.network.build.halls import Halls
from facility.power.network.build.loads import shared_kind
from facility.power.network.build.mechanical import CoolingSupply, MechanicalBoards
from facility.power.network.build.plan import NetworkPlan, PlannedCircuit
from facility.power.network.build.plant import Plant, lineups
from facility.power.network.graph.types import Cord, Link, Load, Network
from facility.power.panels.board.harmonics import rack_spectrum
from facility.power.panels.board.motor_devices import MotorGroup
from facility.power.panels.design.halls import PanelSet
from facility.power.train.schemes import cooling_systems
from facility.power.train.types import ChainDemand, ChainDesign

MECH, MECH_UPS, HOUSE = "MECH", "MECH-UPS", "HOUSE"
"""Names of the cooling load on boards and UPS outputs, and of the building load."""

_LIGHTS_V = 250.0
"""Maximum voltage to neutral of lights and receptacles [V]."""


def build_network(
    design: ChainDesign,
    demand: ChainDemand,
    panels: PanelSet,
    plan: ItPlan,
    boards: MechanicalBoards | None = None,
) -> NetworkPlan:
    """Return the network of a design, every rack with its cords, without conductors.

    Each UPS system has as many lineups as output buses: transformers, LV board, UPS with both
    bypasses. Panels that feed the same racks are connected to the lineup of the same number of each
    system. Cooling and building load of a lineup number can be supplied by its board in every
    system.

    demand: Cooling and building load, floats.
    boards: Records the mechanical boards; without it the cooling of a board is one load.

    Raises ``NETWORK_CORD`` for a rack circuit without a panel, ``TOO_MANY_CORDS``.
    """
    plant = Plant(design, design.generators.connection == "MV")
    halls = Halls(design, panels, plan)
    circuits = plant.circuits | halls.circuits
    loads = [*halls.loads, *_other_loads(design, demand, boards, circuits)]
    circuits = {tag: _with_harmonics(one, design) for tag, one in circuits.items()}
    network = Network((*plant.equipment, *halls.equipment), tuple(loads))
    return NetworkPlan(network, circuits, tuple(boards.boards) if boards else ())


def _with_harmonics(circuit: PlannedCircuit, design: ChainDesign) -> PlannedCircuit:
    """Return a circuit with its specified spectrum: of the racks, or upstream of the UPS.

    A distortion specified upstream of the UPS has no triplen harmonics.
    """
    if circuit.stage == "mechanical":
        return circuit
    basis = design.chain.transformer
    of_racks = circuit.stage in ("bypass", "pdu", "feeder", "branch")
    spectrum = rack_spectrum(basis.it_harmonics if of_racks else basis.harmonics)
    if not of_racks and basis.distortion is not None:
        spectrum = rectifier_spectrum(basis.distortion)
    if spectrum is None:
        return circuit
    return replace(circuit, third_harmonic=spectrum.triplen / spectrum.rms)


def load_tag(name: str, bus: int, buses: int) -> str:
    """Return the tag of a cooling or building load, by its bus number from 0."""
    return f"{name}-{bus + 1}" if buses > 1 else name


def _other_loads(
    design: ChainDesign,
    demand: ChainDemand,
    boards: MechanicalBoards | None,
    circuits: dict[str, PlannedCircuit],
) -> list[Load]:
    """Return cooling and building load on boards and UPS outputs, by bus number.

    A bus number without racks has no cooling. Lights and small power use the neutral if the
    line-to-neutral voltage suits them; at 480 V and above, and with a resistance-grounded neutral,
    they have a separate transformer.
    """
    chain, buses = design.chain, design.ups.buses
    lights = chain.wiring.lv_voltage_v / 3.0**0.5 <= _LIGHTS_V
    own = lights and chain.transformer.grounding_a is None
    planned = (
        (MECH, demand.mech_of_buses(chain), chain.mechanical_power_factor, False),
        (HOUSE, (demand.house_w / buses,) * buses, chain.house_power_factor, False),
        (MECH_UPS, demand.mech_ups_of_buses(chain), chain.mechanical_power_factor, True),
    )
    loads, cooled, found = [], cooling_systems(design.chain.scheme), lineups(design)
    for name, powers_w, power_factor, on_ups in planned:
        # LV boards, or UPS outputs that supply cooling, by bus number
        sources = tuple(
            tuple(
                one.output if on_ups else one.board
                for one in found
                if one.bus == bus and (not on_ups or one.system in cooled)
            )
            for bus in range(design.ups.buses)
        )
        tags = [load_tag(name, bus, buses) for bus in range(buses)]
        feeders: list[tuple[int, MotorGroup | None]] = [(1, None)] * buses
        if boards is not None and name != HOUSE:
            feeders = boards.feeders(CoolingSupply(on_ups, sources, tuple(powers_w)), tags)
        for bus, power_w in enumerate(powers_w):
            if power_w <= 0.0:
                continue
            tag, lit, (runs, motors) = tags[bus], own and name == HOUSE, feeders[bus]
            cords = []
            for board in sources[bus]:
                id = f"{board}>{tag}"
                circuits[id] = PlannedCircuit(
                    id,
                    board,
                    tag,
                    "mechanical",
                    chain.wiring.lv_voltage_v,
                    neutral=lit,
                    third_harmonic=chain.house_third_harmonic if lit else None,
                    runs=runs,
                    motors=motors,
                )
                cords.append(Cord(Link(board, id)))
            kind = shared_kind(name, power_w, power_factor, len(cords))
            loads.append(Load(tag, kind, tuple(cords)))
    return loads
