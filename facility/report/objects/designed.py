"""The value that a design uses for a field that is not specified, with its source."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from facility.core.views import System, show, show_exact
from facility.model.inputs.change import normal_path
from facility.model.inputs.declare import Entry
from facility.model.inputs.entries import field_at
from facility.model.inputs.schema import default_text
from facility.study.design.design import Design

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
    # Calculated input values are results of the sizing: the page need not wait for a study.
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
    return None


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
