"""Labels of the results, steps and assumptions of a design."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from facility.model.inputs.declare import leaves
from facility.model.inputs.document import Project
from facility.report.tables.summary import LABELS, part_name

_PARTS = {
    "losses.": "Losses: {}",
    "cooling.": "Cooling power: {}",
    "pue.part.losses.": "PUE, losses: {}",
    "pue.part.cooling.": "PUE, cooling: {}",
}
_WITHIN = {
    "energy.annual.": "Annual energy: {}",
    "cost.annual.": "Annual electricity cost: {}",
    "cost.ownership.": "Annual cost of ownership (priced items): {}",
    "annual.peak.": "Annual peak demand: {}",
    "annual.load.": "Annual: {}",
}
"""Prefixes of result labels that are short within their section."""
_UPPER = (
    "ups pue it ite crah cdu pdu gpu wue cue ere erf cop lv mv va rpp tcs fws chw psu nec iec ac dc"
)
_SHORT = {word: word.upper() for word in _UPPER.split()} | {"kva": "kVA", "kw": "kW"}
OF_CELL = " · "
"""Separator of row name and column heading in the id of a table cell."""
_ENTRY = re.compile(r"\.\d+(?=\.|$)")


def title_of(id: str) -> str:
    """Return the label of a result, a step or an assumption."""
    if id in LABELS:
        within = next((words for start, words in _WITHIN.items() if id.startswith(start)), "{}")
        return within.format(LABELS[id])
    if OF_CELL in id:  # a cell of a table
        return id
    for prefix, words in _PARTS.items():
        if id.startswith(prefix) and "." not in id[len(prefix) :]:
            return words.format(part_name(id))
    return _meanings().get(_ENTRY.sub("[]", id)) or _spelled(id)


def _spelled(id: str) -> str:
    """Return the id spelled as words."""
    words = id.replace("_", " ").split(".")
    named = [" ".join(_SHORT.get(word, word) for word in part.split()) for part in words]
    text = ", ".join(named)
    return text[:1].upper() + text[1:]


@cache
def _meanings() -> Mapping[str, str]:
    """Return the meaning of each input, by its path with ``[]`` for a list."""
    return {entry.path: entry.declared.meaning for entry in leaves(Project)}
