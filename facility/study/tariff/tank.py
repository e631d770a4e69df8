"""Chilled-water storage dispatched by the tariff: charged off-peak, discharged on-peak."""

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
"""Relative difference below which prices are equal."""
_ROOM = 0.98
"""Usable share of spare capacity and load: pump power and losses of the tank become heat."""


@dataclass(frozen=True, eq=False)
class TankHours:
    """Operation of a tank over the steps of a year."""

    flow: TankFlow  # Over the steps
    loss_w: FloatArray  # Standing heat gain
    level_j: FloatArray  # At the end of each step
    capacity_j: float


def prices(tariff: Tariff, metered: Metered, bill: Bill) -> FloatArray:
    """Return the marginal price of energy in each step, demand charges allocated to their hours.

    Energy has the price of the last block reached in the month: shifted energy is part of that
    block.

    A demand charge for some hours of a month is allocated to those hours: a load reduction of 1 kW
    in all of them saves the charge for n kWh. A charge for all hours raises all prices equally.
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
    """Return an idle tank."""
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
    """Return the tank charged in the lowest-price hours of each month, discharged in the highest.

    Charge and discharge are even over consecutive hours. Charging is limited to the spare capacity
    of the duty chillers, as designed or at the condenser water of the hour, and of the pumps;
    discharging is limited to the chiller load.

    price: Price per J in each step.
    flow: Hourly cooling without the tank.
    under_peak: Whether charging keeps the demand below the monthly peak.
    """
    plan, chilled = _plan(cooling), cooling.chilled
    step_s, steps, capacity_j = metered.step_s, len(price), _capacity_j(cooling)
    load_w = np.broadcast_to(np.asarray(flow.chiller_load_w, dtype=float), steps)
    spare_w = _spare(chilled, flow, load_w)
    if under_peak:
        spare_w = np.minimum(spare_w, _under_peak(metered, flow, load_w))
    spare_w = _ROOM * np.maximum(0.0, spare_w)
    off_peak, on_peak = _extremes(price, metered.month)
    gain_w = plan.gain * _stored_j(cooling, plan.usable) / _DAY_S
    charge_w = np.where(
        off_peak, np.minimum(capacity_j / _lasting_s(off_peak, step_s) + gain_w, spare_w), 0.0
    )
    stored_j = np.full(steps, capacity_j)
    for _ in range(2):  # Heat stored at the start of on-peak hours is known after the first pass
        give_w = np.where(
            on_peak, np.minimum(stored_j / _lasting_s(on_peak, step_s), _ROOM * load_w), 0.0
        )
        level_j = levels((charge_w - give_w - gain_w) * step_s, capacity_j)
        stored_j = _at_begin(np.roll(level_j, 1), on_peak)
    added_w = (level_j - np.roll(level_j, 1)) / step_s
    charged_w = np.where(off_peak, np.clip(added_w + gain_w, 0.0, spare_w), 0.0)
    discharged_w = np.where(on_peak, np.maximum(0.0, -added_w - gain_w), 0.0)
    loss_w = charged_w - discharged_w - added_w
    moved = TankFlow(charged_w, discharged_w)  # type: ignore[arg-type]
    return TankHours(moved, loss_w, level_j, capacity_j)


def _plan(cooling: CoolingDesign) -> StoragePlan:
    if cooling.chain.storage is None:
        raise TypeError("a design without a tank")
    return cooling.chain.storage


def _capacity_j(cooling: CoolingDesign) -> float:
    plan = _plan(cooling)
    return _stored_j(cooling, plan.usable - plan.reserve)


def _stored_j(cooling: CoolingDesign, part: float) -> float:
    """Return the heat capacity of a fraction of the tank."""
    plan, chilled = _plan(cooling), cooling.chilled
    volume_m3 = plan.volume_m3 * part
    return float(storage_heat.si(volume_m3, chilled.plan.rise_k, **chilled.liquid.properties))


def _spare(chilled: ChilledWater, flow: CoolingFlow, load_w: FloatArray) -> FloatArray:
    """Return the spare capacity of the duty chillers and pumps."""
    given_w = chilled.on_duty * np.asarray(chilled.capacity_at(flow.condenser_in_c))
    flow_m3_s = chilled.pump.flow_m3_s - np.asarray(flow.chw_flow_m3_s)
    pumped_w = chilled.liquid.rate_w_k(1.0) * chilled.plan.rise_k * flow_m3_s
    return np.asarray(np.minimum(np.minimum(chilled.load_w, given_w) - load_w, pumped_w))


def _under_peak(metered: Metered, flow: CoolingFlow, load_w: FloatArray) -> FloatArray:
    """Return the chiller load that the power margin below the monthly peak allows.

    By the mean power of chillers and heat rejection at their load of the hour.
    """
    left_w = metered.highest(metered.power_w)[metered.month - 1] - metered.power_w
    plant_w = flow.power.chillers_w + flow.rejection.fans_w + flow.rejection.pumps_w
    return np.asarray(left_w * load_w / np.maximum(plant_w, 1.0))


def _extremes(
    price: FloatArray, month: NDArray[np.int64]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return the steps of lowest and highest price in each month; none if all prices are equal."""
    low, high = np.full(13, np.inf), np.full(13, -np.inf)
    np.minimum.at(low, month, price)
    np.maximum.at(high, month, price)
    lowest, highest = low[month], high[month]
    several = highest - lowest > _APART * highest
    return (
        several & (price <= lowest + _APART * highest),
        several & (price >= highest - _APART * highest),
    )


def _begins(inside: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the run number of each step; a run has equal consecutive steps."""
    return np.cumsum(np.diff(inside.astype(np.int64), prepend=0) != 0)


def _lasting_s(inside: NDArray[np.bool_], step_s: float) -> FloatArray:
    """Return the duration of the run of each step."""
    runs = _begins(inside)
    return np.asarray(np.bincount(runs)[runs] * step_s)


def _at_begin(values: FloatArray, inside: NDArray[np.bool_]) -> FloatArray:
    """Return for each step the value at the first step of its run."""
    _, first, at = np.unique(_begins(inside), return_index=True, return_inverse=True)
    return np.asarray(values[first][at])


def tank_figures(
    tank: TankHours, step_s: float, without: Bill, with_: Bill, found: Findings
) -> Check:
    """Record shifted heat and bill saving of the tank; return the check of the saving."""
    kind = money_kind(with_.tariff.currency)
    rates = {
        "storage.charged": (
            np.asarray(tank.flow.charge_w),
            "heat removed from the tank off-peak (charging)",
        ),
        "storage.discharged": (
            np.asarray(tank.flow.discharge_w),
            "heat absorbed by the tank on-peak (discharging)",
        ),
        "storage.loss": (tank.loss_w, "standing heat gain of the tank"),
    }
    words = "water volume usable at supply temperature, times the chilled-water temperature rise"
    found.note(
        "storage.capacity", tank.capacity_j, "energy", words, volume="cooling.storage.volume"
    )
    for key, (rate_w, words) in rates.items():
        found.note(key, float(rate_w.sum()) * step_s, "energy", words)
    saved = float(without.total.sum() - with_.total.sum())
    because = "annual bill without the tank"
    found.trace.derive("storage.without", float(without.total.sum()), kind, because)
    found.note(
        "storage.saving",
        saved,
        kind,
        "annual bill without the tank less annual bill with it",
        without="storage.without",
        with_it="cost.annual",
    )
    words = f"{show(saved, kind)} of {show(float(without.total.sum()), kind)}"
    return RULES["STORAGE-SAVING"].verdict("chilled water", saved > 0.0, words)
