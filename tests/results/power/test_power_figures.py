"""The power part of whole designs, worked once more by other formulas and from the tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from facility.study.design.design import Design
from tests.results.power import (
    conductors,
    faults,
    flow,
    it_load,
    mechanical,
    nameplates,
    network,
    panels,
    plant,
    sections,
    series,
    service,
    train,
    wiring,
)
from tests.results.power.supplies import SUPPLIES
from tests.results.variants import VARIANTS
from tests.study.helpers import design_of, reference

PROJECTS = ("dgx-su-32", "mixed-hall", "nvl72-hall", "h100-10k")
CALCULATIONS: tuple[Callable[[Design], Iterator[str]], ...] = (
    it_load.it_load,
    panels.panels_of_the_halls,
    panels.branch_breakers,
    panels.racks_on_panels,
    sections.lineups_of_the_panels,
    mechanical.circuits_of_the_units,
    nameplates.ratings_of_the_equipment,
    conductors.circuits_of_the_tables,
    conductors.devices_as_told,
    train.power_train,
    service.load_of_the_service,
    wiring.wiring_of_the_network,
    wiring.larger_for_losses,
    plant.generator_sets,
    plant.fuel_of_the_plant,
    plant.steps_of_the_plant,
    plant.batteries,
    series.devices_in_series,
    network.equipment_of_the_design,
    network.loads_on_their_cords,
    network.outages_of_the_design,
    faults.fault_currents,
    flow.power_flow,
)
_MANY = 400
"""Pieces of equipment of networks whose flow and faults are left to the smaller ones."""
_OF_NETWORKS = (
    series.devices_in_series,
    network.outages_of_the_design,
    faults.fault_currents,
    flow.power_flow,
)


def _design(name: str) -> Design:
    text = (VARIANTS | SUPPLIES).get(name)
    return design_of(text) if text is not None else reference(name)


@pytest.mark.parametrize("name", [*VARIANTS, *SUPPLIES, *PROJECTS])
def test_power_figures_are_those_of_the_second_calculations(name: str) -> None:
    design = _design(name)
    many = len(design.distribution.plan.network.equipment) > _MANY
    asked = [one for one in CALCULATIONS if not (many and one in _OF_NETWORKS)]
    assert [words for one in asked for words in one(design)] == []


@pytest.mark.parametrize("name", VARIANTS)
def test_lowest_faults_of_a_stated_utility_are_those_of_the_second_calculation(name: str) -> None:
    levels = ("site.fault_level=250 MVA", "power.faults.utility_minimum_level=120 MVA")
    design = design_of(VARIANTS[name], *levels)
    for calculation in (faults.fault_currents, faults.earth_fault_loops):
        assert list(calculation(design)) == []
