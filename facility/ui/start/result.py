"""Answer to the questions of a new project: figures with their changes, the chain, the goal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, cast

import streamlit as st

from facility.catalogue.gazetteer import find_cities, longer_names
from facility.core.errors import FacilityError
from facility.core.table import Value
from facility.core.views import System
from facility.report.tables.verdict import word_of
from facility.study.brief.alternatives import COOLING, REDUNDANCY, stated
from facility.study.brief.brief import Brief
from facility.study.brief.site import site_inputs, stations_from
from facility.ui.blocks import render
from facility.ui.blocks.blocks import NumberCell, Numbers, SharedUnits, cell, loading
from facility.ui.blocks.elements import element, show_element, show_style
from facility.ui.checks.words import COLOURS
from facility.ui.session import state
from facility.ui.session.scenario import difference
from facility.ui.start.entries import Entries, changed, restore, words
from facility.ui.work import runs
from facility.ui.work.answers import BriefAnswer, GoalAnswer
from facility.ui.work.ready import over
from facility.ui.work.runs import Run

_SHOWN, _CHECKS, _RELEASED = "new-shown", "new-checks", "new-checks-released"
_LABELS = ("IT load", "Facility", "PUE", "UPS modules", "Heat to liquid", "Electricity per month")
_EMPTY = "–"


_COMPARED = {
    "UPS": ("ups.modules", "ups.module_rating"),
    "Facility": ("load.facility",),
    "Transformers": ("transformer.count",),
}
_NO_PLACE = {
    "WEATHER_SITE": "Which weather?",
    "AMBIGUOUS_PLACE": "Which city?",
    "UNKNOWN_PLACE": "The place is not in the list of cities.",
}
_OTHER_WEATHER = (
    "Select a station with a similar climate, enter design dry bulb and wet bulb, or upload the "
    "EPW file of the place (climate.onebuilding.org)."
)
_NO_STATION = (
    "Upload the EPW file of the place (climate.onebuilding.org), or enter design dry bulb and wet "
    "bulb, which are sufficient for sizing."
)
_MEANT = 5
_PATIENCE_S = 0.6
"""Time in which most small projects are designed [s]: their answer replaces the one before."""


class ShownAnswer(NamedTuple):
    """Entries that could be designed, and their answer."""

    entries: Entries
    answer: BriefAnswer


def show_answer(entries: Entries, brief: Brief, text: str) -> BriefAnswer | None:
    """Show the answer to the entries; return it, or None while it is calculated.

    text: The entries as the text of a job.
    """
    show_style()
    shown: list[ShownAnswer] = st.session_state.setdefault(_SHOWN, [])
    heading = st.container(horizontal=True, vertical_alignment="center")
    with heading:
        st.header("The answer", anchor=False, width="content")
    run = _place_error(brief) or over(
        "brief", "Design", text=text, owner="new", key="brief", patience_s=_PATIENCE_S
    )
    if not isinstance(run, Run) or run.error is not None:
        _release()
        if isinstance(run, FacilityError):
            _no_place(run, brief)
        elif run is not None and run.error is not None:
            _rejected(run.error, text, shown)
        with st.container(key="new-earlier"):
            if shown:
                st.text(f"For {words(shown[-1].entries)}")
                cells = numbers(shown[-1].answer, None, state.unit_system())
                render.show([Numbers(cells, "new-numbers")])
            else:
                render.show([loading(_LABELS, "new-numbers")])
        return None
    answer = cast(BriefAnswer, run.result())
    if not shown or shown[-1].answer.text != answer.text:
        shown.append(ShownAnswer(entries, answer))
        del shown[:-2]
    before = shown[0] if len(shown) > 1 else None
    with heading:
        st.text("" if before is None else changed(before.entries, shown[-1].entries))
    cells = numbers(answer, before and before.answer, state.unit_system())
    render.show([Numbers(cells, "new-numbers")])
    _chain(answer.results, state.unit_system())
    for line in (*answer.limits, answer.warning):
        if line:
            st.text(line)
    _goal(answer, entries)
    return answer


def _rejected(error: FacilityError, text: str, shown: Sequence[ShownAnswer]) -> None:
    """Show why entries cannot be designed, and the change that makes them possible."""
    with st.container(border=True, key="new-rejected"):
        st.error("These answers cannot be built together.", icon=":material/error:")
        st.text(error.message)
        if error.code in ("WEATHER_SITE", "BRIEF_SIZE"):
            st.text(error.hint.partition(", put it next to")[0])
        run = over("brief change", "Search for a possible change", text=text, owner="new")
        with st.container(horizontal=True):
            found = None if run is None or run.error is not None else run.result()
            if isinstance(found, Brief):
                title, entries = _change_of(found)
                st.button(title, type="primary", key="new-apply", on_click=restore, args=(entries,))
            if shown:
                st.button(
                    f"Keep {words(shown[-1].entries)}",
                    key="new-keep",
                    on_click=restore,
                    args=(shown[-1].entries,),
                )


def _place_error(brief: Brief) -> FacilityError | None:
    """Return why the place or its weather is not known, without a design."""
    try:
        site_inputs(brief.location.strip(), brief.weather.strip())
    except FacilityError as error:
        return error
    return None


def _no_place(error: FacilityError, brief: Brief) -> None:
    """Show the missing location data, and matching cities."""
    with st.container(border=True, key="new-rejected"):
        noun = "weather" if error.where == "weather" else "place"
        title = _NO_PLACE.get(error.code, f"The {noun} cannot be used.")
        st.error(title, icon=":material/error:")
        st.text(error.message[:1].upper() + error.message[1:])
        if error.code == "AMBIGUOUS_PLACE":
            meant = find_cities(brief.location) or longer_names(brief.location)
            with st.container(horizontal=True):
                for one in meant[:_MEANT]:
                    chosen = ({"place": one.label},)
                    st.button(one.label, key=f"new-{one.label}", on_click=restore, args=chosen)
        elif error.code == "WEATHER_SITE":
            offers = stations_from(brief.location)[:_MEANT]
            st.text(_OTHER_WEATHER if offers else _NO_STATION)
            with st.container(horizontal=True):
                for offer in offers:
                    chosen = ({"station": offer.station, "weather": ""},)
                    st.button(
                        offer.label, key=f"new-{offer.station}", on_click=restore, args=chosen
                    )
        else:
            st.text(error.hint)


def _change_of(found: Brief) -> tuple[str, dict[str, str]]:
    """Return the title of the button of a change, and the entries that it changes."""
    entries = {
        "power": stated(found, REDUNDANCY),
        "cooling": stated(found, COOLING),
        "voltage": found.voltage,
        "weather": found.weather,
    }
    before = {name: st.session_state.get(f"new-{name}") or "" for name in entries}
    name = next((one for one in entries if entries[one] != before[one]), "cooling")
    nouns = {
        "power": "power redundancy",
        "cooling": "cooling",
        "voltage": "rack voltage",
        "weather": "weather",
    }
    value = entries[name] or "the default"
    return f"Switch to {value} {nouns[name]} and apply both", {name: entries[name]}


def numbers(answer: BriefAnswer, before: BriefAnswer | None, system: System) -> list[NumberCell]:
    """Return the six figures of an answer with their differences, powers in one unit."""
    now, was = answer.results, {} if before is None else before.results
    pue = next((key for key in ("pue.annual", "pue.estimate", "pue.design") if key in now), "")
    cdus, price = _text(now, "cdu.count", system), answer.used.get("site.tariff", "")
    voltage = now.get("utility.voltage")
    volts = _EMPTY if voltage is None else f"{float(voltage.si) / 1e3:g} kV"
    known = "cost.month_estimate" in now
    unpriced = "no price" if "pue.estimate" in now else "no hourly weather"
    priced = f"at {price}" if price else "as stated"
    racks = f"{_text(now, 'load.racks', system)} racks"
    others = float(now["load.racks"].si) - float(now["load.racks.compute"].si)
    if others:
        compute = _text(now, "load.racks.compute", system)
        racks += f": {compute} compute, {others:,.0f} network, storage or management"
    listed = {
        "load.it": ("IT load", racks),
        "load.facility": (
            "Facility, design hour",
            f"{_text(now, 'utility.current', system)} at {volts}",
        ),
        pue: (
            "PUE of the year" if pue == "pue.annual" else "PUE, estimate",
            f"design hour {_text(now, 'pue.design', system)}",
        ),
        "ups.modules": (
            "UPS modules",
            f"{_text(now, 'ups.module_rating', system)} each, "
            f"{_text(now, 'ups.loading_failure', system)} after a failure",
        ),
        "heat.liquid": (
            "Heat to liquid",
            f"{cdus} CDUs" if cdus not in (_EMPTY, "0") else "cooled with air",
        ),
        "cost.month_estimate": ("Electricity per month", priced if known else unpriced),
    }
    scale = SharedUnits.of((now[key] for key in listed if key in now), system)
    return [
        cell(
            label,
            scale.text(now[key]) if key in now else _EMPTY,
            "; ".join(filter(None, (difference(now.get(key), was.get(key), system), remark))),
        )
        for key, (label, remark) in listed.items()
    ]


def _text(results: Mapping[str, Value], key: str, system: System) -> str:
    return results[key].short(system) if key in results else _EMPTY


def _chain(results: Mapping[str, Value], system: System) -> None:
    """Show the chain from the utility to the cooling, with counts and sizes."""

    def count(key: str, noun: str, plural: str = "") -> str:
        number = _text(results, key, system)
        return f"{number} {noun if number == '1' else plural or f'{noun}s'}"

    cooling = [
        count(key, noun)
        for key, noun in (("cdu.count", "CDU"), ("crah.count", "CRAH"))
        if key in results and results[key].si
    ]
    chillers = count("plant.chiller_count", "chiller") if "plant.chiller_count" in results else ""
    parts = (
        ("bolt", "Utility", _text(results, "utility.demand_kva", system)),
        (
            "join_inner",
            count("transformer.count", "transformer"),
            _text(results, "transformer.rating_kva", system),
        ),
        (
            "battery_charging_full",
            count("ups.modules", "UPS", "UPS"),
            _text(results, "ups.module_rating", system),
        ),
        ("dns", "Hall", count("load.racks", "rack")),
        ("water_drop", ", ".join(cooling) or "Cooling", chillers),
    )
    items = (
        element(
            "li",
            element("span", icon, look="new-icon"),
            element("span", element("b", name), element("br"), size, look="new-words"),
        )
        for icon, name, size in parts
    )
    show_element(element("ol", *items, look="new-chain", label="Power and cooling"), "new-chain")


def _release() -> None:
    """Cancel the checks of the answer before: the worker is needed for the next answer."""
    run: Run | None = st.session_state.pop(_CHECKS, None)
    if run is not None and not run.is_over:
        run.cancel()
        st.session_state[_RELEASED] = True


def _goal(answer: BriefAnswer, entries: Entries) -> None:
    """Show the counts of the checks; a goal not met, with the redundancy that meets it."""
    st.session_state[_CHECKS] = checks = runs.ask("brief goal", answer.text, owner="new goal")
    if st.session_state.pop(_RELEASED, False):
        checks.again()
    run = over("brief goal", "Checks and goal", text=answer.text, owner="new goal", key="goal")
    if run is None:
        return
    if run.error is not None:
        st.text(f"Checks not evaluated: {run.error.message}")
        return
    found = cast(GoalAnswer, run.result())
    if found.unmet:
        _unmet(found)
    with st.container(horizontal=True, gap="xsmall", key="new-counts"):
        for word in ("VIOLATION", "WARNING", "ADVICE", "NOT_EVALUATED"):
            number = found.counts[word]
            colour = COLOURS[word] if number else "green" if word == "VIOLATION" else "grey"
            st.badge(f"{number} {word_of(word, number)}", color=colour)
        if entries["goal"] and not found.unmet:
            st.badge("Goal met", color="green", icon=":material/check:")


def _unmet(found: GoalAnswer) -> None:
    system = state.unit_system()
    with st.container(border=True, key="new-unmet"):
        st.warning("Goal not met", icon=":material/warning:")
        st.text("\n".join(found.unmet))
        if not found.scheme:
            st.text("No power redundancy meets the goal with these answers.")
            return
        st.button(
            f"Switch to {found.scheme}",
            type="primary",
            key="new-switch",
            on_click=restore,
            args=({"power": found.scheme},),
        )
        grid = st.grid(columns=3, min_column_width=140, gap="xsmall")
        for label, keys in _COMPARED.items():
            before, after = (
                " × ".join(_text(results, key, system) for key in keys)
                for results in (found.before, found.after)
            )
            with grid:
                st.text(f"{label}\n{before} → {after}")
