"""The one-line diagram in a frame of its own, which scrolls sideways while the page does not."""

from __future__ import annotations

import streamlit as st

from facility.files.svg.shapes import DARK, LIGHT, Paint

_SCROLLBAR_PX = 18
# Texts are escaped in the drawing; the policy lets nothing run or load even so.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE = "body{{margin:0;overflow-y:hidden;background:{paper}}}svg{{display:block}}"


def page_paint() -> Paint:
    """Return the colours of the page."""
    return DARK if st.context.theme.type == "dark" else LIGHT


def show_one_line(svg: str, height_px: int, title: str) -> None:
    """Show a one-line diagram of some height, drawn in the colours of the page."""
    style = _STYLE.format(paper=page_paint().paper)
    page = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f"<style>{style}</style></head><body>{svg}</body></html>"
    )
    st.iframe(page, height=height_px + _SCROLLBAR_PX, tab_index=0, alt=title)
