"""The panels block of a project file: written in place, comments and all other lines kept."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from facility.core.errors import FacilityError
from facility.core.reference import reference_path
from facility.files.project.file import dump_project, load_project, parse_project
from facility.files.project.text import with_panels_text
from facility.model.inputs.document import Project, as_typed
from facility.model.power.hall_distribution import (
    AsBuiltCircuit,
    AsBuiltCords,
    AsBuiltPanel,
    AsBuiltSpare,
)
from facility.study.as_built_panels import with_panels

HEAD = """\
# the hall of Århus
schema_version: 1
it: {gpu_model: H100 SXM5, gpus: 64}   # to be confirmed
"""
BLOCK = """\
panels:   # as built
  boards:
    # left of the door
    - tag: RPP-A01
      circuits:
        - {rack: "Nodes # 01", position: 3}   # checked
  # end of panels
"""
TAIL = """\

# power
power: {redundancy: N+1}
cooling: {method: air}
"""
STATED = AsBuiltPanel(
    "RPP-A01",
    (
        AsBuiltCircuit(
            "Nodes: 01",
            1,
            7,
            fixed=True,
            banks=(2, 0, 1),
            description="yes, 'é' # 1",
            together="t",
            apart="a",
        ),
        AsBuiltCircuit("010"),
    ),
    (AsBuiltSpare(1, 20.0, 40),),
)
CORDS = AsBuiltCords("Nodes", "A", 0, (0, 1, -1))


def changed(text: str) -> tuple[str, Project]:
    project = with_panels(parse_project(text), [STATED], [CORDS])
    return with_panels_text(text, project), project


def test_the_block_is_replaced_and_all_else_kept() -> None:
    text, project = changed(HEAD + BLOCK + TAIL)
    assert as_typed(parse_project(text)) == as_typed(project)
    assert text.startswith(HEAD)
    assert text.endswith("  # end of panels\n" + TAIL)
    for comment in ("# as built", "# left of the door", "# checked"):
        assert text.count(comment) == 1
    line = (
        "        - {rack: 'Nodes: 01', circuit: 2, position: 7, fixed: yes, banks: [3, 1, 2],"
        " description: 'yes, ''é'' # 1', together: t, apart: a}\n"
    )
    assert line in text
    assert "        - {rack: '010'}\n" in text
    assert "    - {rack: Nodes, feed: A, circuit: 1, banks: [1, 2, 0]}\n" in text
    assert "        - {poles: 1, breaker: 20 A, position: 40}\n" in text
    assert with_panels_text(text, project) == text


def test_a_missing_block_comes_last() -> None:
    text, project = changed(HEAD + TAIL)
    assert text.startswith(HEAD + TAIL + "panels:\n  cords:\n")
    assert as_typed(parse_project(text)) == as_typed(project)


@pytest.mark.parametrize("text", [HEAD + TAIL.rstrip("\n"), (HEAD + TAIL).replace("\n", "\r\n")])
def test_line_ends_are_kept(text: str) -> None:
    found, project = changed(text)
    assert found.startswith(text)
    assert as_typed(parse_project(found)) == as_typed(project)
    assert found.count("\r\n") in (0, found.count("\n"))


def test_an_empty_section_takes_the_block_away() -> None:
    text = HEAD + BLOCK + TAIL
    plain = parse_project(HEAD + TAIL)
    found = with_panels_text(text, plain)
    assert "boards" not in found
    assert as_typed(parse_project(found)) == as_typed(plain)
    assert found.startswith(HEAD)


def test_json_and_flow_style_are_written_anew() -> None:
    as_json = json.dumps(as_typed(parse_project(HEAD + TAIL)))
    text, project = changed(as_json)
    assert as_typed(parse_project(text, "p.json")) == as_typed(project)
    assert json.loads(text)["panels"]["boards"][0]["tag"] == "RPP-A01"
    flow, project = changed("{schema_version: 1, it: {gpus: 64}}")
    assert flow == dump_project(project)


def test_a_project_that_differs_elsewhere_is_written_whole() -> None:
    other = parse_project(HEAD + TAIL.replace("N+1", "2N"))
    found = with_panels_text(HEAD + BLOCK + TAIL, with_panels(other, [STATED]))
    assert found == dump_project(with_panels(other, [STATED]))


def test_a_weather_file_beside_the_project_is_found(tmp_path: Path) -> None:
    """The text is checked in the folder of the project, or it would be dumped whole."""
    shutil.copy(reference_path("weather", "phoenix.epw.gz"), tmp_path / "site.epw.gz")
    file = tmp_path / "p.yaml"
    file.write_text(HEAD + "site: {weather_file: site.epw.gz}\n" + TAIL)
    project = with_panels(load_project(file), [STATED])
    assert with_panels_text(file.read_text(), project).startswith(file.read_text())


def test_more_boards_than_the_section_takes_are_refused() -> None:
    boards = [AsBuiltPanel(f"RPP-A{n}", ()) for n in range(2001)]
    with pytest.raises(FacilityError) as caught:
        with_panels(parse_project(HEAD + TAIL), boards)
    assert (caught.value.code, caught.value.where) == ("LIMIT", "panels.boards")
    full = AsBuiltPanel("RPP-A01", tuple(AsBuiltCircuit(f"R{n}") for n in range(85)))
    with pytest.raises(FacilityError) as caught:
        with_panels(parse_project(HEAD + TAIL), [full])
    assert caught.value.where == "panels.boards[0].circuits"


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize(("boards", "words"), [(260, ""), (130, "x" * 190)])
def test_boards_too_many_to_be_read_again_are_refused(
    as_json: bool, boards: int, words: str
) -> None:
    """A project file holds at most 100,000 values and 1 MB."""
    banks = None if words else (0, 1, 2)
    stated = [
        AsBuiltPanel(
            f"RPP-A{number:03d}",
            tuple(
                AsBuiltCircuit("Nodes", 0, n, banks=banks, description=words) for n in range(1, 41)
            ),
        )
        for number in range(boards)
    ]
    given = parse_project(HEAD + TAIL)
    text = json.dumps(as_typed(given)) if as_json else HEAD + TAIL
    with pytest.raises(FacilityError, match="PROJECT_TOO_LARGE") as caught:
        with_panels_text(text, with_panels(given, stated))
    assert ("1,048,576 bytes" in caught.value.message) == (bool(words) or as_json)
