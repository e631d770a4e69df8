"""Text for labels, which Streamlit interprets as markup."""

from __future__ import annotations

import re

_MARKS = re.compile(r"[^\w .,:()/%+=°²³Δ×÷−→≥-]|:(?! )")


def plain(text: str) -> str:
    """Return a text for a label, with all markup characters replaced."""
    return _MARKS.sub("·", text).replace("_", r"\_")
