"""The CSV of a PDU cabinet: concatenated panel CSVs of its panelboards.

An optional first line ``# cabinet: PDU-1; rating: 300 kVA`` names the cabinet and its transformer
or main. Each panelboard begins with its ``# panel:`` line, followed by heading and rows as in a
separate panel CSV; it may have no rows, or more than its capacity if some are not placed. A circuit
without an id is named by panelboard and row, e.g. ``RPP-1A-3``: ids are unique in the cabinet,
because circuits move between panelboards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from facility.core.errors import FacilityError
from facility.core.parse import parse_quantity
from facility.files.circuit_table.read import MAX_BYTES, TableAnswers, read_table
from facility.files.circuit_table.rows import plain_text, states_of
from facility.files.incoming.grid import ReadCells
from facility.files.incoming.text_table import text_table
from facility.files.io.read_text import check_size
from facility.files.panel_csv.document import write_panel_csv
from facility.power.panels.balance.cabinet import Cabinet, check_cabinet, check_placed
from facility.power.panels.board.model import Panel

_HINT = "Write e.g. '# cabinet: PDU-1; rating: 300 kVA'."


def is_cabinet_csv(text: str) -> bool:
    """Return whether `text` describes a cabinet: by its first line, or several panelboards."""
    heads = [_bare(line) for line in text.splitlines()]
    return any(_is_head(head, "cabinet") for head in heads[:1]) or (
        sum(_is_head(head, "panel") for head in heads) > 1
    )


def read_cabinet_csv(
    text: str, where: str = "cabinet", answers: TableAnswers | None = None
) -> Cabinet:
    """Return the cabinet written in `text`.

    text: Content of a cabinet CSV.
    where: Name of the file, for messages, which also name the cell.
    answers: What the user states in addition.

    Raises ``CABINET_CSV``, ``CABINET_PANELS``, ``CABINET_BUS``, or what `read_panel_csv` finds.
    """
    check_size(text.encode(), where, MAX_BYTES)
    lines = text.splitlines()
    tag, rating_va, first = "cabinet", None, 0
    if lines and _is_head(_bare(lines[0]), "cabinet"):
        tag, rating_va = _cabinet_line(_bare(lines[0]), f"{where}:1")
        first = 1
    options = replace(answers or TableAnswers(), of_cabinet=True)
    panels: list[Panel] = []
    locations: list[tuple[str, ...]] = []
    for block in panel_blocks(lines, where, first):
        read = read_table(block, (), options)
        if read.problems:
            raise read.problems[0]
        panels.append(read.panel)
        locations.append(read.locations)
    if not any(panel.circuits for panel in panels):
        raise FacilityError("PANEL_CSV_ROW", where, "the file contains no circuit.", "Add one.")
    for panel, found in zip(panels, locations, strict=True):
        check_placed(panel, found)
    cabinet = Cabinet(tag, _with_states(panels), rating_va)
    check_cabinet(cabinet)
    return cabinet


def panel_blocks(lines: Sequence[str], where: str, first: int = 0) -> Iterator[ReadCells]:
    """Yield the table of each panelboard in the lines of a file, with the rows of the file.

    first: Number of lines before the first panelboard.

    Raises ``CABINET_CSV`` where a panelboard has no comment line.
    """
    starts = [k for k, line in enumerate(lines) if _is_head(_bare(line), "panel")]
    if not starts or any(_bare(line) for line in lines[first : starts[0]]):
        raise FacilityError(
            "CABINET_CSV",
            f"{where}:{first + 1}",
            "the comment line of a panelboard is missing.",
            "Start each with '# panel: RPP-1A; system: 208Y/120; poles: 42; bus: 225 A'.",
        )
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        block = text_table("\n".join(lines[start:end]), where, MAX_BYTES)
        cells = {(row + start, column): cell for (row, column), cell in block.values.items()}
        yield ReadCells(where, cells, {})


def write_cabinet_csv(cabinet: Cabinet) -> str:
    """Return `cabinet` in its normal state as the text of a cabinet CSV."""
    rating = f"; rating: {cabinet.rating_va / 1e3:.12g} kVA" if cabinet.rating_va else ""
    tag = " ".join(cabinet.tag.replace(";", ",").split())
    blocks = [write_panel_csv(panel) for panel in cabinet.panels]
    return "".join([f"# cabinet: {tag}{rating}\n", *blocks])


def _bare(line: str) -> str:
    return line.strip().strip('",; ')


def _is_head(line: str, word: str) -> bool:
    key = line.removeprefix("#").partition(":")[0]
    return line.startswith("#") and key.strip().casefold() == word


def _cabinet_line(line: str, where: str) -> tuple[str, float | None]:
    """Return tag and rating of the first line."""
    found: dict[str, str] = {}
    for part in line.removeprefix("#").split(";"):
        key, _, value = part.partition(":")
        name = key.strip().casefold()
        if name not in ("cabinet", "rating") or name in found:
            raise FacilityError(
                "CABINET_CSV", where, f"{part.strip()[:40]!r} is unknown or occurs twice.", _HINT
            )
        found[name] = plain_text(value.strip(), f"{where}:{name}")
    if not found["cabinet"]:
        raise FacilityError("CABINET_CSV", where, "the cabinet has no tag.", _HINT)
    if not found.get("rating"):
        return found["cabinet"], None
    rating_va = parse_quantity(found["rating"], "apparent_power", f"{where}:rating").si
    if rating_va <= 0.0:
        raise FacilityError("CABINET_CSV", f"{where}:rating", "a rating must be above zero.", _HINT)
    return found["cabinet"], rating_va


def _with_states(panels: list[Panel]) -> tuple[Panel, ...]:
    """Return the panelboards with the states from partners anywhere in the cabinet."""
    states, circuits = states_of(tuple(c for panel in panels for c in panel.circuits))
    rest = iter(circuits)
    return tuple(
        replace(panel, states=states, circuits=tuple(next(rest) for _ in panel.circuits))
        for panel in panels
    )
