"""The comparison of two trees finds what was planted, and nothing else."""

from __future__ import annotations

import json
import re
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter

from tools.same.__main__ import ask, compare_all, tell
from tools.same.answers import Compared, compare_case
from tools.same.books import books
from tools.same.cases import Case
from tools.same.report import groups, pattern
from tools.same.trees import census
from tools.same.values import NEAR, lines, tables, trees

MAIN = """
import json, sys
def main():
    words = sys.argv[1:]
    if "--wings" in words and not WINGS:
        sys.stderr.write("No such option: --wings")
        sys.exit(2)
    if words[0] == "design":
        print(json.dumps({"results": {"load.racks": 2, "load.it": VALUE},
                          "checks": [{"rule": "R1", "subject": "RPP-A01", "value": 1}]}))
        open("curve.csv", "w").write("t,v\\n0,%r\\n" % VALUE)
    else:
        print("facility " + __import__("facility").__version__)
"""


def tree_of(folder: Path, version: str, value: str, wings: bool = False) -> Path:
    """Write a tree whose command line answers `value` to ``design``."""
    package = folder / "facility"
    package.mkdir(parents=True)
    (folder / "tests").mkdir()
    (folder / "pyproject.toml").write_text('[project]\nscripts = {facility = "facility.ends:main"}')
    (package / "__init__.py").write_text(
        f'__all__ = ["design"]\n__version__ = "{version}"\ndef design(project): return project\n'
    )
    (package / "ends.py").write_text(f"VALUE, WINGS = {value}, {wings}\n{MAIN}")
    return folder


def asked(
    tmp_path: Path, trees: tuple[Path, Path], project: str = "it: {}", exact: bool = False
) -> Compared:
    """Ask both trees about one project."""
    file = tmp_path / "one.yaml"
    file.write_text(project)
    case = Case("one", "random", file)
    outs = tmp_path / "before", tmp_path / "after"
    for tree, out in zip(trees, outs, strict=True):
        ask(tree, out, [case], 1, quick=True)
    (found,) = compare_all([case], outs, 1, exact=exact)
    return found


@pytest.mark.parametrize(
    ("value", "exact", "differ"),
    [
        ("0.1", True, False),
        ("0.1 * (1 + 1e-13)", False, False),
        ("0.1 * (1 + 1e-13)", True, True),
        ("0.1 * (1 + 1e-11)", False, True),
        ("'0.1'", False, True),
    ],
)
def test_two_trees_beside_each_other(tmp_path: Path, value: str, exact: bool, differ: bool) -> None:
    pair = tree_of(tmp_path / "a", "1.0", "0.1"), tree_of(tmp_path / "b", "1.1", value)
    compared = asked(tmp_path, pair, exact=exact)
    assert compared.answers >= 6
    assert not compared.one_sided
    places = {(one.question, one.difference.path) for one in compared.found}
    wanted = {("design --json", "/results/load.it"), ("file curve.csv", "row 2/v")}
    assert places == (wanted if differ else set())


def test_a_package_from_elsewhere_is_refused(tmp_path: Path) -> None:
    tree = tree_of(tmp_path / "a", "1.0", "0.1")
    (tree / "facility" / "__init__.py").write_text('__file__ = "/elsewhere/facility/x.py"\n')
    with pytest.raises(SystemExit, match="ended with exit code 1"):
        asked(tmp_path, (tree, tree))


def test_a_case_that_crashes_is_a_difference(tmp_path: Path) -> None:
    pair = tree_of(tmp_path / "a", "1.0", "0.1"), tree_of(tmp_path / "b", "1.0", "0.1")
    (pair[1] / "facility" / "ends.py").write_text("import os\ndef main(): os._exit(3)\n")
    (found,) = asked(tmp_path, pair).found
    assert (found.difference.before, found.difference.after) == ("answered", "not answered")


def test_a_verb_of_one_tree_is_said_and_no_crash(tmp_path: Path) -> None:
    for name, (code, err) in {"a": (2, "No such option: --x"), "b": (0, "")}.items():
        folder = tmp_path / name / "one"
        (folder / "answers").mkdir(parents=True)
        (folder / "work").mkdir()
        said = {"design --x": {"code": code, "out": "", "err": err}}
        (folder / "answers" / "0.json").write_text(json.dumps(said))
        index = {"version": "1", "reference": "", "questions": [{"id": "q", "answers": "0.json"}]}
        (folder / "index.json").write_text(json.dumps(index))
    (tmp_path / "b" / "one" / "work" / "x.svg").write_text("<svg/>")
    found = compare_case("one", (tmp_path / "a", tmp_path / "b"), exact=False)
    assert not found.found
    assert found.one_sided == [
        "design --x: known after alone",
        "file x.svg: written by after alone",
    ]


