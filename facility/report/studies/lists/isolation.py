"""Presentation of isolations: one target step by step, or one row for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from facility.core.table import Results, Value
from facility.core.views import System
from facility.report.book.distribution.isolation import (
    HAZARDS,
    LOADS,
    POINTS,
    STEPS,
    SUMMARY,
    exposed_loads,
    facts,
)
from facility.report.sheet.grid import TextTable
from facility.report.studies.protocol import Object, OfDesign
from facility.study.isolation.safety import CLAUSES
from facility.study.isolation.study import PLANNING_AID, Isolation

_SHOWN = 12
_NOT_LISTED = ("rack-pdu", "load")
_LIMITS = (
    "Steady state after every step, with overloads; switching transients, interlocks and protection"
    " settings are not evaluated. A connection without a circuit is bolted in the model; output"
    " devices of a UPS and its bypasses are switched with the unit. Clause numbers are"
    f" recalled ({CLAUSES}); compare them with the edition in force."
)


@dataclass(frozen=True)
class IsolationReport(OfDesign):
    """One isolation; `full` prints all loads exposed."""

    found: Isolation
    full: bool = False
    verb = "isolation"

    @property
    def title(self) -> str:
        """Name of the project, and the target."""
        return f"{self.design.title}: isolation of {self.found.tag} ({self.found.kind})"

    @property
    def results(self) -> Mapping[str, object]:
        """Number of steps and points, the final state, and the load exposed."""
        found, end = self.found, self.found.end
        return Results(
            {
                "isolation.tag": Value(found.tag),
                "isolation.steps": Value(len(found.steps), "count"),
                "isolation.points": Value(len(found.points), "count"),
                "isolation.dead": Value(found.dead),
                "isolation.stopped": Value(found.stopped),
                "isolation.load_dropped": Value(end.dropped_w, "active_power"),
                "isolation.loads_dropped": Value(len(end.racks), "count"),
                "isolation.load_not_redundant": Value(end.not_redundant_w, "active_power"),
                "isolation.load_without_ups": Value(end.unprotected_w, "active_power"),
                "isolation.load_on_generators": Value(end.generator_w, "active_power"),
                "isolation.load_dropped_utility_lost": Value(
                    found.utility_lost.dropped_w, "active_power"
                ),
                "isolation.loads_not_redundant": Value(len(end.not_redundant), "count"),
            }
        ).as_json()

    def lists(self) -> Mapping[str, Sequence[Object]]:
        """Return steps, restoring steps, points, tests, hazards and exposed loads."""
        found = self.found
        return {
            "steps": STEPS.objects(found.steps),
            "restoring": STEPS.objects(found.restoring),
            "points": POINTS.objects(found.points),
            "tests": [{"point": text} for text in found.tests],
            "hazards": HAZARDS.objects(found.hazards),
            "loads": LOADS.objects(exposed_loads(found)),
        }

    def opening(self) -> Iterator[str]:
        """Return the effect of the isolation."""
        yield from ("", *facts(self.found))

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return steps, restoring, points, tests, hazards, loads."""
        found = self.found
        clauses = dict.fromkeys(f"{s.phase}: {s.clause}" for s in found.steps if s.clause)
        yield STEPS.text(found.steps, system, f"Clauses: {'; '.join(clauses)}.", "")
        if found.restoring:
            clause = f"Clause: {found.restoring[0].clause}."
            yield STEPS.text(found.restoring, system, clause, "", title="Restoring steps")
        if found.points:
            yield POINTS.text(found.points, system)
        if found.tests:
            rows = [[text] for text in found.tests]
            yield TextTable("Test for absence of voltage", ["Point"], rows)
        yield HAZARDS.text(found.hazards, system)
        loads = exposed_loads(found)
        if loads:
            shown = loads if self.full else loads[:_SHOWN]
            more = len(loads) - len(shown)
            below = (f"{more:,} more: --full lists them.",) if more else ()
            yield LOADS.text(shown, system, *below)

    @property
    def left_out(self) -> Sequence[str]:
        """Limits of the study."""
        return (PLANNING_AID, _LIMITS)

    def closing(self, system: System) -> Iterator[str]:
        """Return the limits; that it is a planning aid is said above."""
        yield _LIMITS

    def csv_rows(self) -> Iterator[Sequence[object]]:
        """Yield one flat table of all lists, with the name of the list in the first column."""
        heads = ("list", "number", "phase", "action", "location", "state", "devices", "clause")
        yield (*heads, "it_load_dropped_kw", "power_kw")
        found = self.found
        for text in facts(found):
            yield ("note", "", "", text, "", "", "", "", "", "")
        for name, rows in (("isolate", found.steps), ("restore", found.restoring)):
            for one in STEPS.objects(rows):
                keys = ("step", "phase", "action", "location", "result", "devices", "clause")
                yield (name, *(one[key] for key in keys), one["load_dropped"], "")
        for point in found.points:
            yield (
                "lock out",
                "",
                point.device,
                point.tag,
                point.location,
                point.supply,
                "",
                "",
                "",
                "",
            )
        yield from (("test", "", "", text, *[""] * 6) for text in found.tests)
        for hazard in found.hazards:
            yield ("hazard", "", hazard.topic, hazard.statement, hazard.at, *[""] * 5)
        for load in LOADS.objects(exposed_loads(found)):
            yield ("load", "", "", load["load"], "", load["state"], *[""] * 3, load["power"])


