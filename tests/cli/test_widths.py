"""Every verb at several widths, and without a terminal: no number cut, no word broken."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

import pytest

from facility.cli.layout import table_lines, wrapped
from facility.study import verification
from facility.study.verification.manual import read_cases, run_case
from tests.cli.helpers import SHORT, SMALL, Ran, program, run
from tests.cli.test_json_contract import PANEL

WIDTHS = (60, 80, 100, 140)
UNLIMITED = 1_000_000
VERBS: dict[str, tuple[str, ...]] = {
    "design": ("design", *SMALL),
    "design --full": ("design", *SMALL, "--full", "--assumptions"),
    "check": ("check", *SMALL),
    "check --full": ("check", *SMALL, "--full"),
    "explain": ("explain", "ups.loading_normal", *SMALL),
    "failures": ("failures", *SMALL),
    "failures --full": ("failures", *SMALL, "--full"),
    "export isolation": ("export", "isolation", *SMALL),
    "export isolation --tag": ("export", "isolation", *SMALL, "--tag", "LVB-A1", "--full"),
    "transient": ("transient", *SMALL),
    "transient --full": ("transient", *SMALL, "--full"),
    "annual": ("annual", *SMALL),
    "annual --full": ("annual", *SMALL, "--full"),
    "catalogue": ("catalogue",),
    "catalogue --full": ("catalogue", "--full"),
    "catalogue TABLE": ("catalogue", "equipment/servers"),
    "catalogue TABLE --full": ("catalogue", "equipment/servers", "--full"),
    "catalogue TABLE KEY": ("catalogue", "equipment/servers", "DGX H100", "--full"),
    "verify": ("verify",),
    "verify --full": ("verify", "--full"),
    "balance": ("balance", "panel.csv"),
    "balance --moves": ("balance", "panel.csv", "--moves"),
    "diff": ("diff", "a.yaml", "b.yaml"),
    "diff --full": ("diff", "a.yaml", "b.yaml", "--full"),
    "sweep": ("sweep", "a.yaml", "--vary", "it.gpus=64,128", "--studies", "sizing"),
    "ranges": ("ranges", "a.yaml", "--range", "it.load_factor=70 .. 90 %", "--samples", "3"),
    "explain cost": ("explain", "cost.annual", *SMALL),
    "explain --full": ("explain", "load.it", *SMALL, "--full"),
    "catalogue NAME": ("catalogue", "H100"),
    "compare --cooling": ("compare", *SMALL, "--cooling"),
    "compare --scenario": ("compare", "a.yaml", "--scenario", "Twice: it.gpus=128"),
    "optimise": ("optimise", "a.yaml", "--free", "power.redundancy=N+1,2N", "--minimise", "pue"),
    "transient --load": ("transient", "--load", "a.yaml"),
    "import panel": ("import", "panel", "panel.csv"),
    "export points": ("export", "points", *SMALL, "--force"),
    "export points --full": ("export", "points", *SMALL, "--force", "--full"),
    "library list": ("library", "list", "--store", "store.db"),
    "library show": ("library", "show", "ID", "--store", "store.db"),
}
ONE_SCREEN = (
    "export points",
    "failures",
    "annual",
    "transient",
    "explain cost",
    "catalogue",
    "catalogue TABLE",
    "catalogue NAME",
    "verify",
    "diff",
)
SHORTER_WHERE_NARROW = ("design", "check", "catalogue TABLE", "transient")
"""Verbs that list fewer rules or columns in a narrow terminal."""


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, int], str]:
    """Return the text of a verb at a width; each is run once."""
    folder = tmp_path_factory.mktemp("widths")
    (folder / "panel.csv").write_text(PANEL)
    (folder / "a.yaml").write_text(SHORT)
    (folder / "b.yaml").write_text(SHORT.replace("gpus: 64", "gpus: 128"))
    stored = run("library", "import", folder / "a.yaml", "--store", folder / "store.db").out.strip()
    cases = [run_case(case) for case in read_cases()[:30]]

    @cache
    def text(verb: str, width: int) -> str:
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            patch.setattr(verification, "run_cases", lambda: cases)
            typed = (stored if word == "ID" else word for word in VERBS[verb])
            ran: Ran = run(*typed, COLUMNS=str(width))
        assert ran.code == 0, ran.err
        return ran.out

    return text


def tokens(text: str) -> set[str]:
    """Return the words and numbers of a text, without the colon that a list adds to a heading."""
    plain = re.sub(r"and\s+\d+\s+more( rules)?", "", text.replace("─", "")).partition(
        "--full adds: "
    )[0]
    return {word.strip(":,.;()") for word in plain.split()}


def numbers(words: set[str]) -> set[str]:
    return {word for word in words if re.search(r"\d", word)}


@pytest.mark.parametrize("verb", VERBS)
def test_nothing_is_cut_or_broken(verb: str, printed: Callable[[str, int], str]) -> None:
    whole = printed(verb, UNLIMITED)
    for width in WIDTHS:
        text = printed(verb, width)
        lines = text.splitlines()
        assert max(map(len, lines)) <= width, width
        assert "…" not in text
        assert not [line for line in lines if line.rstrip().endswith("...")]
        assert not [line for line in lines if line != line.rstrip()]
        assert tokens(text) <= tokens(whole), (width, tokens(text) - tokens(whole))
        if verb not in SHORTER_WHERE_NARROW:
            assert numbers(tokens(whole)) <= tokens(text), width


@pytest.mark.parametrize("verb", ONE_SCREEN)
def test_a_summary_is_one_screen(verb: str, printed: Callable[[str, int], str]) -> None:
    for width in (80, 140):
        lines = printed(verb, width).splitlines()
        assert len(lines) <= 42, width
        assert any(line.startswith("--full adds: ") for line in lines[-4:])


def test_without_a_terminal_lines_have_80_columns() -> None:
    piped = program("export", "isolation", *SMALL, "--tag", "LVB-A1")
    assert piped.code == 0
    assert max(map(len, piped.out.splitlines())) in range(70, 81)


def test_a_verb_without_a_file_names_the_example(printed: Callable[[str, int], str]) -> None:
    first = "Embedded example h100-10k: no project file was entered."
    for verb in ("design", "check", "explain", "failures", "transient", "annual"):
        assert printed(verb, 80).splitlines()[0] == first
    assert first not in printed("diff", 80)
    quiet = run("annual", *SMALL, "--quiet")
    assert (first in quiet.out, quiet.err) == (False, "")


def test_a_pipe_has_no_width() -> None:
    ran = program("catalogue", "equipment/servers", "--full", COLUMNS="0")
    row = next(line for line in ran.out.splitlines() if "Supermicro  SYS-821GE H100" in line)
    assert "memory" in row


@pytest.mark.parametrize("columns", ["60", "80"])
def test_the_help_is_wrapped_and_not_cut(columns: str) -> None:
    for arguments in (("-h",), ("library", "-h"), ("failures", "-h")):
        lines = program(*arguments, COLUMNS=columns).out.splitlines()
        assert max(map(len, lines)) <= int(columns)
        assert not [line for line in lines if line.endswith("...") and "ARGS" not in line]


def test_a_number_stays_with_its_unit() -> None:
    for width in range(24, 60):
        for line in wrapped("The UPS are 18 x 1,875 kW and lose 2.6 % at 0.05 USD/kWh.", width):
            assert not re.search(r"\d$|^(kW|%|USD/kWh|x)\b", line), (width, line)


def test_units_of_a_column_are_in_its_heading() -> None:
    rows = [("a", "1.0 kW", "5 %"), ("b", "10.0 kW", "none")]
    *heads, _, first, last = table_lines("T", ("", "Load", "Share"), rows, 80)[1:]
    assert " ".join(heads).split() == ["Load", "Share", "(kW)", "(%)"]
    assert (first.split(), last.split()) == (["a", "1.0", "5"], ["b", "10.0", "none"])
    mixed = table_lines(
        "T", ("", "Load", "Both"), [("a", "1.0 kW", "5 %"), ("b", "2 kW", "3 A")], 80
    )
    assert "1.0 kW" in mixed[3]


def test_a_wide_table_has_its_texts_below_its_rows_or_is_a_list() -> None:
    text = "a text that is much too long for a column beside numbers " * 2
    below = table_lines("T", ("Name", "Load", "What happens"), [("a" * 20, "1", text)], 40)
    assert below[3].split() == ["a" * 20, "1"]
    assert below[4].startswith("    What happens: a text")
    numbers = [[f"{n},000.0 kW" if n % 2 else f"{n},000.0 A" for n in range(9)]] * 2
    listed = table_lines("T", [f"Head {n}" for n in range(9)], numbers, 40)
    assert listed[1:3] == ["0,000.0 A", "    Head 1  1,000.0 kW"]
