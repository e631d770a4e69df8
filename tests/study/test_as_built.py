"""The project as built: with its choices as inputs a design has the same results."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import facility
from facility.core.errors import FacilityError
from facility.core.table import Results
from facility.files.project.file import dump_project, parse_project
from facility.power.ups.modules import catalogue_module, partly_equipped
from facility.study.design.design import design
from tests.golden.projects import PROJECTS as GOLDEN
from tests.soak.choices import open_project
from tests.soak.projects import project_text
from tests.study.fields import LIQUID
from tests.study.helpers import PROJECTS, SHORTEST, design_of, reference

_ALTERNATIVES = "ups.shortlist."
"""UPS modules that are compared: with an open module partly equipped frames too."""
_EQUAL = 1e-9


def moved(before: Results, after: Results) -> Iterator[str]:
    """Yield the results that differ, the alternatives to the UPS module left out."""
    for key in sorted({*before, *after}):
        one, other = before.get(key), after.get(key)
        if key.startswith(_ALTERNATIVES):
            continue
        was, now = (found if found is None else found.si for found in (one, other))
        if isinstance(was, float) and isinstance(now, float):
            equal = was == now or abs(now - was) <= _EQUAL * abs(was)
        else:
            equal = was == now
        if not equal:
            yield f"{key}: {was} -> {now}"


@pytest.mark.parametrize("text", [SHORTEST, LIQUID])
def test_nothing_is_left_to_choose_and_no_result_moves(text: str) -> None:
    found = design_of(text)
    assert found.choices
    built = design(parse_project(dump_project(found.as_built())))
    assert not built.choices
    assert built.chain.choices == found.chain.choices
    assert built.electrical.batteries.choice == found.electrical.batteries.choice
    assert list(moved(found.results, built.results)) == []
    assert built.as_built() == built.project


def test_partly_equipped_frames_are_stated_by_their_level() -> None:
    whole, part = catalogue_module("9395XR-600"), catalogue_module("9395XR-600 at 300 kW")
    assert part in partly_equipped(whole)
    assert part.rating_w == 300e3
    with pytest.raises(FacilityError, match="9395XR-600 at 450 kW") as caught:
        catalogue_module("9395XR-600 at 310 kW")
    assert (caught.value.code, caught.value.where) == ("UNKNOWN_MODEL", "power.ups.model")


def test_conductors_keep_their_part_of_a_stated_number_of_modules() -> None:
    """What is reserved for conductors decides how many of the installed modules are on duty."""
    stated = ("power.ups.module_rating=50 kW", "power.ups.modules_per_system=3")
    without = design_of(SHORTEST, *stated)
    reserved = design_of(SHORTEST, *stated, "power.ups.conductor_spare=49 %")
    assert reserved.results["ups.modules.duty"].si > without.results["ups.modules.duty"].si


@pytest.mark.nightly
@pytest.mark.parametrize("name", PROJECTS)
def test_reference_projects(name: str) -> None:
    found = reference(name)
    assert list(moved(found.all_results, design(found.as_built()).all_results)) == []


@pytest.mark.nightly
@pytest.mark.parametrize("name", GOLDEN)
def test_recorded_projects(name: str) -> None:
    found = design_of(GOLDEN[name])
    assert list(moved(found.results, design(found.as_built()).results)) == []


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(10))
def test_random_projects(seed: int) -> None:
    """One that states some of its equipment, one that states none of it."""
    for project in (parse_project(project_text(seed, 5_000)), facility.project(open_project(seed))):
        try:
            found = design(project)
        except FacilityError:
            continue  # No design, no choices
        assert list(moved(found.results, design(found.as_built()).results)) == []
