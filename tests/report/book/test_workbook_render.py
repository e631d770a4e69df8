"""Several books at a time: the same bytes in the same order, and never fewer of them."""

import gc
from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from functools import partial

import pytest

from facility.core.errors import FacilityError
from facility.files.workbook import render as workbook_render
from facility.files.workbook.render import all_rendered, collector_resting, rendered
from facility.report.sheet.model import Book, Sheet
from tests.files.workbook.test_xlsx_writer import book_of


def numbered(number: int) -> Book:
    sheet = Sheet("Loads")
    for row in range(1, 50):
        sheet.put(row, 1, f"circuit {row} of {number}")
        sheet.formula(row, 2, f"{number}*{row}", float(number * row))
    return book_of(sheet)


def failing() -> Book:
    raise FacilityError("NOT_FINITE", "Loads!A1", "nan cannot stand in a workbook.", exit_code=1)


MAKERS = tuple(partial(numbered, number) for number in range(5))


@pytest.fixture
def dividing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbook_render, "_may_divide", lambda: True)


@pytest.mark.usefixtures("dividing")
def test_two_processes_write_the_bytes_that_one_does() -> None:
    alone = list(all_rendered(MAKERS, parallel=False))
    assert alone == [rendered(make) for make in MAKERS]
    assert len(set(alone)) == len(MAKERS)
    assert list(all_rendered(MAKERS, parallel=True)) == alone


@pytest.mark.usefixtures("dividing")
def test_what_is_refused_is_refused_in_two_processes_too() -> None:
    contents = all_rendered((MAKERS[0], failing, MAKERS[1]), parallel=True)
    assert next(contents) == rendered(MAKERS[0])
    with pytest.raises(FacilityError, match="NOT_FINITE") as caught:
        next(contents)
    assert caught.value.exit_code == 1


@pytest.mark.usefixtures("dividing")
@pytest.mark.parametrize("error", [BrokenProcessPool("killed"), PermissionError("no semaphores")])
def test_one_process_makes_what_the_others_left(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(makers: Sequence[workbook_render.Maker]) -> Iterator[bytes]:
        yield rendered(makers[0])
        yield rendered(makers[1])
        raise error

    monkeypatch.setattr(workbook_render, "_divided", breaks)
    assert list(all_rendered(MAKERS, parallel=True)) == [rendered(make) for make in MAKERS]


def test_the_collector_works_again_afterwards() -> None:
    assert gc.isenabled()
    with pytest.raises(FacilityError):
        rendered(failing)
    assert gc.isenabled()
    with collector_resting():
        assert not gc.isenabled()
        rendered(MAKERS[0])
        assert not gc.isenabled()
