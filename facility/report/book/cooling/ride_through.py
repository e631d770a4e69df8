"""The Ride-through sheets: what overheats first after a failure, and the temperatures in time."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from facility.cooling.parts.fluids import Liquid
from facility.cooling.ride_through.limits import PASSED_K
from facility.cooling.ride_through.plant import RidePlant
from facility.cooling.ride_through.schedule import Part
from facility.cooling.ride_through.tanks import Bridge, chw_bridge, fws_bridge
from facility.core.views import show
from facility.model.cooling.thermal import Tank
from facility.report.sheet.cells import Span
from facility.report.sheet.grid import Column, Grid, GridValue, Values
from facility.report.sheet.model import Chart, Sheet
from facility.report.sheet.tables import Furniture, fit_heights, write_heading
from facility.study.transient.cases import WHAT_IF
from facility.study.transient.result import RideResult
from facility.study.transient.study import TransientStudy

_C, _K, _TIME, _HEAT = "temperature", "temperature_difference", "time", "heat_flow"
SERIES = {
    "inlet": "Equipment inlet, mean",
    "inlet_worst": "Equipment inlet, worst",
    "return_air": "Return air",
    "chw_supply": "Chilled water, supply",
    "fws_supply": "Facility water, supply",
    "tcs_supply": "Coolant, supply",
    "tcs_return": "Coolant, return",
    "plates": "Chips and cold plates",
}
STATED_S = (0, 10, 30, 60, 120, 300, 600, 1800)
_DRAWN = tuple(key for key in SERIES if key != "inlet")
_FINE_S, _FINE_STEP_S, _STEP_S = 300, 10, 60
_CURVES_TOP = 36
_PARTS: dict[Part, str] = {
    "fans": "air units",
    "cdus": "CDUs",
    "fws_pumps": "facility-water pumps",
    "chw_pumps": "chilled-water pumps",
}
_OF_LIQUID: tuple[Part, ...] = ("cdus", "fws_pumps")
_CASES: tuple[Column[Values], ...] = (
    Column("title", "Failure", 58, style="cell"),
    Column("first", "Passed first", 34, style="cell"),
    Column("after", "After s", 14, _TIME, number_format="n0"),
    Column("holds", "Equipment held", 12, style="center"),
    Column("inlet_worst", "Worst inlet, highest °C", 12, _C),
    Column("tcs_supply", "Coolant supply, highest °C", 12, _C),
    Column("fws_supply", "Facility water, highest °C", 12, _C),
    Column("chw_supply", "Chilled water, highest °C", 12, _C),
    Column("restored", "Power back on the boards s", 12, _TIME, number_format="n0"),
    Column("battery", "Batteries last s", 12, _TIME, number_format="n0"),
    Column("settled", "At rest at the end", 12, style="center"),
    Column("supplied", "On the UPS", 56, style="cell"),
)
_LIMITS: tuple[Column[Values], ...] = (
    Column("title", "Failure", 58, style="cell"),
    Column("limit", "Limit", 34, style="cell"),
    Column("grade", "Grade", 14, style="cell"),
    Column("at", "Limit °C", 12, _C),
    Column("after", "Passed after s", 12, _TIME, number_format="n0", style="center"),
    Column("peak", "Highest °C", 12, _C),
    Column("margin", "Margin K", 12, _K, "{at}-{peak}"),
    Column("held", "Verdict", 12, "verdict", f'IF({{margin}}>=-{PASSED_K},"OK","CHECK")'),
)
_BUFFERS: tuple[Column[Values], ...] = (
    Column("title", "Loop", 58, style="cell"),
    Column("what", "What must restart", 34, style="cell"),
    Column("restored", "Power back on the boards s", 14, _TIME, number_format="n0"),
    Column("start", "Restart s", 12, _TIME, number_format="n0"),
    Column("ramp", "Ramp s", 12, _TIME, number_format="n0"),
    Column(
        "back",
        "Without cooling, half of the ramp s",
        12,
        _TIME,
        "{restored}+{start}+{ramp}/2",
        number_format="n0",
    ),
    Column("heat", "Heat kW", 12, _HEAT),
    Column("rise", "Rise of the water K", 12, _K),
    Column("density", "Density kg/m³", 12, "density"),
    Column("specific", "Specific heat kJ/(kg·K)", 12, "specific_heat"),
    Column("buffer", "Buffer m³", 12, "volume", "{heat}*{back}/({density}*{specific}*{rise})"),
    Column("there", "There is", 56, style="cell"),
)
_NOT_STATED = "not stated"


def ride_sheet(name: str, study: TransientStudy, furniture: Furniture) -> Sheet:
    """Return cases, limits, buffers, and temperatures at stated times."""
    sheet = Sheet(name, page=furniture.page(large=True, repeat_rows=(1, 2)), freeze=(1, 2))
    horizon_min = study.plant.thermal.restart.horizon_s / 60.0
    write_heading(
        sheet,
        "Ride-through of the cooling",
        f"Lumped model with the masses on the sheet Assumptions, {horizon_min:g} min from the "
        "design hour. Cases that begin with 'what if' change what is on the UPS.",
    )
    sheet.set_widths(*(column.width for column in _CASES))
    row = _write_cases(sheet, study, 4)
    row = _write_buffers(sheet, study, row)
    row = _write_limits(sheet, study, row)
    _write_times(sheet, study, row)
    fit_heights(sheet, 3)
    return sheet


def refused_sheet(name: str, refusal: str, furniture: Furniture) -> Sheet:
    """Return the sheet of a study that has no model for the design, with the reason."""
    sheet = Sheet(name, page=furniture.page(fit_height=1))
    write_heading(sheet, name, "Not evaluated.")
    sheet.set_widths(100)
    sheet.put(4, 1, _capital(refusal), "wrap")
    fit_heights(sheet, 3)
    return sheet


def _capital(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"


def _titled(sheet: Sheet, row: int, title: str, columns: Sequence[Column[Values]]) -> Grid[Values]:
    sheet.put(row, 1, title, "section")
    return Grid(sheet, row + 1, columns, 40)


def case_title(found: RideResult, study: TransientStudy) -> str:
    """Return what fails in words, what-if cases marked, with the flow of a loop that is shut."""
    title = found.case.title
    if found.case.headers:
        return f"{title}, {study.plant.thermal.restart.header_flow:.0%} of the flow left"
    return f"what if: {title}" if found.case.id in WHAT_IF else title


def _write_cases(sheet: Sheet, study: TransientStudy, row: int) -> int:
    grid = _titled(sheet, row, "Failures", _CASES)
    for found in study.cases:
        power, first = found.case.power, found.first
        peaks: dict[str, GridValue] = {
            key: float(found.series[key].max())
            for key in ("inlet_worst", "tcs_supply", "fws_supply", "chw_supply")
            if key in found.series
        }
        words = [
            text
            for part, text in _PARTS.items()
            if part in found.case.supplied and (study.plant.has_liquid or part not in _OF_LIQUID)
        ]
        grid.write(
            {
                **peaks,
                "title": case_title(found, study),
                "supplied": ", ".join(words) or "none",
                "restored": power.restored_s if math.isfinite(power.restored_s) else None,
                "battery": power.battery_s,
                "first": first[0].title if first else "nothing",
                "after": first[1] if first else None,
                "holds": "yes" if found.holds else "NO",
                "settled": "yes" if found.settled else "no",
            }
        )
    grid.mark("holds", '{}="NO"', "bad")
    return grid.row + 1


def _write_limits(sheet: Sheet, study: TransientStudy, row: int) -> int:
    grid = _titled(sheet, row, "Limits", _LIMITS)
    for found in study.cases:
        for limit, after_s, peak_c in found.limits:
            at_c = limit.limit_c
            margin_k = at_c - peak_c if at_c is not None else None
            grid.write(
                {
                    "title": case_title(found, study),
                    "limit": limit.title,
                    "grade": limit.grade,
                    "at": at_c if at_c is not None else _NOT_STATED,
                    "after": after_s
                    if after_s is not None
                    else None
                    if at_c is None
                    else "not reached",
                    "peak": peak_c,
                    "margin": margin_k,
                    "held": None
                    if margin_k is None
                    else "OK"
                    if margin_k >= -PASSED_K
                    else "CHECK",
                }
            )
    grid.mark("held", '{}="CHECK"', "warn")
    return grid.row + 1


def _write_buffers(sheet: Sheet, study: TransientStudy, row: int) -> int:
    """Write the water that keeps the supply of a loop at its set point until cooling is back."""
    restored_s = max(
        (
            found.case.power.restored_s
            for found in study.cases
            if math.isfinite(found.case.power.restored_s)
        ),
        default=None,
    )
    rows = list(_buffers(study.plant, restored_s)) if restored_s is not None else []
    if not rows:
        return row
    grid = _titled(sheet, row, "Buffer that keeps the supply at its set point", _BUFFERS)
    for values in rows:
        grid.write(values)
    sheet.put(
        grid.row,
        1,
        "V = q t / (rho cp dT), stratified and all of it usable; a mixed tank needs more, and it "
        "helps only where fans and pumps run meanwhile. The verb transient seeks the smallest "
        "buffer that keeps the limits.",
        "subtitle",
    )
    return grid.row + 2


def _buffers(plant: RidePlant, restored_s: float) -> Iterator[dict[str, GridValue]]:
    flow, chilled, cdus = plant.flow, plant.design.chilled, plant.design.cdus
    restart, loops = plant.thermal.restart, plant.thermal.loops
    if not chilled.plan.direct:
        yield _buffer(
            "Chilled water",
            "chillers",
            (restored_s, restart.chiller_s, restart.chiller_ramp_s),
            chw_bridge(plant.design, flow, restart, restored_s),
            chilled.liquid,
            _there(plant, "chw", plant.chw_m3, loops.chw_tank_m3),
        )
    if plant.sink_w_k > 0.0 and cdus is not None:
        yield _buffer(
            "Facility water",
            "heat rejection",
            (restored_s, restart.rejection_s, restart.ramp_s),
            fws_bridge(plant, restored_s),
            cdus.fws,
            _there(plant, "fws", plant.fws_m3, loops.fws_tank_m3),
        )


def _there(plant: RidePlant, tank: Tank, loop_m3: float, tank_m3: float) -> str:
    """Return in words what water there is, and who said how large the buffer is."""
    chosen = "chosen" if tank in plant.thermal.loops.open_tanks else "stated"
    loop, buffer = show(loop_m3, "volume"), show(tank_m3, "volume")
    return f"{loop} in the loop as modelled, {buffer} of buffer ({chosen})"


def _buffer(
    title: str,
    what: str,
    times_s: tuple[float, float, float],
    bridge: Bridge,
    liquid: Liquid,
    there: str,
) -> dict[str, GridValue]:
    restored_s, start_s, ramp_s = times_s
    return {
        "title": title,
        "what": what,
        "restored": restored_s,
        "start": start_s,
        "ramp": ramp_s,
        "back": bridge.wait_s,
        "heat": bridge.heat_w,
        "rise": bridge.rise_k,
        "density": liquid.density_kg_m3,
        "specific": liquid.specific_heat_j_kgk,
        "buffer": bridge.volume_m3(liquid),
        "there": there,
    }


def _write_times(sheet: Sheet, study: TransientStudy, row: int) -> None:
    end_s = float(study.time_s[-1])
    times = [t for t in STATED_S if t <= end_s]
    columns: tuple[Column[Values], ...] = (
        Column("title", "Failure", 58, style="cell"),
        Column("name", "Temperature °C", 34, style="cell"),
        Column("peak", "Highest at any time", 14, _C),
        *(Column(str(t), f"after {t} s", 12, _C) for t in times),
    )
    grid = _titled(sheet, row, "Temperatures in time", columns)
    for found in study.cases:
        for key, values in found.series.items():
            at = np.interp(times, study.time_s, values)
            grid.write(
                {
                    "title": case_title(found, study),
                    "name": SERIES[key],
                    "peak": float(values.max()),
                    **{str(t): float(c) for t, c in zip(times, at, strict=True)},
                }
            )


def curves_sheet(name: str, study: TransientStudy, furniture: Furniture) -> Sheet:
    """Return the temperatures after the first failure of the study, drawn and listed."""
    found, top = study.cases[0], _CURVES_TOP
    sheet = Sheet(name, page=furniture.page(repeat_rows=(top, top)), freeze=(1, 2))
    write_heading(
        sheet,
        "Ride-through curves",
        f"{_capital(found.case.title)}, with the limits that the equipment allows.",
    )
    end_s = int(study.time_s[-1])
    times = [*range(0, min(_FINE_S, end_s), _FINE_STEP_S), *range(_FINE_S, end_s + 1, _STEP_S)]
    limits = {
        f"limit.{limit.id}": limit
        for limit, _, _ in found.limits
        if limit.grade == "allowable" and limit.limit_c is not None
    }
    columns: tuple[Column[Values], ...] = (
        Column("time", "Time s", 12, _TIME, number_format="n0"),
        *(Column(key, f"{SERIES[key]} °C", 14, _C) for key in found.series),
        *(Column(key, f"Limit: {limit.title} °C", 14, _C) for key, limit in limits.items()),
    )
    grid = Grid(sheet, top, columns, 54)
    grid.set_widths()
    at = {key: np.interp(times, study.time_s, values) for key, values in found.series.items()}
    held = {key: limit.limit_c for key, limit in limits.items()}
    for n, time_s in enumerate(times):
        reached = {key: float(values[n]) for key, values in at.items()}
        grid.write({"time": time_s, **reached, **held})
    curves = [(SERIES[key], grid.span(key), False) for key in found.series if key in _DRAWN]
    edges = [(f"Limit: {limit.title}", grid.span(key), True) for key, limit in limits.items()]
    sheet.charts.append(_chart(found.case.title, grid, (*curves, *edges)))
    return sheet


def _chart(title: str, grid: Grid[Values], lines: tuple[tuple[str, Span, bool], ...]) -> Chart:
    return Chart(
        title=_capital(title),
        x_title="Time after the failure, s",
        y_title="Temperature, °C",
        row=4,
        column=1,
        width_mm=245.0,
        height_mm=150.0,
        along=grid.span("time"),
        lines=lines,
    )
