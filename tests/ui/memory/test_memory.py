"""What the server keeps of designs stays within its memory; what is dropped is made again."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from facility.core.errors import FacilityError
from facility.study.design.design import Design
from facility.ui.memory import glibc, keeper
from facility.ui.memory.design_cache import DesignCache
from facility.ui.memory.weigh import Scale
from tests.ui.helpers import design_with

LARGE = 10**9


@pytest.fixture(scope="module")
def small() -> Design:
    return design_with("it.gpus=64")


def made(shelf: DesignCache, name: str, design: Design, session: str = "anna") -> Design:
    return shelf.design(name, session, lambda: design)


def everywhere(session: str) -> bool:
    return True


def test_arrays_are_weighed_by_their_bytes_and_once() -> None:
    scale, array = Scale(), np.zeros(10**6)
    assert scale.weigh([array, array]) == pytest.approx(array.nbytes, rel=0.01)
    assert scale.weigh({"again": array}) < 1_000


def test_objects_are_weighed_by_their_number() -> None:
    few, many = (Scale().weigh([f"text {n}" for n in range(count)]) for count in (100, 10_000))
    assert many / few == pytest.approx(100.0, rel=0.25)


def test_memory_that_no_system_tells_is_without_bound(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    known = glibc.resident()
    monkeypatch.setattr(glibc, "_STATM", tmp_path / "statm")
    assert [keeper._taken(before) for before in (known, math.inf)] == [math.inf, math.inf]


def test_what_cannot_be_pickled_has_a_weight() -> None:
    assert Scale().weigh(lambda: None) > 0


def test_two_sessions_share_a_design_and_what_is_made_of_it(small: Design) -> None:
    shelf, count = DesignCache(), iter(range(9))
    made(shelf, "text", small)
    assert shelf.design("text", "ben", lambda: design_with("it.gpus=128")) is small
    one, two = (
        shelf.made("text", name, ("chart", 1), 8, lambda: next(count)) for name in ("anna", "ben")
    )
    assert (one, two) == (0, 0)


def test_the_oldest_of_a_kind_goes_first() -> None:
    shelf = DesignCache()
    for number in (1, 2, 1, 3):
        shelf.made("text", "anna", ("hour", number), 2, lambda: object())
    assert [shelf.has("text", ("hour", number)) for number in (1, 2, 3)] == [True, False, True]


def test_beyond_the_memory_old_designs_lose_their_studies_first() -> None:
    studied = [design_with(f"it.gpus={64 * number}") for number in (1, 2, 3)]
    for design in studied:
        assert design.distribution
    shelf = DesignCache(cache_bytes=LARGE)
    for number, design in enumerate(studied):
        made(shelf, str(number), design)
    assert not shelf.settle(everywhere)
    each = shelf.size / 3
    shelf = DesignCache(cache_bytes=int(2.5 * each))
    for number, design in enumerate(studied):
        made(shelf, str(number), design)
    assert shelf.settle(everywhere)
    assert shelf.size <= 2.5 * each
    stripped, *whole = (
        shelf.design(str(number), "anna", lambda: studied[0]) for number in (0, 1, 2)
    )
    assert whole == studied[1:]
    assert stripped is not studied[0]
    assert "distribution" not in vars(stripped)
    for field in fields(Design):
        assert getattr(stripped, field.name) is getattr(studied[0], field.name)


def test_where_that_is_not_enough_designs_go_and_the_last_stays(small: Design) -> None:
    shelf = DesignCache(cache_bytes=1)
    for name in ("one", "two", "three"):
        made(shelf, name, small)
    assert shelf.settle(everywhere)
    assert [shelf.has(name) for name in ("one", "two", "three")] == [False, False, True]


def test_what_no_session_shows_any_more_has_a_smaller_memory(small: Design) -> None:
    shelf, open_now = DesignCache(spare_bytes=1), {"anna", "ben"}
    made(shelf, "hers", small, "anna")
    made(shelf, "both", small, "anna")
    made(shelf, "both", small, "ben")
    assert not shelf.settle(open_now.__contains__)
    open_now.remove("anna")
    assert shelf.settle(open_now.__contains__)
    assert (shelf.has("hers"), shelf.has("both")) == (False, True)
    assert not shelf.settle(open_now.__contains__)


def test_a_design_in_the_making_is_left_alone(small: Design) -> None:
    shelf = DesignCache(cache_bytes=1, spare_bytes=1)

    def make() -> Design:
        with ThreadPoolExecutor(1) as beside:
            beside.submit(shelf.settle, everywhere).result()
        return small

    assert shelf.design("text", "anna", make) is small
    assert shelf.has("text")


def test_a_refused_design_is_asked_for_again(small: Design) -> None:
    shelf = DesignCache()

    def refuse() -> Design:
        raise FacilityError("NO_DESIGN", "it.gpus", "none.", "None.")

    with pytest.raises(FacilityError, match="NO_DESIGN"):
        shelf.design("text", "anna", refuse)
    assert not shelf.has("text")
    assert made(shelf, "text", small) is small
