"""What each load draws on each cord, for every set of cords that are alive."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from facility.core.errors import FacilityError
from facility.model.it import ItPlan, Rack
from facility.model.power.hall_distribution import PanelBasis
from facility.physics.circuits.currents import reactive_power
from facility.power.network.graph.types import LoadKind
from facility.power.panels.design.racks import bank_power, cord_banks, live_power, supply_power

MOST_CORDS = 12
"""Most cords of one load: every set of them has its row."""


def load_parts(rack: Rack) -> tuple[tuple[int, ...], ...]:
    """Return the devices of each load that a rack is: all in one, or, with many circuits, one each.

    A rack of more than `MOST_CORDS` circuits is one load per device, each with its own cords.
    """
    devices = tuple(range(len(rack.device_w)))
    if len(rack.circuits) <= MOST_CORDS:
        return (devices,)
    return tuple((device,) for device in devices)


def circuits_of(rack: Rack, devices: tuple[int, ...]) -> tuple[int, ...]:
    """Return the circuits that the supplies of some devices of a rack hang on, in order."""
    return tuple(sorted({s.circuit for s in rack.supplies if s.device in devices}))


def rack_kind(
    rack: Rack,
    devices: tuple[int, ...],
    plan: ItPlan,
    basis: PanelBasis,
    connections: tuple[str, ...],
) -> LoadKind:
    """Return what some devices of one rack of a kind draw on their circuits.

    A device shares its input over the supplies that are alive. With fewer than its maker needs
    it stops, unless the maker publishes a reduced mode that they carry: then it goes on at the
    power its capped GPUs leave; ``designed`` keeps its full share there. The diversity between
    racks is spread over all of them.

    devices: Which of its devices, see `load_parts`.
    plan: Demand factor, diversity and rack PDU loss.
    basis: Feeds of the panels and stated cords, which decide the outlet banks.
    connections: ``"L-N"`` or ``"L-L"`` of each circuit of the rack.

    Raises ``TOO_MANY_CORDS`` for a device on more circuits than `MOST_CORDS`.
    """
    circuits = circuits_of(rack, devices)
    sets = _cord_sets(len(circuits), f"it.racks[{rack.name}].circuits")
    circuit = np.array([s.circuit for s in rack.supplies], dtype=np.int64)
    device = np.array([s.device for s in rack.supplies], dtype=np.int64)
    live = np.zeros((len(sets), len(circuit)), dtype=np.bool_)
    for cord, number in enumerate(circuits):
        live[:, circuit == number] = sets[:, [cord]]
    shared_va = live_power(rack, plan, live) * plan.diversity
    drawn_w = np.array(rack.device_w) * plan.demand_factor * plan.diversity
    drawn_w = drawn_w * (1.0 + plan.rack_pdu_loss_fraction)

    def kind(part: NDArray[np.float64], designed: LoadKind | None) -> LoadKind:
        power_va = shared_va * part[:, device]
        neutral, pair = _cord_power(rack, plan, basis, connections, circuits, power_va)
        stopped = part[:, list(devices)] == 0.0
        dropped_w = np.asarray(stopped @ drawn_w[list(devices)], dtype=np.float64)
        return LoadKind(rack.name, neutral, pair, dropped_w, stopped.any(axis=1), designed=designed)

    others = [n for n in range(len(drawn_w)) if n not in devices]
    running, kept = _running(rack, live), _running(rack, live, kept=True)
    running[:, others] = kept[:, others] = 0.0
    return kind(running, None if np.array_equal(running, kept) else kind(kept, None))


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
    """Return, for every set of cords, which are alive; shape (2**cords, cords)."""
    if cords > MOST_CORDS:
        raise FacilityError(
            "TOO_MANY_CORDS",
            where,
            f"{cords} circuits on one load; got more than {MOST_CORDS}.",
            "Split the rack into several.",
        )
    bits = np.arange(2**cords)[:, None] >> np.arange(cords)
    return np.asarray(bits % 2 == 1)


def _running(rack: Rack, live: NDArray[np.bool_], kept: bool = False) -> NDArray[np.float64]:
    """Return the part of its power that each device draws, by set of live supplies.

    With `kept` a device draws all of it on any live supply.
    """
    devices = [placed.device for placed in rack.placed for _ in range(placed.count)]
    count = Counter(s.device for s in rack.supplies)
    part = np.ones((len(live), len(devices)))
    owner = np.array([s.device for s in rack.supplies], dtype=np.int64)
    for number, device in enumerate(devices):
        alive = live[:, owner == number].sum(axis=1)
        psu = device.psu
        needed = psu.needed if psu is not None and not kept else min(1, count[number])
        mode = psu.reduced if psu is not None else None
        reduced = 0.0
        if mode is not None:
            capped_w = device.gpus * max(0.0, device.gpu_power_w - mode.gpu_cap_w)
            reduced = max(0.0, 1.0 - capped_w / device.maximum_w)
        carried = mode is not None and alive >= mode.live
        part[:, number] = np.where(alive >= needed, 1.0, np.where(carried, reduced, 0.0))
    return part


def shared_kind(name: str, power_w: float, power_factor: float, cords: int) -> LoadKind:
    """Return a balanced load that is not IT and that its live cords share equally.

    power_w, power_factor: Whole load [W], lagging power factor.
    cords: Boards it can be supplied from.
    """
    sets = _cord_sets(cords, name)
    alive = sets.sum(axis=1)
    power_va = complex(power_w, float(reactive_power.si(power_w, power_factor)))
    share = np.where(sets, (power_va / np.maximum(alive, 1))[:, None], 0.0)
    neutral = np.repeat(share[:, :, None] / 3.0, 3, axis=2).astype(np.complex128)
    dropped = np.where(alive == 0, power_w, 0.0)
    return LoadKind(name, neutral, np.zeros_like(neutral), dropped, alive == 0, critical=False)
