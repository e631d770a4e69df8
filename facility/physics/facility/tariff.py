"""Charges of an electricity tariff other than energy: demand, ratchet, power factor."""

from __future__ import annotations

import numpy as np

from facility.core.equation import equation
from facility.core.kinds import (
    ActivePower,
    ApparentPower,
    ApparentPrice,
    DemandPrice,
    Energy,
    EnergyPrice,
    Fraction,
    Money,
    ReactiveEnergy,
    ReactivePrice,
)
from facility.core.sources import DEFINITION, Source

_RATCHET = Source("reopt-ratchet", "demand charge with a lookback of 35 %")
_REACTIVE = Source("es-rd-1164-2001", "article 9.3: only what exceeds 33 % of the active energy")
_POWER_FACTOR = Source("hydro-quebec-rates", "billing demand: kW, or 90 % of the kVA")


@equation("P_b", r"\max(P, r \, P_{max})", _RATCHET)
def billed_demand(
    measured_w: ActivePower, highest_w: ActivePower, ratchet: Fraction
) -> ActivePower:
    """Return the demand that a month is billed for, under a ratchet.

    measured_w: highest demand of the month.
    highest_w: highest demand of the months that the ratchet looks back on.
    ratchet: part of it that is billed at least; 0 without a ratchet.
    """
    return np.maximum(measured_w, ratchet * highest_w)


@equation(
    "P_b",
    r"\max(P, \cos\varphi_{least} \, S)",
    _POWER_FACTOR,
    empirical="a rule of the bill: kVA times a power factor are billed as kW",
)
def demand_at_power_factor(
    demand_w: ActivePower, demand_va: ApparentPower, min_power_factor: Fraction
) -> ActivePower:
    """Return the billed demand under a minimum power factor.

    At or above it the demand is that of the meter; below, it is as if that power factor were had.

    demand_w, demand_va: highest active and apparent demand of the month.
    min_power_factor: Minimum power factor.
    """
    return np.maximum(demand_w, min_power_factor * demand_va)


@equation("C_P", r"p_P \sum_m P_{b,m}", DEFINITION)
def demand_cost(billed_w: ActivePower, price_per_w: DemandPrice) -> Money:
    """Return the charge for demand.

    billed_w: billed demands, summed over the months.
    price_per_w: price of a month.
    """
    return billed_w * price_per_w


@equation("C_S", r"p_S \sum_m S_{b,m}", DEFINITION)
def apparent_demand_cost(billed_va: ApparentPower, price_per_va: ApparentPrice) -> Money:
    """Return the charge for demand of apparent power.

    billed_va: billed demands, summed over the months.
    price_per_va: price of a month.
    """
    return billed_va * price_per_va


@equation(
    "E_{Q,b}",
    r"\max(0, E_Q - \tan\varphi_{free} \, E)",
    _REACTIVE,
    empirical="a rule of the bill: a part of the kWh is free as kvarh",
)
def reactive_beyond(
    reactive_var_s: ReactiveEnergy, energy_j: Energy, free: Fraction
) -> ReactiveEnergy:
    """Return the reactive energy of a month that is charged.

    reactive_var_s, energy_j: reactive and active energy of the month in the period of the charge.
    free: part of the active energy up to which reactive energy is free; 0 where none is.
    """
    return np.maximum(0.0, reactive_var_s - free * energy_j)


@equation("C_Q", r"p_Q \sum_m E_{Q,b,m}", DEFINITION)
def reactive_cost(charged_var_s: ReactiveEnergy, price_per_var_s: ReactivePrice) -> Money:
    """Return the charge for reactive energy.

    charged_var_s: charged reactive energies, summed over the months.
    price_per_var_s: price of the energy.
    """
    return charged_var_s * price_per_var_s


@equation(r"\bar p", r"\frac{C}{E}", DEFINITION)
def mean_price(cost: Money, energy_j: Energy) -> EnergyPrice:
    """Return the average price of a bill per unit of energy, all charges included."""
    return cost / energy_j
