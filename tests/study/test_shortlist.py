"""Units of the catalogue tried in a design: what they say is what the design says."""

from __future__ import annotations

import pytest

from facility.files.project.file import example_text, parse_project, template_text
from facility.model.inputs.entries import with_entries
from facility.study.design.design import design
from facility.study.shortlist import CHOICES, best_first, changes, models, offered, shortlist

PROJECT = parse_project(template_text())


def test_only_units_that_the_design_has_are_offered() -> None:
    air = [choice.title for choice in offered(design(PROJECT))]
    assert air == ["UPS module", "Chiller", "CRAH", "Generator set"]
    liquid = offered(design(parse_project(example_text("nvl72-hall"))))
    assert "CDU" in [choice.title for choice in liquid]


@pytest.mark.parametrize("choice", CHOICES, ids=[choice.title for choice in CHOICES])
def test_an_option_says_what_the_design_with_it_says(choice) -> None:  # type: ignore[no-untyped-def]
    project = parse_project(example_text("nvl72-hall")) if choice.title == "CDU" else PROJECT
    options = best_first(shortlist(project, choice))
    assert len(options) == models(choice)
    able = [option for option in options if not option.refused]
    assert able
    best = able[0]
    found = design(with_entries(project, changes(choice, best.model)))
    assert best.count == found.results[choice.count].si
    assert best.pue == found.results["pue.design"].si
    assert best.margin is not None
    assert best.margin >= -1e-9
    assert best.failure is not None
    assert best.normal is not None
    assert best.normal <= best.failure
    assert best.violations == min(option.violations for option in able)
    for option in options[len(able) :]:
        assert ": " in option.refused
    if choice.title == "UPS module":
        module = next(o for o in found.chain.ups.shortlist if o.model == best.model)
        assert best.count == module.modules
        assert best.margin <= module.margin + 1e-9
