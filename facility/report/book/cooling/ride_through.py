"""The sheet Ride-through: first limit exceeded after a failure, temperatures over time."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from facility.cooling.parts.fluids import Liquid
from facility.cooling.ride_through.limits import PASSED_K, SERIES, Limit
from facility.cooling.ride_through.plant import RidePlant
from facility.cooling.ride_through.schedule import Part
from facility.cooling.ride_through.storage import Storage
from facility.cooling.ride_through.tanks import Bridge, chw_bridge, fws_bridge
from facility.core.views import show
from facility.model.cooling.thermal import Tank
from facility.physics.plant.thermal_transient import storage_volume
from facility.report.sheet.grid import Column, Door, GridValue, SheetTable, Values, verdict_word
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import PageSetup, fit_heights, write_heading
from facility.study.transient.cases import WHAT_IF
from facility.study.transient.result import RideResult
from facility.study.transient.study import TransientStudy

_C, _K, _TIME, _HEAT = "temperature", "temperature_difference", "time", "heat_flow"
STATED_S = (0, 10, 30, 60, 120, 300, 600, 1800)
_BUFFER_NOTE = (
    "V = q t / (rho cp dT), stratified, fully usable; a mixed tank needs more volume. A buffer "
    "helps only while fans and pumps run. The command transient searches for the smallest buffer "
    "that stays within the limits."
)
_PARTS: dict[Part, str] = {
    "fans": "air units",
    "cdus": "CDUs",
    "fws_pumps": "facility-water pumps",
    "chw_pumps": "chilled-water pumps",
}
_NOT_STATED = "not stated"


@dataclass(frozen=True)
class CaseRow:
    """Simulated failure and its study."""

    found: RideResult
    study: TransientStudy

    @property
    def title(self) -> str:
        """Failure text; what-if cases are marked, isolated loops show the remaining flow."""
        case = self.found.case
        if case.headers:
            left = min(case.headers.values())
            return f"{case.title}, {left:.0%} of the flow remaining"
        return self.words

    @property
    def words(self) -> str:
        """Failure text; what-if cases are marked."""
        case = self.found.case
        return f"what if: {case.title}" if case.id in WHAT_IF else case.title

    @property
    def limits(self) -> Iterator[LimitRow]:
        """Limits of the case."""
        return (LimitRow(self, *limit) for limit in self.found.limits)

    @property
    def supplied(self) -> str:
        """Cooling parts supplied by the UPS."""
        plant, on_ups = self.study.plant, self.found.case.supplied
        there = (part for part in _PARTS if part in on_ups and plant.has(part))
        return ", ".join(_PARTS[part] for part in there) or "none"


def _highest(key: str, head: str, door: Door = "") -> Column[CaseRow]:
    def peak(case: CaseRow) -> float | None:
        series = case.found.series
        return float(series[key].max()) if key in series else None

    return Column(key, f"{head}, maximum (°C)", 12, _C, of=peak, door=door,
                  id=lambda case: f"ride.{case.found.case.id}.peak.{key}")  # fmt: skip


def _seconds(key: str, head: str, of: Callable[[CaseRow], float | None]) -> Column[CaseRow]:
    return Column(key, f"{head} (s)", 12, _TIME, number_format="n0", of=of, door="sheet")


def _restored_s(case: CaseRow) -> float | None:
    restored_s = case.found.case.power.restored_s
    return restored_s if math.isfinite(restored_s) else None


CASES: SheetTable[CaseRow] = SheetTable(
    "Failures",
    (
        Column("case", "Case", 0, door="text", of=lambda c: c.found.case.id),
        Column("title", "Failure", 58, style="cell", door="sheet"),
        Column("words", "Failure", 0, door="text"),
        Column("first", "First limit exceeded", 34, style="finding",
               of=lambda c: c.found.first[0].title if c.found.first else "none"),
        Column("after", "Time to first limit (s)", 14, _TIME,
               of=lambda c: c.found.first[1] if c.found.first else None,
               because="until the first limit is exceeded"),
        Column("holds", "Equipment within limits", 12, style="outcome",
               of=lambda c: "yes" if c.found.holds else "NO"),
        _highest("inlet_worst", "Inlet, worst"),
        _highest("tcs_supply", "Coolant supply"),
        _highest("fws_supply", "Facility water"),
        _highest("chw_supply", "Chilled water", door="sheet"),
        _seconds("restored", "Power restored on the boards", _restored_s),
        _seconds("battery", "Battery autonomy", lambda c: c.found.case.power.battery_s),
        Column("settled", "Steady at the end", 12, style="outcome", door="sheet",
               of=lambda c: "yes" if c.found.settled else "no"),
        Column("supplied", "On the UPS", 56, style="cell", door="sheet"),
    ),
    marks=(("holds", '{}="NO"', "bad"),),
)  # fmt: skip


def _buffer(key: str, head: str, volume_m3: Callable[[Storage], float | None]) -> Column[CaseRow]:
    def of(row: CaseRow) -> GridValue:
        found = row.found.storage
        return volume_m3(found) if found is not None and found.enough else "no size is sufficient"

    return Column(key, head, 0, "volume", number_format="n1z", of=of)


BUFFERED: SheetTable[CaseRow] = SheetTable(
    "Buffer to stay within all allowable limits",
    (
        Column("case", "Case", 0, of=lambda c: c.found.case.id),
        _buffer("chw", "Chilled water (m³)", lambda s: s.chw_m3),
        _buffer("fws", "Facility water (m³)", lambda s: s.fws_m3),
    ),
)


class LimitRow(NamedTuple):
    """Limit in a case: time until exceeded, if any, and maximum temperature."""

    case: CaseRow
    limit: Limit
    after_s: float | None
    peak_c: float

    @property
    def margin_k(self) -> float | None:
        """Margin to the limit [K]; None if the limit is not stated."""
        return None if self.limit.limit_c is None else self.limit.limit_c - self.peak_c

    @property
    def after(self) -> GridValue:
        """Time until the limit is exceeded."""
        unstated = self.limit.limit_c is None
        return self.after_s if self.after_s is not None else None if unstated else "not reached"


LIMITS: SheetTable[LimitRow] = SheetTable(
    "Limits",
    (
        Column("case", "Case", 0, door="text", of=lambda r: r.case.found.case.id),
        Column("title", "Failure", 58, style="cell", door="sheet", of=lambda r: r.case.title),
        Column("limit", "Limit", 34, style="cell", door="sheet", of=lambda r: r.limit.title),
        Column("which", "Limit", 0, door="text", of=lambda r: r.limit.title),
        Column("grade", "Grade", 14, style="cell", of=lambda r: r.limit.grade),
        Column("at", "Limit (°C)", 12, _C,
               of=lambda r: _NOT_STATED if r.limit.limit_c is None else r.limit.limit_c),
        Column("after", "Exceeded after (s)", 12, _TIME, style="center",
               id=lambda r: f"ride.{r.case.found.case.id}.time.{r.limit.id}"),
        Column("peak", "Maximum (°C)", 12, _C, of=lambda r: r.peak_c,
               id=lambda r: f"ride.{r.case.found.case.id}.peak.{r.limit.series}",
               because="maximum of the limited temperature"),
        Column("margin", "Margin (K)", 12, _K, "{at}-{peak}", of=lambda r: r.margin_k),
        Column("held", "Verdict", 12, "verdict", f'IF({{margin}}>=-{PASSED_K},"OK","CHECK")',
               of=lambda r: verdict_word(None if r.margin_k is None else r.margin_k >= -PASSED_K)),
    ),
    marks=(("held", '{}="CHECK"', "warn"),),
)  # fmt: skip
_VOLUME = storage_volume.in_cells(
    heat_w="{heat}",
    time_s="{back}",
    density_kg_m3="{density}",
    specific_heat_j_kgk="{specific}",
    rise_k="{rise}",
)


class BufferRow(NamedTuple):
    """Water volume that maintains the supply set point until cooling restarts."""

    loop: str
    what: str  # What must restart
    restored_s: float
    start_s: float
    ramp_s: float
    bridge: Bridge
    liquid: Liquid
    there: str  # In words


_BUFFERS: SheetTable[BufferRow] = SheetTable(
    "Buffer to maintain the supply set point",
    (
        Column("loop", "Loop", 58, style="cell"),
        Column("what", "Equipment to restart", 34, style="cell"),
        Column("restored", "Power restored on the boards (s)", 14, _TIME, number_format="n0",
               of=lambda r: r.restored_s),
        Column("start", "Restart (s)", 12, _TIME, number_format="n0", of=lambda r: r.start_s),
        Column("ramp", "Ramp (s)", 12, _TIME, number_format="n0", of=lambda r: r.ramp_s),
        Column("back", "Without cooling, incl. half the ramp (s)", 12, _TIME,
               "{restored}+{start}+{ramp}/2", number_format="n0", of=lambda r: r.bridge.wait_s),
        Column("heat", "Heat (kW)", 12, _HEAT, of=lambda r: r.bridge.heat_w),
        Column("rise", "Water temperature rise (K)", 12, _K, of=lambda r: r.bridge.rise_k),
        Column("density", "Density (kg/m³)", 12, "density", of=lambda r: r.liquid.density_kg_m3),
        Column("specific", "Specific heat (kJ/(kg·K))", 12, "specific_heat",
               of=lambda r: r.liquid.specific_heat_j_kgk),
        Column("buffer", "Buffer (m³)", 12, "volume", _VOLUME,
               of=lambda r: r.bridge.volume_m3(r.liquid)),
        Column("there", "Available volume", 56, style="finding"),
    ),
)  # fmt: skip


def case_rows(study: TransientStudy) -> Iterator[CaseRow]:
    """Return the rows of `CASES`."""
    return (CaseRow(found, study) for found in study.cases)


def limit_rows(study: TransientStudy) -> Iterator[LimitRow]:
    """Return the rows of `LIMITS`."""
    return (limit for case in case_rows(study) for limit in case.limits)


def ride_sheet(name: str, study: TransientStudy, page_setup: PageSetup) -> Sheet:
    """Return cases, limits, buffers, and temperatures at stated times."""
    sheet = Sheet(name, page=page_setup.page(large=True, repeat_rows=(1, 2)), freeze=(1, 2))
    horizon_min = study.plant.thermal.restart.horizon_s / 60.0
    write_heading(
        sheet,
        "Ride-through of the cooling",
        f"Lumped model with the thermal masses on the sheet Assumptions, {horizon_min:g} min from "
        "the design hour. Cases that begin with 'what if' have no checks.",
    )
    grid = CASES.write(sheet, 4, case_rows(study))
    grid.set_widths()
    row = _write_buffers(sheet, study, grid.row + 1)
    row = LIMITS.write(sheet, row, limit_rows(study)).row + 1
    _write_times(sheet, study, row)
    fit_heights(sheet, 3)
    return sheet


def _write_buffers(sheet: Sheet, study: TransientStudy, row: int) -> int:
    """Write the water volume that maintains the supply set points until cooling restarts."""
    times = [found.case.power.restored_s for found in study.cases]
    restored_s = max((time_s for time_s in times if math.isfinite(time_s)), default=None)
    rows = list(_buffers(study.plant, restored_s)) if restored_s is not None else []
    if not rows:
        return row
    grid = _BUFFERS.write(sheet, row, rows)
    sheet.put(grid.row, 1, _BUFFER_NOTE, "subtitle")
    return grid.row + 2


def _buffers(plant: RidePlant, restored_s: float) -> Iterator[BufferRow]:
    flow, chilled, cdus = plant.flow, plant.design.chilled, plant.design.cdus
    restart, loops = plant.thermal.restart, plant.thermal.loops
    if not chilled.plan.direct:
        times_s = (restored_s, restart.chiller_s, restart.chiller_ramp_s)
        bridge = chw_bridge(plant.design, flow, restart, restored_s)
        there = _there(plant, "chw", plant.chw_m3, loops.chw_tank_m3)
        yield BufferRow("Chilled water", "chillers", *times_s, bridge, chilled.liquid, there)
    if plant.sink_w_k > 0.0 and cdus is not None:
        times_s = (restored_s, restart.rejection_s, restart.ramp_s)
        there = _there(plant, "fws", plant.fws_m3, loops.fws_tank_m3)
        bridge = fws_bridge(plant, restored_s)
        yield BufferRow("Facility water", "heat rejection", *times_s, bridge, cdus.fws, there)


def _there(plant: RidePlant, tank: Tank, loop_m3: float, tank_m3: float) -> str:
    """Return the text of the available water volume and the origin of the buffer size."""
    chosen = "chosen" if tank in plant.thermal.loops.open_tanks else "stated"
    loop, buffer = show(loop_m3, "volume"), show(tank_m3, "volume")
    return f"{loop} in the modelled loop, {buffer} of buffer ({chosen})"


def _write_times(sheet: Sheet, study: TransientStudy, row: int) -> None:
    end_s = float(study.time_s[-1])
    times = [t for t in STATED_S if t <= end_s]
    columns: tuple[Column[Values], ...] = (
        Column("title", "Failure", 58, style="cell"),
        Column("name", "Temperature (°C)", 34, style="cell"),
        Column("peak", "Maximum (°C)", 14, _C),
        *(Column(str(t), f"At {t} s", 12, _C) for t in times),
    )
    grid = SheetTable("Temperatures over time", columns).write(sheet, row, ())
    for found in study.cases:
        title = CaseRow(found, study).title
        for key, values in found.series.items():
            at = dict(zip(map(str, times), np.interp(times, study.time_s, values), strict=True))
            peak = float(values.max())
            grid.write({"title": title, "name": SERIES[key], "peak": peak, **at})
