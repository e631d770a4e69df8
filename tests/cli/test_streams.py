"""``-`` is standard input or output; data go to stdout, messages to stderr."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.helpers import SHORT, SMALL, one_error, run
from tests.cli.test_json_contract import PANEL

RACKS = "Hall,Rack type,Qty,Model,Servers per rack\nA,Train,8,DGX H100,4\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "p.yaml"
    path.write_text(SHORT)
    return path


def test_a_project_is_read_from_standard_input(file: Path) -> None:
    for verb in ("design", "check", "failures", "annual"):
        piped = run(verb, "-", "--json", stdin=SHORT)
        assert piped.out == run(verb, file, "--json").out, verb
    text = run("annual", "-", stdin=SHORT).out
    assert "Embedded example" not in text
    one_error(run("design", "-", stdin=""), "FILE_EMPTY", 6)
    one_error(run("design", "-", stdin="it: {gpus: 8}\n"), "MISSING_FIELD", 3)
    changed = SHORT.replace("gpus: 64", "gpus: 128")
    assert run("diff", file, "-", "--json", stdin=changed).json["inputs"][0]["path"] == "it.gpus"


def test_tables_are_read_from_standard_input(file: Path, tmp_path: Path) -> None:
    panel = tmp_path / "panel.csv"
    panel.write_text(PANEL)
    assert run("balance", "-", "--json", stdin=PANEL).out == run("balance", panel, "--json").out
    assert run("import", "panel", "-", stdin=PANEL).out.startswith("RPP-1A, 208Y/120")
    racks = run("import", "racks", "-", "--project", file, "-o", "-", stdin=RACKS)
    assert "name: Train" in racks.out
    assert run("design", "-", "--json", stdin=racks.out).json["results"]["load.racks.compute"] == 8
    tag = ("--panel", "RPP-A01", "--apply")
    one_error(run("balance", "-", *tag, stdin=SHORT), "BALANCE_OPTION", 2)


def test_a_file_is_written_to_standard_output_without_other_text(tmp_path: Path) -> None:
    hours = tmp_path / "hours.csv"
    assert run("annual", *SMALL, "-o", hours).code == 0
    piped = run("annual", *SMALL, "-o", "-")
    assert piped.out == hours.read_text()
    assert piped.err == "Embedded example h100-10k: no project file was entered.\n"
    assert run("annual", *SMALL, "-q", "-o", "-").err == ""
    assert run("new", "-").out.startswith("schema_version: 1\nit:\n")
    assert run("export", "xlsx", *SMALL, "-o", "-").out.startswith("PK")
    one_error(run("export", "svg", *SMALL, "-o", "-"), "OPTIONS", 2)
    one = run("export", "svg", *SMALL, "--sheet", "1", "-o", "-")
    assert one.out.startswith("<svg") or one.out.startswith("<?xml")
    built = run("design", *SMALL, "--as-built", "-")
    assert built.out.startswith("schema_version: 1\n")
    rows = run("sweep", *SMALL, "--vary", "it.gpus=64,128", "--studies", "sizing", "-o", "-")
    assert len(rows.out.splitlines()) == 3
    assert rows.out.startswith("row,")


def test_a_stored_project_goes_through_both_streams(tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "s.sqlite"))
    made = run("library", "import", "-", *store, stdin=SHORT).out.strip()
    assert run("library", "export", made, "-", *store).out == SHORT
    assert made in run("library", "backup", "-", *store).out


@pytest.mark.parametrize(
    "arguments",
    [
        ("annual", *SMALL, "-o", "-", "--json"),
        ("export", "csv", *SMALL, "-o", "-"),
        ("export", "xlsx", *SMALL, "--split", "-o", "-"),
        ("transient", *SMALL, "--load", "-o", "-", "--svg", "-"),
        ("sweep", *SMALL, "--vary", "it.gpus=64,128", "-o", "-", "--resume"),
        ("optimise", *SMALL, "--free", "it.gpus=64,128", "-o", "-"),
    ],
    ids=lambda a: " ".join(a[:2]),
)
def test_what_does_not_fit_on_standard_output_is_a_usage_fault(arguments: tuple[str, ...]) -> None:
    ran = run(*arguments)
    assert ran.code == 2
    assert "[OPTIONS]" in ran.err
    assert "schema_version" not in ran.out


def test_messages_and_the_example_are_omitted_when_quiet(tmp_path: Path) -> None:
    loud = run("export", "xlsx", *SMALL, "-o", tmp_path / "a.xlsx")
    assert loud.err.splitlines()[0] == "Embedded example h100-10k: no project file was entered."
    assert loud.err.splitlines()[1].startswith("wrote ")
    quiet = run("export", "xlsx", *SMALL, "-q", "-o", tmp_path / "b.xlsx")
    assert (quiet.code, quiet.out, quiet.err) == (0, "", "")
    assert (tmp_path / "b.xlsx").read_bytes() == (tmp_path / "a.xlsx").read_bytes()
    assert run("design", *SMALL, "--json").err == ""
