"""Texts for labels, which are read as markup."""

from __future__ import annotations

import re

_MARKS = re.compile(r"[^\w .,:()/%+=-]|:(?! )")


def plain(text: str) -> str:
    """Return a text for a label, which is read as markup: whatever could be markup is left out."""
    return _MARKS.sub("·", text).replace("_", r"\_")
