"""Headings of branch readings with one column for each circuit: ``RPP-A01/1``, ``CKT 3 kW``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from facility.catalogue.series.time_words import is_time

_POLES = r"\d{1,3}(?:\s*[,;+&]\s*\d{1,3}){0,2}"
_WORD = r"(?:branch\s*)?(?:circuit|ckt|cct|way|pole|breaker|branch|channel|stromkreis|kreis)"
_UNIT = r"[(\[]?\s*(?P<unit>kva|kw|va|w|a|amps?|amperes?)\s*[)\]]?"
_PHASE = r"(?P<phase>(?:phase|ph|line|leg)\s*(?:l?[123]|[abc])|l[123]|[abc])"
_HEADING = re.compile(
    rf"(?:(?P<panel>\S(?:.{{0,60}}?\S)??)\s*(?P<sign>[/:|]|-|\s)\s*)??"
    rf"(?P<word>{_WORD}\s*(?:no\.?|number|id)?\s*[#:]?\s*)?(?P<poles>{_POLES})"
    rf"(?:[\s_.-]+{_PHASE}(?=[\s(\[]|\Z))?(?:[\s_-]*{_UNIT})?",
    re.IGNORECASE | re.ASCII,
)
_MAINS = re.compile(
    rf"(?:(?P<panel>\S(?:.{{0,60}}?\S)??)\s*[\s/:|-]\s*)?(?:mains?|main breaker|incomer|total)"
    rf"(?:[\s_.-]+{_PHASE}(?=[\s(\[]|\Z))?(?:[\s_-]*{_UNIT})?",
    re.IGNORECASE | re.ASCII,
)
_NAMED = re.compile(r"(?:phase|ph|line|leg)[\s_]*\w{1,2}\b|l1", re.IGNORECASE | re.ASCII)
_TAG = re.compile(r"(?=.*[A-Za-z])(?=.*\d)[\w.-]+", re.ASCII)
_PHASES = {"a": 0, "b": 1, "c": 2, "1": 0, "2": 1, "3": 2}
_MIN_COLUMNS = 2


@dataclass(frozen=True)
class CircuitColumn:
    """A column of readings of one circuit, or of the mains of a panel."""

    number: int  # Column, from 0
    panel: str  # Empty where the heading does not name one
    circuit: str  # Pole numbers; empty for the mains
    phase: int | None  # 0 to 2; None for the whole circuit
    unit: str  # A, kW, W, kVA or VA; empty where not stated


def circuit_columns(headings: Sequence[str]) -> list[CircuitColumn]:
    """Return the columns of circuits; empty if the headings are of another layout.

    Examples
    --------
    >>> [(c.panel, c.circuit, c.unit) for c in circuit_columns(["Time", "RPP-A01/1", "CKT 3 kW"])]
    [('RPP-A01', '1', ''), ('', '3', 'kW')]
    """
    found = [column for n, text in enumerate(headings) if (column := _column(n, text))]
    letters = Counter((one.panel, one.circuit) for one in found if one.phase is not None)
    # ``RPP-A01/1 A`` without B and C is in amperes.
    found = [
        CircuitColumn(one.number, one.panel, one.circuit, None, one.unit or "A")
        if one.phase == 0
        and letters[one.panel, one.circuit] == 1
        and not _NAMED.search(headings[one.number])
        else one
        for one in found
    ]
    circuits = {(one.panel, one.circuit) for one in found if one.circuit}
    times = any(is_time(text) for text in headings)
    return found if times and len(circuits) >= _MIN_COLUMNS else []


def _column(number: int, heading: str) -> CircuitColumn | None:
    text = " ".join(heading.replace("_", " ").split())[:120]
    match = _MAINS.fullmatch(text) or _HEADING.fullmatch(text)
    if match is None or is_time(heading):
        return None
    groups = match.groupdict()
    panel = re.sub(r"^panel\s+", "", groups["panel"] or "", flags=re.IGNORECASE)
    poles = re.sub(r"[\s;+&]+", ",", groups.get("poles") or "").replace(",,", ",")
    if "poles" in groups and not groups["word"]:
        tagged = bool(panel) and (groups["sign"] in "/:|" or _TAG.fullmatch(panel) is not None)
        if not tagged:
            return None  # ``Load 1``: neither a panel nor the word circuit
    phase, unit = groups["phase"], (groups["unit"] or "").casefold()
    unit = {"kw": "kW", "w": "W", "kva": "kVA", "va": "VA", "": ""}.get(unit, "A")
    return CircuitColumn(
        number, panel, poles, _PHASES[phase[-1].casefold()] if phase else None, unit
    )
