"""Compare the pinned packages with a dated snapshot of published advisories; no network.

    python -m tools.dependencies.advisories                   what is known of the present pins
    python -m tools.dependencies.advisories --refresh DB --date 2026-11-29 --commit HASH

``advisories.csv`` beside this file is the snapshot: the advisories on packages of
``requirements-dev.txt`` in the Python Packaging Advisory Database
(github.com/pypa/advisory-database, CC BY 4.0), each with file and commit, and a row without id for
a package of which the database has none. ``--refresh`` rewrites it from a checkout of the
database in folder DB, at that commit.

``exceptions.csv`` lists advisories that were reviewed and do not concern this program, with the
reason. Exit code 1 for a pin that an advisory affects and no exception names, and for an exception
without a reason. A snapshot over 90 days older than the last commit (or ``--today``), and a package
that it does not cover, is a warning.
"""

from __future__ import annotations

import argparse
import csv
import io
import operator
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date
from pathlib import Path
from typing import Any

import yaml
from packaging.utils import canonicalize_name
from packaging.version import Version

from tools.dependencies.pins import ROOT, Pin, pins

_HERE = Path(__file__).parent
_STALE_DAYS = 90
_LONGEST_SUMMARY = 200
_EITHER = " | "
_BOUND = re.compile(r"(>=|<=|==|<)([^,]+)")
_COMPARED = {">=": operator.ge, "<=": operator.le, "==": operator.eq, "<": operator.lt}


@dataclass(frozen=True)
class Advisory:
    """One advisory on one package, or, without an id, that none was found."""

    snapshot: str  # Date of the snapshot
    package: str
    id: str
    aliases: str  # CVE and GHSA ids
    affected: str  # Ranges of versions, one or the other
    fixed: str  # First versions without it; empty where there is none
    severity: str  # CVSS vector; empty where the database has none
    summary: str
    source: str  # Database, commit and file

    def affects(self, version: str) -> bool:
        """Return whether a version is affected.

        In the order of versions alone, as the database means it: a range below 2.1 has 2.1rc1 in
        it, which a specifier of a requirement has not.
        """
        asked = Version(version)
        return bool(self.id) and any(
            all(_COMPARED[op](asked, Version(bound)) for op, bound in _BOUND.findall(one))
            for one in self.affected.split(_EITHER)
        )


@dataclass(frozen=True)
class Reviewed:
    """An advisory that was looked at and does not concern this program."""

    id: str
    package: str
    reason: str
    reviewed: str  # Date


def check(
    pinned: Sequence[Pin], known: Sequence[Advisory], reviewed: Sequence[Reviewed], today: date
) -> tuple[list[str], list[str]]:
    """Return what is wrong, and what is a warning only."""
    wrong = [
        f"exceptions.csv: {one.id} of {one.package} has no reason. Enter why it does not apply."
        for one in reviewed
        if not one.reason.strip()
    ]
    accepted = {(one.package, one.id) for one in reviewed if one.reason.strip()}
    met = set()
    for pin in pinned:
        for one in known:
            if one.package == pin.name and one.affects(pin.version):
                met.add((one.package, one.id))
                if (one.package, one.id) not in accepted:
                    wrong.append(_hit(pin, one))
    return wrong, [*_stale(known, today), *_uncovered(pinned, known), *_vain(accepted - met)]


def _hit(pin: Pin, one: Advisory) -> str:
    fixed = f"fixed in {one.fixed}" if one.fixed else "no fixed version"
    names = " ".join((one.id, *one.aliases.split()))
    return f"{pin.name} {pin.version}: {names}, {fixed}: {one.summary} ({one.source})"


def _stale(known: Sequence[Advisory], today: date) -> Iterator[str]:
    taken = min((date.fromisoformat(one.snapshot) for one in known), default=date.min)
    age = (today - taken).days
    if age > _STALE_DAYS:
        yield (
            f"the snapshot of advisories is {age} days old ({taken}); later ones are not known. "
            "Refresh it from the database."
        )


def _uncovered(pinned: Sequence[Pin], known: Sequence[Advisory]) -> Iterator[str]:
    missing = sorted({pin.name for pin in pinned} - {one.package for one in known})
    if missing:
        yield f"not evaluated, since the snapshot does not cover them: {', '.join(missing)}."


def _vain(left: set[tuple[str, str]]) -> Iterator[str]:
    for package, id in sorted(left):
        yield f"exceptions.csv: {id} affects no pinned version of {package}; remove it."


