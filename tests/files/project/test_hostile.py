"""Fields that nobody would type: designed or refused with a code, within bounded time."""

from __future__ import annotations

import pytest

from facility.core.errors import FacilityError
from facility.files.project.file import parse_project
from tests.soak.hostile import broken, hostile_project


@pytest.mark.parametrize("first", range(0, 120, 20))
def test_hostile_projects_end_with_a_design_or_a_code(first: int) -> None:
    failed = {
        seed: why for seed in range(first, first + 20) if (why := broken(hostile_project(seed))[0])
    }
    assert not failed


def test_a_heat_capacity_that_would_never_end_is_refused() -> None:
    """Air coupled to a mass of 0.1 J/K takes steps of microseconds through an hour."""
    with pytest.raises(FacilityError) as caught:
        parse_project("schema_version: 1\ncooling: {thermal: {structure_mass: 0.1 J/K}}")
    assert caught.value.code == "OUT_OF_RANGE"
    assert caught.value.where == "cooling.thermal.structure_mass"


def test_what_breaks_is_told() -> None:
    assert broken("schema_version: 1") == ("", "MISSING_FIELD")
    assert broken('{"schema_version": 1, "it": 8}') == ("", "NOT_A_SECTION")
