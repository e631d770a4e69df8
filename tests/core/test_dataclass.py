"""The dataclass decorator against that of the standard library, which it takes the place of."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import field, replace
from functools import cached_property

import pytest

from facility.core.dataclass import dataclass

Given = tuple[dict[str, object], dict[str, object]]
"""Arguments of an object, and of another."""


def _classes(made: Callable[..., Callable[[type], type]]) -> dict[str, type]:
    """Return classes of every form that the package uses, by name."""

    @made(frozen=True)
    class Plain:
        name: str
        count: int = 1
        listed: list[int] = field(default_factory=list)

        @cached_property
        def twice(self) -> int:
            return 2 * self.count

    @made(frozen=True)
    class Inner(Plain):
        own: float = field(default=0.0, kw_only=True)
        seen: dict[str, int] = field(default_factory=dict, repr=False, compare=False, init=False)

    @made(frozen=True, eq=False, repr=False)
    class Bare:
        name: str

    @made()
    class Open:
        name: str
        count: int = 0

        def __post_init__(self) -> None:
            self.count += 1

    @made(frozen=True, kw_only=True, slots=True)
    class Slotted:
        name: str
        size: tuple[int, ...] = (1,)

    @made(frozen=True)
    class Hashed:
        name: str
        listed: list[int] = field(default_factory=list, hash=False)

        def __repr__(self) -> str:
            return "own"

    @made(frozen=True)
    class Empty:
        """Nothing."""

    found = (Plain, Inner, Bare, Open, Slotted, Hashed, Empty)
    return {cls.__name__: cls for cls in found}


OURS, STANDARD = _classes(dataclass), _classes(dataclasses.dataclass)
ARGUMENTS: dict[str, Given] = {
    "Empty": ({}, {}),
    "Inner": ({"name": "a"}, {"name": "a", "own": 2.0}),
}
CASES = {name: ARGUMENTS.get(name, ({"name": "a"}, {"name": "b"})) for name in OURS}


def _answer(call: Callable[[], object]) -> object:
    """Return what a call gives, or the class and text of its error."""
    try:
        return call()
    except (AttributeError, TypeError) as error:
        return type(error), str(error)


def _answers(cls: type, given: Given) -> list[object]:
    one, same, other = cls(**given[0]), cls(**given[0]), cls(**given[1])
    shown = [repr(one), repr(other)] if "__repr__" in vars(cls) else []
    return [
        *shown,
        one == same,
        one == other,
        one == "a",
        _answer(lambda: hash(one)) if "__eq__" in vars(cls) else "",
        _answer(lambda: setattr(one, "name", "c")),
        _answer(lambda: delattr(one, "name")),
        _answer(lambda: setattr(one, "strange", "c")) if "__slots__" not in vars(cls) else "",
        dataclasses.asdict(replace(one, **given[1])),
        str(inspect.signature(cls)).split("_Default")[0],
        str(_answer(cls)),
        vars(cls)["__match_args__"],
    ]


@pytest.mark.parametrize("name", OURS)
def test_a_class_does_what_the_standard_one_does(name: str) -> None:
    assert _answers(OURS[name], CASES[name]) == _answers(STANDARD[name], CASES[name])


def test_classes_of_both_decorators_are_different() -> None:
    assert OURS["Plain"]("a") != STANDARD["Plain"]("a")
    assert OURS["Plain"]("a").twice == 2


def test_frozen_slots_are_copied() -> None:
    one = OURS["Slotted"](name="a", size=(2, 3))
    assert copy.copy(one) == one
    assert one.__getstate__() == ["a", (2, 3)]


@dataclass(frozen=True, slots=True)
class Kept:
    """A class that pickle finds by name."""

    name: str


def test_frozen_slots_are_pickled() -> None:
    assert pickle.loads(pickle.dumps(Kept("a"))) == Kept("a")
