"""The scenario that is shown, and the results of the project that it is compared with."""

from __future__ import annotations

from collections.abc import Mapping

from facility.core.table import Value
from facility.core.views import System, show_short
from facility.ui.session import designs, state, timeline

_DIFFERENCES = {"temperature": "temperature_difference"}
"""Kind of the difference of two results of a kind, if it is another one."""


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
    kind = _DIFFERENCES.get(value.kind, value.kind)
    difference = float(value.si) - float(base.si)
    if value.short(system) == base.short(system):
        return "as Base"
    sign = "+" if difference > 0.0 else "−"
    return f"{sign}{show_short(abs(difference), kind, system)} vs. Base"
