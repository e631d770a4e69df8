"""Profiles of an import: the answers given for a table, for the next one with the same headings."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from facility.core.errors import FacilityError
from facility.files.incoming.columns import TableMap, plain
from facility.files.io.read_text import read_bytes, text_of

SUFFIX = ".profile.json"
MAX_BYTES = 65_536
_SCHEMA = "facility.import-profile/1"
_MAX_SEEN = 50
Options = Mapping[str, Sequence[str]]
"""Texts of each option, by its name without dashes."""


@dataclass(frozen=True)
class ImportProfile:
    """Answers for tables with these headings."""

    kind: str  # inventory, panel
    headings: tuple[str, ...]  # In small letters, sorted
    options: Options

    def text(self) -> str:
        """Return the profile as a file."""
        body = {
            "schema": _SCHEMA,
            "kind": self.kind,
            "headings": list(self.headings),
            "options": {name: list(texts) for name, texts in self.options.items() if texts},
        }
        return json.dumps(body, indent=1, ensure_ascii=False) + "\n"


def headings_of(tables: Iterable[TableMap]) -> tuple[str, ...]:
    """Return the headings by which a profile is found again."""
    return tuple(sorted({plain(column.heading) for one in tables for column in one.columns}))


def read_profile(path: Path, kind: str) -> ImportProfile:
    """Return the profile in a file.

    Raises ``PROFILE`` for a file that is no profile of this kind of table; errors of reading.
    """
    return parse_profile(text_of(read_bytes(path, MAX_BYTES), str(path)), str(path), kind)


def parse_profile(text: str, where: str, kind: str) -> ImportProfile:
    """Return the profile in a text.

    Raises ``PROFILE`` for a text that is no profile of this kind of table.
    """
    try:
        body = json.loads(text)
        if body["schema"] == _SCHEMA and body["kind"] == kind:
            headings, options = body["headings"], body["options"]
            lists = [headings, *options.values()]
            if all(isinstance(one, str) for texts in lists for one in texts):
                return ImportProfile(
                    kind, tuple(headings), {k: tuple(v) for k, v in options.items()}
                )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pass
    raise FacilityError(
        "PROFILE", where, f"this is not an import profile for {kind}.", "Save one: --save-profile."
    )


def profile_for(folder: Path, kind: str, headings: tuple[str, ...]) -> Path | None:
    """Return the profile in a folder that was saved for these headings; None without one."""
    for path in sorted(folder.glob(f"*{SUFFIX}"))[:_MAX_SEEN]:
        try:
            if read_profile(path, kind).headings == headings:
                return path
        except FacilityError:
            continue
    return None
