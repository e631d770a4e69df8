"""Programs of their own at one store: killed at any moment, and two that save at once."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

from facility.files.store.library import Library
from facility.files.store.opening import Store, open_store
from tests.files.store.test_contract import TEXT

ROOT = Path(__file__).parents[3]
ROUNDS = 3


def writer(address: str, project: str, who: str, text: str, count: int) -> subprocess.Popen[str]:
    command = (sys.executable, "-m", "tests.files.store.writer", address, project, who, text)
    return subprocess.Popen(
        [*command, str(count)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def killed(address: str, project: str, after: int, wait_s: float) -> int:
    """Kill a writer a moment after it saved so often; return the last number that it said."""
    with writer(address, project, "ann", TEXT, 0) as program:
        assert program.stdout is not None
        last = 0
        for _ in range(after):
            last = int(program.stdout.readline())
        try:
            program.wait(timeout=wait_s)
        except subprocess.TimeoutExpired:
            program.kill()
        rest = program.stdout.read().splitlines()
    return int(rest[-1]) if rest else last


def test_a_killed_writer_loses_nothing_that_was_saved(address: str) -> None:
    with open_store(address) as store:
        made = store.library("ann").create(TEXT)
    moments = random.Random(13)
    for _ in range(ROUNDS):
        last = killed(address, made.id, moments.randint(2, 9), moments.uniform(0.0, 0.03))
        with open_store(address) as store:
            library = store.library("ann")
            revisions = library.revisions(made.id)
            head = library.entry(made.id).head
            # The last save may have been finished, and the program killed before it said so.
            assert last <= head.number <= last + 1
            assert [r.number for r in revisions] == list(range(head.number, 0, -1))
            for one in revisions[:-1]:
                text = library.text(made.id, one.number)
                assert text == TEXT.replace("64", str(one.number - 1))
                assert one.size == len(text.encode())
            if address.startswith("sqlite"):
                with store.database.reading() as connection:
                    sound = connection.exec_driver_sql("PRAGMA integrity_check").scalars().all()
                    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
                assert (list(sound), list(broken)) == (["ok"], [])


def test_of_two_programs_on_one_base_one_wins(store: Store, ann: Library, address: str) -> None:
    made = ann.create(TEXT)
    texts = {who: TEXT.replace("First", who) for who in ("cyd", "dan")}
    programs = [writer(address, made.id, who, text, 5) for who, text in texts.items()]
    for program in programs:
        assert program.stdout is not None
        assert program.stdout.readline() == "1\n"
    for program in programs:
        assert program.stdin is not None
        program.stdin.write("now\n")
        program.stdin.flush()
    said = [program.communicate(timeout=60)[0].splitlines() for program in programs]
    wins = [word for words in said for word in words if word != "STORE_CONFLICT"]
    assert sum(map(len, said)) == 10
    head = ann.entry(made.id).head
    assert (wins, head.number) == (["2"], 2)
    assert head.who in ("cyd", "dan")
    assert ann.text(made.id).count(head.who) == 1


def test_a_second_opening_in_one_program_leaves_the_locks_of_the_first(
    store: Store, ann: Library, address: str
) -> None:
    """Without them the next program to close a SQLite store removes its write-ahead log."""
    made = ann.create(TEXT)
    with open_store(address):
        pass
    for based_on in (1, 3):
        program = writer(address, made.id, "ann", TEXT.replace("First", f"After {based_on}"), 1)
        said = program.communicate("now\n", timeout=60)[0].split()
        assert said == [str(based_on), str(based_on + 1)]
        text = TEXT.replace("First", f"Here {based_on}")
        assert ann.save(made.id, text, based_on=based_on + 1).number == based_on + 2
