"""Finds results, assumptions and checks by their keys and by words."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from facility.core.check import Check
from facility.core.views import System, show
from facility.report.tables.summary import LABELS
from facility.report.why.known import Known
from facility.report.why.names import title_of
from facility.study.explained import decided_by, synonym_ids

MAX_HITS = 20
"""Maximum hits listed; further hits are counted."""
_MAX_TYPED = 80
_CLOSE = 0.7
_WORD = re.compile(r"[^\W_]+")
_SORTS = ("result", "check", "assumption", "step")


@dataclass(frozen=True)
class Hit:
    """Search hit that can be explained."""

    id: str
    title: str  # In words
    value: str  # With its unit; the worst verdict of a rule
    sort: str  # `result`, `check`, `assumption` or `step`


@dataclass(frozen=True)
class SearchFound:
    """Search results."""

    hits: Sequence[Hit] = ()  # The best first, at most `MAX_HITS`
    more: int = 0  # How many more there are
    instead: str = ""  # The words that were looked for where nothing has those typed


@dataclass(frozen=True)
class _Entry:
    hit: Hit
    named: tuple[str, ...]  # Words of its key and title
    basis_words: tuple[str, ...]  # Words of its basis

    def rank(self, words: Sequence[str], typed: str) -> tuple[int, ...] | None:
        """Return the rank of a match, lowest is best; None unless every word matches."""
        if not all(
            any(w.startswith(word) for w in (*self.named, *self.basis_words)) for word in words
        ):
            return None
        whole = sum(word not in self.named for word in words)
        named = sum(not any(w.startswith(word) for w in self.named) for word in words)
        sort = _SORTS.index(self.hit.sort)
        later = self.named[0] not in words
        known = self.hit.id not in LABELS
        return (self.hit.id.casefold() != typed, named, whole, sort, later, known, len(self.named))


def search(found: Known, typed: str, system: System = "si") -> SearchFound:
    """Return known entries by key, trade term, or words of key, title or basis.

    Results of a trade term (`synonym_ids`) come first. Otherwise every word typed must be the
    beginning of a word of the entry; results come before their inputs. If nothing matches, the most
    similar words are searched.

    found: Known results and steps of the design.
    typed: A key, or words.
    system: Units shown.
    """
    plain = typed[:_MAX_TYPED].strip().casefold()
    words = _words(plain)
    entries = list(_entries(found, system)) if words else []
    by_id = {entry.hit.id: entry.hit for entry in entries}
    meant = [by_id[id] for id in synonym_ids(plain, by_id)]
    hits = [*meant, *(hit for hit in _ranked(entries, words, plain) if hit not in meant)]
    if hits or not entries:
        return SearchFound(hits[:MAX_HITS], max(0, len(hits) - MAX_HITS))
    vocabulary = {word for entry in entries for word in entry.named}
    close = [difflib.get_close_matches(word, vocabulary, 1, _CLOSE) for word in words]
    similar = [one[0] for one in close if one]
    hits = _ranked(entries, similar, plain) if similar else []
    return SearchFound(hits[:MAX_HITS], max(0, len(hits) - MAX_HITS), " ".join(similar))


def _ranked(entries: Sequence[_Entry], words: Sequence[str], typed: str) -> list[Hit]:
    ranks = ((entry.rank(words, typed), entry.hit) for entry in entries)
    return [hit for _, hit in sorted(((r, h) for r, h in ranks if r is not None), key=_by_rank)]


def _by_rank(ranked: tuple[tuple[int, ...], Hit]) -> tuple[int, ...]:
    return ranked[0]


def _entries(found: Known, system: System) -> Iterator[_Entry]:
    """Yield every entry that can be explained, once."""
    for id, value in found.results.items():
        yield _entry(id, value.shown(system), "result", value.basis)
    for step in found.trace:
        if step.id not in found.results:
            sort = "assumption" if step.id in found.ledger else "step"
            yield _entry(step.id, show(step.value, step.kind, system), sort, step.because)
    decided = {decided_by(id) for id in found.results}
    for id, assumed in found.ledger.items():
        if id not in found.trace and id not in found.results and id not in decided:
            yield _entry(id, assumed.text, "assumption", assumed.basis)
    rules: dict[str, list[Check]] = {}
    for check in found.checks:
        rules.setdefault(check.rule, []).append(check)
    for rule, checks in rules.items():
        failed = sum(check.count for check in checks if check.failed)
        whole = sum(check.count for check in checks)
        yield _entry(rule, f"{failed} of {whole} failed", "check", checks[0].why)


def _entry(id: str, value: str, sort: str, basis: str) -> _Entry:
    title = title_of(id) if sort != "check" else id
    return _Entry(Hit(id, title, value, sort), _words(f"{id} {title}"), _words(basis))


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.casefold()))
