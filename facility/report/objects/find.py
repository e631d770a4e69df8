"""Finds objects, results, inputs, checks and actions by the words of the trade."""

from __future__ import annotations

import csv
import difflib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, get_args

from facility.core.check import Check
from facility.core.views import System, show
from facility.model.inputs.entries import fields
from facility.power.network.outages.cases import Case
from facility.report.objects.objects import DesignObjects
from facility.report.tables.names import input_name, rule_title
from facility.report.tables.summary import LABELS
from facility.report.why.known import Known
from facility.report.why.names import title_of
from facility.study.explained import decided_by, synonym_ids

EntryKind = Literal["object", "result", "input", "check", "action", "step"]
KIND_WORDS: Mapping[EntryKind, str] = {
    "object": "Object",
    "result": "Result",
    "input": "Input",
    "check": "Check",
    "action": "Action",
    "step": "Step",
}
MAX_HITS = 20
"""Maximum entries listed; further ones are counted."""
_MAX_TYPED = 80
_MAX_OF_KIND = 3
"""Objects of a kind listed before other entries: a design has many panels."""
_CLOSE = 0.7
_UNLISTED = "ups.shortlist."
"""Results of modules that were not selected: their table compares them."""
_QUESTION = "a an are by do does for how in is many much of on per so that the this to what why"
_UNSEARCHED = frozenset(_QUESTION.split())
"""Words of a question that are not searched."""
_WORD = re.compile(r"[^\W_]+")
_ORDER: tuple[EntryKind, ...] = get_args(EntryKind)


@dataclass(frozen=True)
class FindEntry:
    """An entry that can be found."""

    kind: EntryKind
    id: str  # Object, result or step, path of an input, rule, or action
    title: str
    detail: str = ""  # Value, place or verdict
    words: tuple[str, ...] = ()  # Of id and title
    more: tuple[str, ...] = ()  # Words that find it too, with less weight
    group: str = ""  # Kind of object, of which few are listed first


@dataclass(frozen=True)
class FoundEntries:
    """What was found, best first."""

    hits: Sequence[FindEntry] = ()
    more: int = 0  # Number not listed
    instead: str = ""  # Similar words that were searched, where nothing has the words typed


def find(entries: Sequence[FindEntry], typed: str) -> FoundEntries:
    """Return the entries by name, trade term, or words.

    Entries that a trade term refers to come first. Otherwise every word typed must be the beginning
    of a word of the entry; articles, prepositions and question words are left out. If nothing
    matches, the most similar words are searched.
    """
    plain = typed[:_MAX_TYPED].strip().casefold()
    typed_words = _words(plain)
    words = tuple(word for word in typed_words if word not in _UNSEARCHED) or typed_words
    if not words:
        return FoundEntries()
    hits = [*_meant(entries, plain), *_mixed(_ranked(entries, words, plain))]
    if hits:
        return _first(hits)
    vocabulary = {word for entry in entries for word in entry.words}
    close = [difflib.get_close_matches(word, vocabulary, 1, _CLOSE) for word in words]
    similar = [one[0] for one in close if one]
    return _first(_ranked(entries, similar, plain) if similar else [], " ".join(similar))


def _first(hits: Sequence[FindEntry], instead: str = "") -> FoundEntries:
    unique = list({(hit.kind, hit.id): hit for hit in hits}.values())
    return FoundEntries(unique[:MAX_HITS], max(0, len(unique) - MAX_HITS), instead)


def _mixed(hits: Iterable[FindEntry]) -> list[FindEntry]:
    """Return the hits with all but the first objects of a kind at the end."""
    seen: Counter[str] = Counter()
    first, later = list[FindEntry](), list[FindEntry]()
    for hit in hits:
        seen[hit.group] += 1
        (later if hit.group and seen[hit.group] > _MAX_OF_KIND else first).append(hit)
    return [*first, *later]


def _meant(entries: Sequence[FindEntry], plain: str) -> list[FindEntry]:
    by_id: dict[str, FindEntry] = {}
    for entry in entries:
        by_id.setdefault(entry.id, entry)
    named = [entry for entry in entries if entry.id.casefold() == plain]
    searched = " ".join(word for word in plain.split() if word.strip("?") not in _UNSEARCHED)
    meant = dict.fromkeys(id for text in (plain, searched) for id in synonym_ids(text, by_id))
    return [*named, *(by_id[id] for id in meant)]


def _ranked(entries: Sequence[FindEntry], words: Sequence[str], plain: str) -> list[FindEntry]:
    ranks = ((_rank(entry, words, plain), entry) for entry in entries)
    return [e for _, e in sorted(((r, e) for r, e in ranks if r is not None), key=lambda r: r[0])]


