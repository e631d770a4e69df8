"""Pages of a set: texts inside their cells and the border, legible, and none over another."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

from facility.files.project.file import example_text, parse_project
from facility.report.drawings.scene import Polyline, Scene, Text
from facility.report.issue.content import (
    Break,
    DrawingBlock,
    Facts,
    LabelledValue,
    Paragraph,
    SheetContent,
    TableBlock,
)
from facility.report.issue.layout import MIN_MM
from facility.report.issue.sheet import IssuedSheet
from facility.report.issue.sheets import laid_out, sheet_set
from facility.report.sheet.grid import TextTable
from facility.study.design.design import design
from tests.files.issue.issued import issued

WORDS = "Interrupting rating of the device against the available fault current " * 6
HOSTILE = ("x" * 400, "0", "", "多字节" * 40, "a b " * 500)


def faults(sheet: IssuedSheet) -> Iterator[str]:
    """Yield texts that are small, outside the border, or over another text."""
    texts = [shape for shape in sheet.scene.shapes if isinstance(shape, Text) and shape.text]
    for text in texts:
        left, top, right, bottom = text.box_mm
        if text.size_mm < MIN_MM - 1e-9:
            yield f"{sheet.number}: {text.text!r} is {text.size_mm} mm"
        wide, high = sheet.paper.width_mm - 10.0, sheet.paper.height_mm - 10.0
        if left < 10.0 or top < 10.0 or right > wide or bottom > high:
            yield f"{sheet.number}: {text.text!r} leaves the border"
    # Rows of the body cannot reach into the title block: it is below their lowest point.
    boxes = sorted((*text.box_mm, text.text) for text in texts)
    for n, one in enumerate(boxes):
        for other in boxes[n + 1 :]:
            if other[0] > one[2] - 0.1:
                break
            if min(one[3], other[3]) - max(one[1], other[1]) > 0.4:
                yield f"{sheet.number}: {one[4]!r} and {other[4]!r} overlap"


def listing(count: int) -> TableBlock:
    rows = [(f"E-{n}", WORDS[: 7 * (n % 40)], f"{n * 37:,} kVA") for n in range(count)]
    table = TextTable("Rows", ("Tag", "Words", "Rating"), rows, ("A note.",))
    return TableBlock(table, groups=(("What", 2), ("Size", 1)))


def test_pages_of_a_set_are_clean() -> None:
    assert [fault for sheet in issued().sheets for fault in faults(sheet)] == []


@pytest.mark.parametrize("example", ["h100-10k", "nvl72-hall"])
def test_pages_of_examples_are_clean(example: str) -> None:
    found = sheet_set(design(parse_project(example_text(example))), appendix=True)
    assert [fault for sheet in found.sheets for fault in faults(sheet)] == []


@pytest.mark.parametrize("code", ["NEC", "IEC"])
@pytest.mark.parametrize("columns", [1, 2, 3])
def test_hostile_blocks_are_clean(code: str, columns: int) -> None:
    blocks = (
        Paragraph(WORDS, "heading"),
        *(Paragraph(text) for text in HOSTILE),
        Facts(tuple(LabelledValue(text[:90], text, "k") for text in HOSTILE)),
        listing(70),
        TableBlock(TextTable("", ["Column"] * 14, [HOSTILE[:3] * 4 + ("end", "of")] * 3)),
        Break(1),
        TableBlock(TextTable("None here", ("A", "B"), [])),
    )
    content = SheetContent("E", 200, "Blocks", blocks, columns=columns)
    assert [fault for sheet in laid_out(content, code) for fault in faults(sheet)] == []


def test_a_table_continues_under_its_heading() -> None:
    sheets = list(laid_out(SheetContent("E", 200, "Rows", (listing(120),)), "NEC"))
    assert len(sheets) > 2
    for n, sheet in enumerate(sheets):
        texts = [shape.text for shape in sheet.body if isinstance(shape, Text)]
        assert texts[0] == ("Rows" if n == 0 else "Rows (continued)")
        assert texts[1:6] == ["What", "Size", "Tag", "Words", "Rating"]
    tags = [
        shape.text
        for sheet in sheets
        for shape in sheet.body
        if isinstance(shape, Text) and shape.text.startswith("E-")
    ]
    assert tags == [f"E-{n}" for n in range(120)]


def test_numbers_end_at_one_line() -> None:
    (sheet, *_) = laid_out(SheetContent("E", 200, "Rows", (listing(9),)), "IEC")
    ratings = [s for s in sheet.body if isinstance(s, Text) and s.text.endswith("kVA")]
    assert {one.anchor for one in ratings} == {"end"}
    assert all(one.at_mm[0] == other.at_mm[0] for one, other in pairwise(ratings))


@pytest.mark.parametrize(
    ("wide", "paper"), [(250.0, "ANSI A (Letter)"), (350.0, "ANSI B (Tabloid)")]
)
def test_a_drawing_gets_the_sheet_on_which_it_is_legible(wide: float, paper: str) -> None:
    scene = Scene(
        wide,
        100.0,
        (
            Polyline(((0.0, 0.0), (wide, 100.0)), "power"),
            Text("UPS-1", (5.0, 50.0), size_mm=2.6, key="UPS-1"),
        ),
    )
    content = SheetContent("E", 100, "One-line", (DrawingBlock(scene, "Caption"),))
    (sheet,) = laid_out(content, "NEC")
    assert sheet.paper.name == paper
    assert sheet.is_drawing
    assert list(faults(sheet)) == []
