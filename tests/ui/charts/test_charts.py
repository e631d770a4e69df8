"""Charts carry the numbers of the results, and are read on both pages."""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest

from facility.files.project.file import example_names, example_text, parse_project
from facility.report.drawings.charts.psychrometric import psychrometric_chart
from facility.report.tables.summary import part_name
from facility.report.why.pages import of_hour
from facility.study.cooling_hour import CoolingHour, cooling_hour
from facility.study.design.design import Design, design
from facility.ui.charts import bars as charts
from facility.ui.charts import palette
from facility.ui.charts.power_flow import power_flow
from facility.ui.charts.psychrometric import psychrometric_figure
from facility.ui.charts.year import duration_figure, month_figure

PAPER = {palette.LIGHT: "#ffffff", palette.DARK: "#191817"}


@pytest.fixture(scope="module", params=example_names())
def found(request: pytest.FixtureRequest) -> Design:
    return design(parse_project(example_text(request.param)))


def kilowatts(found: Design, key: str) -> float:
    return float(found.results[key].si) / 1e3


def test_power_flow_closes_at_every_node(found: Design) -> None:
    """Each band is as high as the bar it leads to; together they fill the bars they leave."""
    shapes = power_flow(found.results, palette.LIGHT).layout.shapes
    bars = {
        (round(bar.x0 + 0.01, 6), round(bar.y0, 6)): bar.y1 - bar.y0
        for bar in shapes
        if bar.type == "rect"
    }
    leaving: dict[float, float] = {}
    for band in shapes:
        if band.type == "path":
            spots = [spot.split(",") for spot in re.findall(r"[^ ]+,[^ ]+", band.path)]
            start, *_, end, foot = [tuple(map(float, spot)) for spot in spots[:5]]
            assert foot[1] - end[1] == pytest.approx(bars[round(end[0], 6), round(end[1], 6)])
            leaving[start[0]] = leaving.get(start[0], 0.0) + foot[1] - end[1]
    utility, middle = sorted(leaving)
    per_kw = leaving[utility] / kilowatts(found, "load.facility")
    split = kilowatts(found, "load.cooling") + kilowatts(found, "load.losses")
    assert leaving[middle] == pytest.approx(split * per_kw, rel=1e-9)
    assert leaving[utility] == pytest.approx(bars[min(bars)], rel=1e-9)


def test_power_flow_names_every_part_with_its_power(found: Design) -> None:
    figure = power_flow(found.results, palette.LIGHT)
    labels = [annotation.text for annotation in figure.layout.annotations]
    it, cooling = kilowatts(found, "load.it"), kilowatts(found, "load.cooling")
    is_large = kilowatts(found, "load.facility") >= 10_000.0
    shown = f"{it / 1e3:,.2f} MW" if is_large else f"{it:,.0f} kW"
    assert any(text.startswith(f"IT {shown}") for text in labels)
    shown = f"{cooling / 1e3:,.2f} MW" if is_large else f"{cooling:,.0f} kW"
    assert f"<b>Cooling {shown}</b>" in labels
    parts = [
        key
        for key, value in found.results.items()
        if key.startswith(("cooling.", "losses.")) and float(value.si) > 0.0
    ]
    for key in parts:
        assert any(text.startswith(palette.sentence(part_name(key))) for text in labels), key


def test_labels_of_the_power_flow_do_not_overlap(found: Design) -> None:
    figure = power_flow(found.results, palette.LIGHT)
    room = figure.layout.height - figure.layout.margin.t - figure.layout.margin.b
    at_right = sorted(a.y * room for a in figure.layout.annotations if a.x == 1)
    gaps = [b - a for a, b in itertools.pairwise(at_right)]
    assert min(gaps) >= 15.0


