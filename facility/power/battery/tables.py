"""Discharge tables of battery blocks at one end voltage, from catalogue or user."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facility.catalogue import Row, table
from facility.core.errors import FacilityError
from facility.core.sources import PROJECT, Source
from facility.core.trace import SILENT, Trace
from facility.model.power.battery import LI_ION, BatteryBasis
from facility.physics.machines.battery import time_between

OWN_BLOCK = "own block"
REFERENCE_C = 25.0
"""Temperature of a discharge table that states none."""

_BLOCKS = "electrical/battery_blocks"
_POWER = "electrical/battery_vrla_constant_power"
_PANASONIC = "electrical/battery_vrla_panasonic_up_pw1245"
_CURRENT = "electrical/battery_vrla_csb_constant_current"
_TEMPERATURE = "electrical/battery_temperature_factors"
_LI_ION = "electrical/battery_liion_typical"


@dataclass(frozen=True, eq=False)
class BatteryBlock:
    """Battery block with its constant-power table to the end voltage."""

    model: str
    technology: str
    cells: int | None  # Cells in series; None where they are not known
    capacity_as: float | None  # Rated capacity [A s]; None where it is not known
    mass_kg: float | None  # Mass; None where it is not known
    reference_c: float  # Temperature of the table
    times_s: NDArray[np.float64]  # Rising times
    watts: NDArray[np.float64]  # Corresponding falling powers
    method: str  # Basis of the powers
    source: Source  # Source of the table
    max_parallel: int | None = None  # Manufacturer's limit of parallel strings

    @property
    def is_cabinet(self) -> bool:
        """Whether the table is for a whole cabinet, used without further cabinets in series."""
        return self.cells is None

    def segment(self, time_s: float) -> tuple[float, float, float, float]:
        """Return (time, power, time, power) of the table points around `time_s`.

        Raises ``OUT_OF_RANGE`` outside the times of the table, which is not extrapolated.
        """
        first, last = float(self.times_s[0]), float(self.times_s[-1])
        if not first <= time_s <= last:
            raise FacilityError(
                "OUT_OF_RANGE",
                "power.battery.autonomy",
                f"the table of {self.model} covers {first / 60:g} to {last / 60:g} min; the"
                f" required time is {time_s / 60:g} min.",
                "Choose a time inside that range or another model, or enter power.battery.points.",
            )
        return self._around(int(np.searchsorted(self.times_s, time_s)))

    def time_s(
        self, power_w: NDArray[np.float64], trace: Trace = SILENT, id: str = "", words: str = ""
    ) -> NDArray[np.float64]:
        """Return the discharge time of a block at `power_w`, the step `id` if given.

        Below the lowest power of the table: the longest time. Above the highest: zero.
        """
        times, watts = self.times_s, self.watts
        high = np.clip(np.searchsorted(-watts, -power_w), 1, len(times) - 1)
        around = {
            "time_1_s": times[high - 1], "power_1_w": watts[high - 1],
            "time_2_s": times[high], "power_2_w": watts[high],
        }  # fmt: skip
        power = trace.link(f"{id}.block_power", power_w)
        with np.errstate(divide="ignore", invalid="ignore"):
            found = trace.do(id, time_between, f"{self.model}, {words}", power_w=power, **around)
        light, heavy = power_w < watts[-1], power_w > watts[0]
        found = np.where(light, times[-1], np.where(heavy, 0.0, found))
        if trace is not SILENT and (light or heavy):
            why = "at least: the load is below the power at the longest time of the table"
            if heavy:
                why = "assumed zero: the load exceeds the highest power of the table"
            trace.derive(id, float(found), "time", why, block=f"{id}.block_power")
        return found

    def _around(self, index: int) -> tuple[float, float, float, float]:
        high = min(max(index, 1), len(self.times_s) - 1)
        (time_1, time_2), (watts_1, watts_2) = (
            points[high - 1 : high + 1].tolist() for points in (self.times_s, self.watts)
        )
        return time_1, watts_1, time_2, watts_2


def discharge_blocks(basis: BatteryBasis) -> tuple[BatteryBlock, ...]:
    """Return the candidate blocks at the end voltage of the basis, smallest first.

    Empty if no table is known.

    Raises ``UNKNOWN_MODEL`` with near matches; ``OUT_OF_RANGE`` for an end voltage outside the
    table.
    """
    given = basis.block
    if given.points:
        times, watts = np.array(given.points).T
        own = BatteryBlock(
            OWN_BLOCK,
            basis.technology,
            given.cells,
            given.capacity_as,
            None,
            REFERENCE_C,
            times,
            watts,
            "constant power, points as stated",
            PROJECT,
        )
        return (own,)
    if given.model:
        return (_from_row(catalogue_block(given.model), basis.end_v_per_cell),)
    rows = table(_BLOCKS).select(technology=basis.technology)
    listed = [row for row in rows if row["max_parallel"] is not None]
    found = [_from_row(row, basis.end_v_per_cell) for row in listed]
    return tuple(sorted(found, key=lambda block: float(block.watts[0]) / (block.cells or 1)))


def _from_row(row: Row, end_v: float) -> BatteryBlock:
    times, watts, method, source = _curve(row, end_v)
    return BatteryBlock(
        row.text("battery"),
        row.text("technology"),
        None if row["cells"] is None else row.integer("cells"),
        row.si_or_none("capacity_ah"),
        row.si_or_none("mass_kg"),
        row.si("reference_c"),
        times,
        watts,
        method,
        source,
        None if row["max_parallel"] is None else row.integer("max_parallel"),
    )


def catalogue_block(model: str) -> Row:
    """Return the catalogue row of a block; ``UNKNOWN_MODEL`` with near matches otherwise."""
    return table(_BLOCKS).get(model, where="power.battery.model")


def _curve(row: Row, end_v: float) -> tuple[NDArray[np.float64], NDArray[np.float64], str, Source]:
    """Return times, block powers, method and source at one end voltage per cell."""
    name = row.text("battery")
    rows = table(_POWER).select(battery=name)
    if rows:
        return *_at_end_voltage(rows, "watts_per_block", end_v), "constant power", _cite(rows)
    rows = table(_CURRENT).select(battery=name)
    if rows:
        times, amps = _at_end_voltage(rows, "amps_a", end_v)
        volts = row.integer("cells") * end_v
        method = "constant current x end voltage: the power at the end of the discharge"
        return times, amps * volts, method, _cite(rows)
    rows = table(_PANASONIC).rows
    return *_at_end_voltage(rows, "watts_per_block", end_v), "constant power", _cite(rows)


def _cite(rows: tuple[Row, ...]) -> Source:
    return rows[0].cite("minutes")


def _at_end_voltage(
    rows: tuple[Row, ...], column: str, end_v: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return times and values interpolated between two end voltages, linear in voltage.

    Only times listed for both.
    """
    by_voltage: dict[float, dict[float, float]] = {}
    for row in rows:
        at = by_voltage.setdefault(row.si("end_voltage_v_per_cell"), {})
        at[row.si("minutes")] = row.si(column)
    listed = sorted(by_voltage)
    if not listed[0] <= end_v <= listed[-1]:
        raise FacilityError(
            "OUT_OF_RANGE",
            "power.battery.end_voltage",
            f"the table covers end voltages of {listed[0]:g} to {listed[-1]:g} V per cell; the end"
            f" voltage is {end_v:g} V.",
            "Choose an end voltage inside that range or another model, or enter"
            " power.battery.points.",
        )
    low = max(v for v in listed if v <= end_v)
    high = min(v for v in listed if v >= end_v)
    part = 0.0 if high == low else (end_v - low) / (high - low)
    below, above = by_voltage[low], by_voltage[high]
    times = sorted(set(below) & set(above))
    values = [below[t] + part * (above[t] - below[t]) for t in times]
    return np.array(times), np.array(values)


