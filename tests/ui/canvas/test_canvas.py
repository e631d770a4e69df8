"""The canvas component: what the browser is given, and what it may send back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from facility.ui.canvas import component
from facility.ui.canvas.views import MAX_DETAIL
from tests.ui.hostile import HOSTILE

ASSETS = Path(component.__file__).parent / "assets"


def shown() -> None:
    """Show a canvas with two views."""
    from facility.report.drawings.overview.numbers import StateNumber
    from facility.report.drawings.overview.parts import (
        Circle,
        HitArea,
        Layouts,
        OverviewScene,
        Rect,
        Stroke,
        Words,
    )
    from facility.ui.canvas.component import (
        Canvas,
        CanvasEvents,
        CanvasView,
        DetailDrawing,
        LegendEntry,
        Picked,
        show_canvas,
    )
    from tests.ui.hostile import HOSTILE

    shapes = (
        Stroke(((0.0, 1.04), (2.06, 3.0)), "ink-2", dashed=True),
        Rect(1.0, 2.0, 3.0, 4.0, "ok-soft", "line-3"),
        Circle(5.0, 6.0, 7.0),
        Words(HOSTILE, 10.0, 12.0, bold=True),
    )
    areas = (
        HitArea(("UPS-A1",), 0.0, 0.0, 10.0, 10.0, "UPS-A1, 50.0 % loaded", (0.0, 0.0, 9.0, 9.0)),
        HitArea(("RPP-1", "RPP-2"), 0.0, 20.0, 10.0, 10.0, HOSTILE),
    )
    scene = OverviewScene(100.0, 50.0, shapes, areas)
    detail = DetailDrawing("<svg/>", {"e0": Picked("equipment", ("UPS-A1",), "UPS-A1")}, 3.0)
    views = (
        CanvasView(
            "one-line", "One-line", Layouts(scene, scene), detailed=True, detail=detail,
            legend=(LegendEntry("box", "ok-fill", "15 % margin or more"),), marked=("UPS-A1",),
        ),
        CanvasView("hall-plan", "Hall plan", None, kind="rack"),
    )  # fmt: skip
    numbers = (StateNumber("Overloads", "0", "ok", "state.overload"), StateNumber("Other", "1"))
    canvas = Canvas("p", views, "one-line", "UPS-A1", "normal", numbers=numbers)
    show_canvas(canvas, CanvasEvents())


def page() -> AppTest:
    at = AppTest.from_function(shown).run()
    assert not at.exception
    return at


def given(at: AppTest) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(at.get("bidi_component")[0].proto.json)
    return found


def test_scenes_are_lists_of_shapes_with_colours_by_role() -> None:
    data = given(page())
    one_line, hall = data["views"]
    scene = one_line["layouts"]["wide"]
    assert scene["shapes"] == [
        ["line", [0.0, 1.0, 2.1, 3.0], "ink-2", 1.5, True],
        ["box", 1.0, 2.0, 3.0, 4.0, "ok-soft", "line-3", 0.0, 1.0],
        ["circle", 5.0, 6.0, 7.0, "none", "none", 1.5],
        ["text", HOSTILE, 10.0, 12.0, 13.0, "ink", "start", True, False],
    ]
    assert scene["targets"][0] == [
        ["UPS-A1"], 0.0, 0.0, 10.0, 10.0, "UPS-A1, 50.0 % loaded", [0.0, 0.0, 9.0, 9.0]
    ]  # fmt: skip
    assert (hall["layouts"], hall["detail"], hall["detailed"]) == (None, None, False)
    assert one_line["marked"] == ["UPS-A1"]
    assert data["numbers"][0] == {
        "label": "Overloads", "value": "0", "margin": "ok", "key": "state.overload"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "sent", "heard"),
    [
        ("picked", "t:UPS-A1", [("equipment", ("UPS-A1",))]),
        ("picked", "t:RPP-1", [("equipment", ("RPP-1", "RPP-2"))]),
        ("picked", "m:e0", [("equipment", ("UPS-A1",))]),
        ("picked", "t:no such tag", []),
        ("picked", {"id": "t:UPS-A1"}, []),
        ("viewed", "hall-plan", ["hall-plan"]),
        ("viewed", "elsewhere", []),
        ("viewed", ["hall-plan"], []),
        ("detailed", "UPS-A1", ["UPS-A1"]),
        ("detailed", "no such tag", [""]),
        ("detailed", 3, []),
        ("stepped", -1, [-1]),
        ("stepped", 1, [1]),
        ("stepped", 5, []),
        ("found", True, ["found"]),
        ("asked", "state.overload", ["state.overload"]),
        ("asked", "secret", []),
    ],
)
def test_only_what_is_shown_can_be_sent(name: str, sent: object, heard: list[object]) -> None:
    received: list[object] = []
    canvas, events = kept(received)
    component.hear(canvas, events, name, sent)
    assert received == heard


def kept(heard: list[object]) -> tuple[component.Canvas, component.CanvasEvents]:
    """Return a canvas with two views, and events that record."""
    from facility.report.drawings.overview.numbers import StateNumber
    from facility.report.drawings.overview.parts import HitArea, Layouts, OverviewScene

    areas = (
        HitArea(("UPS-A1",), 0.0, 0.0, 1.0, 1.0, ""),
        HitArea(("RPP-1", "RPP-2"), 0.0, 0.0, 1.0, 1.0, ""),
    )
    scene = OverviewScene(1.0, 1.0, (), areas)
    marks = {"e0": component.Picked("equipment", ("UPS-A1",))}
    detail = component.DetailDrawing("<svg/>", marks, 3.0)
    views = (
        component.CanvasView("one-line", "One-line", Layouts(scene, scene), detail=detail),
        component.CanvasView("hall-plan", "Hall plan", None),
    )
    numbers = (StateNumber("Overloads", "0", "ok", "state.overload"),)
    canvas = component.Canvas("p", views, "one-line", numbers=numbers)
    return canvas, component.CanvasEvents(
        picked=lambda one: heard.append((one.kind, one.tags)),
        viewed=heard.append,
        detailed=heard.append,
        stepped=heard.append,
        found=lambda: heard.append("found"),
        asked=heard.append,
    )


def test_the_script_never_writes_markup() -> None:
    for path in ("canvas.js", "scene.js", "surface.js"):
        text = (ASSETS / path).read_text(encoding="utf-8")
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "http:", "https:"):
            used = text.replace("http://www.w3.org/2000/svg", "")
            assert word not in used, f"{path}: {word}"


def test_a_detailed_drawing_that_is_sent_whole_is_small() -> None:
    assert MAX_DETAIL <= 300_000