def advisories_in(folder: Path, names: Sequence[str], taken: str, commit: str) -> list[Advisory]:
    """Return the advisories on packages in a checkout of the database, withdrawn ones left out.

    folder: The checkout.
    names: Packages.
    taken: Date of the snapshot.
    commit: Commit of the checkout.
    """
    found = []
    for name in sorted(names):
        rows = [
            _advisory(yaml.safe_load(path.read_text(encoding="utf-8")), name, taken, source)
            for path in sorted((folder / "vulns" / name).glob("*.yaml"))
            for source in [f"pypa/advisory-database {commit[:12]} vulns/{name}/{path.name}"]
        ]
        listed = [row for row in rows if row is not None]
        found += listed or [Advisory(taken, name, "", "", "", "", "", "none", "")]
    return found


def _advisory(said: Mapping[str, Any], name: str, taken: str, source: str) -> Advisory | None:
    if said.get("withdrawn"):
        return None
    entries = [one for one in said["affected"] if canonicalize_name(one["package"]["name"]) == name]
    ranges = [spec for one in entries for spec in _ranges(one)]
    fixed = {
        event["fixed"]
        for one in entries
        for part in one.get("ranges", ())
        if part["type"] == "ECOSYSTEM"
        for event in part["events"]
        if "fixed" in event
    }
    text = " ".join(str(said.get("summary") or said["details"]).split())
    return Advisory(
        snapshot=taken,
        package=name,
        id=said["id"],
        aliases=" ".join(sorted(said.get("aliases", ()))),
        affected=_EITHER.join(ranges),
        fixed=" ".join(sorted(fixed, key=Version)),
        severity=" ".join(one["score"] for one in said.get("severity", ())),
        summary=text[:_LONGEST_SUMMARY],
        source=source,
    )


def _ranges(entry: Mapping[str, Any]) -> Iterator[str]:
    """Yield the affected ranges; single versions where the database gives no ranges."""
    events = [
        event
        for part in entry.get("ranges", ())
        if part["type"] == "ECOSYSTEM"
        for event in part["events"]
    ]
    since = ""
    for event in events:
        ((kind, version),) = event.items()
        if kind == "introduced":
            if since:
                yield since
            since = f">={version}"
        else:
            yield f"{since},{'<' if kind == 'fixed' else '<='}{version}".lstrip(",")
            since = ""
    if since:
        yield since
    if not events:
        yield from (f"=={version}" for version in entry.get("versions", ()))


def _rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))


def _refresh(folder: Path, taken: str, commit: str, out: Path) -> int:
    names = [pin.name for pin in pins(ROOT / "requirements-dev.txt")]
    found = advisories_in(folder, names, date.fromisoformat(taken).isoformat(), commit)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(field.name for field in fields(Advisory))
    writer.writerows([getattr(one, field.name) for field in fields(Advisory)] for one in found)
    out.write_text(text.getvalue(), encoding="utf-8")
    print(f"{out.name}: {sum(bool(one.id) for one in found)} advisories on {len(names)} packages")
    return 0


def _last_commit() -> date:
    told = subprocess.run(
        ["git", "log", "-1", "--format=%cs"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return date.fromisoformat(told.stdout.strip())


def main(arguments: Sequence[str] | None = None) -> int:
    """Check the present pins, or refresh the snapshot."""
    parser = argparse.ArgumentParser(prog="python -m tools.dependencies.advisories")
    parser.add_argument("--requirements", type=Path, default=ROOT / "requirements-dev.txt")
    parser.add_argument("--snapshot", type=Path, default=_HERE / "advisories.csv")
    parser.add_argument("--exceptions", type=Path, default=_HERE / "exceptions.csv")
    parser.add_argument("--today", type=date.fromisoformat, help="default: date of the last commit")
    parser.add_argument("--refresh", type=Path, help="folder of the advisory database")
    parser.add_argument("--date", help="date of the database, with --refresh")
    parser.add_argument("--commit", help="commit of the database, with --refresh")
    asked = parser.parse_args(arguments)
    if asked.refresh:
        if not asked.date or not asked.commit:
            parser.error("--refresh needs --date and --commit")
        return _refresh(asked.refresh, asked.date, asked.commit, asked.snapshot)
    pinned = pins(asked.requirements)
    known = [Advisory(**row) for row in _rows(asked.snapshot)]
    reviewed = [Reviewed(**row) for row in _rows(asked.exceptions)]
    wrong, warnings = check(pinned, known, reviewed, asked.today or _last_commit())
    for line in warnings:
        print(f"WARNING: {line}")
    for line in wrong:
        print(f"FAILED: {line}")
    count = sum(bool(one.id) for one in known)
    print(f"{len(pinned)} pinned packages, {count} advisories: {len(wrong)} to deal with")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
