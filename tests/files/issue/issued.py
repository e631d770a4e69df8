"""One small issued set that the tests of its files share."""

from __future__ import annotations

from functools import cache

from facility.files.project.file import apply_sets, parse_project
from facility.report.drawings.scene import Text
from facility.report.issue.sheet import SheetSet
from facility.report.issue.sheets import sheet_set
from facility.study.design.design import Design, design

PROJECT = """
schema_version: 1
project:
  name: Four servers
  number: "2031"
  title: Server room of four servers
  company: Example Engineering PLLC
  originator: A. Moreno
  checker: B. Okafor
  approver: C. Lindqvist
  revisions: [{rev: A, date: 2026-11-30, by: A. Moreno, description: For permit}]
site: {station: ashburn}
criteria: {code: NEC}
it: {gpu_model: H100 SXM5, gpus: 32}
power: {redundancy: N+1}
cooling: {method: air}
"""


@cache
def designed(*sets: str) -> Design:
    """Return the design of the project, with changes."""
    return design(apply_sets(parse_project(PROJECT), list(sets)))


@cache
def issued(*sets: str) -> SheetSet:
    """Return its set."""
    return sheet_set(designed(*sets))


def texts(found: SheetSet) -> list[tuple[str, Text]]:
    """Return the texts of a set with the numbers of their sheets."""
    return [
        (sheet.number, shape)
        for sheet in found.sheets
        for shape in sheet.scene.shapes
        if isinstance(shape, Text)
    ]
