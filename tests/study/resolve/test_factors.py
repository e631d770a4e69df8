"""A `factor` is declared in its section and read by its machine; nothing between names it."""

from __future__ import annotations

import ast

from facility.core.trace import Trace
from facility.model.inputs.cooling.air import CrahSection
from facility.model.inputs.declare import leaves
from facility.model.inputs.document import Project
from facility.study.resolve.reader import Reader
from tests.tools.source_tree import sources

FACTORS = [entry for entry in leaves(Project) if entry.declared.factor]


def _read_by_machines() -> set[object]:
    """Return the names in ``....factors["name"]``, which no type checker sees."""
    return {
        node.slice.value if isinstance(node.slice, ast.Constant) else ast.unparse(node)
        for _, _, text in sources()
        if "factors[" in text
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Attribute)
        and node.value.attr == "factors"
    }


def test_what_machines_read_is_declared_and_what_is_declared_is_read() -> None:
    assert _read_by_machines() == {entry.path.rpartition(".")[2] for entry in FACTORS}


def test_a_factor_has_no_unit_and_a_number_as_its_default() -> None:
    for entry in FACTORS:
        assert entry.kind in ("ratio", "fraction"), entry.path
        assert entry.declared.default is not None, entry.path
        assert isinstance(entry.declared.default.value, float), entry.path


def test_a_section_hands_over_what_is_stated_and_notes_what_is_not() -> None:
    trace = Trace()
    stated = CrahSection.model_validate({"least_fan_flow": "40 %"})
    assert Reader(stated, "cooling.crah", trace).factors()["least_fan_flow"] == 0.4
    assert "cooling.crah.least_fan_flow" not in trace.ledger
    assert Reader(CrahSection(), "cooling.crah", trace).factors()["least_fan_flow"] == 0.3
    assert "cooling.crah.least_fan_flow" in trace.ledger
