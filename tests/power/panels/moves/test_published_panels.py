"""Panels another solver was run on: moves, neutral current at equal peak, proven bound.

The panels and figures stand in ``cases``; ``expected.csv`` says how each figure was found. A figure
is known to its last digit, and ours may be lower.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from facility.files.import_panel.read import load_panel
from facility.power.panels.balance.one_panel import balance
from facility.power.panels.moves.pareto import pareto_moves

CASES = Path(__file__).parents[1] / "cases"
with (CASES / "expected.csv").open(encoding="utf-8") as _file:
    EXPECTED = list(csv.DictReader(_file))
MOVES = [row for row in EXPECTED if row["quantity"] == "imbalance"]
NEUTRAL = [row for row in EXPECTED if row["quantity"] == "neutral"]


@pytest.mark.parametrize("row", MOVES, ids=lambda row: row["panel"])
def test_as_many_moves_make_as_even(row: dict[str, str]) -> None:
    plans = pareto_moves(load_panel(CASES / f"{row['panel']}.csv"))
    reached = min(plan.imbalance for plan in plans if len(plan.moves) <= int(row["moves"]))
    assert 100.0 * reached <= float(row["value"]) + float(row["last_digit"]) / 2.0


@pytest.mark.parametrize("row", NEUTRAL, ids=lambda row: row["panel"])
def test_of_equal_peaks_the_least_neutral_current_is_taken(row: dict[str, str]) -> None:
    """The peak is within the gap asked for (0.01 %) of the proven bound."""
    posed = load_panel(CASES / f"{row['panel']}.csv")
    found = balance(posed, exact=True)
    assert found.reached <= balance(posed).reached * (1.0 + 1e-12)
    assert found.status in ("optimal", "gap")
    assert found.after.neutral_a <= float(row["value"]) + float(row["last_digit"]) / 2.0
