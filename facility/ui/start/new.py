"""New project: six questions, with the answer next to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from facility.catalogue import table
from facility.catalogue.gazetteer import cities
from facility.core.errors import FacilityError
from facility.core.views import printed_unit, view_unit
from facility.files.project.companions import COMPANIONS, check_size, content_name
from facility.model.inputs.power.section import RACK_SYSTEMS
from facility.model.inputs.site import SiteSection
from facility.model.power.redundancy import SCHEMES
from facility.report.objects.known_names import station_labels
from facility.study.brief.alternatives import COOLING, METHODS, REDUNDANCY
from facility.study.brief.brief import DEFAULT_MODEL, Brief
from facility.study.brief.site import OFFER_MAX_M, stations_from
from facility.study.resolve.it.short_form import liquid_cooled, offered_gpus
from facility.ui import controls
from facility.ui.library import shelf
from facility.ui.memory import spool
from facility.ui.session import state
from facility.ui.start import recent, result
from facility.ui.start.entries import FIT, LABELS, Entries, key_of, restore, size_of, with_unit
from facility.ui.work import runs
from facility.ui.work.answers import FURTHER, BriefAnswer, entries_text

_LIMITS = {
    "grid": ("Grid connection", "20 MW"),
    "water": ("Annual water use", "50000 m3"),
    "area": ("Hall floor area", "2000 m2"),
    "budget": ("Capital cost", "50000 kUSD"),
}
_MAX_UPLOAD_MB = 10
_LARGE = 300_000
"""Population of the cities in the list; the others are typed."""
_UNITS = ("GPUs", "racks", "servers", "MW", FIT)
_COMMON = ("N", "N+1", "N+2", "2N", "2(N+1)", "3N/2")
_GOALS = {
    "maintenance": "Concurrently maintainable",
    "any failure": "Fault tolerant",
    **{scheme: f"Redundancy {scheme}" for scheme in SCHEMES},
}
_STATED = "new-stated"


def show_new() -> None:
    """Show the questions of a new project with the answer, and the projects edited last."""
    questions, answer = st.columns([5, 7], gap="medium")
    slots = dict[str, DeltaGenerator]()
    with questions:
        st.title("New project", anchor=False)
        st.text("Six questions. Everything else is designed, and can be stated later.")
        try:
            entries = _questions(slots)
        except FacilityError as error:
            controls.refused("Weather file", error)
            return
    brief = brief_of(entries)
    limits = {name: entries[name] for name in _LIMITS} if entries["unit"] == FIT else {}
    with answer, st.container(key="new-answer"):
        drafted = result.show_answer(entries, brief, entries_text(brief, limits))
    if drafted is not None or entries["cooling"]:
        with slots["reasons"]:
            _why_not(entries["model"] or DEFAULT_MODEL)
    with questions:
        if drafted is not None:
            _defaults(entries, drafted)
        _create(drafted)
    recent.show()


def brief_of(entries: Entries) -> Brief:
    """Return the brief of the entries."""
    stated = {REDUNDANCY: entries["power"], COOLING: entries["cooling"]}
    stated |= {path: entries[path] for path in FURTHER}
    sets = tuple(f"{path}={value}" for path, value in stated.items() if value)
    return Brief(
        size_of(entries),
        entries["model"],
        entries["place"] or entries["location"],
        entries["weather"] or entries["station"],
        entries["voltage"],
        entries["goal"],
        sets,
    )


def _text(
    name: str,
    title: str,
    example: str,
    *,
    disabled: bool = False,
    help: str | None = None,
    width: int | Literal["stretch"] = "stretch",
    live: str | bool = False,
) -> str:
    found = st.text_input(
        title,
        key=key_of(name),
        max_chars=100,
        placeholder=example,
        help=help,
        disabled=disabled,
        width=width,
        live=live,
        persist_state="session",
    )
    return found.strip()


def _choice(
    name: str,
    title: str,
    options: tuple[str, ...],
    placeholder: str = "Default",
    label: Callable[[str], str] = str,
) -> str:
    # Only listed entries: with others, Enter would take the typed text instead of the one marked.
    # They keep their order: a fuzzy search ranks a short name before a place with a station.
    chosen = st.selectbox(
        title,
        options,
        index=None,
        key=key_of(name),
        format_func=label,
        placeholder=placeholder,
        filter_mode="contains",
        persist_state="session",
    )
    return chosen or ""


def _segments(name: str, title: str, options: tuple[str, ...]) -> str:
    chosen = st.segmented_control(
        title,
        options,
        key=key_of(name),
        format_func=lambda one: one[:1].upper() + one[1:],
        persist_state="session",
    )
    return chosen or ""


def _questions(slots: dict[str, DeltaGenerator]) -> Entries:
    """Show the questions; return the entries as text, empty for the default.

    slots: Receives the place of the rejected cooling methods, which are known after the answer.

    Raises the errors of reading an uploaded weather file.
    """
    found = dict.fromkeys(LABELS, "")
    found |= _size()
    listed, other = st.columns(2)
    with listed:
        found["location"] = _choice("location", "Where?", _places(), "Ashburn, Virginia")
    with other:
        found["place"] = _text("place", "Another place", "Smaller city, or coordinates")
    elsewhere = bool(found["place"]) or found["location"] not in ("", *_station_places())
    if elsewhere:
        _weather(found, found["place"] or found["location"])
    found["power"] = _segments("power", "What power redundancy is required?", _COMMON)
    found["cooling"] = _segments("cooling", "How is it cooled?", METHODS)
    slots["reasons"] = st.container()
    left, right = st.columns(2)
    with left:
        found["voltage"] = _choice("voltage", "Rack voltage", tuple(RACK_SYSTEMS))
    with right:
        found["goal"] = _choice("goal", "Goal", tuple(_GOALS), "No goal", _GOALS.__getitem__)
    if not elsewhere:
        with st.expander("More questions", icon=":material/tune:"):
            _weather(found, "")
    stated: list[str] = st.session_state.setdefault(_STATED, [])
    if stated:
        with st.container(horizontal=True):
            for path in stated:
                found[path] = _text(path, FURTHER[path], "Default", width=180)
    return found


def _weather(found: dict[str, str], place: str) -> None:
    """Show the questions for the weather: a station, design temperatures or an uploaded file.

    place: The stations are listed by their distance from it; by name if it is empty or unknown.

    Raises the errors of reading the file.
    """
    labels, nearest = station_labels(SiteSection()), "Nearest station"
    with suppress(FacilityError):
        if place:
            near = stations_from(place)
            labels = {one.station: one.label for one in near}
            nearest = nearest if near else f"None within {OFFER_MAX_M / 1e3:,.0f} km"
    unit = printed_unit(view_unit("temperature", state.unit_system()))
    example = "36 °C, 24 °C" if unit == "°C" else "97 °F, 75 °F"
    listed, typed = st.columns(2)
    with listed:
        found["station"] = _choice(
            "station", "Weather of", tuple(labels), nearest, labels.__getitem__
        )
    with typed:
        found["weather"] = _text(
            "weather", "Or design dry bulb, wet bulb", example,
            help=f"In {unit}, or each with its unit. Sufficient for sizes; the energy of a year "
            "requires hourly weather.",
        )  # fmt: skip
    found["weather"] = _uploaded() or with_unit(found["weather"], unit)


def _size() -> dict[str, str]:
    """Show the question for the size; the limits, where the largest that fits is searched."""
    st.session_state.setdefault(key_of("amount"), "256")
    st.session_state.setdefault(key_of("unit"), _UNITS[0])
    st.session_state.setdefault(key_of("model"), DEFAULT_MODEL)
    fits = st.session_state[key_of("unit")] == FIT
    amount, unit, model = st.columns([4, 3, 5])
    found = {}
    with amount:
        found["amount"] = _text("amount", "What are you building?", "", disabled=fits, live="400ms")
    with unit:
        found["unit"] = st.selectbox("Unit", _UNITS, key=key_of("unit"), persist_state="session")
    with model:
        servers = (row.text("model") for row in table("equipment/servers").rows)
        found["model"] = _choice(
            "model", "Model", tuple(dict.fromkeys((*offered_gpus(), *servers)))
        )
    if fits:
        grid = st.grid(columns=2, min_column_width=150)
        for name, (title, example) in _LIMITS.items():
            with grid:
                found[name] = _text(name, title, example)
    return found


@cache
def _places() -> tuple[str, ...]:
    """Return the cities with an included weather station, and all large cities."""
    here = _station_places()
    towns = {one.partition(",")[0] for one in here}
    large = {
        one.label
        for one in cities()
        if one.population >= _LARGE and not (one.country == "US" and one.name in towns)
    }
    return (*here, *sorted(large - {*here}))


@cache
def _station_places() -> tuple[str, ...]:
    places = station_labels(SiteSection()).values()
    return tuple(sorted({place.partition(" (")[0] for place in places}))


def _why_not(model: str) -> None:
    """Show the cooling methods that the model rejects, with the reason."""
    run = runs.ask("rejected methods", "", (model,), "new methods")
    rejected = run.result() if run.state == "done" else {}
    assert isinstance(rejected, Mapping)
    reasons: dict[str, list[str]] = {}
    for method, reason in rejected.items():
        reason = reason.partition("; the cooling method")[0].rpartition("but ")[2]
        reasons.setdefault(reason, []).append(method)
    for reason, methods in reasons.items():
        names = " and ".join(methods)
        are = "are" if len(methods) > 1 else "is"
        st.text(f"{names.capitalize()} cooling {are} not possible: {reason.rstrip('.')}.")
    if rejected and "air" not in rejected:
        with st.container(horizontal=True, gap="small"):
            for gpu in (one for one in offered_gpus() if one in liquid_cooled()):
                key, entry = f"new-liquid-{gpu}", {"model": gpu}
                st.button(f"Switch to {gpu}", key=key, on_click=restore, args=(entry,))


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


def _defaults(entries: Entries, drafted: BriefAnswer) -> None:
    """Show the defaults in use; a selected one is stated."""
    shown: list[str] = st.session_state[_STATED]
    offered = {
        name: f"{LABELS[name]}: {value}"
        for name, value in drafted.used.items()
        if not entries[name]
        and name not in shown
        and not (
            name == "location" and (entries["place"] or entries["weather"] or entries["station"])
        )
    }

    def state_it() -> None:
        name = st.session_state[key_of("default")]
        st.session_state[key_of("default")] = None
        if name in FURTHER:
            shown.append(name)
        if name:
            restore({name: drafted.used[name]})

    st.pills(
        "Defaults in use (select one to state it)",
        list(offered),
        key=key_of("default"),
        format_func=offered.__getitem__,
        on_change=state_it,
        wrap=True,
    )
    if "cost.month_estimate" not in drafted.results and "site.tariff" not in shown:
        help = "No price is known for this country."
        controls.act("Energy price", "add", "new-price", shown.append, "site.tariff", help=help)
    st.text(
        f"{drafted.assumptions:,} defaults in total; Checks lists them once the project exists."
    )


def _create(drafted: BriefAnswer | None) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        create = st.button(
            "Create project",
            type="primary",
            icon=":material/add:",
            key="new-create",
            disabled=drafted is None,
        )
        bring = st.button(
            "Create project and import racks",
            icon=":material/upload_file:",
            key="new-import",
            disabled=drafted is None,
        )
        st.text("Nothing is stored until you create it.")
    if drafted is not None and (create or bring):
        shelf.begin_new(drafted.text)
        if not shelf.has_failed():
            state.go_to(*(("start", "import") if bring else ("design", "summary")))
        st.rerun()
