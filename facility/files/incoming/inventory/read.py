"""Complete inventory: tables, questions, racks, and changes to a project."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from facility.core.errors import FacilityError
from facility.core.parse import parse_quantity
from facility.core.trace import Trace
from facility.files.incoming.columns import TableMap, TableQuestion
from facility.files.incoming.inventory.answers import NO_MODEL, Answers
from facility.files.incoming.inventory.bill import form_racks, rack_question
from facility.files.incoming.inventory.listing import ZERO_UNITS, ListedRow, Listing, read_rows
from facility.files.incoming.inventory.models import Models, described_devices, match_models
from facility.files.incoming.inventory.netbox import Joined, join_devices, join_racks
from facility.files.incoming.inventory.positions import overlaps
from facility.files.incoming.inventory.racks import (
    BETWEEN_FEEDS,
    ListedRack,
    collect_racks,
    plant_feeds,
)
from facility.files.incoming.inventory.roles import role_purposes
from facility.files.incoming.inventory.stated_power import (
    SAME_POWER,
    count_devices,
    state_powers,
    stated_powers,
)
from facility.files.incoming.inventory.tables import InventoryFile, Tables, read_tables
from facility.files.incoming.inventory.update import Update, update_for
from facility.model.inputs.document import Project
from facility.model.it import Device
from facility.study.resolve.it.devices import device_book

_DESIGNED = {"network": "switch", "storage": "storage", "management": "management"}
"""Sections that add racks of a category of devices to the listed ones."""
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass
class Inventory:
    """Result of reading an inventory: racks, open questions, and changes by an import."""

    tables: tuple[TableMap, ...] = ()
    questions: list[TableQuestion] = field(default_factory=list)
    problems: list[FacilityError] = field(default_factory=list)  # Rows not understood
    notes: list[str] = field(default_factory=list)
    rows: list[ListedRow] = field(default_factory=list)
    models: Models = field(default_factory=Models)
    racks: list[ListedRack] = field(default_factory=list)
    update: Update = field(default_factory=Update)
    after: Project | None = None  # Project with the racks; None while questions are open
    summary: str = ""
    sums: str = ""  # Powers and racks of the list and of the hall
    warning: str = ""  # Racks with another power than the list
    left_out: int = 0
    by_status: dict[str, int] = field(default_factory=dict)  # Rows left out, by status

    @property
    def ready(self) -> bool:
        """Whether all questions are answered and all rows are interpreted."""
        return self.after is not None and not self.questions and not self.problems

    @property
    def unread(self) -> list[str]:
        """Headings that are not read."""
        open_cells = {question.where for question in self.questions}
        return [
            column.heading
            for table in self.tables
            for column in table.columns
            if not column.carried and column.where not in open_cells
        ]


def read_inventory(
    sources: Sequence[InventoryFile], answers: Answers, project: Project
) -> Inventory:
    """Return the racks of files, and their changes to a project.

    Nothing is written. What is ambiguous is a question of the result; `ready` tells whether the
    project `after` can be accepted.

    Raises errors of reading a file, and ``TABLE_ANSWER`` for an answer that fits no table.
    """
    tables = read_tables(sources, answers)
    found = Inventory(tables.every)
    columns = frozenset(c.field for table in tables.inventory for c in table.columns if c.field)
    missing = rack_question(tables.inventory, answers)
    if missing is not None and "devices" not in columns:  # First: a power may be of the rack
        found.questions.append(missing)
        return found
    found.questions += [question for table in tables.every for question in table.questions]
    if found.questions:
        return found
    found.notes += [f"no cell contains {text!r} (--value)" for text in _unused(tables, answers)]
    listing = read_rows(tables.inventory, answers, needs_rack="rack" in columns)
    found.problems, found.left_out = listing.problems, listing.left_out
    found.by_status = listing.by_status
    found.questions += listing.questions
    if not listing.rows:
        if not found.questions and not found.problems:
            raise FacilityError(
                "INVENTORY_ROW", tables.every[0].grid.name, "there are no rows below the headings."
            )
        return found
    powers_w = stated_powers(listing) if "rack" in columns else {}
    if "rack" in columns:
        found.questions += count_devices(listing, answers, project)
    columns |= state_powers(listing)
    found.notes += listing.notes
    joined = join_devices(listing, tables.netbox, answers)
    purposes, open_roles = role_purposes(listing.rows, answers)
    found.questions += open_roles
    models = match_models(listing.rows, answers, project, purposes)
    found.rows, found.models = listing.rows, models
    found.questions += models.questions
    found.notes += models.notes
    _add(joined, found)
    racks = _racks(listing, models, purposes, answers, project, columns, found)
    in_racks = join_racks(racks, tables.netbox, plant_feeds(project), answers, columns)
    _add(in_racks, found)
    if racks and not found.questions:
        devices = _compare(racks, models, columns | in_racks.fields, project, answers, found)
        _compare_powers(racks, devices, powers_w, found)
    return found


def _unused(tables: Tables, answers: Answers) -> list[str]:
    """Return the cells named in answers that no table contains."""
    if not answers.values:
        return []
    cells = {
        " ".join(text.split()).casefold()
        for table in tables.every
        for value in table.grid.values.values()
        for text in (str(value), *BETWEEN_FEEDS.split(str(value)))
    }
    cells |= {ZERO_UNITS.casefold(), NO_MODEL}
    # A power in an answer is that of a model: "DGX H100 at 40.8 kW".
    return [
        text
        for text in answers.values
        if text not in cells and text.rpartition(" at ")[0] not in cells
    ]


def _add(joined: Joined, found: Inventory) -> None:
    found.questions += joined.questions
    found.problems += joined.problems
    found.notes += joined.notes


def _racks(
    listing: Listing,
    models: Models,
    purposes: dict[str, str],
    answers: Answers,
    project: Project,
    columns: frozenset[str],
    found: Inventory,
) -> list[ListedRack]:
    """Return the racks of the rows, or the racks formed from a bill of materials."""
    if "rack" in columns:
        collected = collect_racks(listing, models, purposes, answers, project)
    elif models.questions:
        return []
    elif (missing := rack_question(found.tables, answers)) is not None:
        found.questions.append(missing)
        return []
    else:
        described = project.with_({"it.devices": described_devices(models.devices, project)})
        heights = _book(described, models)
        collected = form_racks(listing.rows, models, heights, answers, project)
    found.racks = collected.racks
    found.questions += collected.questions
    found.problems += collected.problems
    found.notes += collected.notes
    return collected.racks


def _compare(
    racks: list[ListedRack],
    models: Models,
    columns: frozenset[str],
    project: Project,
    answers: Answers,
    found: Inventory,
) -> dict[str, Device]:
    """Compare the racks with the project; return the device of each model."""
    found.update = update_for(racks, models.devices, columns, project, answers)
    found.questions += found.update.questions
    found.notes += found.update.notes
    found.after = project.with_(found.update.changes) if found.update.changes else project
    devices = _book(found.after, models)
    _ask_for_designed(racks, devices, answers, found)
    found.notes += overlaps(
        [(r.name, r.contents, r.values.get("rack_units")) for r in racks], devices
    )
    found.summary = _summary(racks, devices, found)
    return devices


def _compare_powers(
    racks: Sequence[ListedRack],
    devices: Mapping[str, Device],
    powers_w: Mapping[str, float],
    found: Inventory,
) -> None:
    """Compare the powers that the list states with those of its racks."""
    listed_w = hall_w = stated_hall_w = 0.0
    number = stated = 0
    differing: dict[tuple[str, str], list[str]] = {}
    for rack in racks:
        count = 1 if rack.count is None else rack.count
        number += count
        rack_w, list_w = _rack_w(rack, devices), powers_w.get(rack.at)
        hall_w += count * rack_w
        if list_w is not None:
            stated += count
            listed_w += count * list_w
            stated_hall_w += count * rack_w
            if abs(rack_w - list_w) > SAME_POWER * list_w:
                pair = f"{list_w / 1e3:,.1f} kW", f"{rack_w / 1e3:,.1f} kW"
                line = rack.at.rpartition("!")[2].lstrip(_LETTERS)
                differing.setdefault(pair, []).append(f"{rack.name} (line {line})")
    part = f" of {number:,}" if stated < number else ""
    listed = (
        f"{listed_w / 1e3:,.1f} kW in {stated:,}{part} rack{'s' * (number != 1)}"
        if stated
        else "no rack power"
    )
    found.sums = (
        f"Sum of the list: {listed}. Hall: {hall_w / 1e3:,.1f} kW in {_counted(number, 'rack')}."
    )
    if differing or abs(stated_hall_w - listed_w) > SAME_POWER * listed_w:
        parts = [
            f"{', '.join(names[:12])}{f' and {len(names) - 12:,} more' * (len(names) > 12)}: "
            f"{was} in the list, {now} in the hall"
            for (was, now), names in differing.items()
        ]
        found.warning = f"The power of the hall differs from the list. {'; '.join(parts)}."


def _ask_for_designed(
    racks: Sequence[ListedRack], devices: dict[str, Device], answers: Answers, found: Inventory
) -> None:
    """Ask whether switches or nodes added by the project remain with the listed ones."""
    after = found.after
    if after is None:
        return
    listed = {devices[model].category for rack in racks for model, _ in rack.contents}
    sections = [
        name
        for name, category in _DESIGNED.items()
        if category in listed and getattr(after.it, name) is not None
    ]
    if sections and answers.designed == "remove":
        found.update.changes |= {f"it.{name}": "" for name in sections}
        found.notes.append(f"it.{', it.'.join(sections)} removed")
        found.after = after.with_({f"it.{name}": "" for name in sections})
    elif sections and not answers.designed:
        names = " and ".join(f"it.{name}" for name in sections)
        text = f"the list already contains devices that {names} adds."
        hint = "Add --designed remove if the list is complete, or --designed keep."
        found.questions.append(TableQuestion(f"it.{sections[0]}", text, hint, "INVENTORY_DESIGNED"))


def _book(project: Project, models: Models) -> dict[str, Device]:
    """Return the device of each model key."""
    book = device_book(project.it, Trace())
    return {key: book.get(key, "it.devices") for key in set(models.keys.values())}


def _summary(listed: Sequence[ListedRack], devices: dict[str, Device], found: Inventory) -> str:
    """Return the line that is confirmed: racks, devices, models, largest rack, rooms."""
    counts: dict[str, int] = {}
    racks, largest_w = 0, 0.0
    loads = {found.models.key(row) for row in found.rows if row.stated}
    for rack in listed:
        number = 1 if rack.count is None else rack.count
        racks += number
        for (model, _), content in rack.contents.items():
            kind = "server" if devices[model].category == "server" else "other device"
            kind = "stated load" if model in loads else kind
            counts[kind] = counts.get(kind, 0) + number * content.count
        largest_w = max(largest_w, _rack_w(rack, devices))
    rooms = len({rack.hall for rack in listed})
    parts = [
        _counted(racks, "rack"),
        *(_counted(count, kind) for kind, count in sorted(counts.items(), reverse=True)),
        _counted(len(devices), "model"),
        f"largest rack {largest_w / 1e3:.1f} kW",
        _counted(rooms, "room"),
    ]
    text = ", ".join(parts)
    if found.left_out:
        text += f"; {_counted(found.left_out, 'row')} left out"
    if found.by_status:
        text += f" (by status: {', '.join(f'{n:,} {s}' for s, n in found.by_status.items())})"
    if found.problems:
        text += f"; {_counted(len(found.problems), 'row')} invalid"
    return text


def _rack_w(rack: ListedRack, devices: Mapping[str, Device]) -> float:
    """Return the maximum power [W] of a rack, or the power that its devices state."""
    return sum(
        content.count
        * (parse_quantity(power, "active_power").si if power else devices[model].maximum_w)
        for (model, power), content in rack.contents.items()
    )


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' if number != 1 else ''}"
