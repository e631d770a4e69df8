"""Hydrogen of lead-acid batteries: what full cells set free, and the air that dilutes it."""

from __future__ import annotations

from typing import Any

from facility.core.equation import equation
from facility.core.sources import Source

_VENTILATION = Source("en-50272-2-quoted", "Q = v q s n Igas Crt", "2001", "secondary")
_EVOLUTION = Source("ieee-484-quoted", "hydrogen of a fully charged cell", "2002", "secondary")
_FIRE_CODE = Source("nyc-mechanical-502-4", "502.4.1: 1.0 percent of the room", "2008")
_HYDROGEN_M3_PER_AH = 0.42e-3
_AH = 3600.0
_MA = 1e-3
_HYDROGEN_PER_A_CELL = 0.000269 * 0.3048**3 / 60.0
"""0.000269 cubic feet a minute of hydrogen for each ampere and full cell, at 25 degC [m3/(A s)]."""
_DILUTION = 24.0
"""Air over hydrogen at 4 % by volume, the lower explosion limit: (100 - 4) / 4."""
_GAS_SAFETY = 5.0
"""Safety factor of EN 50272-2 on the airflow."""


@equation(
    "Q",
    r"v\,q\,s\,n\,I_{gas}\,C_{rt}",
    "air_flow",
    _VENTILATION,
    empirical="0.42 litres of hydrogen per ampere-hour, mA of gas per Ah of capacity",
    cells="count",
    gas_ma_per_ah="ratio",
    capacity_as="charge",
)
def hydrogen_airflow(cells: Any, gas_ma_per_ah: Any, capacity_as: Any) -> Any:
    """Return the airflow that keeps a battery room below the explosion limit of hydrogen.

    Once a cell is full its current splits water: 0.42 litres of hydrogen for each ampere-hour.
    The air dilutes it 24 times, to 4 % by volume, with a safety factor of 5: 0.05 cubic metres
    an hour for each cell and ampere of gassing current. The hydrogen then stays at 0.83 %.

    Parameters
    ----------
    cells : float or ndarray
        Cells of all strings in the room.
    gas_ma_per_ah : float or ndarray
        Gassing current per capacity [mA/Ah].
    capacity_as : float or ndarray
        Rated capacity of one cell [A s].
    """
    current_a = gas_ma_per_ah * _MA * capacity_as / _AH
    return _DILUTION * _GAS_SAFETY * _HYDROGEN_M3_PER_AH / _AH * cells * current_a


@equation(
    "c",
    r"\frac{Q_{min}}{v\,s\,Q}",
    "fraction",
    _VENTILATION,
    needed_m3_s="air_flow",
    airflow_m3_s="air_flow",
)
def hydrogen_fraction(needed_m3_s: Any, airflow_m3_s: Any) -> Any:
    """Return the hydrogen in the air of a battery room, by volume.

    The hydrogen set free is the airflow of `hydrogen_airflow` without dilution and safety factor;
    steady and well mixed it is that part of the airflow.

    Parameters
    ----------
    needed_m3_s : float or ndarray
        `hydrogen_airflow` of the room [m3/s].
    airflow_m3_s : float or ndarray
        Airflow of the room [m3/s].
    """
    return needed_m3_s / (_DILUTION * _GAS_SAFETY) / airflow_m3_s


@equation(
    "q",
    r"v'\,n\,I",
    "air_flow",
    _EVOLUTION,
    empirical="0.000269 cubic feet of hydrogen a minute for each ampere and cell",
    cells="count",
    charging_a="current",
)
def hydrogen_evolution(cells: Any, charging_a: Any) -> Any:
    """Return the hydrogen that fully charged cells set free, by the rule used in the US.

    All of the charging current splits water: the worst case, the limit of the charger forced into
    full cells. `diluting_airflow` is the air that it takes.

    Parameters
    ----------
    cells : float or ndarray
        Cells of all strings in the room.
    charging_a : float or ndarray
        Charging current of a string, at the limit of the charger [A].
    """
    return _HYDROGEN_PER_A_CELL * cells * charging_a


@equation(
    "Q",
    r"q / c",
    "air_flow",
    _FIRE_CODE,
    hydrogen_m3_s="air_flow",
    limit="fraction",
)
def diluting_airflow(hydrogen_m3_s: Any, limit: Any) -> Any:
    """Return the airflow that holds hydrogen at a limit, steady and well mixed.

    Parameters
    ----------
    hydrogen_m3_s : float or ndarray
        `hydrogen_evolution` of the cells in the room [m3/s].
    limit : float or ndarray
        Hydrogen permitted in the air, by volume: 1 % in the fire codes of the US.
    """
    return hydrogen_m3_s / limit
