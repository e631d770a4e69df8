"""The record as a file of JSON lines, and the verification of such a file with the key."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

from facility.catalogue.user_file import open_file
from facility.core.errors import FacilityError
from facility.files.io.atomic import written_apart
from facility.files.store.record import outside
from facility.files.store.record.chain import RecordEntry, Verification
from facility.files.store.record.log import AccessRecord, VerifiedRecord

FORMAT = "facility.record/1"
_MAX_LINE = 1_000_000


def write_archive(record: AccessRecord, out: Path, *, force: bool = False) -> int:
    """Write all entries with their hashes into a file; return their number.

    Entries that fail verification are included as evidence.

    Raises ``FILE_EXISTS`` without `force`, ``FILE_NOT_WRITTEN``; ``RECORD_KEY``, ``RECORD_HEAD``;
    after writing, ``RECORD_DAMAGED``.
    """
    with written_apart(out, force=force) as file, file.open("w", encoding="utf-8") as stream:
        stream.write(json.dumps({"format": FORMAT, "store": record.store_id()}) + "\n")
        found = record.walk(lambda entry: stream.write(json.dumps(entry._asdict()) + "\n"))
        stream.flush()
        os.fsync(stream.fileno())
    problem = None if found is None else found.problem()
    if problem is not None:
        raise problem
    return 0 if found is None else found.count


def read_archive(file: Path) -> VerifiedRecord:
    """Return the entries of a file that `write_archive` wrote, verified with the key.

    Raises ``RECORD_DAMAGED``, ``RECORD_KEY``, ``RECORD_FILE``, ``FILE_UNREADABLE``.
    """
    where = str(file)
    lines = _lines(file)
    head = next(lines, {})
    if head.get("format") != FORMAT:
        raise _no_archive(where, "it does not begin with " + FORMAT)
    found: list[RecordEntry] = []
    verification = Verification(str(head.get("store")), outside.key(), where, None)
    for line in lines:
        found.append(_entry(line, f"{where}:{len(found) + 2}"))
        verification.take(found[-1])
    problem = verification.problem()
    if problem is not None:
        raise problem
    return VerifiedRecord(found, verification.count, verification.sealed)


def _lines(file: Path) -> Iterator[dict[str, object]]:
    try:
        with open_file(file) as stream:
            while line := stream.readline(_MAX_LINE):
                found = json.loads(line)
                yield found if isinstance(found, dict) else {}
    except OSError as error:
        raise FacilityError(
            "FILE_UNREADABLE", str(file), f"the file cannot be read: {error.strerror}."
        ) from None
    except (ValueError, RecursionError):
        raise _no_archive(str(file), "a line is not JSON") from None


def _entry(line: dict[str, object], where: str) -> RecordEntry:
    if set(line) != set(RecordEntry._fields) or not isinstance(line["seq"], int):
        raise _no_archive(where, "this is not an entry")
    others = (line[name] for name in RecordEntry._fields[1:])
    texts = [None if value is None else str(value) for value in others]
    return RecordEntry(line["seq"], *texts)  # type: ignore[arg-type]


def _no_archive(where: str, reason: str) -> FacilityError:
    return FacilityError(
        "RECORD_FILE",
        where,
        f"not a file of an access record: {reason}.",
        "Create one with: facility library record --out FILE.",
    )
