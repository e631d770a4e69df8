"""The answers of both trees to one case, read back and compared."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.same.books import books
from tools.same.values import NEAR, Difference, lines, tables, trees

_SHORT_HASH = 12
_UNKNOWN = ("No such command", "No such option")


@dataclass(frozen=True)
class Found:
    """A difference, with the case and the question it belongs to."""

    case: str
    question: str
    difference: Difference


@dataclass(frozen=True)
class Compared:
    """What the comparison of a case found, and how many answers and files it looked at."""

    case: str
    found: list[Found]
    answers: int
    one_sided: list[str]


def masker(index: dict[str, Any]) -> Callable[[str], str]:
    """Return what replaces a tree's own version and hash of reference data in a text."""
    version, reference = index["version"], index["reference"]

    def mask(text: str) -> str:
        if text == version:
            return "<version>"
        text = text.replace(f"facility {version}", "facility <version>")
        text = text.replace(f"{version}</", "<version></")
        if reference:
            text = text.replace(reference, "<reference>")
            text = text.replace(reference[:_SHORT_HASH], "<reference>")
        return text

    return mask


def compare_case(name: str, folders: tuple[Path, Path], *, exact: bool) -> Compared:
    """Compare all that both trees answered to the case `name`."""
    near = 0.0 if exact else NEAR
    indexes = [_index(folder / name) for folder in folders]
    if not all(indexes):
        words = ["answered" if index else "not answered" for index in indexes]
        lost = Difference("(case)", words[0], words[1])
        return Compared(name, [Found(name, "(all)", lost)], 0, [])
    masks = masker(indexes[0]), masker(indexes[1])
    said = [_said(folder / name, index) for folder, index in zip(folders, indexes, strict=True)]
    found: list[Found] = []
    one_sided: list[str] = []
    for question in [*said[0], *(q for q in said[1] if q not in said[0])]:
        old, new = said[0].get(question, {}), said[1].get(question, {})
        for argv in [*old, *(argv for argv in new if argv not in old)]:
            if alone := _only_one(old.get(argv), new.get(argv)):
                one_sided.append(f"{argv}: {alone}")
                continue
            for one in _answer(old[argv], new[argv], masks, near):
                found.append(Found(name, _labelled(question, argv, old), one))
    works = (folders[0] / name / "work", folders[1] / name / "work")
    count = sum(len(argvs) for argvs in said[0].values())
    for file in _files(works):
        count += 1
        alone = [(work / file).is_file() for work in works]
        if not all(alone):
            one_sided.append(f"file {file}: written by {'before' if alone[0] else 'after'} alone")
            continue
        data = (works[0] / file).read_bytes(), (works[1] / file).read_bytes()
        found += [Found(name, f"file {file}", one) for one in _file(file, data, masks, near)]
    return Compared(name, found, count, one_sided)


def _labelled(question: str, argv: str, said: dict[str, Any]) -> str:
    return argv if len(said) > 1 else question


def _index(folder: Path) -> dict[str, Any]:
    path = folder / "index.json"
    found: dict[str, Any] = json.loads(path.read_text()) if path.is_file() else {}
    return found


def _said(folder: Path, index: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {
        one["id"]: json.loads((folder / "answers" / one["answers"]).read_text(encoding="utf-8"))
        for one in index["questions"]
    }


def _only_one(old: dict[str, Any] | None, new: dict[str, Any] | None) -> str:
    """Return which tree alone knows the verb or option, empty where both do (or neither)."""
    if old is None or new is None:
        return f"asked {'after' if old is None else 'before'} alone"
    lacking = [
        one["code"] == 2 and any(word in one["err"] for word in _UNKNOWN) for one in (old, new)
    ]
    if lacking[0] == lacking[1]:
        return ""
    return f"known {'after' if lacking[0] else 'before'} alone"


def _answer(
    old: dict[str, Any], new: dict[str, Any], masks: Any, near: float
) -> Iterator[Difference]:
    if old["code"] != new["code"]:
        yield Difference("(exit code)", str(old["code"]), str(new["code"]))
    for stream in ("out", "err"):
        before, after = masks[0](old[stream]), masks[1](new[stream])
        if before != after:
            for one in _text(before, after, near):
                prefix = "stderr " if stream == "err" else ""
                yield Difference(prefix + one.path, one.before, one.after, one.relative)


def _text(before: str, after: str, near: float) -> Iterator[Difference]:
    """Compare JSON as JSON, and any other text by its lines."""
    try:
        bodies = json.loads(before), json.loads(after)
    except ValueError:
        yield from lines(before, after)
        return
    count = 0
    for one in trees("", *bodies, near):
        count += 1
        yield one
    if not count and near == 0.0:
        yield from lines(before, after)


def _files(works: tuple[Path, Path]) -> list[str]:
    return sorted(
        {
            path.relative_to(work).as_posix()
            for work in works
            for path in work.rglob("*")
            if path.is_file()
        }
    )


def _file(file: str, data: tuple[bytes, bytes], masks: Any, near: float) -> Iterator[Difference]:
    if data[0] == data[1]:
        return
    if file.endswith(".xlsx"):
        yield from books(*data, masks, near)
        return
    try:
        texts = [mask(one.decode("utf-8")) for mask, one in zip(masks, data, strict=True)]
    except UnicodeDecodeError:
        yield Difference("(bytes)", f"{len(data[0])} bytes", f"{len(data[1])} bytes")
        return
    if texts[0] == texts[1]:
        return
    if file.endswith(".csv"):
        rows = [list(csv.reader(io.StringIO(text))) for text in texts]
        yield from tables(*rows, near)
    elif file.endswith((".svg", ".html")):
        yield from lines(*(text.replace("><", ">\n<") for text in texts))
    else:
        yield from _text(*texts, near)
