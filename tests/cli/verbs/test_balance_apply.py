"""`facility balance` of a panel of a project, and `--apply`: positions into the project file."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from facility.files.io.zipped import zipped
from facility.files.panel_csv.document import read_panel_csv, write_panel_csv
from facility.files.project.file import load_project
from facility.study.design.design import Design, design
from tests.cli.helpers import one_error, run

UNEVEN = """\
# four racks on one phase
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
def file(tmp_path: Path) -> Path:
    path = tmp_path / "p.yaml"
    path.write_text(UNEVEN)
    return path


def designed(path: Path) -> Design:
    return design(load_project(path))


def positions(path: Path, index: int = 0) -> dict[str, int | None]:
    return {c.rack: c.position for c in designed(path).panels.panels[index].circuits}


def test_a_panel_of_a_project_is_balanced_in_all_its_states(file: Path) -> None:
    ran = run("balance", file, "--panel", "RPP-A01", "--json")
    body = ran.json
    assert ran.code == 0
    assert body["project"]["sha256"] == designed(file).sha256
    assert body["results"]["imbalance.before"]["value"] == pytest.approx(200.0)
    assert body["results"]["imbalance.after"]["value"] == pytest.approx(50.0)
    worst = designed(file).panels.line_a[0, 2].max() / 2.0
    assert body["results"]["current.max"]["value"] == pytest.approx(worst), "two of four, B lost"
    assert {move["id"] for move in body["moves"]} <= {"RPP-A01-1", "RPP-A01-7", "RPP-A01-8"}
    assert len(body["moves"]) == 2
    assert file.read_text() == UNEVEN, "nothing is written without --apply"
    assert "moves: " in run("balance", file, "--panel", "RPP-A01", "--moves").out.replace(
        "move:", "moves:"
    )
    exact = run("balance", file, "--panel", "RPP-A01", "--exact", "--json").json["results"]
    assert exact["current.max"]["value"] == pytest.approx(worst)


def test_apply_writes_the_positions_and_keeps_the_comments(file: Path) -> None:
    plain = run("balance", file, "--panel", "RPP-A01", "--json")
    ran = run("balance", file, "--panel", "RPP-A01", "--apply", "--json")
    assert ran.code == 0
    assert ran.out == plain.out, "the result is that of the balance"
    text = file.read_text()
    for comment in re.findall("#.*", UNEVEN):
        assert text.count(comment) == 1
    assert text.split("panels:")[0].startswith(UNEVEN.split("panels:")[0])
    assert text.endswith(UNEVEN[UNEVEN.index("# the rest") :])
    found = designed(file)
    moves = {m["id"]: m["position"] for m in ran.json["moves"]}
    for id, position in moves.items():
        rack = f"Nodes 0{ {1: 1, 2: 2, 7: 3, 8: 4}[int(id.removeprefix('RPP-A01-'))] }"
        assert positions(file)[rack] == position
        assert f"{id} ({rack}): moved from" in ran.err
    assert positions(file)["Nodes 02"] == 2
    assert found.panels.imbalance[0] == pytest.approx(0.5)
    described = next(c for c in found.panels.panels[0].circuits if c.rack == "Nodes 01")
    assert described.description == "kept text"
    assert ran.err.endswith(f"wrote {file}\n")


def test_apply_again_finds_nothing(file: Path) -> None:
    assert run("balance", file, "--panel", "RPP-A01", "--apply").code == 0
    text = file.read_text()
    again = run("balance", file, "--panel", "RPP-A01", "--apply")
    assert again.code == 3
    assert "NOTHING_TO_APPLY" in again.err
    assert file.read_text() == text
    assert run("balance", file, "--panel", "RPP-A01", "--json").json["moves"] == []


def test_a_panel_csv_is_applied_by_its_racks(file: Path, tmp_path: Path) -> None:
    csv = tmp_path / "a.csv"
    assert run("balance", file, "--panel", "RPP-A01", "--out", csv).code == 0
    ran = run("balance", csv, "--apply", "--project", file)
    assert ran.code == 0, ran.err
    assert positions(file) == {
        c.rack: c.position for c in read_panel_csv(csv.read_text(), "a").circuits
    }
    assert "RPP-A01: " in ran.err
    assert "wrote" in ran.err


