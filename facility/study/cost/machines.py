"""Equipment to be purchased for a design: power and cooling, with sizes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from facility.cooling.chain.flow import CoolingDesign, CoolingFlow
from facility.cooling.plant.sinks import Sink
from facility.core.sources import RULE
from facility.core.trace import Trace
from facility.model.facility import Facility
from facility.model.it import ItPlan
from facility.physics.circuits.currents import three_phase_current
from facility.power.battery.sizing import BatteryDesign
from facility.power.panels.design.halls import PanelSet
from facility.power.train.types import ChainDesign
from facility.study.studies import StudyContext

_PUMPS = 3
_PUMPS_DUTY = 2
_TERMINAL_PARTS = {"crah": "crah", "in-row": "in_row", "fan-wall": "fan_wall", "crac": "crac"}


@dataclass(frozen=True)
class Machines:
    """Identical units of one equipment type."""

    part: str  # Key in the table of unit costs
    name: str  # Displayed name
    units: int  # Installed, redundant ones included
    size: float = 1.0  # Size of one unit, SI
    kind: str = "count"  # Quantity kind of the size


class CoolingBuilt(Protocol):
    """A cooling design with equipment to be priced: of a `StudyContext`, or of a candidate."""

    @property
    def facility(self) -> Facility:
        """The facility with that cooling."""

    @property
    def cooling(self) -> CoolingDesign:
        """The cooling as sized."""

    @property
    def cooling_flow(self) -> CoolingFlow:
        """The cooling at the design hour."""

    @property
    def trace(self) -> Trace:
        """Derivation of its numbers."""


def power_machines(built: StudyContext) -> Iterator[Machines]:
    """Yield the equipment of the power chain, from the service to the racks."""
    yield from chain_machines(built.chain, _batteries(built.electrical.batteries, built.chain))
    yield from hall_machines(built.panels, built.facility.it)
    it_w = sum(rack.count * rack.input_w for rack in built.facility.it.racks)
    yield Machines("cables", "cables and containment", 1, it_w, "active_power")


def chain_machines(chain: ChainDesign, batteries: Machines) -> Iterator[Machines]:
    """Yield the equipment from the service to the PDU transformers, UPS batteries as given."""
    ups, units = chain.ups, chain.transformers
    rating_va, transformers = units.unit.rating_va, units.per_carrier * len(units.carriers)
    if units.present:
        sections = len(ups.systems) * chain.chain.generator.sections
        yield Machines("mv_switchgear", "MV switchgear", sections)
        yield Machines("transformer", "MV/LV transformers", units.count, rating_va, _VA)
    yield from _generators(chain)
    board_a = float(three_phase_current.si(rating_va, chain.chain.wiring.lv_voltage_v))
    yield Machines("switchboard", "LV switchboards", transformers, board_a, "current")
    yield Machines("ups", "UPS modules", ups.modules, ups.module.rating_va, _VA)
    yield batteries
    if chain.pdus is not None:
        pdus = chain.pdus
        yield Machines("pdu_transformer", "PDU transformers", pdus.count, pdus.unit.rating_va, _VA)


def hall_machines(panels: PanelSet, it: ItPlan) -> Iterator[Machines]:
    """Yield panels and rack PDUs."""
    basis = panels.basis
    part, name = ("panel", "panelboards") if basis.numbering != "BUSWAY" else ("busway", "busways")
    yield Machines(part, name, panels.count, basis.bus_a, "current")
    strips = sum(rack.count * sum(bool(c.rack_pdu) for c in rack.circuits) for rack in it.racks)
    yield Machines("rack_pdu", "rack PDUs", strips)


_VA = "apparent_power"


def _generators(chain: ChainDesign) -> Iterator[Machines]:
    sets = chain.generators
    yield Machines("generator", "generators", sets.count, sets.rating_w, "active_power")
    if sets.step_up is not None:
        va = sets.step_up.rating_va
        yield Machines("transformer", "step-up transformers", sets.count, va, _VA)


def _batteries(batteries: BatteryDesign, chain: ChainDesign) -> Machines:
    bank = batteries.bank
    if bank is None:
        return Machines("battery", "UPS batteries", batteries.systems, 0.0, "energy")
    return set_machines(chain, bank.sets_per_system, bank.set_load_w, batteries.basis.autonomy_s)


def set_machines(chain: ChainDesign, sets: int, load_w: float, autonomy_s: float) -> Machines:
    """Return the battery sets, sized by the energy of each over its autonomy."""
    units = len(chain.ups.systems) * sets
    return Machines("battery", "UPS batteries", units, load_w * autonomy_s, "energy")


def cooling_machines(built: CoolingBuilt) -> Iterator[Machines]:
    """Yield the equipment of the cooling, from the halls outwards."""
    cooling, racks = built.cooling, built.facility.it.racks
    yield from _in_the_halls(built)
    chilled = cooling.chilled
    if chilled.installed:
        part = "chiller_air" if chilled.sink.plan.kind == "air_cooled" else "chiller_water"
        yield Machines(part, "chillers", chilled.installed, chilled.capacity_w, _HEAT)
    for loop, sink, heat_w in sinks_of(built):
        if heat_w > 0.0 and sink.duty:
            part = "tower" if sink.plan.kind == "tower" else "dry_cooler"
            name = f"{part.replace('_', ' ')}s, {loop}"
            yield Machines(part, name, sink.installed, sink.heat_w / sink.duty, _HEAT)
    water = built.facility.cooling.facility_water
    if water is not None and water.source != "dry_cooler":
        each_w = built.cooling_flow.facility_water_w / _PUMPS_DUTY
        yield Machines("plate_exchanger", "plate exchangers", _PUMPS, each_w, _HEAT)
    power = built.cooling_flow.power
    for loop, loop_w in (
        ("chilled-water", power.chw_pumps_w),
        ("facility-water", power.fws_pumps_w),
        ("condenser", power.condenser_pumps_w),
    ):
        if loop_w > 0.0:
            each_w = float(loop_w) / _PUMPS_DUTY
            yield Machines("pump", f"{loop} pumps", _PUMPS, each_w, "active_power")
    tank = built.facility.cooling.storage
    if tank is not None:
        yield Machines("tank", "chilled-water tank", 1, tank.volume_m3, "volume")
    it_w = sum(rack.count * rack.input_w for rack in racks)
    yield Machines("pipes", "pipes and valves", 1, it_w, "active_power")


_HEAT = "heat_flow"


def _in_the_halls(built: CoolingBuilt) -> Iterator[Machines]:
    chain, units = built.facility.cooling, units_of(built)
    path, hall = chain.crah.path, units.get("crah", units.get("in_row", 0))
    if hall:
        part = _TERMINAL_PARTS.get(path.terminal, "crah")
        each_w = chain.crah.unit.net_sensible_w
        yield Machines(part, f"{path.unit_name}s", hall, each_w, _HEAT)
    if "electrical_crah" in units:
        each_w, count = path.electrical_unit.net_sensible_w, units["electrical_crah"]
        part, name = ("crah", "CRAH") if path.refrigerant is None else ("crac", path.unit_name)
        yield Machines(part, f"{name}s of electrical rooms", count, each_w, _HEAT)
    if path.door is not None and "doors" in units:
        each_w = path.door.net_sensible_w
        yield Machines("rear_door", "rear doors", units["doors"], each_w, _HEAT)
    if chain.cdu is not None and "cdu" in units:
        yield Machines("cdu", "CDUs", units["cdu"], chain.cdu.unit.capacity_w, _HEAT)


def units_of(built: CoolingBuilt) -> dict[str, int]:
    """Return the number of installed cooling units by type; absent types are omitted."""
    counts, chain = built.cooling.counts, built.facility.cooling
    racks = sum(rack.count for rack in chain.racks if rack.air_w > 0.0)
    hall = "in_row" if chain.crah.path.terminal == "in-row" else "crah"
    found = {
        hall: counts.crah,
        "doors": round(racks) if chain.crah.path.door is not None else 0,
        "electrical_crah": counts.crah_electrical,
        "cdu": counts.cdu,
        "chillers": counts.chillers,
        "rejection": counts.rejection,
        "fws_rejection": counts.fws_rejection,
    }
    return {kind: count for kind, count in found.items() if count}


def sinks_of(built: CoolingBuilt) -> Iterator[tuple[str, Sink, float]]:
    """Yield each heat rejection: its name, its design, and the heat at the design hour."""
    cooling, flow, fws_w = built.cooling, built.cooling_flow, 0.0
    if cooling.water is not None and cooling.water.sink is not None:
        id = "fws.rejection.rejected"
        fws_w = flow.facility_water_w - flow.fws_chilled_w
        fws_w = built.trace.value(id) if id in built.trace else fws_w
        yield "facility water", cooling.water.sink, fws_w
    yield "chillers", cooling.chilled.sink, flow.rejected_w - fws_w


def assume_spares(trace: Trace, id: str) -> None:
    """Record the assumed number of pumps."""
    trace.assume(
        id,
        _PUMPS,
        "count",
        "pumps and plate heat exchangers priced per loop: two duty, one standby",
        RULE,
    )
