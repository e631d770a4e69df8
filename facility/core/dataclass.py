"""The dataclass decorator: that of the standard library, made in a third of its time.

The standard one compiles up to six methods for each class, two of which only say that it is
frozen: a quarter second of processor time for the classes of a design, in every process that
starts. Here ``__init__`` alone is compiled; the other methods are closures over the names of the
fields, and do the same. To the type checker both are the same decorator.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from operator import attrgetter
from reprlib import recursive_repr
from types import FunctionType
from typing import TYPE_CHECKING

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(
        cls: type | None = None,
        /,
        *,
        frozen: bool = False,
        eq: bool = True,
        repr: bool = True,
        slots: bool = False,
        kw_only: bool = False,
    ) -> type | Callable[[type], type]:
        """Add the methods of a dataclass to a class, as `dataclasses.dataclass` does."""

        def completed(cls: type) -> type:
            # Without a docstring the standard library would write one from the signature.
            cls.__doc__ = cls.__doc__ or cls.__name__
            options = {"init": False, "eq": False, "repr": False}
            made = dataclasses.dataclass(**options, slots=slots, kw_only=kw_only)(cls)
            own = {name for name, value in vars(made).items() if value is not None}
            names = [one.name for one in fields(made) if one.repr]

            @recursive_repr()
            def shown(self: object) -> str:
                values = ", ".join([f"{name}={getattr(self, name)!r}" for name in names])
                return f"{type(self).__qualname__}({values})"

            methods = {"__init__": _init(made)}
            if repr:
                methods["__repr__"] = shown
            if eq:
                methods |= _comparison(made, frozen=frozen)
            if frozen:
                methods |= _frozen(made, slots=slots)
            for name, method in methods.items():
                if name not in own:
                    setattr(made, name, method)
            return made

        return completed if cls is None else completed(cls)


class _Default:
    """The default of an argument whose value a factory makes, as `help` shows it."""

    def __repr__(self) -> str:
        return "<factory>"


_MADE = _Default()


def _init(made: type) -> object:
    """Return ``__init__`` with the arguments of the fields, compiled."""
    names: dict[str, object] = {"_set": object.__setattr__, "_MADE": _MADE}
    arguments = ["self"]
    named: list[str] = []
    body: list[str] = []
    found: dict[str, FunctionType] = {}
    for one in fields(made):
        default, value = f"_{one.name}_default", one.name
        if one.default is not MISSING:
            names[default] = one.default
        elif one.default_factory is not MISSING:
            names[default] = one.default_factory
            value = f"{default}() if {one.name} is _MADE else {one.name}"
        if one.init:
            omitted = "_MADE" if one.default_factory is not MISSING else default
            argument = f"{one.name}={omitted}" if default in names else one.name
            (named if one.kw_only else arguments).append(argument)
            body.append(f"_set(self, {one.name!r}, {value})")
        elif one.default_factory is not MISSING:
            body.append(f"_set(self, {one.name!r}, {default}())")
    if hasattr(made, "__post_init__"):
        body.append("self.__post_init__()")
    signature = ", ".join([*arguments, *(["*", *named] if named else [])])
    statements = "; ".join(body) or "pass"
    text = f"""def made({", ".join(names)}):
    def __init__({signature}): {statements}
    return __init__"""
    # The module of the class is where its annotations are read.
    exec(text, vars(sys.modules[made.__module__]), found)
    init = found["made"](**names)
    assert isinstance(init, FunctionType)
    init.__qualname__ = f"{made.__qualname__}.__init__"
    init.__annotations__ = {one.name: one.type for one in fields(made) if one.init}
    init.__annotations__["return"] = None
    return init


def _comparison(made: type, *, frozen: bool) -> Mapping[str, object]:
    values = _values([one for one in fields(made) if one.compare])

    def equal(self: object, other: object) -> bool:
        return values(self) == values(other) if type(other) is type(self) else NotImplemented

    if not frozen:
        return {"__eq__": equal, "__hash__": None}
    hashed = _values(
        [one for one in fields(made) if (one.compare if one.hash is None else one.hash)]
    )
    return {"__eq__": equal, "__hash__": lambda self: hash(hashed(self))}


def _values(compared: list[Field[object]]) -> Callable[[object], tuple[object, ...]]:
    """Return what reads the values of fields from an object, as a tuple."""
    names = [one.name for one in compared]
    if len(names) > 1:
        return attrgetter(*names)
    return lambda self: tuple([getattr(self, name) for name in names])


def _frozen(made: type, *, slots: bool) -> Mapping[str, object]:
    names = frozenset(one.name for one in fields(made))

    def refuse_to_set(self: object, name: str, value: object) -> None:
        if type(self) is made or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        object.__setattr__(self, name, value)

    def refuse_to_delete(self: object, name: str) -> None:
        if type(self) is made or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        object.__delattr__(self, name)

    def state(self: object) -> list[object]:
        return [getattr(self, one.name) for one in fields(made)]

    def restore(self: object, values: list[object]) -> None:
        for one, value in zip(fields(made), values, strict=True):
            object.__setattr__(self, one.name, value)

    methods = {"__setattr__": refuse_to_set, "__delattr__": refuse_to_delete}
    # Slots are restored by setting them, which a frozen class refuses.
    return {**methods, "__getstate__": state, "__setstate__": restore} if slots else methods
