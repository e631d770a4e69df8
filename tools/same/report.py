"""What differs, grouped by the pattern of its place, the worst first; all of it in a CSV."""

from __future__ import annotations

import csv
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from tools.same.answers import Found

_WIDTH = 60
_SHOWN_CASES = 4


def pattern(found: Found) -> str:
    """Return the place of a difference without what counts it: indexes, names, rows of a sheet."""
    question = re.sub(r"seed-\d+|[\w-]+\.(yaml|csv)|\d+", "*", found.question)
    if found.question.startswith("explain "):
        question = "explain *"
    path = found.difference.path
    path = re.sub(r"/[^/]* @ [^/]*", "/*", path)
    path = re.sub(r"(![A-Z]{1,3})\d+", r"\1*", path)
    return f"{question}  {re.sub(r'[0-9]+', '*', path)}"


def groups(found: Iterable[Found]) -> list[tuple[str, list[Found]]]:
    """Return the differences by pattern, in each the worst first, the worst pattern first."""
    by_pattern: dict[str, list[Found]] = defaultdict(list)
    for one in found:
        by_pattern[pattern(one)].append(one)
    for members in by_pattern.values():
        members.sort(key=lambda one: -one.difference.relative)
    return sorted(
        by_pattern.items(), key=lambda item: (-item[1][0].difference.relative, -len(item[1]))
    )


def printed(found: list[Found], most: int) -> Iterator[str]:
    """Yield lines for people: one group each, with its worst member, no more than `most`."""
    grouped = groups(found)
    for name, members in grouped[:most]:
        worst = members[0]
        cases = sorted({one.case for one in members})
        shown = ", ".join(cases[:_SHOWN_CASES]) + (", ..." if len(cases) > _SHOWN_CASES else "")
        size = worst.difference.relative
        by = "" if math.isinf(size) else f"  relative {size:.3g}"
        yield f"{len(members):6} x {name}{by}   ({len(cases)} cases: {shown})"
        one = worst.difference
        yield f"         {worst.case}: {one.path}: {_cut(one.before)} -> {_cut(one.after)}"
    if len(grouped) > most:
        yield f"       ... and {len(grouped) - most} more patterns"


def write(found: list[Found], path: Path) -> None:
    """Write every difference to the CSV at `path`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("pattern", "case", "question", "path", "before", "after", "relative"))
        for name, members in groups(found):
            for one in members:
                place = one.difference
                writer.writerow(
                    (
                        name,
                        one.case,
                        one.question,
                        place.path,
                        place.before,
                        place.after,
                        place.relative,
                    )
                )


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _WIDTH else line[: _WIDTH - 3] + "..."
