"""Devices by the names people write: "Dell PowerEdge XE9680 8x H100" is one row, "H100" a question.

A text is read as a sequence of words, whatever separates them. A row matches where every letter of
the text is a word of the row (key, alias, manufacturer, full name, accelerator, count) and all
words of its key or of one alias occur. Nothing is guessed: a word that the row does not explain
excludes it, and a text that lacks a word of every key is a question with the rows it may mean.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from facility.catalogue.loader import Catalogue, catalogue
from facility.catalogue.table import Row
from facility.core.errors import FacilityError, near_matches

GPUS, SERVERS, NODES = "equipment/gpus", "equipment/servers", "equipment/network_storage"
DEVICES = (SERVERS, NODES)
_ALIASES = "equipment/aliases"
_MANUFACTURER = "manufacturer"
_POWER = {GPUS: ("tdp_w", "W"), SERVERS: ("max_input_kw", "kW"), NODES: ("max_w", "W")}
_LONGEST = 120
_PART = re.compile(r"[^\s()/,;|+]+")
_GENERAL = (
    "server",
    "servers",
    "system",
    "node",
    "appliance",
    "switch",
    "gpu",
    "gpus",
    "module",
    "with",
)


@dataclass(frozen=True)
class TradeMatch:
    """Catalogue rows that a text may mean: one, several (a question) or none.

    `row` is the row where there is exactly one; otherwise `candidates` lists the rows it may mean,
    in catalogue order, and `near` the closest keys in words.
    """

    text: str
    row: Row | None
    candidates: tuple[Row, ...] = ()
    near: str = ""

    @property
    def key(self) -> str:
        """Key of the one row; empty without one."""
        return "" if self.row is None else self.row.text("model")

    @property
    def is_question(self) -> bool:
        """Whether the text may mean several rows."""
        return self.row is None and bool(self.candidates)


def match_device(text: str) -> TradeMatch:
    """Return the server, switch, storage or management row that `text` means.

    >>> match_device("DGX-H100").key
    'DGX H100'
    """
    return _match(catalogue(), text, DEVICES)


def match_gpu(text: str) -> TradeMatch:
    """Return the accelerator that `text` means.

    >>> [row["model"] for row in match_gpu("H100").candidates]
    ['H100 SXM5', 'H100 PCIe', 'H100 NVL']
    """
    return _match(catalogue(), text, (GPUS,))


def match_row(text: str, table: str) -> TradeMatch:
    """Return the row of one of the three device tables that `text` means.

    table: `GPUS`, `SERVERS` or `NODES`.
    """
    return _match(catalogue(), text, (table,))


def find_rows(text: str) -> tuple[Row, ...]:
    """Return the rows of all equipment that a text may mean: devices by name, others by their key.

    A row of another table is found where its key or name contains the text.
    """
    joined = "".join(_words(text[:_LONGEST]))
    found: dict[Row, None] = {}
    for match in (match_device(text), match_gpu(text)) if joined else ():
        rows = match.candidates if match.row is None else (match.row,)
        found |= dict.fromkeys(rows)
    for name in catalogue().schemas if len(joined) > 1 else ():
        if not name.startswith("equipment/") or name == _ALIASES:
            continue
        for row in catalogue().table(name).rows:
            words = [*row.key, row.values.get("name")]
            if any(joined in "".join(_words(str(part))) for part in words if part is not None):
                found[row] = None
    return tuple(found)


def trade_names(row: Row) -> tuple[str, ...]:
    """Return the other names by which a device is found."""
    named = (
        catalogue()
        .table(_ALIASES)
        .select(table=row.schema.name.partition("/")[2], model=row.key[0])
    )
    return tuple(alias.text("alias") for alias in named)


def device_key(text: str, where: str) -> str:
    """Return the key of the device row that `text` means; `text` itself if no row matches.

    Raises ``AMBIGUOUS_MODEL`` with the rows it may mean.
    """
    return _key(match_device(text), where)


def gpu_key(text: str, where: str) -> str:
    """Return the key of the accelerator row that `text` means; `text` itself if no row matches.

    Raises ``AMBIGUOUS_MODEL`` with the rows it may mean.
    """
    return _key(match_gpu(text), where)


def ambiguous(match: TradeMatch, where: str) -> FacilityError:
    """Return the question of a text that may mean several rows."""
    shown = []
    for row in match.candidates[:8]:
        column, unit = _POWER[row.schema.name]
        power = row[column]
        figure = "power not published" if power is None else f"{power:,g} {unit}"
        shown.append(f"{row['model']} ({row['vendor']}, {figure})")
    more = len(match.candidates) - len(shown)
    rest = f"; {more} more" if more > 0 else ""
    return FacilityError(
        "AMBIGUOUS_MODEL",
        where,
        f"{match.text[:60]!r} matches several models.",
        f"Enter one of: {'; '.join(shown)}{rest}.",
    )


def _key(match: TradeMatch, where: str) -> str:
    if match.is_question:
        raise ambiguous(match, where)
    return match.key or match.text


@dataclass(frozen=True)
class _Spelling:
    """A key or an alias of a row: words that must occur, and words that may."""

    row: Row
    needed: tuple[str, ...]
    vocabulary: tuple[tuple[str, int], ...]  # Word, and the bit of a needed word; 0 for others
    telling: int  # Bits that make an incomplete text a question; none in an alias

    def read(self, joined: str) -> int | None:
        """Return the needed words of the text as bits; None if the row does not have a word."""
        reached: list[set[int]] = [set() for _ in range(len(joined) + 1)]
        reached[0].add(0)
        for at in range(len(joined)):
            for word, bit in self.vocabulary if reached[at] else ():
                if joined.startswith(word, at):
                    reached[at + len(word)] |= {mask | bit for mask in reached[at]}
        return max(reached[-1], key=int.bit_count, default=None)


@lru_cache(8192)
def _match(of: Catalogue, text: str, tables: tuple[str, ...]) -> TradeMatch:
    joined = "".join(_words(text[:_LONGEST]))
    if (row := _models(of, tables).get(joined)) is not None:
        return TradeMatch(text, row)
    full: list[tuple[Row, frozenset[str]]] = []
    partial: dict[Row, None] = {}
    for spelling in _spellings(of, tables) if joined else ():
        mask = spelling.read(joined)
        if mask == (1 << len(spelling.needed)) - 1:
            full.append((spelling.row, frozenset(spelling.needed)))
        elif mask and mask & spelling.telling:
            partial[spelling.row] = None
    best = [row for row, words in full if not any(words < other for _, other in full)]
    rows = tuple(dict.fromkeys(best or partial))
    if best and len(rows) == 1:
        return TradeMatch(text, rows[0])
    keys = [key for name in tables for key in of.table(name).keys] if not rows else []
    return TradeMatch(text, None, rows, near_matches(text, keys) if keys else "")


@cache
def _models(of: Catalogue, tables: tuple[str, ...]) -> Mapping[str, Row]:
    """Return the first row of each model, by its words without spaces; more than its vendor."""
    found: dict[str, Row] = {}
    for name in tables:
        for row in of.table(name).rows:
            needed = dict.fromkeys(_words(row.text("model")))
            if not needed.keys() <= set(_parts(row.text("vendor"))):
                found.setdefault("".join(needed), row)
    return found


@cache
def _spellings(of: Catalogue, tables: tuple[str, ...]) -> tuple[_Spelling, ...]:
    aliases = of.table(_ALIASES)
    found: list[_Spelling] = []
    for name in tables:
        for row in of.table(name).rows:
            optional = frozenset(_optional(of, row))
            named = aliases.select(table=name.partition("/")[2], model=row["model"])
            for text in (row.text("model"), *(alias.text("alias") for alias in named)):
                needed = tuple(dict.fromkeys(_words(text)))
                bits = {word: 1 << index for index, word in enumerate(needed)}
                allowed = sorted(bits.keys() | optional)
                makers = set(_parts(row.text("vendor")))
                telling = sum(bit for word, bit in bits.items() if word not in makers)
                found.append(
                    _Spelling(
                        row,
                        needed,
                        tuple((word, bits.get(word, 0)) for word in allowed),
                        telling if text == row["model"] else 0,
                    )
                )
    return tuple(found)


def _optional(of: Catalogue, row: Row) -> Iterator[str]:
    """Yield the words that may accompany the key of a row."""
    yield from _GENERAL
    vendor = row.text("vendor")
    brands = of.table(_ALIASES).select(table=_MANUFACTURER)
    for text in (vendor, *(b.text("alias") for b in brands if b.text("model") in vendor)):
        yield from _parts(text)
    yield from _parts(row.text("name"))
    if row.schema.name == SERVERS:
        height, gpus = row["rack_units"], row["gpus_per_system"]
        yield from () if height is None else (f"{height}u",)
        yield from () if gpus is None else (f"{gpus}x", f"x{gpus}", f"{gpus}gpu", f"{gpus}gpus")
        for gpu in of.table(GPUS).select(model=row["gpu_model"]):
            yield from _of_gpu(of, gpu)
            if gpus is not None and gpu["memory_gb"] is not None:
                yield f"{row.integer('gpus_per_system') * float(gpu['memory_gb']):g}gb"
    elif row.schema.name == GPUS:
        yield from _of_gpu(of, row)


def _of_gpu(of: Catalogue, gpu: Row) -> Iterator[str]:
    brands = of.table(_ALIASES).select(table=_MANUFACTURER, model=gpu["vendor"])
    named = [gpu.text(column) for column in ("vendor", "model", "memory_type", "form_factor")]
    for text in (*named, *(brand.text("alias") for brand in brands)):
        yield from _parts(text)
    yield from ("gpu", "gpus", "accelerator", "accelerators")
    if gpu["memory_gb"] is not None:
        yield f"{gpu['memory_gb']:g}gb"


def _parts(text: str) -> Iterator[str]:
    """Yield the words of a text, hyphenated ones whole and in parts; single characters only so."""
    for part in _PART.findall(text):
        whole = "".join(_words(part))
        for word in {whole, *_words(part)}:
            if len(word) > 1 and (word == whole or not word.isdigit()):
                yield word


def _words(text: str) -> Sequence[str]:
    """Return the words of a text: letters and digits, without accents, marks and case."""
    plain = unicodedata.normalize("NFKD", re.sub("[®™©]", " ", text)).casefold()
    return re.findall(r"[a-z0-9]+", plain)
