"""Help: every verb it lists works, and it costs nothing."""

from __future__ import annotations

import re

import pytest

from facility import __version__
from tests.cli.helpers import program, run

VERBS = {
    "diff",
    "design",
    "check",
    "compare",
    "explain",
    "failures",
    "new",
    "balance",
    "export",
    "import",
    "issue",
    "catalogue",
    "verify",
    "annual",
    "sweep",
    "optimise",
    "library",
    "ranges",
    "transient",
    "app",
}
EXPORTS = {"commissioning", "csv", "isolation", "limits", "points", "svg", "xlsx"}
IMPORTS = {"inventory", "measured", "panel", "racks", "tariff", "template", "workbook"}
LIBRARY = {
    "list",
    "record",
    "show",
    "import",
    "export",
    "save",
    "changes",
    "check",
    "backup",
    "restore-backup",
    "share",
    "link",
}
HEAVY = (
    "pandas",
    "streamlit",
    "pint",
    "numpy",
    "scipy",
    "pydantic",
    "yaml",
    "openpyxl",
    "xlsxwriter",
    "facility.core.units",
    "facility.study.design.design",
)
LEFT_OUT = ("pandas", "streamlit", "pint", "scipy", "openpyxl", "xlsxwriter", "unittest")
"""Libraries that a design and its screen do without."""


def listed(text: str) -> set[str]:
    """Return the commands that a help text lists, below the headings of their sections."""
    part = text.partition("--help")[2]
    return set(re.findall(r"^  ([a-z-]+)  ", part, re.MULTILINE))


def test_the_verbs_listed_are_those_that_are_tested() -> None:
    ran = run("--help")
    assert ran.code == 0
    assert listed(ran.out) == VERBS
    assert listed(run("import", "--help").out) == IMPORTS
    assert listed(run("library", "--help").out) == LIBRARY
    assert listed(run("export", "--help").out) == EXPORTS


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_every_verb_explains_itself(verb: str) -> None:
    ran = run(verb, "--help")
    assert ran.code == 0
    assert ran.out.startswith(f"Usage: facility {verb}") or f"{verb} [OPTIONS]" in ran.out
    assert ran.err == ""


def test_exit_codes_are_in_the_help() -> None:
    text = " ".join(run("--help").out.split())
    for words in (
        "0 ok",
        "1 internal error",
        "2 usage",
        "3 invalid input",
        "4 no feasible solution",
        "5 a check failed",
        "6 file refused or I/O",
        "130 interrupted",
    ):
        assert words in text


def test_version() -> None:
    assert run("--version").out == f"facility {__version__}\n"


def test_python_m_facility_is_the_command() -> None:
    code = "import runpy\nrunpy.run_module('facility', run_name='__main__')"
    assert program("--version", code=code).out == f"facility {__version__}\n"


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_help_and_version_import_nothing_heavy(argument: str) -> None:
    code = (
        "import sys\nfrom facility.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code\n"
        f"print([m for m in {HEAVY!r} if m in sys.modules], file=sys.stderr)"
    )
    ran = program(argument, code=code)
    assert ran.code == 0
    assert ran.err.strip() == "[]"


@pytest.mark.parametrize("verb", ["design", "check"])
def test_a_design_imports_no_library_that_it_does_not_use(verb: str) -> None:
    code = (
        "import sys\nfrom facility.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code\n"
        f"print([m for m in {LEFT_OUT!r} if m in sys.modules], file=sys.stderr)"
    )
    ran = program(verb, "--set", "it.gpus=256", code=code)
    assert ran.code == 0
    assert ran.err.strip() == "[]"


def test_without_arguments_the_help_is_shown() -> None:
    ran = run()
    assert ran.code == 2
    assert "Many designs:" in ran.out + ran.err


def test_the_verbs_are_in_groups() -> None:
    sections = re.findall(r"^([A-Z][a-z ]+):$", run("--help").out, re.MULTILINE)
    assert sections == ["Options", "Start", "Design", "Studies", "Many designs", "Files"]


def test_a_help_line_is_a_verb_and_at_most_60_characters() -> None:
    texts = [run(*group, "-h").out for group in ((), ("export",), ("import",), ("library",))]
    lists = [text.partition("--help")[2] for text in texts]
    lines = [line for text in lists for line in re.findall(r"^  [a-z-]+  +([A-Z].*)", text, re.M)]
    assert len(lines) == len(VERBS) + len(LIBRARY) + len(IMPORTS) + len(EXPORTS)
    for line in lines:
        assert len(line) <= 60, line
        assert not line.endswith(("...", ".")), line
        assert not line.split()[0].endswith("s"), line


@pytest.mark.parametrize("verb", [("annual",), ("export", "xlsx"), ("library", "link")])
def test_the_short_options_are_those_of_every_verb(verb: tuple[str, ...]) -> None:
    text = run(*verb, "-h").out
    assert "-h, --help" in text
    assert "-q, --quiet" in text
    assert re.search(r"-o, --out", text) or verb[0] == "library"
    assert not re.search(r"--\S+ <(path|str|int|float)>", text)


def test_completion_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("typer.completion._get_shell_name", lambda: "bash")
    assert "--install-completion" in run("--help").out
    assert "COMP_WORDS" in run("--show-completion").out
