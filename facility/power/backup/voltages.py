"""Available generator voltages, and step-up transformers for other bus voltages."""

from __future__ import annotations

from facility.catalogue import table
from facility.catalogue.loader import per_catalogue
from facility.power.train.flow import transformer_flow
from facility.power.train.state import ZERO, Power
from facility.power.train.types import GeneratorDesign, TransformerDesign

LOW_VOLTAGE_V = 1000.0
MAX_ON_ONE_BUS = 32
"""Maximum parallel sets on one bus for load sharing of typical controllers (unverified)."""

_SAME_VOLTAGE = 0.01
_USUAL_LV_V = {60.0: 480.0, 50.0: 400.0}


@per_catalogue(256)
def standard_set_voltages(
    frequency_hz: float, rating_va: float, usual: bool = False
) -> tuple[float, ...]:
    """Return the available set voltages for a frequency and rating, rising [V].

    With `usual`, without voltages used in only a few countries.
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
    """Return whether two nominal voltages are equivalent, e.g. 415 and 416 V."""
    return abs(one_v - other_v) <= _SAME_VOLTAGE * other_v


def set_voltage(frequency_hz: float, rating_va: float, bus_v: float) -> float:
    """Return the set voltage for a bus: the bus voltage if sets are available for it.

    Otherwise the highest common medium voltage below the bus voltage, or 480 V at 60 Hz and 400 V
    at 50 Hz, with a step-up transformer for each set.
    """
    made = standard_set_voltages(frequency_hz, rating_va)
    if not made or any(same_voltage(v, bus_v) for v in made):
        return bus_v
    medium = [
        v
        for v in standard_set_voltages(frequency_hz, rating_va, usual=True)
        if LOW_VOLTAGE_V < v < bus_v
    ]
    return medium[-1] if medium else _USUAL_LV_V.get(frequency_hz, made[-1])


def step_up_flow(plant: GeneratorDesign, load: Power) -> Power:
    """Return loss and reactive power of the duty step-up transformers."""
    if plant.step_up is None:
        return ZERO
    units = plant.on_duty
    return transformer_flow(TransformerDesign(plant.step_up, ("",), 1, units, units), (load,))
