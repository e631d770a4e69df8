"""Look for the change of a project that clears a violation, and prove it by designing it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from facility.core.check import Check, Severity
from facility.core.errors import FacilityError
from facility.core.table import Value
from facility.model.inputs.document import Project, as_typed
from facility.study.design.design import Design, design
from facility.study.fixes.fields import fields_of

MOST_DESIGNS = 24
"""Designs that are tried for one project; what is not found by then is not proposed."""
_MOST_ENTRIES = 6
"""Entries of a list that are released one by one; beyond, all of them together."""
ALSO = ("INSTALLED-SURPLUS",)
"""Warnings for which a fix is sought as for a violation."""
_SHOWN = (
    "ups.modules",
    "ups.module_rating",
    "transformer.count",
    "transformer.rating_kva",
    "generator.count",
    "generator.rating",
    "crah.count",
    "cdu.count",
    "plant.chiller_count",
    "load.racks",
    "load.facility",
    "pue.design",
)
"""Results that a fix is shown to move: what is installed, and what it costs in power."""
Mark = tuple[str, str]
"""Rule and subject of a check."""


class Effect(NamedTuple):
    """A result that a fix moves."""

    key: str
    before: Value
    after: Value


@dataclass(frozen=True)
class Fix:
    """A change that clears a violation and makes none."""

    rule: str  # Of the check that it is for
    subject: str
    changes: Mapping[str, str]  # Paths of fields, and what to type; empty: left to be designed
    stated: Mapping[str, str]  # What these fields say before it
    cleared: tuple[Mark, ...]  # Every violation that is gone with it
    effects: tuple[Effect, ...]  # What it moves of what is installed

    @property
    def reason(self) -> str:
        """What it changes, in words."""
        fields = ", ".join(
            f"{path} ({self.stated[path]})" if self.stated[path] else path for path in self.changes
        )
        more = len(self.cleared) - 1
        others = f" and {more} other{'s' if more > 1 else ''}" if more > 0 else ""
        passes = "pass" if more > 0 else "passes"
        return f"Leave {fields} to be designed: this{others} {passes}, and nothing new fails."

    @property
    def moves(self) -> str:
        """What of the equipment it moves, in words; empty where nothing."""
        shown = (f"{key} {one.shown()} -> {other.shown()}" for key, one, other in self.effects)
        return ", ".join(shown)

    def as_json(self) -> dict[str, object]:
        """Return it as an entry of the list ``fixes`` of the JSON contract."""
        return {
            "rule": self.rule,
            "subject": self.subject,
            "set": [f"{path}={value}" for path, value in self.changes.items()],
            "stated": dict(self.stated),
            "cleared": [{"rule": rule, "subject": subject} for rule, subject in self.cleared],
            "reason": self.reason,
        }


def fixes(
    found: Design, tell: Callable[[int], None] | None = None, most: int = MOST_DESIGNS
) -> dict[Mark, Fix]:
    """Return a fix of each violation that has one, by rule and subject.

    Each has been designed and studied as a whole: the violation is gone, and no other is there
    that was not before.

    tell: Told how many designs have been tried; may raise to end the search.
    most: Designs that are tried at most.
    """
    tried = _Tried(found, tell or (lambda _: None), most)
    against = [c for c in found.checks if _counts(c) or (c.failed and c.rule in ALSO)]
    proposals = ((_mark(check), _fix(found, check, tried)) for check in against)
    return {mark: fix for mark, fix in proposals if fix is not None}


def _fix(found: Design, check: Check, tried: _Tried) -> Fix | None:
    before = _violations(found.checks)
    for changes in _candidates(found.project, fields_of(check.rule)):
        after = tried.with_released(changes)
        if after is None or _mark(check) in _failures(after.checks):
            continue
        left = _violations(after.checks)
        if left - before or any(c.rule == check.rule for c in after.checks if _is_like(c, check)):
            continue
        return Fix(
            check.rule,
            check.subject,
            dict.fromkeys(changes, ""),
            {path: _text(found.project, path) for path in changes},
            tuple(sorted((before - left) | {_mark(check)})),
            tuple(_effects(found, after)),
        )
    return None


class _Tried:
    """Designs that have been tried, each once."""

    def __init__(self, found: Design, tell: Callable[[int], None], left: int) -> None:
        self._project, self._tell, self._left = found.project, tell, left
        self._known: dict[tuple[str, ...], Design | None] = {}

    def with_released(self, paths: tuple[str, ...]) -> Design | None:
        """Return the design without these fields; None where it is refused, or all are used up."""
        if paths not in self._known:
            if len(self._known) >= self._left:
                return None
            self._tell(len(self._known))
            self._known[paths] = self._designed(paths)
        return self._known[paths]

    def _designed(self, paths: tuple[str, ...]) -> Design | None:
        try:
            after = design(self._project.with_(dict.fromkeys(paths)))
            after.checks  # noqa: B018 - a study that refuses the design refuses the fix
        except FacilityError:
            return None
        return after


def _candidates(project: Project, patterns: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Yield what may be released: one field, all entries of one, at last all of them."""
    stated = list(_stated(as_typed(project), ""))
    by_pattern = [found for pattern in patterns if (found := _matching(stated, pattern))]
    seen = set()
    singles = [(one,) for group in by_pattern for one in group[:_MOST_ENTRIES]]
    whole = [tuple(dict.fromkeys(path for group in by_pattern for path in group))]
    for paths in [*singles, *(tuple(group) for group in by_pattern), *whole]:
        if paths and paths not in seen:
            seen.add(paths)
            yield paths


def _matching(stated: list[str], pattern: str) -> list[str]:
    """Return the stated paths that a pattern names; of a section, the section itself."""
    expression = re.escape(pattern).replace(r"\[\]", r"\.\d+")
    found = (re.match(rf"({expression})(\.|$)", path) for path in stated)
    return list(dict.fromkeys(match[1] for match in found if match))


def _stated(document: object, path: str) -> Iterator[str]:
    """Yield the path of every value that a document states."""
    if isinstance(document, dict):
        for name, value in document.items():
            yield from _stated(value, f"{path}.{name}" if path else name)
    elif isinstance(document, list):
        for number, value in enumerate(document):
            yield from _stated(value, f"{path}.{number}")
    else:
        yield path


def _text(project: Project, path: str) -> str:
    """Return what is stated at a path; empty for a section."""
    value: object = as_typed(project)
    for name in path.split("."):
        value = value[int(name)] if isinstance(value, list) else dict(value)[name]  # type: ignore[call-overload]
    return value if isinstance(value, str) else ""


def _counts(check: Check) -> bool:
    return check.failed and check.severity is Severity.VIOLATION


def _mark(check: Check) -> Mark:
    return check.rule, check.subject


def _is_like(check: Check, other: Check) -> bool:
    """Return whether a check of the same rule fails of one of the same subjects."""
    subjects = {other.subject, *other.alike}
    return (
        check.failed
        and check.rule == other.rule
        and not subjects.isdisjoint((check.subject, *check.alike))
    )


def _violations(checks: Iterable[Check]) -> set[Mark]:
    return {(c.rule, subject) for c in checks if _counts(c) for subject in (c.subject, *c.alike)}


def _failures(checks: Iterable[Check]) -> set[Mark]:
    return {(c.rule, subject) for c in checks if c.failed for subject in (c.subject, *c.alike)}


def _effects(before: Design, after: Design) -> Iterator[Effect]:
    for key in _SHOWN:
        one, other = before.results.get(key), after.results.get(key)
        if one is not None and other is not None and one.shown() != other.shown():
            yield Effect(key, one, other)
