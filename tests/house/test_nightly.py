"""The long tests: bill of materials, advisories, and what runs them one after the other."""

from __future__ import annotations

import json
import sys
from datetime import date
from pathlib import Path

import pytest

from tools.dependencies import advisories, sbom
from tools.dependencies.advisories import Advisory, Reviewed, advisories_in, check
from tools.dependencies.pins import ROOT, Pin, pins
from tools.nightly import PARTS, commands, run

TAKEN = date(2026, 11, 1)
PROJECT = {"name": "facility", "version": "1.2.3", "license": "Apache-2.0"}
HASHES = ("a" * 64, "b" * 64)


def advisory(affected: str, **said: str) -> Advisory:
    fields = {
        "snapshot": TAKEN.isoformat(),
        "package": "planted",
        "id": "PYSEC-2026-1",
        "aliases": "CVE-2026-1",
        "affected": affected,
        "fixed": "2.1",
        "severity": "",
        "summary": "Opens the door.",
        "source": "test",
    }
    return Advisory(**{**fields, **said})


def pin(version: str, name: str = "planted") -> Pin:
    return Pin(name, version, HASHES)


def judged(version: str, known: Advisory, *reviewed: Reviewed) -> tuple[list[str], list[str]]:
    return check([pin(version)], [known], reviewed, TAKEN)


def test_pins_are_read_with_their_hashes(tmp_path: Path) -> None:
    file = tmp_path / "requirements.txt"
    file.write_text(
        f"Some_Thing==1.0 ; sys_platform != 'win32' \\\n    --hash=sha256:{HASHES[1]} \\\n"
        f"    --hash=sha256:{HASHES[0]}\n"
    )
    assert pins(file) == (Pin("some-thing", "1.0", HASHES),)
    file.write_text("some-thing>=1.0\n")
    with pytest.raises(ValueError, match="pins no version"):
        pins(file)


def test_the_bill_names_every_pin_and_is_the_same_each_time() -> None:
    every = [pin("1.0", "first"), pin("2.0", "second")]
    licences = {"first": ("expression", "MIT"), "second": ("name", "BSD License")}
    found = sbom.bill(PROJECT, every[:1], every, lambda one: licences[one.name])
    assert (found["bomFormat"], found["specVersion"]) == ("CycloneDX", "1.6")
    first, second = found["components"]
    assert first["purl"] == first["bom-ref"] == "pkg:pypi/first@1.0"
    assert (first["scope"], second["scope"]) == ("required", "optional")
    assert first["licenses"] == [{"expression": "MIT"}]
    assert second["licenses"] == [{"license": {"name": "BSD License"}}]
    (files,) = first["externalReferences"]
    assert [one["content"] for one in files["hashes"]] == list(HASHES)
    assert found == sbom.bill(PROJECT, every[:1], every, lambda one: licences[one.name])
    other = sbom.bill(PROJECT, every, every, lambda one: licences[one.name])
    assert other["serialNumber"] != found["serialNumber"]


def test_a_licence_is_that_of_the_pinned_version_alone() -> None:
    (own,) = (one for one in pins(ROOT / "requirements-dev.txt") if one.name == "pytest")
    assert sbom.installed_licence(own) == ("expression", "MIT")
    assert sbom.installed_licence(pin("0.0.1", "pytest")) == ("", "")
    assert sbom.installed_licence(pin("1.0", "no-such-package")) == ("", "")


def test_the_bill_of_the_present_pins(tmp_path: Path) -> None:
    written = []
    for name in ("one.json", "two.json"):
        assert sbom.main(["--out", str(tmp_path / name)]) == 0
        written.append((tmp_path / name).read_bytes())
    assert written[0] == written[1]
    listed = {one["purl"] for one in json.loads(written[0])["components"]}
    assert listed == {one.purl for one in pins(ROOT / "requirements-app.txt")}


@pytest.mark.parametrize(
    ("affected", "version", "is_affected"),
    [
        (">=0,<2.1", "2.0.9", True),
        (">=0,<2.1", "2.1", False),
        (">=1.0,<=1.4 | >=2.0", "1.4", True),
        (">=1.0,<=1.4 | >=2.0", "1.5", False),
        (">=1.0,<=1.4 | >=2.0", "3.0", True),
        ("==1.1 | ==1.3", "1.2", False),
        (">=0,<2.1", "2.1rc1", True),
    ],
)
def test_what_versions_are_affected(affected: str, version: str, is_affected: bool) -> None:
    wrong, warnings = judged(version, advisory(affected))
    assert (len(wrong), warnings) == (int(is_affected), [])


def test_a_planted_version_is_told_with_its_advisory_and_what_mends_it() -> None:
    (line,), _ = judged("2.0", advisory("<2.1"))
    assert "planted 2.0: PYSEC-2026-1 CVE-2026-1, fixed in 2.1: Opens the door." in line


