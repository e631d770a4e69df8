"""Tornadoes as SVG: one below the other, a bar for each input about the value as designed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from facility.core.views import System, show_exact
from facility.files.svg.shapes import LIGHT, TEXT_STYLE, Paint, text_line, xml_text
from facility.report.drawings.charts.tornado import Bar, Tornado
from facility.report.drawings.text import fitted, text_width

_PX_PER_MM = 4.0
_WIDTH_MM, _LEFT_MM, _PLOT_MM = 260.0, 84.0, 128.0
_HEAD_MM, _TITLE_MM, _ROW_MM, _BAR_MM, _GAP_MM = 14.0, 9.0, 6.0, 3.6, 6.0
_TITLE_SIZE_MM = 4.2
_BELOW, _ABOVE = "#1d70b8", "#c2410c"
_LEAST_SPAN = 1e-12


def tornado_svg(
    found: Sequence[Tornado], title: str, system: System = "si", paint: Paint = LIGHT
) -> str:
    """Return tornadoes as an SVG document; the bytes depend on the arguments alone.

    found: What is drawn, from the top.
    title: What they are of.
    system: Units of the ends.
    paint: Colours of paper and text.
    """
    height = _HEAD_MM + sum(_height(one) for one in found) + _GAP_MM
    size = f'width="{_WIDTH_MM * _PX_PER_MM:.0f}" height="{height * _PX_PER_MM:.0f}"'
    words = fitted(title, _WIDTH_MM - 8.0, bold=True, size_mm=_TITLE_SIZE_MM)
    body = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} '
        f'viewBox="0 0 {_WIDTH_MM:g} {height:g}" {TEXT_STYLE}>',
        f"<title>{xml_text(title)}</title>",
        f'<rect width="{_WIDTH_MM:g}" height="{height:g}" fill="{paint.paper}"/>',
        text_line(words, 4.0, 8.0, paint, bold=True, size_mm=_TITLE_SIZE_MM),
    ]
    top = _HEAD_MM
    for one in found:
        body += _tornado(one, top, system, paint)
        top += _height(one)
    return "\n".join([*body, "</svg>"]) + "\n"


def _height(found: Tornado) -> float:
    return _TITLE_MM + _ROW_MM * len(found.bars) + _GAP_MM


def _tornado(found: Tornado, top_mm: float, system: System, paint: Paint) -> Iterator[str]:
    low, high = found.ends
    span = max(high - low, _LEAST_SPAN * abs(high))

    def at(value: float) -> float:
        return _LEFT_MM + (value - low) / span * _PLOT_MM

    middle, first = at(found.nominal), top_mm + _TITLE_MM
    words = f"{found.title}: as designed {show_exact(found.nominal, found.kind, system)}"
    yield text_line(words, 4.0, top_mm + 5.0, paint, bold=True)
    for row, bar in enumerate(found.bars):
        y = first + row * _ROW_MM
        name = fitted(bar.path, _LEFT_MM - 24.0)
        yield text_line(name, 4.0, y + _BAR_MM - 0.6, paint)
        for end, colour in ((bar.low, _BELOW), (bar.high, _ABOVE)):
            left, right = sorted((middle, at(end)))
            yield (
                f'<rect x="{left:.2f}" y="{y:.2f}" width="{right - left:.2f}" '
                f'height="{_BAR_MM:g}" fill="{colour}"/>'
            )
        yield from _ends(found, bar, (at(bar.low), at(bar.high)), y, system, paint)
    bottom = first + _ROW_MM * len(found.bars)
    yield (
        f'<path d="M{middle:.2f} {first - 1.2:.2f}V{bottom:.2f}" stroke="{paint.text}" '
        'stroke-width="0.3"/>'
    )


def _ends(
    found: Tornado,
    bar: Bar,
    at_mm: tuple[float, float],
    y: float,
    system: System,
    paint: Paint,
) -> Iterator[str]:
    """Yield the values at both ends of a bar: the lower one to its left."""
    placed = sorted(zip(at_mm, (bar.low, bar.high), ("p5", "p95"), strict=True))
    for side, (x, value, part) in enumerate(placed):
        words = f"{show_exact(value, found.kind, system)} ({part})"
        start = x + 1.0 if side else x - 1.0 - text_width(words)
        yield text_line(words, start, y + _BAR_MM - 0.6, paint)
