"""The projects of the record answer what they answered: what moves is meant, and is said.

This says nothing about right or wrong; hand calculations, second calculations and oracles do. It
says that a number moved: in which study, sheet or check, and in which projects. Whoever means it
runs ``python -m tests.golden`` and takes what it prints to CHANGELOG.md under *Results*.
"""

from __future__ import annotations

import pytest

from tests.golden.projects import PROJECTS, asked
from tests.golden.record import moved, recorded
from tests.tools.source_tree import report


@pytest.mark.parametrize("name", PROJECTS)
def test_a_project_answers_as_recorded(name: str) -> None:
    found = [str(one) for one in moved(name, recorded()[name], asked(name))]
    assert not found, report(f"{name}: answers that moved", found)
