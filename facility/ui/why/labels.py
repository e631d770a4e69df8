"""Text for labels, which Streamlit interprets as markup."""

from __future__ import annotations

import re

_MARKS = re.compile(r"[^\w .,:()/%+=°²³Δ×÷−→≤≥-]|:(?! )")
_COMPARED = (("<=", "≤"), (">=", "≥"))


def plain(text: str) -> str:
    """Return a text for a label, with all markup characters replaced."""
    for typed, printed in _COMPARED:
        text = text.replace(typed, printed)
    return _MARKS.sub("·", text).replace("_", r"\_")
