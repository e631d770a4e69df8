"""A year of hours of each part of the cooling, beside psychrolib and CoolProp.

Run with ``python -m benchmarks.cooling`` from the project folder. Nothing here is asserted.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from facility.catalogue import table
from facility.catalogue.weather import station_weather
from facility.cooling.parts.air import AirHours
from facility.cooling.plant.chillers import eir_curves
from facility.physics.air.psychrometrics import humidity_ratio, wet_bulb
from facility.physics.exchangers.effectiveness import (
    counterflow_effectiveness,
    crossflow_effectiveness,
    heat_exchanged,
    scaled_conductance,
)
from facility.physics.plant.chiller.switched import LiftLimits, switched_hours

RUNS = 7
ORACLE_HOURS = 876
LOAD_W = 1e6
LIMITS = LiftLimits(2.0, 7.56, 5.0, 14.0)


def best(work: Callable[[], object], runs: int = RUNS) -> float:
    """Return the shortest of several runs, in seconds."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def air_of(station: str) -> tuple[AirHours, Any]:
    """Return a typical year, and its relative humidity."""
    year = station_weather(station)
    relative = np.minimum(year.relative_humidity, 1.0)
    ratio = humidity_ratio.si(year.dry_bulb_c, relative, year.pressure_pa)
    wet = wet_bulb.si(year.dry_bulb_c, ratio, year.pressure_pa)
    return AirHours(year.dry_bulb_c, wet, ratio, year.pressure_pa), relative


def plants(air: AirHours) -> dict[str, Callable[[], object]]:
    """Return the parts of the plant, each a year."""
    load = np.full(8760, LOAD_W)
    curves = eir_curves(table("cooling/chillers_eir").get("York YT 1055kW/5.96COP/Vanes"))
    setpoint = np.clip(air.wet_bulb_c + 4.0, 15.6, 29.4)
    return {
        "chiller by EIR, lift beyond": lambda: switched_hours(curves, LIMITS, 18.0, setpoint, load)
    }


def exchangers(air: AirHours) -> dict[str, Callable[[], object]]:
    """Return a coil and a CDU at 8,760 different flows and temperatures."""
    part = 0.5 + 0.5 * (air.dry_bulb_c - air.dry_bulb_c.min()) / np.ptp(air.dry_bulb_c)

    def coil() -> Any:
        conductance = scaled_conductance.si(20e3, 0.5, part, 0.8, part, 0.85)
        effectiveness = crossflow_effectiveness.si(conductance / (9e3 * part), 0.8)
        return heat_exchanged.si(effectiveness, 9e3 * part, 36.0, 18.0)

    def cdu() -> Any:
        conductance = scaled_conductance.si(300e3, 1.0, part, 0.8, part, 0.8)
        effectiveness = counterflow_effectiveness.si(conductance / (80e3 * part), 0.95)
        return heat_exchanged.si(effectiveness, 80e3 * part, 50.0, 36.0)

    return {"coil": coil, "CDU": cdu}


def oracles(air: AirHours, relative: Any) -> None:
    """Print the wet bulbs of the year by this project, and of a tenth of it by two libraries."""
    import CoolProp.HumidAirProp as humid
    import psychrolib

    psychrolib.SetUnitSystem(psychrolib.SI)
    dry, p = air.dry_bulb_c, air.pressure_pa
    ours = best(lambda: wet_bulb.si(dry, air.humidity_ratio, p))
    some = slice(0, 8760, 8760 // ORACLE_HOURS)
    lists = [dry[some].tolist(), relative[some].tolist(), p[some].tolist()]
    hours = len(lists[0])
    loop = best(
        lambda: [psychrolib.GetTWetBulbFromRelHum(*hour) for hour in zip(*lists, strict=True)], 3
    )
    array = best(
        lambda: humid.HAPropsSI("Twb", "T", dry[some] + 273.15, "R", relative[some], "P", p[some]),
        2,
    )
    scale = 8760 / hours
    print(
        f"wet bulbs of a year: {ours * 1e3:.1f} ms; psychrolib, a loop: {loop * scale:.2f} s; "
        f"CoolProp, arrays: {array * scale:.2f} s (a tenth of the year each)"
    )


def main() -> None:
    """Print the times."""
    air, relative = air_of("chicago")
    oracles(air, relative)
    for name, work in {**exchangers(air), **plants(air)}.items():
        print(f"{name}, 8,760 hours: {best(work) * 1e3:.1f} ms")


if __name__ == "__main__":
    main()
