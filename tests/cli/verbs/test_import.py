"""`facility import panel` and `facility balance --moves`."""

from __future__ import annotations

from pathlib import Path

from tests.cli.helpers import SMALL, one_error, run
from tests.cli.test_json_contract import PANEL, assert_envelope, assert_results


def test_nothing_is_written_until_accepted(tmp_path: Path) -> None:
    file, out = tmp_path / "p.csv", tmp_path / "out.csv"
    file.write_text(PANEL)
    shown = run("import", "panel", file)
    assert shown.code == 0
    assert "no project to compare with" in shown.out
    assert "no file written" in shown.err
    assert list(tmp_path.iterdir()) == [file]
    one_error(run("import", "panel", file, "--out", out), "IMPORT_OPTION", 2)
    done = run("import", "panel", file, "--accept", "--out", out)
    assert done.code == 0
    assert done.err == f"wrote {out}\n"
    assert run("balance", out).code == 0
    again = run("import", "panel", file, "--accept", "--out", out)
    one_error(again, "FILE_EXISTS", 6)
    assert run("import", "panel", file, "--accept", "--out", out, "--force").code == 0


def test_a_workbook_against_its_own_project(tmp_path: Path) -> None:
    book = tmp_path / "b.xlsx"
    assert run("export", "xlsx", "--out", book, *SMALL).code == 0
    one_error(run("import", "panel", book, "--sheet", "RPP-B01"), "NO_PANEL", 3)
    one_error(run("import", "workbook", book, "--apply"), "IMPORT_OPTION", 2)
    ran = run("import", "workbook", book, "--json")
    assert ran.code == 0
    body = ran.json
    assert body["schema"] == "facility.import-workbook/1"
    assert body["inputs"] == body["differences"] == []
    assert_results(body["results"])


def test_rows_that_cannot_be_read_are_listed_and_nothing_is_written(tmp_path: Path) -> None:
    file, out = tmp_path / "p.csv", tmp_path / "out.csv"
    file.write_text(PANEL.replace("4800,0.98", "abc,0.98").replace("9000,0.98", "9000,98"))
    ran = run("import", "panel", file, "--accept", "--out", out, "--json")
    assert ran.code == 3
    assert ran.json["ok"] is False
    assert [e["where"] for e in ran.json["errors"]] == ["p.csv!C3", "p.csv!D5"]
    assert ran.err.count("error: ") == 2
    assert not out.exists()


def test_a_refused_file(tmp_path: Path) -> None:
    file = tmp_path / "b.xlsx"
    file.write_bytes(b"MZ\x90\x00")
    one_error(run("import", "panel", file), "NOT_A_WORKBOOK", 6)
    one_error(run("import", "panel", tmp_path / "no.xlsx"), "FILE_MISSING", 6)
    one_error(run("import", "panel", file, "--power-factor", "2"), "NOT_A_POWER_FACTOR", 3)


def test_moves(tmp_path: Path) -> None:
    file = tmp_path / "p.csv"
    file.write_text(PANEL)
    ran = run("balance", file, "--moves", "--json")
    body = assert_envelope(ran, "balance", lists=("options",))
    assert_results(body["results"])
    assert body["results"]["options"] == len(body["options"])
    first, *others = body["options"]
    assert first["moves"] == 0
    assert first["imbalance"] == body["results"]["imbalance.before"]
    assert others
    for option in body["options"]:
        assert set(option) == {
            "moves",
            "imbalance",
            "current.max",
            "exact",
            "states",
            "placement",
            "steps",
        }
        assert option["imbalance"]["unit"] == "%"
        assert len(option["placement"]) == option["moves"]
        assert len(option["steps"]) >= option["moves"]
    falling = [option["imbalance"]["value"] for option in body["options"]]
    assert falling == sorted(falling, reverse=True)
    assert run("balance", file, "--moves").out.count("ckt ") == sum(
        len(option["steps"]) for option in body["options"]
    )
    one_error(run("balance", file, "--moves", "--exact"), "BALANCE_MOVES", 2)
