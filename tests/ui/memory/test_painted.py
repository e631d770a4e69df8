"""What the server keeps of painted pages: what can be clicked, and what was entered."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.common import WidgetMetadata

from benchmarks.app import Visitor
from facility.ui.memory import painted
from tests.ui.browsing import served


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with served() as address:
        yield int(address.rpartition(":")[2])


def test_callbacks_of_widgets_that_two_runs_have_not_shown_are_forgotten() -> None:
    state, metadata = SessionState(), {}
    for id in ("shown", "left", "gone"):
        metadata[id] = WidgetMetadata(id, str, str, "string_value", callback=lambda: None)
    state._new_widget_state.widget_metadata = metadata
    state._old_state |= {"shown": "", "left": ""}
    painted._forget_gone(state)
    assert [*metadata] == ["shown", "left", "gone"]
    del state._old_state["left"]
    painted._forget_gone(state)
    assert [*metadata] == ["shown", "left"]
    painted._forget_gone(state)
    assert [*metadata] == ["shown"]


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
