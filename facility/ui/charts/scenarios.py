"""Scenarios as points: two results against each other."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from facility.core.views import System, view_unit, view_value
from facility.report.scenarios.tables import BASE, name_of
from facility.study.scenarios import ScenarioFigure
from facility.ui.charts import palette
from facility.ui.charts.palette import Hue, Ink


def scenarios_figure(
    along: ScenarioFigure, up: ScenarioFigure, names: Sequence[str], ink: Ink, system: System
) -> go.Figure:
    """Return the project and its scenarios as points, each with its name.

    Parameters
    ----------
    along, up : ScenarioFigure
        Results on the two axes.
    names : sequence of str
        Names of the scenarios.
    ink : Ink
        Colours of the page.
    system : {"si", "ip"}
        Units of the axes.
    """
    figure = go.Figure()
    pairs = zip((along.base, *along.values), (up.base, *up.values), strict=True)
    for name, (x, y) in zip((BASE, *names), pairs, strict=True):
        if x is not None and y is not None:
            figure.add_scatter(
                x=[view_value(x, along.kind, system)],
                y=[view_value(y, up.kind, system)],
                mode="markers+text",
                text=[name],
                textposition="top center",
                textfont_color=ink.text,
                marker={"size": 13, "color": (Hue.IT if name == BASE else Hue.COOLING).value},
                hovertemplate=f"{name}: %{{x:,.4~g}}, %{{y:,.4~g}}<extra></extra>",
                cliponaxis=False,
            )
    figure.update_xaxes(title_text=_axis(along, system), automargin=True, nticks=6)
    figure.update_yaxes(title_text=_axis(up, system), automargin=True, nticks=6)
    figure.update_layout(showlegend=False, margin={"l": 6, "r": 24, "t": 24, "b": 6})
    return palette.finished(figure, ink, 380)


def _axis(figure: ScenarioFigure, system: System) -> str:
    unit = view_unit(figure.kind, system)
    return f"{name_of(figure.key)}, {unit}" if unit else name_of(figure.key)
