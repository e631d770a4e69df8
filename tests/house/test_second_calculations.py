"""Functions that size or choose equipment, and the independent calculation of each.

`tests/results/second_calculations.csv` lists them: a case worked by hand (`tests/hand`), a second
calculation (`tests/results/second.py`, `ride.py`), or a test of known values; empty where there is
none. A new function that sizes or chooses is given one, or a row without: there may be no more than
`MAX_WITHOUT`, and the number only falls.
"""

from __future__ import annotations

import ast
import csv
import re
from collections.abc import Iterator
from pathlib import Path

from tests.hand.registry import hand_cases
from tests.results import ride, second
from tests.tools.source_tree import report
from tools.faults import read_known_values

ROOT = Path(__file__).parents[2]
LIST = ROOT / "tests" / "results" / "second_calculations.csv"
MAX_WITHOUT = 0
AREAS = ("power", "cooling", "study")
NAME = re.compile(
    r"_?(size|choose|select|smallest|fewest|rank)_(?!checks|correlation)\w+|_?(choose|select|selected|chosen|ranked)"
    r"|_?chosen_\w+|\w*_needed|_needed|_?sized|_?(min|lowest)_(device|rating)|with_(duty|rating)"
)
_NO_CHOICE = (*("study.verification.", "power.panels.moves."), "power.feeders.nec.steps")
"""Cases of the manual, searches whose result is evaluated by its own measure, and the trace."""


def _is_one(node: ast.AST, module: str) -> bool:
    if not isinstance(node, ast.FunctionDef) or module.startswith(_NO_CHOICE):
        return False
    if module.endswith(".checks"):
        return False
    is_property = any(isinstance(d, ast.Name) and d.id == "property" for d in node.decorator_list)
    return bool(NAME.fullmatch(node.name)) and not is_property and "record" not in node.name


def functions() -> Iterator[str]:
    """Yield the functions that size or choose, as module and name."""
    for area in AREAS:
        for path in sorted((ROOT / "facility" / area).rglob("*.py")):
            module = ".".join(path.relative_to(ROOT / "facility").with_suffix("").parts)
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef) and _is_one(node, module):
                    yield f"{module}.{node.name}"


def rows() -> dict[str, str]:
    """Return function and its independent calculations."""
    with LIST.open(newline="", encoding="utf-8") as stream:
        found = [(row["function"], row["calculation"]) for row in csv.DictReader(stream)]
    assert len(dict(found)) == len(found)
    return dict(found)


def test_every_function_that_sizes_or_chooses_is_listed() -> None:
    listed, there = set(rows()), set(functions())
    wrong = [f"not listed: {name}" for name in sorted(there - listed)]
    wrong += [f"no such function: {name}" for name in sorted(listed - there)]
    assert not wrong, report("functions that size or choose", wrong)


def test_every_calculation_named_is_there() -> None:
    known = {
        *(f"hand {one.case}" for one in hand_cases()),
        *(f"second {one.__name__}" for one in second.SECOND),
        *(f"ride {one.__name__}" for one in ride.RIDES),
        *(f"test {one.tests}" for one in read_known_values()),
    }
    wrong = [
        f"{name}: {one}"
        for name, calculation in rows().items()
        for one in filter(None, calculation.split("; "))
        if one not in known
    ]
    assert not wrong, report("calculations that are not there", wrong)


def test_functions_without_an_independent_calculation_become_fewer() -> None:
    without = sorted(name for name, calculation in rows().items() if not calculation)
    assert len(without) <= MAX_WITHOUT, report("no independent calculation", without)
    assert len(without) == MAX_WITHOUT, f"lower MAX_WITHOUT to {len(without)}"
