"""Tables to fill in: headings and example rows of each kind of import."""

from __future__ import annotations

from pathlib import Path

from facility.core.errors import unknown

_SUFFIX = ".csv"


def template_kinds() -> list[str]:
    """Return the kinds of templates."""
    files = Path(__file__).parent.iterdir()
    return sorted(one.name.removesuffix(_SUFFIX) for one in files if one.name.endswith(_SUFFIX))


def template_text(kind: str) -> str:
    """Return the template of a kind of import as CSV.

    Raises ``UNKNOWN_TEMPLATE`` with the kinds.
    """
    kinds = template_kinds()
    if kind not in kinds:
        text = f"there is no template {kind[:40]!r}."
        raise unknown("UNKNOWN_TEMPLATE", "template", text, kind, kinds)
    return Path(__file__).with_name(kind + _SUFFIX).read_text("utf-8")
