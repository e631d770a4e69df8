"""Saves revision after revision until it is killed, and says each number once it is saved.

Run as a program: ``writer.py ADDRESS PROJECT WHO TEXT COUNT``; with a COUNT it waits for a line on
stdin, saves so many on the revision that was there before, and says what came of it.
"""

from __future__ import annotations

import sys

from facility.core.errors import FacilityError
from facility.files.store.opening import open_store


def main(address: str, project: str, who: str, text: str, count: int) -> None:
    with open_store(address) as store:
        library = store.library(who, unrestricted=True)
        head = library.entry(project).head.number
        print(head, flush=True)
        if count:
            sys.stdin.readline()
            for n in range(count):
                try:
                    saved = library.save(project, text.replace("64", str(64 + n)), based_on=head)
                    print(saved.number, flush=True)
                except FacilityError as error:
                    print(error.code, flush=True)
            return
        while True:
            head = library.save(project, text.replace("64", str(head)), based_on=head).number
            print(head, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:5], int(sys.argv[5]))  # type: ignore[arg-type]
