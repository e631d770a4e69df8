"""Files are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from facility.core.errors import FacilityError
from facility.files.atomic import write_bytes


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def refusal(path: Path, *, force: bool = False) -> FacilityError:
    with pytest.raises(FacilityError) as caught:
        write_bytes(path, b"new", force=force)
    assert caught.value.exit_code == 6
    return caught.value


def test_new_file_has_the_bytes_and_nothing_is_left_over(tmp_path: Path) -> None:
    target = tmp_path / "a.yaml"
    assert write_bytes(target, b"one") == target
    assert target.read_bytes() == b"one"
    assert names(tmp_path) == ["a.yaml"]
    umask = os.umask(0)
    os.umask(umask)
    assert target.stat().st_mode & 0o777 == 0o666 & ~umask


def test_existing_file_is_kept_unless_forced(tmp_path: Path) -> None:
    target = tmp_path / "a.yaml"
    target.write_bytes(b"old")
    target.chmod(0o640)
    assert refusal(target).code == "FILE_EXISTS"
    assert target.read_bytes() == b"old"
    write_bytes(target, b"new", force=True)
    assert target.read_bytes() == b"new"
    assert target.stat().st_mode & 0o777 == 0o640


def test_link_is_written_through(tmp_path: Path) -> None:
    target, link = tmp_path / "a.yaml", tmp_path / "link.yaml"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write_bytes(link, b"new", force=True)
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


@pytest.mark.parametrize("name", [".", "none/a.yaml", "nul\0.yaml", "x" * 300])
def test_target_that_cannot_be_written(tmp_path: Path, name: str) -> None:
    assert refusal(tmp_path / name, force=True).code == "FILE_NOT_WRITTEN"
    assert names(tmp_path) == []


def test_failure_on_the_way_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "a.yaml"
    target.write_bytes(b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert "No space left" in refusal(target, force=True).message
    assert target.read_bytes() == b"old"
    assert names(tmp_path) == ["a.yaml"]
