"""Checks that concern an object, by their subject."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from facility.core.check import Check
from facility.report.objects.objects import WHOLE, DesignObject, DesignObjects

_SPLIT = re.compile(r"[\s,;>()]+")
_RANGE = re.compile(r"(\S+?)(\d+) to (\S+?)(\d+) \(\d+ similar\)")
_SIMILAR = " similar)"  # Searched first: the pattern takes long where it does not match
_END = re.compile(r"^(.*?)(\d+)$")
_OF_ALL = ("similar", "worst at", "most loaded")
"""Words of a subject that represents every identical object."""
_OF_RACK = re.compile(r"^(?:servers of )?(?:rack )?(.+?)(?: \(\d+ of \d+\))?(?: \d+)?$")
_NAMES_CAUSE = "RIDE-THROUGH"
"""Start of the rules whose subject names the failed unit, not the unit that is affected."""


@dataclass(frozen=True)
class _Subject:
    """The objects that a subject refers to, by any of these."""

    ids: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()  # Kinds, and ids of a whole section
    rack_type: str = ""
    title: str = ""  # Of a water loop
    span: tuple[str, int, str, int] | None = None  # Panels from one number to another


class ObjectChecks:
    """Checks of a design by the object concerned.

    objects: The objects of the design.
    checks: Its known checks.
    """

    def __init__(self, objects: DesignObjects, checks: Iterable[Check]) -> None:
        self.checks = tuple(checks)
        self._objects = objects
        self._subjects = [
            tuple(_subject(objects, check.rule, text) for text in (check.subject, *check.alike))
            for check in self.checks
        ]

    def of(self, one: DesignObject) -> tuple[Check, ...]:
        """Return the checks that concern an object, including its outputs and parts."""
        family = [self._objects[tag] for tag in one.tags] or [one]
        if one.kind == "ups":
            family += [self._objects[id] for id in self._objects.children(one.id)]
        ids = {member.id for member in family}
        kinds = {member.kind for member in family}
        return tuple(
            check
            for check, subjects in zip(self.checks, self._subjects, strict=True)
            if any(
                not ids.isdisjoint(subject.ids)
                or not kinds.isdisjoint(subject.kinds)
                or not ids.isdisjoint(subject.kinds)
                or any(self._described(subject, member) for member in family)
                for subject in subjects
            )
        )

    def _described(self, subject: _Subject, one: DesignObject) -> bool:
        if subject.span is not None:
            return one.kind in ("panel", "busway") and _in_span(one.id, *subject.span)
        if one.kind == "rack":
            return self._objects.rack(one.id).kind.name == subject.rack_type
        return one.kind == "loop" and one.about == subject.title


def _subject(objects: DesignObjects, rule: str, text: str) -> _Subject:
    if _SIMILAR in text and (found := _RANGE.search(text)):
        first, low, last, high = found.groups()
        return _Subject(span=(first, int(low), last, int(high)))
    named = tuple(_named(objects, text))
    ids, kinds = frozenset(named), frozenset[str]()
    if named and any(words in text for words in _OF_ALL):
        kind = objects[named[-1]].kind  # of a circuit the equipment it feeds
        kinds = frozenset([kind]) if kind != "units" else kinds
    if named and not rule.startswith(_NAMES_CAUSE):
        return _Subject(ids, kinds)
    rack = _OF_RACK.match(text)
    declared = {name for words, names in _declared(rule) if words in text for name in names}
    return _Subject(ids, frozenset(declared), rack[1] if rack else "", text)


def _named(objects: DesignObjects, text: str) -> Iterator[str]:
    """Yield the objects that a subject names; a branch circuit names its panelboard."""
    if text in objects:
        yield text
        return
    for word in _SPLIT.split(text):
        for tag in (word, word.rpartition("-")[0]):
            if tag in objects and objects[tag].kind not in ("hall", *WHOLE):
                yield tag
                break


def _in_span(id: str, first: str, low: int, last: str, high: int) -> bool:
    mine = _END.match(id)
    if mine is None:
        return False
    if first == last:
        return mine[1] == first and low <= int(mine[2]) <= high
    return first <= mine[1] <= last


@cache
def _table() -> tuple[tuple[tuple[str, ...], str, tuple[str, ...]], ...]:
    text = Path(__file__).with_name("subjects.csv").read_text("utf-8")
    return tuple(
        (tuple(row["rules"].split()), row["words"], tuple(row["objects"].split()))
        for row in csv.DictReader(text.splitlines())
    )


@cache
def _declared(rule: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return words of a subject and the objects they mean, as the table declares for a rule."""
    return tuple(
        (words, names)
        for patterns, words, names in _table()
        if any(fnmatchcase(rule, pattern) for pattern in patterns)
    )
