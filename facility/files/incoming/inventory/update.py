"""Update of a project from an inventory: equal racks as one type, manual edits retained."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from facility.core.errors import FacilityError
from facility.files.incoming.columns import TableQuestion
from facility.files.incoming.inventory.answers import Answers
from facility.files.incoming.inventory.models import described_devices
from facility.files.incoming.inventory.positions import (
    Content,
    position_change,
    type_positions,
    with_edits,
)
from facility.files.incoming.inventory.racks import ListedRack
from facility.model.inputs.change import Typed
from facility.model.inputs.document import Project, as_typed
from facility.model.inputs.entries import value_at
from facility.model.rack_names import names_of, runs_of
from facility.study.resolve.it.long_form import SHORT_FORM

_MAX_RUNS = 20_000
_MAX_TYPES = 500
_STATED: tuple[str, ...] = ("purpose", "feeds", "rack_units", "power_limit", "connector")
_NO_EDITS = json.dumps([{}, {}, ""])
_LISTED = ("name", "count", "names", "devices")
_Section = dict[str, Typed]


@dataclass(frozen=True)
class ListDifference:
    """A rack or a device that an import adds, changes, moves or removes."""

    change: str  # added, changed, moved, removed
    hall: str
    subject: str
    was: str = ""
    now: str = ""


@dataclass
class Update:
    """Changes of a project by path, and the differences that they make."""

    changes: dict[str, Typed] = field(default_factory=dict)
    differences: list[ListDifference] = field(default_factory=list)
    questions: list[TableQuestion] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass
class _Old:
    """A rack type of the project."""

    hall: str
    section: _Section
    columns: frozenset[str]  # Fields that the inventory states

    @cached_property
    def members(self) -> tuple[str, ...]:
        """Names of its racks; its own name for a type without."""
        names = self.section.get("names")
        if isinstance(names, list):
            return names_of(map(str, names), "it.halls[].racks[].names")
        return (self.name,)

    @property
    def name(self) -> str:
        return str(self.section.get("name"))

    @cached_property
    def edits(self) -> str:
        """Manual edits of the type and its devices, and its name if the user gave it."""
        section, columns = self.section, self.columns
        edits = [_edits(section, columns), _device_edits(section, columns)]
        return json.dumps([*edits, self.name if self.renamed else ""], sort_keys=True)

    @cached_property
    def contents(self) -> str:
        """Devices of one of its racks."""
        return _old_contents(self)

    @cached_property
    def renamed(self) -> bool:
        """Whether the user gave the type a name that its racks do not."""
        return self.name != type_name(self.members)


@dataclass
class _Group:
    """Equal racks of one hall: a rack type."""

    hall: str
    racks: list[ListedRack]
    old: _Old | None

    @property
    def members(self) -> list[str]:
        """Names of its racks."""
        return [rack.name for rack in self.racks]

    def names(self, key: tuple[str, str]) -> list[str]:
        """Return the names of the devices of a model; none unless every device has one."""
        names = [name for rack in self.racks for name in rack.contents[key].names]
        count = self.racks[0].contents[key].count * len(self.racks)
        return names if len(names) == count else []


def update_for(
    racks: Sequence[ListedRack],
    devices: Mapping[str, Mapping[str, Typed]],
    columns: frozenset[str],
    project: Project,
    answers: Answers,
) -> Update:
    """Return the changes that replace the racks of a project by an inventory.

    racks: Racks of the inventory.
    devices: Fields of described devices by model.
    columns: Fields that the inventory has a column for; all others of a rack are retained.

    Raises ``LIMIT`` for more rack types than a project holds.
    """
    found = Update()
    old_halls = _sections(as_typed(project), "it.halls")
    olds = [
        _Old(str(hall.get("name")), rack, columns)
        for hall in old_halls
        for rack in _sections(hall, "racks")
    ]
    by_member = {(old.hall, name): old for old in olds for name in old.members}
    _spell_as_before(racks, olds, by_member, found)
    listed_halls = dict.fromkeys(rack.hall for rack in racks)
    retained = _other_halls(old_halls, listed_halls, answers, found)
    groups = _groups(racks, by_member, found)
    _compare(groups, [old for old in olds if old.hall in listed_halls], by_member, columns, found)
    found.differences += [
        ListDifference(
            "removed", str(hall.get("name")), "hall", f"{len(_sections(hall, 'racks'))} types"
        )
        for hall in old_halls
        if str(hall.get("name")) not in listed_halls and hall not in retained
    ]
    described = described_devices(devices, project)
    if described != _sections(as_typed(project), "it.devices"):
        found.changes["it.devices"] = list(described)
    if found.differences:
        halls = _hall_sections(groups, old_halls, listed_halls, retained, columns, found)
        gone = [f"it.{name}" for name in SHORT_FORM]
        if olds:
            gone += ["panels.boards", "panels.cords"]
        document = as_typed(project)
        replaced = [path for path in gone if value_at(document, path) is not None]
        if replaced:
            found.notes.append(f"racks from the list replace {', '.join(replaced)}")
        found.changes |= {**dict.fromkeys(gone, ""), "it.halls": halls}
    return found


def _spell_as_before(
    racks: Sequence[ListedRack],
    olds: Sequence[_Old],
    by_member: Mapping[tuple[str, str], _Old],
    found: Update,
) -> None:
    """Give racks and devices the spelling of the project where only capitalization differs."""
    before = {(hall, name.casefold()): name for hall, name in by_member}
    names = [name for old in olds for name, _ in _old_locations(old)]
    exact, folded = set(names), {name.casefold(): name for name in names}
    changed: dict[str, str] = {}
    for rack in racks:
        same = before.get((rack.hall, rack.name.casefold()), rack.name)
        if (rack.hall, rack.name) not in by_member and same != rack.name:
            changed[rack.name] = same
            rack.name = same
        for content in rack.contents.values():
            for index, name in enumerate(content.names):
                spelled = name if name in exact else folded.get(name.casefold(), name)
                if spelled != name:
                    changed[name] = spelled
                    content.names[index] = spelled
    if changed:
        shown = ", ".join(f"{name} is {same}" for name, same in list(changed.items())[:8])
        found.notes.append(f"names that differ from the project only in capitalization: {shown}")


def difference_rows(
    differences: Iterable[ListDifference],
) -> Iterator[tuple[str, str, str, str, str]]:
    """Yield the differences; equal racks share one row, with their number after the names."""
    grouped: dict[tuple[str, str, str, str], list[str]] = {}
    for one in differences:
        grouped.setdefault((one.change, one.hall, one.was, one.now), []).append(one.subject)
    for (change, hall, was, now), subjects in grouped.items():
        runs = runs_of(subjects)
        shown = ", ".join(runs[:6]) + (f" and {len(runs) - 6} more" if len(runs) > 6 else "")
        number = f" ({len(subjects):,})" if len(subjects) > 1 else ""
        yield change, hall, f"{shown}{number}", was, now


def type_name(members: Sequence[str]) -> str:
    """Return the name of a rack type by its racks.

    >>> type_name(["R01", "R02", "R03"]), type_name(["R01", "X", "R09"]), type_name(["R1", "R3"])
    ('R01..R03', 'R01 and 2 more', 'R1, R3')
    """
    if len(members) <= 2:
        return ", ".join(members)
    runs = runs_of(members)
    return runs[0] if len(runs) == 1 else f"{members[0]} and {len(members) - 1} more"


def _other_halls(
    halls: Sequence[_Section], listed: Mapping[str, None], answers: Answers, found: Update
) -> list[_Section]:
    """Return the halls that are not listed and stay; whether they do is a question."""
    others = [hall for hall in halls if str(hall.get("name")) not in listed]
    if others and not answers.other_halls:
        names = ", ".join(repr(str(hall.get("name"))) for hall in others[:6])
        text = f"project halls not in the inventory: {names}."
        hint = "Add --other-halls keep, or --other-halls remove."
        found.questions.append(TableQuestion("it.halls", text, hint, "INVENTORY_HALL"))
    return others if answers.other_halls != "remove" else []


def _groups(
    racks: Sequence[ListedRack], by_member: Mapping[tuple[str, str], _Old], update: Update
) -> list[_Group]:
    """Return racks with equal contents, fields and manual edits as rack types."""
    found: dict[tuple[str, ...], _Group] = {}
    by_mark: dict[tuple[str, str], list[_Group]] = {}
    loose: list[tuple[tuple[str, str], ListedRack]] = []
    for rack in racks:
        old = by_member.get((rack.hall, rack.name))
        if rack.count is not None:
            found[rack.hall, "type", rack.name] = _Group(rack.hall, [rack], old)
            continue
        contents = sorted((*key, content.count) for key, content in rack.contents.items())
        mark = rack.hall, json.dumps([contents, rack.values], sort_keys=True)
        if old is None:
            loose.append((mark, rack))
            continue
        key = (*mark, old.edits)
        if key not in found:
            found[key] = _Group(rack.hall, [], old)
            by_mark.setdefault(mark, []).append(found[key])
        found[key].racks.append(rack)
    for mark, rack in loose:
        same = by_mark.get(mark, [])
        if len(same) == 1:
            same[0].racks.append(rack)
            old = same[0].old
            if old is not None and old.edits != _NO_EDITS:
                note = f"new racks join the identical type {old.name!r} and its manual edits"
                update.notes += [note] if note not in update.notes else []
        else:
            group = found.setdefault((*mark, ""), _Group(rack.hall, [], None))
            group.racks.append(rack)
    return list(found.values())


def _edits(section: Mapping[str, Typed], columns: frozenset[str]) -> _Section:
    """Return the fields of a rack type that the inventory does not state."""
    listed = {*_LISTED, *(columns & set(_STATED))}
    if columns & {"breaker", "poles", "rack_pdu"}:
        listed.add("circuits")
    return {name: value for name, value in section.items() if name not in listed}


def _device_edits(section: Mapping[str, Typed], columns: frozenset[str]) -> dict[str, Typed]:
    """Return the fields of the devices of a rack type that the inventory does not state."""
    listed = {"model", "count", "names", *({"power"} if "input_power" in columns else ())}
    listed |= {"u_positions"} if "position" in columns else set()
    found: dict[str, Typed] = {}
    for one in _sections(section, "devices"):
        edits: _Section = {name: value for name, value in one.items() if name not in listed}
        if edits:
            found[str(one.get("model"))] = edits
    return found


def _compare(
    groups: Sequence[_Group],
    olds: Sequence[_Old],
    by_member: Mapping[tuple[str, str], _Old],
    columns: frozenset[str],
    found: Update,
) -> None:
    """Add the differences of racks and devices between the project and the inventory."""
    listed: set[tuple[str, str]] = set()
    for group in groups:
        for rack in group.racks:
            location = rack.hall, rack.name
            listed.add(location)
            old = by_member.get(location)
            if old is None:
                found.differences.append(ListDifference("added", *location, "", _contents(rack)))
                continue
            both = list(_changed(rack, old, columns))
            if both:
                was, now = ("; ".join(one[side] for one in both) for side in (0, 1))
                found.differences.append(ListDifference("changed", *location, was, now))
    found.differences += [
        ListDifference("removed", old.hall, name, old.contents)
        for old in olds
        for name in old.members
        if (old.hall, name) not in listed
    ]
    if "name" in columns:
        before = {name: location for old in olds for name, location in _old_locations(old)}
        after = {
            name: (rack.hall, rack.name)
            for group in groups
            for key in group.racks[0].contents
            if group.names(key)
            for rack in group.racks
            for name in rack.contents[key].names
        }
        if before:
            found.differences += _moved(before, after)
        elif olds and after:
            text = f"{len(after):,} device names"
            found.differences.append(ListDifference("added", "", text))


def _moved(
    before: Mapping[str, tuple[str, str]], after: Mapping[str, tuple[str, str]]
) -> Iterator[ListDifference]:
    for name, location in after.items():
        if name not in before:
            yield ListDifference("added", location[0], name, "", f"device in {location[1]}")
        elif before[name] != location:
            was = before[name]
            yield ListDifference(
                "moved", location[0], name, f"{was[0]}, {was[1]}", f"{location[0]}, {location[1]}"
            )
    for name, was in before.items():
        if name not in after:
            yield ListDifference("removed", was[0], name, f"device in {was[1]}")


def _old_locations(old: _Old) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the names of the devices of a rack type, with hall and rack."""
    for one in _sections(old.section, "devices"):
        names = one.get("names")
        if isinstance(names, list):
            each = int(str(one.get("count", "1")))
            for number, name in enumerate(names_of(map(str, names))):
                rack = old.members[min(number // each, len(old.members) - 1)]
                yield name, (old.hall, rack)


def _contents(rack: ListedRack) -> str:
    return _listed_text(
        (content.count, model, power) for (model, power), content in rack.contents.items()
    )


def _old_contents(old: _Old) -> str:
    """Return the devices of a rack type; their power only where the inventory states it."""
    has_power = "input_power" in old.columns
    return _listed_text(
        (
            int(str(one.get("count", "1"))),
            str(one.get("model")),
            str(one.get("power") or "") if has_power else "",
        )
        for one in _sections(old.section, "devices")
    )


def _listed_text(contents: Iterator[tuple[int, str, str]]) -> str:
    parts = sorted((model, power, count) for count, model, power in contents)
    return ", ".join(
        f"{count} x {model}{f' at {power}' if power else ''}" for model, power, count in parts
    )


def _changed(rack: ListedRack, old: _Old, columns: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield the differences of a rack before and after: devices, number of racks, listed fields."""
    was, now = old.contents, _contents(rack)
    if was != now:
        yield was, now
    if "position" in columns:
        yield from position_change(rack.contents, old.section, old.members.index(rack.name))
    count_was = "1" if "names" in old.section else str(old.section.get("count", "1"))
    count_now = "1" if rack.count is None else str(rack.count)
    if count_was != count_now:
        yield f"{count_was} racks", f"{count_now} racks"
    names = [name for name in _STATED if name in columns]
    if columns & {"breaker", "poles", "rack_pdu"}:
        names.append("circuits")
    for name in names:
        before, after = old.section.get(name), rack.values.get(name)
        if json.dumps(before, sort_keys=True) != json.dumps(after, sort_keys=True):
            yield f"{name} {_shown(before)}", f"{name} {_shown(after)}"


def _shown(value: Typed) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "not stated" if value is None else str(value)


def _hall_sections(
    groups: Sequence[_Group],
    old_halls: Sequence[_Section],
    listed: Mapping[str, None],
    retained: Sequence[_Section],
    columns: frozenset[str],
    found: Update,
) -> list[Typed]:
    """Return the halls of the project after the import, known ones first."""
    sections = {str(hall.get("name")): hall for hall in old_halls}
    halls: list[Typed] = []
    names_left = _MAX_RUNS
    for name in dict.fromkeys((*sections, *listed)):
        before = sections.get(name, {"name": name})
        if name not in listed:
            halls += [before] if before in retained else []
            continue
        own = [group for group in groups if group.hall == name]
        if len(own) > _MAX_TYPES:
            raise FacilityError(
                "LIMIT",
                name,
                f"{len(own):,} racks with different contents exceed {_MAX_TYPES:,} rack types.",
                "Omit columns that differ by rack (--map 'HEADING=ignore').",
            )
        racks: list[Typed] = []
        used: set[str] = set()
        for group in own:
            section = _rack_section(group, columns, used)
            listings = (one.get("names") for one in (section, *_sections(section, "devices")))
            names_left -= sum(len(names) for names in listings if isinstance(names, list))
            if names_left < 0:
                for one in _sections(section, "devices"):
                    one.pop("names", None)
            racks.append(section)
        rows = {rack.row for group in own for rack in group.racks}
        stated: _Section = {"rows": str(len(rows))} if all(rows) else {}
        halls.append({**before, **stated, "racks": racks})
    if names_left < 0:
        found.notes.append(
            f"over {_MAX_RUNS:,} separate ranges of names; device names are not stored"
        )
    return halls


def _rack_section(group: _Group, columns: frozenset[str], used: set[str]) -> _Section:
    """Return a rack type, with the manual edits of the type that its racks had."""
    first, members, old = group.racks[0], group.members, group.old
    name = type_name(members)
    if old is not None and old.renamed:
        name = old.name
    name = type_name(members) if name in used else name
    used.add(name)
    count = len(members) if first.count is None else first.count
    section: _Section = {"name": name[:64], "count": str(count), **first.values}
    if first.count is None and len(members) > 1:
        section["names"] = list(runs_of(members))
    elif name != members[0]:
        section["names"] = [members[0]]
    edits = {} if old is None else _device_edits(old.section, columns)
    section["devices"] = [
        _device_section(key, content, group, edits) for key, content in first.contents.items()
    ]
    return section if old is None else {**_edits(old.section, columns), **section}


def _device_section(
    key: tuple[str, str], content: Content, group: _Group, edits: Mapping[str, Typed]
) -> _Section:
    model, power = key
    section: _Section = {"model": model, "count": str(content.count)}
    if power:
        section["power"] = power
    names = group.names(key)
    if names:
        section["names"] = list(runs_of(names))
    stated = type_positions([rack.contents[key] for rack in group.racks])
    if stated:
        section["u_positions"] = list(stated)
    edit = edits.get(model)
    return with_edits(section, edit, len(group.racks)) if isinstance(edit, dict) else section


def _sections(holder: Mapping[str, Typed], path: str) -> list[_Section]:
    found = value_at(holder, path)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
