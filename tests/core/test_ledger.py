"""The assumption ledger and the sources."""

from __future__ import annotations

from facility.core.ledger import Ledger
from facility.core.sources import DERIVED, PROJECT, Source

BASIS = Source("book", "p. 3", verified="memory")


def test_entries_keep_order_basis_and_status() -> None:
    ledger = Ledger(frozenset({"cooling.method"}))
    assert ledger.add("site.growth", 0.2, "fraction", "usual", BASIS) == 0.2
    assert ledger.add_text("cooling.method", "air", "shortest project", BASIS) == "air"
    growth, method = list(ledger)
    assert (growth.value, growth.kind, growth.text, growth.status) == (0.2, "fraction", "", "open")
    assert (method.value, method.text, method.status) == (None, "air", "confirmed")
    assert len(ledger) == 2
    assert "site.growth" in ledger
    assert "other" not in ledger


def test_a_second_entry_replaces_the_first() -> None:
    ledger = Ledger()
    ledger.add("x", 1.0, "ratio", "first", BASIS)
    ledger.add("x", 2.0, "ratio", "second", BASIS)
    assert [(entry.value, entry.basis) for entry in ledger] == [(2.0, "second")]


def test_source_text_marks_what_is_recalled() -> None:
    assert str(Source("NFPA70", "210.20(A)", "2023")) == "NFPA70, 2023, 210.20(A)"
    assert str(BASIS) == "book, p. 3 [unverified]"
    assert str(PROJECT) == "project, as typed"
    assert DERIVED.id == "derivation"
