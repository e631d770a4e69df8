"""Contents of grids and trees: columns, rows of values, and what is marked on a cell."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

Value = float | int | str | bool | None
Kind = Literal["text", "number", "choice", "flag"]
Status = Literal["", "ok", "tight", "over"]


@dataclass(frozen=True)
class GridColumn:
    """A column: numbers are shown with its digits, and its unit is in its heading."""

    key: str
    head: str
    kind: Kind = "text"
    unit: str = ""
    digits: int | None = None  # Decimals; None: six significant digits
    plus: bool = False  # Positive numbers have a sign
    editable: bool = False
    options: Sequence[str] = ()
    free: bool = False  # Texts that are not options can be entered too
    width: int = 0  # Pixels; 0: by its contents
    help: str = ""
    why: bool = False  # Its numbers open their explanation
    link: bool = False  # Its texts are pressed, which is reported as `Asked`

    def explained(self) -> GridColumn:
        """Return the column with numbers that open their explanation."""
        return replace(self, why=True)


@dataclass(frozen=True)
class CellMark:
    """What is shown on a cell besides its value.

    `text` is shown in place of the value: a rejected entry, or words for a missing number. `entry`
    is the text with which the cell is opened. `was` is the value before a change.
    """

    error: str = ""
    text: str | None = None
    entry: str | None = None
    was: str | None = None
    status: Status = ""
    dim: bool = False  # Not stated here: a value of the project, or a default
    rest: bool = False  # Belongs to no row that can be edited
    locked: bool = False
    joined: bool = False  # Continues the cell above
    options: Sequence[str] = ()  # Instead of the options of the column
    why: bool | None = None  # Opens its explanation; None: as its column

    def sent(self) -> dict[str, object]:
        """Return what is marked, without the rest."""
        texts = ("text", "entry", "was", "why")  # None is nothing, and an empty text is not
        return {
            name: value
            for name, value in vars(self).items()
            if (value is not None if name in texts else value)
        }


class RowValues(NamedTuple):
    """A row: values in the order of the columns, and marks by key of the column."""

    id: str
    values: Sequence[Value]
    marks: Mapping[str, CellMark] = {}


@dataclass(frozen=True)
class GridContents:
    """A grid, and what can be done with its rows.

    `name` identifies its subject: scroll position and column widths are kept while it does not
    change.
    """

    label: str
    columns: Sequence[GridColumn]
    rows: Sequence[RowValues]
    name: str = ""
    adds: bool = False
    removes: bool = False
    moves: bool = False
    sorts: bool = False
    selects: bool = False
    selected: str = ""
    one_line: bool = False  # Long texts end with an ellipsis instead of a further line
    height: int = 0  # Pixels; 0: by its rows, up to a limit
    texts: Mapping[str, Sequence[str]] = field(default_factory=dict)  # Displayed texts, by column


@dataclass(frozen=True)
class TreeItem:
    """A row of a tree: `branch` can be opened, and `group` only opens and is never selected."""

    id: str
    words: str
    icon: str = ""
    figure: str = ""
    status: Status = ""
    branch: bool = False
    group: bool = False


@dataclass(frozen=True)
class Edited:
    """Texts entered in cells, by id of the row and key of the column."""

    cells: Sequence[tuple[str, str, str]]


@dataclass(frozen=True)
class Added:
    """New rows at the end: texts by key of the column. Later edits refer to these ids."""

    rows: Sequence[tuple[str, Mapping[str, str]]]


@dataclass(frozen=True)
class Removed:
    """Rows that were deleted."""

    ids: Sequence[str]


@dataclass(frozen=True)
class Moved:
    """A cell that is moved by rows down and columns to the right."""

    id: str
    key: str
    rows: int
    columns: int = 0


@dataclass(frozen=True)
class Asked:
    """A number whose explanation is requested, or a text of a link that is pressed."""

    id: str
    key: str


@dataclass(frozen=True)
class Selected:
    """A row that was selected."""

    id: str


@dataclass(frozen=True)
class Folded:
    """A branch of a tree that was opened or closed."""

    id: str
    is_open: bool


@dataclass(frozen=True)
class Sought:
    """Words to find in a tree."""

    text: str = field(default="")


Event = Edited | Added | Removed | Moved | Asked | Selected | Folded | Sought


def edited_rows(
    rows: Mapping[str, Mapping[str, str]], event: Event, columns: Collection[str] = ()
) -> dict[str, dict[str, str]]:
    """Return rows of texts by id after an event; without `columns`, of all columns."""
    after = {id: dict(row) for id, row in rows.items()}
    entered = list(event.cells) if isinstance(event, Edited) else []
    if isinstance(event, Added):
        after |= {id: {} for id, _ in event.rows}
        entered = [(id, key, text) for id, cells in event.rows for key, text in cells.items()]
    for id, key, text in entered:
        if id in after and (not columns or key in columns):
            after[id][key] = text.strip()
    removed = event.ids if isinstance(event, Removed) else ()
    return {id: row for id, row in after.items() if id not in removed}
