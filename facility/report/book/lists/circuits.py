"""Flat lists by circuit: for the import into a DCIM, receptacles, labels, indexes of racks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from facility.report.book.lists.rows import ListedCircuit
from facility.report.sheet.cells import Span
from facility.report.sheet.grid import Column, Grid, GridValue, Values
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import Furniture, fit_heights

_HEAD_ROW = 1
_CIRCUITS: tuple[Column[Values], ...] = (
    Column("key", "Key", 18),
    Column("id", "Circuit", 16),
    Column("panel", "Panel", 12),
    Column("hall", "Hall", 14),
    Column("feed", "Feed", 6),
    Column("fed_from", "Panel fed from", 14),
    Column("positions", "Poles at", 12),
    Column("phases", "Phases", 8),
    Column("poles", "Poles", 6, "count"),
    Column("connection", "Conn.", 6),
    Column("voltage", "Volts L-L", 8, "line_voltage", number_format="n0"),
    Column("breaker", "Trip A", 8, "current", number_format="n0"),
    Column("code", "Class", 8),
    Column("description", "Description", 34),
    Column("rack", "Rack", 16),
    Column("input", "Rack input", 8, "count"),
    Column("banks", "Bank on each pole", 9),
    Column("receptacle", "Receptacle", 26),
    Column("partner", "Partner circuits", 22),
    Column("cable", "Cable", 34),
    Column("length", "Length m", 8, "length"),
    Column("normal_va", "Normal VA", 10, number_format="n0"),
    Column("failover_va", "Failover VA", 10, number_format="n0"),
    Column("normal_a", "Normal A", 9, "current"),
    Column("failover_a", "Failover A", 9, "current"),
    Column("state", "Failover state", 12),
    Column("worst_a", "Worst A", 9, "current"),
)
_RECEPTACLES: tuple[Column[Values], ...] = (
    Column("hall", "Hall", 20),
    Column("feed", "Feed", 8),
    Column("receptacle", "Receptacle", 32),
    Column("breaker", "Trip A", 9, "current", number_format="n0"),
    Column("poles", "Poles", 8, "count"),
    Column("voltage", "Volts L-L", 10, "line_voltage", number_format="n0"),
    Column("count", "Number", 10, "count"),
)
_LABELS: tuple[Column[Values], ...] = (
    Column("kind", "Label", 10),
    Column("id", "Circuit", 16),
    Column("place", "Fix at", 24),
    Column("line1", "Line 1", 26),
    Column("line2", "Line 2", 34),
    Column("line3", "Line 3", 34),
    Column("line4", "Line 4", 30),
)
_TO_RACK: tuple[Column[Values], ...] = (
    Column("id", "Circuit", 18),
    Column("panel", "Panel", 14),
    Column("positions", "Poles at", 14),
    Column("hall", "Hall", 18),
    Column("rack", "Rack", 24),
    Column("input", "Rack input", 8, "count"),
    Column("partner", "Partner circuits", 34),
)


def circuits_sheet(name: str, rows: Sequence[ListedCircuit], furniture: Furniture) -> Sheet:
    """Return one row per circuit, plain values, one heading: ready for import.

    The key names rack, feed and input, so it stays when the circuit moves to other poles.
    """
    sheet, grid = _listing(name, _CIRCUITS, furniture, large=True)
    for one in rows:
        grid.write(_circuit(one))
    _finish(sheet, grid)
    return sheet


def _circuit(one: ListedCircuit) -> dict[str, GridValue]:
    panel, circuit = one.panel, one.circuit
    return {
        "key": one.key,
        "fed_from": panel.fed_from,
        "banks": one.banks,
        "id": circuit.id,
        "panel": panel.tag,
        "hall": panel.hall,
        "feed": panel.side,
        "positions": one.positions,
        "phases": panel.phases(circuit),
        "poles": circuit.poles,
        "connection": circuit.connection,
        "voltage": panel.v_ll,
        "breaker": circuit.breaker_a,
        "code": circuit.class_code,
        "description": circuit.description,
        "rack": circuit.rack,
        "input": circuit.ordinal + 1 if circuit.rack else None,
        "receptacle": one.receptacle,
        "partner": circuit.partner,
        "cable": one.cable,
        "length": one.length_m,
        "normal_va": one.normal_va,
        "failover_va": one.failover_va,
        "normal_a": one.normal_a,
        "failover_a": one.failover_a,
        "state": one.failover_state,
        "worst_a": one.worst_a,
    }


def receptacles_sheet(
    name: str, rows: Sequence[ListedCircuit], circuits: Sheet, furniture: Furniture
) -> Sheet:
    """Return how many receptacles of each sort, counted live on the sheet of circuits."""
    sheet, grid = _listing(name, _RECEPTACLES, furniture, large=False)
    at = {column.key: n for n, column in enumerate(_CIRCUITS, start=1)}
    last = _HEAD_ROW + max(1, len(rows))
    counted = Counter(_sort(one) for one in rows)
    for key in sorted(counted, key=str):
        hall, feed, receptacle, breaker_a, poles, volts = key
        row = grid.write(
            {
                "hall": hall,
                "feed": feed,
                "receptacle": receptacle,
                "breaker": breaker_a,
                "poles": poles,
                "voltage": volts,
            }
        )
        terms = []
        for column, field in enumerate(_RECEPTACLES[:-1], start=1):
            span = Span(_HEAD_ROW + 1, at[field.key], last, at[field.key])
            here = f"${chr(64 + column)}{row}"
            there = f"{circuits.quoted}!{span.fixed}"
            terms.append(f"({there}={here})" if field.kind else f"EXACT({there},{here})")
        sheet.formula(
            row, len(_RECEPTACLES), f"SUMPRODUCT({'*'.join(terms)})", counted[key], "total.n0"
        )
    _finish(sheet, grid)
    sheet.put(grid.row, 1, "All", "total")
    sheet.row(grid.row, 2, [None] * 5, "total")
    span = grid.span("count")
    sheet.formula(grid.row, len(_RECEPTACLES), f"SUM({span})", sum(counted.values()), "total.n0")
    return sheet


def _sort(one: ListedCircuit) -> tuple[str, str, str, float | None, int, float]:
    circuit = one.circuit
    return (
        one.panel.hall,
        one.panel.side,
        one.receptacle,
        circuit.breaker_a,
        circuit.poles,
        one.panel.v_ll,
    )


def labels_sheet(name: str, rows: Sequence[ListedCircuit], furniture: Furniture) -> Sheet:
    """Return two labels per circuit: at its breaker, and on the cord with the source circuit."""
    sheet, grid = _listing(name, _LABELS, furniture, large=False)
    for one in rows:
        panel, circuit = one.panel, one.circuit
        rating = f"{one.breaker} · {panel.system} V"
        grid.write(
            {
                "kind": "circuit",
                "id": circuit.id,
                "place": panel.tag,
                "line1": one.source,
                "line2": f"TO {_purpose(one)}",
                "line3": rating,
                "line4": one.receptacle,
            }
        )
        if circuit.rack:
            grid.write(
                {
                    "kind": "cord",
                    "id": circuit.id,
                    "place": f"{circuit.rack}, input {circuit.ordinal + 1} of feed {panel.side}",
                    "line1": f"FED FROM {one.source}",
                    "line2": _purpose(one),
                    "line3": rating,
                    "line4": f"PARTNER {circuit.partner or 'none'}",
                }
            )
    _finish(sheet, grid)
    return sheet


def _purpose(one: ListedCircuit) -> str:
    """Return what a circuit feeds, so that no two labels of a rack say the same."""
    circuit = one.circuit
    if not circuit.rack:
        return circuit.description
    return f"{circuit.rack} input {one.panel.side}{circuit.ordinal + 1}"


def circuit_racks_sheet(name: str, rows: Sequence[ListedCircuit], furniture: Furniture) -> Sheet:
    """Return the rack of every circuit, by circuit."""
    sheet, grid = _listing(name, _TO_RACK, furniture, large=False)
    for one in rows:
        shown = _circuit(one)
        shown["rack"] = one.circuit.rack or one.circuit.class_code
        grid.write(shown)
    _finish(sheet, grid)
    return sheet


def rack_circuits_sheet(name: str, rows: Sequence[ListedCircuit], furniture: Furniture) -> Sheet:
    """Return the circuits of every rack, a column for each feed, by rack."""
    feeds = list(dict.fromkeys(one.panel.side for one in rows))
    keys = {feed: f"feed{n}" for n, feed in enumerate(feeds)}
    columns: tuple[Column[Values], ...] = (
        Column("rack", "Rack", 24),
        Column("hall", "Hall", 18),
        Column("count", "Circuits", 9, "count"),
        *(Column(keys[feed], f"Feed {feed}", 34, style="cell") for feed in feeds),
    )
    sheet, grid = _listing(name, columns, furniture, large=True)
    found: dict[tuple[str, str], dict[str, list[str]]] = {}
    for one in rows:
        if one.circuit.rack:
            by_feed = found.setdefault((one.circuit.rack, one.panel.hall), {})
            by_feed.setdefault(one.panel.side, []).append(one.circuit.id)
    for (rack, hall), by_feed in sorted(found.items()):
        listed: dict[str, GridValue] = {
            keys[feed]: ", ".join(by_feed.get(feed, [])) or "none" for feed in feeds
        }
        number = sum(len(ids) for ids in by_feed.values())
        grid.write(listed | {"rack": rack, "hall": hall, "count": number})
    _finish(sheet, grid)
    fit_heights(sheet, _HEAD_ROW + 1)
    return sheet


def _listing(
    name: str, columns: Sequence[Column[Values]], furniture: Furniture, *, large: bool
) -> tuple[Sheet, Grid[Values]]:
    """Return a list whose heading is its first row, as label printers and imports want it."""
    page = furniture.page(large=large, repeat_rows=(_HEAD_ROW, _HEAD_ROW))
    sheet = Sheet(name, page=page, freeze=(_HEAD_ROW + 1, 2))
    grid = Grid(sheet, _HEAD_ROW, columns, 28, number_role="number")
    grid.set_widths()
    return sheet, grid


def _finish(sheet: Sheet, grid: Grid[Values]) -> None:
    sheet.filter_span = Span(_HEAD_ROW, 1, max(grid.row - 1, _HEAD_ROW + 1), len(grid.columns))
