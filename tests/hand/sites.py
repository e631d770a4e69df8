"""Cooling projects of the folder `projects`: water and temperatures of their design hour."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from facility import load_project
from facility.cooling.plant.rejection import Rejection
from facility.cooling.plant.sinks import Sink
from facility.study.design.design import Design, design
from tests.hand import moist
from tests.hand.registry import case

PROJECTS = Path(__file__).parent / "projects"
_PADS = 0.85
_COOLER = (2.931e6, 5.56, 35.0)
"""Heat, water range and air of the catalogue's dry cooler (BAC TDFS1238N)."""


@cache
def _built(name: str) -> Design:
    return design(load_project(PROJECTS / f"{name}.yaml"))


def _figure(name: str, key: str, unit: float = 1.0) -> Callable[[], float]:
    def found() -> float:
        built = _built(name)
        failures = built.ride_through.study if key.startswith("ride.") else None
        results = built.results if failures is None else failures.results
        return float(results[key].si) * unit

    return found


_L_MIN = 6e4
for _name, _site, _key, _unit in (
    ("phoenix-coil-air-with-water", "phoenix-pads", "fws.rejection.coil_air", 1.0),
    ("phoenix-coil-air-without-water", "phoenix-pads", "ride.makeup_water.coil_air.without", 1.0),
    ("phoenix-water-required", "phoenix-pads", "fws.rejection.water", 1.0),
    ("phoenix-evaporation", "phoenix-pads", "water.evaporation", _L_MIN),
    ("phoenix-makeup", "phoenix-pads", "water.makeup", _L_MIN),
    ("phoenix-storage-of-12-h", "phoenix-pads", "water.storage.12h", 1.0),
    ("singapore-entering-wet-bulb", "singapore-towers", "plant.rejection.entering_air", 1.0),
    ("singapore-evaporation", "singapore-towers", "water.evaporation", _L_MIN),
    ("singapore-blowdown", "singapore-towers", "water.blowdown", _L_MIN),
    ("singapore-makeup", "singapore-towers", "water.makeup", _L_MIN),
    ("singapore-storage-of-24-h", "singapore-towers", "water.storage", 1.0),
):
    case(_name)(_figure(_site, _key, _unit))


def phoenix() -> moist.Water:
    """Return the water of the pads by the second calculation."""
    built = _built("phoenix-pads")
    sink, found = _sink(built)
    coolers = found.flow_m3_s * sink.liquid.rate_w_k(1.0) / sink.unit_w_k
    place = built.facility.site.design.pressure_pa
    return moist.pads(49.7, 28.7, place, _PADS, coolers, _COOLER, 4.0)


def singapore() -> moist.Water:
    """Return the water of the towers by the second calculation."""
    built = _built("singapore-towers")
    found, place = built.cooling_flow.rejection, built.facility.site.design.pressure_pa
    drift = 8e-5 * found.flow_m3_s
    air = (33.2, 27.6, place)
    return moist.tower(*air, found.heat_w, found.fans_w, 34.6, drift, 6.0)


def _sink(built: Design) -> tuple[Sink, Rejection]:
    water, found = built.cooling.water, built.cooling_flow.fws_rejection
    assert water is not None
    assert water.sink is not None
    assert found is not None
    return water.sink, found


SECOND: dict[str, Callable[[], float]] = {
    "phoenix-coil-air-with-water": lambda: moist.pad_air(49.7, 28.7, _PADS),
    "phoenix-evaporation": lambda: phoenix().evaporation * _L_MIN,
    "phoenix-makeup": lambda: phoenix().makeup * _L_MIN,
    "phoenix-storage-of-12-h": lambda: phoenix().makeup * 43_200.0,
    "singapore-evaporation": lambda: singapore().evaporation * _L_MIN,
    "singapore-blowdown": lambda: singapore().blowdown * _L_MIN,
    "singapore-makeup": lambda: singapore().makeup * _L_MIN,
    "singapore-storage-of-24-h": lambda: singapore().makeup * 86_400.0,
}
"""The figure of a case by psychrolib and CoolProp, for the sizes of the design."""
