"""Text on the one-line diagram: its width against a browser's, breaking, shortening."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Page, sync_playwright

from facility.files.svg.shapes import LIGHT, TEXT_STYLE, text_line
from facility.report.drawings.one_line.words import onward_lines
from facility.report.drawings.text import TEXT_MM, fitted, is_measured, text_width, wrapped
from tests.tools.browser import program

LINES = (
    "UPS-A1",
    "2,000 kVA",
    "Dyn11, Z 5.75 %",
    "415 V, 4,000 A",
    "Isc 41.23 kA",
    "without UPS",
    "".join(map(chr, range(0x21, 0x7F))),
    "WWWWWWWWWW",
    "iiiiiiiiii",
    "RPP-A01 … RPP-A37",
    "Öffentliches Netz, Grœningen",
    "漢字かな交じり文",
    "\ufdfd\ufdfd",
    "👩‍👩‍👧‍👦 𒐫",
    "مرحبا بالعالم",
    "a\u0301\u0301",
)
TIMES = 100.0
"""Texts are measured this much larger, for a browser rounds the boxes of letters to its units."""
SLACK_MM = 0.05
"""Rounding of the browser's own measure."""


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=program(), args=["--no-sandbox"])
        yield opened.new_page()
        opened.close()


@pytest.mark.browser
@pytest.mark.parametrize("bold", [False, True])
def test_no_text_is_wider_than_we_say_it_is_in_a_browser(page: Page, bold: bool) -> None:
    size_mm = TIMES * TEXT_MM
    texts = (text_line(line, 0.0, 5.0, LIGHT, bold=bold, size_mm=size_mm) for line in LINES)
    page.set_content(f'<svg xmlns="http://www.w3.org/2000/svg" {TEXT_STYLE}>{"".join(texts)}</svg>')
    read = "all => all.map(e => [e.getComputedTextLength(), e.getBBox().width])"
    measured = page.eval_on_selector_all("text", read)
    for line, (advance, box) in zip(LINES, measured, strict=True):
        ours_mm = text_width(line, bold=bold)
        assert advance / TIMES <= ours_mm + SLACK_MM, line
        assert box / TIMES <= ours_mm + SLACK_MM, line
        if line.isascii():
            assert advance / TIMES >= 0.97 * ours_mm, line


def test_widths_are_those_of_the_font() -> None:
    # Liberation Sans 2.1, hmtx table: A 1366, W 1933, blank 569 of 2048 units; bold A 1479.
    assert text_width("AW ") == pytest.approx((1366 + 1933 + 569) / 2048 * TEXT_MM)
    assert text_width("A", bold=True, size_mm=2048.0) == pytest.approx(1479.0)
    assert not is_measured("漢")
    assert is_measured("Ö … kVA")


@given(st.text(max_size=60), st.floats(8.0, 60.0), st.integers(1, 3), st.booleans())
def test_wrapped_text_stays_within_its_width(
    text: str, width_mm: float, lines: int, bold: bool
) -> None:
    found = wrapped(text, width_mm, lines, bold=bold)
    assert len(found) <= lines
    assert all(text_width(line, bold=bold) <= width_mm for line in found)
    if "…" not in "".join(found):
        assert "".join("".join(found).split()) == "".join(text.split())


def test_a_shortened_text_keeps_both_ends() -> None:
    assert fitted("RPP-A01", 40.0) == "RPP-A01"
    short = fitted("Switchgear of the very long name 17", 30.0)
    assert short.startswith("Switch")
    assert short.endswith("17")
    assert "…" in short


def test_references_name_every_sheet_or_say_that_they_do_not() -> None:
    assert onward_lines([3], ["RPP-A01"]) == ("to sheet 3", "RPP-A01")
    assert onward_lines([2, 3, 4, 7, 3], ["A", "B"]) == ("to sheets 2-4, 7", "A … B")
    assert onward_lines(range(1, 99, 2), ["A", "B"])[0] == "to sheets in 1-97"
