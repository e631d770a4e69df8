"""Draw faults at random from the sizing and choosing code, without reading any test.

    python -m tools.draw_faults --seed 7 --count 45 --out out/drawn.csv
    python -m tools.draw_faults --seed 7 --area 'power study/failures' --out out/drawn.csv
    python -m tools.mutants --list out/drawn.csv

Each fault is one change of one line, of the kinds that reviews find: a term or a factor left out,
plus for minus, max for min, another state, count or temperature, rounding down for up, a constant
misread. The lines are drawn evenly over the folders of `AREAS`; nothing is drawn again because a
test did or did not notice it.
"""

from __future__ import annotations

import argparse
import ast
import csv
import random
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

from tools.faults import COLUMNS, ROOT, Fault

AREAS = ("power", "cooling", "study")
_LEFT_OUT = ("verification", "fixes", "sweep", "optimise", "ranges", "checks.py", "rules.py")
"""Folders and modules of `AREAS` that size and choose nothing, or judge only."""
_TEXT = ("word", "why", "text", "label", "name", "title", "because", "refus", "unknown", "record")
"""Parts of the names of functions that write text."""
_CALLS = {"max": "min", "most": "least", "ceil": "floor", "maximum": "minimum", "any": "all"}
_ATTRIBUTES = {
    "normal": "failure",
    "duty": "installed",
    "rating_w": "rating_va",
    "dry_bulb_c": "wet_bulb_c",
    "supply_c": "return_c",
    "no_load_w": "load_loss_w",
    "bypass": "recirculation",
    "inlet_c": "exhaust_c",
    "runs": "duty_runs",
    "ampacity_a": "ocpd_a",
    "worst_a": "normal_a",
    "tcs_flow_m3_s": "fws_flow_m3_s",
    "on_duty": "count",
}
_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "/",
    ast.Div: "*",
}


class Change(NamedTuple):
    """A change of one expression: where it is in the file, and what it becomes."""

    line: int
    start: int
    end: int
    new: str
    why: str


def _both_ways(pairs: dict[str, str]) -> dict[str, str]:
    return pairs | {new: old for old, new in pairs.items()}


CALLS, ATTRIBUTES = _both_ways(_CALLS), _both_ways(_ATTRIBUTES)


def changes(source: str) -> list[Change]:
    """Return every change that can be made to a module, one line each."""
    found: list[Change] = []
    lines = source.encode().splitlines()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and not any(w in node.name for w in _TEXT):
            found += (one for inner in _code_of(node) for one in _of_node(inner, lines))
    return sorted(set(found))