def test_other_loads_in_the_csv_are_named(file: Path, tmp_path: Path) -> None:
    csv = tmp_path / "a.csv"
    run("balance", file, "--panel", "RPP-A01", "--out", csv)
    found = read_panel_csv(csv.read_text(), "a")
    head, *rows = csv.read_text().splitlines()
    csv.write_text("\n".join([head, *rows]).replace(rows[1].split(",")[3], "4000"))
    assert found.circuits
    ran = run("balance", csv, "--apply", "--project", file)
    assert ran.code == 0, ran.err
    assert "other VA in the file than in the project" in ran.err


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("panel: RPP-A01", "panel: RPP-A07", "RPP-A07"),
        ("poles: 42", "poles: 48", "48 poles"),
        (",Nodes 03,", ",Nodes 09,", "'Nodes 09'"),
        (",Nodes 03,", ",Nodes 04,", "twice"),
        ("Nodes 03,A", "Nodes 03,B", "side B"),
    ],
)
def test_a_csv_of_another_panel_is_refused(
    old: str, new: str, words: str, file: Path, tmp_path: Path
) -> None:
    csv = tmp_path / "a.csv"
    run("balance", file, "--panel", "RPP-A01", "--out", csv)
    assert old in csv.read_text()
    csv.write_text(csv.read_text().replace(old, new))
    ran = run("balance", csv, "--apply", "--project", file)
    one_error(ran, "UNKNOWN_PANEL" if "A07" in new else "PANEL_MISMATCH", 3)
    assert words in ran.err
    assert file.read_text() == UNEVEN


def test_a_csv_that_lacks_circuits_is_refused(file: Path, tmp_path: Path) -> None:
    csv = tmp_path / "a.csv"
    run("balance", file, "--panel", "RPP-A01", "--out", csv)
    csv.write_text("".join(csv.read_text().splitlines(keepends=True)[:-1]))
    ran = run("balance", csv, "--apply", "--project", file)
    one_error(ran, "PANEL_MISMATCH", 3)
    assert "is missing 1 of its circuits" in ran.err


@pytest.mark.parametrize(
    "options",
    [
        ("p.yaml",),
        ("p.yaml", "--panel", "RPP-A01", "--apply", "--moves"),
        ("p.yaml", "--panel", "RPP-A01", "--project", "p.yaml"),
        ("a.csv", "--apply"),
        ("a.csv", "--project", "p.yaml"),
    ],
)
def test_options_that_do_not_go_together(options: tuple[str, ...], file: Path) -> None:
    csv = file.with_name("a.csv")
    csv.write_text(write_panel_csv(designed(file).panels.panels[0]))
    given = [file.with_name(o) if o.endswith((".yaml", ".csv")) else o for o in options]
    one_error(run("balance", *given), "BALANCE_OPTION", 2)


def test_a_panel_that_the_design_does_not_have(file: Path) -> None:
    ran = run("balance", file, "--panel", "RPP-A11", "--json")
    assert (ran.code, ran.json["errors"][0]["code"]) == (3, "UNKNOWN_PANEL")
    assert "RPP-A01" in ran.json["errors"][0]["hint"]


OWN = """\
# panel: EXAMPLE-1; system: 208Y/120; poles: 42; bus: 225 A
description,poles,va,pf,breaker_a,position,fixed
Cooling unit 1,3,9200,0.88,40,1,yes
Network rack 1,2,4800,0.97,30,2,no
Console,1,620,0.92,20,14,no
Lighting,1,1300,0.98,20,25,no
"""


def test_a_panel_beside_the_project_is_balanced_by_itself_alone(file: Path, tmp_path: Path) -> None:
    beside = file.with_name("own.csv")
    beside.write_text(OWN)
    assert run("balance", beside, "--json").code == 0
    one_error(run("balance", file, "--panel", "EXAMPLE-1"), "UNKNOWN_PANEL", 3)
    out = tmp_path / "own.xlsx"
    one_error(run("export", "xlsx", file, "--panels", "EXAMPLE-1", "-o", out), "UNKNOWN_PANEL", 3)


