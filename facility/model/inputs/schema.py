"""Generated input documentation: JSON Schema, table and page.

``python -m facility.model.inputs.schema`` (``make inputs``) regenerates all three below the
current folder.
"""

from __future__ import annotations

import inspect
import json
from pathlib import Path

from facility.core.table import csv_text
from facility.core.views import show_exact
from facility.model.inputs.declare import Entry, leaves
from facility.model.inputs.document import Project

_COLUMNS = (
    "field", "meaning", "kind", "allowed", "default", "basis", "source", "verified", "symbol"
)  # fmt: skip
_HEAD = ("| Field | Meaning | Value | Default |", "|---|---|---|---|")
_PAGE = """\
# Inputs

Every field of a project, generated from its declaration in `facility/model/inputs`; also available
as a table, [inputs.csv](inputs.csv). An omitted field is designed, or has the default listed here,
which the ledger lists with basis and source. Required fields are required within their section.
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
        declared = entry.declared
        why = ("", "", "")
        if declared.default is not None:
            source = declared.default.source
            why = (declared.default.basis, str(source), source.verified)
        rows.append((entry.path, declared.meaning, entry.kind, allowed(entry), default_text(entry),
                       *why, declared.symbol))  # fmt: skip
    return csv_text(rows)


def page_text() -> str:
    """Return the documentation page of the inputs."""
    parts = [_PAGE]
    sections: dict[str, list[Entry]] = {}
    for entry in leaves(Project):
        sections.setdefault(entry.path.rpartition(".")[0], []).append(entry)
    for section, found in sections.items():
        about = inspect.getdoc(found[0].section) or ""
        lines = [f"## {section or 'The document'}", "", about.replace("``", "`"), "", *_HEAD]
        for entry in found:
            declared, name = entry.declared, entry.path.rpartition(".")[2]
            meaning = declared.meaning + (f" (${declared.symbol}$)" if declared.symbol else "")
            why = f": {declared.default.basis}" if declared.default is not None else ""
            cells = (f"`{name}`", meaning, allowed(entry), default_text(entry) + why)
            lines.append(f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |")
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def allowed(entry: Entry) -> str:
    """Return the permitted values of a field: its options, or kind and bounds."""
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
    limit = entry.declared.each if several else entry.declared.max_count
    bounds = f"up to {limit:,}" if limit is not None else entry.type.bounds()
    return f"{kind}, {bounds}" if bounds else kind


def default_text(entry: Entry) -> str:
    """Return the default as in the ledger."""
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
