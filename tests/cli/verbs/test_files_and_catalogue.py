"""The verbs that write files and show the catalogue."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from facility.files.import_panel.read import load_panel
from facility.files.panel_csv.document import write_panel_csv
from facility.files.project.file import example_names, load_project
from tests.cli.helpers import SHORT, SMALL, one_error, run
from tests.cli.test_json_contract import PANEL


@pytest.fixture
def panel(tmp_path: Path) -> Path:
    file = tmp_path / "panel.csv"
    file.write_text(PANEL)
    return file


class TestNew:
    """``facility new`` writes a file that ``facility design`` takes."""

    @pytest.mark.parametrize("template", example_names())
    def test_new_then_design(self, template: str, tmp_path: Path) -> None:
        file = tmp_path / "hall.yaml"
        made = run("new", file, "--from", template)
        assert (made.code, made.out) == (0, "")
        assert made.err == f"wrote {file}; next: facility design {file}\n"
        designed = run("design", file, "--json", "--fail-on", "violation")
        assert designed.json["ok"] is True
        failed = [check for check in designed.json["checks"] if check["outcome"] == "FAIL"]
        rules = {check["rule"] for check in failed if check["severity"] == "VIOLATION"}
        assert (rules, designed.code) == (set(), 0)

    def test_answers_become_a_project_and_the_rest_is_stated_as_left_open(
        self, tmp_path: Path
    ) -> None:
        file = tmp_path / "hall.yaml"
        answers = ("--gpus", "64", "--place", "Phoenix", "--voltage", "415", "--survive", "2N")
        made = run("new", file, *answers, "--set", "site.tariff=0.07 USD/kWh")
        assert (made.code, made.out) == (0, "")
        assert made.err.splitlines()[0] == "Default in use: model H100 SXM5"
        assert "Verdict: goal not met: redundancy" in made.err
        assert (
            "(3 of 6 supplies alive, 4 needed)" in made.err
        )  # DGX H100 user guide: 4 + 2 supplies
        assert made.err.endswith(f"wrote {file}; next: facility design {file}\n")
        text = file.read_text()
        assert "station: phoenix" in text
        assert "tariff: 0.07 USD/kWh" in text
        assert "redundancy_goal: 2N" in text
        assert text.endswith("# Default in use: model H100 SXM5\n")
        assert "project:" not in text
        designed = run("design", file, "--json").json
        assert designed["results"]["load.gpus"] == 64

    def test_the_largest_cluster_on_a_grid_connection(self, tmp_path: Path) -> None:
        made = run("new", tmp_path / "a.yaml", "--grid", "150 kW")
        assert "Grid connection: " in made.err
        assert "Binding limit: Grid connection. 1 MW more allows " in made.err
        one_error(run("new", tmp_path / "b.yaml", "--grid", "9 kW"), "NO_FEASIBLE", 4)

    def test_an_open_question_is_an_error_with_the_option(self, tmp_path: Path) -> None:
        ran = run("new", tmp_path / "a.yaml", "--place", "Munich")
        one_error(ran, "WEATHER_SITE", 3)
        assert "(--weather FILE.epw)" in ran.err
        assert '(--weather "36 degC, 24 degC")' in ran.err
        one_error(run("new", tmp_path / "a.yaml", "--gpus", "8", "--racks", "1"), "BRIEF_SIZE", 3)
        both = run("new", tmp_path / "a.yaml", "--gpus", "8", "--from", "h100-10k")
        one_error(both, "OPTIONS", 2)
        assert not list(tmp_path.iterdir())

    def test_an_existing_file_stays_without_force(self, tmp_path: Path) -> None:
        file = tmp_path / "hall.yaml"
        file.write_text("mine")
        one_error(run("new", file), "FILE_EXISTS", 6)
        assert file.read_text() == "mine"
        assert run("new", file, "--force").code == 0
        assert file.read_text().startswith("schema_version: 1\n")
        assert [path.name for path in tmp_path.iterdir()] == ["hall.yaml"]

    def test_unknown_template(self, tmp_path: Path) -> None:
        ran = run("new", tmp_path / "a.yaml", "--template", "h100-10")
        one_error(ran, "UNKNOWN_EXAMPLE", 3)
        assert "'h100-10k'" in ran.err
        assert not list(tmp_path.iterdir())

    @pytest.mark.parametrize("place", ["none/hall.yaml", "."])
    def test_a_place_that_cannot_be_written(self, place: str, tmp_path: Path) -> None:
        one_error(run("new", tmp_path / place, "--force"), "FILE_NOT_WRITTEN", 6)
        assert not list(tmp_path.iterdir())


class TestDesign:
    """Where the project comes from, and what ``--set`` does to it."""

    def test_without_a_file_the_embedded_project_is_designed(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        body = run("design", "--json").json
        assert body["project"]["name"] == "h100-10k"
        assert body["results"]["load.servers"] == 1250

    def test_sets_are_applied_in_order_and_change_the_hash(self, tmp_path: Path) -> None:
        file = tmp_path / "p.yaml"
        file.write_text(SHORT)
        plain = run("design", file, "--json").json
        changed = run("design", file, "--json", "--set", "it.gpus=8", "--set", "it.gpus=128").json
        assert plain["results"]["load.gpus"] == 64
        assert changed["results"]["load.gpus"] == 128
        assert plain["project"]["sha256"] != changed["project"]["sha256"]
        assert file.read_text() == SHORT

    @pytest.mark.anew
    def test_format_order_and_comments_do_not_change_the_hash(self, tmp_path: Path) -> None:
        (tmp_path / "a.yaml").write_text("# a comment\n" + SHORT)
        (tmp_path / "b.json").write_text(
            '{"cooling": {"plant": {"heat_rejection": "tower"}, "method": "air"},'
            ' "power": {"redundancy": "N+1"},'
            ' "it": {"gpus": 64, "gpu_model": "H100 SXM5"}, "schema_version": 1}'
        )
        one, two = (run("design", tmp_path / name, "--json").json for name in ("a.yaml", "b.json"))
        assert one["project"]["sha256"] == two["project"]["sha256"]
        assert one["results"] == two["results"]


class TestExport:
    """``facility export xlsx`` refuses to overwrite, and leaves nothing half done."""

    @pytest.mark.anew
    def test_workbook(self, tmp_path: Path) -> None:
        file = tmp_path / "out.xlsx"
        ran = run("export", "xlsx", *SMALL, "--out", file)
        first = "Embedded example h100-10k: no project file was entered.\n"
        assert (ran.code, ran.out, ran.err) == (0, "", f"{first}wrote {file}\n")
        written = file.read_bytes()
        assert written[:2] == b"PK"
        one_error(run("export", "xlsx", *SMALL, "--out", file), "FILE_EXISTS", 6)
        assert file.read_bytes() == written
        assert run("export", "xlsx", *SMALL, "--out", file, "--force").code == 0
        assert file.read_bytes() == written, "same input, same bytes"
        assert run("verify", file).out.startswith("same: ")
        body = run("verify", file, "--json").json
        assert body["results"] == {"same": True}
        assert body["differences"] == []


class TestBalance:
    """``facility balance`` reads and writes a panel CSV."""

    def test_text(self, panel: Path) -> None:
        ran = run("balance", panel)
        assert (ran.code, ran.err) == (0, "")
        assert "Balance of RPP-1A, 208Y/120, 42 poles" in ran.out
        assert "maximum deviation from the mean / mean" in ran.out
        assert " A" in next(line for line in ran.out.splitlines() if "Neutral" in line)

    @pytest.mark.parametrize("objective", ["current", "va"])
    def test_the_balanced_panel_is_written_and_needs_no_move(
        self, objective: str, panel: Path, tmp_path: Path
    ) -> None:
        out = tmp_path / "balanced.csv"
        options = ("--objective", objective)
        first = run("balance", panel, *options, "--out", out, "--json").json
        assert first["results"]["moves"] > 0
        again = run("balance", out, *options, "--json").json
        assert again["results"]["moves"] == 0
        for key in ("imbalance.after", "current.max"):
            assert again["results"][key]["value"] == pytest.approx(first["results"][key]["value"])
        placed = {row["id"]: row["position"] for row in first["placement"]}
        assert {c.id: c.position for c in load_panel(out).circuits} == placed
        assert "No circuit moves." in run("balance", out, *options).out

    def test_a_fixed_circuit_stays(self, panel: Path) -> None:
        placement = run("balance", panel, "--json").json["placement"]
        assert next(row for row in placement if row["id"] == "4")["position"] == 6

    def test_it_takes_what_the_writer_writes(self, panel: Path, tmp_path: Path) -> None:
        copy = tmp_path / "copy.csv"
        copy.write_text(write_panel_csv(load_panel(panel)))
        assert run("balance", copy, "--json").out == run("balance", panel, "--json").out

    def test_it_refuses_to_overwrite(self, panel: Path) -> None:
        before = panel.read_text()
        one_error(run("balance", panel, "--out", panel), "FILE_EXISTS", 6)
        assert panel.read_text() == before

    @pytest.mark.parametrize(
        ("old", "new", "code", "exit_code"),
        [
            ("# panel: RPP-1A", "# feeder: RPP-1A", "PANEL_CSV_HEADER", 3),
            ("208Y/120", "240/120", "PANEL_CSV_HEADER", 3),
            ("4800", "4800 VA!", "NOT_A_NUMBER", 3),
            ("30,1,no", "30,1,maybe", "PANEL_CSV_CELL", 3),
            ("30,2,no", "30,1,no", "PANEL_OVERLAP", 3),
            ("poles: 42", "poles: 6", "PANEL_POSITION", 3),
            ("poles: 42", "poles: 3", "OUT_OF_RANGE", 3),
            ("Rack 1,2", "R,1,9,1,20,,\n" * 60 + "Rack 1,2", "PANEL_FULL", 4),
        ],
    )
    def test_a_bad_panel_is_refused(
        self, old: str, new: str, code: str, exit_code: int, panel: Path, tmp_path: Path
    ) -> None:
        panel.write_text(PANEL.replace(old, new, 1))
        ran = run("balance", panel, "--out", tmp_path / "out.csv")
        one_error(ran, code, exit_code)
        assert "panel.csv!" in ran.err or "RPP-1A: " in ran.err, "the cell is named"
        assert not (tmp_path / "out.csv").exists()


class TestCatalogue:
    """``facility catalogue`` lists tables, rows, and one row with its source."""

    def test_list_table_and_row(self) -> None:
        listed = run("catalogue").out
        assert "equipment/ gpus, servers" in listed
        assert "DGX H100" in run("catalogue", "equipment/servers").out
        wide = run("catalogue", "weather/stations").out
        assert "13 more columns: facility catalogue weather/stations KEY" in wide
        assert "Phoenix, Arizona" in run("catalogue", "weather/stations", "phoenix").out
        row = run("catalogue", "equipment/servers", "DGX H100").out
        line = next(line for line in row.splitlines() if "max_input_kw" in line)
        assert line.split()[:3] == ["max_input_kw", "10.2", "kW"]
        assert "DGX H100/H200 System User Guide" in row

    @pytest.mark.parametrize(
        ("arguments", "near"),
        [
            (("equipment/server",), "'equipment/servers'"),
            (("equipment/servers", "DGX H10"), "'DGX H100'"),
        ],
    )
    def test_unknown_ones_offer_near_ones(self, arguments: tuple[str, ...], near: str) -> None:
        ran = run("catalogue", *arguments)
        one_error(ran, "UNKNOWN_TABLE" if len(arguments) == 1 else "UNKNOWN_MODEL", 3)
        assert near in ran.err
        assert run("catalogue", *arguments, "--json").json["ok"] is False


class TestTerminal:
    """What people read fits their terminal."""

    @pytest.mark.parametrize("columns", [80, 140])
    @pytest.mark.parametrize(
        "arguments",
        [
            ("design", *SMALL, "--assumptions"),
            ("check", *SMALL),
            ("design", *SMALL, "--full"),
            ("check", *SMALL, "--full"),
            ("verify",),
            ("catalogue",),
            ("catalogue", "equipment/servers"),
            ("catalogue", "equipment/servers", "DGX H100"),
        ],
        ids=lambda a: " ".join(a),
    )
    def test_no_line_is_wider(self, arguments: tuple[str, ...], columns: int) -> None:
        lines = run(*arguments, COLUMNS=str(columns)).out.splitlines()
        title = 1 if arguments[0] == "design" else 0
        assert max(len(line) for line in lines[title:]) <= columns
        assert all(line == line.rstrip() for line in lines)

    def test_a_rule_and_its_subject_stand_on_one_line(self) -> None:
        lines = run("check", *SMALL, "--full", COLUMNS="80").out.splitlines()
        assert any(line.startswith("PASS  PSU-REDUNDANCY  DGX H100") for line in lines)

    def test_margins_of_temperatures_are_kelvin(self) -> None:
        lines = run("check", *SMALL, "--full").out.splitlines()
        inlet = next(line for line in lines if "INLET-TEMPERATURE" in line)
        assert inlet.endswith(" K)")
        assert "%" not in inlet

    def test_derivations_have_no_latex(self) -> None:
        out = run("explain", "cost.month_estimate", *SMALL).out
        assert "\\" not in out
        assert "PUE = P_facility/P_IT" in run("explain", "pue.design", *SMALL).out

    def test_derivations_follow_the_units_asked_for(self) -> None:
        si, ip = (run("explain", "crah.airflow", *SMALL, "--units", u).out for u in ("si", "ip"))
        assert "m³/s" in si.splitlines()[1]
        assert "cfm" in ip.splitlines()[1]

    def test_the_ledger_is_printed_when_asked_for(self) -> None:
        out = run("design", *SMALL, "--assumptions").out
        assert "it.diversity = 100.0 %  (open)" in out
        assert "it.diversity" not in run("design", *SMALL).out

    def test_every_assumption_counts_once(self) -> None:
        entries = len(run("design", *SMALL, "--json").json["assumptions"])
        full = run("design", *SMALL, "--full").out
        assert int(full.split("Assumptions not confirmed: ")[1].split()[0]) == entries
        assert f"Note: {entries} assumptions are not confirmed." in run("design", *SMALL).out


def test_nothing_is_left_in_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for arguments in (("design", *SMALL), ("check", *SMALL), ("catalogue",), ("verify",)):
        assert run(*arguments).code == 0
    assert os.listdir(tmp_path) == []  # noqa: PTH208


def test_a_design_is_written_as_built(tmp_path: Path) -> None:
    """The file has the choices as inputs; a second one is not written over it."""
    out = tmp_path / "built.yaml"
    done = run("design", "--as-built", out, *SMALL)
    assert done.err.startswith(f"wrote {out}\n")
    built = load_project(out)
    assert built.power.ups is not None
    assert built.power.ups.modules_per_system is not None
    one_error(run("design", "--as-built", out, *SMALL), "FILE_EXISTS", 6)
    assert run("design", "--as-built", out, "--force", *SMALL).err == done.err
