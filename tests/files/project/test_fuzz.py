"""Whatever the bytes, the loader returns a project or one coded error."""

from __future__ import annotations

import json
from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.core.errors import FacilityError
from facility.files.project.file import dump_project, example_text, parse_project, problems
from facility.model.inputs.document import Project, project_sha256
from facility.model.inputs.schema import schema_text

SCHEMA = json.loads(schema_text())
FIELDS = sorted(
    {name for part in SCHEMA["$defs"].values() for name in part.get("properties", {})}
    | set(SCHEMA["properties"])
)
WORDS = [
    "1",
    "0",
    "-1",
    "8",
    "4:1",
    "NO",
    "010",
    "1e3",
    "~",
    "null",
    "NaN",
    "true",
    "10 kW",
    "10 kVA",
    "132 W",
    "27 °C",
    "480 V",
    "13.8 kV",
    "60 Hz",
    "50 %",
    "0.05 USD/kWh",
    "NEC",
    "2023",
    "A2",
    "H100 SXM5",
    "N+1",
    "3N/2",
    "air",
    "A",
    "2026-01-31",
    "",
    "x" * 300,
]


def read(content: str | bytes, name: str) -> Project | FacilityError:
    try:
        return parse_project(content, name)
    except FacilityError as error:
        return error


def outcome(content: str | bytes, name: str = "p.yaml") -> Project | FacilityError:
    found = problems(content, name)
    result = read(content, name)
    if isinstance(result, FacilityError):
        assert result.code.isupper()
        assert result.message
        assert result.exit_code in (3, 6)
        assert found
        assert str(result).isprintable()
    else:
        assert found == []
        again = parse_project(dump_project(result))
        assert project_sha256(again) == project_sha256(result)
    return result


def documents(leaves: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    keys = st.sampled_from(FIELDS) | st.text(max_size=8)
    return st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4),
        max_leaves=12,
    )


@given(st.binary(max_size=400))
def test_any_bytes(content: bytes) -> None:
    outcome(content)


@given(st.text(max_size=400))
def test_any_text(content: str) -> None:
    outcome(content)


@given(st.text(alphabet="{}[]:,-?&*!|>'\"%@`#\n ab1\t\\", max_size=200))
def test_any_punctuation(content: str) -> None:
    outcome(content)
    outcome("schema_version: 1\n" + content)


@settings(max_examples=300)
@given(
    st.dictionaries(
        st.sampled_from(sorted(SCHEMA["properties"])),
        documents(st.sampled_from(WORDS) | st.text(max_size=12)),
    )
)
def test_any_document_in_yaml_and_json(document: dict[str, Any]) -> None:
    document["schema_version"] = "1"
    text = json.dumps(document)
    in_json = outcome(text, "p.json")
    try:
        in_yaml = outcome(yaml.safe_dump(document, allow_unicode=True, sort_keys=False))
    except UnicodeEncodeError:
        return
    if isinstance(in_json, Project) and isinstance(in_yaml, Project):
        assert project_sha256(in_json) == project_sha256(in_yaml)


@given(st.data())
def test_any_damage_to_a_valid_file(data: st.DataObject) -> None:
    content = bytearray(example_text("h100-10k").encode())
    for _ in range(data.draw(st.integers(1, 5))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(content)))
    outcome(bytes(content))
    outcome(bytes(content[:cut]))
