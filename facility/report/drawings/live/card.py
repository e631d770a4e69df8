"""One piece of equipment of the power network in one state: its numbers, and their sources."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from facility.core.views import System, show
from facility.power.network.flow.solve import Flow
from facility.power.network.graph.types import Equipment, EquipmentKind
from facility.power.network.outages.by_kind import KIND_NAMES
from facility.study.design.design import Design


class CardRow(NamedTuple):
    """Line of an equipment card."""

    quantity: str
    value: str
    source: str  # Where it is from
    si: float | None = None  # Of a number
    kind: str = ""
    id: str = ""  # Result of the design that it is


_SOLVED = "power flow in this state"
_KEYS: dict[EquipmentKind, tuple[str, ...]] = {
    "ups": ("ups.module_rating", "ups.module_rating_kva"),
    "generator-plant": ("generator.rating", "generator.rating_kva"),
    "transformer": ("transformer.rating_kva",),
    "pdu": ("pdu.rating_kva",),
}
_KIND_WORDS: dict[EquipmentKind, str] = {
    "utility": "Utility service",
    "generator-plant": "Generators",
    "transformer": "Transformer",
    "generator-bus": "Generator bus",
    "lv-board": "LV board",
    "static-bypass": "Static bypass",
    "maintenance-bypass": "Maintenance bypass",
    "tie": "Tie",
    "panel": "Panelboard",
    "busway": "Busway",
}


def why_key(design: Design, one: Equipment) -> str:
    """Return the result that `explain` derives the rating by; empty if it has none."""
    keys = (f"panel.{one.tag}.current_max",) if one.kind == "panel" else _KEYS.get(one.kind, ())
    if one.rating_w is None:
        keys = tuple(reversed(keys))
    if one.kind == "transformer" and len(one.unit_tags) > 1:
        return ""
    return next((key for key in keys if key in design.trace), "")


def kind_words(kind: EquipmentKind) -> str:
    """Return the name of one piece of equipment of a type."""
    return _KIND_WORDS.get(kind, KIND_NAMES.get(kind, kind))


def card_title(one: Equipment) -> str:
    """Return equipment type and tag, the tag only where it begins with the type."""
    words = kind_words(one.kind)
    return one.tag if one.tag.startswith(f"{words}-") else f"{words} {one.tag}"


def card_rows(
    design: Design, one: Equipment, flow: Flow, system: System = "si"
) -> Iterator[CardRow]:
    """Yield rating, loading in the one state of `flow`, and supply of a piece of equipment."""
    units = len(one.unit_tags)
    count = f"{units} x " if units > 1 else ""
    source, key = _source(design, one), why_key(design, one)
    for name, value, kind in (
        ("Rating", one.rating_va, "apparent_power"),
        ("Rating", one.rating_w, "active_power"),
        ("Rating", one.rating_a, "current"),
    ):
        if value is not None:
            is_result = key in design.trace and design.trace.value(key) == value
            text = count + show(value, kind, system)
            yield CardRow(name, text, source, value, kind, key if is_result else "")
    yield _number("Voltage", one.voltage_v, "line_voltage", system, "")
    yield from _state_rows(design, one, flow, system)


def _number(name: str, value: float, kind: str, system: System, source: str = _SOLVED) -> CardRow:
    return CardRow(name, show(value, kind, system), source, value, kind)


def _state_rows(design: Design, one: Equipment, flow: Flow, system: System) -> Iterator[CardRow]:
    row = design.states.network.index[one.tag]
    out = len(set(one.unit_tags) & set(flow.outages[0].out))
    if out:
        yield CardRow("Out of service", f"{out} of {len(one.unit_tags)}", "this state")
    if not flow.live[row, 0]:
        yield CardRow("In this state", "without power or not running", _SOLVED)
        return
    loading = float(flow.loading[row, 0])
    if np.isfinite(loading):
        yield _number("Loading in this state", loading, "fraction", system)
    yield _number("Output", float(flow.output_w[row, 0]), "active_power", system)
    yield _number("Output", float(flow.output_va[row, 0]), "apparent_power", system)
    yield _number("Current", float(flow.current_a[row, :, 0].max()), "current", system)
    yield _number("Losses", float(flow.loss_w[row, 0]), "active_power", system)
    if flow.on_battery[row, 0]:
        yield CardRow("Supplied from", "its battery", _SOLVED)
    elif one.links and flow.taken[row, 0] >= 0:
        yield CardRow("Supplied from", one.links[int(flow.taken[row, 0])].source, _SOLVED)


def _source(design: Design, one: Equipment) -> str:
    key = why_key(design, one)
    if not key or one.kind == "panel":
        return "nameplate as designed"
    step = design.trace[key]
    words = f"{step.source.id}, {step.source.locator}" if step.source.locator else step.source.id
    return f"{words} ({step.source.verified})"
