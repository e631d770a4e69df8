"""Voltages that generator sets are made for, and the step-up transformers of the others."""

from __future__ import annotations

from functools import lru_cache

from facility.catalogue import table
from facility.power.train.flow import transformer_flow
from facility.power.train.state import ZERO, Power
from facility.power.train.types import GeneratorDesign, TransformerDesign

LOW_VOLTAGE_V = 1000.0
MOST_ON_ONE_BUS = 32
"""Sets in parallel on one bus that the load sharing of usual controllers reaches; recalled."""

_SAME_VOLTAGE = 0.01
_USUAL_LV_V = {60.0: 480.0, 50.0: 400.0}


@lru_cache(maxsize=256)
def made_for(frequency_hz: float, rating_va: float, usual: bool = False) -> tuple[float, ...]:
    """Return the voltages that sets of a frequency and rating are made for, rising [V].

    With `usual` without those that are made for a few countries.
    """
    rows = table("electrical/generator_voltages").rows
    return tuple(
        sorted(
            row.si("voltage_v")
            for row in rows
            if row.si("frequency_hz") == frequency_hz
            and row.si("rating_min_kva") <= rating_va <= row.si("rating_max_kva")
            and (row["usual"] or not usual)
        )
    )


def same_voltage(one_v: float, other_v: float) -> bool:
    """Return whether two rated voltages are one, as 415 and 416 V."""
    return abs(one_v - other_v) <= _SAME_VOLTAGE * other_v


def set_voltage(frequency_hz: float, rating_va: float, bus_v: float) -> float:
    """Return the voltage to buy sets at for a bus: its own where they are made for it.

    Else the highest usual medium voltage below that of the bus, or 480 V at 60 Hz and 400 V at
    50 Hz, and each set has a step-up transformer.
    """
    made = made_for(frequency_hz, rating_va)
    if not made or any(same_voltage(v, bus_v) for v in made):
        return bus_v
    medium = [v for v in made_for(frequency_hz, rating_va, usual=True) if LOW_VOLTAGE_V < v < bus_v]
    return medium[-1] if medium else _USUAL_LV_V.get(frequency_hz, made[-1])


def step_up_flow(plant: GeneratorDesign, load: Power) -> Power:
    """Return loss and reactive power of the step-up transformers of the sets on duty."""
    if plant.step_up is None:
        return ZERO
    units = plant.on_duty
    return transformer_flow(TransformerDesign(plant.step_up, ("",), 1, units, units), (load,))
