"""Own equipment of a project in use: the catalogue with its tables, for studies of the project."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, wraps
from typing import ParamSpec, TypeVar

from facility.catalogue.loader import Catalogue, using
from facility.catalogue.own import OwnCatalogue, with_own_rows
from facility.model.inputs.document import Project

_P = ParamSpec("_P")
_T = TypeVar("_T")


def project_catalogue(project: Project) -> Catalogue:
    """Return the shipped catalogue with the own equipment of `project`.

    Raises ``CATALOGUE_*`` with table, row and column for rows that differ from the schema.
    """
    return with_own_rows(tuple((own.table, tuple(own.rows)) for own in project.equipment or ()))


def equipped(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """Return a function of a project, or of a design first, that uses its own equipment."""

    @wraps(function)
    def called(*args: _P.args, **named: _P.kwargs) -> _T:
        first = next(iter((*args, *named.values())), None)
        project = first if isinstance(first, Project) else getattr(first, "project", None)
        if not isinstance(project, Project):
            return function(*args, **named)
        with using(project_catalogue(project)):
            return function(*args, **named)

    return called


class equipped_property(cached_property[_T]):
    """Cached property of a design that is computed with its own equipment."""

    def __get__(self, instance: object, owner: type | None = None) -> _T:  # type: ignore[override]
        project = getattr(instance, "project", None)
        if not isinstance(project, Project):
            return super().__get__(instance, owner)
        with using(project_catalogue(project)):
            return super().__get__(instance, owner)


def equipment_note(project: Project) -> list[str]:
    """Return a note on the own equipment of `project`; empty without any."""
    listed = own_rows_text(project_catalogue(project))
    return [f"own equipment: {listed}"] if listed else []


def own_rows_text(found: Catalogue) -> str:
    """Return the number of own rows by table, as text; empty without any."""
    listed = []
    for own in found.own if isinstance(found, OwnCatalogue) else ():
        added = f"{own.added} added" if own.added else ""
        replaced = f"{own.replaced} replaced" if own.replaced else ""
        listed.append(f"{own.table} ({', '.join(part for part in (added, replaced) if part)})")
    return ", ".join(listed)