def test_a_project_comes_as_one_archive(file: Path, tmp_path: Path) -> None:
    archive = tmp_path / "taken.zip"
    archive.write_bytes(zipped({"p.yaml": UNEVEN.encode(), "EXAMPLE-1.csv": OWN.encode()}))
    found = run("design", archive, "--json").json
    assert found["project"]["sha256"] == designed(file).sha256
    assert run("balance", archive, "--panel", "RPP-A01", "--json").code == 0
    one_error(run("balance", archive, "--panel", "RPP-A01", "--apply"), "BALANCE_OPTION", 2)
    archive.write_bytes(zipped({"EXAMPLE-1.csv": OWN.encode()}))
    one_error(run("design", archive.rename(tmp_path / "none.zip")), "FILE_NOT_GIVEN", 3)


def test_options_of_import_that_do_not_go_together(file: Path) -> None:
    one_error(run("import", "panel", "x.csv", "--apply"), "IMPORT_OPTION", 2)
    one_error(run("import", "panel", "x.csv", "--accept", "--apply"), "IMPORT_OPTION", 2)


def test_an_imported_csv_is_applied(file: Path, tmp_path: Path) -> None:
    csv = tmp_path / "b.csv"
    panel = designed(file).panels.panels[1]
    assert panel.tag == "RPP-B01"
    csv.write_text(write_panel_csv(panel))
    rows = csv.read_text().splitlines()
    names = rows[1].split(",")
    cells = rows[2].split(",")
    cells[names.index("position")], cells[names.index("fixed")] = "41", "yes"
    cells[names.index("breaker_a")] = "80"
    csv.write_text("\n".join([*rows[:2], ",".join(cells), *rows[3:]]) + "\n")
    shown = run("import", "panel", csv, "--project", file)
    assert shown.code == 0
    assert file.read_text() == UNEVEN
    ran = run("import", "panel", csv, "--project", file, "--accept", "--apply")
    assert ran.code == 0, ran.err
    assert ran.out == shown.out, "the preview is the same"
    assert "not stored: RPP-B01" in ran.err
    assert "breaker_a: 60 -> 80" in ran.err
    moved = next(c for c in designed(file).panels.panels[1].circuits if c.position == 41)
    assert moved.fixed
    assert moved.breaker_a == 60.0
    assert "# near the river" in file.read_text()


