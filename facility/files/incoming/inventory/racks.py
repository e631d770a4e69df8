"""Racks of an inventory: its rows collected by room and rack."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from facility.core.errors import FacilityError
from facility.files.incoming.columns import IGNORE, TableQuestion, map_option
from facility.files.incoming.inventory.answers import Answers, value_option
from facility.files.incoming.inventory.listing import ListedRow, Listing, distinct
from facility.files.incoming.inventory.models import Models
from facility.files.incoming.inventory.positions import Content, listed_positions, unread_positions
from facility.model.inputs.change import Typed
from facility.model.inputs.document import Project, as_typed
from facility.model.inputs.entries import value_at
from facility.model.power.redundancy import default_feeds, scheme_name

FIRST_HALL = "Hall 1"
_CIRCUIT = ("breaker", "poles", "rack_pdu")
_OF_THE_RACK = ("purpose", "feeds", "rack_units", "power_limit", "connector", *_CIRCUIT)
BETWEEN_FEEDS = re.compile(r"\s*(?:[,;/+&|]|\band\b)\s*")


@dataclass
class ListedRack:
    """A rack of an inventory, or a rack type with its number of racks."""

    hall: str
    name: str
    at: str  # Address of its first row
    count: int | None = None  # Number of racks of a type; None for one rack by its name
    row: str = ""  # Row of the hall, as written
    contents: dict[tuple[str, str], Content] = field(default_factory=dict)  # By model and power
    values: dict[str, Typed] = field(default_factory=dict)  # Fields of the rack, as typed


@dataclass
class Collected:
    """Racks in the order of the inventory, and open questions."""

    racks: list[ListedRack] = field(default_factory=list)
    questions: list[TableQuestion] = field(default_factory=list)
    problems: list[FacilityError] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def plant_feeds(project: Project) -> tuple[str, ...]:
    """Return the feeds of the plant; empty where the redundancy is to be designed."""
    if project.power.feeds is not None:
        return tuple(project.power.feeds)
    stated = project.power.redundancy
    return () if stated is None else default_feeds(scheme_name(stated, "power.redundancy"))


def collect_racks(
    listing: Listing,
    models: Models,
    purposes: Mapping[str, str],
    answers: Answers,
    project: Project,
) -> Collected:
    """Return the racks of the rows; rows with the same room and rack are one rack."""
    found = Collected()
    halls = listed_halls(listing.rows, answers, project, found)
    feeds = _feeds(listing.rows, answers, plant_feeds(project), found)
    by_name: dict[tuple[str, str], ListedRack] = {}
    stated: dict[tuple[str, str], dict[str, set[str]]] = {}
    spelled: dict[str, str] = {}
    in_rows = any(meaning.split()[0] == "row" for meaning in answers.columns.values())
    for row in listing.rows:
        cells = row.cells
        location = cells.get("site", ""), cells.get("room", "")
        hall, name = halls.get(location, ""), cells["rack"]
        hall_row = cells.get("row", "")
        if in_rows and hall_row and not name.startswith(f"{hall_row}-"):
            name = f"{hall_row}-{name}"
        key = hall, name.casefold()
        rack = by_name.get(key)
        if rack is None:
            rack = by_name[key] = ListedRack(hall, name, row.at(), row=hall_row)
        elif rack.name != name:
            spelled[name] = rack.name
        if not in_rows and hall_row not in ("", rack.row) and not found.questions:
            found.questions.append(_rows_question(row, rack, rack.row))
        content = rack.contents.setdefault(
            (models.key(row), cells.get("input_power", "")), Content()
        )
        number = int(cells.get("devices", "1"))
        content.count += number
        content.positions += listed_positions(cells.get("position", ""), number)
        if "name" in cells:
            content.names.append(cells["name"])
        for name in ("racks", *_OF_THE_RACK):
            if name in cells:
                stated.setdefault(key, {}).setdefault(name, set()).add(cells[name])
    found.notes += unread_positions(listing.rows)
    has_counts = any("racks" in values for values in stated.values())
    for key, rack in () if found.questions else by_name.items():
        if has_counts:
            rack.count = 1
        _set_values(rack, stated.get(key, {}), purposes, feeds, found)
    found.racks = list(by_name.values())
    if spelled:
        shown = ", ".join(f"{text} is {name}" for text, name in list(spelled.items())[:8])
        found.notes.append(
            f"rack names that differ only in capitalization are read as one rack: {shown}"
        )
    return found


def _rows_question(row: ListedRow, rack: ListedRack, before: str) -> TableQuestion:
    """Return the question whether equal rack names in two rows of a hall are one rack."""
    heading, text = row.table.heading("row"), row.cells["row"]
    return TableQuestion(
        row.at("row"),
        f"rack {rack.name[:40]} is listed in row {before[:40] or 'blank'} and in row {text[:40]}.",
        f"Add {map_option(heading, 'row', '')} if the racks are different (named "
        f"{text[:40]}-{rack.name[:40]}), or {map_option(heading, IGNORE, '')} if it is one rack.",
    )


def _set_values(
    rack: ListedRack,
    stated: Mapping[str, set[str]],
    purposes: Mapping[str, str],
    feeds: Mapping[str, tuple[str, ...]],
    found: Collected,
) -> None:
    """Set the fields of a rack from the cells of its rows; cells that differ are a problem."""
    for name, texts in stated.items():
        if name == "purpose":
            words = sorted({purposes.get(text, "") for text in texts} - {""})
            if len(words) == 1:
                rack.values["purpose"] = words[0]
        elif name == "feeds":
            named = {feed: None for text in sorted(texts) for feed in feeds.get(text, ())}
            if named:
                rack.values["feeds"] = list[Typed](sorted(named))
        elif name == "connector":
            rack.values[name] = ", ".join(sorted(texts))[:64]
        elif len(texts) > 1:
            first, second = sorted(texts)[:2]
            found.problems.append(
                FacilityError(
                    "INVENTORY_ROW",
                    rack.at,
                    f"rack {rack.name[:40]} has {name} {first[:40]} and {second[:40]}.",
                    "Rename different racks, or map the column to another field.",
                )
            )
        elif name == "racks":
            rack.count = int(next(iter(texts)))
        else:
            rack.values[name] = next(iter(texts))
    circuit = {name: rack.values.pop(name) for name in _CIRCUIT if name in rack.values}
    sides = rack.values.get("feeds")
    if circuit and isinstance(sides, list):
        rack.values["circuits"] = [{"feed": feed, **circuit} for feed in sides]
    elif circuit:
        note = "breakers, poles and rack PDUs are not read: there is no feed column"
        found.notes += [note] if note not in found.notes else []


def _feeds(
    rows: Sequence[ListedRow], answers: Answers, known: Sequence[str], found: Collected
) -> dict[str, tuple[str, ...]]:
    """Return the feeds of each text; one that the plant does not have is a question."""
    feeds: dict[str, tuple[str, ...]] = {}
    for text, row in distinct(rows, "feeds"):
        parts = [answers.meaning(part) for part in BETWEEN_FEEDS.split(answers.meaning(text))]
        named = tuple(dict.fromkeys(part for part in parts if part))
        by_fold = {feed.casefold(): feed for feed in known}
        strange = [feed for feed in named if known and feed.casefold() not in by_fold]
        if strange:
            ignored = map_option(row.table.heading("feeds"), IGNORE, "")
            message = (
                f"feed {strange[0][:40]!r} is not in the plant; the feeds are {', '.join(known)}."
            )
            hint = f"Add {value_option(strange[0], known[0])}, or {ignored}."
            found.questions.append(TableQuestion(row.at("feeds"), message, hint, "UNKNOWN_FEED"))
        feeds[text] = tuple(by_fold.get(feed.casefold(), feed) for feed in named)
    return feeds


def listed_halls(
    rows: Sequence[ListedRow], answers: Answers, project: Project, found: Collected
) -> dict[tuple[str, str], str]:
    """Return the hall of each site and room of the rows."""
    locations: dict[tuple[str, str], ListedRow] = {}
    for row in rows:
        locations.setdefault((row.cells.get("site", ""), row.cells.get("room", "")), row)
    existing = hall_names(project)
    several = len({site for site, _ in locations if site}) > 1
    halls: dict[tuple[str, str], str] = {}
    by_fold = {name.casefold(): name for name in existing}
    for (site, room), row in locations.items():
        named = answers.meaning(room) or answers.room
        with_site = " ".join(part for part in (site, named) if part)
        is_long = several or not named or with_site.casefold() in by_fold
        hall = with_site if is_long else named
        if not hall and len(existing) > 1:
            text = f"there is no room column, and the project has {len(existing)} halls."
            hint = f"Add --room '{existing[0]}', or the name of another hall."
            found.questions.append(TableQuestion(row.at(), text, hint, "INVENTORY_ROOM"))
        if not hall and not existing:
            found.notes.append(f"no room column; the racks are in {FIRST_HALL}")
        hall = hall or (existing[0] if existing else FIRST_HALL)
        same = by_fold.setdefault(hall.casefold(), hall)
        if same != hall:
            found.notes.append(
                f"room {hall} is read as {same}; the names differ only in capitalization"
            )
        halls[site, room] = same
    return halls


def hall_names(project: Project) -> list[str]:
    """Return the names of the halls of a project."""
    halls = value_at(as_typed(project), "it.halls")
    named = halls if isinstance(halls, list) else []
    return [str(one.get("name")) for one in named if isinstance(one, dict)]
