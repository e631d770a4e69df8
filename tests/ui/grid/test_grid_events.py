"""Events of the browser, each once, and what the browser receives."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping

import numpy as np
import pytest

from facility.ui.grid.component import body_of, new_events
from facility.ui.grid.model import (
    Added,
    Asked,
    CellMark,
    Edited,
    Event,
    Folded,
    GridColumn,
    GridContents,
    Moved,
    Removed,
    RowValues,
    Selected,
    Sought,
)

EVENTS: list[tuple[Mapping[str, object], Event | None]] = [
    ({"kind": "edit", "cells": [["r1", "power", "5,5 kW"]]}, Edited([("r1", "power", "5,5 kW")])),
    ({"kind": "add", "rows": [{"id": "x", "cells": {"a": "1"}}]}, Added([("x", {"a": "1"})])),
    ({"kind": "remove", "ids": ["r1", "r2"]}, Removed(["r1", "r2"])),
    ({"kind": "move", "id": "r1", "key": "a", "rows": -1, "columns": 0}, Moved("r1", "a", -1, 0)),
    ({"kind": "why", "id": "r1", "key": "a"}, Asked("r1", "a")),
    ({"kind": "select", "id": "r1"}, Selected("r1")),
    ({"kind": "open", "id": "r1"}, Folded("r1", is_open=True)),
    ({"kind": "shut", "id": "r1"}, Folded("r1", is_open=False)),
    ({"kind": "find", "text": "ups"}, Sought("ups")),
    ({"kind": "edit", "cells": [["r1", "power"]]}, None),
    ({"kind": "move", "id": "r1", "key": "a", "rows": "up", "columns": 0}, None),
    ({"kind": "other"}, None),
    ({}, None),
]


@pytest.mark.parametrize(("sent", "event"), EVENTS)
def test_an_event_is_read_or_is_none(sent: Mapping[str, object], event: Event | None) -> None:
    assert new_events({"client": "c", "events": [{**sent, "n": 1}]}, {}) == ("c", [(1, event)])


def test_an_event_that_is_repeated_is_handled_once() -> None:
    outbox = {"client": "c", "events": [{"n": n, "kind": "find", "text": str(n)} for n in (3, 4)]}
    assert new_events(outbox, {"c": 3}) == ("c", [(4, Sought("4"))])
    assert new_events(outbox, {"c": 4}) == ("c", [])
    assert len(new_events(outbox, {"another": 9})[1]) == 2


@pytest.mark.parametrize("outbox", [None, [], "x", {"events": 1}, {"events": [1, {"n": "1"}]}])
def test_what_is_no_outbox_has_no_events(outbox: object) -> None:
    assert new_events(outbox, {})[1] == []


def test_a_body_has_values_by_column_and_only_what_is_marked() -> None:
    columns = [GridColumn("a", "Name"), GridColumn("b", "Power", "number", unit="kW")]
    marks = {"b": CellMark(error="No power.", text="x", was="")}
    grid = GridContents(
        "Racks", columns, [RowValues("1", ("R1", 2.5)), RowValues("2", ("R2", None), marks)]
    )
    assert json.loads(body_of(grid)) == {
        "ids": ["1", "2"],
        "cells": [["R1", "R2"], [2.5, None]],
        "texts": {},
        "marks": {"1": {"1": {"error": "No power.", "text": "x", "was": ""}}},
    }
    assert json.loads(body_of(GridContents("Racks", columns, [])))["cells"] == [[], []]


def test_many_numbers_are_sent_as_bytes() -> None:
    values = [None, *np.linspace(0.1, 9.9, 999)]
    rows = [RowValues(str(n), (value,)) for n, value in enumerate(map(float, values[1:]))]
    grid = GridContents(
        "Numbers", [GridColumn("a", "Number", "number")], [RowValues("none", (None,)), *rows]
    )
    (sent,) = json.loads(body_of(grid))["cells"]
    found = np.frombuffer(base64.b64decode(sent), "<f8")
    np.testing.assert_array_equal(found[1:], values[1:])
    assert np.isnan(found[0])
