"""The one-line diagram in a frame of its own, which scrolls sideways while the page does not."""

from __future__ import annotations

import streamlit as st

from facility.files.svg import DARK, LIGHT, drawing_size_px, drawing_svg
from facility.report.one_line import Drawing

_SCROLLBAR_PX = 18
# Texts are escaped in the drawing; the policy lets nothing run or load even so.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE = "body{{margin:0;overflow-y:hidden;background:{paper}}}svg{{display:block}}"


def show_one_line(drawing: Drawing) -> None:
    """Show a one-line diagram in the colours of the page."""
    paint = DARK if st.context.theme.type == "dark" else LIGHT
    style = _STYLE.format(paper=paint.paper)
    page = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f"<style>{style}</style></head><body>{drawing_svg(drawing, paint)}</body></html>"
    )
    _, height = drawing_size_px(drawing)
    st.iframe(page, height=height + _SCROLLBAR_PX, tab_index=0, alt=drawing.title)
