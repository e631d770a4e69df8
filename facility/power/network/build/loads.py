"""Load power on each cord, for every set of live cords."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facility.core.errors import FacilityError
from facility.model.it import MAX_CORDS, ItPlan, Rack
from facility.model.power.hall_distribution import PanelBasis
from facility.physics.circuits.currents import reactive_power
from facility.power.it.supplies import rack_draw
from facility.power.network.graph.types import CappedLoad, LoadKind
from facility.power.panels.design.racks import bank_power, cord_banks, live_power, supply_power


def load_parts(rack: Rack) -> tuple[tuple[int, ...], ...]:
    """Return the devices of each load of a rack: one load, or one per device with many circuits.

    A rack with more than `MAX_CORDS` circuits is one load per device, each with separate cords.
    """
    devices = tuple(range(len(rack.device_w)))
    if len(rack.circuits) <= MAX_CORDS:
        return (devices,)
    return tuple((device,) for device in devices)


def circuits_of(rack: Rack, devices: tuple[int, ...]) -> tuple[int, ...]:
    """Return the circuits of the supplies of some devices of a rack, in order."""
    return tuple(sorted({s.circuit for s in rack.supplies if s.device in devices}))


def rack_kind(
    rack: Rack,
    devices: tuple[int, ...],
    plan: ItPlan,
    basis: PanelBasis,
    connections: tuple[str, ...],
) -> LoadKind:
    """Return the power of some devices of one rack type on their circuits.

    A device divides its input over the energized supplies, and with fewer than needed runs capped
    or stops: see `draw_with`. Dropped or capped load is IT load, the input of the devices; the
    circuits also carry the loss of the rack PDU. The diversity between racks is distributed over
    all of them.

    devices: Device selection, see `load_parts`.
    plan: Demand factor, diversity and rack PDU loss.
    basis: Feeds of the panels and specified cords, which determine the outlet banks.
    connections: ``"L-N"`` or ``"L-L"`` of each circuit of the rack.

    Raises ``TOO_MANY_CORDS`` for a device on more circuits than `MAX_CORDS`.
    """
    circuits = circuits_of(rack, devices)
    sets = _cord_sets(len(circuits), f"it.racks[{rack.name}].circuits")
    circuit = np.array([s.circuit for s in rack.supplies], dtype=np.int64)
    device = np.array([s.device for s in rack.supplies], dtype=np.int64)
    live = np.zeros((len(sets), len(circuit)), dtype=np.bool_)
    for cord, number in enumerate(circuits):
        live[:, circuit == number] = sets[:, [cord]]
    sized_va = live_power(rack, plan, live) * plan.diversity
    sized_va[:, ~np.isin(device, devices)] = 0.0
    mine, draw = list(devices), rack_draw(rack, live)
    input_w = np.array(rack.device_w)[mine] * plan.demand_factor * plan.diversity
    part, capped = draw.part[:, mine], draw.capped[:, mine]
    off = part == 0.0
    found = None
    if capped.any():
        conflict = np.asarray(draw.conflict[:, mine].any(axis=1), dtype=np.bool_)
        found = CappedLoad(capped @ input_w, (capped * part) @ input_w, conflict)

    def kind(power_va: NDArray[np.complex128], designed: LoadKind | None) -> LoadKind:
        tables = _cord_power(rack, plan, basis, connections, circuits, power_va)
        return LoadKind(rack.name, *tables, off @ input_w, off.any(axis=1), True, found, designed)

    drawn_va = np.where(draw.part[:, device] > 0.0, sized_va, 0.0)
    return kind(drawn_va, None if np.array_equal(drawn_va, sized_va) else kind(sized_va, None))


def _cord_power(
    rack: Rack,
    plan: ItPlan,
    basis: PanelBasis,
    connections: tuple[str, ...],
    circuits: tuple[int, ...],
    power: NDArray[np.complex128],
) -> tuple[NDArray[np.complex128], NDArray[np.complex128]]:
    """Return the tables to neutral and between legs, from the power of each supply by set."""
    circuit = np.array([s.circuit for s in rack.supplies], dtype=np.int64)
    neutral = np.zeros((len(power), len(circuits), 3), dtype=np.complex128)
    pair = np.zeros_like(neutral)
    seen = supply_power(rack, plan, basis.feeds)
    three_phase = np.array([rack.device_phases[s.device] == 3 for s in rack.supplies])
    for cord, number in enumerate(circuits):
        mine = np.flatnonzero(circuit == number)
        banks = cord_banks(rack, number, seen[:, mine], three_phase[mine], basis)
        legs = bank_power(power[:, mine], banks, rack.circuits[number].poles)
        table = neutral if connections[number] == "L-N" else pair
        table[:, cord, : legs.shape[1]] = legs
    return neutral, pair


def _cord_sets(cords: int, where: str) -> NDArray[np.bool_]:
    """Return the live cords for every set of cords; shape (2**cords, cords)."""
    if cords > MAX_CORDS:
        raise FacilityError(
            "TOO_MANY_CORDS",
            where,
            f"{cords} cords on one load; the maximum is {MAX_CORDS}.",
            "Split the rack into several.",
        )
    bits = np.arange(2**cords)[:, None] >> np.arange(cords)
    return np.asarray(bits % 2 == 1)


def shared_kind(name: str, power_w: float, power_factor: float, cords: int) -> LoadKind:
    """Return a balanced non-IT load, divided equally over its live cords.

    power_w, power_factor: Total load [W], lagging power factor.
    cords: Number of supply boards.
    """
    sets = _cord_sets(cords, name)
    alive = sets.sum(axis=1)
    power_va = complex(power_w, float(reactive_power.si(power_w, power_factor)))
    share = np.where(sets, (power_va / np.maximum(alive, 1))[:, None], 0.0)
    neutral = np.repeat(share[:, :, None] / 3.0, 3, axis=2).astype(np.complex128)
    dropped = np.where(alive == 0, power_w, 0.0)
    return LoadKind(name, neutral, np.zeros_like(neutral), dropped, alive == 0, critical=False)
