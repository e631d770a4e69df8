"""RacksDB files as a table: infrastructures, with the types of equipment and the rooms of racks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from facility.core.errors import FacilityError
from facility.files.incoming.grid import ReadCells
from facility.files.project.safe_yaml import read_document

HEADINGS = ("Room", "Rack", "Rack height", "Device name", "Model", "Device height", "Role")
MAX_ROWS = 200_000
_ROLES = {"nodes": "compute", "network": "network", "storage": "storage", "misc": ""}
_FOLDED = re.compile(r"(.*?)\[([\d,\-]+)\](.*)", re.DOTALL)
_HEIGHT = re.compile(r"(\d{1,3})u", re.IGNORECASE)


@dataclass(frozen=True)
class PlacedCells(ReadCells):
    """A table converted from another file type; each row has its location in that file."""

    sources: Mapping[int, str] = field(default_factory=dict)

    def location(self, row: int, column: int) -> str:
        """Return the location in the file."""
        return f"{self.name}, {self.sources.get(row, HEADINGS[column - 1])}"


@dataclass
class _Database:
    types: dict[str, dict[str, object]] = field(default_factory=dict)
    rooms: dict[str, tuple[str, str]] = field(default_factory=dict)  # Room and type of a rack
    layouts: list[tuple[str, dict[str, object]]] = field(default_factory=list)


def racksdb_table(files: Mapping[str, str]) -> ReadCells:
    """Return the equipment of the infrastructures of a RacksDB database.

    files: Text of each file by its path: a whole database, or files of its folders.

    Raises ``RACKSDB`` without an infrastructure; errors of reading YAML.
    """
    found = _Database()
    for name, text in files.items():
        document = read_document(text, name)
        if isinstance(document, dict):
            _read(document, name, found)
        elif isinstance(document, list):
            _add_types(document, found)
    rows = list(_rows(found))
    name = next(iter(files))
    if not rows:
        raise FacilityError(
            "RACKSDB",
            name,
            "no infrastructure lists racks with equipment.",
            "Add the infrastructure file with the rack layout.",
        )
    values: dict[tuple[int, int], str] = dict(
        zip(((1, c) for c in range(1, 8)), HEADINGS, strict=True)
    )
    sources = {}
    for number, (source, cells) in enumerate(rows, start=2):
        sources[number] = source
        values |= {(number, column): cell for column, cell in enumerate(cells, 1) if cell}
    return PlacedCells(name, values, {}, sources=sources)


def unfolded(text: str, where: str = "") -> list[str]:
    """Return the names of a folded set.

    Raises ``LIMIT`` for more than `MAX_ROWS` names.

    Examples
    --------
    >>> unfolded("cn[008-010,20]")
    ['cn008', 'cn009', 'cn010', 'cn20']
    """
    match = _FOLDED.fullmatch(text)
    if match is None:
        return [text]
    found: list[str] = []
    for part in match[2].split(","):
        first, _, last = part.partition("-")
        if not first.isdecimal() or (last and not last.isdecimal()):
            return [text]
        numbers = range(int(first), int(last or first) + 1)
        if len(found) + len(numbers) > MAX_ROWS:
            raise FacilityError("LIMIT", where, f"more than {MAX_ROWS:,} names.", "Split the file.")
        found += [f"{match[1]}{number:0{len(first)}d}{match[3]}" for number in numbers]
    return found


def _read(document: Mapping[str, object], name: str, found: _Database) -> None:
    types = document.get("types")
    if isinstance(types, dict):
        for listed in types.values():
            _add_types(_entries(listed), found)
    for center in _entries(document.get("datacenters")):
        _add_rooms(center, found)
    for one in _entries(document.get("infrastructures")):
        found.layouts += [
            (str(one.get("name", name)), rack) for rack in _entries(one.get("layout"))
        ]
    stem = PurePath(name).stem
    if "layout" in document:
        found.layouts += [(stem, rack) for rack in _entries(document["layout"])]
    elif "rooms" in document:
        _add_rooms(document, found)
    elif "model" in document:
        found.types[stem] = dict(document)


def _add_types(listed: Sequence[object], found: _Database) -> None:
    for one in listed:
        if isinstance(one, dict) and "id" in one:
            found.types[str(one["id"])] = one


def _add_rooms(center: Mapping[str, object], found: _Database) -> None:
    for room in _entries(center.get("rooms")):
        for row in _entries(room.get("rows")):
            for rack in _entries(row.get("racks")):
                for name in unfolded(str(rack.get("name"))):
                    found.rooms[name] = str(room.get("name")), str(rack.get("type", ""))


def _rows(found: _Database) -> Iterator[tuple[str, tuple[str, ...]]]:
    count = 0
    for infrastructure, rack in found.layouts:
        name = str(rack.get("rack", ""))
        room, kind = found.rooms.get(name, ("", ""))
        units = _units(found.types.get(kind, {}).get("slots"))
        for group, role in _ROLES.items():
            for one in _entries(rack.get(group)):
                type_id = str(one.get("type", ""))
                described = found.types.get(type_id, {})
                model = str(described.get("model") or type_id)
                height = _units(described.get("height"))
                source = f"{infrastructure}, rack {name}, {one.get('name')}"
                for device in unfolded(str(one.get("name", "")), source):
                    count += 1
                    if count > MAX_ROWS:
                        raise FacilityError("LIMIT", source, f"more than {MAX_ROWS:,} devices.")
                    yield source, (room, name, units, device, model, height, role)


def _units(height: object) -> str:
    match = _HEIGHT.fullmatch(str(height or ""))
    return match[1] if match else ""


def _entries(listed: object) -> list[dict[str, object]]:
    """Return the entries of a list, or of a mapping by name."""
    if isinstance(listed, dict):
        return [{"name": key, **one} for key, one in listed.items() if isinstance(one, dict)]
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
