"""The documentation site: equations, rules, errors, names and commands; code and links work."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import facility
from facility.core.errors import error_codes
from tests.tools.source_tree import PACKAGE, ROOT, report
from tools.docs import equations, errors_page, rules, rules_page
from tools.executed import Cell, executed, ipynb, markdown, notebook_cells, page_cells
from tools.interface_pages import command_page, library_pages


def test_the_pages_hold_every_rule_and_code() -> None:
    page = rules_page()
    missing = [id for id in rules() if f"| `{id}` |" not in page]
    assert not missing, report("rules without a row", missing)
    page = errors_page()
    assert not [code for code in error_codes() if f"| `{code}` |" not in page]


def test_the_pages_hold_every_public_name_and_command() -> None:
    pages = library_pages()
    missing = [name for name in facility.__all__ if f"[`facility.{name}`]" not in pages["api.md"]]
    assert missing == ["__version__"]
    assert "facility.design(project: Project) -> Design" in pages["api/design.md"]
    page = command_page()
    for words in ("design", "export xlsx", "library record"):
        assert f"## facility {words}\n" in page
    assert "| `--as-built` |" in page


def test_the_code_of_tutorials_and_notebooks_compiles() -> None:
    tutorials = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
    notebooks = sorted((ROOT / "docs" / "notebooks").glob("*.py"))
    assert len(tutorials) == 4
    assert len(notebooks) == 6
    for path in (*tutorials, *notebooks):
        text = path.read_text("utf-8")
        cells = notebook_cells(text) if path.suffix == ".py" else page_cells(text)
        assert cells[0].text.lstrip().startswith("# "), path
        assert [cell for cell in cells if cell.kind != "markdown"], path
        for cell in cells:
            if cell.kind == "python":
                compile(cell.text, path.name, "exec")


def test_a_page_is_executed_with_its_outputs(tmp_path: Path) -> None:
    cells = page_cells(
        "# Title\n\n```python\nx = 6\nprint(x)\nx * 7\n```\n\n```sh\necho done\n```\n"
    )
    done = executed(cells, "page.md")
    assert [[o.text for o in cell.outputs] for cell in done] == [[], ["6\n", "42\n"], ["done\n"]]
    assert markdown(done, "page", tmp_path).count("```text\n") == 3
    assert len(json.loads(ipynb(done))["cells"]) == 3
    with pytest.raises(SystemExit, match="this cell failed"):
        executed(page_cells("# Title\n\n```sh\nexit 3\n```\n"), "page.md")
    drawing = "class D:\n    def _repr_html_(self):\n        return '<svg/>'\n\nD()\n"
    page = markdown(executed([Cell("python", drawing)], "page"), "page", tmp_path)
    assert "![Output of the cell above](page-1.svg)" in page
    assert (tmp_path / "page-1.svg").read_text("utf-8") == "<svg/>"
    cut = executed(page_cells("```sh 1\necho one; echo two\n```\n"), "page")
    assert cut[0].outputs[0].text == "one\n... 1 more lines\n"
    (text, code) = notebook_cells("# %% [markdown]\n# # Title\n#\n# Text\n\n# %%\nx = 1\n")
    assert (text.text, code.text) == ("# Title\n\nText\n", "x = 1\n")


def test_the_site_is_built_without_a_broken_link(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tools.docs", str(tmp_path), "--quick"]
    settings = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=settings, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    pages = [path.read_text("utf-8") for path in (tmp_path / "site" / "equations").glob("*.html")]
    missing = [
        name
        for name in equations()
        if not any(f'id="{name.rpartition(".")[2]}"' in p for p in pages)
    ]
    assert not missing, report("equations without a place", missing)
    assert sum(page.count("<math ") for page in pages) == len(equations())
    whole = "".join(pages)
    assert "output of the UPS on this battery." in whole  # what a docstring says of an argument
    assert "<code>OUT_OF_RANGE</code> for a leak fraction outside" in whole  # and of an error


def test_the_house_is_drawn_as_it_stands() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    drawn, wing = set(), ""
    for line in page.partition("## Packages")[2].split("```")[1].strip().splitlines():
        wing = line.partition("/")[0] if line[0] != " " else wing
        for room, inner in re.findall(r"([a-z_]+)(?:/\{([a-z_,/]+)\})?", line[11:]):
            drawn |= {f"{wing}/{room}", *(f"{wing}/{room}/{x}" for x in inner.split(",") if x)}
    rooms = (path.relative_to(PACKAGE).parents for path in PACKAGE.rglob("*/*/*.py"))
    found = {room.as_posix() for parents in rooms for room in parents if len(room.parts) > 1}
    assert drawn == found, sorted(drawn ^ found)
    named = re.findall(r"`([a-z_]+(?:/[a-z_0-9]+)+(?:\.py|\.csv)?)`", page)
    missing = [x for x in named if not (PACKAGE / x).exists() and not (ROOT / x).exists()]
    assert not missing, report("named in docs/architecture.md, but not there", missing)
