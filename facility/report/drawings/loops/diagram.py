"""The loop diagram of the cooling: racks, coolant, air, water, chillers and outdoors at one hour.

Four columns, from the racks to the outdoors; the coolant is the first row, below it the air of the
halls and of the electrical rooms. All coils are connected to one pair of chilled-water headers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from facility.core.views import System, show
from facility.report.drawings.loops.words import Content, LoopWords
from facility.study.cooling_hour import CoolingHour
from facility.study.design.design import Design

Medium = Literal["air", "water", "refrigerant"]
Side = Literal["warm", "cold"]
Tone = Literal["plain", "bold", "alarm"]
Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True)
class Box:
    """A piece of equipment: its upper left corner and size, a title, and lines below it.

    `alarm` is a last line with an exceeded limit, `key` the trace step of the hour.
    """

    x_mm: float
    y_mm: float
    width_mm: float
    height_mm: float
    title: str
    lines: tuple[str, ...]
    alarm: str = ""
    key: str = ""


@dataclass(frozen=True)
class Pipe:
    """Stream as a polyline with an arrow in flow direction."""

    points_mm: tuple[tuple[float, float], ...]
    medium: Medium
    side: Side
    arrow: bool = True


@dataclass(frozen=True)
class Word:
    """One line of text; `x_mm` is its start, middle or end, `y_mm` its baseline."""

    text: str
    x_mm: float
    y_mm: float
    anchor: Anchor = "middle"
    tone: Tone = "plain"


@dataclass(frozen=True)
class Mover:
    """Pumps of a water loop: a circle with a triangle in flow direction.

    `loop` is the name of the loop in results, `right_mm` the right end of its texts.
    """

    x_mm: float
    y_mm: float
    side: Side
    to_right: bool
    loop: str
    right_mm: float


@dataclass(frozen=True)
class LoopDrawing:
    """The loops of the cooling, from the racks on the left to the outdoors on the right."""

    title: str
    subtitle: str
    width_mm: float
    height_mm: float
    boxes: tuple[Box, ...]
    pipes: tuple[Pipe, ...]
    words: tuple[Word, ...]
    movers: tuple[Mover, ...]
    notes: tuple[str, ...]


_MARGIN = 2.0
_BOX = 36.0
_GAPS = (26.0, 34.0, 24.0)
_LEFT = tuple(_MARGIN + n * _BOX + sum(_GAPS[:n]) for n in range(4))
_WIDTH = _LEFT[3] + _BOX + _MARGIN
_TOP = 12.0
_ROW, _SPACE = 28.0, 8.0
_WARM, _COLD = 7.0, 19.0
_COLD_X, _WARM_X = 3.5, 8.0
_LINE = 4.0


@dataclass
class _Sheet:
    """Contents drawn so far."""

    boxes: list[Box] = field(default_factory=list)
    pipes: list[Pipe] = field(default_factory=list)
    words: list[Word] = field(default_factory=list)
    movers: list[Mover] = field(default_factory=list)

    def box(self, column: int, y: float, content: Content, alarm: str = "") -> None:
        """Draw a box in a column."""
        title, lines, key = content
        self.boxes.append(Box(_LEFT[column], y, _BOX, _ROW, title, lines, alarm, key))

    def pipe(
        self, *points: tuple[float, float], medium: Medium, side: Side, arrow: bool = True
    ) -> None:
        """Draw a stream."""
        self.pipes.append(Pipe(points, medium, side, arrow))

    def say(self, text: str, x: float, y: float, tone: Tone = "plain") -> None:
        """Write text centred at `x`."""
        self.words.append(Word(text, x, y, "middle", tone))


@dataclass(frozen=True)
class _Link:
    """Texts of a pair of streams: warm and cold end, medium, limit, and whether it is exceeded."""

    warm: str
    cold: str
    middle: tuple[str, ...] = ()
    limit: str = ""
    broken: bool = False
    loop: str = ""  # Name of a pumped loop in results


_Row = Callable[[_Sheet, float, LoopWords], None]


def loop_drawing(design: Design, hour: CoolingHour, system: System = "si") -> LoopDrawing:
    """Return the loop diagram of `design` at one hour.

    design: Its cooling is drawn.
    hour: Its temperatures, flows and powers label the streams.
    system: Units of the texts.
    """
    words = LoopWords(design.cooling, hour, system)
    tanks = words.tanks(design.facility.thermal.loops)
    sheet, y = _Sheet(), _TOP
    if words.flow.tcs_flow_m3_s > 0.0:
        _liquid_row(sheet, y, words)
        y += _ROW + _SPACE
    rows = _air_rows(words)
    for n, row in enumerate(rows):
        row(sheet, y + n * (_ROW + _SPACE), words)
    _plant_row(sheet, y, len(rows), words)
    if tanks is not None:
        top, bottom = y + _ROW, y + _ROW + _SPACE
        sheet.box(2, bottom, tanks)
        x = _LEFT[2] + 0.35 * _BOX
        sheet.pipe((x, bottom), (x, top), medium="water", side="warm")
        x = _LEFT[2] + 0.65 * _BOX
        sheet.pipe((x, top), (x, bottom), medium="water", side="cold")
    y += max(len(rows), 1 if tanks is None else 2) * (_ROW + _SPACE)
    weather, part = words.hour.weather, words.hour.it_fraction
    return LoopDrawing(
        f"Cooling loops, {design.cooling.chain.method}",
        f"Outdoors {words.temperature(weather.dry_bulb_c)} dry bulb, "
        f"{words.temperature(weather.wet_bulb_c)} wet bulb, "
        f"{show(weather.pressure_pa, 'pressure', words.system)}; "
        f"IT at {show(part, 'fraction', words.system, digits=0)}; "
        f"electrical power of the cooling {words.power(words.flow.power.total_w)}",
        _WIDTH,
        y,
        tuple(sheet.boxes),
        tuple(sheet.pipes),
        tuple(sheet.words),
        tuple(sheet.movers),
        _notes(words),
    )


def _notes(words: LoopWords) -> tuple[str, ...]:
    notes = [
        "All air handlers and CDUs installed run and share the flow; chillers and heat rejection "
        "follow the load, up to the number of duty units.",
        "Percentages of the duty units: chillers of their capacity, CDUs of their rated flow, heat "
        "rejection of its design heat.",
        f"Limits: air class {words.criteria.air_class} at the equipment inlet{_class_words(words)}"
        f"; dew point of the room {words.temperature(words.design.chain.room_dew_point_c)}.",
    ]
    if words.design.chain.recirculation_k:
        rise = words.rise(words.design.chain.recirculation_k)
        notes.append(
            f"Air into the heat rejection is {rise} warmer than outdoors: recirculated exhaust."
        )
    return tuple(notes)


def _class_words(words: LoopWords) -> str:
    plan = words.design.chain.facility_water
    if plan is None:
        return ""
    criteria, name = words.criteria, plan.liquid_class
    if name == criteria.liquid_class:
        name = criteria.facility_water_class
    return f", liquid class {name} at the facility-water supply"


def _water(
    words: LoopWords,
    loop: str,
    prefix: str,
    warm_c: float,
    cold_c: float,
    *middle: str,
    max_c: float | None = None,
) -> _Link:
    """Return the link of a pumped loop; `max_c` is the maximum supply temperature."""
    warm, cold = (f"{prefix}{words.temperature(celsius)}" for celsius in (warm_c, cold_c))
    limit = "" if max_c is None else words.temperature(max_c)
    return _Link(warm, cold, middle, limit, max_c is not None and cold_c > max_c, loop)


def _pair(sheet: _Sheet, left: float, right: float, y: float, medium: Medium, link: _Link) -> None:
    """Draw a warm stream to the right and a cold one back, with their texts between."""
    sheet.pipe((left, y + _WARM), (right, y + _WARM), medium=medium, side="warm")
    sheet.pipe((right, y + _COLD), (left, y + _COLD), medium=medium, side="cold")
    _texts(sheet, left, right, y, link)


def _texts(sheet: _Sheet, left: float, right: float, y: float, link: _Link) -> None:
    middle = 0.5 * (left + right)
    sheet.say(link.warm, middle, y + _WARM - 1.6, "bold")
    for n, text in enumerate(link.middle):
        sheet.say(text, middle, y + _WARM + 4.4 + n * _LINE)
    sheet.say(link.cold, middle, y + _COLD + 4.6, "alarm" if link.broken else "bold")
    if link.limit:
        text = f"above limit {link.limit}" if link.broken else f"limit {link.limit}"
        sheet.say(text, middle, y + _COLD + 8.6, "alarm" if link.broken else "plain")
    if link.loop:
        mover = Mover(left + 3.5, y + _COLD, "cold", False, link.loop, right)
        sheet.movers.append(mover)


def _liquid_row(sheet: _Sheet, y: float, words: LoopWords) -> None:
    flow, plan = words.flow, words.design.chain.cdu
    sheet.box(0, y, words.racks_liquid())
    sheet.box(1, y, words.cdus())
    max_c = plan.tcs_supply_max_c if plan is not None else None
    pumped = words.water(flow.tcs_flow_m3_s)
    technology = _water(
        words, "tcs", "TCS ", flow.tcs_return_c, flow.tcs_supply_c, pumped, max_c=max_c
    )
    _pair(sheet, _LEFT[0] + _BOX, _LEFT[1], y, "water", technology)
    water = words.design.water
    sink = water.sink if water is not None else None
    has_exchanger = water is not None and (water.plan.exchanger_approach_k > 0.0 or water.plan.trim)
    max_c = water.plan.class_max_c if water is not None else math.inf
    labels = words.water(flow.fws_flow_m3_s), f"pumps {words.power(flow.power.fws_pumps_w)}"
    ends_c = flow.fws_return_c, flow.fws_supply_c
    facility = _water(words, "fws", "FWS ", *ends_c, *labels, max_c=max_c)
    end = _LEFT[2] if has_exchanger else _LEFT[3]
    _pair(sheet, _LEFT[1] + _BOX, end, y, "water", facility)
    if has_exchanger:
        sheet.box(2, y, words.exchanger())
    if sink is not None:
        sheet.box(3, y, words.sink("fws.rejection"))
        if has_exchanger and words.has("fws.rejection.water"):
            _tower_loop(sheet, y, words)
    if flow.fws_chilled_w > 0.0:
        x, bottom = _LEFT[2] + 0.35 * _BOX, y + _ROW
        sheet.pipe((x, bottom), (x, bottom + _SPACE), medium="water", side="warm")
        x = _LEFT[2] + 0.65 * _BOX
        sheet.pipe((x, bottom + _SPACE), (x, bottom), medium="water", side="cold")


def _tower_loop(sheet: _Sheet, y: float, words: LoopWords) -> None:
    cold_c, taken = words.step("fws.rejection.water"), 1.0 - words.step("fws.trim_share")
    taken *= words.design.water.tower_part if words.design.water is not None else 1.0
    warm_c = cold_c + taken * words.step("fws.range")
    pumped = words.water(words.step("fws.rejection.flow") or words.flow.fws_flow_m3_s)
    link = _water(words, "fws_tower", "", warm_c, cold_c, pumped)
    _pair(sheet, _LEFT[2] + _BOX, _LEFT[3], y, "water", link)


def _air_rows(words: LoopWords) -> list[_Row]:
    """Return the rows of the air, from the top."""
    rows: list[_Row] = [_halls]
    if words.design.chain.crah.path.door is not None:
        rows.insert(0, _doors)
    if words.flow.electrical_airflow_m3_s > 0.0:
        rows.append(_electrical)
    return rows


def _air(sheet: _Sheet, y: float, warm: str, cold: str, flow: str) -> None:
    _pair(sheet, _LEFT[0] + _BOX, _LEFT[1], y, "air", _Link(warm, cold, (flow,)))


def _doors(sheet: _Sheet, y: float, words: LoopWords) -> None:
    """Draw the racks and their doors, through which all their air goes."""
    sheet.box(0, y, words.racks_air(), words.inlet_alarm())
    sheet.box(1, y, words.doors())
    _air(
        sheet,
        y,
        words.temperature(words.step("air.exhaust_temperature")),
        words.temperature(words.flow.inlet_c),
        words.air(words.step("air.it_flow")),
    )


def _halls(sheet: _Sheet, y: float, words: LoopWords) -> None:
    """Draw the air handlers of the halls."""
    flow = words.flow
    if words.design.chain.crah.path.door is None:
        sheet.box(0, y, words.racks_air(), words.inlet_alarm())
    else:
        sheet.box(0, y, words.remaining_hall_air())
    sheet.box(1, y, words.handlers())
    _air(
        sheet,
        y,
        f"return {words.temperature(flow.return_air_c)}",
        f"supply {words.temperature(flow.supply_air_c)}",
        words.air(flow.crah_airflow_m3_s),
    )


def _electrical(sheet: _Sheet, y: float, words: LoopWords) -> None:
    """Draw the air handlers of the electrical rooms."""
    flow = words.flow
    sheet.box(0, y, words.electrical())
    sheet.box(1, y, words.electrical_handlers())
    rise_k = words.design.chain.crah.path.electrical_unit.rated_rise_k
    _air(
        sheet,
        y,
        f"return {words.temperature(flow.supply_air_c + rise_k)}",
        f"supply {words.temperature(flow.supply_air_c)}",
        words.air(flow.electrical_airflow_m3_s),
    )


def _plant_row(sheet: _Sheet, main: float, rows: int, words: LoopWords) -> None:
    """Draw the chilled-water headers, the chillers, and their heat rejection."""
    flow, chilled = words.flow, words.design.chilled
    medium: Medium = "refrigerant" if chilled.plan.direct else "water"
    sheet.box(2, main, words.chillers())
    box, warm_x, cold_x = _LEFT[1] + _BOX, _LEFT[1] + _BOX + _WARM_X, _LEFT[1] + _BOX + _COLD_X
    sheet.pipe((box, main + _WARM), (_LEFT[2], main + _WARM), medium=medium, side="warm")
    sheet.pipe((_LEFT[2], main + _COLD), (box, main + _COLD), medium=medium, side="cold")
    for n in range(1, rows):
        y = main + n * (_ROW + _SPACE)
        above = y - _ROW - _SPACE
        sheet.pipe(
            (box, y + _WARM),
            (warm_x, y + _WARM),
            (warm_x, above + _WARM),
            medium=medium,
            side="warm",
            arrow=False,
        )
        sheet.pipe(
            (cold_x, above + _COLD),
            (cold_x, y + _COLD),
            (box, y + _COLD),
            medium=medium,
            side="cold",
        )
    if chilled.plan.direct:
        link = _Link(
            "refrigerant", words.temperature(words.step("plant.evaporating")), ("evaporates at",)
        )
    else:
        labels = words.water(flow.chw_flow_m3_s), f"pumps {words.power(flow.power.chw_pumps_w)}"
        link = _water(words, "chw", "CHW ", flow.chw_return_c, flow.chw_supply_c, *labels)
    _texts(sheet, warm_x, _LEFT[2], main, link)
    _rejection(sheet, main, words)


def _rejection(sheet: _Sheet, main: float, words: LoopWords) -> None:
    """Draw the heat sink of the chillers: condenser water, or air."""
    flow, left = words.flow, _LEFT[2] + _BOX
    sheet.box(3, main, words.sink("plant.rejection"))
    if words.design.chilled.sink.plan.kind == "air_cooled":
        link = _Link("heat", f"in {words.temperature(flow.condenser_in_c)}")
        _pair(sheet, left, _LEFT[3], main, "air", link)
        return
    pumped = words.water(flow.condenser_flow_m3_s)
    link = _water(words, "cw", "", flow.condenser_out_c, flow.condenser_in_c, pumped)
    _pair(sheet, left, _LEFT[3], main, "water", link)
