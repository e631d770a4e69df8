"""Two answers compared value by value: numbers to a tolerance, everything else exactly."""

from __future__ import annotations

import difflib
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

NEAR = 1e-12
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_WHOLE = re.compile(r"[+-]?\d+")
_MAX_ALIGNED = 4000
# What tells the entries of a list apart, so that one entry more does not move all that follow.
_KEYS = (("rule", "subject"), ("id",), ("case",), ("name",), ("tag",), ("line",))


@dataclass(frozen=True)
class Difference:
    """One value that differs: where, what it was, what it is, and by how much (relative)."""

    path: str
    before: str
    after: str
    relative: float = math.inf


def relative(before: float, after: float) -> float:
    """Return the difference over the larger of both sizes; infinite if one is not a number."""
    if before == after or (math.isnan(before) and math.isnan(after)):
        return 0.0
    size = max(abs(before), abs(after))
    return abs(before - after) / size if math.isfinite(size) else math.inf


def scalars(path: str, before: Any, after: Any, near: float) -> Iterator[Difference]:
    """Yield the difference of two JSON scalars: floats to `near`, all others exactly.

    With `near` of 0 floats are equal to the bit: -0.0 is not 0.0.
    """
    if type(before) is type(after) and before == after:
        if isinstance(before, float) and near == 0.0 and repr(before) != repr(after):
            yield Difference(path, repr(before), repr(after), 0.0)
        return
    if isinstance(before, float) and isinstance(after, float):
        size = relative(before, after)
        if size > near:
            yield Difference(path, repr(before), repr(after), size)
        return
    size = math.inf
    numbers = (int, float)
    if (
        isinstance(before, numbers)
        and isinstance(after, numbers)
        and bool not in (type(before), type(after))
    ):
        size = relative(float(before), float(after))
    yield Difference(path, shown(before), shown(after), size)


def trees(path: str, before: Any, after: Any, near: float) -> Iterator[Difference]:
    """Yield the differences of two JSON values."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in [*before, *(key for key in after if key not in before)]:
            here = f"{path}/{str(key).replace('~', '~0').replace('/', '~1')}"
            if key not in after:
                yield Difference(here, shown(before[key]), "(not there)")
            elif key not in before:
                yield Difference(here, "(not there)", shown(after[key]))
            else:
                yield from trees(here, before[key], after[key], near)
    elif isinstance(before, list) and isinstance(after, list):
        yield from _lists(path, before, after, near)
    else:
        yield from scalars(path, before, after, near)


def _lists(path: str, before: list[Any], after: list[Any], near: float) -> Iterator[Difference]:
    names = _names(before), _names(after)
    if names[0] is None or names[1] is None:
        yield from _in_order(path, before, after, near)
        return
    old, new = dict(zip(names[0], before, strict=True)), dict(zip(names[1], after, strict=True))
    yield from trees(path, old, new, near)
    kept = [[name for name in some if name in other] for some, other in ((old, new), (new, old))]
    if kept[0] != kept[1]:
        first = next(pair for pair in zip(*kept, strict=True) if pair[0] != pair[1])
        yield Difference(f"{path} (order)", first[0], first[1])


def _in_order(path: str, before: list[Any], after: list[Any], near: float) -> Iterator[Difference]:
    if len(before) != len(after):
        yield Difference(f"{path} (length)", str(len(before)), str(len(after)))
    for n, (old, new) in enumerate(zip(before, after, strict=False)):
        yield from trees(f"{path}/{n}", old, new, near)


def _names(entries: list[Any]) -> list[str] | None:
    """Return a name for each entry of a list of objects, None if they cannot be distinguished."""
    if not entries or not all(isinstance(entry, dict) for entry in entries):
        return None
    for keys in _KEYS:
        if all(all(isinstance(entry.get(key), str) for key in keys) for entry in entries):
            found = [" @ ".join(entry[key] for key in keys) for entry in entries]
            times: Counter[str] = Counter()
            for n, name in enumerate(found):
                times[name] += 1
                found[n] += f" ({times[name]})" * (times[name] > 1)
            if len(set(found)) == len(found):
                return found
    return None


def lines(before: str, after: str) -> Iterator[Difference]:
    """Yield the differences of two printed texts, line by line; numbers in them are text."""
    old, new = before.splitlines(), after.splitlines()
    if len(old) == len(new) or len(old) + len(new) > _MAX_ALIGNED:
        if len(old) != len(new):
            yield Difference("(lines)", str(len(old)), str(len(new)))
        for n, (one, other) in enumerate(zip(old, new, strict=False), 1):
            if one != other:
                yield Difference(f"line {n}", one.strip(), other.strip())
        if before != after and old == new:
            yield Difference("(line ends)", repr(before[-20:]), repr(after[-20:]))
        return
    aligned = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    for what, i, j, k, m in aligned:
        if what == "equal":
            continue
        for n in range(max(j - i, m - k)):
            one = old[i + n].strip() if i + n < j else "(not there)"
            other = new[k + n].strip() if k + n < m else "(not there)"
            yield Difference(f"line {i + n + 1}", one, other)


def texts(path: str, before: str, after: str, near: float) -> Iterator[Difference]:
    """Yield the difference of two cells as text: decimal numbers to `near`, all else exactly."""
    if before == after:
        return
    size = math.inf
    if _NUMBER.fullmatch(before) and _NUMBER.fullmatch(after):
        size = relative(float(before), float(after))
        whole = _WHOLE.fullmatch(before) and _WHOLE.fullmatch(after)
        if near > 0.0 and size <= near and not whole:
            return
    yield Difference(path, before, after, size)


def tables(
    before: Sequence[Sequence[str]], after: Sequence[Sequence[str]], near: float
) -> Iterator[Difference]:
    """Yield the differences of two tables of text (CSV)."""
    if len(before) != len(after):
        yield Difference("(rows)", str(len(before)), str(len(after)))
    for n, (old, new) in enumerate(zip(before, after, strict=False), 1):
        if len(old) != len(new):
            yield Difference(f"row {n} (cells)", str(len(old)), str(len(new)))
        head = before[0] if len(before[0]) == len(old) else [str(m) for m in range(len(old))]
        for name, one, other in zip(head, old, new, strict=False):
            yield from texts(f"row {n}/{name}", one, other, near)


def shown(value: Any) -> str:
    """Return the value as one line of text."""
    return repr(value) if isinstance(value, float) else str(value)
