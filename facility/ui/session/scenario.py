"""The scenario that is shown, and the results of the project that it is compared with."""

from __future__ import annotations

from collections.abc import Mapping

from facility.core.table import Value
from facility.core.views import System, show_difference
from facility.ui.session import designs, state, timeline


def name() -> str:
    """Return the name of the scenario that is shown; empty for the project."""
    shown = timeline.active()
    return "" if shown is None else shown.name


def base_text() -> str:
    """Return the text of the project, whatever is shown: the key of its runs and designs."""
    return designs.text_of(timeline.base().project)


def base_results() -> Mapping[str, Value] | None:
    """Return the results of the project while a scenario is shown; None if it is shown itself."""
    if not name():
        return None
    design = state.design_of(timeline.base().project)
    return design.results if design.year is None else design.results | design.year.results


def change(key: str, value: Value, system: System) -> str:
    """Return the difference of a result from the project as text; empty if there is none to show.

    key, value: The result of the scenario that is shown.
    """
    base = (base_results() or {}).get(key)
    if base is None or not value.kind or base.kind != value.kind:
        return ""
    found = difference(value, base, system)
    return f"{found} vs. Base" if found else "as Base"


def difference(value: Value | None, base: Value | None, system: System) -> str:
    """Return how much a result differs from another; empty if it is displayed equally."""
    if value is None or base is None or not value.kind or base.kind != value.kind:
        return ""
    if value.short(system) == base.short(system):
        return ""
    by = float(value.si) - float(base.si)
    return f"{'+' if by > 0.0 else '−'}{show_difference(abs(by), value.kind, system)}"
