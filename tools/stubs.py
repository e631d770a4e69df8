"""Type stubs of names that the type checker cannot read from the code: ``make inputs`` writes them.

``facility/core/result_names.pyi`` has the results of a design and of its studies by attribute, from
the declared figures and from the recorded projects; ``facility/model/inputs/changes.pyi`` the
fields that `Project.with_` accepts by name.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from keyword import iskeyword
from pathlib import Path
from typing import get_args

from pydantic import BaseModel

from facility.model.inputs.document import Project
from facility.study.figures import FIGURES

ROOT = Path(__file__).parents[1]
_OPEN = {"crossover", "density", "option", "panel", "ride"}
"""Groups whose members are named by the project: halls, panels, failures, cooling methods."""
_HEAD = "# Written by `make inputs` (tools/stubs.py).\n"


def result_names() -> str:
    """Return the stub of the results by attribute."""
    keys = sorted({*_recorded(), *(figure.key for figure in FIGURES)})
    opened = {group for group, name in map(_halves, keys) if name.startswith("{")} | _OPEN
    groups: dict[str, dict[str, str]] = {}
    plain = []
    for key in keys:
        group, name = _halves(key)
        if not name:
            plain.append(group)
        elif "{" not in group and not name.startswith("{"):
            kind = "Any" if "." in name else "Value"
            short = name.partition(".")[0]
            known = groups.setdefault(group, {})
            known[short] = kind if known.get(short) != "Value" else "Value"
    lines = [_HEAD, "from typing import Any", "", "from facility.core.table import Value", ""]
    for group, names in sorted(groups.items()):
        lines += [f"class {_class_of(group)}:", "    si: Any"]
        lines += [f"    {name}: {kind}" for name, kind in sorted(names.items()) if _legal(name)]
        if group in opened:
            lines.append("    def __getattr__(self, name: str) -> Any: ...")
        lines.append("")
    lines.append("class ResultNames:")
    lines += [f"    {group}: {_class_of(group)}" for group in sorted(groups) if _legal(group)]
    lines += [f"    {name}: Value" for name in plain if name not in groups and _legal(name)]
    lines += [f"    {name}: Any" for name in sorted(opened - groups.keys())]
    return "\n".join(lines) + "\n"


def changes() -> str:
    """Return the stub of the fields that `Project.with_` accepts by name."""
    lines = [_HEAD, "from typing import TypedDict", ""]
    lines.append("class ProjectChanges(TypedDict, total=False):")
    lines += [f"    {name}: object" for name in _fields(Project, "")]
    return "\n".join(lines) + "\n"


def written() -> dict[Path, str]:
    """Return the text of every stub by its path."""
    return {
        ROOT / "facility" / "core" / "result_names.pyi": result_names(),
        ROOT / "facility" / "model" / "inputs" / "changes.pyi": changes(),
    }


def _recorded() -> Iterator[str]:
    """Yield the keys of the results of the recorded projects."""
    record = ROOT / "tests" / "golden" / "record.csv"
    for row in csv.DictReader(record.read_text(encoding="utf-8").splitlines()):
        study, slash, key = row["place"].partition("/")
        if study and slash and "/" not in key and " " not in key:
            yield key


def _fields(section: type[BaseModel], prefix: str) -> Iterator[str]:
    """Yield the fields of a section and of those in it, entries of lists apart."""
    for name, field in section.model_fields.items():
        yield f"{prefix}{name}"
        inner = next(_sections(field.annotation), None)
        if inner is not None:
            yield from _fields(inner, f"{prefix}{name}__")


def _sections(annotation: object) -> Iterator[type[BaseModel]]:
    """Yield the section that an annotation names, by itself or as optional; no list of sections."""
    for part in (annotation, *get_args(annotation)):
        if isinstance(part, type) and issubclass(part, BaseModel):
            yield part


def _halves(key: str) -> tuple[str, str]:
    group, _, name = key.partition(".")
    return group, name


def _legal(name: str) -> bool:
    return name.isidentifier() and not iskeyword(name) and name != "si"


def _class_of(group: str) -> str:
    return f"{''.join(part.capitalize() for part in group.split('_'))}Results"


if __name__ == "__main__":
    for path, text in written().items():
        path.write_text(text, encoding="utf-8")
