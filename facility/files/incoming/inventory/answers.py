"""Answers to the questions of an inventory, as options of the command line and as a profile."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from facility.core.errors import FacilityError
from facility.files.incoming.columns import IGNORE, add_answer, read_answers
from facility.files.incoming.profile import Options
from facility.files.incoming.text_table import Decimal

ROWS = "rows"
"""Word of ``--skip`` for the rows that are not understood."""
STATED = "Stated rack load"
"""Model of the load of a rack without a known model, a device of the project."""
RACK_POWER = "rack power"
"""Meaning of a model whose racks draw the power of their rows."""
LIMIT = "limit"
"""Meaning of a model with a rack power: one device, the power is only the limit of its rack."""
NO_MODEL = "no model"
"""Cell by which an answer names all rows without a model."""
POWERS = ("power_limit", "input_power", "max_power", "typical_power")
"""Powers of a row by precedence; the first is of the whole rack, the others of each device."""


@dataclass(frozen=True)
class Answers:
    """Answers by question; empty if not answered."""

    columns: Mapping[str, str] = field(default_factory=dict)  # Field of a heading
    values: Mapping[str, str] = field(default_factory=dict)  # Meaning of a cell, in small letters
    decimal: Decimal | None = None
    sheet: str = ""
    room: str = ""  # Hall of rows without a room
    fill_down: tuple[str, ...] = ()  # Fields whose blank cells repeat the cell above
    skip: tuple[str, ...] = ()  # Fields whose blank cells leave the row out, or `ROWS`
    other_halls: str = ""  # keep or remove halls of the project that are not listed
    designed: str = ""  # keep or remove the network, storage and management that are designed
    ports: str = ""  # A device draws the sum of its power ports, or each carries it all
    rack_power: str = ""  # Power of the racks that a bill of materials is placed in
    rack_units: str = ""  # Height of these racks

    def meaning(self, text: str) -> str:
        """Return the stated meaning of a cell, or its text."""
        return self.values.get(_folded(text), text)

    def ignores(self, text: str) -> bool:
        """Return whether rows with this cell are left out."""
        return self.values.get(_folded(text)) == IGNORE

    def is_stated_load(self, cells: Mapping[str, str], columns: Container[str | None]) -> bool:
        """Return whether the load of the rack is the power of its row.

        columns: Fields of the table; without models, all its racks have a stated load.
        """
        meaning = self.meaning(cells.get("model", NO_MODEL))
        stated = meaning == RACK_POWER or "model" not in columns
        return stated and any(name in cells for name in POWERS)

    def over(self, other: Answers) -> Answers:
        """Return the answers of `other`, such as a profile, overridden by these answers."""
        stated = {
            name: value
            for name, value in vars(self).items()
            if value and name not in ("columns", "values")
        }
        return replace(
            other,
            columns={**other.columns, **self.columns},
            values={**other.values, **self.values},
            **stated,
        )


def answers_of(
    columns: Sequence[str] = (),
    values: Sequence[str] = (),
    fill_down: Sequence[str] = (),
    skip: Sequence[str] = (),
    choices: Mapping[str, str | None] | None = None,
) -> Answers:
    """Return answers as typed.

    columns: ``HEADING=FIELD`` or ``HEADING=FIELD UNIT``.
    values: ``TEXT=MEANING``: a model, a rack purpose, feeds, a room, or `IGNORE`.
    fill_down, skip: Names of fields.
    choices: The other answers, by the name of their field in `Answers`.

    Raises ``TABLE_ANSWER`` for an answer of another form, and for two meanings of one text.
    """
    texts = {name: (text or "").strip() for name, text in (choices or {}).items()}
    unknown = set(texts) - set(Answers.__dataclass_fields__)
    if unknown:
        raise FacilityError(
            "TABLE_ANSWER", "profile", f"there is no option {min(unknown)[:40]!r}.", "Remove it."
        )
    for name, words in _WORDS.items():
        texts[name] = _one_of(f"--{name.replace('_', '-')}", texts.get(name, ""), words)
    meanings = dict[str, str]()
    for cell, meaning in map(_value, values):
        add_answer(meanings, "--value", cell, meaning)
    return Answers(
        read_answers(columns),
        meanings,
        cast("Decimal | None", texts.pop("decimal") or None),
        fill_down=tuple(_one_of("--fill-down", one, FILLED) for one in fill_down),
        skip=tuple(_one_of("--skip", one, SKIPPED) for one in skip),
        **texts,
    )


def options_of(answers: Answers) -> Options:
    """Return answers as the options of a profile."""
    single = {
        name: (text,)
        for name in (
            "decimal",
            "room",
            "other_halls",
            "designed",
            "ports",
            "rack_power",
            "rack_units",
        )
        if (text := getattr(answers, name))
    }
    return {
        "map": tuple(f"{heading}={field}" for heading, field in answers.columns.items()),
        "value": tuple(f"{text}={meaning}" for text, meaning in answers.values.items()),
        "fill_down": answers.fill_down,
        "skip": answers.skip,
        **single,
    }


def answers_in(options: Options) -> Answers:
    """Return the answers of a profile.

    Raises ``TABLE_ANSWER`` for an answer of another form.
    """
    listed = ("map", "value", "fill_down", "skip")
    single = {name: texts[0] for name, texts in options.items() if name not in listed and texts}
    columns, values, fill_down, skip = (options.get(name, ()) for name in listed)
    return answers_of(columns, values, fill_down, skip, single)


def options_in(hint: str) -> list[tuple[str, str]]:
    """Return the options that a hint names, each by its name of a profile, with its value.

    >>> options_in("Add --map 'Qty=devices', --fill-down room or --decimal . (point).")
    [('map', 'Qty=devices'), ('fill_down', 'room'), ('decimal', '.')]
    """
    found = []
    for name, quoted, doubly, bare in _OPTION.findall(hint):
        value = quoted or doubly or (bare.rstrip(",;.)") or bare[:1])
        found.append((name.replace("-", "_"), value))
    return list(dict.fromkeys(found))


_OPTION = re.compile(r"""--([a-z]+(?:-[a-z]+)?) (?:'([^']*)'|"([^"]*)"|(\S+))""")
_WORDS = {
    "decimal": (".", ","),
    "other_halls": ("keep", "remove"),
    "designed": ("keep", "remove"),
    "ports": ("sum", "each"),
}
FILLED = ("room", "site", "rack", "model", "manufacturer")
SKIPPED = ("room", "rack", "model", ROWS)


def _one_of(option: str, text: str, words: tuple[str, ...]) -> str:
    if not text:
        return ""
    found = next((word for word in words if word == text.strip().casefold()), None)
    if found is None:
        raise FacilityError(
            "TABLE_ANSWER", option, f"{text[:40]!r} is unknown.", f"Enter {' or '.join(words)}."
        )
    return found


def _value(text: str) -> tuple[str, str]:
    cell, sign, meaning = text.rpartition("=")
    if not sign or not cell.strip() or not meaning.strip():
        raise FacilityError(
            "TABLE_ANSWER",
            "--value",
            f"{text[:60]!r} is not a valid meaning.",
            "Write e.g. --value 'gpu-node=compute' or --value 'H100 box=DGX H100'.",
        )
    return _folded(cell), meaning.strip()


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def value_option(text: str, meaning: str) -> str:
    """Return the option that states the meaning of a cell, with the cell as written."""
    quote = '"' if "'" in text else "'"
    return f"--value {quote}{' '.join(text.split())}={meaning}{quote}"
