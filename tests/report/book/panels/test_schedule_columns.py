"""Columns of a schedule: sides, the form of header and foot, and the widths fit together."""

from __future__ import annotations

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
    widths,
)


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


def test_headings_and_keys_differ() -> None:
    keys = [column.key for column in (*SCHEDULE, *WAYS)]
    assert len({*keys}) == len(keys)
