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
    nodes = [("utility", _kw(results, "load.facility"), "#495057", 0.001, 0.5)]
    links: list[tuple[int, int, str]] = []
    groups = [
        ("IT", "load.it", [], _IT),
        ("cooling", "load.cooling", _parts(results, "cooling"), _COOL),
        ("losses", "load.losses", _parts(results, "losses"), _LOSS),
        ("house", "load.house", [], _HOUSE),
    ]
    spots = iter(_leaf_spots([leaf for *_, leaf in _leaves(results, groups)]))
    for name, key, parts, colour in groups:
        power = _kw(results, key)
        parent = len(nodes)
        leaf_spots = [next(spots) for _ in range(max(len(parts), 1))]
        middle = _BELOW_IT[name] if parts else leaf_spots[0]
        nodes.append((name, power, colour, 0.45 if parts else 0.999, middle))
        links.append((0, parent, colour))
        for (part, part_kw), spot in zip(parts, leaf_spots, strict=False):
            links.append((parent, len(nodes), colour))
            nodes.append((part, part_kw, colour, 0.999, spot))
    return _sankey(nodes, links)


_BELOW_IT = {"cooling": 0.76, "losses": 0.93}
_Group = tuple[str, str, list[tuple[str, float]], str]
_Node = tuple[str, float, str, float, float]


def _leaves(results: Results, groups: list[_Group]) -> list[tuple[str, float]]:
    return [leaf for name, key, parts, _ in groups for leaf in parts or [(name, _kw(results, key))]]


def _leaf_spots(powers: list[float]) -> list[float]:
    """Return the heights of the leaves, in order, so that no two overlap."""
    gap = 0.6 / max(len(powers), 1)
    scale = (1.0 - gap * (len(powers) - 1)) / max(sum(powers), 1e-9)
    spots, top = [], 0.0
    for power in powers:
        spots.append(min(max(top + power * scale / 2.0, 0.001), 0.999))
        top += power * scale + gap
    return spots


def _sankey(nodes: list[_Node], links: list[tuple[int, int, str]]) -> go.Figure:
    whole = nodes[0][1]
    sankey = go.Sankey(
        arrangement="snap",
        node={
            "label": [f"{label(n)} {kw:,.0f} kW ({kw / whole:.1%})" for n, kw, *_ in nodes],
            "color": [colour for _, _, colour, _, _ in nodes],
            "x": [x for *_, x, _ in nodes],
            "y": [y for *_, y in nodes],
            "pad": 12,
            "thickness": 14,
        },
        link={
            "source": [a for a, _, _ in links],
            "target": [b for _, b, _ in links],
            "value": [nodes[b][1] for _, b, _ in links],
            "color": [_faded(colour) for _, _, colour in links],
        },
        valueformat=",.0f",
        valuesuffix=" kW",
    )
    return go.Figure(sankey).update_layout(height=460, margin=_MARGIN, font_size=13)


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
            x=["IT"] + [label(n.split(".")[-1].replace("_", " ")) for n, _ in overhead] + ["PUE"],
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
