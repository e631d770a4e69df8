"""Inputs and small displays that the pages share."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from facility.catalogue import table
from facility.core.check import Check, by_weight
from facility.core.table import Results, Value
from facility.files.file_names import safe_file_name
from facility.files.project_file import dump_project, example_names, example_text
from facility.files.workbook import workbook_bytes
from facility.study.design import Design
from facility.ui import state

SCHEMES = ("N", "N+1", "N+2", "2N", "2(N+1)", "3N/2", "4N/3", "block-redundant")
METHODS = ("air", "hybrid", "liquid")
_MAX_UPLOAD_MB = 1
_LARGE_W = 1e7


def example_picker() -> None:
    """Show the choice of an example project."""

    def chosen() -> None:
        name = st.session_state["example"]
        if name:
            state.choose_example(example_text(name), name)

    st.selectbox("Example", example_names(), index=None, key="example", on_change=chosen,
                 placeholder="Start from an example")  # fmt: skip


def quick_inputs() -> None:
    """Show the inputs of the short project: GPUs, redundancy, cooling, site, tariff."""
    project = state.project()
    gpu_models = [str(row["model"]) for row in table("equipment/gpus").rows]
    _choice("GPU", "it.gpu_model", gpu_models, project.it.gpu_model)
    _text("Number of GPUs", "it.gpus", project.it.gpus)
    _choice("UPS redundancy", "power.redundancy", list(SCHEMES), project.power.redundancy)
    _choice("Cooling", "cooling.method", list(METHODS), project.cooling.method)
    stations = [str(row["station"]) for row in table("weather/stations").rows]
    _choice("Weather station", "site.station", stations, project.site.station)
    tariff = project.site.tariff
    _text("Tariff (e.g. 0.05 USD/kWh)", "site.tariff", tariff.text if tariff else None)


def _choice(title: str, path: str, options: list[str], value: str | None) -> None:
    key = f"in-{path}"
    shown = options if value is None or value in options else [value, *options]

    def changed() -> None:
        if st.session_state[key]:
            state.change(f"{path}={st.session_state[key]}")

    st.selectbox(title, shown, index=shown.index(value) if value else None, key=key,
                 on_change=changed, placeholder="designed (see assumptions)")  # fmt: skip


def _text(title: str, path: str, value: object) -> None:
    key = f"in-{path}"

    def changed() -> None:
        state.change(f"{path}={st.session_state[key]}")

    st.text_input(title, value="" if value is None else str(value), key=key, max_chars=64,
                  on_change=changed, placeholder="designed (see assumptions)")  # fmt: skip


def file_transfer() -> None:
    """Show upload of a project file, and download of project and workbook."""

    def uploaded() -> None:
        file = st.session_state["upload"]
        if file is not None:
            state.load(file.getvalue(), file.name)

    st.file_uploader("Open a project file", type=["yaml", "yml", "json"], key="upload",
                     on_change=uploaded, max_upload_size=_MAX_UPLOAD_MB)  # fmt: skip
    design = state.current()
    name = safe_file_name(design.facility.identity.name)
    st.download_button(
        "Workbook (.xlsx)", data=lambda: workbook_bytes(design), file_name=f"{name}.xlsx",
        mime="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        icon=":material/download:", on_click="ignore", width="stretch",
    )  # fmt: skip
    st.download_button(
        "Project file (.yaml)", data=dump_project(state.project()), file_name=f"{name}.yaml",
        mime="application/yaml", icon=":material/download:", on_click="ignore", width="stretch",
    )  # fmt: skip


def unit_system() -> str:
    """Show the choice of SI or IP; return it."""
    chosen = st.segmented_control("Units", ["si", "ip"], default="si", key="units",
                                  format_func=str.upper)  # fmt: skip
    return chosen or "si"


def plain_metric(cell: DeltaGenerator, title: str, value: str, note: str) -> None:
    """Show a number with a remark below it."""
    cell.metric(title, value, note, delta_color="off", delta_arrow="off", border=True)


def kpi_row(design: Design) -> None:
    """Show the numbers people ask for first."""
    results = design.results
    cells = (
        ("IT load", "load.it", _note(results, "load.racks", "racks ")),
        ("Facility", "load.facility", _note(results, "load.cooling", "cooling ")),
        ("PUE, design hour", "pue.design", _note(results, "pue.estimate", "year est. ")),
        ("UPS after failure", "ups.loading_failure",
         _note(results, "ups.loading_normal", "normal ")),
        ("Cost per month, est.", "cost.month_estimate",
         _note(results, "energy.annual_estimate", "per year ")),
    )  # fmt: skip
    for column, (title, key, note) in zip(st.columns(len(cells)), cells, strict=True):
        plain_metric(column, title, _short(results[key]), note)


def _short(value: Value) -> str:
    """Return a result in few characters: MW from 10 MW on, thousands of dollars."""
    number = float(value.si)
    if value.kind in ("active_power", "heat_flow") and number >= _LARGE_W:
        return f"{number / 1e6:,.2f} MW"
    if value.kind == "money":
        return f"{number / 1e3:,.0f} kUSD"
    if value.kind == "energy":
        return f"{number / 3.6e12:,.1f} GWh"
    return value.shown()


def _note(results: Results, key: str, prefix: str) -> str:
    return prefix + _short(results[key]) if key in results else ""


def failed_checks(design: Design) -> None:
    """Show the checks that did not pass."""
    check_table([c for c in by_weight(design.checks) if c.outcome.value != "PASS"])


def check_table(checks: list[Check]) -> None:
    """Show checks as a table: verdict, rule, subject, finding, source."""
    st.dataframe(
        {
            "verdict": [c.severity.value if c.failed else c.outcome.value for c in checks],
            "rule": [c.rule for c in checks],
            "subject": [c.subject for c in checks],
            "found": [c.why for c in checks],
            "remedy": [c.remedy for c in checks],
            "margin": ["" if c.margin is None else f"{c.margin:+.1%}" for c in checks],
            "source": [str(c.source) for c in checks],
        },
        hide_index=True,
        width="stretch",
    )
