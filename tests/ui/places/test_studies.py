"""Each study opens with a result for the project; its list says how it stands."""

from __future__ import annotations

import pytest

from facility.files.project.file import example_names
from facility.study.failures.study import failures
from tests.ui.helpers import (
    COMPARE,
    FAILURES,
    LOAD,
    RANGES,
    RIDE,
    SCENARIOS,
    SWEEP,
    YEAR,
    View,
    assert_sound,
    choose,
    design_with,
    frames,
    go,
    listed,
    metrics,
    opened,
    pick,
    run_until,
)

_WITHOUT_NUMBERS = (RANGES, SCENARIOS, SWEEP)


@pytest.mark.parametrize(
    "study", [YEAR, FAILURES, RIDE, RANGES, COMPARE, SCENARIOS, SWEEP, LOAD], ids=lambda one: one[1]
)
@pytest.mark.parametrize("example", example_names())
def test_every_study_opens_with_a_result(example: str, study: View) -> None:
    at = opened()
    choose(at, "Example", example)
    go(at, study)
    assert_sound(at)
    if study == SWEEP:
        run_until(at, lambda page: bool(frames(page)))
    assert not at.error
    assert frames(at)
    assert metrics(at) or study in _WITHOUT_NUMBERS
    rows = {row["id"]: row for row in listed(at, "Studies")[0]["rows"]}
    assert rows[study[1]]["text"]
    assert rows[study[1]]["remark"] not in ("Not run", "Running")


def test_failures_are_those_of_the_study_and_one_opens_in_the_list() -> None:
    at, found = opened(), failures(design_with())
    go(at, FAILURES)
    numbers = metrics(at)
    assert numbers["Outages simulated"] == f"{found.outages:,}"
    assert numbers["Outages that drop IT load"] == "None"
    assert numbers["Highest loading"] == found.results["loading.max"].shown()
    (row,) = (row for row in listed(at, "Studies")[0]["rows"] if row["id"] == "failures")
    assert (row["text"], row["remark"]) == (
        f"{found.outages:,} outages, none drops load",
        "Up to date",
    )
    pick(at, "ride-through", "Studies")
    assert "Failures without overheating" in metrics(at)
