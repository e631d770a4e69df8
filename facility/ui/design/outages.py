"""The shown state of the power network in numbers, and the worst outages by equipment type."""

from __future__ import annotations

from collections.abc import Iterator

from facility.power.network.outages.by_kind import KIND_NAMES, highest_by_kind
from facility.report.drawings.charts.bars import loading_bars
from facility.report.objects.objects import DesignObject
from facility.report.sheet.grid import Amount, TextTable
from facility.report.tables.states import STATE_KEYS, MatrixRow, state_facts
from facility.report.why.pages import loading_id, of_moment, of_state
from facility.ui.blocks.blocks import Beside, Block, ChartBlock, DisplayTable, TextBlock
from facility.ui.canvas.views import ShownState
from facility.ui.grid.tables import values_grid
from facility.ui.session import outages, state
from facility.ui.why import navigation

_COLUMN_KEYS = {
    "IT dropped": "state.load_dropped",
    "IT capped": "state.load_capped",
    "Racks": "state.racks",
    "Worst overload": "state.overload",
}
"""Result keys of the columns of the failure matrix that are not loadings."""
_MATRIX_ROWS = 40


def outage_blocks(one: DesignObject, shown: ShownState) -> Iterator[Block]:
    """Yield the effect of the shown state, the highest loadings in it, and the worst outages."""
    live, system = shown.live, state.unit_system()
    network = state.current().states.network
    rows, page = list(state_facts(live.state, system)), of_state(live, network)
    keys = [STATE_KEYS[label] if STATE_KEYS[label] in page else "" for label, _ in rows]
    note = "Final state. Time on battery: until the generators carry the load."
    facts = TextTable("", ("Quantity", "Value"), rows, [note], keys=keys)
    chart = ChartBlock(
        "Highest loading by equipment type",
        loading_bars(highest_by_kind(network, live.loading), loading_id),
        "state-loading",
        "Bar chart: highest loading of each equipment type",
        page=of_moment(live, network),
    )
    yield Beside([DisplayTable(facts, "state-facts", page), chart])
    yield from _matrix()
    study = outages.study()
    yield TextBlock(
        f"Highest loading of each equipment type in the worst of {len(study.states):,} states "
        f"({study.outages:,} outages), sorted by load dropped, load capped, overload, then highest "
        "loading. Verdicts and single points of failure: Studies, Failures."
    )


def _matrix() -> Iterator[Block]:
    """Yield the worst outages with the highest loading of each equipment type."""
    rows = outages.worst(_MATRIX_ROWS)
    shown = [name for name in KIND_NAMES.values() if any(row.loading.get(name) for row in rows)]
    columns: dict[str, list[object]] = {
        "State": [row.state for row in rows],
        "IT dropped": [Amount(row.dropped_w, "active_power") for row in rows],
        "IT capped": [Amount(row.capped_w, "active_power") for row in rows],
        "Racks": [row.racks for row in rows],
        "Worst overload": [row.overload for row in rows],
    }
    for name in shown:
        parts = (row.loading.get(name) for row in rows)
        columns[name] = [None if one is None else Amount(one, "fraction") for one in parts]
    yield TextBlock("Failure matrix, worst first:")
    grid = values_grid("Failure matrix", columns, state.unit_system(), why=True)
    yield DisplayTable(grid, "failure-matrix", explain=lambda row, head: _of_cell(rows[row], head))


def _of_cell(row: MatrixRow, head: str) -> navigation.WhyRequest | None:
    """Return the result that a cell of the failure matrix shows, in its state."""
    id = _COLUMN_KEYS.get(head) or (loading_id(head) if row.loading.get(head) else "")
    if not id or (head == "Worst overload" and row.overload == "none"):
        return None
    solver, _ = outages.states()
    return id, of_state(outages.moment(row.case.outage.id, (), "settled"), solver.network)
