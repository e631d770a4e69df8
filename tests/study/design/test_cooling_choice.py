"""CDUs and chillers by result: exclusion by rules, what is stated, and where it is shown."""

from __future__ import annotations

import pytest

from facility.files.project.file import parse_project
from facility.report.tables.choices import choice_objects, choice_table
from facility.study.design.design import design
from facility.study.explained import explain_result
from tests.soak.choices import of_servers, worse_by_the_criterion
from tests.study.helpers import reference

SMALL = """\
schema_version: 1
it: {gpu_model: H100 SXM5, gpus: 32}
cooling: {method: air, plant: {heat_rejection: air_cooled, chiller: {%s}}}
"""
LARGEST = "cooling.plant.chiller.largest"


def _of(subject: str, count: int) -> list[str]:
    found = (one for one in of_servers(count).choices if one.subject == subject)
    return [one.name for choice in found for one in choice.candidates]


def test_chillers_of_four_servers_are_one_fewest_and_two_more() -> None:
    """N+1: 1, 2 and 3 on duty are 2, 3 and 4; what each carries is an even share of the load."""
    found = of_servers(4)
    choice = next(one for one in found.choices if one.subject == "chillers")
    counts = sorted(int(one.name.partition(" x ")[0]) for one in choice.candidates)
    assert counts == [2, 3, 4]
    least_w = min(one.installed_w for one in choice.candidates)
    assert choice.chosen.installed_w <= 1.1 * least_w
    assert found.cooling.counts.chillers == int(choice.chosen.name.partition(" x ")[0])
    capacity_w = found.cooling.chilled.load_w / found.cooling.chilled.duty
    assert found.cooling.chilled.capacity_w == pytest.approx(capacity_w)
    assert list(worse_by_the_criterion(found)) == []


@pytest.mark.parametrize("stated", ["largest: 40 kW", "count: 3", "capacity: 90 kW"])
def test_stated_chillers_are_no_choice(stated: str) -> None:
    found = design(parse_project(SMALL % stated))
    assert "chillers" not in {one.subject for one in found.choices}


def test_more_chillers_than_twenty_are_not_compared() -> None:
    """One more of 20 changes their share by less than the 5 % that the sizes leave."""
    assert _of("chillers", 4608 // 8) != []
    assert _of("chillers", 12500) == []


def test_the_candidates_are_explained_and_listed() -> None:
    found = of_servers(4)
    lines = "\n".join(explain_result(found, LARGEST))
    names = _of("chillers", 4)
    assert all(name in lines for name in names)
    rows = choice_objects(found.choices)
    told = [row for row in rows if row["subject"] == "chillers"]
    assert [row["candidate"] for row in told] == names
    assert [row["chosen"] for row in told] == [True, False, False]
    table = choice_table(found.choices, "si")
    assert len(list(table.rows)) == len(rows)
    # Choices by one criterion share its line.
    named = ", ".join(line.partition(":")[0] for line in table.below if line)
    assert named.split(", ") == [choice.subject for choice in found.choices]


def test_cdus_below_a_quarter_of_their_flow_are_excluded_where_others_are_not() -> None:
    """1,040 L/min: two of 1,200 have 43 %, two of 2,125 have 24 %."""
    choice = next(one for one in reference("nvl72-hall").choices if one.subject == "CDUs")
    assert choice.chosen.name == "2 x XDU1350"
    assert all("CDU-PLATE-FLOW at 25 %" in one.excluded for one in choice.candidates[1:])
    assert len(choice.candidates) == 2
    lines = explain_result(reference("nvl72-hall"), "cooling.cdu.model")
    assert any("not selected: 2 x CHx2000" in line for line in lines)
