"""One input in detail: meaning, allowed values, specified value and design value."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import partial

import streamlit as st

from facility.catalogue import table
from facility.catalogue.trade_names import NODES, SERVERS
from facility.core.errors import FacilityError
from facility.core.kinds import KINDS, value_in
from facility.core.parse import Measured
from facility.core.views import System, view_unit
from facility.files.project.companions import COMPANIONS, check_size, content_name
from facility.files.project.file import dump_project
from facility.model.inputs.declare import Entry
from facility.model.inputs.entries import field_at, with_entries
from facility.model.inputs.power.battery import ARRANGEMENTS
from facility.model.inputs.power.plant import SPARES
from facility.model.inputs.power.section import RACK_SYSTEMS
from facility.model.inputs.schema import allowed
from facility.model.it import Category
from facility.model.power.battery import TECHNOLOGIES
from facility.model.power.redundancy import SCHEMES
from facility.report.objects.designed import DesignedValue, default_of, designed
from facility.report.tables.names import input_name
from facility.study.design.design import Design
from facility.study.overrides import input_of
from facility.study.resolve.it.devices import CATEGORIES, missing_data
from facility.study.resolve.it.short_form import offered_gpus
from facility.study.shortlist import CHOICES
from facility.ui import boxes, controls
from facility.ui.controls import edit
from facility.ui.inspector import notices, override
from facility.ui.memory import spool
from facility.ui.session import edits, opened, state
from facility.ui.why.labels import plain

_INDEX = re.compile(r"\.\d+(?=\.)")
_PDU = ("equipment/rack_pdus", "model")
_FLUIDS = (
    "cooling.cdu.fluid",
    "cooling.cdu.rating.fws_fluid",
    "cooling.facility_water.fluid",
    "cooling.plant.fluid",
    "cooling.plant.condenser_fluid",
)
_FEW_ROWS = 2
"""Number of property rows of a fluid that is insufficient for a design."""
_GPUS = ("equipment/gpus", "model")
_COLUMNS = {
    "power.battery.model": ("electrical/battery_blocks", "battery"),
    "it.cords.rack_pdu": _PDU,
    "it.halls[].racks[].circuits[].rack_pdu": _PDU,
    "it.devices[].gpu_model": _GPUS,
    "it.devices[].supplies.efficiency_class": ("equipment/psu_efficiency", "psu_class"),
}
"""Table and column with the known names for a field."""
_TABLES = {"site.station": "weather/stations"} | {one.field: one.table for one in CHOICES}
_SPARE_UNITS = ("N", *(f"N+{n}" for n in range(1, 10)), "2N")
_WORDS: dict[str, tuple[str, ...]] = {
    "power.redundancy": SCHEMES,
    "power.transformer.redundancy": tuple(SPARES),
    "power.generator.redundancy": tuple(SPARES),
    "power.battery.technology": TECHNOLOGIES,
    "power.battery.arrangement": ARRANGEMENTS,
    "power.distribution.rack_system": tuple(RACK_SYSTEMS),
} | dict.fromkeys(
    (
        "cooling.crah.redundancy",
        "cooling.cdu.redundancy",
        "cooling.plant.chiller.redundancy",
        "cooling.plant.rejection.redundancy",
        "cooling.facility_water.rejection.redundancy",
    ),
    _SPARE_UNITS,
)
_CURVES = {
    "cooling.crah.fan_curve": ("fan",),
    "cooling.plant.rejection.fan_curve": ("fan", "tower fan"),
    "cooling.facility_water.rejection.fan_curve": ("fan", "tower fan"),
}
"""Devices whose part-load curves a field accepts."""
_DEVICES: dict[str, tuple[Category, ...]] = {
    "it.server": ("server",),
    "it.network.switch": ("switch",),
    "it.storage.model": ("storage",),
    "it.management.model": ("management",),
    "it.halls[].racks[].devices[].model": ("server", "switch", "storage", "management"),
}
"""Device categories that a field accepts."""


def known_names(path: str) -> tuple[str, ...]:
    """Return the known names for the field at `path`; other names can be typed too."""
    field = _INDEX.sub("[]", path)
    if field in _COLUMNS:
        name, column = _COLUMNS[field]
        return tuple(dict.fromkeys(row.text(column) for row in table(name).rows))
    if field in _FLUIDS:
        listed = table("cooling/fluid_properties").rows
        rows = Counter(row.text("fluid") for row in listed if row["mu_mpas"] is not None)
        return tuple(name for name in rows if rows[name] > _FEW_ROWS)
    if field in _TABLES:
        return table(_TABLES[field]).keys
    if field in _CURVES:
        curves = table("cooling/fan_pump_part_load").rows
        return tuple(row.text("curve") for row in curves if row["device"] in _CURVES[field])
    return _of_it(field) or _WORDS.get(field, ())


def _of_it(field: str) -> tuple[str, ...]:
    """Return the catalogue devices that an IT field accepts."""
    if field == "it.gpu_model":
        return offered_gpus()
    if field not in _DEVICES:
        return ()
    kinds = {row.text("model"): CATEGORIES.get(row.text("category")) for row in table(NODES).rows}
    kinds |= dict.fromkeys(table(SERVERS).keys, "server")
    candidates = [name for kind in _DEVICES[field] for name in kinds if kinds[name] == kind]
    return tuple(name for name in candidates if not missing_data(name))


_BARE = re.compile(r"[+\-−]?[\d.,'’_ ]*\d", re.ASCII)
_AUTOMATIC = "Automatic"
_MAX_TEXT = 2000


def show(design: Design, path: str, system: System) -> None:
    """Show the field at `path` with its input, default and actions."""
    field = field_at(path)
    if field is None:
        return
    with st.container(border=True, key="inspector-detail"):
        symbol = f" · ${field.declared.symbol}$" if field.declared.symbol else ""
        st.markdown(f"**{plain(input_name(path))}**{symbol}")
        st.text(field.declared.meaning)
        stated = edits.shown_value(state.session(), path)
        left, right = st.columns([3, 2], vertical_alignment="bottom")
        kind = _kind(design, field)
        units = [unit for unit in KINDS[kind].units if unit] if kind else []
        with left:
            if path in COMPANIONS:
                show_companion(path, stated)
            else:
                made = None if stated else designed(design, path, system)
                unset = f"{_AUTOMATIC}: {made.text}" if made else _AUTOMATIC
                _value(path, field, stated, kind if units else "", system, unset)
        with right:
            if units:
                _unit(path, kind, units, system)
        notices.mark(path, "inspector-")
        known = len(known_names(path))
        st.text(
            f"Allowed: {allowed(field)}{f'; {known} known names in the list' if known else ''}."
        )
        _instead(design, path, field, stated is not None, system)


def _kind(design: Design, field: Entry) -> str:
    """Return the kind of quantity of a field; a price is in the project currency."""
    if field.type is None or field.kind not in KINDS or field.kind == "count":
        return ""
    return field.type.kind_of(design.facility.site.currency or "USD")


def _value(
    path: str, field: Entry, stated: str | None, kind: str, system: System, unset: str
) -> None:
    """Show the input of the value: a list of words or known names, or a text input."""
    names = known_names(path)
    words = names or field.words or _flags(field)
    shown = stated or ""
    key = boxes.key_of(f"inspector-value {path}", shown)

    def entered() -> None:
        text = str(st.session_state[key] or "").strip()
        if kind and text and _BARE.fullmatch(text):
            text = f"{text} {boxes.entered_text(_unit_name(path)) or view_unit(kind, system)}"
        state.enter(path, text)

    if words:
        options = ["", *words] if not shown or shown in words else ["", *words, shown]
        st.selectbox(
            "Value",
            options,
            index=options.index(shown),
            key=key,
            on_change=state.of_this(entered),
            format_func=lambda word: word or unset,
            accept_new_options=bool(names),
            disabled=opened.reads_only(),
        )
    else:
        st.text_input(
            "Value",
            shown,
            key=key,
            on_change=state.of_this(entered),
            max_chars=_MAX_TEXT if field.many or field.declared.each else 200,
            placeholder=unset,
            disabled=opened.reads_only(),
        )


def _flags(field: Entry) -> tuple[str, ...]:
    bounds = "" if field.type is None or field.many else field.type.bounds()
    return ("true", "false") if bounds == "true or false" else ()


def _unit(path: str, kind: str, units: list[str], system: System) -> None:
    """Show the unit: it applies to a number without unit, and converts a specified value."""
    name, value = _unit_name(path), edits.given(state.session().project, path)
    stated = value.unit if isinstance(value, Measured) else None
    candidates = (stated, boxes.entered_text(name), view_unit(kind, system))
    shown = next((unit for unit in candidates if unit in units), units[0])
    key = boxes.key_of(name, shown)

    def changed() -> None:
        unit = st.session_state[key]
        if isinstance(value, Measured):
            state.enter(path, f"{value_in(KINDS[value.kind], value.si, unit):.10g} {unit}")

    st.selectbox(
        "Unit",
        units,
        units.index(shown),
        key=key,
        on_change=state.of_this(changed),
        disabled=opened.reads_only(),
    )


def _unit_name(path: str) -> str:
    return f"inspector-unit {path}"


def _instead(design: Design, path: str, field: Entry, stated: bool, system: System) -> None:
    """Show the design value, or the default without the specified value, with its actions."""
    if not stated:
        made = designed(design, path, system)
        if made is None:
            st.text(f"Not specified: {default_of(field) or 'no default'}.")
        else:
            _show_value("Calculated" if not made.assumption else "Assumed", made)
            _confirmation(made)
            if made.assumption and input_of(made.assumption) == path:
                with st.expander("Override this assumption", key="inspector-override"):
                    override.show(design, made.assumption, path)
            override.show_refused()
        return
    instead_of = override.of_input(path)
    if instead_of:
        one = next(o for o in design.project.overridden or () if o.assumption == instead_of)
        st.text(f"Overridden by {one.by}: {one.reason}")
    if not field.required:
        leave = _entering(path, "")
        if instead_of:
            leave = partial(override.give, override.without(instead_of), f"{path} cleared")
        edit("Clear value", "restart_alt", "inspector-reset", leave)
        _would_be(path, field, system)


def _would_be(path: str, field: Entry, system: System) -> None:
    try:
        without = with_entries(state.session().project, {path: ""})
        made = designed(state.designed(dump_project(without)), path, system)
    except FacilityError as error:
        st.text(f"Without this value there is no design: {error}")
        return
    if made is None:
        st.text(f"Without this value: {default_of(field) or 'no default'}.")
    else:
        _show_value("Without this value", made)


def _show_value(how: str, made: DesignedValue) -> None:
    st.text(f"{how}: {made.text}")
    if made.basis:
        st.text(f"Basis: {made.basis}.")
    st.text(f"Source: {made.source}.")


def _confirmation(made: DesignedValue) -> None:
    if not made.assumption:
        return
    listed = list(state.session().project.confirmed or ())
    if made.confirmed and made.assumption in listed:
        withdraw = _entering(f"confirmed.{listed.index(made.assumption)}", "")
        edit("Withdraw confirmation", "remove_done", "inspector-withdraw", withdraw)
    else:
        confirm = _entering(f"confirmed.{len(listed)}", made.assumption)
        edit("Confirm assumption", "done_all", "inspector-confirm", confirm)


def _entering(path: str, text: str) -> Callable[[], None]:
    return lambda: state.enter(path, text)


_MAX_UPLOAD_MB = 10
_REFUSED = "companion-refused"


def show_companion(path: str, stated: str | None) -> None:
    """Show the file of the field at `path`, and an upload to replace it."""
    one = COMPANIONS[path]
    st.text(f"File: {stated}" if stated else "No file loaded.")
    key = f"companion {path}@{state.session().generation}"
    st.file_uploader(
        f"Upload {one.what}",
        type=[ending.removeprefix(".") for ending in one.endings],
        key=key,
        on_change=state.of_this(lambda: _brought(path, key)),
        max_upload_size=_MAX_UPLOAD_MB,
        disabled=opened.reads_only(),
    )
    refused: tuple[str, str, FacilityError] | None = st.session_state.get(_REFUSED)
    if refused is not None and refused[0] == key:
        with st.container(border=True):
            controls.refused("File not accepted", refused[2])
            st.text(f"File: {refused[1]}")


def _brought(path: str, key: str) -> None:
    file = st.session_state[key]
    st.session_state.pop(_REFUSED, None)
    if file is None:
        return
    error = take(path, file.name, file.getvalue())
    if error is not None:
        st.session_state[_REFUSED] = (key, file.name, error)


def take(path: str, name: str, content: bytes) -> FacilityError | None:
    """Set the file of a field; return the error if it is rejected."""
    try:
        check_size(name, content)
        stored = content_name(name, content)
        COMPANIONS[path].read(spool.put(stored, content))
    except FacilityError as error:
        return error
    return state.enter_all({path: stored}, f"{path}: {name}"[:150])
