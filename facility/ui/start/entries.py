"""The entries of a new project: the text of each question, by name."""

from __future__ import annotations

import re
from collections.abc import Mapping

import streamlit as st

from facility.ui.work.answers import FURTHER

FIT = "as many as fit"
"""Unit of a size that is searched within limits."""
LABELS = {
    "amount": "Size",
    "unit": "Unit",
    "model": "Model",
    "location": "Site",
    "place": "Other site",
    "power": "Power redundancy",
    "cooling": "Cooling",
    "voltage": "Rack voltage",
    "goal": "Goal",
    "station": "Weather of",
    "weather": "Weather",
    "grid": "Grid connection",
    "water": "Annual water use",
    "area": "Hall floor area",
    "budget": "Capital cost",
    **FURTHER,
}
"""Label of each entry."""
_CHOICES = ("model", "location", "power", "cooling", "voltage", "goal", "station")
_BARE = re.compile(r" *[+\-−]?\d+(\.\d+)? *", re.ASCII)
Entries = Mapping[str, str]


def key_of(name: str) -> str:
    """Return the key of the widget of an entry."""
    return f"new-{name}"


def size_of(entries: Entries) -> str:
    """Return the size as one text; empty where the largest cluster is searched."""
    amount, unit = entries["amount"], entries["unit"]
    if unit == FIT or not amount:
        return ""
    return f"{amount} {unit}" if amount.replace(",", "").replace(".", "").isdigit() else amount


def with_unit(weather: str, unit: str) -> str:
    """Return dry bulb and wet bulb with a unit for bare numbers; other text is unchanged."""
    parts = weather.split(",")
    if len(parts) != 2:
        return weather
    return ",".join(f"{part} {unit}" if _BARE.fullmatch(part) else part for part in parts)


def words(entries: Entries) -> str:
    """Return the entries in a few words: "48 racks of GB200 NVL72, 2N, air"."""
    size = "the most that fit" if entries["unit"] == FIT else size_of(entries) or "the default size"
    parts = (f"{size} of {entries['model'] or 'the default model'}", entries["power"])
    return ", ".join(filter(None, (*parts, entries["cooling"], entries["voltage"])))


def changed(before: Entries, after: Entries) -> str:
    """Return the entries that differ, as text: "Size 48 -> 64"."""
    return ", ".join(
        f"{label} {before[name] or 'default'} → {after[name] or 'default'}"
        for name, label in LABELS.items()
        if before[name] != after[name]
    )


def restore(entries: Entries) -> None:
    """Put entries into their boxes."""
    for name, text in entries.items():
        st.session_state[key_of(name)] = text or (None if name in _CHOICES else "")
