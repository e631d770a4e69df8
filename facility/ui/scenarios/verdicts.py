"""The verdict on each scenario, from all its studies, which run beside the page."""

from __future__ import annotations

from dataclasses import dataclass

from facility.core.check import Check, counted
from facility.files.project.file import dump_project
from facility.report.scenarios.tables import refusal
from facility.report.tables.verdict import buildable
from facility.study.design.design import Design
from facility.study.parts import checks_with, is_known
from facility.study.scenarios import Scenario, Scenarios
from facility.study.studies import PARTS
from facility.study.sweep.studies import STUDIES
from facility.ui.work import runs

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
    text = dump_project(design.project)
    found: dict[str, tuple[Check, ...]] = {}
    going, failed = 0, 0
    for name in PARTS:
        if is_known(design, name):
            found[name] = STUDIES[name](design).checks
            continue
        run = runs.ask(f"checks of {name}", text, place=place)
        if run.state == "done":
            found[name] = run.checks
        elif run.state in ("waiting", "running"):
            going += 1
        else:
            failed += 1
    checks = checks_with(design, found)
    if not going and not failed:
        return Told(buildable(checks))
    against = counted(checks)["VIOLATION"]
    so_far = f"No: {against} so far; " if against else ""
    left = f"{going} studies are running" if going else f"{failed} studies could not be run"
    return Told(so_far + left, bool(going))
