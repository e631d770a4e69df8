"""Restricted YAML and JSON: only mappings and lists of text.

All plain scalars stay text: ``4:1``, ``NO``, ``010`` and ``1e3`` remain as typed. Duplicate
keys, anchors, aliases, tags and further documents are refused. The YAML is built from parser events
with an explicit stack, so no constructor runs, nothing expands, and depth and size are bounded
before building.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

import yaml

from facility.core.errors import FacilityError

MAX_DEPTH = 32
MAX_NODES = 100_000

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_JSON_START = re.compile(r'\s*\{\s*["}]')


def read_document(text: str, where: str) -> Any:
    """Return the YAML or JSON document in `text`.

    JSON is recognised by the suffix of `where`, or by its first two tokens.

    Raises ``YAML_SYNTAX`` or ``JSON_SYNTAX`` (with line and column), ``FILE_TOO_DEEP`` or
    ``FILE_TOO_COMPLEX``, with exit code 6; ``DUPLICATE_KEY``, ``YAML_ALIAS``, ``YAML_TAG``,
    ``YAML_KEY`` or ``YAML_DOCUMENTS`` with exit code 3.
    """
    if where.lower().endswith(".json") or _JSON_START.match(text):
        return _read_json(text, where)
    return _Builder(where).build(text)


class _Builder:
    """Builds one document from YAML events."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.open: list[dict[str, Any] | list[Any]] = []
        self.keys: list[str | None] = []
        self.root: Any = None
        self.nodes = 0
        self.documents = 0

    def build(self, text: str) -> Any:
        try:
            for event in yaml.parse(text, Loader=_LOADER):
                self._take(event)
        except yaml.MarkedYAMLError as error:
            location = _location(self.where, error.problem_mark or error.context_mark)
            reason = ", ".join(part for part in (error.context, error.problem) if part)
            raise FacilityError(
                "YAML_SYNTAX", location, f"this is not valid YAML: {reason}."
            ) from None
        except (yaml.YAMLError, UnicodeError, ValueError) as error:
            reason = " ".join(str(error).split())[:160]
            raise FacilityError(
                "YAML_SYNTAX", self.where, f"this is not valid YAML: {reason}."
            ) from None
        return self.root

    def _take(self, event: yaml.Event) -> None:
        if isinstance(event, yaml.NodeEvent):
            self._refuse_indirection(event)
        if isinstance(event, yaml.ScalarEvent):
            is_plain = event.implicit[0]
            self._scalar(event, event.value if event.value or not is_plain else None)
        elif isinstance(event, yaml.MappingStartEvent):
            self._start({}, event)
        elif isinstance(event, yaml.SequenceStartEvent):
            self._start([], event)
        elif isinstance(event, yaml.CollectionEndEvent):
            self.open.pop()
            self.keys.pop()
        elif isinstance(event, yaml.DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                self._refuse(
                    "YAML_DOCUMENTS",
                    event,
                    "a second document begins here.",
                    "Keep one document in a file.",
                )

    def _refuse_indirection(self, event: yaml.NodeEvent) -> None:
        if event.anchor is not None:
            self._refuse(
                "YAML_ALIAS",
                event,
                "anchors and aliases are not supported.",
                "Write the value in full.",
            )
        tag = getattr(event, "tag", None)
        if tag is not None:
            shown = tag.replace("tag:yaml.org,2002:", "!!")[:60]
            self._refuse(
                "YAML_TAG",
                event,
                f"the tag {shown!r} is not supported.",
                "Remove it; values need no tag.",
            )
        self.nodes += 1
        if self.nodes > MAX_NODES:
            self._refuse("FILE_TOO_COMPLEX", event, f"more than {MAX_NODES:,} values.")

    def _start(self, collection: dict[str, Any] | list[Any], event: yaml.Event) -> None:
        if self._waits_for_key():
            self._refuse("YAML_KEY", event, "a mapping or a list cannot be a field name.")
        self._put(collection)
        self.open.append(collection)
        self.keys.append(None)
        if len(self.open) > MAX_DEPTH:
            self._refuse("FILE_TOO_DEEP", event, f"more than {MAX_DEPTH} levels deep.")

    def _scalar(self, event: yaml.Event, value: str | None) -> None:
        if not self._waits_for_key():
            self._put(value)
            return
        name = value or ""
        if name in self.open[-1]:
            self._refuse(
                "DUPLICATE_KEY",
                event,
                f"the field {name[:60]!r} occurs twice.",
                "Keep one of them.",
            )
        self.keys[-1] = name

    def _waits_for_key(self) -> bool:
        return bool(self.open) and isinstance(self.open[-1], dict) and self.keys[-1] is None

    def _put(self, value: Any) -> None:
        if not self.open:
            self.root = value
            return
        holder, key = self.open[-1], self.keys[-1]
        if isinstance(holder, list):
            holder.append(value)
        elif key is not None:
            holder[key] = value
            self.keys[-1] = None

    def _refuse(self, code: str, event: yaml.Event, message: str, hint: str = "") -> NoReturn:
        path = [key for key in self.keys if key]
        inside = f" (in {'.'.join(path)[:80]})" if path else ""
        location = _location(self.where, event.start_mark)
        raise FacilityError(code, location, f"{message.removesuffix('.')}{inside}.", hint)


def _location(where: str, mark: Any) -> str:
    return f"{where}:{mark.line + 1}:{mark.column + 1}" if mark else where


def _read_json(text: str, where: str) -> Any:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in pairs:
            if name in found:
                raise FacilityError(
                    "DUPLICATE_KEY",
                    where,
                    f"the field {name[:60]!r} occurs twice.",
                    "Keep one of them.",
                )
            found[name] = value
        return found

    def constant(word: str) -> NoReturn:
        raise FacilityError(
            "JSON_NUMBER", where, f"{word} is not a number.", "Write a finite number."
        )

    try:
        document = json.loads(
            text, object_pairs_hook=unique, parse_int=str, parse_float=str, parse_constant=constant
        )
    except json.JSONDecodeError as error:
        location = f"{where}:{error.lineno}:{error.colno}"
        raise FacilityError(
            "JSON_SYNTAX", location, f"this is not valid JSON: {error.msg}."
        ) from None
    except RecursionError:
        raise FacilityError("FILE_TOO_DEEP", where, f"more than {MAX_DEPTH} levels deep.") from None
    return _bounded(document, where)


def _bounded(document: Any, where: str) -> Any:
    """Return `document` with true and false as text; reject it if too deep or too large."""
    holder = [document]
    waiting: list[tuple[Any, int]] = [(holder, 0)]
    nodes = 0
    while waiting:
        collection, depth = waiting.pop()
        if depth > MAX_DEPTH:
            raise FacilityError("FILE_TOO_DEEP", where, f"more than {MAX_DEPTH} levels deep.")
        entries = collection.items() if isinstance(collection, dict) else enumerate(collection)
        for key, value in list(entries):
            nodes += 1
            if isinstance(value, bool):
                collection[key] = "true" if value else "false"
            elif isinstance(value, dict | list):
                waiting.append((value, depth + 1))
        if nodes > MAX_NODES:
            raise FacilityError("FILE_TOO_COMPLEX", where, f"more than {MAX_NODES:,} values.")
    return holder[0]


_PLAIN_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?", re.ASCII)


def yaml_text(data: Any, *, flow: bool = False) -> str:
    """Return nested mappings and lists of text as YAML, keys in their order.

    data: What to write.
    flow: Write it in one line, in braces and brackets.
    """
    text: str = yaml.dump(
        data,
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        width=10**6,
        default_flow_style=flow,
    )
    return text


class _Dumper(yaml.SafeDumper):
    """Writes text unquoted if all YAML readers agree on it, otherwise quoted."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    if _PLAIN_NUMBER.fullmatch(text):
        kind = "float" if "." in text else "int"
        return dumper.represent_scalar(f"tag:yaml.org,2002:{kind}", text)
    return dumper.represent_scalar("tag:yaml.org,2002:str", text)


_Dumper.add_representer(str, _represent_text)
