"""The inspector of the selected object: numbers with margins, why, checks, inputs, history."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from facility.core.check import Check, by_weight, counted
from facility.core.errors import FacilityError
from facility.core.views import System, shared_scale, show
from facility.report.drawings.live.card import card_rows, card_title
from facility.report.drawings.live.moments import LiveState
from facility.report.objects.fact import ObjectFact
from facility.report.objects.history import changes_between
from facility.report.objects.inputs import paths_of
from facility.report.objects.loading import LoadingStep
from facility.report.objects.objects import DesignObject
from facility.report.tables.names import rule_title
from facility.report.tables.verdict import word_of
from facility.report.why.derivation import why
from facility.report.why.pages import of_card
from facility.ui import displays
from facility.ui.canvas import opened
from facility.ui.controls import act
from facility.ui.design import numbers, object_inputs
from facility.ui.objects import find, known, selection
from facility.ui.session import state, timeline
from facility.ui.why import navigation
from facility.ui.why.drawer import known_here, show_drawer
from facility.ui.why.labels import plain
from facility.ui.work.ready import ready

_MAX_NUMBERS, _MAX_STEPS, _MAX_CHECKS, _MAX_CHANGES = 10, 5, 5, 8
_LOOK_COLOURS: dict[str, displays.Colour] = {"ok": "green", "tight": "orange", "over": "red"}
_ICONS = {
    "VIOLATION": ":red[:material/error:]",
    "WARNING": ":orange[:material/warning:]",
    "ADVICE": ":blue[:material/info:]",
    "NOT_EVALUATED": ":gray[:material/radio_button_unchecked:]",
    "WAIVED": ":violet[:material/task_alt:]",
    "PASS": ":green[:material/check:]",
}


def show_inspector(one: DesignObject, live: LiveState | None) -> None:
    """Show the inspector of an object in the displayed state of the power network."""
    system = state.unit_system()
    if one.tags and live is not None:
        ready("outages")  # the worst loading is known after them
    facts = known.facts(one, live)
    _heading(one, facts, live, system)
    if facts:
        numbers.show_numbers(facts[:_MAX_NUMBERS], system)
        _why(one, facts, live, system)
    if selection.opened_input():  # it was asked for
        object_inputs.show_inputs(one, system)
        _checks(known.checks_of(one), system)
    else:
        _checks(known.checks_of(one), system)
        object_inputs.show_inputs(one, system)
    _history(one)
    show_drawer()


def _heading(
    one: DesignObject, facts: Sequence[ObjectFact], live: LiveState | None, system: System
) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="object-head"):
        st.subheader(plain(one.words), anchor=False, width="content")
        main = next((fact for fact in facts if fact.margin is not None), None)
        if main is not None:
            text = main.margin_text(system)
            words = text if main.look == "over" else f"{text} margin"
            st.badge(f"{plain(main.label)}: {words}", color=_LOOK_COLOURS[main.look])
        with st.popover("", icon=":material/more_vert:", key="object-menu", help="Actions"):
            _actions(one, live)
    st.text(_about(one))  # The contrast of a caption is below WCAG 2.2, 1.4.3


def _about(one: DesignObject) -> str:
    objects = known.objects()
    if one.parent and objects[one.parent].kind in ("lineup", "system", "hall", "row"):
        return f"{one.about}, {objects[one.parent].about or objects[one.parent].words}"
    return one.about or one.words


def _actions(one: DesignObject, live: LiveState | None) -> None:
    """Show what can be done with an object: take its equipment out of service, or copy its link."""
    network = known.objects().network
    if network is not None and live is not None and one.id in network.index:
        for unit in network[one.id].unit_tags:
            is_open = unit in live.opened
            words = f"Return {unit} to service" if is_open else f"Take {unit} out of service"
            act(words, "power" if is_open else "power_off", f"out-{unit}", opened.switch, unit)
    act("Find another object", "search", "object-find", find.open_find)


def _why(
    one: DesignObject, facts: Sequence[ObjectFact], live: LiveState | None, system: System
) -> None:
    """Show the first steps of the main number, and links that explain every number."""
    main = facts[0]
    requests = [(fact, _request(one, fact, live, system)) for fact in facts]
    with st.container(
        horizontal=True,
        horizontal_alignment="distribute",
        vertical_alignment="center",
        key="object-why",
    ):
        st.markdown(f"**Why {plain(main.value_text(system))}**", width="content")
        with st.container(horizontal=True, gap="small", width="content"):
            with st.popover("Others", type="tertiary"):
                for number, (fact, request) in enumerate(requests[1:]):
                    if request is not None:
                        words = f"{fact.label}, {fact.case}: {fact.value_text(system)}"
                        _ask(plain(words), f"why-other-{number}", request)
            if requests[0][1] is not None:
                _ask("All steps", "why-object", requests[0][1])
    numbers.show_steps(_steps(one, main, live, system)[:_MAX_STEPS])


def _ask(words: str, key: str, request: navigation.WhyRequest) -> None:
    st.button(words, key=key, type="tertiary", on_click=navigation.ask, args=request)


def _steps(
    one: DesignObject, fact: ObjectFact, live: LiveState | None, system: System
) -> Sequence[LoadingStep]:
    if fact.outage:
        loading = known.loading()
        return () if loading is None else loading.steps(one, fact, live, system)
    try:
        found = why(known_here(), fact.why, system)
    except FacilityError:
        return ()
    if not found.inputs or isinstance(fact.value, str):
        return ()
    inputs = [(value, kind) for _, value, kind, _ in known_here().trace[fact.why].inputs]
    largest: dict[str, float] = {fact.kind: fact.value}
    for value, kind in inputs:
        largest[kind] = max(value, largest.get(kind, 0.0), key=abs)
    steps = []
    for step, (value, kind) in zip(found.inputs, inputs, strict=True):
        unit, digits = shared_scale(largest[kind], kind, system)
        text = show(value, kind, system, unit=unit, digits=digits)
        steps.append(LoadingStep(step.title, text))
    return steps


def _request(
    one: DesignObject, fact: ObjectFact, live: LiveState | None, system: System
) -> navigation.WhyRequest | None:
    """Return what the drawer explains of a number; None if nothing."""
    if fact.why:
        return fact.why, None
    loading = known.loading()
    found = None if loading is None else loading.flow(one, fact, live)
    if found is None:
        return None
    equipment, flow = found
    rows = list(card_rows(state.current(), equipment, flow, system))
    page, ids = of_card(card_title(equipment), rows, fact.case)
    shown = [id for row, id in zip(rows, ids, strict=True) if row.kind == "fraction"]
    return (shown[0], page) if shown else None


def _checks(found: Sequence[Check], system: System) -> None:
    """Show the checks of an object, failed ones first, each a link to its explanation."""
    counts = counted(found)
    words = [
        f"{counts[word]:,} {word_of(word, counts[word])}"
        for word in ("VIOLATION", "WARNING", "ADVICE", "NOT_EVALUATED", "PASS")
        if counts[word]
    ]
    with st.container(
        horizontal=True,
        horizontal_alignment="distribute",
        vertical_alignment="center",
        key="object-checks",
    ):
        st.markdown("**Checks**", width="content")
        st.markdown(f":small[:gray[{', '.join(words) or 'none'}]]", width="content")
    rules: dict[str, list[Check]] = {}
    for check in by_weight(found):
        rules.setdefault(check.rule, []).append(check)
    listed = list(rules.values())
    first = [checks for checks in listed if checks[0].word != "PASS"][:_MAX_CHECKS]
    for number, checks in enumerate(first):
        _check_row(checks, f"check-row-{number}", system)
    rest = listed[len(first) :]
    if rest:
        word = "rule" if len(rest) == 1 else "rules"
        title = f"{len(rest):,} more {word}" if first else f"{len(rest):,} {word}"
        with st.expander(title, on_change="rerun", key="object-more-checks") as more:
            if more.open:
                for number, checks in enumerate(rest, len(first)):
                    _check_row(checks, f"check-row-{number}", system)


def _check_row(checks: Sequence[Check], key: str, system: System) -> None:
    """Show the worst check of a rule, a link to its explanation."""
    check = checks[0]
    with st.container(
        horizontal=True,
        horizontal_alignment="distribute",
        vertical_alignment="center",
        gap="small",
        key=key,
    ):
        st.button(
            f"{_ICONS[check.word]} {plain(rule_title(check.rule))}",
            key=f"{key}-why",
            type="tertiary",
            on_click=navigation.ask,
            args=(check.rule,),
            help=plain(f"{check.subject}: {check.found(system)}"),
        )
        short = plain(_short(check, system))
        if len(checks) > 1:
            short = f"{short}, {len(checks)} findings"
        st.markdown(f":small[:gray[{short}]]", width="content")


def _short(check: Check, system: System) -> str:
    """Return value and limit of a check in a few words, or its verdict."""
    if check.value is None or check.limit is None:
        return word_of(check.word, 1)
    fact = ObjectFact("", "", check.value, check.kind, check.limit, check.sense)
    return f"{fact.value_text(system)}, limit {fact.limit_text(system)}"


def _history(one: DesignObject) -> None:
    """Show the changes of this session that touched the inputs of an object, the last first."""
    paths = paths_of(known.objects(), one)
    later = state.session().project
    lines: list[str] = []
    for step in reversed(timeline.past().past):
        if step.session is None:  # a saved revision, read when undo reaches it
            break
        before = step.session.project
        lines += [change.words for change in changes_between(before, later, paths)]
        later = before
    with st.expander(f"History ({len(lines)})" if lines else "History", key="object-history"):
        for line in lines[:_MAX_CHANGES]:
            st.text(line)
        if not lines:
            st.text("No input of this object was changed in this session.")
        if st.button("All revisions", icon=":material/history:", key="object-revisions"):
            state.go_to("library", "revisions")
