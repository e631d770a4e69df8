"""Damaged logs, branch readings and rates: a coded error or a result, nothing else."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path

import pytest

from facility.catalogue.series import CARBON, LOAD, MARKET, Reading, read_series
from facility.core.errors import FacilityError
from facility.study.measured.readings import branch_readings

JUNK = (
    *(b"\xff", b'"', b",", b";", b"\n", b"nan", b"-", b"1e999", b"\x00", b"9" * 30, b"", b"\r"),
    *(b"=1", b"Z", b"+25:00", b"24:00", b"\xc3\xa9", b"\t", b"_", b"2023-02-30"),
)
HEADS = (
    "timestamp,load_kw",
    "time,kWh",
    "Datetime (UTC),gCO2eq/kWh",
    "hour,load_kw",
    "date;EUR/MWh",
)
BRANCHES = b"panel,circuit,current_a,current_b,current_c\nA,1,3,4,5\nA,2,3,,5\nA,,9,9,9\n"


def damaged(content: bytes, chance: random.Random) -> bytes:
    found = bytearray(content)
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(found))
        found[at : at + chance.randint(0, 3)] = chance.choice(JUNK)
    return bytes(found)


@pytest.mark.parametrize("seed", range(4))
def test_damaged_files_raise_nothing_but_coded_errors(seed: int, tmp_path: Path) -> None:
    chance, path = random.Random(seed), tmp_path / "log.csv"
    rows = "\n".join(f"2023-01-{1 + n // 24:02d} {n % 24:02d}:00,{50 + n % 9}" for n in range(200))
    for n in range(40):
        path.write_bytes(damaged(f"{chance.choice(HEADS)}\n{rows}".encode(), chance))
        options = Reading(gaps=chance.choice(("", "mean", "leave_out")), column="x" * (n == 7))
        for role in (LOAD, CARBON, MARKET):
            with contextlib.suppress(FacilityError):
                read_series(path, role, options)
        path.write_bytes(damaged(BRANCHES, chance))
        with contextlib.suppress(FacilityError):
            branch_readings(path)