def _rank(entry: FindEntry, words: Sequence[str], plain: str) -> tuple[int, ...] | None:
    """Return the rank of a match, lowest is best; None unless every word matches."""
    if not all(_begins(word, entry.words) or _begins(word, entry.more) for word in words):
        return None
    return (
        plain not in (entry.id.casefold(), entry.title.casefold()),
        sum(not _begins(word, entry.words) for word in words),
        sum(word not in entry.words for word in words),
        " " not in plain or not entry.id.casefold().startswith(plain),  # the phrase of an outage
        _ORDER.index(entry.kind),
        int(entry.words[:1] != tuple(words[:1])),
        int(entry.kind == "result" and entry.id not in LABELS),
        len(entry.words),
    )


def _begins(word: str, words: Iterable[str]) -> bool:
    return any(one.startswith(word) for one in words)


def entries_of(
    objects: DesignObjects,
    known: Known,
    actions: Mapping[str, str] = {},
    system: System = "si",
    outages: Iterable[Case] = (),
) -> tuple[FindEntry, ...]:
    """Return everything that can be found in a design.

    known: Its known results, steps and checks.
    actions: Titles of the actions by their ids.
    outages: States of the power network, each found as the action that shows it.
    """
    return (
        *_objects(objects),
        *_results(known, system),
        *_inputs(known),
        *_checks(known.checks),
        *_outages(outages),
        *(FindEntry("action", id, title, "", _words(title)) for id, title in actions.items()),
    )


def _objects(objects: DesignObjects) -> Iterator[FindEntry]:
    terms = _terms()
    for one in objects.values():
        term = terms.get(one.id) or terms.get(one.kind, "")
        named = _words(f"{one.id} {one.words} {term}")
        yield FindEntry("object", one.id, one.words, one.about, named, _words(one.about), one.kind)


def _results(known: Known, system: System) -> Iterator[FindEntry]:
    for id, value in known.results.items():
        if id.startswith(_UNLISTED):
            continue
        title = title_of(id)
        yield FindEntry(
            "result", id, title, value.shown(system), _words(f"{id} {title}"), _words(value.basis)
        )
    for step in known.trace:
        if step.id not in known.results and step.id not in fields():
            title, shown = title_of(step.id), show(step.value, step.kind, system)
            words = _words(f"{step.id} {title}")
            yield FindEntry("step", step.id, title, shown, words, _words(step.because))
    decided = {decided_by(id) for id in known.results}
    for id, assumed in known.ledger.items():
        hidden = id in known.trace or id in known.results or id in decided or id in fields()
        if not hidden:
            title = title_of(id)
            words = _words(f"{id} {title}")
            yield FindEntry("step", id, title, assumed.text, words, _words(assumed.basis))


def _inputs(known: Known) -> Iterator[FindEntry]:
    for path, field in fields().items():
        if "[]" in path and not path.startswith("it.halls[]."):
            continue
        id = path.replace("[]", ".0")
        meaning, title = field.declared.meaning, input_name(id)
        assumed = known.ledger.get(path)
        detail = "" if assumed is None else assumed.text
        yield FindEntry("input", id, title, detail, _words(f"{title} {path}"), _words(meaning))


def _checks(checks: Iterable[Check]) -> Iterator[FindEntry]:
    rules: dict[str, list[Check]] = {}
    for check in checks:
        rules.setdefault(check.rule, []).append(check)
    for rule, found in rules.items():
        failed = sum(check.count for check in found if check.failed)
        whole = sum(check.count for check in found)
        detail = f"{failed:,} of {whole:,} failed" if failed else f"{whole:,} passed"
        if not failed and any(check.word == "NOT_EVALUATED" for check in found):
            detail = "not evaluated"
        title = rule_title(rule)
        yield FindEntry("check", rule, title, detail, _words(f"{title} {rule}"))


def _outages(cases: Iterable[Case]) -> Iterator[FindEntry]:
    for case in cases:
        id, identical = case.outage.id, " ".join(case.alike)
        detail = f"{case.size:,} identical" if case.size > 1 else ""
        title = f"Show the {id}" if case.kind != "normal" else "Show normal operation"
        yield FindEntry("action", id, title, detail, _words(title), _words(identical), "outage")


def _words(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_WORD.findall(text.casefold())))


@cache
def _terms() -> Mapping[str, str]:
    text = Path(__file__).with_name("terms.csv").read_text("utf-8")
    return {row["objects"]: row["terms"] for row in csv.DictReader(text.splitlines())}
