"""Verbs that are asked of equal projects share one design, but where a second one is the point."""

from __future__ import annotations

from collections import OrderedDict

import pytest

# Modules that take `design` by name are loaded before it is replaced, and keep the real one.
import facility.api
import facility.files.panel_apply  # noqa: F401
from facility.model.inputs.document import Project, project_sha256
from facility.study.design import design as home

_MOST = 12
"""Designs that are kept; a large one takes some tens of megabytes."""
_design = home.design
_kept: OrderedDict[str, home.Design] = OrderedDict()


def _once(project: Project) -> home.Design:
    """Return the design of `project`, made once; anew where it rests on a file beside it."""
    if project.site.weather_file is not None:
        return _design(project)
    key = project_sha256(project)
    if key not in _kept:
        _kept[key] = _design(project)
        if len(_kept) > _MOST:
            _kept.popitem(last=False)
    _kept.move_to_end(key)
    return _kept[key]


@pytest.fixture(autouse=True)
def _equal_projects_are_designed_once(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Let the verbs share designs, but in tests marked ``anew``."""
    if "anew" not in request.keywords:
        monkeypatch.setattr(home, "design", _once)
