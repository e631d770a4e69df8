"""The list of planted faults stays true: each old text stands once in its file.

Where the code of a fault moves or changes, carry its row in `tests/mutants/faults.csv` along
(column ``old``), or drop the row where the fault can no longer be made.
"""

from __future__ import annotations

from pathlib import Path

from tests.tools.source_tree import report
from tools.mutants import Fault, Outcome, complaints, read_faults, runs_as_is

LEAST = 150


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
