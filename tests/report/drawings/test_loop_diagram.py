"""The loop diagram: its numbers are those of the design, its texts fit, broken limits are told."""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from facility.core.kinds import FloatArray
from facility.core.views import show
from facility.files.project.file import apply_sets, example_names, example_text, parse_project
from facility.files.svg.loops import PX_PER_MM, loop_svg
from facility.model.facility import Weather
from facility.report.drawings.loops.diagram import LoopDrawing, loop_drawing
from facility.report.drawings.text import TEXT_MM, text_width
from facility.report.why.pages import of_hour
from facility.study.cooling_hour import CoolingHour, cooling_hour
from facility.study.design.design import Design, design
from tests.results.variants import VARIANTS
from tests.study.helpers import design_of
from tests.study.tariff.test_tank import tanked

TERMINALS = ("crac", "in-row", "rear-door", "active-rear-door", "fan-wall")
ECONOMIZERS = ("integrated-water-side", "air-side-direct", "air-side-indirect")
OTHERS = {
    **{kind: ("dgx-su-32", f"cooling.air.terminal={kind}") for kind in TERMINALS},
    **{kind: ("mixed-hall", f"cooling.economizer.kind={kind}") for kind in ECONOMIZERS},
    "air-cooled": ("dgx-su-32", "cooling.plant.heat_rejection=air_cooled"),
    "dry": (
        "nvl72-hall",
        "cooling.facility_water.source=dry_cooler",
        "site.design_dry_bulb=32 degC",
        "site.design_wet_bulb=22 degC",
    ),
}
NAMES = (*example_names(), *OTHERS)


@cache
def found(name: str) -> tuple[Design, CoolingHour]:
    base, *sets = OTHERS.get(name, (name,))
    plan = design(apply_sets(parse_project(example_text(base)), sets))
    return plan, cooling_hour(plan, plan.facility.site.design)


def texts(drawing: LoopDrawing) -> list[str]:
    in_boxes = [text for box in drawing.boxes for text in (box.title, *box.lines, box.alarm)]
    return [*in_boxes, *(word.text for word in drawing.words)]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("system", ["si", "ip"])
def test_temperatures_and_flows_are_those_of_the_hour(name: str, system: str) -> None:
    plan, hour = found(name)
    flow, said = hour.point.cooling, " | ".join(texts(loop_drawing(plan, hour, system)))  # type: ignore[arg-type]

    def has(value: float, kind: str, **more: int) -> bool:
        return show(value, kind, system, **more) in said  # type: ignore[arg-type]

    assert has(flow.supply_air_c, "temperature")
    assert has(flow.return_air_c, "temperature")
    assert has(flow.inlet_worst_c, "temperature")
    assert has(flow.chiller_load_w, "heat_flow", digits=0)
    if not plan.cooling.chilled.plan.direct:
        assert has(flow.chw_supply_c, "temperature")
        assert has(flow.chw_flow_m3_s, "liquid_flow", digits=0)
    if flow.tcs_flow_m3_s:
        for at_c in (flow.tcs_supply_c, flow.tcs_return_c, flow.fws_supply_c, flow.fws_return_c):
            assert has(at_c, "temperature")
        assert has(flow.fws_flow_m3_s, "liquid_flow", digits=0)
    else:
        assert "TCS" not in said


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("system", ["si", "ip"])
def test_no_text_is_cut_or_stands_on_another(name: str, system: str) -> None:
    drawing = loop_drawing(*found(name), system)  # type: ignore[arg-type]
    assert "…" not in loop_svg(drawing)
    boxes = [(b.x_mm, b.y_mm, b.x_mm + b.width_mm, b.y_mm + b.height_mm) for b in drawing.boxes]
    for word in drawing.words:
        half = 0.5 * text_width(word.text, bold=word.tone != "plain")
        boxes.append((word.x_mm - half, word.y_mm - 0.74 * TEXT_MM, word.x_mm + half, word.y_mm))
    for a, b in itertools.combinations(boxes, 2):
        apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
        assert apart, (a, b)


