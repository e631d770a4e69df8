"""Text tables in the encodings, delimiters and decimal styles of spreadsheets."""

import pytest

from facility.core.errors import FacilityError
from facility.files.incoming.text_table import decimal_styles, plain_number, text_table


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("delimiter", ["\t", ";", ",", "|"])
def test_one_table_in_every_spelling(encoding: str, delimiter: str) -> None:
    """A table of three rows has the same cells in each encoding and with each delimiter."""
    rows = [("Rack", "Büro", "kW"), ("A", "x y", "10.5"), ("B", "", "3")]
    text = "\r\n".join(delimiter.join(row) for row in rows)
    grid = text_table(text.encode(encoding), "list.csv")
    expected = {(r, c): cell for r, row in enumerate(rows, 1) for c, cell in enumerate(row, 1)}
    assert grid.values == {at: cell for at, cell in expected.items() if cell}


def test_addresses_are_those_of_a_spreadsheet() -> None:
    """A line break inside a cell, an empty row and a comment keep the row numbers."""
    text = '# panel: RPP-1; system: 208Y/120\nRack,Model\n"A\nB",x\n\nC,y\n'
    grid = text_table(text, "list.csv")
    assert grid.value(1, 1) == "# panel: RPP-1; system: 208Y/120"
    assert (grid.value(3, 1), grid.value(5, 2), grid.location(5, 2)) == ("A\nB", "y", "list.csv!B5")


@pytest.mark.parametrize(
    ("texts", "shown", "either"),
    [
        (["12.5", "3"], {"."}, ""),
        (["1.234,5 kW"], {","}, ""),
        (["1,250"], set(), "1,250"),
        (["1,250", "0.5"], {"."}, "1,250"),
        (["1,250,000"], {"."}, ""),
        (["12.5", "12,5"], {".", ","}, ""),
    ],
)
def test_decimal_styles(texts: list[str], shown: set[str], either: str) -> None:
    """A number that has one reading shows its style; another is named."""
    found, open_text = decimal_styles(texts)
    assert (set(found), open_text) == (shown, either)


def test_plain_numbers() -> None:
    """The same amount in five styles."""
    assert plain_number("1.234,5 kW", ",") == plain_number("1 234,5 kW", ",") == "1234.5 kW"
    assert plain_number("1,234.5 kW", ".") == plain_number("1'234.5 kW", ".") == "1234.5 kW"


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "FILE_EMPTY"),
        (b"a,b\n\0,1", "FILE_NOT_TEXT"),
        (b'a,b\n"x,1\n', "TABLE_ROW"),
        (b"a" * 101, "FILE_TOO_LARGE"),
    ],
)
def test_refused(content: bytes, code: str) -> None:
    """Content that is no table is a coded error."""
    with pytest.raises(FacilityError) as caught:
        text_table(content, "list.csv", limit=100)
    assert caught.value.code == code
