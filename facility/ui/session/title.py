"""The title of a project: entered by the user, or generated from the inputs.

An entered title never changes. A generated title, or the title of an example, is regenerated when
an input that it contains changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

from facility.files.project.file import example_names, example_text, parse_project
from facility.model.inputs.document import DocumentSection, Project

Origin = Literal["typed", "example", "generated", "none"]
_COOLED = {"air": "air-cooled", "hybrid": "liquid- and air-cooled", "liquid": "liquid-cooled"}


def generated_title(project: Project) -> str:
    """Return the title generated from GPUs, UPS redundancy and cooling method."""
    it = project.it
    if it.gpus and it.gpu_model:
        what = f"{it.gpus:,} {it.gpu_model}"
    elif it.servers and it.gpu_model:
        what = f"{it.servers:,} {it.gpu_model}"
    elif it.halls:
        what = f"{len(it.halls)} hall{'' if len(it.halls) == 1 else 's'} with a rack list"
    else:
        what = "Data hall"
    parts = (project.power.redundancy, _COOLED.get(project.cooling.method or ""))
    return ", ".join([what, *filter(None, parts)])


def origin(project: Project) -> Origin:
    """Return the origin of the title."""
    title = project.project.title
    if not title:
        return "none"
    if title == generated_title(project):
        return "generated"
    return "example" if title in [one.title for one in _examples()] else "typed"


def own_identity(after: Project, before: Project) -> Project:
    """Return `after`, a change of an example, without the identity of the example.

    Name, number, originator and revisions of the example remain only where no input of the design
    has changed; ``project.started_from`` names it. A change of the title block keeps them: the
    user has seen them, and has replaced what does not apply.
    """
    name = _examples().get(before.project)
    if name is None or after.model_copy(update={"project": before.project}) == before:
        return after
    own = {
        field: value
        for field, value in after.project
        if value is not None and value != getattr(before.project, field)
    }
    title = after.project.title
    parts = DocumentSection(**own | {"title": title, "started_from": name})
    return after.model_copy(update={"project": parts})


def retitled(after: Project, before: Project) -> Project:
    """Return `after`, a change of `before`, with its generated title updated."""
    same = after.project.title == before.project.title
    if (
        not same
        or origin(before) in ("typed", "none")
        or generated_title(after) == generated_title(before)
    ):
        return after
    return with_generated_title(after)


def with_generated_title(project: Project) -> Project:
    """Return the project with its generated title."""
    return _with_title(project, generated_title(project))


def without_generated_titles(base: Project, *changes: Project) -> tuple[Project, ...]:
    """Return changes of `base` with the title of `base`, if none of them has an entered title."""
    if any(origin(change) in ("typed", "none") for change in changes):
        return changes
    return tuple(_with_title(change, base.project.title) for change in changes)


def _with_title(project: Project, title: str | None) -> Project:
    parts = project.project.model_copy(update={"title": title})
    return project.model_copy(update={"project": parts})


@cache
def _examples() -> Mapping[DocumentSection, str]:
    """Return the name of each example by its identity."""
    return {parse_project(example_text(name)).project: name for name in example_names()}
