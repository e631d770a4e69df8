"""Columns of a schedule: sides, the form of header and foot, and the widths fit together."""

from __future__ import annotations

import ast
import re

import pytest

from facility.report.book.panels.columns import (
    FORM,
    LEFT,
    PHASE,
    RIGHT,
    SCHEDULE,
    WAY,
    WAYS,
    Form,
    ScheduleColumn,
    widths,
)
from tests.tools.source_tree import ROOT


def test_the_right_side_mirrors_the_left() -> None:
    assert {LEFT.at[key] + RIGHT.at[key] for key in LEFT.at} == {2 * PHASE}
    taken = [*LEFT.at.values(), *range(LEFT.va, LEFT.va + 3), PHASE]
    taken += [*range(RIGHT.va, RIGHT.va + 3), *RIGHT.at.values()]
    assert sorted(taken) == [*range(1, 2 * PHASE)]


@pytest.mark.parametrize(
    ("single", "last"), [(False, RIGHT.at["ckt"]), (True, max(WAY.values()) + 1)]
)
def test_the_form_covers_every_column_once(single: bool, last: int) -> None:
    spans = [Form(single).span(1, column, 1, column) for column in range(1, FORM + 1)]
    covered = [n for span in spans for n in range(span.left, span.right + 1)]
    assert covered == [*range(1, last + 1)]
    assert len(list(widths(2, single=single))) == last


def test_the_column_in_the_guide_has_the_fields_of_a_column() -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"`(ScheduleColumn\(.*\)),`", guide)
    call = ast.parse(line, mode="eval").body
    assert isinstance(call, ast.Call)
    fields = [*ScheduleColumn._fields[: len(call.args)], *(word.arg for word in call.keywords)]
    given = dict(zip(fields, (*call.args, *(word.value for word in call.keywords)), strict=True))
    assert set(given) <= {*ScheduleColumn._fields}
    assert {*ScheduleColumn._fields} - set(given) <= {*ScheduleColumn._field_defaults}
    assert isinstance(given["widths"], ast.Tuple)
    assert isinstance(given["of"], ast.Lambda)


def test_headings_and_keys_differ() -> None:
    keys = [column.key for column in (*SCHEDULE, *WAYS)]
    assert len({*keys}) == len(keys)
