"""Own equipment of a project: a folder of CSV files next to it, read into the project.

A file is named as its table, ``equipment/ups.csv`` or ``ups.csv``. The rows become part of the
project: of its hash, of saved revisions and of archives.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import TypedDict

from facility.catalogue.loader import shipped_catalogue
from facility.catalogue.own import SOURCES
from facility.core.errors import FacilityError, unknown
from facility.files.io.read_text import check_size, read_bytes, text_of
from facility.files.project.safe_yaml import read_document, yaml_text
from facility.model.inputs.document import MAX_OWN_CHARACTERS

_KEY = "equipment"
_FOLDER = re.compile(r"\w[\w\-. ]{0,60}(?:/\w[\w\-. ]{0,60}){0,4}", re.ASCII)
_LINE = re.compile(r"^equipment:[^\n]*$", re.MULTILINE)
_MAX_FILES = 60


class OwnTable(TypedDict):
    """A table as in the project document: its name and the lines of its file."""

    table: str
    rows: list[str]


def with_folder(document: Mapping[str, object], folder: Path) -> Mapping[str, object]:
    """Return the document with the tables of the folder that its field ``equipment`` names.

    folder: Folder of the project file.

    Raises ``EQUIPMENT_FOLDER`` for a folder that is not below the project file or has no table,
    ``UNKNOWN_TABLE`` for a file without a table, as `read_bytes` for unreadable ones.
    """
    name = document.get(_KEY)
    if not isinstance(name, str) or not name:
        return document
    return {**document, _KEY: own_tables(folder_files(name, folder))}


def folder_files(name: str, folder: Path) -> dict[str, bytes]:
    """Return the CSV files of the folder `name` in `folder`, and of its subfolders, by path.

    Raises as `with_folder`.
    """
    if _FOLDER.fullmatch(name) is None or ".." in name.split("/"):
        raise _no_folder(name, "is not a folder inside the project folder.")
    base = folder / name
    if not base.is_dir():
        raise _no_folder(name, "does not exist next to the project file.")
    return folder_files_at(base)


def folder_files_at(base: Path) -> dict[str, bytes]:
    """Return the CSV files of a folder and of its subfolders, by path.

    Raises ``EQUIPMENT_FOLDER`` without such files, or with too many; as `read_bytes`.
    """
    name = base.name
    paths = sorted([*base.glob("*.csv"), *base.glob("*/*.csv")])
    if not 0 < len(paths) <= _MAX_FILES:
        raise _no_folder(name, f"contains {len(paths)} CSV files; 1 to {_MAX_FILES} are expected.")
    return {
        path.relative_to(base).as_posix(): read_bytes(path, MAX_OWN_CHARACTERS) for path in paths
    }


def own_tables(files: Mapping[str, bytes]) -> list[OwnTable]:
    """Return the tables of CSV files by path, as in a project.

    Raises ``UNKNOWN_TABLE`` for a file without a table, ``DUPLICATE`` for two of one table.
    """
    found: dict[str, OwnTable] = {}
    for path, content in files.items():
        name = _table_of(path)
        if name is None:
            tables = (SOURCES, *shipped_catalogue().schemas)
            message = "the file name is not a catalogue table."
            raise unknown("UNKNOWN_TABLE", f"{_KEY}: {path[:80]}", message, path[:-4], tables)
        if name in found:
            message = f"there are two files for {name}."
            raise FacilityError("DUPLICATE", f"{_KEY}: {path[:80]}", message, "Keep one.")
        check_size(content, path, MAX_OWN_CHARACTERS)
        lines = [line.rstrip() for line in text_of(content, path).splitlines()]
        while lines and not lines[-1]:
            lines.pop()
        found[name] = {"table": name, "rows": lines}
    return list(found.values())


def inlined(text: str, where: str, files: Mapping[str, bytes]) -> str:
    """Return the text of a project with its own tables in place of the name of their folder.

    files: Files given with the project, by path; CSV files named as a table are read.

    Raises ``EQUIPMENT_FOLDER`` where none is given; as `own_tables`.
    """
    document = read_document(text, where)
    name = document.get(_KEY) if isinstance(document, dict) else None
    if not isinstance(name, str) or not name:
        return text
    given = {
        path: content
        for path, content in files.items()
        if path.lower().endswith(".csv") and _table_of(path) is not None
    }
    if not given:
        raise _no_folder(name, "is not among the files supplied with the project.")
    tables = own_tables(given)
    if len(_LINE.findall(text)) != 1:
        return yaml_text({**document, _KEY: tables})
    written = yaml_text({_KEY: tables}).rstrip("\n")
    return _LINE.sub(lambda _: written, text)


def inlined_from(text: str, where: str, folder: Path) -> str:
    """Return the text of a project in `folder` with its own tables; raises as `with_folder`."""
    document = read_document(text, where)
    name = document.get(_KEY) if isinstance(document, dict) else None
    if not isinstance(name, str) or not name:
        return text
    return inlined(text, where, folder_files(name, folder))


def _table_of(path: str) -> str | None:
    """Return the table that a file is named as; None without one, or for several."""
    known = (SOURCES, *shipped_catalogue().schemas)
    parts = PurePosixPath(path).with_suffix("").parts
    for name in ("/".join(parts[-2:]), parts[-1]):
        if name in known:
            return name
    same = [name for name in known if name.rpartition("/")[2] == parts[-1]]
    return same[0] if len(same) == 1 else None


def _no_folder(name: str, message: str) -> FacilityError:
    return FacilityError(
        "EQUIPMENT_FOLDER",
        _KEY,
        f"{name[:60]!r} {message}",
        "Enter the name of a folder next to the project file that contains CSV files named after "
        "catalogue tables, e.g. ups.csv.",
    )
