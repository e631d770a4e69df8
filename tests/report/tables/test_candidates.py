"""The candidates of a choice: their figures, and why each ranks after the chosen one."""

from __future__ import annotations

from facility.core.choice import Alternative, Selection
from facility.report.tables.choices import candidate_table


def test_each_candidate_says_by_which_figure_it_loses() -> None:
    """Losses 50 kW; 1 % of it is 0.5 kW, and 10 % of 1,000 kW installed 100 kW."""
    candidates = (
        Alternative("chosen", None, 50e3, 1000e3, 4),
        Alternative("more loss", None, 52e3, 1000e3, 4),
        Alternative("more machines", None, 50.4e3, 1000e3, 6),
        Alternative("larger", None, 50.4e3, 1050e3, 4),
        Alternative("far larger", None, 40e3, 1200e3, 4),
        Alternative("excluded", None, 40e3, 900e3, 4, excluded="UPS-KVA"),
    )
    table = candidate_table(Selection("power chain", "design hour", candidates), "si")
    assert list(table.heads) == [
        "Selected",
        "Candidate",
        "Loss",
        "Installed",
        "Machines",
        "Why not",
    ]
    assert [row[-1] for row in table.rows] == [
        "",
        "2.0 kW more loss",
        "2 more machines",
        "50.0 kW more installed",
        "20.0 % above the lowest installed power (limit 10 %)",
        "Fails UPS-KVA",
    ]
