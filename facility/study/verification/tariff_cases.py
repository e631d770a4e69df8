"""Cases of the tariff: what published tests of others charge for loads of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from facility.core.kinds import FloatArray
from facility.core.trace import Trace
from facility.model.inputs.money.tariff import TariffSection
from facility.study.resolve.site.tariff import resolve_charges
from facility.study.tariff.bill import Bill, Metered, bill_of

_QUARTER_S, _HOUR_S = 900.0, 3600.0
_MONTH_HOURS = np.array([744, 672, 744, 720, 744, 720, 744, 744, 720, 744, 720, 744])


def _bill(power_w: FloatArray, step_s: float, price: str, demand: str = "") -> Bill:
    """Return the bill of a load; `demand` is ``price @ months @ hours @ ratchet | ...``."""
    names = ("price", "months", "hours", "ratchet")
    charges = [
        {name: value.strip() for name, value in zip(names, charge.split("@"), strict=False)}
        for charge in demand.split("|")
        if demand
    ]
    section = TariffSection.model_validate({"energy": [{"price": price}], "demand": charges})
    month = np.repeat(np.arange(1, 13), _MONTH_HOURS)[: len(power_w)]
    metered = Metered(month, power_w, power_w, step_s)
    return bill_of(resolve_charges(section, "", Trace()), metered)


def _energy_of_a_ramp(last_w: float, steps: float, price: str) -> float:
    power_w = np.linspace(0.0, last_w, int(steps))
    return float(_bill(power_w, _QUARTER_S, price).total.sum())


def _demand_of_a_ramp(last_w: float, steps: float, demand: str) -> float:
    power_w = np.linspace(0.0, last_w, int(steps))
    return float(_bill(power_w, _QUARTER_S, "0 USD/kWh", demand).demand.sum())


def _ratchet_of_one_hour(rest_w: float, hour_w: float, hour: float, demand: str) -> float:
    power_w = np.full(int(_MONTH_HOURS.sum()), rest_w)
    power_w[int(hour)] = hour_w
    return float(_bill(power_w, _HOUR_S, "0 USD/kWh", demand).demand.sum())


FUNCTIONS: Mapping[str, tuple[str, Callable[..., float]]] = {
    "tariff.ramp_energy": ("money", _energy_of_a_ramp),
    "tariff.ramp_demand": ("money", _demand_of_a_ramp),
    "tariff.ratchet": ("money", _ratchet_of_one_hour),
}
"""Kind of the result, and the function, by name."""
