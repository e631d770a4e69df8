"""``facility issue``: the folder it writes, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.helpers import SMALL, one_error, run


def test_a_set_is_issued_and_not_over_another(tmp_path: Path) -> None:
    folder = tmp_path / "A"
    made = run("issue", *SMALL, "-o", folder, "--format", "dxf", "--units", "si")
    assert made.code == 0
    assert made.out == ""
    written = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.*"))
    found = json.loads((folder / "set.json").read_text())
    drawings = [f"dxf/{one['number']}.dxf" for one in found["sheets"] if one["drawing"]]
    assert written == sorted([*drawings, "set.json"])
    assert found["units"] == "si"
    one_error(run("issue", *SMALL, "-o", folder, "--format", "dxf"), "FILE_EXISTS", 6)


def test_words_that_are_no_option_are_refused(tmp_path: Path) -> None:
    one_error(run("issue", "-o", "-"), "OPTIONS", 2)
    one_error(run("issue", "-o", tmp_path / "A", "--format", "pdf,dwg"), "OPTIONS", 2)
    (tmp_path / "set.json").write_text("{}")
    other = run("issue", *SMALL, "-o", tmp_path / "A", "--against", tmp_path, "--format", "svg")
    one_error(other, "NOT_A_SET", 3)
    assert not (tmp_path / "A").exists()