def test_pue_parts_stack_up_to_the_pue(found: Design) -> None:
    bars = charts.pue_stack(found.results, palette.LIGHT).data[0]
    pue = float(found.results["pue.design"].si)
    assert 1.0 + sum(bars.x[:-1]) == pytest.approx(pue, rel=1e-9)
    for base, part, following in zip(bars.base, bars.x, bars.base[1:-1], strict=False):
        assert base + part == pytest.approx(following, rel=1e-12)
    assert bars.x[-1] == pytest.approx(pue - 1.0, rel=1e-9)


@pytest.mark.parametrize(("system", "factor"), [("si", 1.0), ("ip", 3.412141633)])
def test_heat_bars_are_the_heat(found: Design, system: Any, factor: float) -> None:
    figure = charts.heat_split(found.results, palette.LIGHT, system)
    gives_off = sum(bar.x[0] for bar in figure.data)
    removed = sum(bar.x[1] for bar in figure.data)
    assert gives_off == pytest.approx(kilowatts(found, "load.it") * factor, rel=1e-6)
    assert removed == pytest.approx(kilowatts(found, "heat.room") * factor, rel=1e-6)
    assert figure.layout.xaxis.title.text == f"Heat flow ({'kW' if system == 'si' else 'MBH'})"


def test_every_axis_with_numbers_is_labelled(found: Design) -> None:
    figures = (
        charts.pue_stack(found.results, palette.DARK).layout.xaxis,
        charts.heat_split(found.results, palette.DARK, "si").layout.xaxis,
        charts.phase_bars({"normal": (1.0, 2.0, 3.0)}, 4.0, palette.DARK).layout.yaxis,
    )
    assert all(axis.title.text for axis in figures)


def luminance(colour: str) -> float:
    """Return the relative luminance of WCAG 2.2."""
    parts = [int(colour[i : i + 2], 16) / 255.0 for i in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("ink", [palette.LIGHT, palette.DARK])
def test_contrast_of_text_and_of_marks(ink: palette.Ink) -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21.0)
    assert contrast(ink.text, PAPER[ink]) >= 7.0
    marks = (*(mark.value for mark in palette.Hue), *palette.PHASES)
    for colour in marks:
        assert contrast(colour, PAPER[ink]) >= 3.0, colour


def of_psychrometry(found: Design, hour: CoolingHour) -> Any:
    return psychrometric_figure(psychrometric_chart(found, hour), palette.LIGHT, "si")


def test_bars_and_points_know_numbers_that_can_be_asked_about(found: Design) -> None:
    hour = cooling_hour(found, found.facility.site.design)
    points = {key for one in of_psychrometry(found, hour).data for key in one.customdata or ()}
    assert len(points) > 2
    assert all(key in of_hour(hour) for key in points if key)
    flow = power_flow(found.results, palette.LIGHT).data[0].customdata
    shown = {key for key in found.results if key.startswith(("cooling.", "losses."))}
    assert {key for key, _ in flow} >= {key for key in shown if float(found.results[key].si) > 0.0}
    assert {key for key, _ in flow} <= {*found.results}
    if found.year is not None:
        months = month_figure(found.year.months, palette.LIGHT, "si").data
        lasting = duration_figure(found.year.year, 1.0, palette.LIGHT, "si").data
        asked = {key for one in (*months, *lasting) for key in one.customdata or ()}
        assert asked <= {*found.year.results}
        for key, power_w in zip(lasting[-1].customdata, lasting[-1].y, strict=True):
            assert 1e3 * power_w == pytest.approx(float(found.year.results[key].si), rel=1e-4)


def test_no_humidity_stands_under_a_state_of_air(found: Design) -> None:
    figure = of_psychrometry(found, cooling_hour(found, found.facility.site.design))
    (left, right), (low, high) = figure.layout.xaxis.range, figure.layout.yaxis.range
    for label, state in itertools.product(figure.layout.annotations, figure.data):
        if state.type == "scatter" and state.mode == "markers":
            assert (label.xanchor, label.yanchor) == ("left", "top")
            beside = (state.x[0] - label.x) / (right - left)
            below = (label.y - state.y[0]) / (high - low)
            assert not (0.0 <= beside <= 0.05 and 0.0 <= below <= 0.05), (label.text, state.name)