def temperature_factor(temperature_c: float, block: BatteryBlock) -> tuple[float, Source]:
    """Return the temperature sizing factor for cold electrolyte, with its source.

    None for Li-ion cells, whose cabinets are rated for the range of a conditioned room.
    The lead-acid factors of IEEE 485 are for 25 °C; for a table at another temperature their ratio
    applies. A warm room receives no credit.

    Raises ``OUT_OF_RANGE`` outside the temperature range of the table.
    """
    if block.technology == LI_ION:
        return 1.0, table(_LI_ION).get("design_ambient").cite("value")
    rows = table(_TEMPERATURE).rows
    degrees = np.array([row.si("electrolyte_c") for row in rows])
    if not degrees[0] <= temperature_c <= degrees[-1]:
        raise FacilityError(
            "OUT_OF_RANGE",
            "power.battery.temperature",
            f"the temperature factors cover {degrees[0]:g} to {degrees[-1]:g} °C; the battery"
            f" room is at {temperature_c:g} °C.",
            "Heat or cool the battery room.",
        )
    factors = np.array([row.si("factor") for row in rows])
    at, base = np.interp([temperature_c, block.reference_c], degrees, factors)
    nearest = rows[int(np.argmin(np.abs(degrees - temperature_c)))]
    return max(1.0, float(at / base)), nearest.cite("factor")
