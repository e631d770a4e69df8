"""What a study says does not depend on what was asked of the design before it."""

from __future__ import annotations

from facility.files.project.file import parse_project
from facility.study.design.design import design
from facility.study.failures.study import failures
from facility.study.transient.study import transient
from tests.soak.projects import project_text


def test_outages_and_ride_through_are_the_same_in_either_order() -> None:
    project = parse_project(project_text(212, 500))
    one, other = design(project), design(project)
    before, followed = failures(one), transient(one)
    again, after = transient(other), failures(other)
    assert [state.worst_loading for state in before.states] == [
        state.worst_loading for state in after.states
    ]
    assert before.results == after.results
    assert [case.case.power for case in followed.cases] == [case.case.power for case in again.cases]
