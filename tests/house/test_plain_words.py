"""Displayed text and code speak the language of the trade."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tools.plain_words import COMMENT, DISPLAYED, NAME, READ, Hit, files, hits

# Good English where it is used, though the list has it: path and word, and the reason.
EXCEPTIONS: dict[tuple[str, str], str] = {
    ("docs/power.md", "fullest"): "the stable id of the rule UPS-FULLEST-PHASE",
    ("facility/power/chain/choices.py", "fullest"): "the stable id of the rule UPS-FULLEST-PHASE",
    ("facility/report/objects/facts.py", "fullest"): "the stable id of the rule UPS-FULLEST-PHASE",
    ("facility/report/book/power/generators.py", "wanted"): "key of a trace argument",
    ("CONTRIBUTING.md", "anew"): "the name of an option of pytest",
}
MAX_EXCEPTIONS = 30
MOST_PER_1000_LINES = 1.0


@pytest.fixture(scope="module")
def found() -> list[Hit]:
    return [hit for name, path in files() for hit in hits(path, name)]


def test_displayed_text_has_no_private_words(found: list[Hit]) -> None:
    displayed = [hit for hit in found if hit.kind == DISPLAYED]
    wrong = [hit for hit in displayed if (hit.path, hit.word.lower()) not in EXCEPTIONS]
    assert not wrong, "\n".join(f"{h.path}:{h.line}: {h.word!r} -> {h.instead}" for h in wrong)


def test_exceptions_are_few_and_each_is_used(found: list[Hit]) -> None:
    assert len(EXCEPTIONS) <= MAX_EXCEPTIONS
    assert set(EXCEPTIONS) <= {(hit.path, hit.word.lower()) for hit in found}


def test_code_and_comments_have_few_private_words(found: list[Hit]) -> None:
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for _, path in files(READ))
    counts = Counter(hit.kind for hit in found)
    assert 1000 * (counts[COMMENT] + counts[NAME]) / lines < MOST_PER_1000_LINES


def test_each_kind_of_text_is_read(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text('"""What stands."""\n\nx_told = f"nobody {1}"  # mend it\n', encoding="utf-8")
    table = tmp_path / "rules.csv"
    table.write_text("id,title\nmend,the fullest bus\n", encoding="utf-8")
    assert [(h.kind, h.word.strip("_")) for h in (*hits(module), *hits(table))] == [
        (COMMENT, "What stands"),
        (DISPLAYED, "nobody"),
        (COMMENT, "mend"),
        (NAME, "told"),
        (DISPLAYED, "fullest"),
    ]
