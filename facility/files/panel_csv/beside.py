"""Panels of a person's own as files beside that of their project."""

from __future__ import annotations

from collections.abc import Iterable

from facility.files.io.file_names import safe_file_name

_BEGINNING = b"# panel:"


def panel_files(texts: Iterable[str]) -> dict[str, bytes]:
    """Return panel CSVs by the names of their files: their tags."""
    found: dict[str, bytes] = {}
    for text in texts:
        tag = text.partition("\n")[0].partition("panel:")[2].partition(";")[0]
        stem = safe_file_name(tag.strip(), "panel")
        name, number = f"{stem}.csv", 2
        while name in found:
            name, number = f"{stem}-{number}.csv", number + 1
        found[name] = text.encode()
    return found


def is_panel_file(name: str, content: bytes) -> bool:
    """Return whether a file is a panel CSV, and no other CSV."""
    return name.lower().endswith(".csv") and content.startswith(_BEGINNING)
