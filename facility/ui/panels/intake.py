"""Tables and schedules of panels that a visitor pastes or uploads, read but not yet taken over.

No widgets here. A workbook is read from a file of its own folder, which is gone afterwards.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from facility.core.errors import FacilityError
from facility.files.import_panel.grid import PANEL_ROWS, ReadCells, open_book
from facility.files.import_panel.merge import Difference
from facility.files.import_panel.read import import_panel
from facility.files.import_panel.schedule import is_schedule
from facility.files.import_panel.table import csv_grid, is_table, read_table
from facility.files.io.file_names import safe_file_name
from facility.files.panel_csv.rows import with_states
from facility.files.workbook.verify import embedded_project
from facility.power.panels.board.model import Panel, check_layout
from facility.ui.session import state

MAX_UPLOAD_MB = 10
_PASTED = "pasted table"


@dataclass(frozen=True)
class Intake:
    """A panel as a table or a schedule states it."""

    source: str  # Sheet or file
    panel: Panel  # The panel; complete only where there are no `problems`
    problems: tuple[FacilityError, ...]  # What cannot be read, each with its cell
    # What a schedule states otherwise than the project in its workbook.
    differences: tuple[Difference, ...] = ()
    remarks: tuple[str, ...] = ()  # What was left aside


def read_pasted(text: str, frame: Panel) -> Intake:
    """Return the panel of a table with headings, as it is copied from a spreadsheet.

    text: Rows; cells are apart by tabs, or by commas where there is no tab.
    frame: Describes the panel where the table has no comment line that does.

    Raises ``PANEL_CSV_HEADER``, ``PANEL_CSV_COLUMN`` or ``PANEL_CSV_ROW``.
    """
    delimiter = "\t" if "\t" in text else ","
    values: dict[tuple[int, int], str] = {}
    try:
        for row, cells in enumerate(csv.reader(io.StringIO(text), delimiter=delimiter), start=1):
            if cells and cells[0].lstrip().startswith("#"):
                cells = [delimiter.join(cells)]
            values |= {(row, c): cell for c, cell in enumerate(cells, 1) if cell.strip()}
    except csv.Error as error:
        raise FacilityError(
            "PANEL_CSV_ROW",
            _PASTED,
            f"not readable as a table: {error}.",
            "Copy whole rows, with their headings.",
        ) from None
    return _of_table(ReadCells(_PASTED, values, {}), frame)


def read_upload(content: bytes, name: str, frame: Panel) -> tuple[Intake, ...]:
    """Return the panels of an uploaded workbook or CSV file.

    content: The file.
    name: Its name; only the ending counts.
    frame: Describes the panel where a table has no comment line that does.

    Raises for a file that is refused, and what `import_panel` finds.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{safe_file_name(Path(name).stem)}{Path(name).suffix.lower()}"
        path.write_bytes(content)
        if path.suffix != ".xlsx":
            return (_of_table(csv_grid(path), frame),)
        return _of_workbook(path, frame)


def _of_workbook(path: Path, frame: Panel) -> tuple[Intake, ...]:
    with open_book(path) as book:
        heads = book.heads()
        is_ours = any(is_schedule(head) for head in heads.values())
        text = embedded_project(book.book) if is_ours else ""
        names = [name for name, head in heads.items() if is_table(head)]
        tables = [] if is_ours else [book.grid(name, PANEL_ROWS) for name in names[:1]]
    if is_ours:
        found = import_panel(path, against=state.designed(text))
        return tuple(
            Intake(one.sheet, one.panel, one.problems, one.differences, one.notes) for one in found
        )
    if not tables:
        raise FacilityError(
            "NO_PANEL",
            path.name,
            "no sheet has the headings of a panel schedule or table.",
            "Needed: description, poles, va, pf, breaker_a, position and fixed.",
        )
    return tuple(_of_table(grid, frame) for grid in tables)


def _of_table(grid: ReadCells, frame: Panel) -> Intake:
    known = replace(frame, tag=Path(grid.name).stem)
    read = read_table(grid, [known])
    panel = replace(read.panel, tag=frame.tag) if read.panel is known else read.panel
    problems = list(read.problems)
    whole = replace(panel, circuits=read.circuits)
    if not problems:
        try:
            whole = with_states(replace(panel, circuits=()), read.circuits)
            check_layout(whole, read.places)
        except FacilityError as problem:
            problems.append(problem)
    return Intake(grid.name, whole, tuple(problems), (), _remarks(read.ignored))


def _remarks(ignored: Sequence[str]) -> tuple[str, ...]:
    return (f"not read: the columns {', '.join(ignored)[:200]}",) if ignored else ()
