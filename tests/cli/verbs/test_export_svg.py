"""``facility export svg``: the sheets of a state, overwriting, and what is not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.helpers import SHORT, one_error, run

SMALL = ("--set", "it.gpus=64")


def project(folder: Path) -> Path:
    """Return a project of one sheet."""
    file = folder / "hall.yaml"
    file.write_text(SHORT, encoding="utf-8")
    return file


@pytest.mark.anew
def test_one_sheet_is_written_once_and_always_the_same(tmp_path: Path) -> None:
    given, file = project(tmp_path), tmp_path / "one-line.svg"
    ran = run("export", "svg", given, "--out", file)
    assert (ran.code, ran.out) == (0, "")
    normal = file.read_bytes()
    assert b"state: normal \xc2\xb7 sheet 1 of 1</title>" in normal
    assert b">UPO-" in normal
    one_error(run("export", "svg", given, "--out", file), "FILE_EXISTS", 6)
    assert file.read_bytes() == normal
    again = run("export", "svg", given, "--out", file, "--force")
    assert (again.code, file.read_bytes()) == (0, normal)


def test_the_state_and_its_moment_are_drawn(tmp_path: Path) -> None:
    given, pictures = project(tmp_path), []
    for number, options in enumerate(((), ("--on-battery",))):
        file = tmp_path / f"{number}.svg"
        ran = run("export", "svg", given, "--state", "loss of utility", *options, "--out", file)
        assert ran.code == 0
        pictures.append(file.read_text(encoding="utf-8"))
    assert "loss of utility, settled · sheet 1 of 1</title>" in pictures[0]
    assert ">not running</tspan>" in pictures[1]


def test_several_sheets_are_numbered_files_and_one_can_be_had_alone(tmp_path: Path) -> None:
    ran = run("export", "svg", *SMALL, "--detail", "full", "--out", tmp_path / "one-line.svg")
    assert ran.code == 0
    files = sorted(tmp_path.glob("*.svg"))
    assert [file.name for file in files] == [f"one-line-{n}.svg" for n in range(1, len(files) + 1)]
    assert len(files) > 1
    assert f"\nthe diagram has {len(files)} sheets\n" in ran.err
    contents = [file.read_text(encoding="utf-8") for file in files]
    assert all(f"sheet {n} of {len(files)}</title>" in c for n, c in enumerate(contents, 1))
    alone = tmp_path / "alone.svg"
    ran = run("export", "svg", *SMALL, "--detail", "full", "--sheet", "2", "--out", alone)
    assert (ran.code, alone.read_text(encoding="utf-8")) == (0, contents[1])


def test_no_sheet_is_written_where_one_of_them_exists(tmp_path: Path) -> None:
    (tmp_path / "a-2.svg").write_text("mine", encoding="utf-8")
    one_error(run("export", "svg", *SMALL, "--out", tmp_path / "a.svg"), "FILE_EXISTS", 6)
    assert [file.name for file in tmp_path.iterdir()] == ["a-2.svg"]


def test_a_sheet_that_is_not_there_is_refused(tmp_path: Path) -> None:
    ran = run("export", "svg", project(tmp_path), "--sheet", "2", "--out", tmp_path / "a.svg")
    one_error(ran, "UNKNOWN_SHEET", 2)


def test_an_unknown_state_is_refused_with_its_neighbours(tmp_path: Path) -> None:
    file = tmp_path / "none.svg"
    ran = run("export", "svg", *SMALL, "--state", "loss of UPS-X", "--out", file)
    one_error(ran, "UNKNOWN_STATE", 2)
    assert "Did you mean 'loss of UPS-" in ran.err
    assert not file.exists()
