"""The changes of a project that touched the inputs of an object."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from facility.model.inputs.change import normal_path
from facility.model.inputs.document import Project, as_typed
from facility.model.inputs.entries import text_of
from facility.report.tables.names import input_name


@dataclass(frozen=True)
class InputChange:
    """A change of one input: both values as text, empty where it was not specified."""

    path: str
    before: str
    after: str

    @property
    def words(self) -> str:
        """The change in words: name of the input, value before and after."""
        unset = "not specified"
        return f"{input_name(self.path)}: {self.before or unset} → {self.after or unset}"


def changes_between(
    before: Project, after: Project, paths: Iterable[str]
) -> tuple[InputChange, ...]:
    """Return the changes of the inputs at `paths` between two versions of a project."""
    if before is after:
        return ()
    old, new = _values(as_typed(before)), _values(as_typed(after))
    return tuple(
        InputChange(path, old.get(path, ""), new.get(path, ""))
        for path in dict.fromkeys(map(normal_path, paths))
        if old.get(path, "") != new.get(path, "")
    )


def _values(document: object) -> Mapping[str, str]:
    return dict(_leaves(document, ""))


def _leaves(value: object, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _leaves(inner, f"{path}.{name}".strip("."))
    elif isinstance(value, list) and value and isinstance(value[0], Mapping):
        for index, inner in enumerate(value):
            yield from _leaves(inner, f"{path}.{index}")
    elif value is not None:
        yield path, text_of(value)
