"""The exported JSON Schema is up to date, and says what the loader does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from facility.files.project.file import example_names, example_text, template_text
from facility.model.inputs.schema import schema_text, written


@pytest.fixture(scope="module")
def validator() -> Any:
    schema = json.loads(schema_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize(("path", "text"), written().items(), ids=str)
def test_what_is_generated_is_up_to_date(path: str, text: str) -> None:
    root = Path(__file__).parents[2]
    assert (root / path).read_text(encoding="utf-8") == text, "write it anew: make inputs"


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
