"""New project page: the questions of the brief, and the answer."""

from __future__ import annotations

import json
import re
from typing import cast

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.project.companions import COMPANIONS, check_size, content_name
from facility.files.project.file import dump_project
from facility.model.inputs.power.section import RACK_SYSTEMS
from facility.model.power.redundancy import SCHEMES
from facility.report.tables.verdict import NOT_KNOWN, key_figures
from facility.study.brief.brief import QUESTIONS, Brief, begun, defaults, left_to_tool, read_amount
from facility.study.brief.site import distance_warning
from facility.study.resolve.it.short_form import offered_gpus
from facility.ui import displays
from facility.ui.library import cards, shelf
from facility.ui.memory import spool
from facility.ui.session import state
from facility.ui.work.ready import over

_LIMITS = {
    "grid": ("Grid connection", "20 MW"),
    "water": ("Annual water use", "50000 m3"),
    "area": ("Hall floor area", "2000 m2"),
    "budget": ("Capital cost", "50000 kUSD"),
}
_MAX_UPLOAD_MB = 10
_GOALS = (*SCHEMES, "maintenance", "any failure")
_SIZE = QUESTIONS[0]
_WEATHER = "Nearest station; or e.g. 36 °C, 24 °C"
_DEFAULT = "Default"
_FILE = r"put it next to the project file and enter its name \([^)]*\)"


def _text(field: str, title: str, example: str) -> str:
    return st.text_input(title, key=f"new-{field}", max_chars=100, placeholder=example).strip()


def _choice(field: str, title: str, options: tuple[str, ...]) -> str:
    chosen = st.selectbox(
        title,
        list(options),
        index=None,
        key=f"new-{field}",
        placeholder=_DEFAULT,
        accept_new_options=True,
    )
    return chosen or ""


def _uploaded() -> str:
    """Show the upload of a weather file; return its name, empty without one.

    Raises the errors of reading it.
    """
    file = st.file_uploader(
        "Weather file (EPW or CSV)",
        type=["epw", "csv", "gz"],
        key="new-weather-file",
        max_upload_size=_MAX_UPLOAD_MB,
    )
    if file is None:
        return ""
    content = file.getvalue()
    check_size(file.name, content)
    name = content_name(file.name, content)
    COMPANIONS["site.weather_file"].read(spool.put(name, content))
    return name


def _questions() -> tuple[Brief, dict[str, str]]:
    """Show the questions; return the answers and the limits."""
    titles = {one.field: one.text for one in QUESTIONS}
    size = _text("size", f"{_SIZE.text} ({_SIZE.answers})", "256 GPUs")
    model = _choice("model", titles["model"], offered_gpus())
    location = _text("location", f"{titles['location']} (city or coordinates)", "Phoenix, AZ")
    weather = _text("weather", "Weather (station, or design dry and wet bulb)", _WEATHER)
    weather = _uploaded() or weather
    voltage = _choice("voltage", f"{titles['voltage']} (racks)", tuple(RACK_SYSTEMS))
    survive = _choice("survive", titles["survive"], _GOALS)
    limits: dict[str, str] = {}
    with st.expander("Size from limits: largest cluster that fits"):
        for field, (title, example) in _LIMITS.items():
            limits[field] = _text(field, title, example)
    return Brief(size, model, location, weather, voltage, survive), limits


def _project(brief: Brief, limits: dict[str, str]) -> tuple[str, tuple[str, ...]] | None:
    """Return the project file, and the use of the limits; None while the largest is searched.

    Raises ``WEATHER_SITE`` for the name of a weather file that was not uploaded, and as `fitted`.
    """
    is_file = brief.weather.lower().endswith((".epw", ".csv", ".gz"))
    if is_file and not spool.has(brief.weather):
        raise FacilityError(
            "WEATHER_SITE",
            "weather",
            f"the weather file {brief.weather[:60]!r} is not uploaded.",
            "Upload it above, or enter a station or design dry and wet bulb.",
        )
    by_power = bool(brief.size) and read_amount(brief.size)[1] == "power"
    if not (by_power or any(limits.values())):
        return dump_project(begun(brief, spool.folder())), ()
    entries = json.dumps({"brief": vars(brief), "limits": limits})
    run = over("largest", "largest cluster", text=entries, owner="new", key="largest")
    return None if run is None else cast("tuple[str, tuple[str, ...]]", run.result())


def _answer(found: tuple[str, tuple[str, ...]], brief: Brief) -> str:
    """Show the answer; return the project file."""
    text, lines = found
    made = state.designed(text)
    st.markdown("##### Answer")
    for line in lines:
        st.text(line)
    known = key_figures(made.results, state.unit_system())
    figures = [("GPUs", made.results["load.gpus"].shown())]
    figures += [pair for pair in known if pair[1] != NOT_KNOWN]
    for first in range(0, len(figures), 2):
        for column, (name, value) in zip(st.columns(2), figures[first : first + 2], strict=False):
            column.metric(name, value, border=True)
    used = [pair for pair in left_to_tool(brief, made) if not (lines and pair[0] == _SIZE.title)]
    if used:
        st.markdown("##### Defaults in use")
        st.text("\n".join(f"{subject}: {value}" for subject, value in used))
    if warning := distance_warning(made.facility.site.record):
        st.text(warning)
    st.text(
        f"Weather: {defaults(made)['weather'] or 'design temperatures only; no annual simulation'}"
    )
    return text


def show_new() -> None:
    """Show the questions of a new project with the answer, and the projects edited last."""
    _new()
    cards.show_last(state.unit_system())


def _new() -> None:
    st.subheader("New project", anchor=False)
    st.text(
        "Every entry is optional; the result updates with each entry. The project "
        "contains your entries only."
    )
    questions, answer = st.columns(2, gap="large")
    with questions:
        try:
            brief, limits = _questions()
        except FacilityError as error:
            displays.refused("Weather file", error)
            return
    with answer:
        try:
            found = _project(brief, limits)
            if found is None:
                return
            text = _answer(found, brief)
        except FacilityError as error:
            hint = re.sub(_FILE, "name it in site.weather_file of the project file", error.hint)
            hint = re.sub(r'weather="([^"]+)"', r"Weather: \1", hint)
            error = FacilityError(error.code, error.where, error.message, hint)
            displays.refused("Open question", error)
            return
        if st.button("Create project", key="new-create", icon=":material/add:"):
            cards.show_result(opened_now=shelf.begin_new(text))
