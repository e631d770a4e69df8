"""Chart in the page: its shapes are drawn in the browser, for the width of the page.

The browser receives shapes and the descriptions of the marks. Script and style are package files,
and text is only set as text, so that it can never become markup of the page.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import numpy as np
import streamlit as st

from facility.core.kinds import FloatArray
from facility.report.drawings.charts.kit.chart import (
    Chart,
    ChartMark,
    ChartText,
    Dot,
    FlowBand,
    HeatCells,
    PathShape,
    Rectangle,
    Shape,
)
from facility.report.drawings.charts.kit.colours import COLOURS
from facility.ui.browser import component

_NAME = "facility.chart"
_HTML = "<div data-chart></div>"
_KEYS = "Arrow keys: go to a value. Enter: how it is calculated."
_NONE, _HIGHEST = 65535, 65534
Picked = Callable[[ChartMark | int], None]
"""Receives the selected mark, or the index of the selected cell, by column."""
_Json = dict[str, Any]


def show_chart(
    chart: Chart, key: str, alt: str, picked: Picked | None = None, chosen: int | None = None
) -> None:
    """Show a chart.

    alt: Its description for screen readers.
    picked: Receives the selection; without it, nothing can be selected.
    chosen: Index of the selected cell.
    """

    def chose() -> None:
        place = st.session_state[key].get("picked")
        if picked is None:
            return
        if isinstance(place, int) and 0 <= place < len(chart.marks):
            picked(chart.marks[place])
        elif isinstance(place, str) and place[1:].isdecimal() and chart.cells is not None:
            picked(min(int(place[1:]), chart.cells.values.size - 1))

    leads = picked is not None
    data = chart_data(chart, f"{alt}. {_KEYS}" if leads else alt, leads=leads, chosen=chosen)
    component(_NAME, _HTML, css="chart.css", js="chart.js")(
        key=key, data=data, on_picked_change=chose
    )


def chart_data(chart: Chart, alt: str, *, leads: bool = True, chosen: int | None = None) -> _Json:
    """Return what the browser receives.

    leads: Whether marks and cells can be selected.
    """
    series = [*dict.fromkeys(mark.series for mark in chart.marks)]
    return {
        "alt": alt,
        "height": round(chart.height, 1),
        "left": round(chart.left, 1),
        "right": round(chart.right, 1),
        "nearest": chart.nearest,
        "colours": COLOURS,
        "shapes": [_shape(shape) for shape in chart.shapes],
        "marks": [_mark(mark, series.index(mark.series), leads=leads) for mark in chart.marks],
        "cells": None if chart.cells is None else _cells(chart.cells, chosen),
        "legend": [
            {"name": one.name, "c": one.role, "sample": one.sample, "d": one.dash, "h": one.hollow}
            for one in chart.legend
        ],
    }


def _shape(shape: Shape) -> _Json:
    if isinstance(shape, PathShape):
        look = {"w": shape.width, "d": shape.dash, "f": shape.filled}
        faint = {"o": 0.2} if shape.faint else {}
        return {"k": "p", **_points(shape.x, shape.y), "c": shape.role, **look, **faint}
    if isinstance(shape, Rectangle):
        return {
            "k": "b",
            "x": _fractions(shape.x),
            "y": _pixels(shape.y),
            "c": shape.role,
            "dx": shape.dx,
        }
    if isinstance(shape, FlowBand):
        return {"k": "f", "c": shape.role, **_flow(shape)}
    if isinstance(shape, Dot):
        return {
            "k": "d",
            "x": round(shape.x, 5),
            "y": round(shape.y, 1),
            "c": shape.role,
            "s": shape.symbol,
            "r": shape.radius,
            "h": shape.hollow,
        }
    return _label(shape)


def _label(label: ChartText) -> _Json:
    flags = {"b": label.bold, "v": label.veiled, "o": label.optional}
    return {
        "k": "t",
        "t": label.text,
        "x": round(label.x, 5),
        "y": round(label.y, 1),
        "a": label.anchor,
        "dx": round(label.dx, 1),
        "s": label.size,
        "c": label.role,
        **{name: True for name, holds in flags.items() if holds},
    }


def _flow(flow: FlowBand) -> _Json:
    return {"x": _fractions(flow.x), "y": _pixels(flow.y), "h": round(flow.height, 1)}


def _points(x: FloatArray, y: FloatArray) -> _Json:
    known = np.isfinite(y)
    heights = [up if is_known else None for up, is_known in zip(_pixels(y), known, strict=True)]
    return {"x": _fractions(x), "y": heights}


def _fractions(values: FloatArray | tuple[float, ...]) -> list[float]:
    found: list[float] = np.round(np.asarray(values, float), 5).tolist()
    return found


def _pixels(values: FloatArray | tuple[float, ...]) -> list[float]:
    found: list[float] = np.round(np.asarray(values, float), 1).tolist()
    return found


def _mark(mark: ChartMark, series: int, *, leads: bool) -> _Json:
    found: _Json = {"t": mark.words, "s": series, "x": round(mark.x, 5), "y": round(mark.y, 1)}
    if leads and mark.key:
        found["a"] = True
    if isinstance(mark.area, FlowBand):
        found["f"] = _flow(mark.area)
    elif mark.area is not None:
        found["b"] = [round(one, 5 - 4 * (n % 2)) for n, one in enumerate(mark.area)]
    return found


def _cells(cells: HeatCells, chosen: int | None) -> _Json:
    """Return the cells by column, each value as an integer of two bytes between the ends."""
    low, high = cells.ends
    parts = (cells.values.T.ravel() - low) / ((high - low) or 1.0)
    whole = np.where(np.isnan(parts), _NONE, np.round(_HIGHEST * np.nan_to_num(parts)))
    return {
        "packed": base64.b64encode(whole.astype("<u2").tobytes()).decode(),
        "x": cells.x,
        "y": cells.y,
        "ends": cells.ends,
        "columns": cells.columns,
        "rows": cells.rows,
        "unit": cells.unit,
        "selectable": cells.selectable,
        "chosen": None if chosen is None else f"c{chosen}",
    }
