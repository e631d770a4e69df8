"""Search for a project change that clears a violation, verified by a new design.

`BY_RULE` lists by rule the stated fields whose release may clear it: the design then selects a
passing value; `values` has the rules whose passing value the design provides. Requirements and
facts are never changed: site, products, people, redundancy, autonomy, limits. Rules about those
have no row, and no fix is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from facility.core.check import Check, Severity
from facility.core.errors import FacilityError
from facility.core.table import Value
from facility.model.inputs.document import Project, as_typed
from facility.model.inputs.entries import value_at
from facility.study.design.design import Design, design
from facility.study.fixes.values import has_values, known_values

_UPS = (
    "power.ups.modules_per_system",
    "power.ups.module_rating",
    "power.ups.module_rating_kva",
    "power.ups.buses",
    "power.ups.model",
)
_TRANSFORMER = ("power.transformer.count", "power.transformer.rating")
_GENERATOR = (
    "power.generator.count",
    "power.generator.rating",
    "power.generator.rating_kva",
    "power.generator.model",
)
_PDU = ("power.distribution.pdus", "power.distribution.pdu_transformer")
_STRINGS = ("power.battery.strings", "power.battery.blocks_per_string")
_CIRCUIT = (
    "it.cords.breaker", "it.cords.rack_pdu", "it.halls[].racks[].circuits[].breaker",
    "it.halls[].racks[].circuits[].rack_pdu", "it.cords.per_feed", "it.cords",
)  # fmt: skip
_PANEL = ("power.distribution.panel_main", "power.distribution.panel_bus")
_FAULT = (
    "power.faults.switchgear_rating",
    "power.faults.board_rating",
    "power.faults.panel_rating",
    "power.faults.rack_pdu_rating",
)
_RACK = ("it.servers_per_rack", "it.rack_units", "it.halls[].racks[].rack_units")
_AIR = ("cooling.supply_air", "cooling.room_dew_point", "cooling.plant.chilled_water_supply")
_CRAH = ("cooling.crah.count", "cooling.crah.electrical_count", "cooling.crah.rating")
_CDU = ("cooling.cdu.count", "cooling.cdu.tcs_flow", "cooling.cdu.model", "cooling.cdu.rating")
_WATER = (
    "cooling.cdu.tcs_supply",
    "cooling.cdu.tcs_delta_t",
    "cooling.facility_water.supply",
    "cooling.facility_water.delta_t",
    "cooling.plant.chilled_water_supply",
)
_PLANT = (
    "cooling.plant.chiller.count", "cooling.plant.chiller.capacity", "cooling.plant.chiller.model",
    "cooling.plant.rejection.count", "cooling.plant.rejection.dry_cooler",
    "cooling.facility_water.rejection.count", "cooling.facility_water.rejection.dry_cooler",
)  # fmt: skip
_DC = ("power.dc.busbar_section", "power.dc.conductor_size", "power.dc.sets")

BY_RULE: Mapping[str, tuple[str, ...]] = {
    "UPS-VOLTAGE": ("power.ups.model",),
    "UPS-[A-Z-]+": _UPS,
    "INSTALLED-SURPLUS": (*_UPS, *_TRANSFORMER, *_GENERATOR, *_PDU),
    "CIRCUIT-TOO-LARGE|FAULT-INTERRUPTING|FAULT-MAKING": (
        "power.ups.buses",
        *_FAULT,
        *_TRANSFORMER,
        "power.ups.modules_per_system",
    ),
    "TRANSFORMER-(LOADING-NORMAL|LOADING-FAILURE|SPARE|DEVICE)": _TRANSFORMER,
    "GENERATOR-(CAPACITY|KVA|FREQUENCY)": _GENERATOR,
    "GENERATOR-VOLTAGE": ("power.generator.voltage",),
    "GENERATOR-FUEL": ("power.generator.tank",),
    "BATTERY-(AUTONOMY|RIDE-THROUGH|DC-BUS|FLOAT)|RIDE-THROUGH-BATTERY|SAG-BATTERY": _STRINGS,
    "BATTERY-HYDROGEN(-LIMIT)?": ("power.battery.room_airflow",),
    "PDU-LOADING": _PDU,
    "NETWORK-LOADING|OVERLOAD-IN-STATE": (*_TRANSFORMER, *_UPS, "power.distribution.pdus"),
    "BRANCH-LOAD|CIRCUIT-LOADING|RACK-PDU-[A-Z]+|RECEPTACLE-RATING|NEC-OCPD-RATING": _CIRCUIT,
    "IEC-(DESIGN-CURRENT|OVERLOAD|SHORT-CIRCUIT|DISCONNECTION)": _CIRCUIT,
    "PANEL-MAIN": _PANEL,
    "MV-(CABLE|WITHSTAND)": ("power.mv_cables.largest_size", "power.mv_cables.parallel_sets"),
    "NEC-NEUTRAL-COUNTED": ("power.conductors.neutral_counted",),
    "RACK-(POWER|UNITS)|AIR-DENSITY-LIMIT|COOLERS-PER-RACK|AIR-TILES": _RACK,
    "RACK-FLOW": (*_RACK, *_CDU),
    "AIR-(ALLOWABLE|COLD|DEW-POINT|DOOR-SURFACE)|INLET-[A-Z-]+": _AIR,
    "CRAH-(AIRFLOW|CAPACITY)|AIR-DOOR-LOST": _CRAH,
    "CDU-[A-Z]+|TCS-(FLOW|HEAD)|CASE-TEMPERATURE": _CDU,
    "CDU-FWS-FLOW": (*_CDU, "cooling.facility_water.delta_t"),
    "TCS-TEMPERATURE|FWS-[A-Z]+": _WATER,
    "CHILLER-CAPACITY|REJECTION-CAPACITY|ANNUAL-CAPACITY": _PLANT,
    "ANNUAL-(LIMIT|SETPOINT)": (*_AIR, *_WATER),
    "RIDE-THROUGH(-CLASS|-RECOMMENDED|-VOLUME)?": (
        "cooling.thermal.chilled_water_tank",
        "cooling.thermal.facility_water_tank",
        *_CRAH,
        *_PLANT,
    ),
    "DC-(MAXIMUM-POWER|VOLTAGE-LOW|AMPACITY)": _DC,
    "FABRIC-SWITCHES": ("it.network.leaf", "it.network.spine", "it.network.core"),
    "SWING-(STORAGE-(POWER|ENERGY)|(RAMP|RANGE|BAND)-STORAGE)": (
        "power.smoothing.energy",
        "power.smoothing.power",
        "power.smoothing.ramp",
    ),
}
"""Fields by rule pattern, smallest change first; ``[]`` stands for any entry."""


def fields_of(rule: str) -> tuple[str, ...]:
    """Return the fields whose release may clear a rule, if any."""
    for pattern, fields in BY_RULE.items():
        if re.fullmatch(pattern, rule):
            return fields
    return ()


MAX_DESIGNS = 24
"""Maximum number of trial designs for one project."""
_MAX_ENTRIES = 6
"""Maximum list entries released one by one; longer lists are released together."""
ALSO = ("INSTALLED-SURPLUS",)
"""Warnings treated like violations in the search for fixes."""
_SHOWN = (
    "ups.modules", "ups.module_rating", "transformer.count", "transformer.rating_kva",
    "generator.count", "generator.rating", "crah.count", "cdu.count", "plant.chiller_count",
    "load.racks", "load.facility", "pue.design",
)  # fmt: skip
"""Results reported as effects of a fix: installed equipment and power."""
Mark = tuple[str, str]
"""Rule and subject of a check."""


class Effect(NamedTuple):
    """Effect of a fix on a result."""

    key: str
    before: Value
    after: Value


@dataclass(frozen=True)
class Fix:
    """A change that clears a violation and causes no new one."""

    rule: str  # Rule of the cleared check
    subject: str
    changes: Mapping[str, str]  # New text by field path; empty to let the design size the field
    stated: Mapping[str, str]  # Present text of these fields
    cleared: tuple[Mark, ...]  # All cleared violations, and the check itself
    solved: tuple[Mark, ...]  # All failed checks that no longer fail
    warned: tuple[str, ...]  # New warnings: rules and their subjects
    effects: tuple[Effect, ...]  # Effects on the installed equipment
    violations: tuple[int, int]  # Number before and after
    warnings: tuple[int, int]

    @property
    def reason(self) -> str:
        """The change as text."""
        left = [self._named(path) for path, text in self.changes.items() if not text]
        typed = [f"{self._named(path)} to {text}" for path, text in self.changes.items() if text]
        parts = [f"clear {', '.join(left)} for automatic sizing"] if left else []
        parts += [f"set {', '.join(typed)}"] if typed else []
        text = " and ".join(parts)
        more = len(self.cleared) - 1
        others = f" and {more} other{'s' if more > 1 else ''}" if more > 0 else ""
        passes = "pass" if more > 0 else "passes"
        warns = f" New warnings: {', '.join(self.warned)}." if self.warned else ""
        text = f"{text[0].upper()}{text[1:]}: this{others} {passes}, with no new violation."
        return text + warns

    def _named(self, path: str) -> str:
        return f"{path} ({self.stated[path]})" if self.stated[path] else path

    @property
    def moves(self) -> str:
        """Effects on the equipment as text; empty if none."""
        shown = (f"{key} {one.shown()} -> {other.shown()}" for key, one, other in self.effects)
        return ", ".join(shown)

    def as_json(self) -> dict[str, object]:
        """Return the fix as an entry of ``fixes`` in the JSON contract."""
        return {
            "rule": self.rule,
            "subject": self.subject,
            "set": [f"{path}={value}" for path, value in self.changes.items()],
            "stated": dict(self.stated),
            "cleared": [{"rule": rule, "subject": subject} for rule, subject in self.cleared],
            "reason": self.reason,
        }


def fixes(
    found: Design,
    tell: Callable[[int], None] | None = None,
    max_designs: int = MAX_DESIGNS,
    of: Mark | None = None,
) -> dict[Mark, Fix]:
    """Return a fix for each violation that has one, by rule and subject.

    Each fix is verified by a full design with all studies: the violation is cleared, and there is
    no new one.

    tell: Called with the number of trial designs; may raise to end the search.
    max_designs: Maximum number of trial designs.
    of: Single check to be cleared, of any severity.
    """
    tried = _Tried(found, tell or (lambda _: None), max_designs)
    if of is None:
        against = [c for c in found.checks if _counts(c) or (c.failed and c.rule in ALSO)]
    else:
        against = [c for c in found.checks if c.failed and _mark(c) == of]
    proposals = ((_mark(check), _fix(found, check, tried)) for check in against)
    return {mark: fix for mark, fix in proposals if fix is not None}


def may_be_fixed(rule: str) -> bool:
    """Return whether a possible fix is known for a rule."""
    return bool(fields_of(rule)) or has_values(rule)


def _fix(found: Design, check: Check, tried: _Tried) -> Fix | None:
    before = _violations(found.checks)
    for changes in _changes(found, check, tried):
        after = tried.with_changes(changes)
        if after is None or _mark(check) in _failures(after.checks):
            continue
        left = _violations(after.checks)
        if left - before or _failing(after, check) >= _failing(found, check):
            continue
        return Fix(
            check.rule,
            check.subject,
            changes,
            {path: _text(found.project, path) for path in changes},
            tuple(sorted((before - left) | {_mark(check)})),
            tuple(sorted(_failures(found.checks) - _failures(after.checks))),
            tuple(sorted(_warnings(after.checks) - _warnings(found.checks))),
            tuple(_effects(found, after)),
            (_found(found.checks, Severity.VIOLATION), _found(after.checks, Severity.VIOLATION)),
            (_found(found.checks, Severity.WARNING), _found(after.checks, Severity.WARNING)),
        )
    return None


def _changes(found: Design, check: Check, tried: _Tried) -> Iterator[Mapping[str, str]]:
    """Yield changes that may clear a check: released fields, known values, finally both."""
    released: dict[str, str] = {}
    for paths in _candidates(found.project, fields_of(check.rule)):
        released = dict.fromkeys(paths, "")
        yield released
    yield from known_values(found, check)
    after = tried.with_changes(released) if released else None
    for still in () if after is None else after.checks:
        if still.failed and still.rule == check.rule and _kind(still) == _kind(check):
            assert after is not None
            yield from (released | values for values in known_values(after, still))


def _kind(check: Check) -> str:
    """Return the equipment type of a check whose subject lists number and size after a comma."""
    kind, comma, _ = check.subject.partition(", ")
    return kind if comma else ""


class _Tried:
    """Cache of trial designs."""

    def __init__(self, found: Design, tell: Callable[[int], None], left: int) -> None:
        self._project, self._tell, self._left = found.project, tell, left
        self._known: dict[tuple[tuple[str, str], ...], Design | None] = {}

    def with_changes(self, changes: Mapping[str, str]) -> Design | None:
        """Return the design with these changes; None if it fails or no trial remains."""
        key = tuple(changes.items())
        if key not in self._known:
            if len(self._known) >= self._left:
                return None
            self._tell(len(self._known))
            self._known[key] = self._designed(changes)
        return self._known[key]

    def _designed(self, changes: Mapping[str, str]) -> Design | None:
        try:
            after = design(self._project.with_({p: text or None for p, text in changes.items()}))
            after.checks  # noqa: B018 - a study that refuses the design refuses the fix
        except FacilityError:
            return None
        return after


def _candidates(project: Project, patterns: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Yield fields to release: one field, all entries of one, finally all of them."""
    stated = list(_stated(as_typed(project), ""))
    by_pattern = [found for pattern in patterns if (found := _matching(stated, pattern))]
    seen = set()
    singles = [(one,) for group in by_pattern for one in group[:_MAX_ENTRIES]]
    whole = [tuple(dict.fromkeys(path for group in by_pattern for path in group))]
    for paths in [*singles, *(tuple(group) for group in by_pattern), *whole]:
        if paths and paths not in seen:
            seen.add(paths)
            yield paths


