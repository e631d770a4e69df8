"""Colours and layout shared by the charts, on a light or a dark page."""

from __future__ import annotations

import html
import re
from enum import StrEnum
from typing import Any, NamedTuple

import plotly.graph_objects as go

from facility.files.svg.shapes import DARK as DARK_PAINT
from facility.files.svg.shapes import LIGHT as LIGHT_PAINT
from facility.files.svg.shapes import Paint

_Layout = dict[str, Any]
_AXIS = re.compile(r"[xy]axis\d*")
PHASES = ("#2a6f97", "#c17f1a", "#5b8a3c")
"""Colours of the lines A, B, C."""
ABOVE = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "xanchor": "left"}
"""Legend above a chart."""
IN_ORDER = ABOVE | {"traceorder": "normal"}
"""Legend above a stacked chart, in stack order."""


class Hue(StrEnum):
    """Colours of data, readable on a white and on a black page."""

    IT = "#4263a8"
    COOLING = "#2f8fac"
    LOSS = "#cf4457"
    HOUSE = "#858c96"
    LIQUID = "#7a5ea8"


class Ink(NamedTuple):
    """Colours of text and of grid lines."""

    text: str
    grid: str


LIGHT = Ink("#1b1f24", "#d5d9de")
DARK = Ink("#eceff1", "#454b52")


def ink() -> Ink:
    """Return the text and grid colours for the current theme."""
    return DARK if _is_dark() else LIGHT


def veil(colours: Ink) -> str:
    """Return the background of a label over lines: the page colour, almost opaque."""
    return "rgba(25,24,23,0.8)" if colours == DARK else "rgba(255,255,255,0.8)"


def sentence(text: str) -> str:
    """Return `text` with an initial capital."""
    return text[:1].upper() + text[1:]


def literal(text: str) -> str:
    """Return `text` with the markup characters of charts escaped."""
    return html.escape(text, quote=False)


def limited(figure: go.Figure, limit_a: float) -> go.Figure:
    """Return a figure of line currents with their continuous limit as a line."""
    figure.add_hline(y=limit_a, line_dash="dash", line_color=Hue.LOSS.value)
    return figure.add_annotation(
        x=1,
        xref="paper",
        xanchor="right",
        y=limit_a,
        yshift=9,
        text=f"Continuous limit {limit_a:.0f} A",
        showarrow=False,
    )


def finished(figure: go.Figure, colours: Ink, height: int) -> go.Figure:
    """Return the figure with the common style; dragging scrolls the page."""
    layout = figure.layout.to_plotly_json()
    layout.pop("template", None)  # the default of every new figure
    return drawn(figure.data, layout, colours, height)


def drawn(data: object, layout: _Layout, colours: Ink, height: int) -> go.Figure:
    """Return the figure of traces and a layout with the common style.

    The figure is created with its complete layout: later updates of a Plotly figure are slower.
    """
    axes: _Layout = {
        "gridcolor": colours.grid,
        "zerolinecolor": colours.grid,
        "fixedrange": True,
        "tickfont": {"color": colours.text},
        "title": {"font": {"color": colours.text}},
    }
    names = {"xaxis", "yaxis", *filter(_AXIS.fullmatch, layout)}
    look: _Layout = {
        **dict.fromkeys(names, axes),
        "height": height,
        "dragmode": False,
        "font": {"color": colours.text, "size": 12},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "legend": {"font": {"color": colours.text}},
    }
    return go.Figure(data, _over(layout, look))


def _over(below: _Layout, above: _Layout) -> _Layout:
    """Return the merged layouts, recursively; `above` has priority."""
    found = {**below}
    for name, value in above.items():
        under = below.get(name)
        if isinstance(value, dict) and isinstance(under, dict):
            found[name] = _over(under, value)
        else:
            found[name] = value
    return found


def page_paint() -> Paint:
    """Return the drawing colours for the current theme."""
    return DARK_PAINT if _is_dark() else LIGHT_PAINT


def _is_dark() -> bool:
    """Return whether the page is dark."""
    import streamlit as st  # a program that plots needs no server

    return st.context.theme.type == "dark"
