"""The choices of a design as stated inputs of its project: the project as built."""

from __future__ import annotations

from collections.abc import Iterator

from facility.cooling.choices import CoolingChoices, RejectionChoice
from facility.core.kinds import KINDS
from facility.model.inputs.cooling.liquid import CduSection
from facility.model.inputs.document import Project
from facility.model.inputs.power.battery import BatterySection
from facility.model.inputs.power.plant import GeneratorSection
from facility.model.inputs.power.section import PowerSection, UpsSection
from facility.power.choices import BatteryChoice, PowerChoices
from facility.study.overrides import input_of

_Entry = tuple[str, object]
BOUNDS = ("power.transformer.largest", "cooling.plant.chiller.largest")
"""Inputs that limit the sizes chosen, without meaning once these are stated."""


def as_built(
    project: Project, power: PowerChoices, batteries: BatteryChoice | None, cooling: CoolingChoices
) -> Project:
    """Return a project with the choices of its design as inputs.

    Ratings stated by the project are retained; values now stated need no confirmation. The number
    of generator bus sections and the sizes of pipes and conductors have no input: they follow from
    the stated values.
    """
    entries = dict(
        (
            *((path, None) for path in BOUNDS),
            *_power(power, project.power),
            *_batteries(batteries, project.power.battery or BatterySection.unstated()),
            *_cooling(cooling, project.cooling.cdu or CduSection.unstated()),
        )
    )
    confirmed = [id for id in project.confirmed or () if input_of(id) not in entries]
    return project.with_({**entries, "confirmed": confirmed or None})


def _quantity(value: float, kind: str) -> str:
    return f"{float(value)!r} {KINDS[kind].si}"


def _power(choices: PowerChoices, section: PowerSection) -> Iterator[_Entry]:
    """Yield the inputs of the power chain."""
    ups, pdus, plant = choices.ups, choices.pdus, choices.generators
    stated, distribution = section.ups or UpsSection.unstated(), section.distribution
    yield "power.distribution.rack_system", choices.rack_system
    yield "power.distribution.panel_main", _quantity(choices.panel_main_a, "current")
    if distribution is not None and distribution.breakers is not None:
        fitting = [one.text for one in distribution.breakers if one.si <= choices.panel_main_a]
        yield "power.distribution.breakers", fitting
    if stated.module_rating is None and stated.module_rating_kva is None:
        yield "power.ups.model", ups.model
    yield "power.ups.modules_per_system", ups.modules_per_system
    yield "power.ups.buses", ups.buses
    yield "power.ups.conductor_spare", _quantity(ups.conductor_spare, "fraction")
    for path, units, total in (
        ("power.distribution.pdu_transformer", pdus, "power.distribution.pdus"),
        ("power.transformer.rating", choices.transformers, "power.transformer.count"),
    ):
        if units.count:
            yield path, _quantity(units.rating_va, "apparent_power")
            yield total, units.count
    own = section.generator or GeneratorSection.unstated()
    yield "power.generator.count", plant.count
    if plant.count:
        yield "power.generator.connection", plant.connection
        if own.rating is None and own.rating_kva is None:
            yield "power.generator.model", plant.model


def _batteries(choice: BatteryChoice | None, section: BatterySection) -> Iterator[_Entry]:
    if choice is not None:
        if section.points is None:
            yield "power.battery.model", choice.model
        yield "power.battery.strings", choice.strings


def _cooling(choices: CoolingChoices, section: CduSection) -> Iterator[_Entry]:
    """Yield the inputs of the cooling chain."""
    crahs, cdus, water = choices.crahs, choices.cdus, choices.facility_water
    yield "cooling.air.terminal", crahs.terminal
    yield "cooling.crah.count", crahs.count or None
    yield "cooling.crah.electrical_count", crahs.electrical_count or None
    if cdus is not None:
        if section.rating is None and (section.model is not None or section.count is None):
            yield "cooling.cdu.model", cdus.model
        yield "cooling.cdu.count", cdus.count
    if water is not None:
        yield "cooling.facility_water.source", water.source
        yield "cooling.facility_water.supply", _quantity(water.supply_c, "temperature")
        yield "cooling.facility_water.fluid", water.fluid
        if water.rise_k is not None:
            rise = _quantity(water.rise_k, "temperature_difference")
            yield "cooling.facility_water.delta_t", rise
        if water.rejection is not None:
            yield from _rejection("cooling.facility_water.rejection", water.rejection)
    chillers = choices.chillers
    if chillers is not None:
        yield "cooling.plant.heat_rejection", choices.rejection.kind
        yield "cooling.plant.chiller.model", chillers.model
        yield "cooling.plant.chiller.capacity", _quantity(chillers.capacity_w, "heat_flow")
        yield "cooling.plant.chiller.count", chillers.count
        if choices.rejection.kind != "air_cooled":
            yield from _rejection("cooling.plant.rejection", choices.rejection)


def _rejection(path: str, choice: RejectionChoice) -> Iterator[_Entry]:
    yield f"{path}.count", choice.count
    if choice.pad_effectiveness is not None:
        yield f"{path}.pad_effectiveness", _quantity(choice.pad_effectiveness, "fraction")
