"""Rewriting of one block of a project file, with all other text unchanged."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from facility.core.errors import FacilityError
from facility.files.io.read_text import check_size
from facility.files.project.file import dump_project
from facility.files.project.safe_yaml import read_document, yaml_text
from facility.model.inputs.document import Project, as_typed
from facility.model.inputs.document import read_document as read_sections

_KEY = "panels"
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def with_panels_text(text: str, project: Project) -> str:
    """Return `text`, a project file, with the ``panels`` block of `project`.

    All other lines are unchanged. Comments inside the block are moved above it. If the result would
    not equal `project` (other differences than panels, or flow style), the whole project is
    rewritten; JSON always is.

    text: A valid project file, YAML or JSON.
    project: Required content of the file.

    Raises ``PROJECT_TOO_LARGE`` if the text could not be read again.
    """
    return _rewritten(text, project, {_KEY: list(_lines(as_typed(project).get(_KEY, {})))})


def with_it_text(text: str, project: Project) -> str:
    """Return `text`, a project file, with the ``it`` and ``panels`` blocks of `project`.

    As `with_panels_text`.
    """
    document = as_typed(project)
    block = yaml_text({"it": document["it"]}).splitlines() if "it" in document else []
    panels = list(_lines(document.get(_KEY, {})))
    blocks = {"it": block, **({_KEY: panels} if panels or f"{_KEY}:" in text else {})}
    return _rewritten(text, project, blocks)


def with_fields_text(text: str, project: Project, changes: Mapping[str, str]) -> str:
    """Return `text`, a project file, with single values changed; all else is kept.

    text: A valid project file, YAML or JSON.
    project: Required content of the file.
    changes: Value by field, as ``it.halls.0.racks.1.devices.0.power``.

    If the result would not equal `project`, the whole project is rewritten; JSON always is.
    Raises ``PROJECT_TOO_LARGE`` if the text could not be read again.
    """
    replaced: str | None = None if _is_json(text) else text
    for path, value in changes.items():
        replaced = None if replaced is None else _with_field(replaced, path, value)
    if replaced is None or not _holds(replaced, project):
        return _rewritten(text, project, {})
    _refuse_too_large(replaced)
    return replaced


def _with_field(text: str, path: str, value: str) -> str | None:
    """Return YAML with one value changed or added; None if it has another structure."""
    node: yaml.Node | None = yaml.compose(text, Loader=_LOADER)
    parts = path.split(".")
    for depth, part in enumerate(parts):
        inside: yaml.Node | None = None
        if isinstance(node, yaml.MappingNode):
            inside = next((entry for key, entry in node.value if key.value == part), None)
            if inside is None:
                return _with_entry(text, node, parts[depth:], value)
        elif isinstance(node, yaml.SequenceNode) and int(part) < len(node.value):
            inside = node.value[int(part)]
        if inside is None:
            return None
        node = inside
    if not isinstance(node, yaml.ScalarNode) or node.style in ("|", ">"):
        return None
    first, last = node.start_mark.index, node.end_mark.index
    return f"{text[:first]}{_in_line({'_': value})[4:-1]}{text[last:]}"


def _with_entry(text: str, node: yaml.MappingNode, parts: list[str], value: str) -> str | None:
    """Return YAML with an entry added at the end of a mapping."""
    entry: Any = value
    for part in reversed(parts):
        entry = {part: entry}
    line = _in_line(entry)[1:-1]
    if node.flow_style:
        at = int(node.end_mark.index) - 1
        return text[:at] + (", " if node.value else "") + line + text[at:]
    if not node.value:
        return None
    newline = "\r\n" if "\r\n" in text else "\n"
    end = _line_end(text, max(_last(key, inside) for key, inside in node.value))
    head = text[:end] if text[:end].endswith("\n") else text[:end] + newline
    column: int = node.value[0][0].start_mark.column
    return head + " " * column + line + newline + text[end:]


def _rewritten(text: str, project: Project, blocks: dict[str, list[str]]) -> str:
    """Return `text` with other blocks, or of the whole project where its content would differ."""
    if _is_json(text):
        written = json.dumps(as_typed(project), indent=2, ensure_ascii=False) + "\n"
        _refuse_too_large(written)
        return written
    replaced: str | None = text
    for key, lines in blocks.items():
        replaced = None if replaced is None else _replaced(replaced, key, lines)
    if replaced is not None:
        _refuse_too_large(replaced)
        if _holds(replaced, project):
            return replaced
    written = dump_project(project)
    _refuse_too_large(written)
    return written


def _refuse_too_large(text: str) -> None:
    try:
        check_size(text.encode(), _KEY)
        read_document(text, _KEY)
    except FacilityError as error:
        if error.code not in ("FILE_TOO_LARGE", "FILE_TOO_COMPLEX"):
            raise
        raise FacilityError(
            "PROJECT_TOO_LARGE",
            _KEY,
            f"the project with these boards cannot be read:  {error.message}",
            "Nothing was written. State fewer boards: one hall at a time, or one project per hall.",
        ) from None


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _holds(text: str, project: Project) -> bool:
    try:
        found = read_sections(read_document(text, _KEY), project.site.folder)
    except FacilityError:
        return False
    return as_typed(found) == as_typed(project)


def _replaced(text: str, block_key: str, block_lines: list[str]) -> str | None:
    """Return `text` with another block; None if it is not a plain mapping of sections."""
    root = yaml.compose(text, Loader=_LOADER)
    if not isinstance(root, yaml.MappingNode) or root.flow_style or root.start_mark.column:
        return None
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = [line + newline for line in block_lines]
    for key, value in root.value:
        if key.value == block_key:
            first, end = key.start_mark.index, _line_end(text, _last(key, value))
            block = text[first:end]
            comments = [note + newline for note in _comments(block)] if "#" in block else []
            return text[:first] + "".join([*comments, *lines]) + text[end:]
    end = _line_end(text, max(_last(key, value) for key, value in root.value))
    head = text[:end] if text[:end].endswith("\n") else text[:end] + newline
    return head + "".join(lines) + text[end:]


def _last(key: yaml.Node, value: yaml.Node) -> int:
    """Return the index after the last character of an entry, following comments excluded."""
    waiting, last = [value], int(key.end_mark.index)
    while waiting:
        node = waiting.pop()
        if not isinstance(node, yaml.CollectionNode) or node.flow_style:
            last = max(last, int(node.end_mark.index))
        elif isinstance(node, yaml.MappingNode):
            waiting += [part for pair in node.value for part in pair]
        else:
            waiting += node.value
    return last


def _line_end(text: str, index: int) -> int:
    if index and text[index - 1] == "\n":
        return index
    found = text.find("\n", index)
    return len(text) if found < 0 else found + 1


def _comments(block: str) -> Iterator[str]:
    """Yield the comments of a YAML block, between its tokens."""
    end = 0
    for token in yaml.scan(block, Loader=yaml.SafeLoader):
        for line in block[end : token.start_mark.index].splitlines():
            if "#" in line:
                yield line[line.index("#") :].rstrip()
        end = max(end, token.end_mark.index)


def _lines(panels: dict[str, Any]) -> Iterator[str]:
    """Yield the block: one line per circuit, spare and set of cords."""
    if not panels:
        return
    yield f"{_KEY}:"
    if panels.get("cords"):
        yield "  cords:"
        yield from (f"    - {_in_line(cord)}" for cord in panels["cords"])
    if panels.get("boards"):
        yield "  boards:"
    for board in panels.get("boards", ()):
        yield f"    - {_in_line({'tag': board['tag']})[1:-1]}"
        for name in ("circuits", "spares"):
            if board.get(name):
                yield f"      {name}:"
                yield from (f"        - {_in_line(entry)}" for entry in board[name])


def _in_line(entry: dict[str, Any]) -> str:
    return yaml_text(entry, flow=True).rstrip("\n").replace("fixed: 'true'", "fixed: yes")
