"""Circuit loads of one rack of a type, in every state of the feeds.

A device draws its input through the energized supplies, in equal shares; with fewer than needed it
may be capped (`draw_with`). No circuit includes rack load that another one carries at that
moment.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from facility.core.errors import FacilityError, unknown
from facility.core.kinds import ComplexArray
from facility.core.rounding import argmin_within_rounding, rising, within
from facility.model.facility import Criteria
from facility.model.it import ItPlan, Rack
from facility.model.power.hall_distribution import Connection, PanelBasis
from facility.physics.circuits.currents import (
    apparent_power,
    reactive_power,
    required_rating,
    sizing_factor,
    three_phase_current,
)
from facility.power.panels.board.breakers import next_breaker, receptacle, receptacle_named
from facility.power.panels.board.currents import circuit_current
from facility.power.panels.board.model import Circuit
from facility.power.panels.design.supplies_lost import (
    NOTHING_LOST,
    LostLegs,
    RackLost,
    covered_by_feeds,
    covering_feeds,
    one_sector,
    rack_lost,
    supply_shares,
)

CLASS_OF_PURPOSE = {
    "compute": "IT-AI",
    "network": "IT-NET",
    "storage": "IT-STO",
    "management": "IT-MGT",
}


@dataclass(frozen=True, eq=False)
class TapOff:
    """Circuit of a rack type, before its assignment to a panel.

    `circuit` has neither position nor tag; its legs are the outlet banks of the rack PDU, which may
    be assigned to the phases in any rotation if `turns`. `lost` are its legs with one supply of the
    rack lost, if no other state covers them.
    """

    feed: str
    ordinal: int
    turns: bool
    circuit: Circuit
    lost: LostLegs = NOTHING_LOST


def feed_states(feeds: tuple[str, ...]) -> tuple[str, ...]:
    """Return the evaluated states of a panel: normal, and each feed lost."""
    return ("normal", *(f"{feed} lost" for feed in feeds))


def supply_power(rack: Rack, plan: ItPlan, feeds: tuple[str, ...]) -> ComplexArray:
    """Return the power of each supply of `rack`, with rack PDU loss, by state [VA].

    plan: Demand factor and rack PDU loss; diversity between racks is excluded.
    feeds: Feeds, in the order of the states after the normal one.

    Shape (1 + feeds, supplies); zero for a dead supply.
    """
    feed = np.array([feeds.index(s.feed) for s in rack.supplies], dtype=np.int64)
    states = np.arange(1 + len(feeds))
    return live_power(rack, plan, feed[None, :] != states[:, None] - 1)


def live_power(rack: Rack, plan: ItPlan, live: NDArray[np.bool_]) -> ComplexArray:
    """Return the sizing power of the circuit of each supply of `rack`, with some alive.

    plan: Demand factor and rack PDU loss, included.
    live: Supplies that are alive, shape (states, supplies).

    Shape (states, supplies) [VA]; zero for a dead supply.
    """
    device = np.array([s.device for s in rack.supplies], dtype=np.int64)
    return supply_shares(rack, live) * _device_power(rack, plan)[device]


def _device_power(rack: Rack, plan: ItPlan) -> ComplexArray:
    """Return the power of each device of `rack`, with rack PDU loss [VA]."""
    power_w = np.array(rack.device_w) * plan.demand_factor * (1.0 + plan.rack_pdu_loss_fraction)
    return np.asarray(power_w + 1j * reactive_power.si(power_w, np.array(rack.device_pf)))


def lost_supplies(
    rack: Rack, plan: ItPlan, basis: PanelBasis, covering: frozenset[str] | None = None
) -> RackLost:
    """Return the lost supplies of `rack` that its panels must be evaluated in, by feed.

    covering: The `covering_feeds` of the plan, if already known.

    Raises ``UNKNOWN_FEED`` for a circuit on a feed that does not exist.
    """
    _refuse_wrong_circuits(rack, basis)
    poles = {circuit.poles for kind in plan.racks for circuit in kind.circuits}
    between_lines = any(_connection(n, basis) == "L-L" for n in poles)
    factors = [factor for kind in plan.racks for factor in kind.device_pf]
    sector = one_sector(factors, between_lines)
    if covering is None:
        covering = covering_feeds(plan.racks, basis.feeds)
    if covered_by_feeds(rack, sector, covering):
        return RackLost({}, len(rack.supplies), len(rack.supplies))
    banks = _banks(rack, supply_power(rack, plan, basis.feeds), basis)
    return rack_lost(rack, basis.feeds, banks, sector, covering)


def rack_tap_offs(
    rack: Rack, plan: ItPlan, basis: PanelBasis, criteria: Criteria, gone: RackLost | None = None
) -> tuple[TapOff, ...]:
    """Return the circuits of one rack, with automatic breakers if not specified.

    `gone` are its `lost_supplies`, if already known.

    Raises ``UNKNOWN_FEED`` for a circuit on a feed that does not exist, ``CONTRADICTION`` for a
    breaker larger than bus or main of its panel, ``NO_BREAKER``.
    """
    _refuse_wrong_circuits(rack, basis)
    power = supply_power(rack, plan, basis.feeds)
    where = np.array([s.circuit for s in rack.supplies], dtype=np.int64)
    banks = _banks(rack, power, basis)
    gone = lost_supplies(rack, plan, basis) if gone is None else gone
    lost = _lost_legs(rack, plan, gone, banks)
    seen: Counter[str] = Counter()
    shelves_a = shelf_currents(rack, basis)
    tap_offs = []
    for number, given in enumerate(rack.circuits):
        mine = np.flatnonzero(where == number)
        connection = _connection(given.poles, basis)
        legs = bank_power(power[:, mine], banks[mine], given.poles)
        circuit = Circuit(
            id="",
            description=" + ".join(f"{p.count} x {p.device.model}" for p in rack.placed),
            class_code=CLASS_OF_PURPOSE[rack.purpose],
            poles=given.poles,
            connection=connection,
            power_va=tuple(tuple(complex(v) for v in row) for row in legs),
            side=given.feed,
            ordinal=seen[given.feed],
        )
        worst_a = max(_worst_current(circuit, lost[number], basis), shelves_a[number])
        breaker_a = given.breaker_a or _breaker(worst_a, rack.name, basis, criteria)
        circuit = replace(circuit, breaker_a=breaker_a, breaker_given=given.breaker_a is not None)
        plug = given.rack_pdu or receptacle_named(given.connector)
        plug = plug or _plug(circuit, breaker_a, worst_a, basis, criteria)
        circuit = replace(circuit, receptacle=plug, connector=given.connector)
        tap_offs.append(
            TapOff(given.feed, seen[given.feed], given.poles == 3, circuit, lost[number])
        )
        seen[given.feed] += 1
    # Change of a line of the feed by one lost supply, total of its tap-offs
    rise_a: dict[str, NDArray[np.float64]] = {}
    for tap_off in tap_offs:
        if tap_off.lost.names:
            change = tap_off.lost.change(tap_off.circuit)
            before = rise_a.get(tap_off.feed, np.zeros(len(tap_off.lost.names)))
            rise_a[tap_off.feed] = before + circuit_current(change, basis.v_ll)
    return tuple(
        replace(tap_off, lost=replace(tap_off.lost, rise_a=float(rise_a[tap_off.feed].max())))
        if tap_off.lost.names
        else tap_off
        for tap_off in tap_offs
    )


def _refuse_wrong_circuits(rack: Rack, basis: PanelBasis) -> None:
    for number, given in enumerate(rack.circuits):
        if given.feed not in basis.feeds:
            raise unknown(
                "UNKNOWN_FEED",
                f"{rack.name}.circuits[{number}].feed",
                f"there is no feed {given.feed!r}.",
                given.feed,
                basis.feeds,
            )
        refuse_too_large(given.breaker_a, basis, f"{rack.name}.circuits[{number}].breaker")


def refuse_too_large(breaker_a: float | None, basis: PanelBasis, where: str) -> None:
    """Reject a branch breaker larger than bus or main of its panel, with ``CONTRADICTION``."""
    max_a = min(basis.bus_a, basis.main_a)
    if breaker_a is not None and not within(breaker_a, max_a):
        raise FacilityError(
            "CONTRADICTION",
            where,
            f"the {breaker_a:,g} A branch breaker exceeds the {max_a:,g} A panel.",
            "Use a breaker rated at most at bus and main of the panel, or a larger panel"
            " (power.distribution.panel_bus, panel_main).",
        )


def _banks(rack: Rack, power: ComplexArray, basis: PanelBasis) -> NDArray[np.int64]:
    """Return the outlet bank of each supply of `rack`, 0 on circuits without banks."""
    where = np.array([s.circuit for s in rack.supplies], dtype=np.int64)
    three_phase = np.array([rack.device_phases[s.device] == 3 for s in rack.supplies])
    banks = np.zeros(len(where), dtype=np.int64)
    for number, circuit in enumerate(rack.circuits):
        mine = np.flatnonzero(where == number)
        if circuit.poles == 3 and len(mine):
            banks[mine] = cord_banks(rack, number, power[:, mine], three_phase[mine], basis)
    return banks


def _lost_legs(
    rack: Rack, plan: ItPlan, gone: RackLost, banks: NDArray[np.int64]
) -> list[LostLegs]:
    """Return the legs of each circuit of `rack` with one supply lost."""
    where = np.array([s.circuit for s in rack.supplies], dtype=np.int64)
    device = np.array([s.device for s in rack.supplies], dtype=np.int64)
    found = [NOTHING_LOST] * len(rack.circuits)
    for number, circuit in enumerate(rack.circuits):
        lost = gone.by_feed.get(circuit.feed)
        if lost is not None and lost.names:
            mine = np.flatnonzero(where == number)
            power = lost.shares[:, mine] * _device_power(rack, plan)[device[mine]]
            found[number] = LostLegs(lost.names, bank_power(power, banks[mine], circuit.poles))
    return found


def _connection(poles: int, basis: PanelBasis) -> Connection:
    return ("L-N", "L-L", basis.single_phase)[poles - 1]


def outlet_banks(power: ComplexArray, three_phase: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the outlet bank of each supply of a circuit: largest first, to the least loaded.

    power: Power of each supply [VA], shape (states, supplies).
    three_phase: Supplies on all three banks, with bank -1, shape (supplies,).
    """
    banks = np.full(power.shape[1], -1, dtype=np.int64)
    worst = np.abs(power).max(axis=0, initial=0.0)
    filled = np.zeros(3)
    for supply in rising(-worst):
        if not three_phase[supply]:
            banks[supply] = argmin_within_rounding(filled)
            filled[banks[supply]] += worst[supply]
    return banks


