"""The verdict on each scenario, from all its studies, which run beside the page."""

from __future__ import annotations

from dataclasses import dataclass

from facility.core.check import counted
from facility.files.project.file import dump_project
from facility.report.scenarios.tables import refusal
from facility.report.tables.verdict import buildable
from facility.study.design.design import Design
from facility.study.scenarios import Scenario, Scenarios
from facility.ui.checks.gathered import gather

NOT_RUN = "not run"


@dataclass(frozen=True)
class Told:
    """What is known of the verdict on one design."""

    words: str
    going: bool = False  # Whether more comes by itself


def asked(found: Scenarios) -> list[Told]:
    """Return the verdicts on the project and on each scenario; ask for what is not known."""
    return [
        _of(found.base, "scenarios, project"),
        *(_on(one) for one in found.scenarios),
    ]


def not_run(found: Scenarios) -> list[Told]:
    """Return that no verdict has been asked for, and why scenarios were refused."""
    return [Told(NOT_RUN), *(Told(refusal(one) or NOT_RUN) for one in found.scenarios)]


def _on(one: Scenario) -> Told:
    return Told(refusal(one)) if one.design is None else _of(one.design, f"scenario {one.name}")


def _of(design: Design, place: str) -> Told:
    now = gather(design, dump_project(design.project), place)
    if now.whole:
        return Told(buildable(now.checks))
    against, going = counted(now.checks)["VIOLATION"], len(now.going)
    so_far = f"No: {against} so far; " if against else ""
    left = (
        f"{going} studies are running"
        if going
        else f"{len(now.stopped) + len(now.failed)} studies could not be run"
    )
    return Told(so_far + left, bool(going))