@dataclass(frozen=True)
class IsolationSummary(OfDesign):
    """Isolation of every tag, one row each; `full` prints racks and rack PDUs too."""

    found: Sequence[Isolation]
    full: bool = False
    verb = "isolation"

    @property
    def title(self) -> str:
        """Name of the project, and the number of tags."""
        return f"{self.design.title}: isolation of {len(self.found):,} tags"

    @property
    def results(self) -> Mapping[str, object]:
        """Number of tags, and how many end dead, stop, and drop IT load."""
        counts = {
            "isolations": len(self.found),
            "isolations.dead": sum(one.dead for one in self.found),
            "isolations.stopped": sum(bool(one.stopped) for one in self.found),
            "isolations.dropping": sum(bool(one.end.racks) for one in self.found),
        }
        return Results({key: Value(n, "count") for key, n in counts.items()}).as_json()

    def lists(self) -> Mapping[str, Sequence[Object]]:
        """Return one object for each tag."""
        return {"isolations": SUMMARY.objects(self.found)}

    def opening(self) -> Iterable[str]:
        """Return that it is a planning aid, and how many tags drop IT load."""
        dead = sum(one.dead for one in self.found)
        drops = sum(bool(one.end.racks) for one in self.found)
        stopped = sum(bool(one.stopped) for one in self.found)
        return (
            "",
            PLANNING_AID,
            f"{dead:,} of {len(self.found):,} end dead; {drops:,} drop IT load; {stopped:,} stop:"
            " --tag TAG states the reason.",
        )

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return the row of each tag."""
        shown = [one for one in self.found if self.full or not self._of_rack(one)]
        more = len(self.found) - len(shown)
        below = (f"{more:,} racks and their circuits more: --full lists them.",) if more else ()
        yield SUMMARY.text(shown, system, *below)

    def _of_rack(self, one: Isolation) -> bool:
        network = self.design.distribution.plan.network
        first = one.members[0]
        kind = network[first].kind if first in network.index else one.kind
        return kind in _NOT_LISTED

    @property
    def left_out(self) -> Sequence[str]:
        """Limits of the study."""
        return (_LIMITS,)

    def csv_rows(self) -> Iterator[Sequence[object]]:
        """Yield the table with its heading."""
        objects = SUMMARY.objects(self.found)
        yield tuple(column.json for column in SUMMARY.columns)
        yield from (tuple(one.values()) for one in objects)
