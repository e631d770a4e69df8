"""The look of the workbook: roles and number formats, named once.

A style key is ``role`` or ``role.format``, e.g. ``"cell.kw1"``. Blue text is an input and the only
unlocked cell, violet an engine value used by formulas, black a formula, grey does not apply.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

FONT = "Calibri"
_INK, _INPUT_BLUE, _GREY_TEXT, _LINK_BLUE = "#1A1A1A", "#0033CC", "#666666", "#0B5394"
_ENGINE_VIOLET = "#6A1B9A"
_HEAD_FILL, _BAND_FILL, _NA_FILL, _TOTAL_FILL = "#1F3A5F", "#E8EDF3", "#E3E3E3", "#F4F6F9"
LINE = "#9AA5B1"


@dataclass(frozen=True)
class Look:
    """How a cell looks.

    `border` is the weight of the line around the cell: 0 none, 1 thin; `top` a heavier top line.
    """

    size: float = 10
    bold: bool = False
    italic: bool = False
    underline: bool = False
    color: str = _INK
    fill: str = ""
    border: int = 0
    top: int = 0
    align: Literal["", "left", "center", "right"] = ""
    wrap: bool = False
    locked: bool = True
    shrink: bool = False
    indent: int = 0


_TEXT = Look()
_CELL = Look(border=1)
_WORDS = Look(border=1, wrap=True, indent=1, align="left")
_PANEL = Look(size=9, border=1)
_HEAD = Look(bold=True, color="#FFFFFF", fill=_HEAD_FILL, border=1, wrap=True, align="center")
_STATE = Look(size=11, bold=True, border=1, indent=1, align="left")

ROLES = MappingProxyType(
    {
        "text": _TEXT,
        "wrap": replace(_TEXT, wrap=True),
        "title": Look(size=16, bold=True, color=_HEAD_FILL),
        "subtitle": Look(size=11, color=_GREY_TEXT),
        "section": Look(size=12, bold=True, color=_HEAD_FILL),
        "note": Look(size=9, italic=True, color=_GREY_TEXT, wrap=True),
        "label": Look(bold=True, color=_GREY_TEXT),
        "link": Look(color=_LINK_BLUE, underline=True),
        "alert": replace(_STATE, color="#9C0006", fill="#FFE0E0"),
        "clear": replace(_STATE, color="#1E5631", fill="#E2F2E5"),
        "head": _HEAD,
        "headleft": replace(_HEAD, align="left", indent=1),
        "band": Look(bold=True, fill=_BAND_FILL, border=1),
        "cell": _WORDS,
        "listed": replace(_WORDS, wrap=False, shrink=True),
        "celllink": replace(_WORDS, color=_LINK_BLUE, underline=True),
        "center": replace(_CELL, align="center"),
        "verdict": replace(_CELL, bold=True, align="center"),
        "calc": replace(_CELL),
        "input": replace(_CELL, color=_INPUT_BLUE, locked=False),
        "number": replace(_CELL),
        "given": replace(_CELL, color=_ENGINE_VIOLET),
        "paid": replace(_CELL, color=_ENGINE_VIOLET),  # an amount of money
        "word": replace(_CELL, align="right"),
        # Words of the engine: a sentence with its figures, a choice, an outcome
        "finding": _WORDS,
        "choice": replace(_WORDS, wrap=False, shrink=True),
        "outcome": replace(_CELL, align="center"),
        "total": replace(_CELL, bold=True, fill=_TOTAL_FILL, top=2),
        "mono": Look(size=9, wrap=True),
        "ptitle": replace(_HEAD, size=13, wrap=False),
        "plabel": Look(
            size=9, color=_GREY_TEXT, fill=_BAND_FILL, border=1, shrink=True, indent=1, align="left"
        ),
        "pvalue": replace(_PANEL, bold=True, shrink=True, align="left"),
        "pgiven": replace(_PANEL, bold=True, shrink=True, align="left", color=_ENGINE_VIOLET),
        "pchoice": replace(_PANEL, bold=True, wrap=True, align="left"),
        "plines": replace(_PANEL, bold=True, wrap=True, align="left"),
        "phead": replace(_HEAD, size=9),
        "pband": Look(size=9, bold=True, fill=_BAND_FILL, border=1),
        "pckt": replace(_PANEL, bold=True, align="center", fill=_BAND_FILL),
        "ptext": replace(_PANEL, shrink=True),
        "pcode": replace(_PANEL, align="center", shrink=True),
        "pwire": replace(_PANEL, align="center", shrink=True),
        "pna": replace(_PANEL, fill=_NA_FILL),
        "pphase": replace(_PANEL, bold=True, align="center"),
        "pcalc": _PANEL,
        "ptotal": replace(_PANEL, bold=True, fill=_TOTAL_FILL, top=2),
        "pverdict": replace(_PANEL, bold=True, align="center"),
        "pnote": Look(size=8, color=_GREY_TEXT, wrap=True),
        "seal": Look(size=9, italic=True, color=_GREY_TEXT, align="center", border=1, wrap=True),
    }
)

FORMATS = MappingProxyType(
    {
        "": "General",
        "va": '#,##0_);-#,##0_);""',
        "n0": "#,##0_)",
        "n1": "#,##0.0_)",
        "n2": "#,##0.00_)",
        "n0z": '#,##0_);-#,##0_);"–"_)',
        "n1z": '#,##0.0_);-#,##0.0_);"–"_)',
        "n3": "#,##0.000_)",
        "n4": "0.0000_)",
        "n5": "0.00000_)",
        "n6": "0.000000_)",
        "a1": "0.0_)",
        "amp": '#,##0.0 "A"_)',
        "pct": "0.0%_)",
        "pct0": "0%_)",
        "pct2": "0.00%_)",
        "sci": "0.000E+00_)",
        "at": "@",
    }
)

"""Number formats; ``_)`` leaves the width of a bracket, so that no number touches its border."""

MARKS = MappingProxyType(
    {
        "bad": Look(bold=True, color="#9C0006", fill="#FFC7CE"),
        "warn": Look(bold=True, color="#7F4F00", fill="#FFE699"),
        "good": Look(color="#1E5631", fill="#D7F0DC"),
        "spare": Look(italic=True, color=_GREY_TEXT, fill="#F2F2F2"),
    }
)


def look_of(style: str) -> tuple[Look, str]:
    """Return look and number format of a style key."""
    role, _, number_format = style.partition(".")
    return ROLES[role], FORMATS[number_format]
