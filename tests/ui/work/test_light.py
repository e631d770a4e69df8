"""No page works out in the server what belongs to a worker."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, cast

import pytest

from facility.study.design.design import Design
from facility.ui.work import jobs
from facility.ui.work.jobs import Job, Key, Tell
from tests.ui.helpers import EXPORT, PAGES, assert_sound, box, go, opened


def _of_the_sizing(design: Callable[[], Design], key: Key, tell: Tell) -> object:
    return design().results


def _heavy(design: Design) -> NoReturn:
    raise AssertionError("a page asks for the studies of a design all at once")


def test_no_page_asks_for_all_results_or_the_whole_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(cast(dict[str, Job], jobs.JOBS), "results", _of_the_sizing)
    monkeypatch.setattr(Design, "all_results", property(_heavy))
    monkeypatch.setattr(Design, "full_trace", property(_heavy))
    at = opened()
    at.text_input(key=box(at, "it.gpus")).set_value("1096").run()
    for page in PAGES:
        if page == EXPORT:  # a worker makes the set, which has the results of all studies
            continue
        go(at, page)
        assert_sound(at)
