"""The inputs of the quick design, the units, and the files: beside every page."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from facility.catalogue import table
from facility.files.io.file_names import safe_file_name
from facility.files.project.file import dump_project, example_names, example_text
from facility.files.workbook.book import workbook_bytes
from facility.model.inputs.money.tariff import TariffSection
from facility.model.power.redundancy import SCHEMES
from facility.study.design.design import Design
from facility.study.resolve.it.short_form import offered_gpus
from facility.ui.session import edits, state, timeline

_METHODS = ("air", "hybrid", "liquid")
_OPEN = "designed, see assumptions"
_MAX_UPLOAD_MB = 1
_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def show() -> None:
    """Show the sidebar."""
    with st.sidebar:
        _example()
        _quick_inputs()
        st.segmented_control(
            "Units",
            ["si", "ip"],
            default="si",
            required=True,
            bind="query-params",
            key=state.UNITS_KEY,
            format_func=str.upper,
        )
        _upload()
        _downloads(state.current())


def _key(name: str) -> str:
    """Return the key of an input; a project replaced as a whole makes all inputs new."""
    return f"{name}@{state.session().generation}"


def _example() -> None:
    key = _key("example")

    def chosen() -> None:
        name = st.session_state[key]
        if name is not None:
            state.load(example_text(name).encode(), name)

    st.selectbox(
        "Example",
        example_names(),
        index=None,
        key=key,
        on_change=chosen,
        placeholder="Start from an example",
    )


def _quick_inputs() -> None:
    halls = state.session().project.it.halls or ()
    listed = any(hall.racks for hall in halls)
    reason = "This project lists its racks." if listed else None
    _choice("GPU", "it.gpu_model", offered_gpus(), disabled=listed, help=reason)
    field("Number of GPUs", "it.gpus", disabled=listed, help=reason)
    _choice("UPS redundancy", "power.redundancy", SCHEMES)
    _choice("Cooling", "cooling.method", _METHODS)
    stations = [row.text("station") for row in table("weather/stations").rows]
    _choice("Weather station", "site.station", stations)
    field("Country, e.g. US or GB", "site.country")
    charged = isinstance(state.session().project.site.tariff, TariffSection)
    by_charge = "The project file states the tariff charge by charge." if charged else None
    field("Tariff, e.g. 0.05 USD/kWh, 0.2 EUR/kWh", "site.tariff", disabled=charged, help=by_charge)


def _choice(
    title: str,
    path: str,
    options: Sequence[str],
    *,
    disabled: bool = False,
    help: str | None = None,
) -> None:
    value, key = _prepared(path)
    shown = options if value is None or value in options else [value, *options]
    st.selectbox(
        title,
        shown,
        index=None,
        key=key,
        on_change=_entered(path, key),
        placeholder=_OPEN,
        disabled=disabled,
        help=help,
    )
    _mark_refused(path)


def field(title: str, path: str, *, disabled: bool = False, help: str | None = None) -> None:
    """Show the input of a field of the project; what is typed designs it anew."""
    value, key = _prepared(path)
    st.session_state.setdefault(key, value or "")
    st.text_input(
        title,
        key=key,
        max_chars=64,
        on_change=_entered(path, key),
        placeholder=_OPEN,
        disabled=disabled,
        help=help,
    )
    _mark_refused(path)


def _prepared(path: str) -> tuple[str | None, str]:
    """Return what the input of a field shows and its key; an input seen first gets its value."""
    value, key = edits.shown_value(state.session(), path), _key(path)
    if value is not None:
        st.session_state.setdefault(key, value)
    return value, key


def _entered(path: str, key: str) -> Callable[[], None]:
    return lambda: state.enter(path, st.session_state[key] or "")


def _mark_refused(path: str) -> None:
    refused = state.session().refused.get(path)
    if refused is not None:
        st.badge(f"Not applied: {refused.error.code}", color="red")


def _upload() -> None:
    key = _key("upload")

    def uploaded() -> None:
        file = st.session_state[key]
        if file is None:
            state.forget_file()
        else:
            state.load(file.getvalue(), file.name)

    st.file_uploader(
        "Open a project file",
        type=["yaml", "yml", "json"],
        key=key,
        on_change=uploaded,
        max_upload_size=_MAX_UPLOAD_MB,
    )


def _downloads(design: Design) -> None:
    name = safe_file_name(design.facility.identity.name)
    st.download_button(
        "Workbook (.xlsx)",
        data=lambda: workbook_bytes(design),
        file_name=f"{name}.xlsx",
        mime=_XLSX,
        icon=":material/download:",
        on_click="ignore",
        width="stretch",
        key="workbook",
    )
    st.download_button(
        "Project file (.yaml)",
        data=dump_project(design.project),
        file_name=f"{name}.yaml",
        mime="application/yaml",
        icon=":material/download:",
        on_click=timeline.mark_saved,
        width="stretch",
        key="project-file",
    )
