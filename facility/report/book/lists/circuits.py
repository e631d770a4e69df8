"""Flat lists by circuit: DCIM import, receptacles, labels, rack indexes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from facility.power.feeders.schedule import Feeder
from facility.power.panels.board.currents import panel_loads
from facility.power.panels.board.model import Circuit, Panel
from facility.report.book.panels.loads import ScheduledPanel
from facility.report.book.panels.loads_rows import CircuitRow, circuit_rows
from facility.report.book.panels.supply import PanelSupply, conductors_text, panel_supplies
from facility.report.sheet.grid import Column, Grid, Row, Values
from facility.report.sheet.model import Sheet, Span
from facility.report.sheet.tables import PageSetup, fit_heights
from facility.study.design.design import Design

NO_RECEPTACLE = "none chosen"


@dataclass(frozen=True)
class ListedCircuit:
    """One circuit of a panel as the lists show it."""

    panel: Panel  # Where it stands
    circuit: Circuit
    supply: PanelSupply  # What feeds the panel
    feeder: Feeder | None  # Its conductors; None for a spare
    cable: str  # Its conductors as printed
    # State with the largest line current of the panel after a failure; empty if unknown.
    failover_state: str
    normal_va: float  # Apparent power with all feeds live [VA]
    failover_va: float  # Apparent power in that state [VA]
    normal_a: float  # Largest line current with all feeds live [A]
    failover_a: float  # Largest line current in that state [A]
    worst_a: float  # Largest line current in any state, each feed and each supply lost [A]

    @property
    def key(self) -> str:
        """Rack, feed and input, independent of the poles; otherwise the circuit id."""
        circuit = self.circuit
        if not circuit.rack:
            return circuit.id
        return f"{circuit.rack}/{self.panel.side}/{circuit.ordinal + 1}"

    @property
    def banks(self) -> str | None:
        """Rack PDU outlet bank on each pole, from 1; None except for 3-pole rack circuits."""
        circuit = self.circuit
        if circuit.poles < 3 or not circuit.rack:
            return None
        return ",".join(str(bank + 1) for bank in circuit.banks)

    @property
    def positions(self) -> str:
        """Pole positions as printed, e.g. ``"1,3,5"``."""
        panel = self.panel
        return ",".join(panel.layout.label(n) for n in panel.occupied(self.circuit))

    @property
    def input(self) -> int | None:
        """Rack input number, from 1; None if it feeds no rack."""
        return self.circuit.ordinal + 1 if self.circuit.rack else None

    @property
    def source(self) -> str:
        """Panel and poles, in the form of a cord label."""
        return f"{self.panel.tag}-{self.positions}"

    @property
    def receptacle(self) -> str:
        """Receptacle or connector."""
        return self.circuit.plug or NO_RECEPTACLE

    @property
    def breaker(self) -> str:
        """Device in words, e.g. ``"60 A 3P"``."""
        rating_a, poles = self.circuit.breaker_a, self.circuit.poles
        return f"{poles}P" if rating_a is None else f"{rating_a:g} A {poles}P"

    @property
    def length_m(self) -> float | None:
        """One-way length of its cable [m]."""
        return self.circuit.length_m if self.feeder is None else self.feeder.length_m


def listed_circuits(design: Design) -> Iterator[ListedCircuit]:
    """Yield the circuits of all panels, panel by panel, by position."""
    code = design.facility.criteria.code
    supplies = panel_supplies(design)
    feeders = {f.circuit.tag: f for f in design.distribution.feeders.feeders}
    for panel, lost in zip(design.panels.panels, design.panels.lost, strict=True):
        scheduled = ScheduledPanel(panel, panel_loads(panel), lost)
        for row in circuit_rows(panel, scheduled.failover, lost):
            yield _listed(scheduled, row, supplies[panel.tag], feeders, code)


def _listed(
    scheduled: ScheduledPanel,
    row: CircuitRow,
    supply: PanelSupply,
    feeders: Mapping[str, Feeder],
    code: str,
) -> ListedCircuit:
    circuit, lost = row.circuit, scheduled.failover
    feeder = feeders.get(circuit.id)
    choice = None if feeder is None else feeder.choice
    return ListedCircuit(
        panel=scheduled.panel,
        circuit=circuit,
        supply=supply,
        feeder=feeder,
        cable="" if choice is None else conductors_text(choice, code, circuit.poles),
        failover_state=scheduled.shown_failover.state if lost else "",
        normal_va=abs(circuit.total_va(0)),
        failover_va=abs(circuit.total_va(lost)),
        normal_a=row.line_a[0],
        failover_a=row.line_a[1],
        worst_a=row.other_a or max(row.line_a),
    )


_HEAD_ROW = 1
_CIRCUITS: tuple[Column[ListedCircuit], ...] = (
    Column("key", "Key", 18),
    Column("id", "Circuit", 16, of=lambda c: c.circuit.id),
    Column("panel", "Panel", 12, of=lambda c: c.panel.tag),
    Column("hall", "Hall", 14, of=lambda c: c.panel.hall),
    Column("feed", "Feed", 6, of=lambda c: c.panel.side),
    Column("fed_from", "Panel fed from", 14, of=lambda c: c.panel.fed_from),
    Column("positions", "Poles at", 12),
    Column("phases", "Phases", 8, of=lambda c: c.panel.phases(c.circuit)),
    Column("poles", "Poles", 6, "count", of=lambda c: c.circuit.poles),
    Column("connection", "Conn.", 6, of=lambda c: c.circuit.connection),
    Column(
        "voltage", "Volts L-L", 8, "line_voltage", number_format="n0", of=lambda c: c.panel.v_ll
    ),
    Column("breaker", "Trip A", 8, "current", number_format="n0", of=lambda c: c.circuit.breaker_a),
    Column("code", "Class", 8, of=lambda c: c.circuit.class_code),
    Column("description", "Description", 34, of=lambda c: c.circuit.description),
    Column("rack", "Rack", 16, of=lambda c: c.circuit.rack),
    Column("input", "Rack input", 8, "count"),
    Column("banks", "Bank on each pole", 9),
    Column("receptacle", "Receptacle", 26),
    Column("partner", "Partner circuits", 22, of=lambda c: c.circuit.partner),
    Column("cable", "Cable", 34),
    Column("length", "Length m", 8, "length", of=lambda c: c.length_m),
    Column("normal_va", "Normal VA", 10, number_format="n0"),
    Column("failover_va", "Failover VA", 10, number_format="n0"),
    Column("normal_a", "Normal A", 9, "current"),
    Column("failover_a", "Failover A", 9, "current"),
    Column("state", "Failover state", 12, of=lambda c: c.failover_state),
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
_TO_RACK: tuple[Column[ListedCircuit], ...] = (
    Column("id", "Circuit", 18, of=lambda c: c.circuit.id),
    Column("panel", "Panel", 14, of=lambda c: c.panel.tag),
    Column("positions", "Poles at", 14),
    Column("hall", "Hall", 18, of=lambda c: c.panel.hall),
    Column("rack", "Rack", 24, of=lambda c: c.circuit.rack or c.circuit.class_code),
    Column("input", "Rack input", 8, "count"),
    Column("partner", "Partner circuits", 34, of=lambda c: c.circuit.partner),
)


def circuits_sheet(name: str, rows: Sequence[ListedCircuit], page_setup: PageSetup) -> Sheet:
    """Return one row per circuit, plain values, one heading: ready for import.

    The key names rack, feed and input, so it stays when the circuit moves to other poles.
    """
    return listing_sheet(name, _CIRCUITS, rows, page_setup, large=True)[0]


def receptacles_sheet(
    name: str, rows: Sequence[ListedCircuit], circuits: Sheet, page_setup: PageSetup
) -> Sheet:
    """Return receptacle counts by type, counted live on the sheet of circuits."""
    at = {column.key: n for n, column in enumerate(_CIRCUITS, start=1)}
    last = _HEAD_ROW + max(1, len(rows))
    counted = Counter(_sort(one) for one in rows)
    keys, heads = sorted(counted, key=str), [column.key for column in _RECEPTACLES]
    sorts: list[Values] = [dict(zip(heads, key, strict=False)) for key in keys]
    sheet, grid = listing_sheet(name, _RECEPTACLES, sorts, page_setup, large=False)
    for row, key in enumerate(keys, start=grid.first):
        terms = []
        for column, field in enumerate(_RECEPTACLES[:-1], start=1):
            span = Span(_HEAD_ROW + 1, at[field.key], last, at[field.key])
            here = f"${chr(64 + column)}{row}"
            there = f"{circuits.quoted}!{span.fixed}"
            terms.append(f"({there}={here})" if field.kind else f"EXACT({there},{here})")
        sheet.formula(
            row, len(_RECEPTACLES), f"SUMPRODUCT({'*'.join(terms)})", counted[key], "total.n0"
        )
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


def circuit_racks_sheet(name: str, rows: Sequence[ListedCircuit], page_setup: PageSetup) -> Sheet:
    """Return the rack of every circuit, by circuit."""
    return listing_sheet(name, _TO_RACK, rows, page_setup, large=False)[0]


def rack_circuits_sheet(name: str, rows: Sequence[ListedCircuit], page_setup: PageSetup) -> Sheet:
    """Return the circuits of every rack, with one column per feed."""
    feeds = list(dict.fromkeys(one.panel.side for one in rows))
    keys = {feed: f"feed{n}" for n, feed in enumerate(feeds)}
    columns: tuple[Column[Values], ...] = (
        Column("rack", "Rack", 24),
        Column("hall", "Hall", 18),
        Column("count", "Circuits", 9, "count"),
        *(Column(keys[feed], f"Feed {feed}", 34, style="cell") for feed in feeds),
    )
    found: dict[tuple[str, str], dict[str, list[str]]] = {}
    for one in rows:
        if one.circuit.rack:
            by_feed = found.setdefault((one.circuit.rack, one.panel.hall), {})
            by_feed.setdefault(one.panel.side, []).append(one.circuit.id)
    listed: list[Values] = [
        {keys[feed]: ", ".join(by_feed.get(feed, [])) or "none" for feed in feeds}
        | {"rack": rack, "hall": hall, "count": sum(len(ids) for ids in by_feed.values())}
        for (rack, hall), by_feed in sorted(found.items())
    ]
    sheet, _ = listing_sheet(name, columns, listed, page_setup, large=True)
    fit_heights(sheet, _HEAD_ROW + 1)
    return sheet


def listing_sheet(
    name: str,
    columns: Sequence[Column[Row]],
    rows: Iterable[Row],
    page_setup: PageSetup,
    *,
    large: bool,
) -> tuple[Sheet, Grid[Row]]:
    """Return a list with its heading in the first row, as label printers and imports require."""
    page = page_setup.page(large=large, repeat_rows=(_HEAD_ROW, _HEAD_ROW))
    sheet = Sheet(name, page=page, freeze=(_HEAD_ROW + 1, 2))
    grid = Grid(sheet, _HEAD_ROW, columns, 28, number_role="number")
    grid.set_widths()
    for one in rows:
        grid.write(one)
    sheet.filter_span = Span(_HEAD_ROW, 1, max(grid.row - 1, _HEAD_ROW + 1), len(grid.columns))
    return sheet, grid
