"""Every result of a design has an identity or a figure from outside that would notice a factor."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache

import pytest

from tests.results.identities import ELSEWHERE, FIGURES, IDENTITIES, ROUGH
from tests.study.helpers import reference
from tests.tools.source_tree import ROOT, report

PROJECTS = ("h100-10k", "dgx-su-32", "nvl72-hall")
STATED = {
    "nvl72-hall": ("power.distribution.rack_system=415Y/240", "cooling.plant.heat_rejection=tower")
}
"""What identities take for granted and the design chooses."""
OF_THE_DESIGN = ("generator.on_lv", "ups.unevenness", "chiller.capacity")
"""What identities rest on and is no result."""


@cache
def results(name: str) -> dict[str, float]:
    """Return the numbers of a design in SI, and what identities rest on beside them."""
    design = reference(name, *STATED.get(name, ()))
    found = design.all_results.values_by_key
    numbers = {
        key: float(value.si)
        for key, value in found.items()
        if isinstance(value.si, (int, float)) and not isinstance(value.si, bool)
    }
    uneven = design.facility.power.unevenness
    on_lv = float(found["generator.connection"].si == "LV")
    capacity_w = design.cooling.chilled.capacity_w
    rests = {"generator.on_lv": on_lv, "ups.unevenness": uneven, "chiller.capacity": capacity_w}
    return numbers | rests


@pytest.mark.parametrize("pattern", IDENTITIES)
def test_a_result_equals_its_identity(pattern: str) -> None:
    seen = 0
    for name in PROJECTS:
        found = results(name)
        for key in (key for key in found if fnmatchcase(key, pattern)):
            seen += 1
            expected = IDENTITIES[pattern](found, key)
            assert found[key] == pytest.approx(expected, rel=1e-6, abs=1e-9), (name, key)
    assert seen, "no design has such a result"


@pytest.mark.parametrize("key", ROUGH)
def test_a_result_is_near_its_rough_identity(key: str) -> None:
    part, identity = ROUGH[key]
    for name in PROJECTS:
        found = results(name)
        if key in found:
            assert found[key] == pytest.approx(identity(found, key), rel=part), name


@pytest.mark.parametrize(("name", "key"), FIGURES)
def test_a_result_is_the_figure_of_the_documents(name: str, key: str) -> None:
    assert results(name)[key] == pytest.approx(FIGURES[name, key], rel=1e-9)


def test_every_result_is_held_by_something() -> None:
    held = {*IDENTITIES, *ROUGH, *ELSEWHERE, *(key for _, key in FIGURES)}
    keys = {key for name in PROJECTS for key in results(name)} - {*OF_THE_DESIGN}
    free = sorted(key for key in keys if not any(fnmatchcase(key, one) for one in held))
    assert not free, report("results that no identity or figure holds", free)


def test_what_is_held_elsewhere_has_its_test() -> None:
    missing = [path for path in ELSEWHERE.values() if not (ROOT / path).is_file()]
    assert not missing, report("tests that are gone", missing)
