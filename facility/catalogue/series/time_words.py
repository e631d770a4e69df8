"""Headings of time in English, German, French, Spanish, Italian, Dutch and Portuguese."""

from __future__ import annotations

import re
import unicodedata

from facility.catalogue.series.roles import plain

_TIME = re.compile(
    r"(^|[^a-z])(timestamps?|date ?time|time|date|hour|epoch|unix( time)?"
    r"|interval (start|begin|end)(ning|ing)?|from|start|begin(ning)?|end(ing)?)([^a-z]|$)"
)
_ENGLISH = {
    **dict.fromkeys(("date", "datum", "fecha", "data", "ablesedatum", "messdatum"), "date"),
    **dict.fromkeys(("time", "zeit", "uhrzeit", "messzeit", "heure", "hora", "ora"), "time"),
    **dict.fromkeys(("orario", "tijd", "uhr"), "time"),
    **dict.fromkeys(("stunde", "uur"), "hour"),
    **dict.fromkeys(("zeitstempel", "zeitpunkt", "messzeitpunkt", "horodatage"), "timestamp"),
    **dict.fromkeys(("horodate", "tijdstempel", "tijdstip", "marca", "carimbo"), "timestamp"),
    **dict.fromkeys(("beginn", "anfang", "von", "debut", "inicio", "inizio", "vanaf"), "start"),
    **dict.fromkeys(("ende", "bis", "fin", "fim", "fine", "einde", "tot"), "end"),
    **dict.fromkeys(("und", "et", "y", "e", "en", "de", "do", "local", "locale", "lokal"), ""),
    **dict.fromkeys(("tiempo", "temporal", "temporale", "tempo", "mez", "cet", "ortszeit"), ""),
    "utc": "utc",
    "gmt": "gmt",
}
"""Words of a heading of time, as an English one; empty for words that only join others."""
_DOUBTFUL = ("data", "fine")
"""Words of English, too: a time only where no other heading is one."""


def time_words(heading: str) -> str:
    """Return a heading of time in English, ``date time`` for ``Datum und Uhrzeit``.

    A heading with other words is returned in lower case with plain signs.
    """
    text = plain(heading)
    letters = unicodedata.normalize("NFD", text)
    words = re.findall(r"[a-z]+", "".join(one for one in letters if one.isascii()))
    if not words or any(word not in _ENGLISH for word in words):
        return text
    return " ".join(filter(None, (_ENGLISH[word] for word in words))) or text


def is_time(heading: str) -> bool:
    """Return whether a heading names a time."""
    return re.search(r"\d", heading) is None and _TIME.search(time_words(heading)) is not None


def times_among(headings: tuple[str, ...]) -> list[int]:
    """Return the positions of the headings that name a time."""
    found = [n for n, name in enumerate(headings) if is_time(name)]
    sure = [n for n in found if _TIME.search(plain(headings[n]))]
    return [n for n in found if not sure or plain(headings[n]) not in _DOUBTFUL]


def named_times(time: str) -> tuple[str, ...]:
    """Return the headings of ``Datum + Uhrzeit`` in lower case."""
    return tuple(part.strip().lower() for part in time.split(" + ") if part.strip())
