"""Charts carry the numbers of the results, and are read on both pages."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from facility.files.project.file import example_names, example_text, parse_project
from facility.report.drawings.charts.bars import heat_split, phase_bars, pue_stack
from facility.report.drawings.charts.kit.chart import Chart, ChartText, Dot, FlowBand, Rectangle
from facility.report.drawings.charts.kit.colours import COLOURS, PHASES, SERIES
from facility.report.drawings.charts.power_flow import power_flow
from facility.report.drawings.charts.psychrometric import psychrometric_chart, psychrometric_drawing
from facility.report.drawings.charts.year import duration_chart, month_chart
from facility.report.drawings.text import sentence
from facility.report.tables.summary import part_name
from facility.report.why.pages import of_hour
from facility.study.cooling_hour import CoolingHour, cooling_hour
from facility.study.design.design import Design, design


@pytest.fixture(scope="module", params=example_names())
def found(request: pytest.FixtureRequest) -> Design:
    return design(parse_project(example_text(request.param)))


def kilowatts(found: Design, key: str) -> float:
    return float(found.results[key].si) / 1e3


def labels(chart: Chart) -> list[ChartText]:
    return [shape for shape in chart.shapes if isinstance(shape, ChartText)]


def test_power_flow_closes_at_every_node(found: Design) -> None:
    """Each band is as high as the bar it leads to; together they fill the bars they leave."""
    shapes = power_flow(found.results).shapes
    bars = {(s.x[0], s.y[0]): s.y[1] - s.y[0] for s in shapes if isinstance(s, Rectangle)}
    leaving: dict[float, float] = {}
    for band in shapes:
        if isinstance(band, FlowBand):
            assert band.height == pytest.approx(bars[band.x[1], band.y[1]])
            leaving[band.x[0]] = leaving.get(band.x[0], 0.0) + band.height
    utility, middle = sorted(leaving)
    per_kw = leaving[utility] / kilowatts(found, "load.facility")
    split = kilowatts(found, "load.cooling") + kilowatts(found, "load.losses")
    assert leaving[middle] == pytest.approx(split * per_kw, rel=1e-9)
    assert leaving[utility] == pytest.approx(bars[min(bars)], rel=1e-9)


def test_power_flow_names_every_part_with_its_power(found: Design) -> None:
    drawn = labels(power_flow(found.results))
    texts = [label.text for label in drawn]
    it, cooling = kilowatts(found, "load.it"), kilowatts(found, "load.cooling")
    is_large = kilowatts(found, "load.facility") >= 10_000.0
    shown = f"{it / 1e3:,.2f} MW" if is_large else f"{it:,.0f} kW"
    assert any(text.startswith(f"IT {shown}") for text in texts)
    shown = f"{cooling / 1e3:,.2f} MW" if is_large else f"{cooling:,.0f} kW"
    assert f"Cooling {shown}" in [label.text for label in drawn if label.bold]
    parts = [
        key
        for key, value in found.results.items()
        if key.startswith(("cooling.", "losses.")) and float(value.si) > 0.0
    ]
    for key in parts:
        assert any(text.startswith(sentence(part_name(key))) for text in texts), key


def test_labels_of_the_power_flow_do_not_overlap(found: Design) -> None:
    at_right = sorted(label.y for label in labels(power_flow(found.results)) if label.x == 1.0)
    assert min(b - a for a, b in itertools.pairwise(at_right)) >= 15.0


def test_pue_parts_stack_up_to_the_pue(found: Design) -> None:
    chart = pue_stack(found.results)
    *parts, whole = chart.marks
    pue = float(found.results["pue.design"].si)
    assert 1.0 + sum(mark.value for mark in parts) == pytest.approx(pue, rel=1e-9)
    boxes = [shape for shape in chart.shapes if isinstance(shape, Rectangle)]
    for one, following in itertools.pairwise(boxes[:-1]):
        assert one.x[1] == pytest.approx(following.x[0], abs=1e-12)
    assert whole.value == pytest.approx(pue - 1.0, rel=1e-9)


@pytest.mark.parametrize(("system", "factor"), [("si", 1.0), ("ip", 3.412141633)])
def test_heat_bars_are_the_heat(found: Design, system: Any, factor: float) -> None:
    chart = heat_split(found.results, system)
    rows = sorted({mark.y for mark in chart.marks})
    large = (
        system == "si" and max(kilowatts(found, "load.it"), kilowatts(found, "heat.room")) >= 1e4
    )
    scale = factor * (1e-3 if large else 1.0)
    for row, key in zip(rows, ("load.it", "heat.room"), strict=True):
        total = sum(mark.value for mark in chart.marks if mark.y == row)
        assert total == pytest.approx(kilowatts(found, key) * scale, rel=1e-6)
    unit = "MBH" if system == "ip" else "MW" if large else "kW"
    assert f"Heat flow ({unit})" in chart.texts


def test_every_axis_with_numbers_is_labelled(found: Design) -> None:
    charts = (
        pue_stack(found.results),
        heat_split(found.results, "si"),
        phase_bars({"normal": (1.0, 2.0, 3.0)}, 4.0),
    )
    titles = ("PUE, IT = 1 (kW/kW)", "Heat flow (", "Line current (A)")
    for chart, title in zip(charts, titles, strict=True):
        assert any(text.startswith(title) for text in chart.texts)


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


@pytest.mark.parametrize("page", [0, 1], ids=["light", "dark"])
def test_contrast_of_text_and_of_marks(page: int) -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21.0)
    paper = COLOURS["paper"][page]
    for role in ("ink", "ink-2"):
        assert contrast(COLOURS[role][page], paper) >= 7.0  # type: ignore[index]  # both are roles
    for role in (*SERIES, *PHASES, "limit"):
        assert contrast(COLOURS[role][page], paper) >= 3.0, role  # type: ignore[index]  # a role
    assert contrast(COLOURS["limit"][page], paper) >= 4.5, "it is a colour of text"


def of_psychrometry(found: Design, hour: CoolingHour) -> Chart:
    return psychrometric_drawing(psychrometric_chart(found, hour), "si")


def test_bars_and_points_know_numbers_that_can_be_asked_about(found: Design) -> None:
    hour = cooling_hour(found, found.facility.site.design)
    points = {key for mark in of_psychrometry(found, hour).marks for key in mark.key}
    assert len(points) > 2
    assert all(key in of_hour(hour) for key in points)
    flow = {key for mark in power_flow(found.results).marks for key in mark.key}
    shown = {key for key in found.results if key.startswith(("cooling.", "losses."))}
    assert flow >= {key for key in shown if float(found.results[key].si) > 0.0}
    assert flow <= {*found.results}
    if found.year is not None:
        months = month_chart(found.year.months, "si").marks
        lasting = duration_chart(found.year.year, 1.0, "si")
        assert {key for mark in (*months, *lasting.marks) for key in mark.key} <= {
            *found.year.results
        }
        scale = 1e6 if any("(MW)" in text for text in lasting.texts) else 1e3
        for name in ("Peak", "P99", "P90", "P50"):
            (mark,) = lasting.of(name)
            expected = float(found.year.results[mark.key[0]].si)
            assert scale * mark.value == pytest.approx(expected, rel=1e-4)


def test_no_humidity_stands_under_a_state_of_air(found: Design) -> None:
    drawn = of_psychrometry(found, cooling_hour(found, found.facility.site.design))
    named = [label for label in labels(drawn) if label.text in ("20%", "40%", "60%", "80%")]
    dots = [shape for shape in drawn.shapes if isinstance(shape, Dot)]
    assert len(named) == 4
    for label, dot in itertools.product(named, dots):
        assert label.anchor == "start"
        beside, below = dot.x - label.x, (label.y - dot.y) / drawn.height
        assert not (0.0 <= beside <= 0.05 and 0.0 <= below <= 0.04), (label.text, dot)
