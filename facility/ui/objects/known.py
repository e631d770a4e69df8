"""What the app knows of the objects of the open project's design, without running a study."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import streamlit as st

from facility.core.check import Check
from facility.power.network.graph.types import Network
from facility.report.drawings.live.moments import LiveState
from facility.report.objects.checks import ObjectChecks
from facility.report.objects.fact import ObjectFact
from facility.report.objects.facts import facts_of
from facility.report.objects.inputs import owner_of, paths_of
from facility.report.objects.loading import NetworkLoading
from facility.report.objects.objects import DesignObject, DesignObjects
from facility.study.design.design import Design
from facility.study.parts import is_known
from facility.ui.memory.cache import CACHE
from facility.ui.session import opened, state
from facility.ui.session.opened import Opened
from facility.ui.session.state import of_design
from facility.ui.why.drawer import known_here
from facility.ui.work import known as checks
from facility.ui.work import runs

_CHECKS, _FACTS, _LISTED = "object-checks", "object-facts", "objects-listed"


def objects() -> DesignObjects:
    """Return the objects of the design; until its network is known, with the equipment before."""
    now = opened.current(), state.text()
    before: tuple[Opened, str] = st.session_state.get(_LISTED, now)
    if network_is_known():
        st.session_state[_LISTED] = now
        return _objects(state.current().states.network)
    last = state.designed(before[1]) if before[0] is now[0] and CACHE.has(before[1]) else None
    if last is None or not is_known(last, "distribution"):
        return _objects(None)
    return _objects(None, last.states.network)


def network_is_known() -> bool:
    """Return whether the power network of the design has been calculated."""
    return is_known(state.current(), "distribution")


@of_design()
def _objects(
    design: Design, network: Network | None, before: Network | None = None
) -> DesignObjects:
    return DesignObjects(design, network, before)


def loading() -> NetworkLoading | None:
    """Return the loadings in all single outages; None until the failures have been studied."""
    design = state.current()
    is_studied = runs.workers() is None or is_known(design, "outages")
    known = network_is_known() and is_studied
    return _loading() if known and design.outages.study is not None else None


def home_of_input(path: str, id: str) -> str:
    """Return the object to open an input at: the object `id` if it has it, else its own."""
    found = objects()
    return id if path in paths_of(found, found[id]) else owner_of(found, path)


@of_design()
def _loading(design: Design) -> NetworkLoading:
    study = design.outages.study
    assert study is not None
    return NetworkLoading(design.states, study)


def object_checks() -> ObjectChecks:
    """Return the known checks by object."""
    found, all_objects = tuple(checks.known().checks), objects()
    cached: tuple[DesignObjects, ObjectChecks] | None = st.session_state.get(_CHECKS)
    if cached is None or cached[0] is not all_objects or cached[1].checks != found:
        cached = all_objects, ObjectChecks(all_objects, found)
        st.session_state[_CHECKS] = cached
    return cached[1]


def checks_of(one: DesignObject) -> tuple[Check, ...]:
    """Return the known checks that bear on an object."""
    return object_checks().of(one)


def facts(one: DesignObject, live: LiveState | None) -> tuple[ObjectFact, ...]:
    """Return the known numbers of an object, in the displayed state first."""
    return facts_of(objects(), one, known_here().results, object_checks(), loading(), live)


@dataclass(frozen=True)
class _ShownFacts:
    """Numbers of an object by label and case, before and after the last change of the project."""

    id: str
    text: str  # The project
    opened: Opened
    now: dict[tuple[str, str], ObjectFact]
    before: Mapping[tuple[str, str], ObjectFact]


def facts_before(
    one: DesignObject, facts: Iterable[ObjectFact]
) -> Mapping[tuple[str, str], ObjectFact]:
    """Return the numbers of the shown object before the last change, by label and case.

    Empty if another object was shown before the change, or another project was open. Numbers come
    in as studies finish.
    """
    text, project = state.text(), opened.current()
    shown_facts: _ShownFacts | None = st.session_state.get(_FACTS)
    if shown_facts is None or shown_facts.id != one.id or shown_facts.opened is not project:
        shown_facts = _ShownFacts(one.id, text, project, {}, {})
    elif shown_facts.text != text:
        shown_facts = _ShownFacts(one.id, text, project, {}, shown_facts.now)
    shown_facts.now.update({(fact.label, fact.case): fact for fact in facts})
    st.session_state[_FACTS] = shown_facts
    return shown_facts.before
