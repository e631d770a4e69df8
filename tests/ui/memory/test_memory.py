"""What the server keeps of designs stays within its limit; what is dropped is made again."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import SimpleNamespace

import pytest

from facility.core.errors import FacilityError
from facility.study.design.design import Design
from facility.ui.memory import cache, released
from facility.ui.memory.cache import DesignCache
from tests.ui.helpers import design_with

LARGE = 10**9


@pytest.fixture(scope="module")
def small() -> Design:
    return design_with("it.gpus=64")


def made(shelf: DesignCache, name: str, design: Design) -> Design:
    return shelf.design(name, lambda: design)


def test_two_sessions_share_a_design_and_what_is_made_of_it(small: Design) -> None:
    shelf, count = DesignCache(), iter(range(9))
    made(shelf, "text", small)
    assert shelf.design("text", lambda: design_with("it.gpus=128")) is small
    assert [shelf.made("text", ("chart", 1), 8, lambda: next(count)) for _ in range(2)] == [0, 0]


def test_the_oldest_of_a_kind_goes_first() -> None:
    shelf = DesignCache()
    for number in (1, 2, 1, 3):
        shelf.made("text", ("hour", number), 2, lambda: object())
    assert [shelf.has("text", ("hour", number)) for number in (1, 2, 3)] == [True, False, True]


def studied() -> Iterator[Design]:
    for number in (1, 2, 3):
        design = design_with(f"it.gpus={640 * number}")
        assert design.distribution
        yield design


def test_beyond_the_limit_the_oldest_designs_go_first() -> None:
    designs = [*studied()]
    shelf = DesignCache(LARGE)
    for number, design in enumerate(designs):
        made(shelf, str(number), design)
    shelf = DesignCache(shelf.size - 1)
    for number, design in enumerate(designs):
        made(shelf, str(number), design)
    assert [shelf.has(str(number)) for number in range(3)] == [False, True, True]


def test_the_last_design_stays_whatever_its_size(small: Design) -> None:
    shelf = DesignCache(1)
    for name in ("one", "two", "three"):
        made(shelf, name, small)
    assert [shelf.has(name) for name in ("one", "two", "three")] == [False, False, True]


def test_larger_designs_and_their_studies_count_more() -> None:
    sizes = []
    for gpus in (64, 64_000):
        design, shelf = replace(design_with(f"it.gpus={gpus}")), DesignCache()
        made(shelf, "text", design)
        bare = shelf.size
        assert design.distribution
        sizes.append((bare, shelf.size))
    (small_bare, small_studied), (large_bare, large_studied) = sizes
    assert small_bare < large_bare < small_studied < large_studied


def test_a_design_in_the_making_is_left_alone(small: Design) -> None:
    shelf = DesignCache(1)

    def make() -> Design:
        with ThreadPoolExecutor(1) as beside:
            beside.submit(made, shelf, "other", small).result()
        return small

    assert shelf.design("text", make) is small
    assert shelf.has("text")


def test_a_refused_design_is_asked_for_again(small: Design) -> None:
    shelf = DesignCache()

    def refuse() -> Design:
        raise FacilityError("NO_DESIGN", "it.gpus", "none.", "None.")

    with pytest.raises(FacilityError, match="NO_DESIGN"):
        shelf.design("text", refuse)
    assert not shelf.has("text")
    assert made(shelf, "text", small) is small


def test_a_session_whose_browser_stays_away_is_closed(
    small: Design, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf, closed, now = DesignCache(), list[str](), [100.0]
    runtime = SimpleNamespace(clear_user_info_for_session=closed.append)
    for session in ("here", "away"):
        monkeypatch.setattr(cache, "session_id", lambda name=session: name)
        made(shelf, session, small)
    monkeypatch.setattr(released, "CACHE", shelf)
    monkeypatch.setattr(released, "is_open", "here".__eq__)
    monkeypatch.setattr(released.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(released.Runtime, "instance", lambda: runtime)
    away = dict[str, float]()
    for later in (0.0, 20.0, 20.0):
        now[0] += later
        assert closed == []
        released._close_sessions(away)
    assert closed == ["away"]
    assert (shelf.sessions, away) == (("here",), {})
