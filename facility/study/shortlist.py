"""Alternative catalogue models for a unit of the design, each evaluated in the design.

No sizing is done here: each model in turn is specified in the project, which is then designed; the
result has its number of units, their loading and the PUE.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from facility.catalogue import table
from facility.core.check import Outcome, Severity
from facility.core.errors import FacilityError
from facility.core.rounding import rounded
from facility.model.inputs.document import Project
from facility.model.inputs.entries import with_entries
from facility.study.design.design import Design, design


@dataclass(frozen=True)
class Choice:
    """A unit type selectable from the catalogue, with its field and results."""

    title: str
    field: str  # Field of the project that names its model
    table: str  # Table of the catalogue with its models
    count: str  # Result with the installed units; the duty units are in `.duty`
    rules: tuple[str, ...]  # Checks of its loading after the designed failure
    others: tuple[str, ...]  # Fields that state the unit otherwise: cleared for a model


CHOICES = (
    Choice(
        "UPS module", "power.ups.model", "equipment/ups", "ups.modules",
        ("UPS-LOADING-FAILURE", "UPS-KVA"),
        ("power.ups.module_rating", "power.ups.module_rating_kva", "power.ups.modules_per_system"),
    ),
    Choice(
        "CDU", "cooling.cdu.model", "equipment/cdu", "cdu.count",
        ("CDU-FLOW", "CDU-FWS-FLOW", "CDU-APPROACH"),
        ("cooling.cdu.count", "cooling.cdu.rating"),
    ),
    Choice(
        "Chiller", "cooling.plant.chiller.model", "equipment/chillers", "plant.chiller_count",
        ("CHILLER-CAPACITY",), ("cooling.plant.chiller.capacity", "cooling.plant.chiller.count"),
    ),
    Choice(
        "CRAH", "cooling.crah.model", "equipment/crah_crac", "crah.count",
        ("CRAH-CAPACITY", "CRAH-AIRFLOW"), ("cooling.crah.count", "cooling.crah.rating"),
    ),
    Choice(
        "Generator set", "power.generator.model", "equipment/generators", "generator.count",
        ("GENERATOR-CAPACITY", "GENERATOR-KVA"),
        ("power.generator.rating", "power.generator.rating_kva", "power.generator.count"),
    ),
)  # fmt: skip
"""Units of the catalogue that a project may name."""


@dataclass(frozen=True)
class Candidate:
    """A catalogue model evaluated in the design, or the reason why it is rejected."""

    model: str
    source: str
    refused: str = ""  # Code and message if the project cannot be designed with it
    count: int = 0  # Installed units
    duty: int = 0  # Duty units
    # Load relative to the permitted load: all units in service, and after design failure.
    normal: float | None = None
    failure: float | None = None
    pue: float = 0.0  # At the design hour
    violations: int = 0  # Among the sizing checks

    @property
    def margin(self) -> float | None:
        """Margin to the permitted loading after design failure."""
        return None if self.failure is None else 1.0 - self.failure


def offered(found: Design) -> tuple[Choice, ...]:
    """Return the choices with installed units in a design."""
    return tuple(c for c in CHOICES if c.count in found.results and found.results[c.count].si)


def changes(choice: Choice, model: str) -> dict[str, str]:
    """Return the project inputs that select a model, by path."""
    return {**dict.fromkeys(choice.others, ""), choice.field: model}


def shortlist(project: Project, choice: Choice) -> Iterator[Candidate]:
    """Yield every catalogue model as evaluated in the design.

    project: Project whose unit is to be chosen.
    """
    for row in table(choice.table).rows:
        model, source = row.text("model"), f"{row.text('source')}, {row.verified}"
        try:
            found = design(with_entries(project, changes(choice, model)))
        except FacilityError as error:
            yield Candidate(model, source, f"{error.code}: {error.message}")
        else:
            yield _option(found, choice, model, source)


def best_first(options: Iterable[Candidate]) -> list[Candidate]:
    """Return the options by fewest violations, then lowest PUE, then fewest units."""
    return sorted(options, key=lambda o: (bool(o.refused), o.violations, rounded(o.pue), o.count))


def models(choice: Choice) -> int:
    """Return the number of models in the catalogue."""
    return len(table(choice.table).rows)


def _option(found: Design, choice: Choice, model: str, source: str) -> Candidate:
    count = int(float(found.results[choice.count].si))
    needed = found.results.get(f"{choice.count}.duty")
    duty = count if needed is None else int(float(needed.si))
    loads = [
        check.value / check.limit
        for check in found.sizing_checks
        if check.rule in choice.rules and check.kind != "count" and check.value and check.limit
    ]
    failure = max(loads, default=None)
    against = sum(
        check.outcome is Outcome.FAIL and check.severity is Severity.VIOLATION
        for check in found.sizing_checks
    )
    return Candidate(
        model=model,
        source=source,
        count=count,
        duty=duty,
        normal=None if failure is None or not count else failure * duty / count,
        failure=failure,
        pue=float(found.results["pue.design"].si),
        violations=against,
    )
