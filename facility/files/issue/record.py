"""The values of a set as JSON: every keyed text by sheet, for comparison with other files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from facility.core.errors import FacilityError
from facility.files.io.read_text import read_bytes
from facility.report.issue.revision import IssuedRecord, RecordedSheet, recorded
from facility.report.issue.sheet import SheetSet

SET_FILE = "set.json"
SCHEMA = "facility.issue/1"
_MAX_BYTES = 64_000_000


def record_bytes(issued: SheetSet) -> bytes:
    """Return the record of a set as JSON."""
    figures = [(sheet.number, *figure) for sheet in issued.sheets for figure in sheet.figures]
    body = {
        "schema": SCHEMA,
        "project": {"name": issued.name, "number": issued.of.number, "sha256": issued.sha256},
        "revision": issued.of.revision,
        "date": issued.of.date,
        "units": issued.system,
        "code": issued.of.code,
        "tool": issued.of.tool,
        "sheets": [
            {**recorded(sheet)._asdict(), "size": sheet.paper.name, "drawing": sheet.is_drawing}
            for sheet in issued.sheets
        ],
        "figures": [{"sheet": sheet, "key": key, "value": value} for sheet, key, value in figures],
        "changes": [change._asdict() for change in issued.changes],
    }
    return (json.dumps(body, ensure_ascii=True, indent=1) + "\n").encode()


def read_record(path: Path) -> IssuedRecord:
    """Return the record of an earlier issue: its ``set.json``, or the folder that has it.

    Raises ``NOT_A_SET`` for another file, and those of `read_bytes`.
    """
    file = path / SET_FILE if path.is_dir() else path
    try:
        content = json.loads(read_bytes(file, _MAX_BYTES))
        if not isinstance(content, Mapping) or content["schema"] != SCHEMA:
            raise ValueError
        sheets = tuple(
            RecordedSheet(str(one["number"]), str(one["title"]), str(one["digest"]))
            for one in content["sheets"]
        )
        figures = tuple(
            (str(one["sheet"]), str(one["key"]), str(one["value"])) for one in content["figures"]
        )
        return IssuedRecord(str(content["revision"]), str(content["date"]), sheets, figures)
    except (ValueError, KeyError, TypeError, RecursionError):
        raise FacilityError(
            "NOT_A_SET",
            str(file),
            "the file is not the record of a set written by facility issue.",
            f"Enter the folder of an earlier issue, its {SET_FILE}, or a project file.",
        ) from None
