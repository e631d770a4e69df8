"""Inputs of the workbook that decide the circuits: rack power, demand, trips, panel ratings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from facility.core.rounding import IN_CELLS
from facility.model.inputs.document import as_typed
from facility.power.panels.board.model import Circuit
from facility.power.panels.design.groups import rack_names
from facility.report.book.panels.supply import PanelSupply
from facility.report.sheet.entries import Entries, InputCell, Reach, cell_name
from facility.study.design.design import Design

CONTINUOUS_NAME = cell_name("criteria.continuous_factor")
IMBALANCE_NAME = cell_name("panels.imbalance_limit")
DEMAND_NAME, DIVERSITY_NAME = cell_name("it.demand_factor"), cell_name("it.diversity")
_LOSS_NAME = cell_name("it.rack_pdu_loss")
_CORDS = "it.cords.breaker"
PANEL_BUS = "power.distribution.panel_bus"
_BASIS_FIELDS = MappingProxyType(
    {"datasheet_maximum": "it.server_power", "measured": "it.measured_power"}
)
"""Field that states the power of a server, by basis, in a project without racks."""


class RackBasis(NamedTuple):
    """Quantity that all power of a rack is proportional to, and the trip of one of its circuits."""

    formula: str
    value: float
    trip: str = ""  # Formula of the trip rating; empty if no input states it
    # Cell of the power factor and its value; empty if no input states it.
    power_factor: str = ""
    pf: float = 1.0


@dataclass(frozen=True)
class RackBases:
    """Basis of the circuits of each rack, by the name of the rack."""

    kinds: Mapping[str, int] = field(default_factory=dict)  # Rack type of a rack
    bases: Mapping[int, RackBasis] = field(default_factory=dict)
    trips: Mapping[tuple[int, str, int], str] = field(default_factory=dict)

    def of(self, circuit: Circuit) -> RackBasis | None:
        """Return the basis of a circuit; None if it feeds no rack."""
        kind = self.kinds.get(circuit.rack)
        basis = None if kind is None else self.bases.get(kind)
        if kind is None or basis is None:
            return None
        return basis._replace(trip=self.trips.get((kind, circuit.side, circuit.ordinal), ""))


NO_BASES = RackBases()


class DevicePower(NamedTuple):
    """Input power of one device of a type as an input states it: cell name, and devices so."""

    name: str
    devices: int
    power_factor: str = ""  # Cell of the power factor; empty if no input states it


@dataclass(frozen=True)
class ItInputs:
    """Inputs of the IT load: by rack for the circuits, by device for the roll-up."""

    racks: RackBases = NO_BASES
    # By model, input and peak power of a device, as the roll-up groups them
    devices: Mapping[tuple[str, float, float], Sequence[DevicePower]] = field(default_factory=dict)


def it_inputs(design: Design, entries: Entries) -> ItInputs:
    """Cite the inputs of the IT load; return the derived values."""
    plan, typed = design.facility.it, as_typed(design.project).get("it", {})
    entries.cite("it.demand_factor", "IT demand factor", plan.demand_factor, "fraction", Reach.LOAD)
    entries.cite("it.diversity", "IT diversity factor", plan.diversity, "fraction", Reach.LOAD)
    loss = plan.rack_pdu_loss_fraction
    entries.cite("it.rack_pdu_loss", "Loss of rack PDU and cords", loss, "fraction", Reach.LOAD)
    share, value = f"{DEMAND_NAME}*(1+{_LOSS_NAME})", plan.demand_factor * (1.0 + loss)
    bases: dict[int, RackBasis] = {}
    devices: dict[tuple[str, float, float], list[DevicePower]] = {}
    halls, own = typed.get("halls") or (), typed.get("devices") or ()
    stated = {
        (hall.get("name"), rack.get("name")): f"it.halls.{h}.racks.{r}"
        for h, hall in enumerate(halls)
        for r, rack in enumerate(hall.get("racks") or ())
    }
    factors = {
        one.get("model"): f"it.devices.{n}.supplies.power_factor" for n, one in enumerate(own)
    }
    paths = [stated.get((rack.hall, rack.name), "") for rack in plan.racks]
    for kind, (rack, path) in enumerate(zip(plan.racks, paths, strict=True)):
        placed = rack.placed[0] if len(rack.placed) == 1 else None
        short = not halls and placed is not None and placed.device.category == "server"
        of_basis = _BASIS_FIELDS.get(plan.basis, "") if short else ""
        power = f"{path}.devices.0.power" if path else of_basis
        if placed is None or not power or not placed.input_w:
            bases[kind] = RackBasis(share, value)
            continue
        model, pf = placed.device.model, rack.device_pf[0]
        where = f", {rack.hall}, {rack.name}" if path else ""
        label = f"Input power of one {model}{where}"
        name = entries.cite(power, label, placed.input_w, "active_power", Reach.LOAD)
        factor = ""
        if pf < 1.0 and entries.states(factors.get(model, "")):
            label = f"Power factor of {model}"
            factor = entries.cite(factors[model], label, pf, "fraction", Reach.LOAD)
        watts = value * placed.input_w / 1e3
        bases[kind] = RackBasis(f"{share}*{name}", watts, power_factor=factor, pf=pf)
        key = (model, placed.input_w, placed.peak_w)
        devices.setdefault(key, []).append(DevicePower(name, placed.count * rack.count, factor))
    trips = dict(_trips(design, paths, entries))
    return ItInputs(RackBases(dict(rack_names(plan)), bases, trips), devices)


def _trips(
    design: Design, paths: Sequence[str], entries: Entries
) -> Iterator[tuple[tuple[int, str, int], str]]:
    """Yield the cell of the trip rating of each circuit of a rack type, if a field states it.

    A trip that the engine selects follows from the load.
    """
    kinds = dict(rack_names(design.facility.it))
    found: dict[tuple[int, str, int], float] = {}
    for panel in design.panels.panels:
        for circuit in panel.circuits:
            if circuit.rack in kinds and circuit.breaker_a is not None:
                key = (kinds[circuit.rack], circuit.side, circuit.ordinal)
                found.setdefault(key, circuit.breaker_a)
    racks = design.facility.it.racks
    common: dict[tuple[int, str, int], float] = {}
    for key, breaker_a in found.items():
        kind, feed, ordinal = key
        mine = [n for n, c in enumerate(racks[kind].circuits) if c.feed == feed]
        path = f"{paths[kind]}.circuits.{mine[ordinal]}.breaker" if ordinal < len(mine) else ""
        if paths[kind] and entries.states(path):
            label = f"Trip rating, {racks[kind].name}, feed {feed}, circuit {ordinal + 1}"
            yield key, entries.cite(path, label, breaker_a, "current", Reach.LOAD)
        elif not racks[kind].circuits or not entries.states(f"{paths[kind]}.circuits"):
            common[key] = breaker_a
    if entries.states(_CORDS) and len(set(common.values())) == 1:
        breaker_a = next(iter(common.values()))
        label = "Trip rating of the rack circuits"
        name = entries.cite(_CORDS, label, breaker_a, "current", Reach.LOAD)
        yield from ((key, name) for key in common)


def cite_sccr(
    design: Design, supplies: Mapping[str, PanelSupply], entries: Entries
) -> dict[str, InputCell]:
    """Cite the short-circuit current ratings that the project states; return them by panel tag."""
    boards = design.project.panels.boards or ()
    own = {board.tag: n for n, board in enumerate(boards) if board.sccr is not None}
    common = "power.faults.panel_rating"
    found = {}
    for panel in design.panels.panels:
        path, label = common, "SCCR of the panels"
        if panel.tag in own:
            path, label = f"panels.boards.{own[panel.tag]}.sccr", f"SCCR of {panel.tag}"
        rating_a = supplies[panel.tag].sccr_a
        if entries.states(path) and rating_a is not None:
            entries.cite(path, label, rating_a, "current", Reach.LIMIT)
            found[panel.tag] = entries.entries[path]
    return found


def cite_panel_inputs(design: Design, entries: Entries) -> None:
    """Cite the limits and ratings that all panels share."""
    basis, criteria = design.facility.power.panels, design.facility.criteria
    own_main = entries.states("power.distribution.panel_main")
    limit = Reach.LIMIT
    load, factor, a = Reach.LOAD, criteria.continuous_factor, "current"
    # The lower of bus and main decides how many racks a panel feeds.
    lower = f"MIN({{now}},{{was}})*(1+{IN_CELLS})<{basis.main_a!r}"
    for path, label, si, kind, reach, load_if in (
        ("criteria.continuous_factor", "Factor on continuous load", factor, "ratio", load, ""),
        ("panels.imbalance_limit", "Imbalance limit", basis.imbalance_limit, "fraction", limit, ""),
        (PANEL_BUS, "Panelboard bus rating", basis.bus_a, a, limit, lower),
        ("power.distribution.panel_main", "Panelboard main breaker", basis.main_a, a, load, ""),
    ):
        # Without a stated main breaker, the main follows from the bus in the engine.
        if own_main or path != PANEL_BUS:
            entries.cite(path, label, si, kind, reach, load_if=load_if)
