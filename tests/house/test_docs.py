"""The site of the documentation: every equation, rule and error has its place, every link leads."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from facility.core.errors import error_codes
from tests.tools.source_tree import PACKAGE, ROOT, report
from tools.docs import equations, errors_page, rules, rules_page


def test_the_pages_hold_every_rule_and_code() -> None:
    page = rules_page()
    missing = [id for id in rules() if f"| `{id}` |" not in page]
    assert not missing, report("rules without a row", missing)
    page = errors_page()
    assert not [code for code in error_codes() if f"| `{code}` |" not in page]


def test_the_site_is_built_without_a_broken_link(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tools.docs", str(tmp_path)]
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
        for room, inner in re.findall(r"([a-z_]+)(?:/\{([a-z_,]+)\})?", line[11:]):
            drawn |= {f"{wing}/{room}", *(f"{wing}/{room}/{x}" for x in inner.split(",") if x)}
    rooms = (path.relative_to(PACKAGE).parents for path in PACKAGE.rglob("*/*/*.py"))
    found = {room.as_posix() for parents in rooms for room in parents if len(room.parts) > 1}
    assert drawn == found, sorted(drawn ^ found)
    named = re.findall(r"`([a-z_]+(?:/[a-z_0-9]+)+(?:\.py|\.csv)?)`", page)
    missing = [x for x in named if not (PACKAGE / x).exists() and not (ROOT / x).exists()]
    assert not missing, report("named in docs/architecture.md, but not there", missing)
