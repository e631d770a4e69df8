"""Panels that the visitor brings: their cells as entered, and the panel that these state.

No widgets here. Every cell is text as it was typed or pasted, so that nothing entered is lost;
what it means is read as in a panel CSV.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from facility.core.errors import FacilityError
from facility.core.table import csv_text
from facility.files.io.read_text import text_of
from facility.files.panel_csv.document import (
    in_header,
    panel_files,
    panel_of_header,
    read_panel_csv,
    write_panel_csv,
)
from facility.files.panel_csv.rows import (
    OPTIONAL,
    REQUIRED,
    Cells,
    circuit_of,
    plain_text,
    with_states,
)
from facility.power.panels.board.model import Circuit, Panel, check_layout

COLUMNS = (*REQUIRED, *OPTIONAL)
HEADER = ("panel", "system", "poles", "bus", "main", "numbering")
"""Keys of the header that have an input; the others of a panel CSV are kept as they came."""

MAX_ROWS = 200
_MOST_PROBLEMS = 20

_Row = tuple[str, ...]

_EXAMPLE_HEADER = (
    ("panel", "EXAMPLE-1"),
    ("system", "208Y/120"),
    ("poles", "42"),
    ("bus", "225 A"),
    ("main", "225 A"),
    ("numbering", "US"),
)
_EXAMPLE = """\
Cooling unit 1,3,9200,0.88,40,1,yes,COOL
Network rack 1,2,4800,0.97,30,2,no,IT-NET
Storage rack 1,2,6200,0.96,40,6,no,IT-STO
Storage rack 2,2,5900,0.96,40,7,no,IT-STO
Management rack 1,1,1650,0.95,20,11,no,IT-MGT
Management rack 2,1,1500,0.95,20,13,no,IT-MGT
Console and KVM,1,620,0.92,20,14,no,IT-MGT
Receptacles aisle A,1,720,1,20,19,no,REC
Receptacles aisle B,1,900,1,20,20,no,REC
Lighting,1,1300,0.98,20,25,no,LTG
Leak detection,1,240,0.9,20,26,no,MISC
Fire panel,1,380,0.95,20,42,yes,MISC
"""


@dataclass(frozen=True)
class OwnPanel:
    """A panel as cells: the header by key, and one row of `COLUMNS` per circuit."""

    header: tuple[tuple[str, str], ...]
    rows: tuple[_Row, ...]

    def field(self, key: str) -> str:
        """Return what the header says under `key`, empty where it says nothing."""
        return dict(self.header).get(key, "")

    def with_field(self, key: str, value: str) -> OwnPanel:
        """Return the panel with one key of its header changed."""
        return replace(self, header=tuple((dict(self.header) | {key: value}).items()))

    @property
    def shown_columns(self) -> tuple[str, ...]:
        """Columns worth showing: the usual ones, and others that hold anything."""
        usual = {*REQUIRED, "class", "side", "partner", "together", "apart"}
        used = {
            name
            for name, cells in zip(COLUMNS, zip(*self.rows, strict=True), strict=False)
            if any(cells)
        }
        return tuple(name for name in COLUMNS if name in usual | used)

    def with_positions(self, placed: Panel) -> OwnPanel:
        """Return the cells with the positions of `placed`, the same circuits in the same order."""
        at = COLUMNS.index("position")
        positions = iter(placed.circuits)
        rows = []
        for row in self.rows:
            if any(cell.strip() for cell in row):
                position = next(positions).position
                row = (*row[:at], "" if position is None else str(position), *row[at + 1 :])
            rows.append(row)
        return replace(self, rows=tuple(rows))

    def edited(self, delta: Mapping[str, Any]) -> OwnPanel:
        """Return the cells after the grid was edited.

        delta: ``edited_rows`` by number of the row, ``added_rows`` and ``deleted_rows``.
        """
        rows = list(self.rows)
        for number, cells in delta.get("edited_rows", {}).items():
            rows[int(number)] = _row(rows[int(number)], cells)
        deleted = {int(number) for number in delta.get("deleted_rows", ())}
        kept = [row for number, row in enumerate(rows) if number not in deleted]
        kept += [_row(("",) * len(COLUMNS), cells) for cells in delta.get("added_rows", ())]
        return replace(self, rows=tuple(kept))

    def columns(self, names: Iterable[str]) -> dict[str, list[str]]:
        """Return the cells of some columns, as a grid takes them."""
        return {name: [row[COLUMNS.index(name)] for row in self.rows] for name in names}


EXAMPLE = OwnPanel(
    _EXAMPLE_HEADER,
    tuple(
        tuple(
            dict(zip((*REQUIRED, "class"), line.split(","), strict=True)).get(c, "")
            for c in COLUMNS
        )
        for line in _EXAMPLE.splitlines()
    ),
)
"""The panel that is shown first."""


@dataclass(frozen=True)
class OwnEntry:
    """The panel as entered, and as last accepted; the two differ where something is refused."""

    entered: OwnPanel = EXAMPLE
    accepted: OwnPanel = EXAMPLE


FIRST = "own panel"
"""Name in the store of the first panel that a visitor brings."""


@dataclass(frozen=True)
class OwnPanels:
    """The own panels of a project by their names in the store, and the one that is shown.

    A page calls them by their tags, which are edited as all else is.
    """

    entries: Mapping[str, OwnEntry] = field(default_factory=lambda: {FIRST: OwnEntry()})
    shown: str = FIRST

    @property
    def titles(self) -> dict[str, str]:
        """What each is called: its tag, and its name too where several have that tag."""
        tags = {name: one.entered.field("panel") for name, one in self.entries.items()}
        return {
            name: tag if tag and [*tags.values()].count(tag) == 1 else f"{tag} ({name})".strip()
            for name, tag in tags.items()
        }

    def edited(self, entered: OwnPanel) -> OwnPanels:
        """Return them after the shown one was edited; accepted where it states a panel."""
        before = self.entries[self.shown].accepted
        entry = OwnEntry(entered, before if own_problems(entered) else entered)
        return replace(self, entries={**self.entries, self.shown: entry})

    def with_new(self, panel: OwnPanel) -> OwnPanels:
        """Return them with one more, which is shown; it takes the place of the mere example."""
        if self == OwnPanels():
            return self.edited(panel)
        names = (FIRST, *(f"{FIRST} {number}" for number in range(2, len(self.entries) + 2)))
        name = next(name for name in names if name not in self.entries)
        return OwnPanels({**self.entries, name: OwnEntry(panel, panel)}, name)

    def without_shown(self) -> OwnPanels:
        """Return them without the one that is shown; the example stands where none is left."""
        left = {name: one for name, one in self.entries.items() if name != self.shown}
        return OwnPanels(left, next(iter(left))) if left else OwnPanels()


NO_PANELS = OwnPanels()
"""The example alone: nobody has brought a panel."""


def own_panel(own: OwnPanel) -> Panel:
    """Return the panel that the cells state.

    Raises the first of `own_problems`.
    """
    panel, problems = _read(own)
    if problems:
        raise problems[0]
    return panel


def own_problems(own: OwnPanel) -> tuple[FacilityError, ...]:
    """Return what cannot be read, row by row; none where the cells state a panel."""
    return _read(own)[1]


@lru_cache(maxsize=64)
def _read(own: OwnPanel) -> tuple[Panel, tuple[FacilityError, ...]]:
    try:
        header = {key: plain_text(text.strip(), f"header:{key}") for key, text in own.header}
        frame = panel_of_header(_complete(header), "header")
    except FacilityError as problem:
        return _NO_PANEL, (problem,)
    if len(own.rows) > MAX_ROWS:
        return frame, (_too_many(own.rows),)
    circuits: list[Circuit] = []
    places: list[str] = []
    problems: list[FacilityError] = []
    for number, row in enumerate(own.rows, start=1):
        if not any(cell.strip() for cell in row) or len(problems) >= _MOST_PROBLEMS:
            continue
        cells = Cells(dict(zip(COLUMNS, row, strict=True)), f"row {number}")
        try:
            circuits.append(circuit_of(cells, number, frame))
            places.append(cells.where)
        except FacilityError as problem:
            problems.append(problem)
    if problems:
        return frame, tuple(problems)
    try:
        panel = with_states(frame, tuple(circuits))
        check_layout(panel, tuple(places))
    except FacilityError as problem:
        return frame, (problem,)
    return panel, ()


def _too_many(rows: Sequence[_Row]) -> FacilityError:
    return FacilityError(
        "PANEL_FULL",
        "grid",
        f"{len(rows)} rows; at most {MAX_ROWS} are taken.",
        "Paste one panel at a time.",
    )


_NO_PANEL = panel_of_header({"panel": "-", "system": "208Y/120", "poles": "42"}, "header")


def _complete(header: Mapping[str, str]) -> dict[str, str]:
    for key in ("panel", "system", "poles"):
        if not header.get(key):
            raise FacilityError(
                "PANEL_CSV_HEADER",
                f"header:{key}",
                "the field is empty.",
                "Give tag, system and poles, e.g. RPP-1A, 208Y/120 and 42.",
            )
    return {key: text for key, text in header.items() if text}


def own_of(panel: Panel) -> OwnPanel:
    """Return the cells that state `panel` in its normal state."""
    lines = write_panel_csv(panel).splitlines()[1:]
    header = {
        "panel": panel.tag,
        "system": panel.system,
        "poles": str(panel.poles),
        "bus": "" if panel.bus_a is None else f"{panel.bus_a:g} A",
        "main": "" if panel.main_a is None else f"{panel.main_a:g} A",
        "numbering": panel.numbering,
        "side": panel.side,
        "hall": panel.hall,
        "fed from": panel.fed_from,
        "listed 100": "yes" if panel.listed_100 else "",
    }
    found = [Cells(cells, "") for cells in csv.DictReader(lines)]
    rows = tuple(tuple(cells.text(name) for name in COLUMNS) for cells in found)
    kept = tuple((key, text) for key, text in header.items() if text or key in HEADER)
    return OwnPanel(kept, rows)


def _row(row: Sequence[str], cells: Mapping[str, Any]) -> _Row:
    return tuple(
        (_text(cells[name]) if name in cells else text)
        for name, text in zip(COLUMNS, row, strict=True)
    )


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def text_of_own(own: OwnPanel) -> str:
    """Return the cells as a panel CSV, as they were typed."""
    said = [f"{key}: {in_header(text)}" for key, text in own.header]
    return f"# {'; '.join(said)}\n{csv_text([COLUMNS, *own.rows])}"


def own_of_text(text: str) -> OwnPanel:
    """Return the cells that `text_of_own` wrote.

    Raises ``PANEL_CSV_COLUMN`` for text of other columns.
    """
    comment, _, rest = text.partition("\n")
    pairs = (part.partition(": ") for part in comment.removeprefix("# ").split("; "))
    rows = list(csv.reader(io.StringIO(rest)))
    if not rows or tuple(rows[0]) != COLUMNS:
        raise FacilityError(
            "PANEL_CSV_COLUMN",
            "own panel",
            "the stored panel has other columns than this version writes.",
            "Open it with the version of facility that wrote it, and download it as CSV.",
        )
    header = tuple((key, value) for key, _, value in pairs)
    width = len(COLUMNS)
    kept = tuple(tuple(row) for row in rows[1:] if len(row) == width)
    return OwnPanel(header, kept)


def own_of_csv(text: str, name: str) -> OwnPanel:
    """Return the cells of a panel CSV, whoever wrote it.

    Raises as `read_panel_csv` for one that nobody wrote here and that states no panel.
    """
    try:
        return own_of_text(text)
    except FacilityError:
        return own_of(read_panel_csv(text, name))


def files_of(own: OwnPanels) -> dict[str, bytes]:
    """Return own panels as panel CSVs by file name; none where there is but the example."""
    if own == NO_PANELS:
        return {}
    return panel_files(text_of_own(entry.entered) for entry in own.entries.values())


def own_of_files(files: Mapping[str, bytes]) -> OwnPanels:
    """Return the own panels that panel CSVs hold.

    Raises as `read_panel_csv` for one that nobody wrote here and that states no panel.
    """
    own = NO_PANELS
    for name in sorted(files, key=lambda name: (len(name), name)):
        entered = own_of_csv(text_of(files[name], name), name)
        own = own.with_new(EXAMPLE.with_field("panel", name)).edited(entered)
    return replace(own, shown=next(iter(own.entries)))
