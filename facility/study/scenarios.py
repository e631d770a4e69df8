"""Scenarios: results of one project with alternative inputs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from facility.core.check import Check, counted
from facility.core.errors import FacilityError
from facility.core.table import Value
from facility.model.inputs.change import normal_path
from facility.model.inputs.document import Project
from facility.study.design.design import Design, design

MAX_SCENARIOS = 6
"""Maximum number of scenarios compared with a project."""
_FIGURES = (
    "load.it", "load.facility", "pue.annual", "pue.estimate", "pue.design", "energy.annual",
    "energy.annual_estimate", "cost.month_estimate", "cost.annual", "water.annual",
    "carbon.annual", "ups.modules", "ups.loading_failure", "generator.count",
    "plant.chiller_count", "load.racks",
)  # fmt: skip
VIOLATIONS, WARNINGS = "checks.violations", "checks.warnings"
"""Keys of the number of failed checks of all studies, by severity."""
_ESTIMATES = ("pue.estimate", "energy.annual_estimate")
"""Results listed only if a design has no hours of weather."""
FLOOR = "floor.halls"
"""Key of the floor of all halls together."""
_HALL = re.compile(r"it\.hall\.\d+\.floor_area")


@dataclass(frozen=True, eq=False)
class Scenario:
    """The project with some inputs changed."""

    name: str
    changes: Mapping[str, str]  # Text by path; empty to let the design size the field
    design: Design | None  # None if it failed
    checks: tuple[Check, ...] = ()  # Of all its studies
    error: FacilityError | None = None  # Reason of the failure


@dataclass(frozen=True)
class ScenarioFigure:
    """One result of the project and of every scenario."""

    key: str
    kind: str
    base: float | None  # In SI; None if the project has none
    values: tuple[float | None, ...]  # Of each scenario, in their order

    def change(self, index: int) -> float | None:
        """Return the difference of a scenario from the project; None if either has no value."""
        value = self.values[index]
        return None if value is None or self.base is None else value - self.base


@dataclass(frozen=True, eq=False)
class Scenarios:
    """A project and its scenarios."""

    base: Design
    checks: tuple[Check, ...]  # Of all studies of the project
    scenarios: tuple[Scenario, ...]

    @property
    def paths(self) -> tuple[str, ...]:
        """The fields changed by any scenario, in order of first change."""
        return tuple(dict.fromkeys(path for one in self.scenarios for path in one.changes))

    @property
    def figures(self) -> tuple[ScenarioFigure, ...]:
        """Numbers of failed checks, and each result that the project or a scenario has."""
        base = _found(self.base, self.checks)
        designs = [self.base, *(one.design for one in self.scenarios if one.design is not None)]
        left_out = _ESTIMATES if all(one.year is not None for one in designs) else ()
        found = [
            {} if one.design is None else _found(one.design, one.checks) for one in self.scenarios
        ]
        listed = []
        for key in (VIOLATIONS, WARNINGS, *_FIGURES, FLOOR):
            known = [value for one in (base, *found) if (value := one.get(key)) is not None]
            kinds = dict.fromkeys(value.kind for value in known if key not in left_out)
            for kind in kinds:  # several where the currencies differ
                values = tuple(_number(one.get(key), kind) for one in found)
                listed.append(ScenarioFigure(key, kind, _number(base.get(key), kind), values))
        return tuple(listed)


def scenarios(
    project: Project,
    changed: Mapping[str, Mapping[str, str]],
    make: Callable[[Project], Design] = design,
) -> Scenarios:
    """Return a project and its scenarios, each with its own changed inputs.

    project: The common base.
    changed: Changed inputs by path, by scenario name; an empty text lets the design size the field.
        A scenario that fails includes the reason.
    make: Function that designs a project.

    Raises ``SCENARIOS_MANY`` for more than `MAX_SCENARIOS`, and the errors of the base project.
    """
    if len(changed) > MAX_SCENARIOS:
        raise FacilityError(
            "SCENARIOS_MANY",
            "scenarios",
            f"{len(changed)} scenarios are requested; the maximum is {MAX_SCENARIOS}.",
            "Compare fewer scenarios, or vary the fields with facility sweep.",
        )
    listed = [_scenario(project, name, changes, make) for name, changes in changed.items()]
    base = make(project)
    return Scenarios(base, base.checks, tuple(listed))


def _scenario(
    project: Project, name: str, changes: Mapping[str, str], make: Callable[[Project], Design]
) -> Scenario:
    plain = {normal_path(path): text for path, text in changes.items()}
    try:
        made = make(project.with_(plain))
        return Scenario(name, plain, made, made.checks)
    except FacilityError as error:
        return Scenario(name, plain, None, error=error)


def _found(design: Design, checks: Iterable[Check]) -> Mapping[str, Value]:
    year = {} if design.year is None else design.year.results
    floors = [step.value for step in design.trace if _HALL.fullmatch(step.id)]
    floor = {FLOOR: Value(sum(floors), "area")} if floors else {}
    counts = counted(checks)
    failed = {VIOLATIONS: counts["VIOLATION"], WARNINGS: counts["WARNING"]}
    numbers = {key: Value(count, "count") for key, count in failed.items()}
    return {**numbers, **design.results.values_by_key, **year, **floor}


def _number(value: Value | None, kind: str) -> float | None:
    """Return a number of the given kind; None for another kind, e.g. another currency."""
    return None if value is None or value.kind != kind else float(value.si)


def named(texts: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return changes by name of scenarios, each written as ``name: path=value; path=value``.

    Raises ``SCENARIO_TEXT`` for any other text, and for a repeated name.
    """
    found: dict[str, dict[str, str]] = {}
    for text in texts:
        name, _, rest = (part.strip() for part in text.partition(":"))
        parts = [part for part in rest.split(";") if part.strip()]
        if not name or name in found or not parts or any("=" not in part for part in parts):
            raise FacilityError(
                "SCENARIO_TEXT",
                "--scenario",
                f"{text[:80]!r} is not a valid scenario, or repeats a name.",
                "Write name: path=value; path=value, e.g. 'two paths: power.redundancy=2N'.",
            )
        pairs = (part.partition("=") for part in parts)
        found[name] = {path.strip(): value.strip() for path, _, value in pairs}
    return found