def _matching(stated: list[str], pattern: str) -> list[str]:
    """Return the stated paths that match a pattern; for a section, the section itself."""
    expression = re.escape(pattern).replace(r"\[\]", r"\.\d+")
    found = (re.match(rf"({expression})(\.|$)", path) for path in stated)
    return list(dict.fromkeys(match[1] for match in found if match))


def _stated(document: object, path: str) -> Iterator[str]:
    """Yield the path of every stated value in a document."""
    if isinstance(document, dict):
        for name, value in document.items():
            yield from _stated(value, f"{path}.{name}" if path else name)
    elif isinstance(document, list):
        for number, value in enumerate(document):
            yield from _stated(value, f"{path}.{number}")
    else:
        yield path


def _text(project: Project, path: str) -> str:
    """Return the stated text at a path; empty for a section, and if nothing is stated."""
    value = value_at(as_typed(project), path)
    return value if isinstance(value, str) else ""


def _counts(check: Check) -> bool:
    return check.failed and check.severity is Severity.VIOLATION


def _mark(check: Check) -> Mark:
    return check.rule, check.subject


def _failing(design: Design, like: Check) -> int:
    """Return the number of failed subjects of the same type: names change with the size."""
    same = (c for c in design.checks if c.failed and c.rule == like.rule)
    return sum(c.count for c in same if _kind(c) == _kind(like))


def _failures(checks: Iterable[Check]) -> set[Mark]:
    return {(c.rule, subject) for c in checks if c.failed for subject in (c.subject, *c.alike)}


def _violations(checks: Iterable[Check]) -> set[Mark]:
    return _failures(check for check in checks if _counts(check))


def _warnings(checks: Iterable[Check]) -> set[str]:
    warned = (c for c in checks if c.failed and c.severity is Severity.WARNING)
    return {f"{c.rule} of {_kind(c)}" if _kind(c) else c.rule for c in warned}


def _found(checks: Iterable[Check], severity: Severity) -> int:
    return sum(check.failed and check.severity is severity for check in checks)


def _effects(before: Design, after: Design) -> Iterator[Effect]:
    for key in _SHOWN:
        one, other = before.results.get(key), after.results.get(key)
        if one is not None and other is not None and one.shown() != other.shown():
            yield Effect(key, one, other)
