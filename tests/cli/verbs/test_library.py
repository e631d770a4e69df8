"""The library of projects on the command line."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from facility.core.errors import FacilityError
from facility.core.reference import reference_path
from facility.files.project.companions import content_name
from facility.files.store.opening import open_store, usual_store
from facility.files.store.record.log import AccessRecord
from tests.cli.helpers import KEPT_COOL, SHORT, one_error, run
from tests.files.store.edited import execute, expire


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folder of the user's data."""
    monkeypatch.delenv("FACILITY_STORE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path


def kept(home: Path, text: str = SHORT) -> str:
    file = home / "hall.yaml"
    file.write_text(text)
    return run("library", "import", file).out.strip()


def test_a_file_is_kept_and_comes_back_to_the_letter(home: Path) -> None:
    text = "# mine\n" + KEPT_COOL
    made = kept(home, text)
    assert (home / "facility" / "projects.sqlite").stat().st_mode & 0o077 == 0
    out = home / "out.yaml"
    assert run("library", "export", made, out).code == 0
    assert out.read_text() == text
    one_error(run("library", "export", made, out), "FILE_EXISTS", 6)
    one_error(
        run("library", "export", made, out, "--force", "--revision", 2), "UNKNOWN_REVISION", 3
    )
    one_error(run("library", "export", "no-such-id", out, "--force"), "UNKNOWN_PROJECT", 3)


def test_files_that_a_project_names_are_kept_with_it_and_written_beside_it(home: Path) -> None:
    epw = reference_path("weather", "fargo.epw.gz").read_bytes()
    (home / "w").mkdir()
    (home / "w" / "fargo.epw.gz").write_bytes(epw)
    text = f"{SHORT}site: {{weather_file: w/fargo.epw.gz}}  # mine\n"
    made, name = kept(home, text), content_name("fargo.epw.gz", epw)
    (home / "out").mkdir()
    out = home / "out" / "hall.yaml"
    assert run("library", "export", made, out).code == 0
    assert out.read_text() == text.replace("w/fargo.epw.gz", name)
    assert (home / "out" / name).read_bytes() == epw
    assert "Fargo" in run("design", out, "--json").out
    out.write_text(f"{SHORT}site: {{weather_file: {name}, tariff: 0.09 USD/kWh}}\n")
    assert run("library", "save", made, out, "--based-on", "1").code == 0
    lost = home / "lost.yaml"
    for missing in ("other.epw", name):
        lost.write_text(f"{SHORT}site: {{weather_file: {missing}}}\n")
        one_error(run("library", "import", lost), "FILE_NOT_GIVEN", 3)


def test_projects_and_revisions_are_listed(home: Path) -> None:
    assert run("library", "list").out.startswith("no projects in ")
    made = kept(home, "project: {name: Nord, title: Hall 1}\n" + SHORT)
    with open_store(usual_store()) as store:
        library = store.library("ann", unrestricted=True)
        text = library.text(made).replace("64", "128")
        facts = {"load.it": 1.25e6, "pue.annual": 1.234, "verdict": "No: 4 things"}
        library.save(made, text, based_on=1, label="it.gpus", facts=facts)
    listed = run("library", "list", "nord").out
    for word in (made, "Nord", "Hall 1", "1,250 kW", "1.234", "No: 4 things", "ann"):
        assert word in listed
    assert "Nord" not in run("library", "list", "sued").out
    shown = run("library", "show", made)
    assert "it.gpus" in shown.out
    assert "imported from hall.yaml" in shown.out
    assert "(owner)" in shown.out


def test_json(home: Path) -> None:
    made = kept(home, "project: {name: Nord}\n" + SHORT)
    body = run("library", "list", "--json").json
    assert (body["schema"], body["results"]) == ("facility.library/1", {"projects.count": 1})
    assert (body["projects"][0]["id"], body["projects"][0]["name"]) == (made, "Nord")
    with open_store(usual_store()) as store:
        store.library("ann", unrestricted=True).set_facts(made, 1, {"load.it": 1e6, "it.gpus": 64})
    body = run("library", "show", made, "--json").json
    (revision,) = body["revisions"]
    assert revision["facts"] == {"it.gpus": 64, "load.it": {"value": 1000.0, "unit": "kW"}}
    assert [one["role"] for one in body["roles"]] == ["owner"]
    assert (
        run("library", "show", "nothing", "--json").json["errors"][0]["code"] == "UNKNOWN_PROJECT"
    )


def test_the_store_is_named_by_option_or_environment(home: Path) -> None:
    one, other = home / "one.sqlite", home / "other.sqlite"
    file = home / "hall.yaml"
    file.write_text(SHORT)
    run("library", "import", file, "--store", one)
    assert run("library", "list", "--store", one, "--json").json["results"]["projects.count"] == 1
    count = run("library", "list", "--json", FACILITY_STORE=f"sqlite:///{other}").json["results"]
    assert count["projects.count"] == 0
    assert other.exists()


@pytest.mark.parametrize(
    ("store", "code", "exit_code"),
    [
        ("mysql://host/db", "STORE_URL", 2),
        ("sqlite://", "STORE_URL", 2),
        ("sqlite:///file:x?mode=ro&uri=true", "STORE_URL", 2),
        ("://", "STORE_URL", 2),
        ("no-such-folder/x.sqlite", "STORE_UNREACHABLE", 6),
        ("postgresql://user:secret@127.0.0.1:1/db", "STORE_UNREACHABLE", 6),
    ],
)
def test_a_store_that_is_none_is_refused(store: str, code: str, exit_code: int) -> None:
    ran = run("library", "list", "--store", store)
    one_error(ran, code, exit_code)
    assert "secret" not in ran.err + ran.out


def test_a_change_is_saved_and_a_second_one_merged(home: Path) -> None:
    made = kept(home)
    file = home / "hall.yaml"
    file.write_text(SHORT.replace("64", "128"))
    assert run("library", "save", made, file, "--based-on", 1).out == "2\n"
    file.write_text(SHORT.replace("N+1", "2N"))
    one_error(run("library", "save", made, file, "--based-on", 1), "STORE_CONFLICT", 6)
    assert run("library", "save", made, file, "--based-on", 1, "--merge").out == "3\n"
    changes = run("library", "changes", made, 1, "--json").json["changes"]
    assert changes == [
        {"path": "it.gpus", "before": "64", "after": "128"},
        {"path": "power.redundancy", "before": "N+1", "after": "2N"},
    ]
    assert "power.redundancy" in run("library", "changes", made, 1, 3).out
    assert run("library", "changes", made, 3, 3).out == "no differences\n"


def test_a_field_that_both_changed_is_decided(home: Path) -> None:
    made = kept(home)
    file = home / "hall.yaml"
    file.write_text(SHORT.replace("64", "128"))
    run("library", "save", made, file, "--based-on", 1)
    file.write_text(SHORT.replace("64", "256"))
    save = ("library", "save", made, file, "--based-on", 1, "--merge")
    ran = run(*save)
    one_error(ran, "MERGE_CONFLICT", 3)
    assert "it.gpus: 256 here, 128 saved" in ran.err
    one_error(run(*save, "--theirs", "it.gpu"), "UNKNOWN_CONFLICT", 3)
    body = run(*save, "--mine", "it.gpus", "--json").json
    assert body["revisions"][0]["number"] == 3
    (change,) = run("library", "changes", made, 2, "--json").json["changes"]
    assert change == {"path": "it.gpus", "before": "128", "after": "256"}


def test_a_backup_is_written_and_restored(home: Path) -> None:
    made = kept(home)
    out, new = home / "backup.jsonl", home / "new.sqlite"
    assert run("library", "backup", out).out == "1 project\n"
    one_error(run("library", "backup", out), "FILE_EXISTS", 6)
    one_error(run("library", "backup", home / "backup.zip"), "BACKUP_FORMAT", 2)
    one_error(run("library", "restore-backup", out), "STORE_EXISTS", 6)
    body = run("library", "restore-backup", out, "--store", new, "--json").json
    assert body["results"] == {"projects.count": 1}
    assert made in run("library", "list", "--store", new).out


def test_a_project_is_shared_and_linked(home: Path) -> None:
    made = kept(home)
    assert run("library", "share", made, "bob@example.org", "editor").code == 0
    token = run("library", "link", made, "--label", "for review").out.strip()
    body = run("library", "show", made, "--json").json
    assert {"who": "bob@example.org", "role": "editor"} in body["roles"]
    (link,) = body["links"]
    assert (link["label"], link["id"] in token) == ("for review", False)
    assert "for review" in run("library", "show", made).out
    with open_store(usual_store()) as store:
        assert store.by_link(token)[0] == made
        run("library", "link", made, "--revoke", link["id"])
        with pytest.raises(FacilityError, match="UNKNOWN_LINK"):
            store.by_link(token)
    one_error(run("library", "link", made, "--renew", link["id"]), "UNKNOWN_LINK", 3)
    run("library", "share", made, "bob@example.org", "none")
    assert len(run("library", "show", made, "--json").json["roles"]) == 1
    owner = (
        body["roles"][0]["who"] if body["roles"][0]["role"] == "owner" else body["roles"][1]["who"]
    )
    one_error(run("library", "share", made, owner, "reader"), "LAST_OWNER", 3)


def test_a_link_expires_after_the_days_stated(home: Path) -> None:
    made = kept(home)

    def days() -> int:
        (link,) = run("library", "show", made, "--json").json["links"]
        times = (datetime.fromisoformat(link[name]) for name in ("expires_at", "made_at"))
        return round((next(times) - next(times)).total_seconds() / 86_400)

    token = run("library", "link", made, "--days", 5).out.strip()
    (link,) = run("library", "show", made, "--json").json["links"]
    assert days() == 5
    end = datetime.fromisoformat(link["expires_at"])
    assert f"expires {end:%Y-%m-%d %H:%M} UTC" in run("library", "show", made).out
    with open_store(usual_store()) as store:
        expire(store.library("x", unrestricted=True), made)
        with pytest.raises(FacilityError, match="UNKNOWN_LINK"):
            store.by_link(token)
    assert ", expired " in run("library", "show", made).out
    assert run("library", "link", made, "--renew", link["id"], "--days", 60).err == "renewed\n"
    assert days() == 60
    for wrong in (0, 367):
        one_error(run("library", "link", made, "--days", wrong), "OUT_OF_RANGE", 3)
    run("library", "link", made, "--revoke", link["id"])
    run("library", "link", made)
    assert days() == 30


def test_the_check_says_what_was_read(home: Path) -> None:
    kept(home)
    assert "revisions 1, panels 0" in run("library", "check").out
    body = run("library", "check", "--json").json
    assert (body["ok"], body["results"]["rows.projects"]) == (True, 1)
    assert body["results"]["problems.count"] == 0


def test_an_edited_store_is_damaged_for_every_verb(home: Path) -> None:
    made, other = kept(home), kept(home)
    file, out = home / "hall.yaml", home / "out.yaml"
    with open_store(usual_store()) as store:
        change = "UPDATE store_revisions SET text = text || '#' WHERE project = :project"
        execute(store, change, project=made)
    for verb in (("export", made, out), ("changes", made, 1)):
        one_error(run("library", *verb), "STORE_DAMAGED", 6)
    assert not out.exists()
    assert run("library", "export", other, out).code == 0
    file.write_text(SHORT.replace("64", "128"))
    assert run("library", "save", made, file, "--based-on", 1).out == "2\n"
    with open_store(usual_store()) as store:
        change = "UPDATE store_projects SET name = 'other' WHERE id = :project"
        execute(store, change, project=made)
    for verb in (("list",), ("show", made), ("save", made, file, "--based-on", 2), ("link", made)):
        one_error(run("library", *verb), "STORE_DAMAGED", 6)
    ran = run("library", "check")
    assert (ran.code, "STORE_DAMAGED" in ran.err) == (6, True)
    for word in ("store_projects", "store_revisions", made, "revision 1 differs"):
        assert word in ran.out
    ran = run("library", "check", "--json")
    assert (ran.code, ran.json["ok"], ran.json["results"]["problems.count"]) == (6, False, 2)
    assert {error["code"] for error in ran.json["errors"]} == {"STORE_DAMAGED"}
    assert f"store_revisions {made} 1" in {error["where"] for error in ran.json["errors"]}


def test_the_record_is_listed_exported_and_begun_again(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = home / "outside" / "record.key"
    monkeypatch.setenv("FACILITY_RECORD_KEY", str(key))
    monkeypatch.setenv("FACILITY_RECORD_HEADS", str(home / "outside" / "heads"))
    for verb in ("record", "check"):
        one_error(run("library", verb), "STORE_UNREACHABLE", 6)
    assert not usual_store().exists()
    made, other = kept(home), kept(home)
    assert run("library", "export", made, home / "out.yaml").code == 0
    one_error(run("library", "export", "no-such-id", home / "no.yaml"), "UNKNOWN_PROJECT", 3)
    body = run("library", "record", made, "--json").json
    assert body["results"] == {"record.count": 5, "record.sealed": 0}
    assert [(e["seq"], e["action"], e["project"]) for e in body["record"]] == [
        (2, "created", made),
        (4, "read", made),
    ]
    assert body["record"][1]["detail"]["revision"] == 1
    listed = run("library", "record").out
    for word in ("verified: 5 entries", "opened", "project created", "access denied", other):
        assert word in listed
    assert "opened" not in run("library", "record", "--last", 1).out
    file = home / "record.jsonl"
    assert run("library", "record", "--out", file).code == 0
    one_error(run("library", "record", "--out", file), "FILE_EXISTS", 6)
    assert "verified: 5 entries" in run("library", "record", made, "--file", file).out
    key.unlink()
    for verb in (("record",), ("record", "--file", file), ("export", made, home / "two.yaml")):
        one_error(run("library", *verb), "RECORD_KEY", 6)
    assert not (home / "two.yaml").exists()
    assert (
        "entries 1 to 5 are older than --begin-again"
        in run("library", "record", "--begin-again").out
    )
    assert run("library", "export", made, home / "two.yaml").code == 0
    assert run("library", "backup", home / "backup.jsonl").code == 0
    restored = home / "new.sqlite"
    run("library", "restore-backup", home / "backup.jsonl", "--store", restored)
    assert "backup restored" in run("library", "record", "--store", restored).out


def test_a_store_that_cannot_be_written_is_exported_and_it_is_said(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = kept(home)

    def refuse(*_: object) -> None:
        raise FacilityError("STORE_READ_ONLY", "store", "read-only.")

    monkeypatch.setattr(AccessRecord, "append", refuse)
    ran = run("library", "export", made, home / "out.yaml")
    assert (ran.code, (home / "out.yaml").read_text()) == (0, SHORT)
    assert "access not recorded, because the store is read-only" in ran.err
    assert "not recorded" in run("library", "changes", made, 1).err
    one_error(run("library", "share", made, "bob", "reader"), "STORE_READ_ONLY", 6)
