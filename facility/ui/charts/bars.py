"""Bar charts of a design: PUE by contribution, heat by path, line currents, loadings."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import plotly.graph_objects as go

from facility.core.rounding import OVER
from facility.core.table import Results
from facility.core.views import System, view_unit, view_value
from facility.report.tables.summary import part_name
from facility.ui.charts import palette
from facility.ui.charts.palette import Hue, Ink

_MARGIN = {"l": 6, "r": 6, "t": 6, "b": 6}
_ROW = 24
_IN_ROOM = "In-room losses, lights, people, envelope"
_TOTAL_LABEL = {"showarrow": False, "xanchor": "left", "xshift": 4}
_DOWN = {"autorange": "reversed", "automargin": True, "showgrid": False}
_GROUPS = {"losses": Hue.LOSS, "cooling": Hue.COOLING, "house": Hue.HOUSE}


def _along(start: float, end: float, title: str, ticks: int) -> dict[str, object]:
    """Return the value axis of horizontal bars."""
    words = {"text": title}
    return {"range": [start, end], "automargin": True, "title": words, "nticks": ticks}


def pue_stack(results: Results, ink: Ink) -> go.Figure:
    """Return the design-hour PUE as contributions stacked on the IT share of 1.

    results: Results of a design.
    ink: Colours of the page.
    """
    total = float(results["pue.design"].si)
    parts = [
        (key, float(value.si))
        for key, value in results.items()
        if key.startswith("pue.part.") and key != "pue.part.it" and float(value.si) > 0.0
    ]
    bars, foot = [], 1.0
    for key, part in parts:
        colour = _GROUPS[key.split(".")[2]].value
        bars.append(
            (palette.sentence(part_name(key, results)), part, foot, f"+{part:.3f}", colour, key)
        )
        foot += part
    whole = f"<b>{total:.3f}</b>"
    bars.append(("<b>PUE</b>", total - 1.0, 1.0, whole, Hue.IT.value, "pue.design"))
    return palette.drawn(
        go.Bar(
            y=[name for name, *_ in bars],
            x=[part for _, part, *_ in bars],
            base=[base for _, _, base, *_ in bars],
            text=[text for *_, text, _, _ in bars],
            marker_color=[colour for *_, colour, _ in bars],
            customdata=[key for *_, key in bars],
            orientation="h",
            textposition="outside",
            cliponaxis=False,
            hovertemplate="%{y} %{text}<extra></extra>",
            textfont_color=ink.text,
        ),
        {
            "yaxis": _DOWN,
            "xaxis": _along(1.0, 1.0 + 1.22 * max(total - 1.0, 1e-6), "PUE, IT = 1 (kW/kW)", 5),
            "margin": _MARGIN,
            "showlegend": False,
            "bargap": 0.25,
        },
        ink,
        60 + _ROW * len(bars),
    )


def heat_split(results: Results, ink: Ink, system: System) -> go.Figure:
    """Return the IT heat by path, and the heat removed by the air side, as two bars.

    results: Results of a design.
    ink: Colours of the page.
    system: Unit of the axis.
    """
    air, liquid, room = (
        view_value(float(results[key].si), "heat_flow", system)
        for key in ("heat.air", "heat.liquid", "heat.room")
    )
    bars = [
        ("IT heat to air", [air, air], Hue.COOLING.value, "heat.air"),
        ("IT heat to liquid", [liquid, 0.0], Hue.LIQUID.value, "heat.liquid"),
        (_IN_ROOM, [0.0, room - air], Hue.LOSS.value, "heat.room"),
    ]
    unit = view_unit("heat_flow", system)
    rows = {"IT heat": air + liquid, "Heat to air": room}
    traces = [
        go.Bar(
            y=list(rows),
            x=values,
            name=name,
            orientation="h",
            marker_color=colour,
            hovertemplate=f"{name}: %{{x:,.0f}} {unit}<extra></extra>",
            customdata=[key, key],
        )
        for name, values, colour, key in bars
        if max(values) > 0.0
    ]
    layout = {
        "yaxis": _DOWN,
        "xaxis": _along(0.0, 1.22 * max(air + liquid, room), f"Heat flow ({unit})", 4),
        "barmode": "stack",
        "margin": _MARGIN,
        "bargap": 0.3,
        "legend": palette.IN_ORDER,
        "annotations": [
            _TOTAL_LABEL | {"x": total, "y": row, "text": f"{total:,.0f}"}
            for row, total in rows.items()
        ],
    }
    return palette.drawn(traces, layout, ink, 210)


def phase_bars(
    currents_by_state: Mapping[str, tuple[float, float, float]], limit_a: float, ink: Ink
) -> go.Figure:
    """Return the line currents of a panel by phase in each state, with the limit as a line.

    Each bar carries the key of its line current and the index of its state.

    currents_by_state: Currents of lines A, B, C by state [A].
    limit_a: Continuous line current limit [A].
    ink: Colours of the page.
    """
    figure = go.Figure()
    for index, (phase, colour) in enumerate(zip("ABC", palette.PHASES, strict=True)):
        amperes = [amps[index] for amps in currents_by_state.values()]
        figure.add_bar(
            x=[palette.literal(state) for state in currents_by_state],
            y=amperes,
            name=f"Phase {phase}",
            marker_color=colour,
            text=[f"{a:.0f}" for a in amperes],
            textposition="outside",
            textangle=0,
            textfont_color=ink.text,
            cliponaxis=False,
            customdata=[[f"panel.line_{phase}", n] for n in range(len(amperes))],
            hovertemplate=f"Phase {phase}: %{{y:.1f}} A<extra></extra>",
        )
    palette.limited(figure, limit_a)
    highest = max([limit_a, *(a for amps in currents_by_state.values() for a in amps)])
    figure.update_yaxes(title_text="Line current (A)", range=[0.0, 1.15 * highest], automargin=True)
    figure.update_layout(barmode="group", margin=_MARGIN, legend=palette.ABOVE)
    return palette.finished(figure, ink, 320)


def loading_bars(
    loading: Mapping[str, float | None], key: Callable[[str], str], ink: Ink
) -> go.Figure:
    """Return the highest loading of each equipment type as bars, with the rating as a line.

    loading: Highest loading by equipment type, as a fraction; None is omitted.
    key: Returns the result key of an equipment type.
    ink: Colours of the page.
    """
    known = [(name, value) for name, value in loading.items() if value is not None]
    highest = max([100.0, *(100.0 * value for _, value in known)])
    figure = go.Figure(
        go.Bar(
            y=[name for name, _ in known],
            x=[100.0 * value for _, value in known],
            text=[f"{value:.1%}{' above rating' if value > OVER else ''}" for _, value in known],
            marker_color=[(Hue.LOSS if value > OVER else Hue.IT).value for _, value in known],
            orientation="h",
            textposition="outside",
            cliponaxis=False,
            textfont_color=ink.text,
            customdata=[key(name) for name, _ in known],
            hovertemplate="%{y} %{x:.1f} %<extra></extra>",
        ),
        {
            "yaxis": _DOWN,
            "xaxis": _along(0.0, 1.25 * highest, "Loading (% of rating); dashed: rating", 5),
            "margin": _MARGIN,
            "showlegend": False,
            "bargap": 0.3,
        },
    )
    figure.add_vline(x=100.0, line_dash="dash", line_color=Hue.LOSS.value)
    return palette.finished(figure, ink, 70 + _ROW * max(1, len(known)))
