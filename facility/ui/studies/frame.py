"""Frame of a study: title and status, result, and its settings at the right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import streamlit as st

from facility.core.errors import FacilityError
from facility.core.views import System
from facility.study.design.design import Design
from facility.ui import controls
from facility.ui.blocks import render
from facility.ui.blocks.blocks import Block
from facility.ui.blocks.elements import show_style
from facility.ui.controls import act
from facility.ui.inspector.box import TitledInput, show_boxes
from facility.ui.session import state
from facility.ui.shell.views import View, ViewLine
from facility.ui.studies import requests
from facility.ui.studies.lines import STALE

_SIDE_PX = 304


@dataclass(frozen=True)
class StudyView:
    """A study in the app, as data.

    blocks: Yields its result; shows the progress until there is one.
    line: Returns its result in one line.
    settings: Inputs of the project that decide its result.
    own: Shows further settings of the study itself.
    request: Requests it for the current project, if it does not follow every change.
    """

    key: str
    title: str
    blocks: Callable[[Design, System], Iterable[Block]]
    line: Callable[[], ViewLine]
    settings: Sequence[TitledInput] = ()
    own: Callable[[], None] | None = None
    request: Callable[[], None] | None = None

    @property
    def view(self) -> View:
        """The view of the place."""
        return View(self.key, self.title, "", self.show, line=self.line)

    def show(self) -> None:
        """Show the study."""
        show_style()
        design, system = state.current(), state.unit_system()
        with st.container(horizontal=True, key="study", gap="medium"):
            with st.container(key="study-main"):
                if self.request is not None and requests.requested(self.key) is None:
                    self.request()
                head = st.container()
                try:
                    render.show(self.blocks(design, system))
                except FacilityError as error:
                    with st.container(border=True):
                        controls.refused(f"{self.title} has no result", error)
                with head:  # filled last: its status is that of the blocks
                    self._head(design)
            if self.settings or self.own is not None:
                with st.container(key="study-side", width=_SIDE_PX):
                    st.markdown("**Settings**")
                    if self.own is not None:
                        self.own()
                    show_boxes(self.settings)
                    if st.button("All settings", key="all-settings", type="tertiary"):
                        state.go_to("design", "inputs")

    def _head(self, design: Design) -> None:
        line = self.line()
        render.heading(self.title, design, line.status, line.look)
        if line.status == STALE and self.request is not None:
            with st.container(horizontal=True, vertical_alignment="center", key="study-stale"):
                st.text("The project has changed since this result.", width="content")
                act("Run again", "refresh", f"{self.key}-again", self.request)
