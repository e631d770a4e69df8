"""The value that a design uses for a field that is not specified, with its source."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from facility.core.views import System, show, show_exact
from facility.model.inputs.change import normal_path
from facility.model.inputs.declare import Entry
from facility.model.inputs.document import as_typed
from facility.model.inputs.entries import field_at, text_of, value_at
from facility.model.inputs.schema import default_text
from facility.study.design.design import Design
from facility.study.parts import is_known

# Field prefixes whose assumptions and results have a different prefix.
_OTHERWISE = (
    ("power.distribution.", "power."),
    ("power.faults.", "faults."),
    ("cooling.", ""),
    ("power.", ""),
    ("it.", ""),
)
_UNITS_IN_KEYS = ("", "_kva")
# Fields whose result has a different name; empty if a result with that name is another quantity.
_NAMED = {
    "power.battery.strings": "battery.strings.per_set",
    "power.battery.capacity": "",
    "power.generator.first_step": "",
}
_CHOSEN = ("power.ups.modules_per_system",)
"""Choices of the design that are neither a result nor an assumption."""
_RATED = {
    "power.faults.switchgear_rating": "MV switchgear",
    "power.faults.generator_bus_rating": "generator buses",
    "power.faults.ats_rating": "transfer switches",
    "power.faults.board_rating": "LV boards",
    "power.faults.ups_output_rating": "UPS outputs",
    "power.faults.sts_rating": "static transfer switches",
    "power.faults.pdu_rating": "PDUs",
    "power.faults.panel_rating": "panels",
    "power.faults.rack_pdu_rating": "rack PDUs",
}
"""Subject of the check whose limit is the selected short-circuit rating."""
_RESOLVED: Mapping[str, tuple[Callable[[Design], str], str]] = {
    "it.gpus": (lambda design: design.results["load.gpus"].shown(), "number in the racks"),
    "site.country": (lambda design: design.facility.site.country, "country of the location"),
    "site.station": (
        lambda design: "" if (record := design.facility.site.record) is None else record.name,
        "weather record in use",
    ),
}
"""Inputs that follow from others and are not in the trace: value and basis."""
_BY_DESIGN = " · by design"


@dataclass(frozen=True)
class DesignedValue:
    """The value that the design uses for a field, as text."""

    text: str
    basis: str
    source: str
    assumption: str = ""  # Id in the ledger; empty for a calculated value
    confirmed: bool = False
    reading: str = ""  # The value rounded for reading


def designed(design: Design, path: str, system: System) -> DesignedValue | None:
    """Return the value that the design uses for the field at `path`; None if it has none.

    Defaults are in the ledger, calculated values such as unit counts and ratings in the trace.
    """
    field = field_at(path)
    if field is None:
        return None
    for id in _ids(path):
        if id in design.ledger:
            one = next(found for found in design.ledger if found.id == id)
            text = reading = one.text
            if one.value is not None:
                text = show_exact(one.value, one.kind, system)
                reading = show(one.value, one.kind, system)
            fixed = one.status == "confirmed"
            return DesignedValue(
                text or "none", one.basis, str(one.source), id, fixed, reading or "none"
            )
    return _worked_out(design, path, field, system)


def _worked_out(design: Design, path: str, field: Entry, system: System) -> DesignedValue | None:
    # Calculated input values are results of the sizing, or of a study that is known: the page
    # need not wait for one.
    trace, results = design.trace, design.results
    for id in _ids(path):
        if id in trace and _fits(field, trace[id].kind):
            step = trace[id]
            text = show_exact(step.value, step.kind, system)
            reading = show(step.value, step.kind, system)
            return DesignedValue(text, step.because, str(step.source), reading=reading)
        if id in results and not field.kind and isinstance(results[id].si, str):
            text = str(results[id].si)
            return DesignedValue(text, results[id].basis, results[id].source, reading=text)
    plain = normal_path(path)
    if plain in _RESOLVED:
        read, basis = _RESOLVED[plain]
        text = read(design)
        return DesignedValue(text, basis, "design", reading=text) if text else None
    if plain in _RATED and is_known(design, "distribution"):
        for check in design.distribution.checks:
            is_of = check.subject.startswith(f"{_RATED[plain]}, worst at ")
            if check.rule == "FAULT-INTERRUPTING" and is_of and check.limit is not None:
                text = show(check.limit, field.kind, system)
                return DesignedValue(
                    text, check.why, str(check.source), reading=f"{text}{_BY_DESIGN}"
                )
    chosen = value_at(as_typed(design.as_built()), plain) if plain in _CHOSEN else None
    if chosen is None:
        return None
    text = text_of(chosen)
    return DesignedValue(text, "selected by the design", "design", reading=f"{text}{_BY_DESIGN}")


def _fits(field: Entry, kind: str) -> bool:
    return kind == field.kind or {kind, field.kind} <= {"fraction", "ratio"}


def default_of(field: Entry) -> str:
    """Return the declared default of a field as text; empty if none is declared."""
    declared = field.declared.default
    if declared is None:
        return ""
    found = default_text(field)
    return declared.basis if found == "follows" else f"{found}: {declared.basis}"


def _ids(path: str) -> Iterator[str]:
    """Yield the possible ids of the assumption or result of a field, its own path first."""
    plain = normal_path(path)
    if plain.startswith("it.halls."):
        index, _, rest = plain.removeprefix("it.halls.").partition(".")
        yield f"it.hall.{int(index) + 1}.{rest}"
        return
    yield plain
    if plain in _NAMED:
        yield _NAMED[plain]
        return
    for beginning, other in _OTHERWISE:
        if plain.startswith(beginning):
            short = other + plain.removeprefix(beginning)
            head, _, last = short.rpartition(".")
            for ending in _UNITS_IN_KEYS:
                yield short + ending
                yield f"{head}_{last}{ending}".strip("_")
