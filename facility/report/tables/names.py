"""Plain names of rules, inputs and printed values, by their ids, paths and keys."""

from __future__ import annotations

import re

from facility.cooling.rules import RULES as COOLING_RULES
from facility.model.inputs.entries import field_at
from facility.power.rules import RULES as POWER_RULES
from facility.report.tables.summary import LABELS, LOOP_NAMES
from facility.study.rules import RULES as STUDY_RULES

_PARTS = {
    "fault": "available fault current",
    "fault_level": "fault level",
    "fed_from": "fed from",
    "output_breaker": "output breaker",
    "plate": "winding and neutral",
    "sccr": "short-circuit rating",
    "total_kva": "total",
    "volts": "voltage",
    "xr": "X/R",
}
"""Names of values by the last part of their key."""
_GROUPS = {
    "service": "Service load",
    "site": "Utility",
    "generator": "Generators",
    "setpoint": "set point",
    "loop": "",
    **LOOP_NAMES,
}
_PATTERNS = (
    (re.compile(r"(panel|circuit|cord|service|ups|110\.24) (\d+)"), r"\1 label, line \2"),
    (re.compile(r"\.(\d+)"), r", line \1"),
    (re.compile(r"(?<=[a-z])[._](?=[a-z])"), " "),
)
_INPUT = re.compile(r"[a-z]\w*(\.[^.:]+)+")


def rule_title(rule: str) -> str:
    """Return the title of a rule by id."""
    for rules in (POWER_RULES, COOLING_RULES, STUDY_RULES):
        if rule in rules:
            return rules[rule].title
    return rule


def input_name(path: str) -> str:
    """Return the name of an input or default: what it means, without the values it accepts."""
    field = field_at(path)
    if field is not None:
        return re.split("[:;] ", field.declared.meaning)[0]
    *groups, last = path.replace("_", " ").split(".")
    words = ", ".join((last, *(groups[1:] or groups)))
    return words[:1].upper() + words[1:]


def value_name(key: str) -> str:
    """Return the name of a printed value by its key: ``RPP-A01:fault``, ``feeder.drop_max``."""
    head, *parts = key.split(":")
    named = []
    for part in parts:
        words = _PARTS.get(part, part)
        for pattern, instead in _PATTERNS:
            words, changed = pattern.subn(instead, words)
            if changed:
                break
        named.append(words)
    return ", ".join((_subject(head, bool(parts)), *named))


def _subject(head: str, grouped: bool) -> str:
    if head in LABELS and not grouped:
        return LABELS[head]
    if field_at(head) is not None or (_INPUT.fullmatch(head) and not grouped):
        return f"{input_name(head)} ({head})"
    if not head[:1].islower():
        return rule_title(head).replace(">", " to ")
    words = (_GROUPS.get(word, word.replace("_", " ")) for word in head.split("."))
    return ", ".join(filter(None, words))
