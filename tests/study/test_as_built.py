"""The project as built: with its choices as inputs a design has the same results."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import facility
from facility.cooling.choices import CoolingChoices, CrahChoice, RejectionChoice
from facility.core.errors import FacilityError
from facility.core.table import Results
from facility.files.project.file import dump_project, parse_project
from facility.model.inputs.document import as_typed
from facility.power.choices import GeneratorChoice, PowerChoices, TransformerChoice, UpsChoice
from facility.power.ups.modules import catalogue_module, partly_equipped
from facility.study.as_built import as_built
from facility.study.design.design import design
from tests.golden.projects import PROJECTS as GOLDEN
from tests.soak.choices import open_project
from tests.soak.projects import project_text
from tests.study.fields import LIQUID
from tests.study.helpers import PROJECTS, SHORTEST, design_of, reference, si

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


POWER = PowerChoices(
    "415Y/240",
    225.0,
    UpsChoice("DPH 500", 500e3, 4, 2, 0.015),
    TransformerChoice(0.0, 0),
    TransformerChoice(1.5e6, 2),
    GeneratorChoice("none", 0.0, 0, "LV"),
)
COOLING = CoolingChoices(
    CrahChoice("crah", 0, 2), None, None, None, RejectionChoice("air_cooled", 0, None)
)


def test_what_the_project_states_itself_stays_as_stated() -> None:
    """Own ratings have no model; breakers above the main go, as do answered assumptions."""
    text = """\
schema_version: 1
it: {gpu_model: H100 SXM5, gpus: 64}
power:
  ups: {module_rating: 500 kW}
  transformer: {largest: 2 MVA}
  distribution: {breakers: [30 A, 250 A]}
confirmed: [power.transformer.largest, power.rack_system, cooling.outdoor_recirculation]
"""
    built = as_built(parse_project(text), POWER, None, COOLING)
    power = as_typed(built)["power"]
    assert power["ups"] == {
        "module_rating": "500 kW",
        "modules_per_system": "4",
        "buses": "2",
        "conductor_spare": "0.015",
    }
    assert power["transformer"] == {"rating": "1500000.0 VA", "count": "2"}
    assert power["generator"] == {"count": "0"}
    assert power["distribution"] == {
        "rack_system": "415Y/240",
        "panel_main": "225.0 A",
        "breakers": ["30 A"],
    }
    assert built.confirmed == ("cooling.outdoor_recirculation",)
    assert as_typed(built)["cooling"] == {
        "air": {"terminal": "crah"},
        "crah": {"electrical_count": "2"},
    }


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
    assert si(reserved, "ups.modules.duty") > si(without, "ups.modules.duty")


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
