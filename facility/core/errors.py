"""The one error that bad input may raise, with a stable code."""

from __future__ import annotations

import csv
import difflib
from collections.abc import Callable, Iterable, Mapping
from functools import cache, wraps
from inspect import signature
from os import PathLike
from pathlib import Path
from typing import NamedTuple, ParamSpec, TypeVar

_P = ParamSpec("_P")
_R = TypeVar("_R")


class FacilityError(Exception):
    """Invalid input: what is wrong, where, and how to fix it.

    Parameters
    ----------
    code : str
        Stable upper-case code, e.g. ``"UNKNOWN_MODEL"``.
    where : str
        Path of the offending value, e.g. ``"it.halls[0].racks"`` or ``"gpus.csv:12:tdp_w"``.
    message : str
        What was found and what was expected.
    hint : str
        How to fix it; may be empty.
    exit_code : int, optional
        Exit code of the command line, where it is not that of the code: 1 a defect, 2 usage,
        3 invalid input, 4 no feasible solution, 6 file refused.
    """

    def __init__(
        self, code: str, where: str, message: str, hint: str = "", *, exit_code: int | None = None
    ) -> None:
        super().__init__(code, where, message, hint)
        self.code = code
        self.where = where
        self.message = message
        self.hint = hint
        known = error_codes().get(code, _UNKNOWN)
        self.exit_code = known.exit_code if exit_code is None else exit_code

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        hint = f" {self.hint}" if self.hint else ""
        return f"{place}{self.message}{hint} [{self.code}]"

    @property
    def explanation(self) -> str:
        """What is wrong and how to fix it, without place and code."""
        return f"{self.message} {self.hint}".rstrip()

    def as_dict(self) -> dict[str, str]:
        """Return the error as the ``errors`` entry of the JSON contract."""
        return {"code": self.code, "where": self.where, "message": self.message, "hint": self.hint}


def refuse_other(value: object, required: str, where: str, hint: str) -> None:
    """Reject an object not of the named class or classes: ``"Project or Design"``.

    Raises ``INPUT_TYPE`` with what it is.
    """
    if not {one.__name__ for one in type(value).__mro__} & set(required.split(" or ")):
        found = "nothing" if value is None else f"a {type(value).__name__}"
        raise FacilityError("INPUT_TYPE", where, f"a {required} is expected, not {found}.", hint)


def path_of(value: object, where: str) -> Path:
    """Return a path supplied by a program.

    Raises ``INPUT_TYPE`` for what is neither text nor a path.
    """
    if not isinstance(value, str | PathLike):
        raise FacilityError(
            "INPUT_TYPE",
            where,
            f"a path is expected, not a {type(value).__name__}.",
            "Supply text.",
        )
    return Path(value)


def with_checked_argument(function: Callable[_P, _R], required: str, hint: str) -> Callable[_P, _R]:
    """Return the function with the class of its first argument checked by `refuse_other`."""
    name = next(iter(signature(function).parameters))

    @wraps(function)
    def checked(*args: _P.args, **named: _P.kwargs) -> _R:
        if args or name in named:
            refuse_other(args[0] if args else named[name], required, name, hint)
        return function(*args, **named)

    return checked


class ErrorCode(NamedTuple):
    """Meaning, remedy and exit code of an error code of `FacilityError`."""

    meaning: str
    remedy: str
    exit_code: int


_UNKNOWN = ErrorCode("", "", 3)


@cache
def error_codes() -> Mapping[str, ErrorCode]:
    """Return every code that the package raises, as ``error_codes.csv`` declares it."""
    table = Path(__file__).with_name("error_codes.csv")
    rows = csv.DictReader(table.read_text(encoding="utf-8").splitlines())
    return {row["code"]: ErrorCode(row["meaning"], row["remedy"], int(row["exit"])) for row in rows}


@cache
def removed_names() -> Mapping[str, str]:
    """Return fields and results removed since the last minor version, with replacements."""
    table = Path(__file__).with_name("removed.csv")
    rows = csv.DictReader(table.read_text(encoding="utf-8").splitlines())
    return {row["name"]: f"Removed in {row['version']}. {row['instead']}" for row in rows}


def near_matches(word: str, known: Iterable[str]) -> str:
    """Return a hint with the known words closest to `word`, or with all words of a short list.

    For a field or result that was removed, what to do without it.
    """
    word = word[:80]
    if word in removed_names():
        return removed_names()[word]
    options = sorted(set(known))
    folded = {option.casefold(): option for option in options}
    close = difflib.get_close_matches(word.casefold(), list(folded), n=3, cutoff=0.4)
    if close:
        return "Did you mean " + ", ".join(repr(folded[c]) for c in close) + "?"
    if 0 < len(options) <= 12:
        return "Known: " + ", ".join(options) + "."
    return ""


def unknown(code: str, where: str, message: str, word: str, known: Iterable[str]) -> FacilityError:
    """Return the error of an unknown word, with the closest known words."""
    return FacilityError(code, where, message, near_matches(word, known))
