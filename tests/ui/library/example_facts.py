"""What the cards of the examples say: written anew by ``python -m tests.golden``."""

from __future__ import annotations

import csv
from collections.abc import Mapping

import pytest

from facility.files.project.file import example_names
from facility.study.design.design import Design
from facility.ui.library.facts import EXAMPLES, facts_of, of_examples
from tests.study.helpers import reference

DIGITS = 9


def refuse_other(name: str, found: Design) -> None:
    """Fail where the card of an example says otherwise than its design."""
    said, now = of_examples()[name], facts_of(found.all_results, found.checks)
    assert said.keys() == now.keys()
    for key, value in now.items():
        assert said[key] == (value if isinstance(value, str) else pytest.approx(value, rel=2e-6))


def write() -> None:
    """Write what the cards say."""
    rows = []
    for name in example_names():
        found = reference(name)
        rows.append({"example": name, **_rounded(facts_of(found.all_results, found.checks))})
    heads = list(dict.fromkeys(head for row in rows for head in row))
    with EXAMPLES.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, heads, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _rounded(facts: Mapping[str, str | float]) -> dict[str, str]:
    return {
        key: value if isinstance(value, str) else f"{value:.{DIGITS}g}"
        for key, value in facts.items()
    }
