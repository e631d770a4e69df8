"""Hydrogen of lead-acid batteries: release of full cells and dilution airflow."""

from __future__ import annotations

from facility.core.equation import equation
from facility.core.kinds import AirFlow, Charge, Count, Current, Fraction, Ratio
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
    _VENTILATION,
    empirical="0.42 litres of hydrogen per ampere-hour, mA of gas per Ah of capacity",
    excel="24*5*0.00042*{cells}*{gas_ma_per_ah}/1000*{capacity_as}",
    excel_unit="m3/h",
)
def hydrogen_airflow(cells: Count, gas_ma_per_ah: Ratio, capacity_as: Charge) -> AirFlow:
    """Return the airflow that keeps a battery room below the explosion limit of hydrogen.

    Once a cell is full its current splits water: 0.42 litres of hydrogen for each ampere-hour.
    The air dilutes it 24 times, to 4 % by volume, with a safety factor of 5: 0.05 cubic metres
    an hour for each cell and ampere of gassing current. The hydrogen then stays at 0.83 %.

    cells: of all strings in the room.
    gas_ma_per_ah: gassing current per capacity [mA/Ah].
    capacity_as: rated capacity of one cell.
    """
    current_a = gas_ma_per_ah * _MA * capacity_as / _AH
    return _DILUTION * _GAS_SAFETY * _HYDROGEN_M3_PER_AH / _AH * cells * current_a


@equation("c", r"\frac{Q_{min}}{v\,s\,Q}", _VENTILATION)
def hydrogen_fraction(needed_m3_s: AirFlow, airflow_m3_s: AirFlow) -> Fraction:
    """Return the hydrogen in the air of a battery room, by volume.

    The hydrogen set free is the airflow of `hydrogen_airflow` without dilution and safety factor;
    steady and well mixed it is that part of the airflow.

    needed_m3_s: `hydrogen_airflow` of the room.
    airflow_m3_s: of the room.
    """
    return needed_m3_s / (_DILUTION * _GAS_SAFETY) / airflow_m3_s


@equation(
    "q",
    r"v'\,n\,I",
    _EVOLUTION,
    empirical="0.000269 cubic feet of hydrogen a minute for each ampere and cell",
    excel="0.000269*0.3048^3*60*{cells}*{charging_a}",
    excel_unit="m3/h",
)
def hydrogen_evolution(cells: Count, charging_a: Current) -> AirFlow:
    """Return the hydrogen that fully charged cells set free, by the rule used in the US.

    All of the charging current splits water: the worst case, the limit of the charger forced into
    full cells. `diluting_airflow` is the air that it takes.

    cells: of all strings in the room.
    charging_a: charging current of a string, at the limit of the charger.
    """
    return _HYDROGEN_PER_A_CELL * cells * charging_a


@equation("Q", r"q / c", _FIRE_CODE, excel="{hydrogen_m3_s}/{limit}")
def diluting_airflow(hydrogen_m3_s: AirFlow, limit: Fraction) -> AirFlow:
    """Return the airflow that dilutes hydrogen to a limit, steady and well mixed.

    hydrogen_m3_s: `hydrogen_evolution` of the cells in the room.
    limit: hydrogen permitted in the air, by volume: 1 % in the fire codes of the US.
    """
    return hydrogen_m3_s / limit