def cord_banks(
    rack: Rack, number: int, power: ComplexArray, three_phase: NDArray[np.bool_], basis: PanelBasis
) -> NDArray[np.int64]:
    """Return the outlet bank of each supply of one circuit of `rack`: as specified or designed.

    number: Index of the circuit in ``rack.circuits``.
    power: Power of each supply of the circuit [VA], shape (states, supplies).
    three_phase: Supplies on all three banks, shape (supplies,).
    basis: Contains the cord data.
    """
    feed = rack.circuits[number].feed
    ordinal = sum(circuit.feed == feed for circuit in rack.circuits[:number])
    for cords in basis.cords:
        if (cords.rack, cords.feed, cords.number) == (rack.name, feed, ordinal):
            return np.array(cords.banks, dtype=np.int64)
    return outlet_banks(power, three_phase)


def bank_power(power: ComplexArray, banks: NDArray[np.int64], poles: int) -> ComplexArray:
    """Return the power of each outlet bank by state, from `outlet_banks` of a 3-pole circuit."""
    if poles < 3:
        return np.asarray(power.sum(axis=1, keepdims=True))
    legs = np.stack([power[:, banks == bank].sum(axis=1) for bank in range(3)], axis=1)
    legs += power[:, banks < 0].sum(axis=1, keepdims=True) / 3.0
    return legs


