"""The list of planted faults stays true: each old text stands once in its file.

Where the code of a fault moves or changes, carry its row in `tests/mutants/faults.csv` along
(column ``old``), or drop the row where the fault can no longer be made.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.tools.source_tree import report
from tools.draw_faults import changes, draw
from tools.faults import Fault, KnownValues, complaints, read_faults, read_known_values
from tools.mutants import RECORDED, Outcome, runs_as_is, stages, summary
from tools.planted import can_plant

LEAST = 150
ROOT = str(Path(__file__).parents[2])


def test_every_fault_can_be_planted() -> None:
    wrong = complaints(read_faults())
    assert not wrong, report("faults that cannot be planted", wrong)


def test_there_are_enough_faults() -> None:
    assert len(read_faults()) >= LEAST


def test_a_list_that_has_rotted_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\ny = 1\n")
    (tmp_path / "tests").mkdir()

    def words(**changes: str) -> str:
        row = {
            "id": "f",
            "file": "a.py",
            "old": "x = 1",
            "new": "x = 2",
            "why": "w",
            "near": "tests",
        } | changes
        return "; ".join(complaints([Fault(**row)], tmp_path))

    assert words() == ""
    assert "stands 2 times" in words(old="= 1")
    assert "stands 0 times" in words(old="z = 1")
    assert "no file" in words(file="b.py")
    assert "equal" in words(new="x = 1")
    assert "not Python" in words(new="x = (")
    assert "no test" in words(near="tests/none.py")
    assert "why is empty" in words(why="")
    fault = Fault("f", "a.py", "x = 1", "x = 2", "w", "tests")
    assert "twice" in "; ".join(complaints([fault, fault], tmp_path))


def test_an_option_of_one_fault_does_not_choose_among_the_tests_of_another() -> None:
    nears = ("tests/a.py tests/b.py", "tests/b.py", "tests/c.py -k word")
    faults = [Fault(f"f{n}", "a.py", "x", "y", "w", near) for n, near in enumerate(nears)]
    assert runs_as_is(faults) == [["tests/a.py", "tests/b.py"], ["tests/c.py", "-k", "word"]]
    assert runs_as_is(faults[2:]) == [["tests/c.py", "-k", "word"]]


def test_a_fault_that_stops_the_import_is_noticed() -> None:
    fault = Fault("f", "a.py", "x", "y", "w", "tests")
    assert Outcome(fault, 2, 1.0, "Interrupted: 1 error during collection").noticed
    assert not Outcome(fault, 2, 1.0, "ERROR: file or directory not found: tests").noticed


def _is_there(root: Path, tests: str) -> bool:
    """Return whether a folder or file exists, and the function named after it in the file."""
    path, _, name = tests.partition("::")
    if not (root / path).exists():
        return False
    function = name.rpartition("::")[2]
    return not function or f"def {function}(" in (root / path).read_text(encoding="utf-8")


def test_tests_of_known_values_are_there_and_say_where_the_number_comes_from() -> None:
    root = Path(__file__).parents[2]
    wrong = [
        one.tests
        for one in read_known_values()
        if not _is_there(root, one.tests)
        or not one.expected_from
        or any(one.tests.startswith(path) for path in RECORDED)
    ]
    assert not wrong, report("tests of known values that are missing or recorded", wrong)


LISTED = (
    KnownValues("tests/hand/test_cases.py", True, "cases.csv"),
    KnownValues("tests/power/faults/test_published.py", False, "published.csv"),
)


def _stages(near: str) -> list[tuple[str, list[str]]]:
    return stages(Fault("f", "a.py", "x", "y", "w", near), LISTED)


def test_known_values_run_first_and_the_record_last() -> None:
    record = ("record", ["tests/golden"])
    hand = "tests/hand/test_cases.py"
    assert _stages("tests/power/faults/test_other.py tests/golden/test_golden.py") == [
        ("known value", [hand]),
        ("other test", ["tests/power/faults/test_other.py"]),
        ("record", ["tests/golden", "tests/golden/test_golden.py"]),
    ]
    assert _stages("tests/power/faults") == [
        ("known value", ["tests/power/faults/test_published.py", hand]),
        ("other test", ["tests/power/faults"]),
        record,
    ]
    assert _stages("tests/power/ups/test_ups.py -k loss") == [
        ("known value", [hand]),
        ("other test", ["tests/power/ups/test_ups.py", "-k", "loss"]),
        record,
    ]


def test_the_shares_by_stage_are_told_apart() -> None:
    fault = Fault("f", "a.py", "x", "y", "slip", "tests")
    known = [Outcome(fault, 1, 1.0, "") for _ in range(18)]
    record = Outcome(fault, 1, 1.0, "", "record")
    code, text = summary([*known, record, Outcome(fault, 0, 1.0, "", "record")])
    assert "19 of 20 faults caught: 95.0%" in text
    assert "caught by known value: 18, 90.0%" in text
    assert "only by record: f: slip (a.py)" in text
    assert "not caught: f: slip (a.py)" in text
    assert code == 0
    assert summary([*known[1:], record, record, record])[0] == 1


def test_drawn_faults_can_be_planted_and_are_the_same_for_a_seed() -> None:
    drawn = draw(9, seed=5)
    assert not complaints(drawn)
    assert [fault.id for fault in drawn] == [f"drawn-5-{n}" for n in range(1, 10)]
    assert {Path(fault.file).parts[1] for fault in drawn} == {"power", "cooling", "study"}
    assert drawn == draw(9, seed=5)


def test_changes_that_are_drawn() -> None:
    source = (
        "def area(a: float | None, b, c):\n"
        "    return max(a.duty, b * c) + 2.5\n"
        "def words(a, b):\n"
        "    return a + b\n"
    )
    found = {(one.line, one.new) for one in changes(source)}
    expected = {"min", "a.installed", "b / c", "b", "3", "max(a.duty, b * c) - 2.5"}
    assert found == {(2, new) for new in (*expected, "max(a.duty, b * c)")}


MODULE = """
SHARE = 0.5

