"""Equal projects are designed once in a process, but where a second design is the point.

The modules of tests share designs; what the product calls itself, as a sweep or the verification
of a workbook, it designs. A test marked ``anew``, or one that changes the product while it runs,
has designs of its own; so has a project that rests on a file, and one that hypothesis draws.
"""

from __future__ import annotations

import json
import sys
from collections import OrderedDict

from hypothesis import currently_in_test_context

from facility.model.inputs.document import Project, as_typed, project_sha256
from facility.study.design import design as home

MOST = 24
"""Designs that are kept; a large one takes some tens of megabytes."""
kept: OrderedDict[str, home.Design] = OrderedDict()
_design = home.design
_anew = False


def of_a_test(*, anew: bool) -> None:
    """Begin a test, whose designs are its own or shared with other tests."""
    global _anew
    _anew = anew


def once(project: Project) -> home.Design:
    """Return the design of `project`, made once."""
    rests_on_a_file = 'file": "' in json.dumps(as_typed(project))
    if _anew or rests_on_a_file or currently_in_test_context():
        return _design(project)
    key = project_sha256(project)
    if key not in kept:
        kept[key] = _design(project)
        if len(kept) > MOST:
            kept.popitem(last=False)
    kept.move_to_end(key)
    return kept[key]


def share() -> None:
    """Let the modules of tests that are loaded make equal designs once."""
    for name, module in list(sys.modules.items()):
        if name.startswith("tests.") and vars(module).get("design") is _design:
            vars(module)["design"] = once