def _worst_current(circuit: Circuit, lost: LostLegs, basis: PanelBasis) -> float:
    """Return the largest line current of a circuit in any state, one rack supply lost [A]."""
    worst_a = float(circuit_current(circuit, basis.v_ll).max())
    if lost.names:
        worst_a = max(worst_a, float(circuit_current(lost.of(circuit), basis.v_ll).max()))
    return worst_a


def shelf_currents(rack: Rack, basis: PanelBasis) -> list[float]:
    """Return the rated current of the power shelves on each circuit of `rack` [A].

    A circuit is as large as its shelf: with a feed lost and another shelf out of service the shelf
    carries more than in any state of the feeds. The rating of a shelf is used as its input, limited
    by the maximum of the device.
    """
    devices = [placed.device for placed in rack.placed for _ in range(placed.count)]
    found = [0.0] * len(rack.circuits)
    for supply in rack.supplies:
        device = devices[supply.device]
        if device.psu is not None and device.psu.phases == 3:
            rated_w = min(device.psu.rating_w, device.maximum_w)
            rated_va = float(apparent_power.si(rated_w, device.psu.power_factor))
            found[supply.circuit] += float(three_phase_current.si(rated_va, basis.v_ll))
    return found


def _breaker(worst_a: float, where: str, basis: PanelBasis, criteria: Criteria) -> float:
    factor = 1.0 if basis.listed_100 else criteria.continuous_factor
    factor = float(sizing_factor.si(factor, criteria.sized_drop))
    min_a = float(required_rating.si(worst_a, 0.0, factor))
    try:
        return next_breaker(basis.breaker_sizes_a, min_a, where)
    except FacilityError as error:
        raise FacilityError(
            error.code,
            where,
            f"a circuit requires a breaker of {min_a:,.1f} A; panels with a {basis.bus_a:,g} A bus"
            f" and a {basis.main_a:,g} A main accept "
            + (f"at most {basis.breaker_sizes_a[-1]:,g} A." if basis.breaker_sizes_a else "none."),
            "Add circuits to the rack (it.cords.per_feed, it.halls[].racks[].circuits), or use"
            " larger panels (power.distribution.panel_bus, panel_main) or larger breakers"
            " (breakers).",
        ) from None


def _plug(
    circuit: Circuit, breaker_a: float, worst_a: float, basis: PanelBasis, criteria: Criteria
) -> str:
    """Return the receptacle of a circuit, by its breaker and continuous load; empty if none.

    A 100 % listing applies to the panel and its breakers, not to the receptacle. For a specified
    breaker the receptacle matches it, and its load is checked.
    """
    of_load_a = float(required_rating.si(worst_a, 0.0, criteria.continuous_factor))
    min_a = breaker_a if circuit.breaker_given else max(breaker_a, of_load_a)
    return receptacle(basis, circuit.poles, circuit.connection, min_a)
