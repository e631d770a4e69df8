"""Cases of the rooms: humidifiers and dehumidifiers, in-row coolers by row and by rack."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from facility.cooling.air.humidifier import humidifier_water, steam_at
from facility.cooling.air.rack_limits import rack_limit_checks
from facility.core.trace import Trace
from facility.model.facility import Weather
from facility.study.resolve.cooling.room import _rows_of
from tests.hand.registry import case
from tests.study.helpers import design_of, si

_ROOM = SimpleNamespace(humidifier="steam", driest_c=5.5, ventilation_m3_s=2.0)
_AIR = SimpleNamespace(volume_m3_kg=0.85)


def _steam(dry_c: float, wet_c: float) -> float:
    weather = Weather(dry_c, wet_c, 101325.0)
    return steam_at(_ROOM, _AIR, weather, Trace())  # type: ignore[arg-type]


@case("steam-humidifier-in-dry-air")
def _() -> float:
    return _steam(10.0, 4.0)


@case("steam-humidifier-in-damp-air")
def _() -> float:
    return _steam(28.0, 26.0)


def _water() -> np.ndarray:
    """Water by hours: dry air of 2.5996 g/kg, damp air of 20 g/kg."""
    hours = SimpleNamespace(
        dry_bulb_c=np.array([10.0, 28.0]),
        pressure_pa=np.array([101325.0, 101325.0]),
        humidity_ratio=np.array([2.59956e-3, 20e-3]),
    )
    return humidifier_water(_ROOM, 0.85, hours)  # type: ignore[arg-type]


@case("humidifier-water-in-dry-air")
def _() -> float:
    return float(_water()[0])


@case("humidifier-water-in-damp-air")
def _() -> float:
    return float(_water()[1])


DAMP = """\
schema_version: 1
site:
  place: somewhere
  country: US
  elevation: 0 m
  design_dry_bulb: 30 degC
  design_wet_bulb: WET degC
it: {gpu_model: H100 SXM5, gpus: 64}
power: {redundancy: N}
cooling: {method: air, room_dew_point: 15 degC, air: {ventilation: 1 m3/s}}
"""


def _dehumidifier(wet_c: str) -> float:
    found = design_of(DAMP.replace("WET", wet_c))
    return si(found.room_air, "air.dehumidifier")


@case("dehumidifier-in-damp-air")
def _() -> float:
    return _dehumidifier("25")


@case("dehumidifier-in-dry-air")
def _() -> float:
    return _dehumidifier("13")


@case("humidifier-at-the-driest-hour")
def _() -> float:
    return si(design_of(DAMP.replace("WET", "25")).room_air, "air.humidifier")


# --- in-row coolers ---------------------------------------------------------------------------


def _plan(racks: int, rows: int) -> SimpleNamespace:
    hall = SimpleNamespace(name="H", rows=rows)
    return SimpleNamespace(halls=[hall], racks=[SimpleNamespace(hall="H", count=racks)])


@case("in-row-share-of-the-longest-row")
def _() -> float:
    shares = [part for _, part in _rows_of("H", 0.5, _plan(10, 3))]  # type: ignore[arg-type]
    assert len(shares) == 3
    return max(shares)


@case("in-row-share-of-the-shortest-row")
def _() -> float:
    return min(part for _, part in _rows_of("H", 0.5, _plan(10, 3)))  # type: ignore[arg-type]


@case("in-row-coolers-for-each-rack")
def _() -> float:
    """Six coolers for two racks of 20 kW and two of 10 kW, and one without heat in air."""
    racks = [
        SimpleNamespace(name=name, count=count, air_w=air_w, airflow_m3_s=air_w / 12e3)
        for name, count, air_w in (("large", 2, 20e3), ("small", 2, 10e3), ("wet", 1, 0.0))
    ]
    path = SimpleNamespace(door=None, terminal="in-row")
    unit = SimpleNamespace(model="cooler", air_flow_m3_s=2.0)
    chain = SimpleNamespace(
        racks=racks,
        crah=SimpleNamespace(path=path, unit=unit),
        chilled_water=SimpleNamespace(supply_c=10.0),
    )
    (found,) = rack_limit_checks(chain, 6)  # type: ignore[arg-type]
    return float(found.value or 0.0)
