"""Find: what is typed leads to the object, result, input, check or action that it names."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from facility.power.network.outages.cases import cases
from facility.report.objects.find import FindEntry, entries_of, find
from facility.report.objects.objects import DesignObjects
from facility.report.why.known import known
from tests.study.helpers import reference

_QUERIES = Path(__file__).with_name("queries.csv").read_text(encoding="utf-8")
_ACTIONS = {
    "undo": "Undo the last change",
    "start/new": "New project",
    "studies/meter-logs": "Meter logs: compare with the year",
}


@pytest.fixture(scope="module")
def entries() -> tuple[FindEntry, ...]:
    design = reference("h100-10k")
    checks = design.checks
    objects = DesignObjects(design, design.states.network)
    outages = cases(design.states.network)
    return entries_of(objects, known(design, checks), _ACTIONS, outages=outages)


@pytest.mark.parametrize(
    "row", list(csv.DictReader(_QUERIES.splitlines())), ids=lambda row: row["typed"]
)
def test_what_is_typed_comes_first(entries: tuple[FindEntry, ...], row: dict[str, str]) -> None:
    first = find(entries, row["typed"]).hits[0]
    assert (first.kind, first.id) == (row["kind"], row["id"])


def test_modules_that_were_not_selected_are_not_listed(entries: tuple[FindEntry, ...]) -> None:
    assert not [entry for entry in entries if "shortlist" in entry.id and entry.kind == "result"]


def test_similar_words_are_tried_and_named(entries: tuple[FindEntry, ...]) -> None:
    found = find(entries, "utilty demand")
    assert found.instead == "utility demand"
    assert [hit.id for hit in found.hits[:2]] == ["UTIL", "utility.demand_kva"]


def test_nothing_is_found_for_nothing(entries: tuple[FindEntry, ...]) -> None:
    assert not find(entries, "zqxv").hits
    assert not find(entries, "   ").hits


def test_a_kind_with_many_objects_leaves_room_for_other_entries(
    entries: tuple[FindEntry, ...],
) -> None:
    hits = find(entries, "transformer").hits
    assert [hit.kind for hit in hits[:4]] == ["object", "object", "object", "result"]
    more = find(entries, "panel")
    assert len(more.hits) == 20
    assert more.more > 0


def test_titles_have_no_field_paths(entries: tuple[FindEntry, ...]) -> None:
    """An input is named by its meaning, not by its path in the project file."""
    inputs = [entry for entry in entries if entry.kind == "input"]
    assert len(inputs) > 500
    assert not [
        entry.title for entry in inputs if "." in entry.title.rstrip(".") and "_" in entry.title
    ]
