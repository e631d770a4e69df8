from hypothesis import given
from hypothesis import strategies as st

from facility.files.io.safe_text import (
    MAX_CELL_UNITS,
    cut_units,
    header_text,
    looks_like_formula,
    safe_text,
    utf16_units,
)

ANY_TEXT = st.text(st.characters(codec=None), max_size=60)


@given(ANY_TEXT)
def test_safe_text_is_encodable_bounded_and_stable(text: str) -> None:
    safe = safe_text(text)
    safe.encode("utf-8")
    assert utf16_units(safe) <= MAX_CELL_UNITS
    assert safe_text(safe) == safe
    assert not any(ord(c) < 32 and c not in "\t\n" for c in safe)


def test_plain_text_is_kept_as_it_is() -> None:
    for text in ("RPP-1A", "Ünïcödé 数据中心 😀", "a\tb\nc", "415Y/240 V"):
        assert safe_text(text) == text


def test_long_text_is_cut_and_says_so() -> None:
    for text in ("x" * 40_000, "😀" * 17_000):
        safe = safe_text(text)
        assert safe.endswith("[cut: too long for a cell]")
        assert MAX_CELL_UNITS - 2 <= utf16_units(safe) <= MAX_CELL_UNITS


def test_nothing_vanishes_unseen() -> None:
    assert safe_text("a\x00b\ud800c\ufffed") == "a�b�c�d"
    assert safe_text("a\r\nb\rc") == "a\nb\nc"


@given(ANY_TEXT, st.integers(0, 40))
def test_cut_respects_units_and_never_splits_a_character(text: str, units: int) -> None:
    cut = cut_units(text, units)
    assert text.startswith(cut)
    assert utf16_units(cut) <= units
    longer = text[: len(cut) + 1]
    assert longer == cut or utf16_units(longer) > units


def test_formula_starts_are_recognised() -> None:
    for text in ("=1", "+1", "-1", "@A", "\t=1", "  =1", "＝1", "\u00a0=1"):
        assert looks_like_formula(text)
    for text in ("", "RPP-1A", "1-2", "a=b", "%"):
        assert not looks_like_formula(text)


def test_header_text_is_literal() -> None:
    assert header_text("R&D &P\nx") == "R&&D &&P x"
