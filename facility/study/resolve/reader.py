"""Reads the fields of one section as `facility.model.inputs.declare` declares them."""

from __future__ import annotations

from typing import TypeVar, cast

from facility.catalogue.altitude import rating_at
from facility.core.parse import Measured
from facility.core.sources import PROJECT, Source
from facility.core.trace import Trace
from facility.model.inputs.declare import Default, entry
from facility.model.inputs.scalars import Section

_Word = TypeVar("_Word", bound=str)


class Reader:
    """The fields of one section: specified value, else default, recorded in the trace.

    A default that depends on other inputs is passed as `value`, with `basis` and `source` if
    they differ from the declaration.

    section: Project section.
    id: Prefix of the result ids of its fields: ``"cooling.thermal"``.
    trace: Records the inputs and, in its ledger, every default.
    join: Separator between prefix and field name.
    """

    def __init__(self, section: Section, id: str, trace: Trace, join: str = ".") -> None:
        self.section = section
        self.trace = trace
        self._root = f"{id}{join}"

    def __call__(
        self, name: str, value: float | None = None, basis: str = "", source: Source | None = None
    ) -> float:
        """Return a quantity in SI."""
        id, kind, given = f"{self._root}{name}", self._kind(name), self.si(name)
        if given is not None:
            return self.trace.given(id, given, kind, PROJECT)
        found, words, origin = self._default(name, value, basis, source)
        return self.trace.assume(id, float(found), kind, words, origin)

    def at_altitude(self, name: str, equipment: str, elevation_m: float) -> float:
        """Return a maximum loading, with a default relative to the altitude-derated rating."""
        left, up_to_m, source = rating_at(equipment, elevation_m)
        if left == 1.0:
            return self(name)
        usual, basis, _ = self._default(name)
        words = (
            f"{equipment} derated to {left:.1%} at {elevation_m:,.0f} m (no derating up to"
            f" {up_to_m:,.0f} m); of the derated rating, {basis}"
        )
        return self(name, left * float(usual), words, source)

    def numbers(self) -> dict[str, float]:
        """Return every quantity and count with a numeric default, in SI by name."""
        fields = type(self.section).model_fields
        defaults = {name: entry(type(self.section), name).declared.default for name in fields}
        return {n: self(n) for n, d in defaults.items() if d and isinstance(d.value, float | int)}

    def factors(self) -> dict[str, float]:
        """Return every `factor` of the section by name."""
        fields = type(self.section).model_fields
        return {n: self(n) for n in fields if entry(type(self.section), n).declared.factor}

    def count(
        self, name: str, value: int | None = None, basis: str = "", source: Source | None = None
    ) -> int:
        """Return a count."""
        return int(self(name, value, basis, source))

    def word(
        self,
        name: str,
        given: _Word | None,
        value: str | None = None,
        basis: str = "",
        source: Source | None = None,
    ) -> _Word:
        """Return a name or an option; `given` is the field itself, for its type."""
        if given is not None:
            return given
        return cast(_Word, self._words(name, *self._default(name, value, basis, source)))

    def flag(self, name: str) -> bool:
        """Return a true-or-false field."""
        given: bool | None = getattr(self.section, name)
        if given is not None:
            return given
        return self._words(name, *self._default(name)) in ("true", "yes")

    def given(self, name: str, noted: bool = True) -> float | None:
        """Return the specified value; None for an omitted field.

        The text of its default, if any, is `noted` in the ledger.
        """
        given, default = self.si(name), entry(type(self.section), name).declared.default
        if given is not None:
            return self.trace.given(f"{self._root}{name}", given, self._kind(name), PROJECT)
        if noted and default is not None and isinstance(default.value, str):
            self._words(name, default.value, default.basis, default.source)
        return None

    def si(self, name: str) -> float | None:
        """Return the specified value without recording; None for an omitted field."""
        given: Measured | int | None = getattr(self.section, name)
        return given.si if isinstance(given, Measured) else given

    def _kind(self, name: str) -> str:
        return entry(type(self.section), name).kind

    def _words(self, name: str, text: float | str, basis: str, source: Source) -> str:
        return self.trace.ledger.add_text(f"{self._root}{name}", str(text), basis, source)

    def _default(
        self,
        name: str,
        value: float | str | None = None,
        basis: str = "",
        source: Source | None = None,
    ) -> tuple[float | str, str, Source]:
        declared_default = entry(type(self.section), name).declared.default or Default(None, "")
        found = declared_default.value if value is None else value
        if found is None or not (basis or declared_default.basis):
            raise TypeError(f"{self._root}{name} has no default, and none is passed")
        return found, basis or declared_default.basis, source or declared_default.source
