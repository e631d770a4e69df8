"""What a design takes for a field that is left open, and who says so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from facility.core.views import System, show_exact
from facility.model.inputs.change import normal_path
from facility.model.inputs.declare import Entry
from facility.model.inputs.entries import field_at
from facility.model.inputs.schema import default_text
from facility.study.design.design import Design

# Beginnings of fields whose assumptions and results have another beginning.
_OTHERWISE = (
    ("power.distribution.", "power."),
    ("power.faults.", "faults."),
    ("cooling.", ""),
    ("power.", ""),
    ("it.", ""),
)
_UNITS_IN_KEYS = ("", "_kva")
# Fields whose result has another name; empty where a result of that name is not the field's.
_NAMED = {
    "power.battery.strings": "battery.strings.per_set",
    "power.battery.capacity": "",
    "power.generator.first_step": "",
}


@dataclass(frozen=True)
class DesignedValue:
    """The value that the design has for a field, in words."""

    text: str
    basis: str
    source: str
    assumption: str = ""  # Id in the ledger; empty for what the design works out
    confirmed: bool = False


def designed(design: Design, path: str, system: System) -> DesignedValue | None:
    """Return what the design takes for the field at `path`; None where it has no value.

    The ledger says it of a default, the trace of what is worked out: a count of units, a rating.
    """
    field = field_at(path)
    if field is None:
        return None
    for id in _ids(path):
        if id in design.ledger:
            one = next(found for found in design.ledger if found.id == id)
            text = one.text if one.value is None else show_exact(one.value, one.kind, system)
            return DesignedValue(
                text or "none", one.basis, str(one.source), id, one.status == "confirmed"
            )
    return _worked_out(design, path, field, system)


def _worked_out(design: Design, path: str, field: Entry, system: System) -> DesignedValue | None:
    # What is designed for an input is worked out with the sizing: the page waits for no study.
    trace, results = design.trace, design.results
    for id in _ids(path):
        if id in trace and _fits(field, trace[id].kind):
            step = trace[id]
            text = show_exact(step.value, step.kind, system)
            return DesignedValue(text, step.because, str(step.source))
        if id in results and not field.kind and isinstance(results[id].si, str):
            return DesignedValue(str(results[id].si), results[id].basis, results[id].source)
    return None


def _fits(field: Entry, kind: str) -> bool:
    return kind == field.kind or {kind, field.kind} <= {"fraction", "ratio"}


def default_of(field: Entry) -> str:
    """Return what the declaration says of a field left open; empty where it says nothing."""
    said = field.declared.default
    if said is None:
        return ""
    found = default_text(field)
    return said.basis if found == "follows" else f"{found}: {said.basis}"


def _ids(path: str) -> Iterator[str]:
    """Yield the ids that an assumption or a result of a field may have, its own first."""
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