class Load:
    factor = 2.0
    def total(self, a, b):
        return sum(self.factor * one for one in (a, b))

def half(a):
    return a * SHARE
"""
TESTS = """
from facility.load import Load, half

def test_total():
    assert Load().total(1.0, 2.0) == 6.0

def test_other():
    assert half(0.0) == 0.0
"""
FAULTS = {
    "in-an-expression": ("self.factor * one", "self.factor + one"),
    "unseen": ("a * SHARE", "a / SHARE"),
}
RUN = """
from pathlib import Path
from tools.faults import Fault
from tools.planted import run
faults = [Fault(id, "facility/load.py", *texts, "w", "tests") for id, texts in {faults}.items()]
for fault, found in zip(faults, run(Path.cwd(), faults, ["tests"], ["tests/test_load.py"], 2)):
    print("FOUND", fault.id, found.test)
"""


def _planted(tree: Path, source: str) -> subprocess.CompletedProcess[str]:
    files = {"facility/__init__.py": "", "facility/load.py": MODULE, "tests/test_load.py": source}
    for name, text in files.items():
        (tree / name).parent.mkdir(exist_ok=True)
        (tree / name).write_text(text)
    program = f"import sys; sys.path[:0] = [{str(tree)!r}, {ROOT!r}]\n{RUN.format(faults=FAULTS)}"
    command = [sys.executable, "-c", program]
    return subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)


def test_faults_are_planted_in_the_loaded_code(tmp_path: Path) -> None:
    done = _planted(tmp_path, TESTS)
    told = [line.split()[1:] for line in done.stdout.splitlines() if line.startswith("FOUND")]
    expected = [["in-an-expression", "tests/test_load.py::test_total"], ["unseen"]]
    assert told == expected, done.stdout + done.stderr
    assert (tmp_path / "facility/load.py").read_text() == MODULE


def test_tests_that_fail_with_nothing_planted_stop_the_run(tmp_path: Path) -> None:
    done = _planted(tmp_path, TESTS.replace("6.0", "7.0"))
    assert "test_total fails with nothing planted" in done.stderr


def test_a_fault_outside_of_functions_is_not_planted_in_the_loaded_code(tmp_path: Path) -> None:
    (tmp_path / "load.py").write_text(MODULE)

    def plants(old: str, new: str, file: str = "load.py") -> bool:
        return can_plant(tmp_path, Fault("f", file, old, new, "w", "tests"))

    assert plants("self.factor * one", "one")
    assert not plants("SHARE = 0.5", "SHARE = 0.6")
    assert not plants("factor = 2.0", "factor = 3.0")
    assert not plants("a", "b", "rows.csv")