@pytest.mark.parametrize("name", NAMES)
def test_it_is_a_picture_as_large_as_it_says(name: str) -> None:
    drawing = loop_drawing(*found(name))
    root = ET.fromstring(loop_svg(drawing))
    assert int(root.attrib["width"]) == round(drawing.width_mm * PX_PER_MM)
    assert int(root.attrib["height"]) > round(drawing.height_mm * PX_PER_MM)


@pytest.mark.parametrize("kind", ECONOMIZERS)
def test_an_economizer_at_work_is_named_with_its_heat(kind: str) -> None:
    plan, _ = found(kind)
    hour = cooling_hour(plan, Weather(2.0, 1.0, plan.facility.site.pressure_pa))
    heat_w = hour.point.cooling.economizer_w
    assert heat_w > 0.0
    expected = f"economizer {show(heat_w, 'heat_flow', digits=0)}"
    drawing = loop_drawing(plan, hour)
    assert expected in texts(drawing)
    assert "…" not in loop_svg(drawing)


@pytest.mark.parametrize("name", NAMES)
def test_a_box_stands_for_a_step_whose_number_is_in_it(name: str) -> None:
    plan, hour = found(name)
    steps = of_hour(hour).trace
    for box in loop_drawing(plan, hour).boxes:
        value, kind = steps.value(box.key), steps[box.key].kind
        shown = {show(value, kind, digits=digits) for digits in (None, 0, 1)}
        assert any(one in line for one in shown for line in box.lines), (box, shown)


@pytest.mark.parametrize(
    ("extreme", "words"), [(np.argmax, "charging"), (np.argmin, "discharging")]
)
def test_a_tank_is_drawn_with_what_it_does_in_the_hour(
    extreme: Callable[[FloatArray], np.intp], words: str
) -> None:
    plan = tanked("300 m3")
    assert plan.year is not None
    year = plan.year.year
    charged_w = year.hours.spread(year.balance.cooling.tank_w)
    index = int(extreme(charged_w))
    hour = cooling_hour(plan, year.outdoors(index), float(year.load[index]), year.tank(index))
    drawing, resting = loop_drawing(plan, hour), cooling_hour(plan, plan.facility.site.design)
    (box,) = [box for box in drawing.boxes if box.title == "Chilled-water tank"]
    moved = show(abs(float(charged_w[index])), "heat_flow", digits=0)
    assert box.lines == ("300 m³", "controlled by tariff", f"{words} {moved}")
    assert abs(of_hour(hour).trace.value(box.key)) == abs(charged_w[index])
    assert "…" not in loop_svg(drawing)
    assert "idle in this hour" in texts(loop_drawing(plan, resting))


def test_a_broken_limit_is_said_in_words() -> None:
    plan, hour = found("nvl72-hall")
    assert not any("above limit" in text for text in texts(loop_drawing(plan, hour)))
    hot = replace(hour.point.cooling, inlet_worst_c=50.0, fws_supply_c=60.0, tcs_supply_c=70.0)
    broken = replace(hour, point=replace(hour.point, cooling=hot))
    said = texts(loop_drawing(plan, broken))
    assert sum("above limit" in text for text in said) == 3


def test_names_of_equipment_cannot_be_markup() -> None:
    drawing = loop_drawing(*found("dgx-su-32"))
    box = replace(drawing.boxes[0], title="<script>&", lines=('"><b>x</b>',))
    svg = loop_svg(replace(drawing, boxes=(box,)))
    ET.fromstring(svg)
    assert "<script" not in svg
    assert "<b>" not in svg


def test_heat_rejection_that_stands_idle_has_no_temperature() -> None:
    """Phoenix at its design hour: the dry coolers are warmer than the water, a chiller has all."""
    plant = design_of(VARIANTS["liquid on dry coolers with a trim chiller, rows"])
    drawing = loop_drawing(plant, cooling_hour(plant, plant.facility.site.design))
    (idle,) = [box for box in drawing.boxes if box.title == "Dry coolers"]
    assert not [line for line in idle.lines if "air in" in line or "°C" in line]
