"""Examples, commands, links and figures of the README and the guides are valid."""

import re
import shlex
from pathlib import Path
from typing import Any

from typer.main import get_command

from facility.cli.main import cli
from facility.files.project.file import default_project, parse_project, template_text
from facility.study.design.design import design

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")


def blocks(language: str, text: str = README) -> list[str]:
    return re.findall(rf"```{language}(?: \d+)?\n(.*?)```", text, re.DOTALL)


def test_the_shortest_project_is_a_complete_design_without_violation() -> None:
    (text,) = blocks("yaml")
    assert text == template_text("short")
    found = design(parse_project(text))
    assert found.results["load.gpus"].si == 256
    assert float(found.results["pue.design"].si) > 1.0
    failed = {c.rule for c in found.checks if c.failed and c.severity.value == "VIOLATION"}
    assert not failed


def test_the_commands_of_the_pages_exist_with_their_options() -> None:
    pages = [README, *(path.read_text("utf-8") for path in (ROOT / "docs").rglob("*.md"))]
    code = "\n".join(block for page in pages for block in blocks("sh", page))
    lines = [x for x in code.replace("\\\n", " ").split("\n") if x.startswith("facility ")]
    assert lines
    program = get_command(cli)
    for line in lines:
        words = shlex.split(line.partition(" | ")[0], comments=True)[1:]
        command: Any = program
        while words and words[0] in getattr(command, "commands", {}):
            command = command.commands[words.pop(0)]
        assert not hasattr(command, "commands"), line
        options = {"--help", *(name for one in command.params for name in one.opts)}
        assert {word for word in words if re.match("--?[a-z]", word)} <= options, line


def test_the_pictures_and_pages_exist() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert links
    missing = [link for link in links if "://" not in link and not (ROOT / link).exists()]
    assert not missing


def test_the_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in re.findall(r"^make (\w+)", "\n".join(blocks("sh")), re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_answers_beside_the_guide_are_the_programs_own() -> None:
    found = design(default_project())
    assert found.year is not None
    results = {**found.results.values_by_key, **found.year.results}
    value = {key: float(results[key].si) for key in results if results[key].kind}
    mean_mw = value["energy.annual"] / (8760 * 3600) / 1e6
    for shown in (
        f"{value['load.gpu'] / 1e6:.2f} MW",
        f"{value['load.servers']:,.0f} DGX H100, {value['load.server'] / 1e6:.2f} MW",
        f"{value['load.racks.compute']:.0f} of four servers",
        f"{value['load.racks']:.0f} in all",
        f"{value['load.facility'] / 1e6:.2f} MW in the design hour",
        f"{mean_mw:.2f} MW mean of the year",
        f"{value['pue.design']:.3f} in the design hour; {value['pue.annual']:.3f} in the year",
        f"USD {value['cost.annual'] / 12e3:.0f} k at load factor",
    ):
        assert shown in README, shown