@pytest.mark.parametrize(
    ("old", "new", "paths"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"a": 2}, ["/a"]),
        ({"a": 1}, {"a": 1.0}, ["/a"]),
        ({"a": 1}, {"a": True}, ["/a"]),
        ({"a": 1.0}, {"a": 1.0 + 1e-11}, ["/a"]),
        ({"a": 1.0}, {"a": 1.0 + 1e-13}, []),
        ({"a": 0.0}, {"a": 1e-300}, ["/a"]),
        ({"a": None}, {"a": 0.0}, ["/a"]),
        ({"a": "1.0"}, {"a": "1.00"}, ["/a"]),
        ({"a": 1}, {"b": 1}, ["/a", "/b"]),
        ([1, 2], [1], [" (length)"]),
        ([{"id": "x", "v": 1}, {"id": "y", "v": 2}], [{"id": "y", "v": 3}], ["/x", "/y/v"]),
        ([{"id": "x"}, {"id": "y"}], [{"id": "y"}, {"id": "x"}], [" (order)"]),
    ],
)
def test_json_values(old: Any, new: Any, paths: list[str]) -> None:
    assert [one.path for one in trees("", old, new, NEAR)] == paths


def test_lines_are_text_and_aligned() -> None:
    assert [one.path for one in lines("a\n1.0\nb", "a\n1.00\nb")] == ["line 2"]
    (one,) = lines("a\nb\nc", "a\nc")
    assert (one.path, one.before, one.after) == ("line 2", "b", "(not there)")


def test_tables_compare_numbers_as_numbers() -> None:
    old = [["n", "v"], ["a", "0.1"]]
    assert not list(tables(old, [["n", "v"], ["a", "0.10000000000000003"]], NEAR))
    assert [d.path for d in tables(old, [["n", "v"], ["b", "0.1000001"]], NEAR)] == [
        "row 2/n",
        "row 2/v",
    ]


def book(value: float = 0.1, formula: str = "=A1*2", number: str = "0.0", **more: str) -> bytes:
    """Return a workbook of two sheets."""
    data = BytesIO()
    workbook = xlsxwriter.Workbook(data, {"in_memory": True})
    workbook.set_properties({"created": datetime(2026, 1, 1)})
    for word in (more.get("first", ""), "text"):
        workbook.add_worksheet().write_string(3, 3, word)
    sheet = workbook.worksheets()[0]
    sheet.write_number(0, 0, value, workbook.add_format({"num_format": number, "locked": False}))
    sheet.write_formula(1, 0, formula, None, 0.2)
    sheet.write_string(2, 0, more.get("text", "facility 1.0"))
    if "width" in more:
        sheet.set_column(0, 0, 33)
    workbook.close()
    return data.getvalue()


def masked(text: str) -> str:
    return re.sub(r"facility 1\.[01]", "facility <version>", text)


@pytest.mark.parametrize(
    ("changes", "paths"),
    [
        ({}, []),
        ({"text": "facility 1.1"}, []),
        ({"text": "facility 1.2"}, ["Sheet1!A3"]),
        ({"value": 0.1 * (1 + 1e-13)}, []),
        ({"value": 0.1 * (1 + 1e-11)}, ["Sheet1!A1"]),
        ({"formula": "=A1*2.0"}, ["Sheet1!A2 (formula)"]),
        ({"number": "0.00"}, ["Sheet1!A1 (style)"]),
        ({"first": "another string first"}, ["Sheet1!D4"]),
        ({"width": "33"}, ["Sheet1!(cols)", "Sheet1!(cols 1)"]),
    ],
)
def test_workbooks_cell_by_cell(changes: dict[str, Any], paths: list[str]) -> None:
    found = books(book(), book(**changes), (masked, masked), NEAR)
    assert [one.path for one in found] == paths


def test_differences_are_grouped_worst_first_and_told(tmp_path: Path) -> None:
    pair = tree_of(tmp_path / "a", "1.0", "0.1"), tree_of(tmp_path / "b", "1.1", "0.2")
    compared = asked(tmp_path, pair)
    said: list[str] = []
    assert tell([compared], tmp_path / "out", 1, said.append) == 1
    assert any("relative 0.5" in line for line in said)
    assert "and 1 more patterns" in " ".join(said)
    rows = (tmp_path / "out" / "differences.csv").read_text().splitlines()
    assert len(rows) == 1 + len(compared.found)
    assert {pattern(one) for one in compared.found} == {name for name, _ in groups(compared.found)}
    assert tell([], tmp_path / "out", 1, said.append) == 0
    assert said[-1] == "the same"


def test_census_counts_with_the_syntax_tree(tmp_path: Path) -> None:
    tree = tree_of(tmp_path / "a", "1.0", "0.1")
    (tree / "tests" / "test_x.py").write_text('def test_x():\n    assert 1\n    x = "assert 2"\n')
    found = census(tree)
    assert found["collected test cases"] == 1
    assert found["assert statements"] == 1
    assert found["modules of facility"] == 1
