"""Inputs under equipment held: what moves the year of a design of as many machines moves it too."""

from __future__ import annotations

import pytest

from facility.core.errors import FacilityError
from facility.files.project.file import apply_sets
from facility.study.annual.study import annual
from facility.study.design.design import Design
from facility.study.ranges.sample import as_built, with_inputs
from tests.study.fields import BASES, FIELDS
from tests.study.helpers import design_of

SIZES = (
    "cooling.cdu.design_fraction",
    "cooling.crah.design_fraction",
    "cooling.facility_water.source",
    "power.distribution.pdu_max_loading",
    "power.distribution.pdu_transformer",
    "power.transformer.rating",
    "site.design_wet_bulb",
)
"""Inputs from which sizes alone follow: equipment as designed keeps its own."""
NO_NUMBER = ("it.devices[].liquid_only",)
"""Inputs that are true or false and decide sizes: no sample changes them, for none has a range."""
NOISE = 1e-6
"""Part of the energy within which two solutions of one design agree."""


def counts(found: Design) -> dict[str, object]:
    return {key: one.si for key, one in found.results.items() if one.kind == "count"}


def energy_j(found: Design) -> float:
    return float(annual(found).results["energy.annual"].si)  # type: ignore[arg-type]


@pytest.mark.parametrize("path", sorted(FIELDS))
def test_an_input_that_moves_a_design_of_equal_counts_moves_the_one_held(path: str) -> None:
    change = FIELDS[path]
    text = BASES[change.base]
    if path in NO_NUMBER:
        ranged = f"ranges.0.field={path.replace('[]', '.0')}", "ranges.0.range=0 .. 1"
        with pytest.raises(FacilityError) as caught:
            design_of(text, *change.one, *ranged)
        assert caught.value.where == "ranges[0].field"
        return
    try:
        nominal, other = design_of(text, *change.one), design_of(text, *change.two)
        built = as_built(nominal)
        sample = with_inputs(built, apply_sets(built.project, change.two))
        was_j, anew_j, now_j = (energy_j(found) for found in (nominal, other, sample))
    except FacilityError:
        return  # Refused, with its reason, is no silent effect
    moved = abs(anew_j - was_j) > NOISE * was_j
    if path in SIZES:
        assert abs(now_j - was_j) < abs(anew_j - was_j)
    elif moved and counts(nominal) == counts(other):
        assert abs(now_j - was_j) > 0.0