def test_an_edit_made_while_it_was_designed_is_kept(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file changes after it was read and before it is written: nothing of the edit is lost."""
    edit = UNEVEN.replace("count: 4", "count: 5")

    def edited_meanwhile(*given: object) -> Design:
        file.write_text(edit)
        return design(*given)

    monkeypatch.setattr("facility.files.panel_apply.design", edited_meanwhile)
    ran = run("balance", file, "--panel", "RPP-A01", "--apply")
    one_error(ran, "FILE_CHANGED", 6)
    assert file.read_text() == edit
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_an_edit_of_another_process_is_kept(file: Path) -> None:
    """A real editor process saves while the panel is balanced and applied."""
    saved = UNEVEN.replace("near the river", "edited").replace("count: 4", "count: 6")
    code = (
        "import sys\nfrom pathlib import Path\nimport facility.files.panel_apply as a\n"
        "first = a.design\n"
        "def slow(p):\n    print('designing', flush=True)\n    sys.stdin.readline()\n"
        "    return first(p)\n"
        "a.design = slow\nfrom facility.cli.main import main\nmain()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, "balance", file, "--panel", "RPP-A01", "--apply"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "designing\n"
        editor = f"from pathlib import Path; Path({str(file)!r}).write_text({saved!r})"
        subprocess.run([sys.executable, "-c", editor], check=True)
        _, err = process.communicate("\n", timeout=120)
    assert process.returncode == 6
    assert "FILE_CHANGED" in err
    assert file.read_text() == saved


def test_a_comment_made_meanwhile_is_kept_with_the_positions(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def commented_meanwhile(*given: object) -> Design:
        file.write_text(UNEVEN + "# a note\n")
        return design(*given)

    monkeypatch.setattr("facility.files.panel_apply.design", commented_meanwhile)
    assert run("balance", file, "--panel", "RPP-A01", "--apply").code == 0
    assert file.read_text().endswith("# a note\n")
    assert "position" in file.read_text()


def test_the_output_is_never_the_input(file: Path, tmp_path: Path) -> None:
    csv = tmp_path / "RPP-A01.csv"
    assert run("balance", file, "--panel", "RPP-A01", "--out", csv).code == 0
    before = csv.read_text()
    one_error(run("balance", csv, "--out", csv, "--force"), "OUTPUT_IS_INPUT", 6)
    one_error(
        run("balance", file, "--panel", "RPP-A01", "--out", file, "--force"), "OUTPUT_IS_INPUT", 6
    )
    one_error(run("export", "xlsx", file, "--out", file, "--force"), "OUTPUT_IS_INPUT", 6)
    one_error(
        run("import", "panel", csv, "--project", file, "--accept", "--out", file, "--force"),
        "OUTPUT_IS_INPUT",
        6,
    )
    assert (csv.read_text(), file.read_text()) == (before, UNEVEN)


THREE_POLES = """\
schema_version: 1
site: {station: ashburn}
it:
  cords: {breaker: 60 A}
  halls:
    - name: One
      racks: [{name: Nodes, count: 3, devices: [{model: DGX H100, count: 4}], feeds: [A, B]}]
power: {redundancy: 2N}   # two sides
cooling: {method: air}
"""


def test_a_panel_of_its_own_is_held_against_its_bus_and_breakers(tmp_path: Path) -> None:
    """40 kVA on three poles and 9 kVA on each: 111.0 and 75.0 A a line, 186.0 in all."""
    file = tmp_path / "p.csv"
    rows = [
        "# panel: RPP-X; system: 208Y/120; poles: 12; bus: 100 A",
        "description,poles,va,pf,breaker_a,position,fixed",
        *(f"big {n},1,9000,0.95,20,,no" for n in (1, 2, 3)),
        "three,3,40000,0.95,60,,no",
    ]
    file.write_text("\n".join(rows))
    body = run("balance", file, "--json").json
    found = {check["rule"]: check for check in body["checks"]}
    assert (found["PANEL-LOAD"]["outcome"], found["BRANCH-LOAD"]["outcome"]) == ("FAIL", "FAIL")
    assert found["PANEL-LOAD"]["value"]["value"] == pytest.approx(
        40e3 / (3**0.5 * 208.0) + 9e3 / (208.0 / 3**0.5), rel=1e-3
    )
    assert found["PANEL-LOAD"]["limit"]["value"] == pytest.approx(80.0)
    assert "PANEL-LOAD" in run("balance", file).out
    file.write_text("\n".join(rows).replace("bus: 100 A", "bus: 400 A").replace(",20,", ",150,"))
    body = run("balance", file, "--json").json
    assert [c["outcome"] for c in body["checks"] if c["rule"] == "PANEL-LOAD"] == ["PASS"]


def test_panels_of_iec_voltages_are_judged_by_the_iec(tmp_path: Path) -> None:
    """3,600 VA at 230.9 V are 15.6 A: within 16 A by Ib <= In, above 80 % of it by the NEC."""
    file = tmp_path / "p.csv"
    for system, outcome, source in (("400Y/230", "PASS", "iec"), ("415Y/240", "FAIL", "nec")):
        file.write_text(
            f"# panel: DB; system: {system}; poles: 12; bus: 63 A\n"
            "description,poles,va,pf,breaker_a,position,fixed\nrack,1,3600,0.98,16,,no\n"
        )
        found = run("balance", file, "--json").json["checks"]
        branch = next(check for check in found if check["rule"] == "BRANCH-LOAD")
        assert branch["outcome"] == outcome
        assert branch["source"].startswith(source)


def test_panelboards_of_a_cabinet_are_held_against_their_breakers(tmp_path: Path) -> None:
    """12 kVA on three poles at 208 V are 33.3 A, above 80 % of 40 A and within that of 50 A."""
    file = tmp_path / "c.csv"
    heading = "id,description,poles,va,pf,breaker_a,position,fixed"
    boards = [
        f"# panel: P{n}; system: 208Y/120; poles: 12; bus: 100 A\n{heading}\n"
        f"r{n},rack,3,12000,0.98,{breaker},,no\n"
        for n, breaker in ((1, 40), (2, 50))
    ]
    file.write_text("# cabinet: PDU-9; rating: 150 kVA\n" + "".join(boards))
    found = run("balance", file, "--json").json["checks"]
    branch = {c["subject"]: c["outcome"] for c in found if c["rule"] == "BRANCH-LOAD"}
    assert branch == {"P1, normal": "FAIL", "P2, normal": "PASS"}
    assert "BRANCH-LOAD" in run("balance", file).out
