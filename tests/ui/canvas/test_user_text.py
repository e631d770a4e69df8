"""Text that a person wrote is shown as it was written, whatever markup it looks like."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from facility.files.svg.chart import chart_svg
from facility.report.drawings.charts.bars import phase_bars
from tests.tools.source_tree import PACKAGE, sources
from tests.ui.helpers import PAGES, PANELS, assert_sound, frames, go, opened, type_in, upload
from tests.ui.hostile import HOSTILE, PROJECT

MARKS = ("**x**", "javascript:", ":material/bolt: <b>", ":red[r]")
MARKUP = (
    "markdown",
    "caption",
    "subheader",
    "header",
    "title",
    "metric",
    "info",
    "warning",
    "error",
    "button",
    "segmented_control",
    "tabs",
)


def texts_in_markup(at: AppTest) -> list[str]:
    found = []
    for kind in MARKUP:
        for element in getattr(at, kind):
            text = str(element.proto)
            found += [f"{kind}: {text}" for mark in MARKS if mark in text]
    return found


@pytest.mark.parametrize("page", PAGES, ids="-".join)
def test_a_hostile_project_is_shown_literally(page: str) -> None:
    at = opened()
    upload(at, "hostile.json", PROJECT)
    assert not at.error
    go(at, page)
    assert_sound(at)
    assert any(text.value.startswith(HOSTILE[:30]) for text in at.text)
    assert texts_in_markup(at) == []


def test_hostile_names_of_halls_are_options_and_cells() -> None:
    at = opened()
    upload(at, "hostile.json", PROJECT)
    go(at, PANELS)
    at.session_state["design-view"] = "panels"
    at.run()
    assert_sound(at)
    assert any(HOSTILE[:60] in set(one.value.get("Hall", ())) for one in frames(at))
    assert texts_in_markup(at) == []


def test_a_hostile_entry_is_shown_literally_in_its_refusal() -> None:
    at = opened()
    type_in(at, "Tariff", "**x** :red[r] $$\\x$$ 5")
    assert any("**x** :red[r]" in text.value for text in at.text)
    assert texts_in_markup(at) == []


def test_charts_escape_what_they_would_read_as_markup() -> None:
    """The app sets the text of a chart as text; a document has it escaped."""
    chart = phase_bars({"<b>B</b> lost": (1.0, 2.0, 3.0)}, 10.0)
    assert "<b>B</b> lost" in chart.texts
    assert "<b>B" not in chart_svg([chart])
    assert "&lt;b&gt;B&lt;/b&gt; lost, A: 1.00 A" in chart_svg([chart])
    script = (PACKAGE / "ui" / "canvas" / "assets" / "chart.js").read_text(encoding="utf-8")
    assert "textContent" in script
    assert not re.search("innerHTML|outerHTML|insertAdjacentHTML|document.write", script)


def test_no_page_asks_for_raw_html() -> None:
    offenders = [
        path
        for name, path, text in sources()
        if name.startswith("facility.ui") and ("unsafe_allow" in text or "st.html" in text)
    ]
    assert not offenders
