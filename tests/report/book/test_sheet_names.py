import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facility.files.io.safe_text import utf16_units
from facility.files.workbook.book import safe_defined_name, safe_sheet_name, sheet_names
from tests.report.book.hostile import HOSTILE

NAMES = st.lists(
    st.one_of(st.text(st.characters(codec=None), max_size=40), st.sampled_from(HOSTILE)),
    max_size=30,
)


def assert_valid(name: str) -> None:
    assert 1 <= utf16_units(name) <= 31
    assert not re.search(r"[\[\]:*?/\\\x00-\x1f]", name)
    assert not name.startswith("'")
    assert not name.endswith("'")
    assert name.casefold() != "history"


@given(NAMES)
def test_names_are_valid_and_all_different(wanted: list[str]) -> None:
    names = sheet_names(wanted)
    assert set(names) == set(wanted)
    for name in names.values():
        assert_valid(name)
    assert len({n.casefold() for n in names.values()}) == len(names)
    assert len({n.lower() for n in names.values()}) == len(names)


def test_every_hostile_name_becomes_valid() -> None:
    for name in sheet_names(HOSTILE).values():
        assert_valid(name)


@pytest.mark.parametrize(
    ("wanted", "taken", "expected"),
    [
        ("RPP-1A", [], "RPP-1A"),
        ("RPP-1A", ["rpp-1a"], "RPP-1A~2"),
        ("RPP-1A", ["RPP-1A", "RPP-1A~2"], "RPP-1A~3"),
        ("RPP/1A", [], "RPP-1A"),
        ("History", [], "History~2"),
        ("'quoted'", [], "quoted"),
        ("", [], "Sheet"),
        ("😀" * 16, [], "😀" * 15),
        ("x" * 40, ["x" * 31], "x" * 29 + "~2"),
        ("SORT(1)", [], "SORT (1)"),
    ],
)
def test_sheet_name(wanted: str, taken: list[str], expected: str) -> None:
    assert safe_sheet_name(wanted, taken) == expected


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("RPP-1A_Phase_VA", "RPP_1A_Phase_VA"),
        ("1A", "_1A"),
        ("RPP1", "_RPP1"),
        ("R1C1", "_R1C1"),
        ("", "_"),
        ("数据", "__"),
    ],
)
def test_defined_name(wanted: str, expected: str) -> None:
    assert safe_defined_name(wanted) == expected


def test_defined_names_differ_without_case() -> None:
    assert safe_defined_name("rpp_1a", ["RPP_1A"]) == "rpp_1a_2"
