"""Search for the further changes that make rejected entries possible, for the workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from facility.core.check import Check, Severity
from facility.core.errors import FacilityError
from facility.files.project.file import dump_project
from facility.model.inputs.document import Project, as_typed
from facility.model.inputs.entries import field_at, value_at
from facility.study.design.design import Design
from facility.study.fixes.propose import fixes
from facility.study.resolve.it.short_form import liquid_cooled, offered_gpus
from facility.ui.session import edits
from facility.ui.session.designs import designed
from facility.ui.session.edits import Session

MAX_TRIES = 12
"""Maximum number of designs of a search."""
_MAX_FIXES = 6
"""Maximum number of designs that search how to avoid a violation of a remedy."""
NO_COOLANT = "NO_LIQUID_RACKS"
"""Code of the error of a cooling method whose remedy is another GPU, not another method."""


@dataclass(frozen=True)
class Remedy:
    """Further changes that make entries possible."""

    changes: Mapping[str, str]  # Texts by path; empty to let the design size the field
    violations: tuple[str, ...] = ()  # Rules violated with them, and not before


def remedies(
    project: Project, entries: Mapping[str, str], tell: Callable[[int], object]
) -> tuple[Remedy, ...]:
    """Return alternative changes that make `entries` possible, each proved by a design.

    Only the field that an error names is changed: to each of its words until one succeeds, or
    released. Liquid cooling of air-cooled equipment changes the GPU: to each liquid-cooled one.
    The change that avoids a new violation is added, where it is known.

    project: The project without the entries.
    tell: Receives the number of designs evaluated.
    """
    found, tried, waiting = list[Remedy](), 0, [dict[str, str]()]
    while waiting and tried < MAX_TRIES:
        extra = waiting.pop(0)
        tell(tried)
        tried += 1
        try:
            made = _made(project, {**entries, **extra})
        except FacilityError as error:
            where, values = error.where, _values(project, error.where)
            if error.code == NO_COOLANT:
                where = "it.gpu_model"
                values = (gpu for gpu in offered_gpus() if gpu in liquid_cooled())
            if not found and where not in entries and where not in extra:
                waiting += [{**extra, where: value} for value in values]
        else:
            if extra:
                found.append(_without_violations(project, entries, extra, made))
            # Which GPU is the choice of the user; of other values the first suffices.
            waiting = [one for one in waiting if "it.gpu_model" in one.keys() & extra.keys()]
    return tuple(found)


def _made(project: Project, changes: Mapping[str, str]) -> Design:
    """Return the design with changes, and without the entries that depend on them."""
    after = edits.with_changes(Session(project), changes, lambda one: designed(dump_project(one)))
    return designed(dump_project(after.project))


def _without_violations(
    project: Project, entries: Mapping[str, str], extra: Mapping[str, str], made: Design
) -> Remedy:
    """Return a remedy with the change that avoids its new violations; it names any that remain.

    made: The design with entries and remedy.
    """
    try:
        before = {check.rule for check in _violated(designed(dump_project(project)))}
    except FacilityError:  # without the entries it cannot be designed
        before = set()
    added = [check for check in _violated(made) if check.rule not in before]
    rules = {check.rule for check in added}
    for check in added:
        mark = check.rule, check.subject
        fix = fixes(made, max_designs=_MAX_FIXES, of=mark).get(mark)
        if fix is not None and not fix.changes.keys() & entries.keys():
            left = rules - {rule for rule, _ in fix.cleared}
            return Remedy({**extra, **fix.changes}, tuple(sorted(left)))
    return Remedy(extra, tuple(sorted(rules)))


def _violated(made: Design) -> list[Check]:
    """Return the checks that a design violates."""
    return [c for c in made.checks if c.failed and c.severity is Severity.VIOLATION]


def _values(project: Project, path: str) -> Iterator[str]:
    """Yield the other values of a field: its words, and none if it is stated."""
    field = field_at(path)
    if field is None:
        return
    stated = value_at(as_typed(project), path)
    yield from (word for word in field.words if word != stated)
    if stated is not None:
        yield ""
