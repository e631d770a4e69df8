"""Racks of a bill of materials: models and quantities, placed by rack units and power."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from facility.core.errors import FacilityError
from facility.core.parse import parse_count
from facility.files.incoming.columns import TableMap, TableQuestion, map_option
from facility.files.incoming.grid import cell_text
from facility.files.incoming.inventory.answers import Answers
from facility.files.incoming.inventory.listing import ListedRow
from facility.files.incoming.inventory.models import Models
from facility.files.incoming.inventory.positions import Content
from facility.files.incoming.inventory.racks import Collected, ListedRack, listed_halls
from facility.model.inputs.document import Project
from facility.model.inputs.entries import fields
from facility.model.it import Device
from facility.study.resolve.it.long_form import DEFAULT_RACK_UNITS

_CAN_NAME, _MAX_OFFERED = (None, "name", "note"), 6
"""Fields of the columns that are offered as rack names, and their number."""
_POWER = "it.halls[].racks[].power_limit"


def rack_question(tables: Sequence[TableMap], answers: Answers) -> TableQuestion | None:
    """Return the question for a missing rack column; None if a heading is or can be one.

    Columns that may name the racks are offered with their first values.
    """
    if answers.rack_power or answers.rack_units:
        return None
    for table in tables:
        if any(one.field == "rack" for one in table.columns):
            return None
        if any(re.search(r"\brack\b", one.text) for one in table.questions):
            return None
    shown: list[str] = []
    options: list[str] = []
    open_cells = {one.where for one in tables[0].questions}
    columns = [one for one in tables[0].columns if one.example and one.where not in open_cells]
    for one in columns:
        if one.field in _CAN_NAME and len(options) < _MAX_OFFERED:
            cells = tables[0].grid.values.items()
            below = sorted((at[0], cell_text(v)) for at, v in cells if at[1] == one.number)
            values = [text[:20] for row, text in below if row > tables[0].top]
            shown.append(f"{one.heading!r} ({', '.join(list(dict.fromkeys(values))[:3])})")
            options.append(map_option(one.heading, "rack", ""))
    named = f" Columns that can name the racks: {'; '.join(shown)}." if shown else ""
    column = f"{' or '.join(options)} for the rack column; else form racks by " * bool(options)
    return TableQuestion(
        tables[0].grid.location(tables[0].top, 1),
        f"there is no rack column; racks can be formed from the devices.{named}",
        f"Add {column}--rack-power '40 kW', --rack-units 48, or both.",
        "INVENTORY_RACKS",
    )


def form_racks(
    rows: Sequence[ListedRow],
    models: Models,
    devices: Mapping[str, Device],
    answers: Answers,
    project: Project,
) -> Collected:
    """Return racks for the devices of a bill of materials, each rack with one model.

    devices: Height and maximum power by model key.

    Raises ``TABLE_ANSWER`` for a rack power or height that is not valid.
    """
    found = Collected()
    limit_w, units = _limits(answers)
    if units is None:
        units = DEFAULT_RACK_UNITS
        found.notes.append(f"racks of {units} U (default; --rack-units states another height)")
    halls = listed_halls(rows, answers, project, found)
    counts: dict[tuple[str, str], int] = {}
    for row in rows:
        hall = halls.get((row.cells.get("site", ""), row.cells.get("room", "")), "")
        key = hall, models.key(row)
        counts[key] = counts.get(key, 0) + int(row.cells.get("devices", "1"))
    for (hall, model), count in counts.items():
        device = devices[model]
        each = min(
            units // device.rack_units,
            math.inf if limit_w is None else int(limit_w / device.maximum_w + 1e-9),
            100,
        )
        if each < 1:
            found.problems.append(
                FacilityError(
                    "INVENTORY_RACKS",
                    rows[0].at("model"),
                    f"{model} ({device.rack_units} U, {device.maximum_w / 1e3:g} kW) exceeds the "
                    "rack.",
                    "Increase --rack-power or --rack-units.",
                )
            )
            continue
        full, rest = divmod(count, int(each))
        for number, inside in ((full, int(each)), (1 if rest else 0, rest)):
            if number:
                name = model if inside == each else f"{model} ({inside} of {int(each)})"
                rack = ListedRack(hall, name[:64], rows[0].at("model"), number)
                rack.contents[model, ""] = Content(inside)
                if answers.rack_power:
                    rack.values["power_limit"] = answers.rack_power
                if answers.rack_units:
                    rack.values["rack_units"] = answers.rack_units
                found.racks.append(rack)
    return found


def _limits(answers: Answers) -> tuple[float | None, int | None]:
    """Return power [W] and height of the racks as answered."""
    limit_w = units = None
    try:
        reader = fields()[_POWER].type
        if answers.rack_power and reader is not None:
            limit_w = getattr(reader.read(answers.rack_power), "si", None)
    except FacilityError as error:
        raise FacilityError("TABLE_ANSWER", "--rack-power", error.message, error.hint) from None
    if answers.rack_units:
        units = parse_count(answers.rack_units, "--rack-units", minimum=1)
    return limit_w, units
