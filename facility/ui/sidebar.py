"""Sidebar of the place Design: main inputs, and downloads."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from facility.catalogue import table
from facility.files.io.file_names import safe_file_name
from facility.model.inputs.money.tariff import TariffSection
from facility.model.power.redundancy import SCHEMES
from facility.report.objects.designed import designed
from facility.study.design.design import Design
from facility.study.resolve.it.short_form import offered_gpus
from facility.ui import boxes
from facility.ui.controls import download
from facility.ui.downloads.project_file import project_file
from facility.ui.inspector import notices
from facility.ui.session import edits, opened, state
from facility.ui.work.ready import made_file

_METHODS = ("air", "hybrid", "liquid")
_UNSPECIFIED = "Not specified"
_AUTOMATIC = "Automatic"
_PRICES = {"USD": "0.05 USD/kWh", "GBP": "0.18 GBP/kWh"}


def show() -> None:
    """Show the main inputs and the downloads of the open project in the sidebar."""
    with st.sidebar:
        with st.expander("Main inputs", icon=":material/tune:"):
            _quick_inputs()
        with st.expander("Downloads", icon=":material/download:"):
            _downloads(state.current())


def _quick_inputs() -> None:
    project = state.session().project
    listed = any(hall.racks for hall in project.it.halls or ())
    reason = "The rack list of this project specifies the GPUs." if listed else None
    unset = "from the rack list" if listed else "from the servers"
    _choice("GPU", "it.gpu_model", offered_gpus(), disabled=listed, help=reason, needed=unset)
    field("Number of GPUs", "it.gpus", disabled=listed, help=reason)
    _choice("UPS redundancy", "power.redundancy", SCHEMES)
    _choice("Cooling", "cooling.method", _METHODS)
    stations = [row.text("station") for row in table("weather/stations").rows]
    weather = "" if project.site.station else _weather(state.current())
    _choice("Weather station", "site.station", stations, left=weather)
    field("Country, e.g. US or GB", "site.country")
    charged = isinstance(project.site.tariff, TariffSection)
    by_charge = "The project file specifies the tariff by charge." if charged else None
    currency = state.current().facility.site.currency or "USD"
    price = _PRICES.get(currency, f"0.20 {currency}/kWh")
    field(f"Tariff, e.g. {price}", "site.tariff", disabled=charged, help=by_charge)


def _choice(
    title: str,
    path: str,
    options: Sequence[str],
    *,
    disabled: bool = False,
    help: str | None = None,
    needed: str = "",
    left: str = _AUTOMATIC,
) -> None:
    """Show a drop-down list for a field, with an option to leave the field unset.

    needed: Text of the unset option of a field that another part of the project specifies; such
        a field cannot be unset once it has a value.
    left: Text of the unset option of any other field.

    One option is always selected, so Escape clears nothing.
    """
    value, key = _prepared(path)
    offered = options if not value or value in options else [value, *options]
    choices = [*offered] if needed and value else ["", *offered]
    st.selectbox(
        title,
        choices,
        index=choices.index(value),
        key=key,
        on_change=boxes.on_entry(key, partial(state.enter, path)),
        format_func=lambda option: option or needed or left or _AUTOMATIC,
        disabled=disabled or opened.reads_only(),
        help=help,
    )
    notices.mark(path)


def _weather(design: Design) -> str:
    """Return the weather source of a design without a station."""
    if design.project.site.weather_file is not None:
        return "from the weather file"
    record = design.facility.site.record
    return "as entered, no hourly record" if record is None else f"assumed: {record.name}"


def field(title: str, path: str, *, disabled: bool = False, help: str | None = None) -> None:
    """Show the input of a project field; an entry changes the project."""
    value, key = _prepared(path)
    st.text_input(
        title,
        value,
        key=key,
        max_chars=64,
        on_change=boxes.on_entry(key, partial(state.enter, path)),
        placeholder=_unset_text(path),
        disabled=disabled or opened.reads_only(),
        help=help,
    )
    notices.mark(path)


def _unset_text(path: str) -> str:
    """Return the value that the design uses for a field that is not specified."""
    design = state.current()
    if path == "it.gpus":
        where = "in the rack list" if design.project.it.halls else "in the servers"
        return f"{design.results['load.gpus'].shown()} {where}"
    if path == "site.country" and design.facility.site.country:
        return f"from the weather station: {design.facility.site.country}"
    if isinstance(edits.given(design.project, path), TariffSection):
        return "by charge, see Inputs"
    made = designed(design, path, state.unit_system())
    return f"{_AUTOMATIC}: {made.text}" if made else _UNSPECIFIED


def _prepared(path: str) -> tuple[str, str]:
    """Return the text of the input of a field, and its key."""
    value = edits.shown_value(state.session(), path) or ""
    return value, boxes.key_of(path, value)


def _downloads(design: Design) -> None:
    name = safe_file_name(design.facility.identity.name)
    made_file(
        "Download workbook (.xlsx)", f"{name}.xlsx", "file", ("whole",), "workbook", width="stretch"
    )
    file = project_file(design.project, name)
    download(file.title, file.name, file.make, "project-file", width="stretch")
