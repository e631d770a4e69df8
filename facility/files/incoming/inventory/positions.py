"""U positions of an inventory: of the devices of a rack, and of the racks of a type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from facility.files.incoming.inventory.listing import ListedRow
from facility.model.inputs.change import Typed
from facility.model.it import Device
from facility.model.rack_names import names_of
from facility.model.rack_positions import NOT_STATED, lowest_unit, unit_conflicts


@dataclass
class Content:
    """Devices of one model and one stated input power in a rack."""

    count: int = 0
    names: list[str] = field(default_factory=list)
    positions: list[str] = field(default_factory=list)  # Lowest rack unit of each device


Contents = Mapping[tuple[str, str], Content]
"""Devices of a rack by model and power."""


def listed_positions(text: str, devices: int) -> list[str]:
    """Return the position of each device of a row; a single cell positions the first device."""
    lowest = lowest_unit(text)
    first = NOT_STATED if lowest is None else f"{lowest:g}"
    return [first, *[NOT_STATED] * (devices - 1)]


def unread_positions(rows: Sequence[ListedRow]) -> list[str]:
    """Return the note on positions that are not rack units, such as ``rear``."""
    texts = [row for row in rows if row.cells.get("position")]
    strange = [row for row in texts if lowest_unit(row.cells["position"]) is None]
    if not strange:
        return []
    shown = ", ".join(dict.fromkeys(repr(row.cells["position"][:20]) for row in strange[:6]))
    first = strange[0].at("position")
    plural = "s are" if len(strange) > 1 else " is"
    return [f"{len(strange):,} position{plural} not in rack units: {shown}, first {first}"]


def type_positions(racks: Sequence[Content]) -> list[Typed]:
    """Return the positions of the devices of a model in equal racks, as in the project.

    One rack stands for all if their positions are equal; empty if none is stated.
    """
    by_rack = [content.positions for content in racks]
    if all(text == NOT_STATED for texts in by_rack for text in texts):
        return []
    same = all(texts == by_rack[0] for texts in by_rack)
    return [text for texts in (by_rack[:1] if same else by_rack) for text in texts]


def position_change(
    contents: Contents, section: Mapping[str, Typed], rack: int
) -> Iterator[tuple[str, str]]:
    """Yield the positions of the devices of a rack before and after, if they differ.

    section: Rack type of the project.
    rack: Index of the rack in its type.
    """
    now = sorted(
        pair
        for content in contents.values()
        for pair in _named(content.names, content.positions)
        if pair[1] != NOT_STATED
    )
    was: list[tuple[str, str]] = []
    devices = section.get("devices")
    for one in devices if isinstance(devices, list) else []:
        listed = one.get("u_positions") if isinstance(one, dict) else None
        if isinstance(one, dict) and isinstance(listed, list):
            count, names = int(str(one.get("count", "1"))), one.get("names")
            first = 0 if len(listed) <= count else rack * count
            own = names_of(map(str, names)) if isinstance(names, list) else ()
            own = own[rack * count : (rack + 1) * count]
            was += _named(own, [str(text) for text in listed[first : first + count]])
    was = sorted(pair for pair in was if pair[1] != NOT_STATED)
    if was != now:
        shown = [sorted((text for _, text in pairs), key=float) for pairs in (was, now)]
        with_names = shown[0] == shown[1]
        before, after = (
            ", ".join(f"{name} U{text}" for name, text in pairs)
            if with_names
            else ", ".join(f"U{text}" for text in texts) or "U positions not stated"
            for pairs, texts in zip((was, now), shown, strict=True)
        )
        yield before, after


def _named(names: Sequence[str], positions: Sequence[str]) -> list[tuple[str, str]]:
    has_names = len(names) == len(positions)
    return [(names[n] if has_names else "", text) for n, text in enumerate(positions)]


def with_edits(
    section: dict[str, Typed], edits: Mapping[str, Typed], racks: int
) -> dict[str, Typed]:
    """Return devices of a type with manual edits, without positions of a different number."""
    listed, count = edits.get("u_positions"), int(str(section["count"]))
    fits = not isinstance(listed, list) or len(listed) in (count, count * racks)
    retained = {name: value for name, value in edits.items() if fits or name != "u_positions"}
    return {**retained, **section}


def overlaps(
    racks: Sequence[tuple[str, Contents, Typed | None]], devices: Mapping[str, Device]
) -> list[str]:
    """Return the note on devices that overlap in a rack or exceed its height.

    racks: Name, contents and height [U] of each rack.
    """
    found = [
        f"rack {name}: {text}"
        for name, contents, units in racks
        for text in unit_conflicts(
            (
                (called or model, lowest_unit(position), devices[model].rack_units)
                for (model, _), content in contents.items()
                for called, position in _named(content.names, content.positions)
            ),
            int(str(units)) if units else None,
        )
    ]
    if not found:
        return []
    more = f"; {len(found) - 4:,} more" if len(found) > 4 else ""
    return [f"U positions: {'; '.join(found[:4])}{more}"]
