"""Files are written whole or not at all."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from facility.core.errors import FacilityError
from facility.files.io import atomic
from facility.files.io.atomic import replace_bytes, write_bytes
from facility.files.io.read_text import read_bytes


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


PAIR = """
import sys, time
from pathlib import Path
from facility.core.errors import FacilityError
from facility.files.io import atomic
from facility.files.io.atomic import replace_bytes, write_bytes
path, own, begin = Path(sys.argv[1]), sys.argv[2].encode(), float(sys.argv[3])
while time.time() < begin:
    pass
try:
    if sys.argv[4] == "new":
        write_bytes(path, own)
    else:
        replace_bytes(path, b"old", own)
    print("written")
except FacilityError as error:
    print(error.code)
"""


def pair(path: Path, verb: str) -> list[tuple[str, str]]:
    """Return what two processes that write at the same moment say, with what each would write."""
    begin = str(time.time() + 0.8)
    running = [
        (
            own,
            subprocess.Popen(
                [sys.executable, "-c", PAIR, str(path), own, begin, verb],
                stdout=subprocess.PIPE,
                text=True,
            ),
        )
        for own in ("one" * 1000, "two" * 1000)
    ]
    return [(own, process.communicate(timeout=60)[0].strip()) for own, process in running]


@pytest.mark.parametrize("turn", range(3))
def test_of_two_processes_one_takes_the_free_name(tmp_path: Path, turn: int) -> None:
    target = tmp_path / f"{turn}.yaml"
    said = pair(target, "new")
    assert sorted(word for _, word in said) == ["FILE_EXISTS", "written"]
    winner = next(own for own, word in said if word == "written")
    assert target.read_text() == winner
    assert names(tmp_path) == [target.name]


@pytest.mark.parametrize("turn", range(3))
def test_of_two_processes_one_replaces_what_both_read(tmp_path: Path, turn: int) -> None:
    target = tmp_path / f"{turn}.yaml"
    target.write_bytes(b"old")
    said = pair(target, "replace")
    assert sorted(word for _, word in said) == ["FILE_CHANGED", "written"]
    winner = next(own for own, word in said if word == "written")
    assert target.read_text() == winner
    assert names(tmp_path) == [target.name]


def test_a_file_that_changed_is_left_as_it_is(tmp_path: Path) -> None:
    target = tmp_path / "a.yaml"
    target.write_bytes(b"edited")
    with pytest.raises(FacilityError) as caught:
        replace_bytes(target, b"old", b"new")
    assert (caught.value.code, caught.value.exit_code) == ("FILE_CHANGED", 6)
    assert target.read_bytes() == b"edited"
    target.unlink()
    with pytest.raises(FacilityError) as caught:
        replace_bytes(target, b"old", b"new")
    assert caught.value.code == "FILE_CHANGED"
    assert names(tmp_path) == []


@contextmanager
def writer_in_the_middle(target: Path) -> Iterator[subprocess.Popen[str]]:
    """Run a process that is writing `target`, its temporary file half written."""
    code = (
        "import os, time\nfrom pathlib import Path\nfrom facility.files.io import atomic\n"
        "atomic.os.fsync = lambda _: (print('ready', flush=True), time.sleep(60))\n"
        f"atomic.write_bytes(Path({str(target)!r}), b'half')\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
        try:
            yield writer
        finally:
            writer.kill()


def of_process(left: str, process: int) -> str:
    """Return the name of a temporary file as if `process` had written it."""
    return re.sub(r"\.\d+-", f".{process}-", left)


def test_what_a_killed_writer_left_goes_at_the_next_write(tmp_path: Path) -> None:
    with writer_in_the_middle(tmp_path / "a.yaml") as writer:
        (left,) = names(tmp_path)
        write_bytes(tmp_path / "b.yaml", b"new")
        assert left in names(tmp_path), "its writer lives"
        writer.send_signal(signal.SIGKILL)
        writer.wait(timeout=30)
    assert left in names(tmp_path)
    own = tmp_path / ".own.123.tmp"
    own.write_text("not ours")
    write_bytes(tmp_path / "c.yaml", b"new")
    assert names(tmp_path) == [own.name, "b.yaml", "c.yaml"]


def test_a_process_id_that_was_given_out_again_keeps_nothing(tmp_path: Path) -> None:
    with writer_in_the_middle(tmp_path / "a.yaml") as writer:
        writer.send_signal(signal.SIGKILL)
        writer.wait(timeout=30)
    (left,) = names(tmp_path)
    (tmp_path / left).rename(tmp_path / of_process(left, os.getpid()))
    write_bytes(tmp_path / "b.yaml", b"new")
    assert names(tmp_path) == ["b.yaml"]


def test_a_writer_whose_process_is_not_known_here_keeps_its_file(tmp_path: Path) -> None:
    """On another machine that shares the folder its id is nobody's."""
    unknown = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"],
                             capture_output=True, text=True, check=True)  # fmt: skip
    with writer_in_the_middle(tmp_path / "a.yaml"):
        (left,) = names(tmp_path)
        foreign = of_process(left, int(unknown.stdout))
        (tmp_path / left).rename(tmp_path / foreign)
        write_bytes(tmp_path / "b.yaml", b"new")
        assert foreign in names(tmp_path)


def test_without_locks_a_file_goes_when_nobody_wrote_to_it_for_a_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(atomic, "_lock", lambda *_, **__: None)
    young, old = (tmp_path / f".a.yaml.{n}-{n * 12}.tmp" for n in "12")
    for left, hours in ((young, 23), (old, 25)):
        left.write_bytes(b"half")
        os.utime(left, (time.time() - hours * 3600,) * 2)
    write_bytes(tmp_path / "b.yaml", b"new")
    assert names(tmp_path) == [young.name, "b.yaml"]


def test_a_file_that_was_taken_for_an_orphan_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between its making and its lock another writer may have had the lock, and removed it."""
    taken: list[str] = []
    lock = atomic._lock

    def late(handle: int, *, wait: bool) -> bool | None:
        if not taken:
            taken.extend(names(tmp_path))
            (tmp_path / taken[0]).unlink()
        return lock(handle, wait=wait)

    monkeypatch.setattr(atomic, "_lock", late)
    write_bytes(tmp_path / "a.yaml", b"whole")
    assert len(taken) == 1
    assert (tmp_path / "a.yaml").read_bytes() == b"whole"
    assert names(tmp_path) == ["a.yaml"]


def test_a_file_system_without_links_still_keeps_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", none)
    target = tmp_path / "a.yaml"
    write_bytes(target, b"one")
    assert target.read_bytes() == b"one"
    assert refusal(target).code == "FILE_EXISTS"


def test_pipes_and_devices_are_neither_read_nor_written(tmp_path: Path) -> None:
    pipe = tmp_path / "p.yaml"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero"), tmp_path):
        with pytest.raises(FacilityError) as caught:
            read_bytes(path)
        assert (caught.value.code, caught.value.exit_code) == ("FILE_UNREADABLE", 6)
        assert "not an ordinary file" in caught.value.message
        assert refusal(path, force=True).code == "FILE_NOT_WRITTEN"
