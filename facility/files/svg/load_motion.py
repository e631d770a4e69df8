"""The charts of load that moves as one SVG, one below the other."""

from __future__ import annotations

from facility.files.svg.line_chart import HEIGHT_PX, WIDTH_PX, line_chart_svg
from facility.report.drawings.charts.load_motion import load_charts
from facility.study.transient.load.result import LoadStudy


def load_svg(study: LoadStudy, title: str) -> str:
    """Return the load against time, some steps of it and its spectrum as an SVG document."""
    drawn = [line_chart_svg(chart) for chart in load_charts(study, title)]
    placed = (
        one.replace("<svg ", f'<svg y="{n * HEIGHT_PX:.0f}" ', 1) for n, one in enumerate(drawn)
    )
    height_px = HEIGHT_PX * len(drawn)
    size = f'width="{WIDTH_PX:.0f}" height="{height_px:.0f}"'
    box = f'viewBox="0 0 {WIDTH_PX:.0f} {height_px:.0f}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box}>'
    return "\n".join((head, *placed)) + "</svg>\n"
