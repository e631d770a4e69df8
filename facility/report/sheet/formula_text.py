"""Formulas of the equation registry as plain text, for places that cannot set mathematics."""

from __future__ import annotations

import re
from types import MappingProxyType

_GREEK = (
    "alpha beta gamma delta epsilon varepsilon zeta eta theta kappa lambda mu nu xi pi rho sigma"
    " tau phi varphi chi psi omega Delta Sigma Phi Omega Theta Lambda"
)
_SIGNS = {
    "cdot": "·", "times": "×", "sqrt": "√", "sum": "Σ", "le": "≤", "leq": "≤", "ge": "≥",
    "geq": "≥", "approx": "≈", "infty": "∞", "pm": "±", "lceil": "⌈", "rceil": "⌉", "lfloor": "⌊",
    "rfloor": "⌋", "circ": "°", "mid": "|", "vert": "|", "lvert": "|", "rvert": "|", "partial": "∂",
    "to": "→", "angle": "∠", "neq": "≠", "quad": " ", "qquad": " ",
}  # fmt: skip
_LOOKS = "left right mathrm text operatorname bar dot vec hat overline underline displaystyle"
"""Commands of layout only."""
_SPACED = ("ln", "cos", "sin", "tan", "tanh", "arccos")
"""Prefix functions; names in no table are used as is."""
_WORDS = MappingProxyType(
    dict(zip(_GREEK.split(), "αβγδεεζηθκλμνξπρστφφχψωΔΣΦΩΘΛ", strict=True))
    | _SIGNS
    | dict.fromkeys(_LOOKS.split(), "")
    | {name: f"{name} " for name in _SPACED}
)
_GROUP = r"\{((?:[^{}]|\{[^{}]*\})*)\}"
_FRACTION = re.compile(rf"\\[dt]?frac\s*{_GROUP}\s*{_GROUP}")
_COMMAND = re.compile(r"\\([A-Za-z]+)")
_SIMPLE = re.compile(r"[\w.·√Σ°∞]+")


def formula_text(latex: str) -> str:
    """Return a formula written in LaTeX as one line of text, e.g. ``P/(√(3)·V_LL)``."""
    text = latex.replace(r"\,", " ").replace(r"\;", " ").replace(r"\!", "").replace(r"\%", "%")
    while _FRACTION.search(text):
        text = _FRACTION.sub(lambda m: f" {_bracketed(m[1])}/{_bracketed(m[2])}", text)
    text = re.sub(rf"([_^]){_GROUP}", lambda m: m[1] + _bracketed(m[2], m[1] == "_"), text)
    text = re.sub(rf"\\sqrt\s*{_GROUP}", lambda m: f"√({m[1]})", text)
    text = _COMMAND.sub(lambda m: _WORDS.get(m[1], m[1]), text)
    text = text.replace("{", "").replace("}", "").replace("\\", "").replace("&", "")
    text = re.sub(r"\s+", " ", text).replace("Δ ", "Δ")
    return text.replace("( ", "(").strip()


def _bracketed(part: str, subscript: bool = False) -> str:
    plain = _COMMAND.sub(lambda m: _WORDS.get(m[1], m[1]), part).replace("{", "").replace("}", "")
    simple = subscript or _SIMPLE.fullmatch(plain.strip())
    return part.strip() if simple else f"({part.strip()})"
