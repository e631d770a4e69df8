"""``facility export svg``: the one-line of a state, overwriting, and a state that is not there."""

from __future__ import annotations

from pathlib import Path

from tests.cli.helpers import one_error, run

SMALL = ("--set", "it.gpus=64")


def test_the_drawing_of_a_state_is_written_once_and_always_the_same(tmp_path: Path) -> None:
    file = tmp_path / "one-line.svg"
    ran = run("export", "svg", *SMALL, "--out", file)
    assert (ran.code, ran.out) == (0, "")
    normal = file.read_bytes()
    assert b"state: normal</title>" in normal
    assert b"UPO-B" in normal
    one_error(run("export", "svg", *SMALL, "--out", file), "FILE_EXISTS", 6)
    assert file.read_bytes() == normal
    again = run("export", "svg", *SMALL, "--out", file, "--force")
    assert (again.code, file.read_bytes()) == (0, normal)


def test_the_state_and_its_moment_are_drawn(tmp_path: Path) -> None:
    pictures = []
    for number, options in enumerate(((), ("--on-battery",))):
        file = tmp_path / f"{number}.svg"
        ran = run("export", "svg", *SMALL, "--state", "loss of utility", *options, "--out", file)
        assert ran.code == 0
        pictures.append(file.read_text(encoding="utf-8"))
    assert "loss of utility, settled</title>" in pictures[0]
    assert ">not running</tspan>" in pictures[1]


def test_an_unknown_state_is_refused_with_its_neighbours(tmp_path: Path) -> None:
    file = tmp_path / "none.svg"
    ran = run("export", "svg", *SMALL, "--state", "loss of UPS-X", "--out", file)
    one_error(ran, "UNKNOWN_STATE", 2)
    assert "Did you mean 'loss of UPS-" in ran.err
    assert not file.exists()
