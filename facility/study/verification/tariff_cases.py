"""Tariff cases: bills of published tests for given loads."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from facility.core.kinds import FloatArray
from facility.core.trace import Trace
from facility.model.inputs.money.tariff import TariffSection
from facility.study.resolve.site.tariff import resolve_charges
from facility.study.tariff.bill import Bill, Metered, bill_of
from facility.study.verification.inputs import CaseFunctions

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


def _month(power_w: FloatArray, apparent_va: FloatArray, charges: Mapping[str, object]) -> Bill:
    """Return the bill of a load in January only."""
    tariff = resolve_charges(TariffSection.model_validate(charges), "", Trace())
    return bill_of(tariff, Metered(np.ones(len(power_w), dtype=np.int64), power_w, apparent_va))


def _blocks_of_a_month(energy_j: float, price: str, blocks: str, fixed: str) -> float:
    """Return a bill; `blocks` is ``above @ price | ...``."""
    parts = [block.split("@") for block in blocks.split("|")]
    beyond = [{"above": above.strip(), "price": of.strip()} for above, of in parts]
    hours = int(_MONTH_HOURS[0])
    power_w = np.full(hours, energy_j / (hours * _HOUR_S))
    charges = {"energy": [{"price": price, "blocks": beyond}], "fixed": fixed}
    return float(_month(power_w, power_w, charges).total[0])


def _reactive_of_a_month(energy_j: float, reactive_var_s: float, beyond: str) -> float:
    hours = int(_MONTH_HOURS[0])
    power_w = np.full(hours, energy_j / (hours * _HOUR_S))
    apparent_va = power_w * np.hypot(1.0, reactive_var_s / energy_j)
    charge = {"price": "0.04 EUR/kvarh", "beyond": beyond}
    charges = {"energy": [{"price": "0 EUR/kWh"}], "reactive": [charge]}
    return float(_month(power_w, apparent_va, charges).reactive_var_s[0, 0])


FUNCTIONS: CaseFunctions = {
    "tariff.ramp_energy": ("money", _energy_of_a_ramp),
    "tariff.ramp_demand": ("money", _demand_of_a_ramp),
    "tariff.ratchet": ("money", _ratchet_of_one_hour),
    "tariff.blocks": ("money", _blocks_of_a_month),
    "tariff.reactive": ("reactive_energy", _reactive_of_a_month),
}
