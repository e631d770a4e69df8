"""Requirements: pinned with hashes, runtime apart from development, nothing that nobody imports."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import pytest

from tests.tools.source_tree import imports_of, modules

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
FILES = {name: f"requirements-{name}.txt" for name in ("runtime", "app", "dev")}
IMPORTED_AS = {"pyyaml": "yaml", "dask": "distributed"}
ENTRY = re.compile(r"[\w.\-]+==[\w.!+]+(?: ; [^#]+?)?(?:\s+--hash=sha256:[0-9a-f]{64})+\s*")
NOT_IMPORTED = {
    "build",
    "coverage",
    "editables",
    "hatchling",
    "mkdocs-material",
    "mypy",
    "pytest-xdist",
    "ruff",
    "types-defusedxml",
    "types-openpyxl",
    "types-pyyaml",
}
"""Tools that are run, or that the build takes."""


def plain(requirement: str) -> str:
    return re.split(r"[<>=~!\[; ]", requirement, maxsplit=1)[0].lower().replace("_", "-")


def pins(name: str) -> dict[str, str]:
    text = (ROOT / FILES[name]).read_text("utf-8")
    found = re.findall(r"^([\w.\-]+)==([\w.!+]+)", text, re.MULTILINE)
    return {plain(package): version for package, version in found}


@pytest.mark.parametrize("name", FILES)
def test_every_pin_carries_its_hashes_and_no_host(name: str) -> None:
    text = (ROOT / FILES[name]).read_text("utf-8")
    entries = text.replace("\\\n", " ").strip().splitlines()
    assert len(entries) > 10
    for entry in entries:
        assert ENTRY.fullmatch(entry), entry[:80]
    assert "://" not in text


def test_each_file_holds_the_one_before_it() -> None:
    """Version and hashes: what was installed by the last was installed by each."""
    runtime, app, dev = (pins(name) for name in FILES)
    assert runtime.items() <= app.items() <= dev.items()
    texts = ((ROOT / FILES[name]).read_text("utf-8").replace("\\\n", " ") for name in FILES)
    runtime_lines, app_lines, dev_lines = (set(text.strip().splitlines()) for text in texts)
    assert runtime_lines <= app_lines <= dev_lines


def test_runtime_and_app_carry_no_tools_of_development() -> None:
    tools = {plain(one) for one in EXTRAS["dev"]}
    assert not tools & set(pins("runtime"))
    # Pillow comes with Streamlit itself.
    assert tools & set(pins("app")) <= {"pillow", "jsonschema"}
    assert "streamlit" not in pins("runtime")


def test_all_that_is_asked_for_is_pinned() -> None:
    asked = {
        "runtime": [*PROJECT["dependencies"], *EXTRAS["build"]],
        "app": EXTRAS["app"],
        "dev": [*EXTRAS["dev"], *EXTRAS["documents"], *EXTRAS["sweep"]],
    }
    for name, wanted in asked.items():
        assert {plain(one) for one in wanted} <= set(pins(name))


def test_what_the_package_asks_for_is_imported_by_it() -> None:
    imported = {found.target.split(".")[0].lower() for m in modules() for found in imports_of(m)}
    extras = (one for name in ("app", "documents", "postgresql", "sweep") for one in EXTRAS[name])
    asked = {plain(one) for one in (*PROJECT["dependencies"], *extras)}
    unused = {name for name in asked if IMPORTED_AS.get(name, name) not in imported}
    # By name in study/ranges/sobol.py; by Streamlit for its sign-in.
    assert unused <= {"salib", "authlib", "httpx"}
    known = {IMPORTED_AS.get(name, name) for name in asked} | {"facility", "pydantic_core"}
    assert imported - known - {n.lower() for n in sys.stdlib_module_names} == set()


def test_what_development_asks_for_is_imported_or_run() -> None:
    texts = [
        p.read_text("utf-8")
        for f in ("tests", "tools", "benchmarks")
        for p in (ROOT / f).rglob("*.py")
    ]
    text = "\n".join(texts).lower()
    names = {plain(one) for one in EXTRAS["dev"]} - NOT_IMPORTED
    named = {"pillow": "pil", "axe-playwright-python": "axe_playwright_python"}
    unused = [
        name
        for name in names
        if not re.search(rf"(?:import|from|importorskip\(\") ?{named.get(name, name)}\b", text)
    ]
    assert unused == []
