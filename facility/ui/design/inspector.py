"""The inspector of the selected object: numbers with margins, why, checks, inputs, history."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain

import streamlit as st

from facility.core.check import Check, by_weight, counted
from facility.core.errors import FacilityError
from facility.core.views import System, shared_scale, show
from facility.report.drawings.live.card import card_rows, card_title
from facility.report.drawings.live.moments import LiveState
from facility.report.objects.fact import ObjectFact
from facility.report.objects.history import changes_between
from facility.report.objects.inputs import paths_of
from facility.report.objects.loading import NO_LOADING, LoadingStep
from facility.report.objects.objects import DesignObject
from facility.report.tables.names import rule_title
from facility.report.tables.verdict import word_of
from facility.report.why.derivation import leading_inputs, why
from facility.report.why.pages import of_card
from facility.ui.blocks.blocks import COLOURS
from facility.ui.blocks.component import ListGroup, ListRow, show_list
from facility.ui.canvas import opened
from facility.ui.checks import causes
from facility.ui.controls import act
from facility.ui.design import numbers
from facility.ui.inspector import inputs
from facility.ui.objects import find, known, selection
from facility.ui.session import state, timeline
from facility.ui.shell import style
from facility.ui.why import navigation
from facility.ui.why.drawer import known_here, show_drawer
from facility.ui.why.labels import plain
from facility.ui.work.ready import TITLES, ready

_MAX_NUMBERS, _FEW_NUMBERS, _MAX_STEPS, _MAX_CHECKS, _MAX_CHANGES = 10, 3, 5, 5, 8


def show_inspector(one: DesignObject, live: LiveState | None, *, lists_inputs: bool) -> None:
    """Show the inspector of an object in the displayed state of the power network.

    On a narrow screen it has the first numbers, and one section at a time.

    lists_inputs: Whether it has the inputs, which the view next to it does not have.
    """
    system, narrow = state.unit_system(), style.is_narrow()
    if one.tags and live is not None:
        ready("outages")  # the worst loading is known after them
    facts = known.facts(one, live)
    _heading(one, facts, live, system)
    sections: dict[str, Callable[[], None]] = {}
    if facts:
        most = _FEW_NUMBERS if narrow else _MAX_NUMBERS
        numbers.show_numbers(facts[:most], system, known.facts_before(one, facts))
        sections["Why"] = lambda: _why(one, facts, live, system)
    elif one.tags and live is None:
        st.text(f"The loading follows when {TITLES['distribution']} are calculated.")
    sections["Checks"] = lambda: _checks(known.checks_of(one), system)
    if lists_inputs:
        sections["Inputs"] = lambda: inputs.show_inputs(one, system)
    sections["History"] = lambda: _history(one)
    asked = "Inputs" if selection.opened_input() and lists_inputs else None
    if narrow:
        chosen = st.segmented_control(
            "Details",
            list(sections),
            default=asked,
            key=f"object-details-{asked}",
            label_visibility="collapsed",
            width="stretch",
        )
        if chosen is not None:
            sections[chosen]()
    else:
        order = ["Why", asked, *sections] if asked else list(sections)
        for name in dict.fromkeys(name for name in order if name in sections):
            sections[name]()
    show_drawer()


def _heading(
    one: DesignObject, facts: Sequence[ObjectFact], live: LiveState | None, system: System
) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="object-head"):
        st.subheader(plain(one.words), anchor=False, width="content")
        # A state without load or voltage has no margin, and that of another state is not shown.
        over = sorted((f for f in facts if f.is_over), key=lambda f: f.look != "over")
        first = (f for f in facts if f.margin is not None or f.value in NO_LOADING)
        main = next(chain(over, first), None)
        if main is not None:
            text = main.margin_text(system)
            words = text if main.is_over else f"{text} margin" if text else str(main.value)
            st.badge(f"{plain(main.label)}: {words}", color=COLOURS[main.look])
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
    numbered = [fact for fact in facts if fact.value not in NO_LOADING]
    if not numbered:
        return
    main, facts = numbered[0], numbered
    requests = [(fact, _request(one, fact, live, system)) for fact in facts]
    with st.container(
        horizontal=True,
        horizontal_alignment="distribute",
        vertical_alignment="center",
        key="object-why",
    ):
        st.markdown(f"**Why {plain(main.value_text(system))}**", width="content")
        with st.container(horizontal=True, gap="small", width="content"):
            with st.popover(
                "Others", type="tertiary", key="object-why-others", on_change="rerun"
            ) as others:
                for number, (fact, request) in enumerate(requests[1:]):
                    if others.open and request is not None:
                        words = f"{fact.label}, {fact.case}: {fact.value_text(system)}"
                        _ask(plain(words), f"why-other-{number}", request)
            if requests[0][1] is not None:
                _ask("All steps", "why-object", requests[0][1])
    numbers.show_steps(_steps(one, main, live, system))


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
    inputs = leading_inputs(known_here(), fact.why, _MAX_STEPS)
    largest: dict[str, float] = {fact.kind: fact.value}
    for _, value, kind in inputs:
        largest[kind] = max(value, largest.get(kind, 0.0), key=abs)
    steps = []
    for title, value, kind in inputs:
        unit, digits = shared_scale(largest[kind], kind, system)
        text = show(value, kind, system, unit=unit, digits=digits)
        steps.append(LoadingStep(title, text))
    return steps


def _request(
    one: DesignObject, fact: ObjectFact, live: LiveState | None, system: System
) -> navigation.WhyRequest | None:
    """Return the explanation of a number in the drawer; None without one."""
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
    rows = [_check_row(checks, system) for checks in rules.values()]
    first = [row for row in rows if row.icon != "passed"][:_MAX_CHECKS]
    rest = rows[len(first) :]
    if first:
        show_list([ListGroup("", first)], "object-checks-first", "Checks", navigation.ask)
    if rest:
        word = "rule" if len(rest) == 1 else "rules"
        title = f"{len(rest):,} more {word}" if first else f"{len(rest):,} {word}"
        with st.expander(title, on_change="rerun", key="object-more-checks") as more:
            if more.open:
                show_list([ListGroup("", rest)], "object-checks", "Checks", navigation.ask)


def _check_row(checks: Sequence[Check], system: System) -> ListRow:
    """Return the row of a rule, with its worst check."""
    check = checks[0]
    about = "" if len(checks) == 1 else f"{len(checks)} findings"
    words, limit = word_of(check.word, 1), ""
    if check.value is not None and check.limit is not None:
        fact = ObjectFact("", "", check.value, check.kind, check.limit, check.sense)
        words, limit = fact.value_text(system), f"of {fact.limit_text(system)}"
    icon, title = causes.ICONS[check.word], rule_title(check.rule)
    return ListRow(check.rule, title, about, words, limit, icon=icon)


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
    with st.expander(
        f"History ({len(lines)})" if lines else "History", key="object-history", on_change="rerun"
    ) as history:
        if not history.open:
            return
        for line in lines[:_MAX_CHANGES]:
            st.text(line)
        if not lines:
            st.text("No input of this object was changed in this session.")
        if st.button("All revisions", icon=":material/history:", key="object-revisions"):
            state.go_to("library", "revisions")
