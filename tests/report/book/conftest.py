"""Designs that the workbook tests share, each made once; a cache can be emptied, see `_Memory`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from facility.core.reference import reference_path
from facility.files.project.file import load_project, parse_project
from facility.files.workbook.book import workbook_book
from facility.report.sheet.model import Book
from facility.study.design.design import Design, design

PROJECTS = Path(__file__).parent / "projects"
CASES = ("mixed-hall", "iec-400", "us-208-2n", "hostile-names")


def design_of(name: str) -> Design:
    own = PROJECTS / f"{name}.yaml"
    if own.is_file():
        return design(parse_project(own.read_text(encoding="utf-8"), name))
    return design(load_project(reference_path("projects", f"{name}.yaml")))


@cache
def _designs() -> dict[str, Design]:
    return {name: design_of(name) for name in CASES}


@cache
def _books() -> dict[str, Book]:
    return {name: workbook_book(found) for name, found in _designs().items()}


@pytest.fixture(scope="module")
def designs() -> dict[str, Design]:
    return _designs()


@pytest.fixture(scope="module")
def books() -> dict[str, Book]:
    return _books()


@pytest.fixture(scope="module")
def book(found: Design) -> Book:
    """The workbook of the design that a module has `found`."""
    return workbook_book(found)