def _code_of(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the expressions of a function; no annotations, raised errors, or texts."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Raise | ast.JoinedStr | ast.arguments | ast.FunctionDef):
            continue
        if isinstance(node, ast.FunctionDef) and child in (node.returns, *node.decorator_list):
            continue
        yield child
        yield from _code_of(child)


def _of_node(node: ast.AST, lines: Sequence[bytes]) -> Iterator[Change]:
    def segment(one: ast.expr) -> str:
        if one.lineno != one.end_lineno:
            return ""
        return lines[one.lineno - 1][one.col_offset : one.end_col_offset].decode()

    def change(one: ast.expr, new: str, why: str) -> Iterator[Change]:
        if one.lineno == one.end_lineno and one.end_col_offset is not None:
            yield Change(one.lineno, one.col_offset, one.end_col_offset, new, why)

    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        left, right = segment(node.left), segment(node.right)
        between = segment(node)[len(left) : len(segment(node)) - len(right)]
        if isinstance(node.left, ast.Constant) and isinstance(node.left.value, str):
            return
        if between.strip() in ("+", "-", "*", "/"):
            sign = _OPERATORS[type(node.op)]
            yield from change(node, f"{left} {sign} {right}", f"{sign} for {between.strip()}")
            yield from change(node, left, f"{between.strip()} {right} left out")
    elif isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else segment(node.func)
        if name in CALLS and name in segment(node.func):
            new = segment(node.func)[: -len(name)] + CALLS[name]
            yield from change(node.func, new, f"{CALLS[name]} for {name}")
    elif isinstance(node, ast.Attribute) and node.attr in ATTRIBUTES:
        new = f"{segment(node.value)}.{ATTRIBUTES[node.attr]}"
        yield from change(node, new, f"{ATTRIBUTES[node.attr]} for {node.attr}")
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        pair = {ast.Lt: ">", ast.Gt: "<", ast.LtE: ">=", ast.GtE: "<="}
        sign = next((s for of, s in pair.items() if isinstance(node.ops[0], of)), "")
        if sign:
            new = f"{segment(node.left)} {sign} {segment(node.comparators[0])}"
            yield from change(node, new, "sense of the comparison")
    elif (
        isinstance(node, ast.Constant)
        and isinstance(node.value, float)
        and node.value not in (0.0, 1.0)
    ):
        yield from change(node, f"{node.value * 1.2:.6g}", "constant misread by a fifth")


def as_fault(path: Path, source: str, change: Change, id: str) -> Fault | None:
    """Return the fault with enough lines around it to stand once in its file; None if none do.

    It must be Python, and its attribute one that the package knows.
    """
    lines = source.splitlines(keepends=True)
    row = lines[change.line - 1]
    encoded = row.encode()
    changed = encoded[: change.start] + change.new.encode() + encoded[change.end :]
    for more in range(4):
        first = max(0, change.line - 1 - more)
        old = "".join(lines[first : change.line]).rstrip("\n")
        new = ("".join(lines[first : change.line - 1]) + changed.decode()).rstrip("\n")
        if source.count(old) == 1:
            break
    else:
        return None
    try:
        compile(source.replace(old, new), str(path), "exec", dont_inherit=True)
    except SyntaxError:
        return None
    return Fault(id, str(path), old, new, change.why, near(path))


def near(path: Path) -> str:
    """Return the folder of tests of a module: the closest one that exists."""
    folder = Path("tests", *path.parts[1:-1])
    while not (ROOT / folder).is_dir() or not any((ROOT / folder).glob("**/test_*.py")):
        folder = folder.parent
    return str(folder)


def modules(area: str) -> list[Path]:
    """Return the modules of an area that faults are drawn from, in their order.

    area: Folders of `facility/`, separated by spaces.
    """
    folders = [ROOT / "facility" / folder for folder in area.split()]
    found = sorted(path for folder in folders for path in folder.rglob("*.py"))
    inside = [path.relative_to(ROOT) for path in found]
    return [p for p in inside if not any(part in p.parts for part in _LEFT_OUT)]


@cache
def _changes_of(area: str) -> list[tuple[Path, str, Change]]:
    read = [(path, (ROOT / path).read_text(encoding="utf-8")) for path in modules(area)]
    return [(path, text, change) for path, text in read for change in changes(text)]


def draw(count: int, seed: int, areas: Sequence[str] = AREAS) -> list[Fault]:
    """Return `count` faults, of the areas in turn; no two in one function's line."""
    chance, found = random.Random(seed), dict[tuple[Path, int], Fault]()
    for area in cycle(areas):
        if len(found) == count:
            break
        path, text, change = chance.choice(_changes_of(area))
        fault = as_fault(path, text, change, f"drawn-{seed}-{len(found) + 1}")
        if fault is not None:
            found.setdefault((path, change.line), fault)
    return list(found.values())


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw faults and write them; see the module's text."""
    parser = argparse.ArgumentParser(prog="draw_faults", description="Draw faults at random.")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, default=45)
    parser.add_argument("--area", action="append", help="folders of facility/; may be repeated")
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args(arguments)
    areas = asked.area or AREAS
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    with asked.out.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(vars(fault) for fault in draw(asked.count, asked.seed, areas))
    return 0


if __name__ == "__main__":
    sys.exit(main())
