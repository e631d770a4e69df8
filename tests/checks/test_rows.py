"""Every path of a rule that compares two figures leads to a figure of its unit.

A row names attributes as text, so no type checker sees them.
"""

from __future__ import annotations

import importlib
import re
from functools import cache, cached_property
from string import Formatter
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest

from facility.core.check import FigureComparison, rules_of
from facility.core.kinds import KINDS
from tests.tools.source_tree import sources

UNITS = {
    "active_power": "_w", "air_flow": "_m3_s", "apparent_power": "_va", "current": "_a",
    "dc_voltage": "_v", "heat_flow": "_w", "line_voltage": "_v", "liquid_flow": "_m3_s",
    "pressure": "_pa", "temperature": "_c", "temperature_difference": "_k", "time": "_s",
}  # fmt: skip
"""How a name ends by the kind of its quantity; those of other kinds have no unit."""
ROWS = [row for wing in ("power", "cooling", "study") for row in rules_of(f"facility.{wing}").rows]


@cache
def _class(name: str) -> type:
    """Return the class of the package with a name, which the house has once."""
    (home,) = [
        module
        for module, _, text in sources()
        if re.search(rf"^class {name}\b", text, re.MULTILINE)
    ]
    found: type = getattr(importlib.import_module(home), name)
    return found


def _types(hint: Any) -> list[Any]:
    parts = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    return [part for part in parts if part is not type(None)]


def _type(of: type, path: str) -> Any:
    """Return the type at a path, None left out."""
    found: Any = of
    for name in path.split("."):
        found = _types(found)[0]
        member = getattr(found, name, None)
        if isinstance(member, property):
            found = get_type_hints(member.fget)["return"]
        elif isinstance(member, cached_property):
            found = get_type_hints(member.func)["return"]
        else:
            found = get_type_hints(found)[name]
    return found


def _of_unit(path: str, kind: str) -> bool:
    known = tuple(UNITS.values())
    return path.endswith(UNITS[kind]) if kind in UNITS else not path.endswith(known)


def _texts(row: FigureComparison) -> str:
    return " ".join((row.subject, row.reason, row.unknown))


@pytest.mark.parametrize(("rule", "row"), ROWS, ids=[f"{r.id} {c.per}" for r, c in ROWS])
def test_a_row_compares_two_figures_that_exist(rule: Any, row: FigureComparison) -> None:
    of = _class(row.per)
    for path in (row.value, row.limit):
        if path:
            assert _types(_type(of, path))[0] in (int, float), path
            assert _of_unit(path, row.kind), f"{path} is no {row.kind}"
    if row.applies:
        assert _type(of, row.applies)
    for _, name, spec, conversion in Formatter().parse(_texts(row)):
        if name is not None:
            assert _type(of, name), name
            assert conversion is None, name
            assert spec not in KINDS or _of_unit(name, spec), name


@pytest.mark.parametrize("path", ["design.ups.modulles", "flow.ups.normal", "chain"])
def test_a_path_that_leads_nowhere_is_found(path: str) -> None:
    with pytest.raises((AttributeError, KeyError)):
        _type(_class("PowerHour"), path)
