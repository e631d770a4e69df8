"""Several programs append at the same time: one chain without gaps, and the newest head."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

from facility.files.store.opening import open_store

ROOT = Path(__file__).parents[4]
PROGRAMS, ENTRIES = 4, 25


def test_four_programs_append_to_one_chain(address: str, outside: Path) -> None:
    command = (sys.executable, "-m", "tests.files.store.record.appender", address)
    programs = [
        subprocess.Popen(
            [*command, f"person {n}", str(ENTRIES)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for n in range(PROGRAMS)
    ]
    for program in programs:
        assert program.stdin is not None
        program.stdin.write("now\n")
        program.stdin.flush()
    errors = [program.communicate(timeout=120)[1] for program in programs]
    assert errors == [""] * PROGRAMS
    with open_store(address) as store:
        found = store.record.verified().entries
    total = PROGRAMS * ENTRIES + 1
    assert [entry.seq for entry in found] == list(range(1, total + 1))
    assert Counter(e.action for e in found) == {"begun": 1, "sign_in": total - 1}
    for who in {entry.who for entry in found[1:]}:
        assert [e.details["n"] for e in found[1:] if e.who == who] == list(range(ENTRIES))
    (head,) = (outside / "heads").iterdir()
    assert json.loads(head.read_bytes())["length"] == total
    assert len((outside / "record.key").read_bytes()) == 32
