"""Charts of a design, drawn from its results alone."""

from __future__ import annotations

import html

import plotly.graph_objects as go

from facility.core.table import Results
from facility.core.views import view_value

PHASE_COLOURS = ("#2a6f97", "#e09f3e", "#6a994e")
_LOSS = "#c1121f"
_COOL = "#48a9c5"
_IT = "#2a6f97"
_HOUSE = "#8d99ae"
_LIQUID = "#5e548e"
_MARGIN = {"l": 10, "r": 10, "t": 10, "b": 10}


def label(text: str) -> str:
    """Return `text` with the characters escaped that a chart would read as markup."""
    return html.escape(text, quote=False)


def _kw(results: Results, key: str) -> float:
    return view_value(float(results[key].si), "active_power") if key in results else 0.0


def _parts(results: Results, group: str) -> list[tuple[str, float]]:
    prefix = group + "."
    parts = [(key.removeprefix(prefix), _kw(results, key)) for key in results
             if key.startswith(prefix)]  # fmt: skip
    return [(name.replace("_", " "), power) for name, power in parts if power > 0]


def power_flow(results: Results) -> go.Figure:
    """Return the Sankey diagram from the utility to the IT, losses and cooling as branches."""
    facility_kw = _kw(results, "load.facility")
    names = ["utility", "IT", "cooling", "house", "losses"]
    colours = ["#495057", _IT, _COOL, _HOUSE, _LOSS]
    links: list[tuple[int, int, float]] = [
        (0, 1, _kw(results, "load.it")),
        (0, 2, _kw(results, "load.cooling")),
        (0, 3, _kw(results, "load.house")),
        (0, 4, _kw(results, "load.losses")),
    ]
    branches = [(1, "it", _IT), (2, "cooling", _COOL), (4, "losses", _LOSS)]
    for node, group, colour in branches:
        for name, power in _parts(results, group):
            names.append(name)
            colours.append(colour)
            links.append((node, len(names) - 1, power))
    inflow = {target: power for _, target, power in links} | {0: facility_kw}
    labels = [
        f"{label(name)} {inflow[i]:,.0f} kW ({inflow[i] / facility_kw:.1%})"
        for i, name in enumerate(names)
    ]
    sankey = go.Sankey(
        node={"label": labels, "color": colours, "pad": 14, "thickness": 16},
        link={
            "source": [a for a, _, _ in links],
            "target": [b for _, b, _ in links],
            "value": [power for _, _, power in links],
            "color": [_faded(colours[b]) for _, b, _ in links],
        },
        valueformat=",.0f",
        valuesuffix=" kW",
    )
    return go.Figure(sankey).update_layout(height=430, margin=_MARGIN, font_size=12)


def _faded(colour: str) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.35)"


def heat_split(results: Results) -> go.Figure:
    """Return the bar of IT heat by path, and of what the air side must remove."""
    air, liquid = _kw(results, "heat.air"), _kw(results, "heat.liquid")
    room = _kw(results, "heat.room")
    bars = [
        ("IT heat to air", [air, 0.0], _COOL),
        ("IT heat to liquid", [liquid, 0.0], _LIQUID),
        ("air side: IT", [0.0, air], _COOL),
        ("air side: in-room losses, lights, people, envelope", [0.0, room - air], _LOSS),
    ]
    figure = go.Figure()
    for name, values, colour in bars:
        if max(values) > 0:
            figure.add_bar(y=["IT heat", "air side"], x=values, name=name, orientation="h",
                           marker_color=colour, hovertemplate="%{x:,.0f} kW")  # fmt: skip
    return figure.update_layout(
        barmode="stack", height=230, margin=_MARGIN, xaxis_title="kW",
        legend={"orientation": "h", "y": -0.45},
    )  # fmt: skip


def pue_stack(results: Results) -> go.Figure:
    """Return the design-hour PUE as a stack of its named parts above 1."""
    parts = [
        (key.removeprefix("pue.part."), float(value.si))
        for key, value in results.items()
        if key.startswith("pue.part.")
    ]
    overhead = [(name, part) for name, part in parts if name != "it" and part > 0]
    total = float(results["pue.design"].si)
    figure = go.Figure(
        go.Waterfall(
            x=["IT"] + [label(n.replace("_", " ")) for n, _ in overhead] + ["PUE"],
            y=[1.0] + [part for _, part in overhead] + [total],
            measure=["absolute"] + ["relative"] * len(overhead) + ["total"],
            text=["1.000"] + [f"+{part:.3f}" for _, part in overhead] + [f"{total:.3f}"],
            increasing={"marker": {"color": _COOL}},
            totals={"marker": {"color": _IT}},
        )
    )
    low = 0.95
    return figure.update_layout(
        height=330, margin=_MARGIN, showlegend=False, yaxis={"range": [low, total * 1.03]},
        yaxis_title="kW per kW of IT",
    )  # fmt: skip


def phase_bars(
    currents_by_state: dict[str, tuple[float, float, float]], limit_a: float
) -> go.Figure:
    """Return the line currents of a panel by phase in each state, with the limit as a line."""
    figure = go.Figure()
    for index, (phase, colour) in enumerate(zip("ABC", PHASE_COLOURS, strict=True)):
        figure.add_bar(
            x=[label(state) for state in currents_by_state],
            y=[amps[index] for amps in currents_by_state.values()],
            name=f"phase {phase}", marker_color=colour, hovertemplate="%{y:.1f} A",
        )  # fmt: skip
    figure.add_hline(y=limit_a, line_dash="dash", line_color=_LOSS,
                     annotation_text=f"limit {limit_a:.0f} A")  # fmt: skip
    return figure.update_layout(
        barmode="group", height=300, margin=_MARGIN, yaxis_title="A",
        legend={"orientation": "h", "y": 1.12},
    )  # fmt: skip
