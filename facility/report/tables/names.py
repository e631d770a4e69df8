"""Plain names of rules, inputs and printed values, by their ids, paths and keys."""

from __future__ import annotations

import re
from collections.abc import Sequence

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
    (re.compile(r"(panel|circuit|cord|service|ups|110\.24|408\.6) (\d+)"), r"\1 label, line \2"),
    (re.compile(r"\.(\d+)"), r", line \1"),
    (re.compile(r"(?<=[a-z])[._](?=[a-z])"), " "),
)
_NUMBER = re.compile(r"\d{1,9}\Z", re.ASCII)
_INPUT = re.compile(r"[a-z]\w*(\.[^.:]+)+")


def rule_title(rule: str) -> str:
    """Return the title of a rule by id."""
    for rules in (POWER_RULES, COOLING_RULES, STUDY_RULES):
        if rule in rules:
            return rules[rule].title
    return rule


def input_name(path: str) -> str:
    """Return the name of an input or default: its meaning without the accepted values."""
    field = field_at(path)
    if field is not None:
        return re.split("[:;] ", field.declared.meaning)[0]
    *groups, last = path.replace("_", " ").split(".")
    words = ", ".join((last, *(groups[1:] or groups)))
    words = re.sub(r"\b(it|ups|pue)\b", lambda found: found[0].upper(), words)
    return words[:1].upper() + words[1:]


def tag_list(tags: Sequence[str]) -> str:
    """Return tags with each run of consecutive numbers as first and last: ``A1 to A3, A5``."""
    runs: list[list[str]] = []
    following = ""
    for tag in tags:
        if following and tag == following:
            runs[-1].append(tag)
        else:
            runs.append([tag])
        found = _NUMBER.search(tag)
        following = f"{tag[: found.start()]}{int(found[0]) + 1:0{len(found[0])}d}" if found else ""
    words = (f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(run) for run in runs)
    return ", ".join(words)


def value_name(key: str) -> str:
    """Return the name of a printed value by its key: ``RPP-A01:fault``, ``feeder.drop_max``."""
    head, *parts = key.split(":")
    if head in LABELS and not parts:
        named = [LABELS[head]]
    elif field_at(head) is not None or (_INPUT.fullmatch(head) and not parts):
        named = [f"{input_name(head)} ({head})"]
    elif head[:1].islower():
        words = (_GROUPS.get(word, word.replace("_", " ")) for word in head.split("."))
        named = [", ".join(filter(None, words))]
    else:
        named = [rule_title(head).replace(">", " to ")]
    for part in parts:
        text = _PARTS.get(part, part)
        for pattern, instead in _PATTERNS:
            text, changed = pattern.subn(instead, text)
            if changed:
                break
        named.append(text)
    return ", ".join(named)
