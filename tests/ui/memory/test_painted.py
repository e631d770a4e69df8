"""What the server keeps of painted pages: what can be clicked, and what was entered."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.runtime.state.session_state import WStates

from benchmarks.app import Visitor
from facility.ui.memory import painted
from tests.ui.browsing import served


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with served() as address:
        yield int(address.rpartition(":")[2])


@pytest.fixture
def kept() -> Iterator[WStates]:
    """Widgets of a page, and of two parts of it that run by themselves."""
    painted._GONE.clear()
    kept = WStates()
    for id, part in (
        ("title", None),
        ("box", "drawing"),
        ("bar", "progress"),
        ("stop", "progress"),
    ):
        kept.widget_metadata[id] = WidgetMetadata(
            id, str, str, "string_value", callback=lambda: None, fragment_id=part
        )
    yield kept
    painted._GONE.clear()


def test_callbacks_of_widgets_that_two_runs_have_not_shown_are_forgotten(kept: WStates) -> None:
    shown = frozenset(["title", "box"])
    painted._forget_gone(kept, shown | {"bar"}, None)
    assert [*kept.widget_metadata] == ["title", "box", "bar", "stop"]
    painted._forget_gone(kept, shown, None)
    assert [*kept.widget_metadata] == ["title", "box", "bar"]
    painted._forget_gone(kept, shown, None)
    assert [*kept.widget_metadata] == ["title", "box"]


def test_runs_of_one_part_keep_the_callbacks_of_the_others(kept: WStates) -> None:
    """A click on a drawing does something while the progress beside it is painted anew."""
    for _ in range(3):
        painted._forget_gone(kept, frozenset(["bar"]), ["progress"])
    assert [*kept.widget_metadata] == ["title", "box", "bar"]


def test_a_component_takes_events_as_long_as_it_is_shown(kept: WStates) -> None:
    """Of a drawing, Streamlit counts the drawing as shown and not what takes its clicks."""
    events = _make_trigger_id("box", "events")
    kept.widget_metadata[events] = replace(kept.widget_metadata["box"], id=events)
    for _ in range(3):
        painted._forget_gone(kept, frozenset(["title", "box", "bar", "stop"]), None)
    assert events in kept.widget_metadata
    for _ in range(2):
        painted._forget_gone(kept, frozenset(["title"]), None)
    assert [*kept.widget_metadata] == ["title"]


def test_a_widget_that_comes_back_is_not_gone(kept: WStates) -> None:
    page = frozenset(["title", "box", "bar"])
    for shown in (page, page | {"stop"}, page):
        painted._forget_gone(kept, shown, None)
    assert "stop" in kept.widget_metadata


def test_a_browser_that_comes_back_finds_its_page_and_goes_on(port: int) -> None:
    """The page that was let go is painted by itself, of this session's entries alone."""
    visitor, other = Visitor(port), Visitor(port)
    visitor.opened()
    other.opened()
    visitor.typed("Number of GPUs", "2048")
    own = visitor.visit("panels").metrics
    assert own
    visitor.close()
    time.sleep(3.0 * painted._LOOK_S)
    back = visitor.came_back()
    assert back.metrics == own
    assert not back.errors
    entered = visitor.typed("Number of GPUs", "512")
    assert not entered.errors
    assert visitor.visit("").metrics["IT load"] != other.visit("").metrics["IT load"]
    visitor.close()
    other.close()
