"""Racks of an inventory: its rows collected by room and rack."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from facility.core.errors import FacilityError
from facility.files.incoming.columns import TableQuestion
from facility.files.incoming.inventory.answers import Answers
from facility.files.incoming.inventory.listing import ListedRow, Listing, distinct
from facility.files.incoming.inventory.models import Models
from facility.model.inputs.change import Typed
from facility.model.inputs.document import Project, as_typed
from facility.model.inputs.entries import fields, value_at
from facility.model.power.redundancy import default_feeds, scheme_name

FIRST_HALL = "Hall 1"
PURPOSES = tuple(fields()["it.halls[].racks[].purpose"].words)
_CIRCUIT = ("breaker", "poles", "rack_pdu")
_OF_THE_RACK = ("purpose", "feeds", "rack_units", "power_limit", *_CIRCUIT)
BETWEEN_FEEDS = re.compile(r"\s*(?:[,;/+&|]|\band\b)\s*")


@dataclass
class Content:
    """Devices of one model and one stated input power in a rack."""

    count: int = 0
    names: list[str] = field(default_factory=list)


@dataclass
class ListedRack:
    """A rack of an inventory, or a rack type with its number of racks."""

    hall: str
    name: str
    at: str  # Address of its first row
    count: int | None = None  # Number of racks of a type; None for one rack by its name
    contents: dict[tuple[str, str], Content] = field(default_factory=dict)  # By model and power
    values: dict[str, Typed] = field(default_factory=dict)  # Fields of the rack, as typed


@dataclass
class Collected:
    """Racks in the order of the inventory, and what is open."""

    racks: list[ListedRack] = field(default_factory=list)
    questions: list[TableQuestion] = field(default_factory=list)
    problems: list[FacilityError] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def role_purposes(
    rows: Sequence[ListedRow], answers: Answers
) -> tuple[dict[str, str], list[TableQuestion]]:
    """Return the rack purpose of each role, and the question for the roles that are none."""
    found: dict[str, str] = {}
    unknown: dict[str, ListedRow] = {}
    for text, row in distinct(rows, "purpose"):
        word = answers.meaning(text).casefold()
        if word in PURPOSES:
            found[text] = word
        else:
            unknown[text] = row
    if not unknown:
        return found, []
    first = next(iter(unknown.values()))
    heading = first.table.heading("purpose")
    shown = ", ".join(repr(text[:40]) for text in list(unknown)[:8])
    plural = "s are" if len(unknown) > 1 else " is"
    text = f"the role{plural} not a rack purpose ({', '.join(PURPOSES)}): {shown}."
    example = next(iter(unknown))[:40]
    hint = (
        f"Add --value '{example}=compute', --value '{example}=ignore' to omit its rows, or "
        f"--map '{heading}=ignore' to derive purposes from the devices."
    )
    return found, [TableQuestion(first.at("purpose"), text, hint, "INVENTORY_ROLE")]


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
    for row in listing.rows:
        cells = row.cells
        location = cells.get("site", ""), cells.get("room", "")
        key = halls.get(location, ""), cells["rack"]
        rack = by_name.get(key)
        if rack is None:
            rack = by_name[key] = ListedRack(key[0], key[1], row.at())
        content = rack.contents.setdefault(
            (models.key(row), cells.get("input_power", "")), Content()
        )
        content.count += int(cells.get("devices", "1"))
        if "name" in cells:
            content.names.append(cells["name"])
        for name in ("racks", *_OF_THE_RACK):
            if name in cells:
                stated.setdefault(key, {}).setdefault(name, set()).add(cells[name])
    has_counts = any("racks" in values for values in stated.values())
    for key, rack in by_name.items():
        if has_counts:
            rack.count = 1
        _set_values(rack, stated.get(key, {}), purposes, feeds, found)
    found.racks = list(by_name.values())
    return found


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
            heading = row.table.heading("feeds")
            message = (
                f"feed {strange[0][:40]!r} is not in the plant; the feeds are {', '.join(known)}."
            )
            hint = f"Add --value '{strange[0][:40]}={known[0]}', or --map '{heading}=ignore'."
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
        if same != hall and same not in existing:
            text = f"the rooms {same!r} and {hall!r} differ only in capitalization."
            hint = f"Add --value '{room or site}={same}', or rename one of them."
            found.questions.append(TableQuestion(row.at("room"), text, hint, "INVENTORY_ROOM"))
        halls[site, room] = same
    return halls


def hall_names(project: Project) -> list[str]:
    """Return the names of the halls of a project."""
    halls = value_at(as_typed(project), "it.halls")
    named = halls if isinstance(halls, list) else []
    return [str(one.get("name")) for one in named if isinstance(one, dict)]
