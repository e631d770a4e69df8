"""A tank of chilled water run by the tariff: charged in cheap hours, giving in dear ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facility.cooling.chain.flow import CoolingDesign, CoolingFlow
from facility.cooling.parts.loads import TankFlow
from facility.cooling.plant.chilled_water import ChilledWater
from facility.cooling.plant.tank import levels
from facility.core.check import Check
from facility.core.kinds import FloatArray, money_kind
from facility.core.trace import Findings
from facility.core.views import show
from facility.model.cooling.thermal import StoragePlan
from facility.model.tariff import Tariff
from facility.physics.plant.thermal_transient import storage_heat
from facility.study.rules import RULES
from facility.study.tariff.bill import Bill, Metered, clock

_DAY_S = 86400.0
_APART = 1e-9
"""Prices nearer to each other than this part are one."""
_ROOM = 0.98
"""Part of spare capacity and load that a tank moves: its pumps and losses are heat again."""


@dataclass(frozen=True, eq=False)
class TankHours:
    """A tank through the steps of a year."""

    flow: TankFlow  # Over the steps
    loss_w: FloatArray  # Heat that it takes up as it stands
    level_j: FloatArray  # At the end of each step
    capacity_j: float


def prices(tariff: Tariff, metered: Metered, bill: Bill) -> FloatArray:
    """Return what a J more costs in each step: energy, and demand over the hours of its charge.

    Energy costs what its last block costs that the month reaches: what a tank moves is of it.

    A demand charge of some hours of a month is spread over them: a load made less by 1 kW in all of
    them saves the charge, and n kWh. One of all hours makes none dearer than another.
    """
    when, found = clock(metered, tariff.first_day, tariff.holidays), bill.last_per_j.copy()
    for n, charge in enumerate(tariff.demand):
        last = bill.last_demand(n)
        if charge.coincident:
            named, billed = when.named(charge.coincident), last[np.array(charge.period.months) - 1]
            found[named] += charge.price * billed.sum() / (named.sum() * metered.step_s)
            continue
        share = when.share_in(charge.period) * last[metered.month - 1]
        lasts_s = np.bincount(metered.month - 1, share, 12) * metered.step_s
        found += share * charge.price / np.maximum(lasts_s, metered.step_s)[metered.month - 1]
    return found


def standing(cooling: CoolingDesign, steps: int) -> TankHours:
    """Return the tank that nothing charges or empties."""
    none = np.zeros(steps)
    return TankHours(TankFlow(none, none), none, none, _capacity_j(cooling))  # type: ignore[arg-type]


def dispatched(
    price: FloatArray,
    metered: Metered,
    cooling: CoolingDesign,
    flow: CoolingFlow,
    *,
    under_peak: bool = False,
) -> TankHours:
    """Return the tank charged in the cheapest hours of each month, emptied in the dearest.

    Evenly over hours that follow one another; never more than the chillers on duty have to spare
    beside their load, as designed or at the condenser water of the hour, and the pumps beside their
    flow, nor than the load of the chillers.

    price: What a J costs in each step.
    flow: The cooling through the hours without it.
    under_peak: Whether charging raises no hour over the highest of its month.
    """
    plan, chilled = _plan(cooling), cooling.chilled
    step_s, steps, capacity_j = metered.step_s, len(price), _capacity_j(cooling)
    load_w = np.broadcast_to(np.asarray(flow.chiller_load_w, dtype=float), steps)
    spare_w = _spare(chilled, flow, load_w)
    if under_peak:
        spare_w = np.minimum(spare_w, _under_peak(metered, flow, load_w))
    spare_w = _ROOM * np.maximum(0.0, spare_w)
    cheap, dear = _extremes(price, metered.month)
    gain_w = plan.gain * _held_j(cooling, plan.usable) / _DAY_S
    charge_w = np.where(
        cheap, np.minimum(capacity_j / _lasting_s(cheap, step_s) + gain_w, spare_w), 0.0
    )
    held_j = np.full(steps, capacity_j)
    for _ in range(2):  # What dear hours begin with is known after the first
        give_w = np.where(dear, np.minimum(held_j / _lasting_s(dear, step_s), _ROOM * load_w), 0.0)
        level_j = levels((charge_w - give_w - gain_w) * step_s, capacity_j)
        held_j = _at_begin(np.roll(level_j, 1), dear)
    added_w = (level_j - np.roll(level_j, 1)) / step_s
    charged_w = np.where(cheap, np.clip(added_w + gain_w, 0.0, spare_w), 0.0)
    discharged_w = np.where(dear, np.maximum(0.0, -added_w - gain_w), 0.0)
    loss_w = charged_w - discharged_w - added_w
    moved = TankFlow(charged_w, discharged_w)  # type: ignore[arg-type]
    return TankHours(moved, loss_w, level_j, capacity_j)


def _plan(cooling: CoolingDesign) -> StoragePlan:
    if cooling.chain.storage is None:
        raise TypeError("a design without a tank")
    return cooling.chain.storage


def _capacity_j(cooling: CoolingDesign) -> float:
    plan = _plan(cooling)
    return _held_j(cooling, plan.usable - plan.reserve)


def _held_j(cooling: CoolingDesign, part: float) -> float:
    """Return the heat that a part of the tank takes up."""
    plan, chilled = _plan(cooling), cooling.chilled
    volume_m3 = plan.volume_m3 * part
    return float(storage_heat.si(volume_m3, chilled.plan.rise_k, **chilled.liquid.properties))


def _spare(chilled: ChilledWater, flow: CoolingFlow, load_w: FloatArray) -> FloatArray:
    """Return the heat that chillers on duty and pumps can take beside what they do."""
    given_w = chilled.on_duty * np.asarray(chilled.capacity_at(flow.condenser_in_c))
    flow_m3_s = chilled.pump.flow_m3_s - np.asarray(flow.chw_flow_m3_s)
    pumped_w = chilled.liquid.rate_w_k(1.0) * chilled.plan.rise_k * flow_m3_s
    return np.asarray(np.minimum(np.minimum(chilled.load_w, given_w) - load_w, pumped_w))


def _under_peak(metered: Metered, flow: CoolingFlow, load_w: FloatArray) -> FloatArray:
    """Return the heat that chillers take with the power that is left to the highest of the month.

    By the mean power of chillers and heat rejection for their load of the hour.
    """
    left_w = metered.highest(metered.power_w)[metered.month - 1] - metered.power_w
    plant_w = flow.power.chillers_w + flow.rejection.fans_w + flow.rejection.pumps_w
    return np.asarray(left_w * load_w / np.maximum(plant_w, 1.0))


def _extremes(
    price: FloatArray, month: NDArray[np.int64]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return where prices are the lowest and the highest of their month, if not all are one."""
    low, high = np.full(13, np.inf), np.full(13, -np.inf)
    np.minimum.at(low, month, price)
    np.maximum.at(high, month, price)
    least, most = low[month], high[month]
    several = most - least > _APART * most
    return (several & (price <= least + _APART * most), several & (price >= most - _APART * most))


