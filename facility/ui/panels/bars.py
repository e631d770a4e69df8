"""Bars of one panel in one state: lines and neutral, before and after."""

from __future__ import annotations

import plotly.graph_objects as go

from facility.model.power.hall_distribution import Numbering
from facility.power.panels.board.currents import PanelLoad
from facility.report.book.panels.places import PHASE_NAMES
from facility.ui.charts import palette
from facility.ui.charts.palette import Ink, Mark

_HEIGHT = 320


def before_after(
    before: PanelLoad | None,
    after: PanelLoad | None,
    limit_a: float | None,
    numbering: Numbering,
    ink: Ink,
) -> go.Figure:
    """Return the currents of lines and neutral, before and after side by side.

    Parameters
    ----------
    before, after : PanelLoad or None
        Loads of the same state; one of them may be missing.
    limit_a : float or None
        Largest continuous line current, drawn as a line [A].
    numbering : {"US", "IEC"}
        How the lines are called.
    ink : Ink
        Colours of the page.
    """
    names = (("before" if after else "as it stands", before), ("after", after))
    shown = [(name, load) for name, load in names if load]
    lines = (*PHASE_NAMES[numbering], "N")
    amperes = [(*load.line_a, load.neutral_a) for _, load in shown]
    groups = [name for name, _ in shown for _ in lines]
    flat = [value for four in amperes for value in four]
    figure = go.Figure(
        go.Bar(
            x=[groups, [*lines] * len(shown)],
            y=flat,
            marker_color=[*palette.PHASES, Mark.HOUSE.value] * len(shown),
            text=[f"{value:.1f}" for value in flat],
            textposition="outside",
            textangle=0,
            textfont_color=ink.text,
            cliponaxis=False,
            hovertemplate="%{x}: %{y:.2f} A<extra></extra>",
        )
    )
    highest = max(flat)
    if limit_a is not None:
        highest = max(highest, limit_a)
        figure.add_hline(y=limit_a, line_dash="dash", line_color=Mark.LOSS.value)
        figure.add_annotation(
            x=1,
            xref="paper",
            xanchor="right",
            y=limit_a,
            yshift=9,
            text=f"continuous limit {limit_a:.0f} A",
            showarrow=False,
        )
    figure.update_yaxes(title_text="current, A", range=[0.0, 1.15 * highest], automargin=True)
    figure.update_xaxes(automargin=True, showgrid=False, dividerwidth=0)
    figure.update_layout(margin={"l": 6, "r": 6, "t": 6, "b": 6}, showlegend=False, bargap=0.25)
    return palette.finished(figure, ink, _HEIGHT)
