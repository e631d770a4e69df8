"""An independent calculator against the engine, and the engine's results against the cells.

Cached values are spoiled before the recalculation, so that a value that agrees was computed.
"""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from facility.core.views import view_value
from facility.files.workbook.writer import render
from facility.report.book.panels.live import it_inputs
from facility.report.book.power.roll_up_to_pue import power_sheets
from facility.report.documents import build_book
from facility.report.sheet.entries import Entries
from facility.report.sheet.model import Book
from facility.report.sheet.tables import PageSetup
from facility.study.design.design import Design
from tests.report.book.conftest import CASES
from tests.tools.libreoffice import convert_all
from tests.tools.recalculate import recalculated as recalculated_fast
from tests.tools.workbooks import differences, error_cells, formula_count, poisoned

PLAIN = PageSetup("", "", "", False)


@pytest.fixture(scope="module")
def recalculated(
    books: dict[str, Book], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    """Return the spoiled workbooks, recalculated in one start of LibreOffice."""
    folder = tmp_path_factory.mktemp("parity")
    sources = [folder / f"{name}.xlsx" for name in books]
    for source in sources:
        source.write_bytes(render(poisoned(books[source.stem])))
    return {path.stem: path for path in convert_all(sources, "xlsx", folder)}


@pytest.mark.libreoffice
@pytest.mark.parametrize("name", CASES)
def test_every_number_is_recalculated_alike(
    name: str, books: dict[str, Book], recalculated: dict[str, Path]
) -> None:
    book, converted = books[name], recalculated[name]
    assert formula_count(book) > 500
    assert error_cells(converted) == []
    assert differences(book, converted) == []


@pytest.mark.parametrize("name", CASES)
def test_the_fast_calculator_finds_the_same(
    name: str, books: dict[str, Book], tmp_path: Path
) -> None:
    source = tmp_path / "book.xlsx"
    source.write_bytes(render(poisoned(books[name])))
    converted = recalculated_fast(source, tmp_path)
    assert error_cells(converted) == []
    assert differences(books[name], converted) == []


def test_poison_is_noticed(books: dict[str, Book], tmp_path: Path) -> None:
    book = books["us-208-2n"]
    source = tmp_path / "book.xlsx"
    source.write_bytes(render(poisoned(book)))
    assert len(differences(book, source)) == formula_count(book)


@pytest.mark.parametrize("name", CASES)
def test_figures_are_the_engines_results(name: str, designs: dict[str, Design]) -> None:
    found, entries = designs[name], Entries()
    figures = power_sheets(found, PLAIN, entries, it_inputs(found, entries)).figures
    for key, cited in figures.items():
        assert math.isclose(cited.si, float(found.results[key].si), rel_tol=1e-9), key
    assert {"load.it", "load.facility", "pue.design", "ups.loading_failure"} <= set(figures)


@pytest.mark.parametrize("name", CASES)
def test_losses_by_part_are_the_engines(name: str, designs: dict[str, Design]) -> None:
    found, entries = designs[name], Entries()
    sheet = power_sheets(found, PLAIN, entries, it_inputs(found, entries)).pue
    shown = {
        str(sheet.cells[row, 1].value): sheet.cells[row, 2].value
        for row in range(5, 30)
        if (row, 2) in sheet.cells and (row, 4) in sheet.cells
    }
    for label, key in (
        ("UPS", "losses.ups"),
        ("Feeders", "losses.feeder"),
        ("LV boards", "losses.lv_board"),
        ("MV/LV transformers", "losses.transformer"),
        ("Chillers", "cooling.chillers"),
        ("CRAH fans", "cooling.crah_fans"),
    ):
        value = found.results[key]
        assert shown[label] == pytest.approx(view_value(float(value.si), value.kind), rel=1e-9), (
            label
        )


@pytest.mark.parametrize("name", CASES)
def test_panel_results_are_the_engines(name: str, designs: dict[str, Design]) -> None:
    found = designs[name]
    names = {panel.tag: f"P{i}" for i, panel in enumerate(found.panels.panels)}
    book = build_book(found, names)
    by_name = {sheet.name: sheet for sheet in book.sheets}
    balance = by_name["Balance"]
    for index, panel in enumerate(found.panels.panels):
        row = 6 + index
        assert balance.cells[row, 1].value == panel.tag
        assert balance.cells[row, 4].value == pytest.approx(found.panels.imbalance[index])
        normal = [balance.cells[row, column].value for column in (6, 7, 8, 9)]
        assert normal == pytest.approx(list(found.panels.line_a[index, 0]), rel=1e-9, abs=1e-9)
        largest = balance.cells[row, 14].value
        assert largest == pytest.approx(found.panels.line_a[index, :, :3].max(), rel=1e-9)


def test_verdicts_follow_the_checks(designs: dict[str, Design], books: dict[str, Book]) -> None:
    """A panel whose PANEL-LOAD check passes is OK on its schedule, and the other way round."""
    for name, found in designs.items():
        failed = {
            c.subject.split(",")[0].split(" to ")[0]
            for c in found.checks
            if c.rule == "PANEL-LOAD" and c.failed
        }
        index = next(s for s in books[name].sheets if s.name == "Panels")
        for row, panel in enumerate(found.panels.panels, start=5):
            held = index.cells[row, 13].value == "OK" and index.cells[row, 14].value == "OK"
            assert held or failed
            if panel.tag in failed:
                assert not held
