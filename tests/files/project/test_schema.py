"""The exported JSON Schema is up to date, and says what the loader does."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from facility.core.errors import FacilityError
from facility.core.kinds import KINDS
from facility.files.project.file import example_names, example_text, template_text
from facility.model.inputs.declare import leaves
from facility.model.inputs.document import Project
from facility.model.inputs.schema import schema_text, written

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def validator() -> Any:
    schema = json.loads(schema_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_what_is_generated_is_up_to_date() -> None:
    for path, text in written().items():
        assert (ROOT / path).read_text(encoding="utf-8") == text, f"{path}: make inputs"


def test_every_field_says_what_it_means() -> None:
    assert [entry.path for entry in leaves(Project) if len(entry.declared.meaning) < 4] == []


def test_what_is_read_of_a_section_is_declared() -> None:
    known = {entry.path.rpartition(".")[2] for entry in leaves(Project)}
    read = set()
    for path in (ROOT / "facility" / "study" / "resolve").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                reader = node.func.value if isinstance(node.func, ast.Attribute) else node.func
                if isinstance(reader, ast.Name) and reader.id == "read":
                    read.add(node.args[0].value)
    assert len(read) > 150
    assert read <= known


def test_a_default_stands_within_the_bounds_of_its_field() -> None:
    beyond = []
    for entry in leaves(Project):
        default, read = entry.declared.default, entry.type
        if default is not None and isinstance(default.value, int | float) and read is not None:
            try:
                read.read(f"{default.value!r} {KINDS[entry.kind].si}".strip())
            except FacilityError as error:
                beyond.append(f"{entry.path}: {error.message} {error.hint}")
        elif entry.words and default is not None and default.value is not None:
            beyond += [entry.path] * (default.value not in entry.words)
    assert not beyond


@pytest.mark.parametrize("name", ["short", *example_names()])
def test_examples_satisfy_the_schema(validator: Any, name: str) -> None:
    text = template_text() if name == "short" else example_text(name)
    as_others_read_it = json.loads(json.dumps(yaml.safe_load(text), default=str))
    assert [error.message for error in validator.iter_errors(as_others_read_it)] == []


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"schema_version": "1", "gpus": 8},
        {"schema_version": "1", "it": {"gpus": -8}},
        {"schema_version": "1", "it": {"gpus": 8.5}},
        {"schema_version": "1", "site": {"tariff": 5}},
        {"schema_version": "1", "criteria": {"code": "nec"}},
    ],
)
def test_schema_refuses_what_the_loader_refuses(validator: Any, document: Any) -> None:
    assert list(validator.iter_errors(document))
