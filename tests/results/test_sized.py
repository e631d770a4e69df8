"""Sizes of the cooling, worked once more: coils, counts, pipes, drops, checks, racks."""

from __future__ import annotations

import pytest

from facility.study.design.design import Design
from tests.results import fields, sized
from tests.results.cooling import choices, surfaces
from tests.results.test_ride import RIDES
from tests.results.variants import PLANTS, VARIANTS, YEARS
from tests.study.helpers import design_of, reference

ALL = VARIANTS | PLANTS | YEARS


def _design(name: str) -> Design:
    text = ALL.get(name)
    return design_of(text) if text is not None else reference(name.partition(",")[0], *RIDES[name])


@pytest.mark.parametrize("name", [*RIDES, *ALL])
def test_sizes_are_those_of_the_second_calculation(name: str) -> None:
    found = _design(name)
    assert list(sized.differences(found)) == []
    assert list(surfaces.coldest_surfaces(found)) == []
    assert list(surfaces.moisture_of_the_outdoor_air(found)) == []


@pytest.mark.parametrize("name", [*RIDES, *ALL])
def test_open_fields_are_those_of_the_second_calculation(name: str) -> None:
    assert list(fields.differences(_design(name))) == []


@pytest.mark.parametrize("name", [*RIDES, *ALL])
def test_machines_are_those_of_the_second_calculation(name: str) -> None:
    assert list(choices.differences(_design(name))) == []
