"""Answer to the questions of a new project, calculated by a worker."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import lru_cache

from facility.core.check import counted
from facility.core.errors import FacilityError
from facility.core.table import Results, Value
from facility.core.trace import Trace
from facility.files.project.file import dump_project
from facility.report.objects.designed import DesignedValue, designed
from facility.report.tables.verdict import VerdictLine, verdict_of
from facility.study.annual.study import annual
from facility.study.brief.alternatives import COOLING, possible
from facility.study.brief.brief import Brief, begun, fitted, read_amount
from facility.study.brief.site import distance_warning
from facility.study.design.design import Design, design
from facility.study.resolve.facility import resolve
from facility.ui.memory import spool

FURTHER = {
    "site.tariff": "Energy price",
    "criteria.code": "Code",
    "site.utility_voltage": "Utility voltage",
    "power.battery.autonomy": "Battery autonomy",
    "cooling.supply_air": "Supply air",
    "cooling.plant.heat_rejection": "Heat rejection",
}
"""Fields with defaults that can be stated with the answers, with their labels."""
_FIGURES = (
    "load.it",
    "load.racks",
    "load.racks.compute",
    "load.gpus",
    "load.facility",
    "utility.current",
    "utility.voltage",
    "utility.demand_kva",
    "pue.annual",
    "pue.estimate",
    "pue.design",
    "ups.modules",
    "ups.module_rating",
    "ups.loading_failure",
    "heat.liquid",
    "heat.room",
    "cdu.count",
    "crah.count",
    "plant.chiller_count",
    "transformer.count",
    "transformer.rating_kva",
    "cost.month_estimate",
    "generator.count",
)
_SCHEMES = ("2N", "N+1", "3N/2", "2(N+1)")
_COMPARED = ("ups.modules", "ups.module_rating", "load.facility", "transformer.count")


@dataclass(frozen=True)
class BriefAnswer:
    """The project that answers begin, and its figures."""

    text: str  # Project file
    results: Mapping[str, Value]
    used: Mapping[str, str]  # Value in use of a question or field, as it is entered
    limits: tuple[str, ...]  # Use of the limits as sentences
    warning: str  # Distance of the weather record
    assumptions: int  # Number of defaults in use


@dataclass(frozen=True)
class GoalAnswer:
    """Checks of a new project, and the power redundancy that meets its goal."""

    counts: Mapping[str, int]  # Checks by result word
    unmet: tuple[str, ...]  # Goals not met, with the reason
    scheme: str  # Redundancy that meets all of them; empty if none does
    before: Mapping[str, Value]
    after: Mapping[str, Value]


def entries_text(brief: Brief, limits: Mapping[str, str]) -> str:
    """Return answers and limits as the text of a job."""
    return json.dumps({"brief": asdict(brief), "limits": dict(limits)})


def _entries(text: str) -> tuple[Brief, dict[str, str]]:
    found = json.loads(text)
    return Brief(**{**found["brief"], "sets": tuple(found["brief"]["sets"])}), found["limits"]


def answer(text: str, tell: Callable[[int], None]) -> BriefAnswer:
    """Return the answer to the entries of `entries_text`.

    tell: Receives the number of sizes evaluated, if the largest cluster is searched.

    Raises ``WEATHER_SITE`` for a weather file that was not uploaded, and as `begun` and `fitted`.
    """
    brief, limits = _entries(text)
    if brief.weather.lower().endswith((".epw", ".csv", ".gz")) and not spool.has(brief.weather):
        raise FacilityError(
            "WEATHER_SITE",
            "weather",
            f"the weather file {brief.weather[:60]!r} is not uploaded.",
            "Upload it above, or enter a station or design dry and wet bulb.",
        )
    if brief.size and read_amount(brief.size)[1] == "racks":
        count = int(read_amount(brief.size)[0]) * _servers_per_rack(
            replace(brief, size="1 servers")
        )
        brief = replace(brief, size=f"{count} servers")
    if any(limits.values()) or (brief.size and read_amount(brief.size)[1] == "power"):
        fit = fitted(brief, limits, spool.folder(), tell)
        uses = [f"{one.title}: {one.use} of {one.limit} ({one.share:.1%})" for one in fit.uses]
        uses.append(fit.words)
        uses += [f"Not included in the capital cost: {fit.unpriced}"] if fit.unpriced else []
        return _described(fit.design, tuple(uses))
    return _described(design(begun(brief, spool.folder())), ())


@lru_cache(maxsize=32)
def _servers_per_rack(brief: Brief) -> int:
    """Return the servers of a rack, once for briefs that differ only in their number of racks."""
    trace = Trace()
    resolve(begun(brief, spool.folder()), trace)
    return int(trace.value("it.compute.per_rack"))


def _described(new_design: Design, limits: tuple[str, ...]) -> BriefAnswer:
    results = new_design.results
    with suppress(FacilityError):  # Design temperatures only: no hourly weather
        results = results | annual(new_design).results
    chain, cooling = new_design.facility.power, designed(new_design, COOLING, "si")
    used = {
        "location": new_design.facility.site.place.partition(" (")[0],
        "power": chain.scheme.name,
        "cooling": "" if cooling is None else cooling.text,
        "voltage": chain.wiring.rack_system,
    }
    for path in FURTHER:
        one = designed(new_design, path, "si")
        used[path] = "" if one is None else _entry(one)
    return BriefAnswer(
        dump_project(new_design.project),
        {key: results[key] for key in _FIGURES if key in results},
        {name: text for name, text in used.items() if text},
        limits,
        distance_warning(new_design.facility.site.record),
        len(list(new_design.ledger)),
    )


def _entry(value: DesignedValue) -> str:
    """Return a value in use as it is entered: minutes for seconds, kV for medium voltage."""
    number, _, unit = value.text.replace(",", "").partition(" ")
    if unit == "s":
        return value.reading
    if unit == "V" and float(number) >= 1e3:
        return f"{float(number) / 1e3:g} kV"
    return f"{number} {unit}".strip()


def change(text: str) -> Brief | None:
    """Return the answers with one change that makes them feasible; None if not found."""
    brief, _ = _entries(text)
    found = possible(brief, spool.folder())
    return None if found is None else found[0]


def goal_of(new_design: Design, tell: Callable[[int], None]) -> GoalAnswer:
    """Return counts of the checks of a design, and the redundancy that meets its goal.

    tell: Receives the number of designs evaluated; may raise to end the search.
    """
    checks = new_design.checks
    unmet = _unmet(verdict_of(checks))
    found = _meeting(new_design, tell) if unmet else None
    return GoalAnswer(
        counted(checks),
        tuple(f"{one.title}: {one.because.partition(';')[0]}" for one in unmet),
        "" if found is None else found.facility.power.scheme.name,
        _compared(new_design.results),
        {} if found is None else _compared(found.results),
    )


def _meeting(new_design: Design, tell: Callable[[int], None]) -> Design | None:
    """Return the first design with another power redundancy that meets all goals."""
    before = counted(new_design.checks)["VIOLATION"]
    goal = new_design.project.criteria.redundancy_goal
    order = dict.fromkeys([*([goal] if goal else []), *_SCHEMES])
    order.pop(new_design.facility.power.scheme.name, None)
    for number, scheme in enumerate(order, 1):
        tell(number)
        try:
            after = design(new_design.project.with_({"power.redundancy": scheme}))
            # One that breaks a rule instead is no way to meet a goal.
            violations = counted(after.checks)["VIOLATION"]
            if violations <= before and not _unmet(verdict_of(after.checks)):
                return after
        except FacilityError:
            continue
    return None


def _unmet(lines: tuple[VerdictLine, ...]) -> list[VerdictLine]:
    return [one for one in lines if one.required and one.outcome == "not met"]


def _compared(results: Results) -> dict[str, Value]:
    return {key: results[key] for key in _COMPARED if key in results}
