"""Every rule that the package declares is driven to both sides of its limit by some test.

Where a rule is new, add a row to `tests/checks/driven.csv` (a project that fails it, and one just
inside its limit), an entry to `tests/checks/direct.py`, or a row to `tests/work/known.csv` with
the tests that see it fail and pass (kind ``test``), or with the reason why none can.
"""

from __future__ import annotations

import ast
import csv

from tests.tools.source_tree import ROOT, report
from tools.docs import rules

FOLDER = ROOT / "tests" / "checks"


def named(file: str) -> set[str]:
    with (FOLDER / file).open(newline="", encoding="utf-8") as stream:
        return {row["rule"] for row in csv.DictReader(stream)}


def called_directly() -> set[str]:
    tree = ast.parse((FOLDER / "direct.py").read_text(encoding="utf-8"))
    return {
        n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and n.value.__class__ is str
    }


def test_every_rule_is_driven_or_says_why_not() -> None:
    declared = set(rules())
    assert len(declared) > 220
    missing = sorted(declared - named("driven.csv") - named("known.csv") - called_directly())
    assert not missing, report("rules that no test drives", missing)
