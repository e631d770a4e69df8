"""The rows of a panel CSV below its comment line: heading and cells."""

from __future__ import annotations

import csv
from collections.abc import Sequence

from facility.core.errors import FacilityError, unknown
from facility.files.panel_csv.rows import OPTIONAL, REQUIRED
from facility.power.panels.board.model import Panel


def columns_of(panel: Panel) -> tuple[str, ...]:
    """Return the columns that the CSV of a panel may have beside those required."""
    return (*OPTIONAL, "phases") if panel.is_busway else OPTIONAL


def rows_of(
    lines: Sequence[str], where: str, first: int, panel: Panel
) -> list[tuple[int, dict[str, str]]]:
    """Return the rows below the heading, each with its line in the file and its cells by column.

    lines: Heading and rows.
    where: Name of the file.
    first: Number in the file of the line above them.
    panel: Panel they belong to, which decides what columns there are.

    Raises ``PANEL_CSV_ROW`` or ``PANEL_CSV_COLUMN``.
    """
    reader = csv.reader(lines, strict=True)
    names: list[str] = []
    rows = []
    try:
        for cells in reader:
            line = reader.line_num + first
            if not any(cell.strip() for cell in cells):
                continue
            if not names:
                heads = [cell.strip().casefold() for cell in cells]
                names = _columns(heads, f"{where}:{line}", columns_of(panel))
                continue
            if len(cells) != len(names):
                raise FacilityError(
                    "PANEL_CSV_ROW",
                    f"{where}:{line}",
                    f"{len(cells)} cells; the heading has {len(names)}.",
                    "Quote a text that contains a comma.",
                )
            rows.append((line, dict(zip(names, cells, strict=True))))
    except csv.Error as error:
        raise FacilityError(
            "PANEL_CSV_ROW",
            f"{where}:{reader.line_num + first}",
            f"not readable as CSV: {error}.",
            "Check the quotation marks.",
        ) from None
    if not names:
        raise FacilityError(
            "PANEL_CSV_COLUMN",
            f"{where}:{first + 1}",
            "the heading is missing.",
            "Write " + ",".join(REQUIRED) + ".",
        )
    return rows


def _columns(names: list[str], where: str, optional: tuple[str, ...]) -> list[str]:
    for index, name in enumerate(names):
        if name not in (*REQUIRED, *optional):
            raise unknown(
                "PANEL_CSV_COLUMN",
                f"{where}:{name[:40]}",
                "there is no such column.",
                name[:40],
                (*REQUIRED, *optional),
            )
        if name in names[:index]:
            raise FacilityError("PANEL_CSV_COLUMN", f"{where}:{name}", "it occurs twice.", "")
    for name in REQUIRED:
        if name not in names:
            raise FacilityError(
                "PANEL_CSV_COLUMN",
                f"{where}:{name}",
                "the column is missing.",
                "Needed: " + ",".join(REQUIRED) + ".",
            )
    return names
