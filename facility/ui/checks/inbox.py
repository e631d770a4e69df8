"""The list of checks: what is shown, and in which order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from facility.core.check import Check
from facility.core.views import System
from facility.ui.checks.known import KnownChecks
from facility.ui.checks.places import DisciplinePage, places
from facility.ui.checks.words import COLOURS, margin, word_of

SHORT, TALL_PX = 22, 640
_ORDER = list(COLOURS)


def shown(
    now: KnownChecks, words: Iterable[str], discipline: str | None, *, new: bool
) -> list[Check]:
    """Return the checks of these words and this discipline, the worst margin of each word first.

    Parameters
    ----------
    now : KnownChecks
        What is known.
    words : iterable of str
        Words of checks; all of them where none is given.
    discipline : str, optional
        That of the page where a check is seen.
    new : bool
        Whether only those that came out otherwise when the session opened.
    """
    where, wanted = places(now), set(words) or set(_ORDER)
    found = [
        check
        for check in now.checks
        if check.word in wanted
        and discipline in (None, where[check.rule].discipline)
        and (not new or now.is_new(check))
    ]
    return sorted(found, key=lambda c: (_ORDER.index(c.word), _worst(c), c.rule, c.subject))


def columns(
    found: Sequence[Check], where: dict[str, DisciplinePage], system: System
) -> dict[str, list[str]]:
    """Return the columns of the list."""
    return {
        "Came out": [word_of(check.word, 1) for check in found],
        "Rule": [check.rule for check in found],
        "Of": [check.about() for check in found],
        "Margin": [margin(check) for check in found],
        "Discipline": [where[check.rule].discipline for check in found],
        "Finding": [check.found(system) for check in found],
    }


def _worst(check: Check) -> float:
    """Return the margin; a verdict without one stands before small excesses."""
    return -1.0 if check.margin is None else check.margin
