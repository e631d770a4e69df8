"""Sources of the reference data, each listed once in ``sources.csv``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from facility.catalogue.schema import VERIFIED, read_rows, refuse

_HEADER = ["id", "title", "publisher", "edition", "locator", "verified"]
_FILE = "sources.csv"


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """One source of figures, in full; `facility.core.sources.Source` is its short citation."""

    id: str  # Short name the rows refer to
    title: str
    publisher: str  # Who issued it
    edition: str
    locator: str  # Where in it the figures stand
    # `read` in the source itself or a copy of it, `secondary` as quoted by another, `computed`, or
    # `memory`: recalled, to be checked before use.
    verified: str

    def __str__(self) -> str:
        parts = (self.publisher, self.title, self.edition, self.locator)
        return ", ".join(part for part in parts if part)


def read_sources(root: Path) -> Mapping[str, SourceEntry]:
    """Return every source of the data folder `root` by id.

    Raises ``CATALOGUE_SOURCE``, ``CATALOGUE_DUPLICATE`` or ``CATALOGUE_VERIFIED``.
    """
    return sources_in(read_rows(root / _FILE, _FILE), _FILE)


def sources_in(lines: Iterator[tuple[int, list[str]]], label: str) -> Mapping[str, SourceEntry]:
    """Return the sources in numbered lines of cells by id; raises as `read_sources`."""
    found: dict[str, SourceEntry] = {}
    if next(lines, (0, []))[1] != _HEADER:
        refuse("CATALOGUE_SOURCE", f"{label}:1", f"The header must be {','.join(_HEADER)}.")
    for line, cells in lines:
        where = f"{label}:{line}"
        if len(cells) != len(_HEADER) or not cells[0] or not cells[1]:
            refuse("CATALOGUE_SOURCE", where, "A source needs six cells, an id and a title.")
        source = SourceEntry(*cells)
        if source.verified not in VERIFIED:
            refuse(
                "CATALOGUE_VERIFIED",
                f"{where}:verified",
                f"{source.verified!r} is not one of {', '.join(VERIFIED)}.",
            )
        if source.id in found:
            refuse("CATALOGUE_DUPLICATE", f"{where}:id", f"Source {source.id!r} occurs twice.")
        found[source.id] = source
    return MappingProxyType(found)
