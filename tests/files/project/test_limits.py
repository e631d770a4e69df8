"""The table of limits: what is beyond it is refused by its place, before anything is built."""

from __future__ import annotations

import re
import typing
from collections.abc import Iterator
from types import UnionType
from typing import Any

import pytest
from pydantic import BaseModel

from facility.core.errors import FacilityError
from facility.files.project.file import parse_project, problems
from facility.model.inputs.declare import Declared, declared, leaves
from facility.model.inputs.document import Project
from facility.model.inputs.scalars import _Count
from facility.study.design.design import design

HEAD = "schema_version: 1\n"
BOUNDED_BY_THEIR_SECTION = {
    "it.cords.poles",
    "it.devices[].supplies.phases",
    "it.halls[].racks[].circuits[].poles",
    "panels.boards[].spares[].poles",
    "panels.cords[].banks[]",
    "panels.boards[].circuits[].banks[]",
}


def fields(kind: Any, path: str, marks: tuple[Any, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Yield every field of the project with what marks its values."""
    origin = typing.get_origin(kind)
    yield from ((path, mark) for mark in marks)
    if origin is typing.Annotated:
        inner, *more = typing.get_args(kind)
        yield from fields(inner, path, tuple(more))
    elif origin in (typing.Union, UnionType):
        for inner in typing.get_args(kind):
            yield from fields(inner, path)
    elif origin in (list, tuple):
        yield path, list
        yield from fields(typing.get_args(kind)[0], f"{path}[]")
    elif origin is dict:
        yield path, dict
        yield from fields(typing.get_args(kind)[1], f"{path}{{}}")
    elif isinstance(kind, type) and issubclass(kind, BaseModel):
        for name, field in kind.model_fields.items():
            yield f"{path}.{name}".lstrip("."), declared(field)
            yield from fields(field.annotation, f"{path}.{name}".lstrip("."), tuple(field.metadata))


SAID = {path: mark for path, mark in fields(Project, "") if isinstance(mark, Declared)}
COUNTED = {path for path, mark in fields(Project, "") if isinstance(mark, _Count)}
COUNTS = {
    path: SAID[path].max_count for path in COUNTED & set(SAID) if SAID[path].max_count is not None
}
RANGES = {path: said.within for path, said in SAID.items() if said.within is not None}


def test_every_count_has_its_limit() -> None:
    each = {f"{path}{{}}" for path, said in SAID.items() if said.each is not None}
    assert set(COUNTS) | each == COUNTED - BOUNDED_BY_THEIR_SECTION


def test_a_limit_stands_where_there_is_something_to_count_or_measure() -> None:
    lists = {path for path, mark in fields(Project, "") if mark in (list, dict)}
    assert {path for path, said in SAID.items() if said.max_count is not None} <= lists | COUNTED
    assert all(
        entry.kind in ("fraction", "ratio") for entry in leaves(Project) if entry.path in RANGES
    )
    assert len(COUNTS) >= 52
    assert len(RANGES) == 27


def document(path: str, value: str) -> str:
    """Return a project that sets the one field at `path`, as the table writes it."""
    text = value
    for name in reversed(path.split(".")):
        parts = re.findall(r"\[\]|\{\}|[^\[\]{}]+", name)
        for mark in reversed(parts[1:]):
            text = f"[{text}]" if mark == "[]" else f"{{A: {text}}}"
        text = f"{{{parts[0]}: {text}}}"
    return HEAD + text[1:-1].replace(": {", ": {", 1) + "\n"


def limits_of(text: str) -> list[tuple[str, str]]:
    """Return place and code of what lies beyond the limits; missing fields beside are no matter."""
    return [(error.where, error.code) for error in problems(text)]


NEEDS_OTHERS = {
    "power.battery.cells_per_block",
    "power.dc.sets",
    "power.ups.efficiency_25",
    "power.ups.efficiency_50",
    "power.ups.efficiency_75",
    "power.ups.efficiency_100",
    "power.ups.eco_efficiency",
    "power.ups.output_power_factor",
}
"""Fields that their section takes together with others alone."""

SIMPLE = [path for path in COUNTS if "[" not in path and "{" not in path]


@pytest.mark.parametrize("path", sorted({*SIMPLE} - NEEDS_OTHERS))
def test_a_count_beyond_its_limit_is_refused_and_at_it_taken(path: str) -> None:
    beyond = limits_of(document(path, str(COUNTS[path] + 1)))
    assert (path, "LIMIT") in beyond
    assert (path, "LIMIT") not in limits_of(document(path, str(COUNTS[path])))


@pytest.mark.parametrize("path", sorted({p for p in RANGES if "[" not in p} - NEEDS_OTHERS))
def test_a_factor_outside_its_range_is_refused_and_at_its_ends_taken(path: str) -> None:
    low, high = RANGES[path]
    assert (path, "OUT_OF_RANGE") not in limits_of(document(path, f"{low:g}"))
    assert (path, "OUT_OF_RANGE") not in limits_of(document(path, f"{high:g}"))
    assert (path, "OUT_OF_RANGE") in limits_of(document(path, f"{high * 1.01:g}"))
    if low:
        assert (path, "OUT_OF_RANGE") in limits_of(document(path, f"{low * 0.99:g}"))


@pytest.mark.parametrize(
    ("text", "where"),
    [
        (
            "it: {halls: [{name: A, racks: [{name: R, count: 50001, devices: [{model: DGX "
            "H100}]}]}]}",
            "it.halls[0].racks[0].count",
        ),
        (
            "it: {halls: [{name: A, racks: [{name: R, devices: [{model: DGX H100, count: "
            "101}]}]}]}",
            "it.halls[0].racks[0].devices[0].count",
        ),
        ("it: {devices: [{model: X, supplies: {count: 201}}]}", "it.devices[0].supplies.count"),
        (f"it: {{feeds: [{', '.join('ABCDEFGHI')}]}}", "it.feeds"),
    ],
)
def test_lists_and_what_stands_in_them(text: str, where: str) -> None:
    assert (where, "LIMIT") in limits_of(HEAD + text)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        (
            "power: {ups: {module_rating: 500 kW, efficiency_25: 49 %, efficiency_50: 95 %,"
            " efficiency_75: 95 %, efficiency_100: 95 %}}",
            "power.ups.efficiency_25",
        ),
        (
            "power: {ups: {module_rating: 500 kW, output_power_factor: 0.49}}",
            "power.ups.output_power_factor",
        ),
        ("it: {devices: [{model: X, maximum_power: 99999999 MW}]}", "it.devices[0].maximum_power"),
        ("it: {devices: [{model: X, maximum_power: 0.0001 W}]}", "it.devices[0].maximum_power"),
        ("it: {cords: {breaker: 2000000 A}}", "it.cords.breaker"),
    ],
)
def test_powers_and_currents(text: str, where: str) -> None:
    assert (where, "OUT_OF_RANGE") in limits_of(HEAD + text)


@pytest.mark.parametrize("gpus", [1_000_000, 10_000_000, 10_000_001, 999_999_999])
@pytest.mark.parametrize("network", ["", ", network: {topology: none}"])
@pytest.mark.usefixtures("ends")
def test_more_gpus_than_a_design_is_made_for_are_refused_at_once(gpus: int, network: str) -> None:
    text = f"{HEAD}it: {{gpu_model: H100 SXM5, gpus: {gpus}{network}}}\ncooling: {{method: air}}\n"
    with pytest.raises(FacilityError) as caught:
        design(parse_project(text))
    assert (caught.value.code, caught.value.where) == ("LIMIT", "it.gpus")


def test_a_short_file_cannot_ask_for_millions_of_racks() -> None:
    text = (
        f"{HEAD}it: {{halls: [{{name: A, racks: [{{name: R, count: 50000, devices: "
        "[{model: DGX H100}]}]}]}\ncooling: {method: air}\n"
    )
    with pytest.raises(FacilityError) as caught:
        design(parse_project(text))
    assert (caught.value.code, caught.value.where) == ("LIMIT", "it.halls")
    assert "rack circuits exceed the limit of 50,000" in caught.value.message


LISTS = sorted({path for path, mark in fields(Project, "") if mark in (list, dict)})


def test_every_list_has_its_limit() -> None:
    assert [path for path in LISTS if SAID[path].max_count is None] == []


@pytest.mark.parametrize("path", LISTS)
def test_a_list_is_refused_by_its_length_before_an_entry_is_read(path: str) -> None:
    """Every entry would be a problem of its own."""
    most = SAID[path].max_count or 0
    is_mapping = (path, dict) in set(fields(Project, ""))
    entry = "{A: 1}" if is_mapping else "[]"
    many = ", ".join(f"k{n}: {entry}" if is_mapping else entry for n in range(most + 1))
    found = limits_of(document(path, f"{{{many}}}" if is_mapping else f"[{many}]"))
    places = [where for where, code in found if code == "LIMIT"]
    assert len(places) == 1
    assert not [where for where, _ in found if where.startswith(f"{places[0]}[")]


@pytest.mark.usefixtures("ends")
def test_ninety_thousand_confirmed_ids_are_refused_at_once() -> None:
    text = f"{HEAD}confirmed: [{', '.join(f'a{n}' for n in range(90_000))}]"
    assert limits_of(text) == [("confirmed", "LIMIT")]
