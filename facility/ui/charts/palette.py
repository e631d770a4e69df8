"""Colours and words of the charts, in a light and in a dark page."""

from __future__ import annotations

import html
import re
from enum import StrEnum
from typing import Any, NamedTuple

import plotly.graph_objects as go
import streamlit as st

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
"""The same, of stacks."""


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


def limited(figure: go.Figure, limit_a: float) -> go.Figure:
    """Return a figure of line currents with their continuous limit as a line."""
    figure.add_hline(y=limit_a, line_dash="dash", line_color=Hue.LOSS.value)
    return figure.add_annotation(
        x=1,
        xref="paper",
        xanchor="right",
        y=limit_a,
        yshift=9,
        text=f"continuous limit {limit_a:.0f} A",
        showarrow=False,
    )


def finished(figure: go.Figure, colours: Ink, height: int) -> go.Figure:
    """Return the figure with the look that all charts share; dragging is left to the page."""
    layout = figure.layout.to_plotly_json()
    layout.pop("template", None)  # which every figure begins with
    return drawn(figure.data, layout, colours, height)


def drawn(data: object, layout: _Layout, colours: Ink, height: int) -> go.Figure:
    """Return the figure of traces and a layout with the look that all charts share.

    It is made with all of its layout at once: each change of a figure takes its maker longer.
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
    """Return both, `above` where they differ, section by section."""
    found = {**below}
    for name, value in above.items():
        under = below.get(name)
        if isinstance(value, dict) and isinstance(under, dict):
            found[name] = _over(under, value)
        else:
            found[name] = value
    return found


def page_paint() -> Paint:
    """Return the colours of the page."""
    return DARK_PAINT if st.context.theme.type == "dark" else LIGHT_PAINT
