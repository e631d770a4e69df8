"""Every field of the project moves something: a result, a check or an assumption of another id.

Fields that by their nature move no number are listed in `EXCEPTIONS`, and tested one by one.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from facility.cli.output import envelope
from facility.core.errors import FacilityError
from facility.core.reference import reference_path
from facility.core.table import Results
from facility.files.project.file import apply_sets, load_project, parse_project
from facility.model.inputs.declare import leaves
from facility.model.inputs.document import Project
from facility.study.design.design import Design, design
from facility.study.sweep.studies import STUDIES
from tests.study.fields import AIR, BASES, BUILT, EXCEPTIONS, FIELDS
from tests.study.helpers import design_of, results_text

# The rounding error of a sum, and the list of what is still assumed: no answer to any field.
NOISE = ("ENERGY-BALANCE", "MEMORY-DEFAULT")


class Answer(NamedTuple):
    """Results, checks and assumptions of a design as text by id, and the numbers of the results."""

    text: dict[str, dict[str, str]]
    si: dict[str, object]


@lru_cache(4)
def made(base: str, sets: tuple[str, ...]) -> Design:
    return design(apply_sets(parse_project(BASES[base]), sets))


@cache
def sized(base: str, sets: tuple[str, ...]) -> Answer:
    """Return what the sizing of a base project with changes says: part of its `outcome`."""
    found = made(base, sets)
    return answer(found.results, envelope("design", assumptions=found.ledger))


_STAGES = ("sizing", "year", "distribution", "air", "hydraulics", "liquid", "plant", "load")
"""Studies in the order in which they are asked, the quick ones first."""


@cache
def studied(base: str, sets: tuple[str, ...], name: str) -> Answer:
    """Return what one study of a base project with changes says: part of its `outcome`."""
    found = STUDIES[name](made(base, sets))
    return answer(Results(dict(found.results)), envelope("design", checks=found.checks))


@cache
def outcome(base: str, sets: tuple[str, ...]) -> Answer:
    """Return what the design of a base project with changes says, every study run."""
    found = made(base, sets)
    results = found.all_results
    return answer(results, envelope("design", checks=found.checks, assumptions=found.ledger))


def answer(results: Results, body: dict[str, Any]) -> Answer:
    checks = [json.dumps(check) for check in body["checks"] if check["rule"] not in NOISE]
    text = {
        "results": {key: json.dumps(value) for key, value in results.as_json().items()},
        "checks": dict.fromkeys(checks, ""),
        "assumptions": {entry["id"]: json.dumps(entry) for entry in body["assumptions"]},
    }
    return Answer(text, {key: value.si for key, value in results.items()})


def typed(path: str, base: str, sets: tuple[str, ...]) -> object:
    """Return what the project says at `path`, in SI where it has a unit."""
    field: Any = apply_sets(parse_project(BASES[base]), sets)
    for part in path.replace("[]", ".0").split("."):
        field = field[int(part)] if isinstance(field, list | tuple) else getattr(field, part, None)
    return getattr(field, "si", field)


def test_the_list_is_complete() -> None:
    known = set(FIELDS) | set(EXCEPTIONS)
    assert {entry.path for entry in leaves(Project)} == known
    assert not set(FIELDS) & set(EXCEPTIONS)


@pytest.mark.parametrize("path", FIELDS)
def test_the_field_moves_something(path: str) -> None:
    """Study by study until something moved that is more than the value typed, or all were run."""
    base, one, two = FIELDS[path]
    given = typed(path, base, two)
    answers: list[Callable[[str, tuple[str, ...]], Answer]] = [
        sized,
        *(partial(studied, name=name) for name in _STAGES),
        outcome,
    ]
    assert any(moves(ask(base, one), ask(base, two), given) for ask in answers), (
        f"{path} moves nothing"
    )


def moves(one: Answer, two: Answer, given: object) -> bool:
    """Does an answer change, but for results that only repeat what was typed?"""
    return any(
        one.text[group].get(key) != two.text[group].get(key)
        and not (group == "assumptions" and not (key in one.text[group] and key in two.text[group]))
        and not (group == "results" and key in two.si and two.si[key] == given)
        for group in one.text
        for key in one.text[group].keys() | two.text[group].keys()
    )


IDENTITY = {
    "project.name": ("project.name=A", "project.name=B"),
    "project.number": ("project.number=1", "project.number=2"),
    "project.title": ("project.title=A", "project.title=B"),
    "project.status": ("project.status=PRELIMINARY", "project.status=FOR REVIEW"),
    "project.company": ("project.company=A", "project.company=B"),
    "project.originator": ("project.originator=A", "project.originator=B"),
    "project.checker": ("project.checker=A", "project.checker=B"),
    "project.approver": ("project.approver=A", "project.approver=B"),
    **{
        f"project.revisions[].{name}": (
            f"project.revisions.0.{name}={one}",
            f"project.revisions.0.{name}={two}",
        )
        for name, one, two in (
            ("rev", "A", "B"),
            ("date", "2026-01-01", "2026-01-02"),
            ("by", "A", "B"),
            ("checked", "C", "D"),
            ("description", "first", "second"),
        )
    },
}
_REVISION = (
    "project.revisions.0.rev=A",
    "project.revisions.0.date=2026-01-01",
    "project.revisions.0.by=X",
    "project.revisions.0.checked=Y",
)


@pytest.mark.parametrize("path", IDENTITY)
def test_identity_moves_the_printed_identity_alone(path: str) -> None:
    given = _REVISION if "revisions" in path else ()
    one, two = (design_of(AIR, *given, change) for change in IDENTITY[path])
    assert results_text(one) == results_text(two)
    assert one.sha256 != two.sha256
    assert one.facility.identity != two.facility.identity


def test_place_is_printed() -> None:
    one, two = (design_of(AIR, f"site.place={name}") for name in ("Here", "There"))
    assert results_text(one) == results_text(two)
    assert "Here" in one.title
    assert "There" in two.title


def test_schema_version_has_one_value() -> None:
    with pytest.raises(FacilityError) as caught:
        parse_project(AIR.replace("schema_version: 1", "schema_version: 2"))
    assert caught.value.where == "schema_version"


def test_hall_name_is_on_the_panels() -> None:
    one, two = (design_of(BUILT, f"it.halls.0.name={name}") for name in ("One", "Two"))
    assert results_text(one) == results_text(two)
    assert {panel.hall for panel in one.panels.panels} == {"One"}
    assert {panel.hall for panel in two.panels.panels} == {"Two"}


def test_number_of_systems_is_checked_against_the_scheme() -> None:
    assert results_text(design_of(AIR, "power.systems=3")) == results_text(design_of(AIR))
    with pytest.raises(FacilityError) as caught:
        design_of(AIR, "power.systems=2")
    assert caught.value.code == "REDUNDANCY_CONTRADICTION"


def test_supply_air_of_a_rating_is_checked_against_its_balance() -> None:
    rating = (
        "cooling.crah.rating.net_sensible=100 kW",
        "cooling.crah.rating.airflow=7 m3/s",
        "cooling.crah.rating.return_air=36 degC",
        "cooling.crah.rating.water_in=18 degC",
        "cooling.crah.rating.water_out=26 degC",
    )
    assert design_of(AIR, *rating, "cooling.crah.rating.supply_air=24.2 degC").results
    with pytest.raises(FacilityError) as caught:
        design_of(AIR, *rating, "cooling.crah.rating.supply_air=20 degC")
    assert caught.value.code == "CRAH_RATING"


_NAMED = (
    "panels.boards.0.tag=RPP-A01",
    "panels.boards.0.circuits.0.rack=Nodes 01",
    "panels.boards.0.circuits.0.position=1",
)


@pytest.mark.parametrize(
    ("field", "value", "found"),
    [
        ("fixed", "yes", True),
        ("together", "x", "x"),
        ("apart", "y", "y"),
        ("description", "feeder of Nodes 01", "feeder of Nodes 01"),
    ],
)
def test_what_is_said_of_a_circuit_is_on_its_panel(field: str, value: str, found: object) -> None:
    one = design_of(BUILT, *_NAMED)
    two = design_of(BUILT, *_NAMED, f"panels.boards.0.circuits.0.{field}={value}")
    assert results_text(one) == results_text(two)
    first, second = (x.panels.panels[0].circuits[0] for x in (one, two))
    assert getattr(first, field) != found
    assert getattr(second, field) == found


def test_a_spare_stands_where_it_is_said_to() -> None:
    spare = (
        "panels.boards.0.tag=RPP-A01",
        "panels.boards.0.spares.0.poles=1",
        "panels.boards.0.spares.0.breaker=20 A",
    )
    one, two = (
        design_of(BUILT, *spare, f"panels.boards.0.spares.0.position={n}") for n in ("40", "41")
    )
    assert results_text(one) == results_text(two)
    assert [x.panels.panels[0].circuits[-1].position for x in (one, two)] == [40, 41]
    position = "panels.boards.0.spares.0.position=40"
    with pytest.raises(FacilityError) as caught:
        design_of(BUILT, *spare, position, "panels.boards.0.spares.0.breaker=600 A")
    assert caught.value.where == "panels.boards[0].spares[0].breaker"


def test_weather_file_beside_the_project_replaces_the_station(tmp_path: Path) -> None:
    shutil.copy(reference_path("weather", "phoenix.epw.gz"), tmp_path / "site.epw.gz")
    file = tmp_path / "p.yaml"
    file.write_text(AIR.replace("{station: ashburn}", "{weather_file: site.epw.gz}"))
    from_file, station = design(load_project(file)), design_of(AIR, "site.station=phoenix")
    assert mean_of(from_file) == pytest.approx(mean_of(station), abs=0.1)
    assert mean_of(from_file) != pytest.approx(mean_of(design_of(AIR)), abs=1.0)


def mean_of(found: Design) -> float:
    return found.facility.site.mean.dry_bulb_c
