"""Roles of the devices of an inventory: rack purposes, and passive items without power."""

from __future__ import annotations

import re
from collections.abc import Sequence

from facility.files.incoming.columns import IGNORE, TableQuestion, map_option
from facility.files.incoming.inventory.answers import Answers, value_option
from facility.files.incoming.inventory.listing import ListedRow, distinct
from facility.model.inputs.entries import fields

PURPOSES = tuple(fields()["it.halls[].racks[].purpose"].words)
_MAX_SHOWN = 8
_PASSIVE = re.compile(
    r"\b(?:patch|panels?|rangier\w*|panneaux?|brassage|cables?|cabling|c[âa]bles?|\w*kabel\w*|cords?"
    r"|fib(?:er|re)s?|optics?|transceivers?|mpo|blanking|blank|fillers?|brush|rails?|trays?|shelf"
    r"|shelves|covers?|pdus?|ap[78]\d{3}\w*|\w*steckdosen\w*|\w*leiste|installation"
    r"|commissioning|services?|warranty|support|licen[cs]es?|training|freight|shipping)\b",
    re.IGNORECASE,
)
_LIKELY = (
    (IGNORE, _PASSIVE),
    ("storage", re.compile(r"storage|nas\b|san\b|disk|speicher|stockage", re.IGNORECASE)),
    (
        "network",
        re.compile(r"switch|leaf|spine|router|firewall|netw|commut|r[ée]seau|netz", re.IGNORECASE),
    ),
    ("management", re.compile(r"manage|mgmt|oob|console|verwaltung|gestion", re.IGNORECASE)),
)


def is_passive(text: str) -> bool:
    """Return whether a model or a role names a part that draws no power.

    Examples
    --------
    >>> is_passive("24-port Cat6A patch panel"), is_passive("DGX H100")
    (True, False)
    """
    return _PASSIVE.search(text) is not None


def likely_meaning(role: str) -> str:
    """Return the purpose to propose for a role, or `IGNORE` for a passive item.

    Examples
    --------
    >>> likely_meaning("Leaf Switch"), likely_meaning("GPU Node"), likely_meaning("Patch Panel")
    ('network', 'compute', 'ignore')
    """
    return next((word for word, form in _LIKELY if form.search(role)), "compute")


def role_purposes(
    rows: Sequence[ListedRow], answers: Answers
) -> tuple[dict[str, str], list[TableQuestion]]:
    """Return the rack purpose of each role, and the question for unknown roles."""
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
    listed = list(unknown)[:_MAX_SHOWN]
    shown = ", ".join(repr(text[:40]) for text in listed)
    plural = "s are" if len(unknown) > 1 else " is"
    text = f"the role{plural} not a rack purpose ({', '.join(PURPOSES)}): {shown}."
    options = " ".join(value_option(text, likely_meaning(text)) for text in listed)
    hint = (
        f"Add {options}, with another purpose or {IGNORE} (omits the rows) if required,"
        f" or {map_option(heading, IGNORE, '')} to derive purposes from the devices."
    )
    return found, [TableQuestion(first.at("purpose"), text, hint, "INVENTORY_ROLE")]