def _begins(inside: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the number of the run of equal steps that each step is in."""
    return np.cumsum(np.diff(inside.astype(np.int64), prepend=0) != 0)


def _lasting_s(inside: NDArray[np.bool_], step_s: float) -> FloatArray:
    """Return how long the run of steps lasts that each step is in."""
    runs = _begins(inside)
    return np.asarray(np.bincount(runs)[runs] * step_s)


def _at_begin(values: FloatArray, inside: NDArray[np.bool_]) -> FloatArray:
    """Return for each step the value at the first step of its run."""
    _, first, at = np.unique(_begins(inside), return_index=True, return_inverse=True)
    return np.asarray(values[first][at])


def tank_figures(
    tank: TankHours, step_s: float, without: Bill, with_: Bill, found: Findings
) -> Check:
    """Record what the tank moves and saves; return whether it saves."""
    kind = money_kind(with_.tariff.currency)
    rates = {
        "storage.charged": (
            np.asarray(tank.flow.charge_w),
            "heat taken out of the tank in cheap hours",
        ),
        "storage.discharged": (
            np.asarray(tank.flow.discharge_w),
            "heat given to the tank in dear hours",
        ),
        "storage.loss": (tank.loss_w, "heat that it takes up as it stands"),
    }
    words = "water that gives its supply temperature, by the rise of the chilled water"
    found.note(
        "storage.capacity", tank.capacity_j, "energy", words, volume="cooling.storage.volume"
    )
    for key, (rate_w, words) in rates.items():
        found.note(key, float(rate_w.sum()) * step_s, "energy", words)
    saved = float(without.total.sum() - with_.total.sum())
    because = "bill of the same year without the tank"
    found.trace.derive("storage.without", float(without.total.sum()), kind, because)
    found.note(
        "storage.saving",
        saved,
        kind,
        "bill of the year without the tank, less that with it",
        without="storage.without",
        with_it="cost.annual",
    )
    words = f"{show(saved, kind)} of {show(float(without.total.sum()), kind)}"
    return RULES["STORAGE-SAVING"].verdict("chilled water", saved > 0.0, words)
