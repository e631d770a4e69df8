"""Columns of an inventory that are not read, though their headings name a power or a quantity."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from facility.files.incoming.columns import (
    IGNORE,
    TableMap,
    TableQuestion,
    answer_for,
    map_option,
    plain,
    proposed_unit,
)
from facility.files.incoming.grid import cell_text
from facility.files.incoming.meanings import is_per_rack, is_quantity

_POWER = re.compile(
    r"\b(?:kw|w|watts?|kilowatts?|kva|va|power|draw|leistung\w*|\w+leistung|puissance)\b"
)
_WRITTEN = re.compile(r"\b(kw|kilowatts?|w|watts?)\b")
_NUMBER = re.compile(r"\d[\d.,'’\s]*(?:k?W|k?VA|watts?|pcs|x|×|stk?\.?)?", re.IGNORECASE)
_POWERS = ("power_limit", "max_power", "typical_power", "input_power")
_QUANTITIES = ("devices", "racks")


def unread_questions(table: TableMap, answers: Mapping[str, str]) -> Iterator[TableQuestion]:
    """Yield a question for each unread column of power or quantity, and for devices per rack.

    answers: Field of a heading, as stated by the user; these columns raise no question.
    """
    open_cells = {question.where for question in table.questions}
    mapped = {column.field: column for column in table.columns}
    counted = mapped.get("devices") if "racks" in mapped else None
    if counted is not None and not (
        is_per_rack(plain(counted.heading)) or answer_for(counted.heading, counted.where, answers)
    ):
        yield TableQuestion(
            counted.where,
            f"{counted.heading!r} can be the devices in each rack or in all racks of a row.",
            f"Add {map_option(counted.heading, 'devices', '')} for devices in each rack; "
            "otherwise enter the quantity per rack.",
        )
    for column in table.columns:
        if column.field or column.where in open_cells:
            continue
        if answer_for(column.heading, column.where, answers):
            continue
        heading = plain(re.sub(r"[()\[\]]", " ", column.heading))
        meanings = (
            _QUANTITIES if is_quantity(heading) else _POWERS if _POWER.search(heading) else ()
        )
        if not meanings:
            continue
        below = [
            value
            for (row, number), value in table.grid.values.items()
            if number == column.number and row > table.top
            if _NUMBER.fullmatch(cell_text(value).strip())
        ]
        if not below:
            continue
        named = _WRITTEN.search(heading)
        unit = "" if named is None else "kW" if named[1].startswith("k") else "W"
        options = [
            map_option(
                column.heading,
                name,
                (unit or proposed_unit("active_power", "", below)) if meanings is _POWERS else "",
            )
            for name in meanings
        ]
        what = "a quantity" if meanings is _QUANTITIES else "a power"
        yield TableQuestion(
            column.where,
            f"the heading {column.heading!r} indicates {what}, but matches no field.",
            f"Add {' or '.join(options)}, or {map_option(column.heading, IGNORE, '')}.",
        )