def test_an_exception_needs_a_reason() -> None:
    known = advisory("<2.1")
    accepted = Reviewed("PYSEC-2026-1", "planted", "the door is not called", "2026-11-02")
    assert judged("2.0", known, accepted) == ([], [])
    silent = Reviewed("PYSEC-2026-1", "planted", " ", "2026-11-02")
    unreasoned, hit = judged("2.0", known, silent)[0]
    assert "has no reason" in unreasoned
    assert "planted 2.0" in hit
    (vain,) = judged("2.2", known, accepted)[1]
    assert "affects no pinned version" in vain


def test_a_stale_snapshot_and_a_package_without_one_are_warnings() -> None:
    known = [advisory("<1.0")]
    assert check([pin("2.0")], known, (), date(2027, 1, 30)) == ([], [])
    wrong, (stale,) = check([pin("2.0")], known, (), date(2027, 1, 31))
    assert wrong == []
    assert "91 days old (2026-11-01)" in stale
    wrong, (uncovered,) = check([pin("2.0"), pin("1.0", "new")], known, (), TAKEN)
    assert wrong == []
    assert uncovered.endswith("cover them: new.")


def test_the_snapshot_is_made_of_the_database(tmp_path: Path) -> None:
    folder = tmp_path / "vulns" / "planted"
    folder.mkdir(parents=True)
    entry = (
        "id: PYSEC-2026-7\ndetails: |\n  Opens\n  the door.\naliases: [GHSA-1, CVE-1]\n"
        "affected:\n- package: {name: Planted, ecosystem: PyPI}\n  ranges:\n"
        "  - {type: GIT, repo: x, events: [{introduced: '0'}, {fixed: abc}]}\n"
        "  - type: ECOSYSTEM\n    events: [{introduced: '0'}, {fixed: '1.2'}, {introduced: '2.0'},"
        " {fixed: '2.1'}, {introduced: '3.0'}]\n  versions: ['1.0']\n"
    )
    (folder / "PYSEC-2026-7.yaml").write_text(entry)
    (folder / "PYSEC-2026-8.yaml").write_text(entry + "withdrawn: '2026-01-01T00:00:00Z'\n")
    none, found = advisories_in(tmp_path, ["planted", "innocent"], "2026-11-01", "f" * 40)
    assert (none.package, none.id, none.affects("1.0")) == ("innocent", "", False)
    assert found == Advisory(
        "2026-11-01",
        "planted",
        "PYSEC-2026-7",
        "CVE-1 GHSA-1",
        ">=0,<1.2 | >=2.0,<2.1 | >=3.0",
        "1.2 2.1",
        "",
        "Opens the door.",
        "pypa/advisory-database ffffffffffff vulns/planted/PYSEC-2026-7.yaml",
    )


def test_the_check_ends_in_an_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "requirements.txt"
    bad.write_text(f"websockets==9.0 --hash=sha256:{HASHES[0]}\n")
    asked = ["--requirements", str(bad), "--today", "2024-10-11"]
    assert advisories.main(asked) == 1
    said = capsys.readouterr().out
    assert "websockets 9.0: PYSEC-2021-95 CVE-2021-33880" in said
    assert "fixed in 9.1" in said
    bad.write_text(f"websockets==9.1 --hash=sha256:{HASHES[0]}\n")
    assert advisories.main(asked) == 0


def test_the_snapshot_covers_what_is_pinned() -> None:
    known = [
        Advisory(**row) for row in advisories._rows(ROOT / "tools/dependencies/advisories.csv")
    ]
    pinned = {one.name for one in pins(ROOT / "requirements-dev.txt")}
    assert pinned <= {one.package for one in known}


def test_the_sample_changes_with_the_commit_and_leaves_out_what_is_long() -> None:
    whole = [name for name, _ in commands(None, None)]
    assert whole == [part.name for part in PARTS]
    first, second = (dict(commands(commit * 40, None)) for commit in "12")
    seeded = {"random projects", "hostile projects", "lineups", "choices"}
    assert set(first) == {"sbom", "advisories", "long tests", *seeded}
    assert first["sbom"] == second["sbom"]
    assert first["random projects"] != second["random projects"]
    assert first["random projects"][0] == sys.executable
    with pytest.raises(ValueError, match="no parts"):
        commands(None, ["rain"])


def test_a_part_that_fails_is_told_and_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = "import sys; print('found something'); sys.exit(3)"
    outcome = run("a part", [sys.executable, "-c", code], tmp_path)
    assert (outcome.name, outcome.code) == ("a part", 3)
    assert (tmp_path / "a-part.txt").read_text() == "found something\n"
    assert "found something" in capsys.readouterr().out
