"""Every layout of tests/data/inventories gives the outcome of its row, calculated by hand."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from facility.core.errors import FacilityError
from facility.files.incoming.inventory.answers import answers_of
from facility.files.incoming.inventory.read import Inventory, read_inventory
from facility.files.incoming.inventory.tables import InventoryFile
from facility.model.inputs.document import read_document

DATA = Path(__file__).parents[3] / "data" / "inventories"
CASES = list(csv.DictReader((DATA / "layouts.csv").read_text().splitlines()))
BASE = {
    "schema_version": "1",
    "it": {"gpu_model": "H100 SXM5", "gpus": "256"},
    "power": {"redundancy": "N+1"},
    "cooling": {"method": "air"},
}


def read(files: str, options: str) -> Inventory:
    listed: dict[str, list[str]] = {}
    for option in filter(None, options.split("|")):
        name, _, value = option.partition("=")
        listed.setdefault(name, []).append(value)
    columns, values, fill_down, skip = (
        listed.pop(name, []) for name in ("map", "value", "fill_down", "skip")
    )
    choices = {name: texts[0] for name, texts in listed.items()}
    answers = answers_of(columns, values, fill_down, skip, choices)
    sources = [InventoryFile(name, (DATA / name).read_bytes()) for name in files.split("|")]
    return read_inventory(sources, answers, read_document(BASE))


def outcome(files: str, options: str) -> tuple[str, list[FacilityError]]:
    """Return the summary of files that are ready, and what is open otherwise."""
    try:
        found = read(files, options)
    except FacilityError as error:
        return "", [error]
    return found.summary, [one.as_error() for one in found.questions] + found.problems


@pytest.mark.parametrize("case", CASES, ids=[case["case"] for case in CASES])
def test_layout(case: Mapping[str, str]) -> None:
    summary, errors = outcome(case["files"], case["options"])
    shown = "\n".join(map(str, errors))
    if case["outcome"] == "ready":
        assert not errors, shown
        assert case["expected"] in summary
    else:
        codes = {error.code for error in errors if case["expected"] in str(error)}
        assert case["outcome"] in codes, f"{summary}\n{shown}"


_OPTION = re.compile(r"--(map|value|fill-down|skip|room|ports|designed|decimal) ('[^']*'|[^\s)]+)")


@pytest.mark.parametrize("case", CASES, ids=[case["case"] for case in CASES])
def test_proposed_options_are_accepted(case: Mapping[str, str]) -> None:
    _, errors = outcome(case["files"], case["options"])
    proposed = {option for error in errors for option in _OPTION.findall(str(error))}
    for name, text in proposed:
        value = text.strip("'") if name == "decimal" else text.strip("',.;")
        answer = f"{name.replace('-', '_')}={value}"
        before = answer.rpartition("=")[0] + "="  # Another answer to the same question
        kept = [one for one in case["options"].split("|") if not one.startswith(before)]
        options = "|".join(filter(None, (*kept, answer)))
        found, after = "", []
        try:
            read_after = read(case["files"], options)
        except FacilityError as error:
            after = [error]
        else:
            found = " ".join(
                note for note in read_after.notes if note.startswith("no cell contains")
            )
        assert "TABLE_ANSWER" not in {error.code for error in after}, f"{options}: {after}"
        assert not found, options
