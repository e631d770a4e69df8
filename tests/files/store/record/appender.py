"""Appends entries as fast as it can. Run as a program: ``appender.py ADDRESS WHO COUNT``."""

from __future__ import annotations

import sys

from facility.files.store.opening import open_store


def main(address: str, who: str, count: int) -> None:
    with open_store(address) as store:
        sys.stdin.readline()
        for n in range(count):
            store.record.add("sign_in", who, None, {"n": n})


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
