"""Small tables, bars and lists that only show, as data that the browser draws.

Texts are set as text, so that no name or number of a project can become markup of the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from facility.ui.browser import component

Element = str | Mapping[str, object]
"""A text, or an element with its tag, look and content."""


def element(tag: str, *inside: Element, look: str = "", **more: float | str) -> Element:
    """Return an element; `more` has its label, and its width or left edge in percent."""
    return {"tag": tag, "look": look, "inside": inside, **more}


def row(cells: Iterable[str], tag: str = "td") -> Element:
    """Return a row of a table."""
    return element("tr", *(element(tag, text) for text in cells))


def show_element(shown: Element | None, key: str) -> None:
    """Show an element with the style of the page; only the style for None."""
    component(
        "facility.elements",
        "<div data-elements></div>",
        css="page.css",
        js="elements.js",
        isolated=False,
    )(key=key, data=shown)


def show_style() -> None:
    """Apply the style of columns and text rows of a page."""
    show_element(None, "page-style")
