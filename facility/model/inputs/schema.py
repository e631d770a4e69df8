"""What is generated from the declarations of the inputs: JSON Schema, table and page.

``python -m facility.model.inputs.schema`` (``make inputs``) writes all three anew, below the
present folder.
"""

from __future__ import annotations

import inspect
import json
from itertools import groupby
from pathlib import Path

from facility.core.table import csv_text
from facility.core.views import show_exact
from facility.model.inputs.declare import Entry, leaves
from facility.model.inputs.document import Project

_COLUMNS = (
    "field", "meaning", "kind", "allowed", "default", "basis", "source", "verified", "symbol"
)  # fmt: skip
_HEAD = ("| Field | Meaning | Value | Left open |", "|---|---|---|---|")
_PAGE = """\
# Inputs

Every field of a project, generated from its declaration in `facility/model/inputs`; the same as a
table is [inputs.csv](inputs.csv). A field left open is designed, or takes the default shown here,
which then stands in the ledger with basis and source. Required fields are so within their section.
"""


def schema_text() -> str:
    """Return the JSON Schema of the project document, for editors and other programs."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "facility project, schema_version 1",
        **{key: value for key, value in Project.model_json_schema().items() if key != "title"},
    }
    return json.dumps(schema, indent=1, sort_keys=True) + "\n"


def table_text() -> str:
    """Return the table of the inputs as CSV."""
    rows: list[tuple[str, ...]] = [_COLUMNS]
    for entry in leaves(Project):
        said = entry.declared
        why = ("", "", "")
        if said.default is not None:
            source = said.default.source
            why = (said.default.basis, str(source), source.verified)
        rows.append((entry.path, said.meaning, entry.kind, allowed(entry), default_text(entry),
                       *why, said.symbol))  # fmt: skip
    return csv_text(rows)


def page_text() -> str:
    """Return the page of the documentation that lists the inputs."""
    parts = [_PAGE]
    for place, entries in groupby(leaves(Project), lambda entry: entry.path.rpartition(".")[0]):
        found = list(entries)
        about = inspect.getdoc(found[0].section) or ""
        lines = [f"## {place or 'The document'}", "", about.replace("``", "`"), "", *_HEAD]
        for entry in found:
            said, name = entry.declared, entry.path.rpartition(".")[2]
            meaning = f"{said.meaning} (${said.symbol}$)" if said.symbol else said.meaning
            why = f": {said.default.basis}" if said.default is not None else ""
            cells = (f"`{name}`", meaning, allowed(entry), default_text(entry) + why)
            lines.append(f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |")
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def allowed(entry: Entry) -> str:
    """Return what the field may be: its words, or its kind and bounds."""
    if entry.declared.each is not None:
        return f"by name: {_one_of(entry)}"
    return f"list: {_one_of(entry)}" if entry.many else _one_of(entry)


def _one_of(entry: Entry) -> str:
    if entry.words:
        return ", ".join(entry.words)
    if entry.type is None or not entry.kind:
        return "text" if entry.type is None else entry.type.bounds() or "text"
    kind = entry.kind.replace("_", " ")
    low_high = entry.declared.within
    if low_high is not None:
        return f"{kind}, {low_high[0]:g} to {low_high[1]:g}"
    several = entry.many or entry.declared.each is not None
    most = entry.declared.each if several else entry.declared.most
    bounds = f"up to {most:,}" if most is not None else entry.type.bounds()
    return f"{kind}, {bounds}" if bounds else kind


def default_text(entry: Entry) -> str:
    """Return the default as the ledger shows it."""
    default = entry.declared.default
    if default is None:
        return "required" if entry.required else ""
    if default.value is None:
        return "follows"
    if isinstance(default.value, str):
        return default.value
    return f"{default.value:g}" if entry.kind == "count" else show_exact(default.value, entry.kind)


def written() -> dict[str, str]:
    """Return the text of every generated file by its path in the repository."""
    return {
        "reference/project.schema.json": schema_text(),
        "docs/inputs.csv": table_text(),
        "docs/inputs.md": page_text(),
    }


if __name__ == "__main__":
    for path, text in written().items():
        Path(path).write_text(text, encoding="utf-8")
