"""Workbooks recalculated in this process, in a fiftieth of the time that LibreOffice takes.

LibreOffice (`tests.tools.libreoffice`) stays the referee of a few: of whole workbooks, and where
what another program reads, writes or prints is what is tested.
"""

from __future__ import annotations

import re
import zipfile
from collections import defaultdict
from pathlib import Path

import formualizer

# ROW of a range is the number of its first row alone to this calculator, not one number a row.
_ROWS = re.compile(rb"ROW\([^():]*\$(\d+):\$[A-Z]+\$(\d+)\)")
_SEQUENCE = re.compile(rb"SEQUENCE\(\d+,1,\d+\)")


def recalculated(source: Path, folder: Path) -> Path:
    """Return a copy of `source` in `folder` with every formula computed, whatever was cached."""
    path = folder / f"recalculated-{source.name}"
    spelled: dict[str, list[bytes]] = defaultdict(list)
    with zipfile.ZipFile(source) as book:
        parts = {name: book.read(name) for name in book.namelist()}
    for name, content in parts.items():
        spelled[name] = [rows[0] for rows in _ROWS.finditer(content)]
        parts[name] = _ROWS.sub(_sequence, content)
    done = formualizer.recalculate_xlsx_bytes(_packed(parts, path).read_bytes())
    path.write_bytes(done["bytes"])
    with zipfile.ZipFile(path) as book:
        parts = {name: book.read(name) for name in book.namelist()}
    for name, rows in spelled.items():
        again = iter(rows)
        parts[name] = _SEQUENCE.sub(lambda _, again=again: next(again), parts[name])
    return _packed(parts, path)


def _sequence(rows: re.Match[bytes]) -> bytes:
    first, last = map(int, rows.groups())
    return b"SEQUENCE(%d,1,%d)" % (last - first + 1, first)


def _packed(parts: dict[str, bytes], path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as book:
        for name, content in parts.items():
            book.writestr(name, content)
    return path
