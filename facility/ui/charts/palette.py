"""Colours and words of the charts, in a light and in a dark page."""

from __future__ import annotations

import html
from enum import StrEnum
from typing import NamedTuple

import plotly.graph_objects as go
import streamlit as st

PHASES = ("#2a6f97", "#c17f1a", "#5b8a3c")
"""Colours of the lines A, B, C."""


class Hue(StrEnum):
    """Colours of what is drawn, told from a white page and from a black one."""

    IT = "#4263a8"
    COOLING = "#2f8fac"
    LOSS = "#cf4457"
    HOUSE = "#858c96"
    LIQUID = "#7a5ea8"


class Ink(NamedTuple):
    """Colours of text and of lines behind the data."""

    text: str
    grid: str


LIGHT = Ink("#1b1f24", "#d5d9de")
DARK = Ink("#eceff1", "#454b52")


def ink() -> Ink:
    """Return the colours that are read well on the page as it is now."""
    return DARK if st.context.theme.type == "dark" else LIGHT


def veil(colours: Ink) -> str:
    """Return the ground of a label that stands on lines: the page, almost opaque."""
    return "rgba(25,24,23,0.8)" if colours == DARK else "rgba(255,255,255,0.8)"


def literal(text: str) -> str:
    """Return `text` with the characters escaped that a chart would read as markup."""
    return html.escape(text, quote=False)


def finished(figure: go.Figure, colours: Ink, height: int) -> go.Figure:
    """Return `figure` with the look that all charts share; dragging is left to the page."""
    axes = {
        "gridcolor": colours.grid,
        "zerolinecolor": colours.grid,
        "fixedrange": True,
        "tickfont": {"color": colours.text},
        "title": {"font": {"color": colours.text}},
    }
    figure.update_xaxes(axes)
    figure.update_yaxes(axes)
    figure.update_layout(
        {
            "height": height,
            "dragmode": False,
            "font": {"color": colours.text, "size": 12},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "legend": {"font": {"color": colours.text}},
        }
    )
    return figure
