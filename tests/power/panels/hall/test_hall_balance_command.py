"""``facility balance --hall``: what is printed, written as CSV, and applied to a project."""

from __future__ import annotations

import csv
import io
import shutil
from pathlib import Path

import pytest

from facility.files.project.file import load_project
from facility.power.panels.hall.balance import balance_hall
from facility.study.as_built_panels import with_panels
from facility.study.design.design import Design, design
from tests.cli.helpers import one_error, run

REFERENCE = Path(__file__).parents[4] / "reference" / "projects"
PILED = """\
# two racks on one phase
schema_version: 1
site: {station: ashburn}   # near the river
it:
  halls:
    - name: One
      racks:
        - name: Nodes
          count: 4
          devices: [{model: DGX H100, count: 1}]
          circuits:
            - {feed: A, poles: 1, breaker: 60 A}
            - {feed: B, poles: 1, breaker: 60 A}
panels:
  boards:
    - tag: RPP-A01
      circuits:
        # as found on site
        - {rack: Nodes 01, position: 1, description: kept text}
        - {rack: Nodes 02, position: 2, fixed: yes}
        - {rack: Nodes 03, position: 7}
        - {rack: Nodes 04, position: 8}
# the rest
power: {redundancy: 2N}
cooling: {method: air}
"""


@pytest.fixture
def piled(tmp_path: Path) -> Path:
    path = tmp_path / "piled.yaml"
    path.write_text(PILED)
    return path


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    return Path(shutil.copy(REFERENCE / "mixed-hall.yaml", tmp_path))


def designed(path: Path) -> Design:
    return design(load_project(path))


def test_a_project_with_the_result_designs_to_exactly_its_panels(mixed: Path) -> None:
    given = designed(mixed)
    found = balance_hall(given.facility.it, given.panels, given.facility.criteria)
    assert found.moves
    assert found.after.current_a < 0.8 * found.before.current_a
    changed = design(with_panels(given.project, found.boards, found.cords))
    assert changed.panels.panels == found.found.panels
    ran = run("balance", mixed, "--all-halls", "--apply")
    assert ran.code == 0
    assert designed(mixed).panels.panels == found.found.panels
    again = run("balance", mixed, "--all-halls", "--apply")
    assert "nothing to apply" in again.err
    assert "No circuit moves." in again.out


def test_what_is_said_of_a_board_stays(piled: Path) -> None:
    assert run("balance", piled, "--hall", "One", "--apply").code == 0
    text = piled.read_text()
    assert "# near the river" in text
    assert "# the rest" in text
    board = designed(piled).panels.panels[0]
    stands = {c.rack: c for c in board.circuits}
    assert stands["Nodes 01"].description == "kept text"
    assert (stands["Nodes 02"].position, stands["Nodes 02"].fixed) == (2, True)
    assert sorted(board.phases(c) for c in board.circuits) in (
        ["A", "A", "B", "C"],
        ["A", "B", "B", "C"],
        ["A", "B", "C", "C"],
    )


def test_json_holds_results_and_lists(piled: Path) -> None:
    body = run("balance", piled, "--hall", "One", "--json").json
    results = body["results"]
    assert body["ok"]
    assert results["current.max"]["value"] < 0.6 * results["current.before"]["value"]
    assert results["bound"]["value"] <= results["current.max"]["value"]
    assert results["moves"] == len(body["moves"]) >= 1
    assert len(body["placement"]) == results["circuits"] == 8
    assert body["cords"] == []
    move = body["moves"][0]
    assert set(move) == {"id", "rack", "feed", "circuit", "from", "to"}
    assert move["from"]["phases"] != move["to"]["phases"]
    assert "Nodes 02" not in {m["rack"] for m in body["moves"] if m["feed"] == "A"}


def test_the_csv_has_a_row_for_every_circuit(mixed: Path, tmp_path: Path) -> None:
    out = tmp_path / "circuits.csv"
    assert run("balance", mixed, "--all-halls", "--apply", "--out", out).code == 0
    rows = list(csv.DictReader(io.StringIO(out.read_text())))
    panels = designed(mixed).panels.panels
    assert [
        (r["panel"], r["position"], r["rack"], r["feed"], r["circuit"], r["phases"], r["banks"])
        for r in rows
    ] == [
        (
            p.tag,
            str(c.position),
            c.rack,
            p.side,
            str(c.ordinal + 1),
            p.phases(c),
            " ".join(str(bank + 1) for bank in c.banks),
        )
        for p in panels
        for c in sorted(p.circuits, key=lambda c: c.position or 0)
    ]
    assert any(row["moved_from"] for row in rows)
    assert run("balance", mixed, "--all-halls", "--out", out).code == 6, "it is not overwritten"


def test_racks_and_cords_can_be_kept(mixed: Path) -> None:
    body = run("balance", mixed, "--all-halls", "--keep", "racks", "--keep", "cords", "--json").json
    assert body["results"]["moves.panel"] == 0
    assert body["results"]["cords.replugged"] == 0


@pytest.mark.parametrize(
    ("options", "code", "exit_code"),
    [
        (("--hall", "Two"), "UNKNOWN_HALL", 3),
        (("--hall", "One", "--all-halls"), "BALANCE_OPTION", 2),
        (("--keep", "racks"), "BALANCE_OPTION", 2),
        (("--hall", "One", "--exact"), "BALANCE_OPTION", 2),
        (("--hall", "One", "--gap", "0"), "BALANCE_OPTION", 2),
        (("--hall", "One", "--panel", "RPP-A01"), "BALANCE_OPTION", 2),
        (("--hall", "One", "--objective", "va"), "BALANCE_OPTION", 2),
        (("--hall", "One", "--keep", "racks", "--split-feeds"), "HALL_OPTIONS", 2),
    ],
)
def test_options_that_do_not_fit(
    options: tuple[str, ...], code: str, exit_code: int, piled: Path
) -> None:
    one_error(run("balance", piled, *options, "--json"), code, exit_code)
