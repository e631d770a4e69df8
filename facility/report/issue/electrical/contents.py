"""Electrical contents of a set, in the order of their sheets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from facility.core.views import System
from facility.report.issue.content import SheetContent
from facility.report.issue.electrical.boards import board_schedules
from facility.report.issue.electrical.cables import cable_schedule
from facility.report.issue.electrical.duty import duty_table
from facility.report.issue.electrical.equipment import equipment_schedule
from facility.report.issue.electrical.facts import ElectricalFacts
from facility.report.issue.electrical.labels import label_sheets
from facility.report.issue.electrical.panels.form import PanelForm
from facility.report.issue.electrical.panels.mirrored import us_schedule
from facility.report.issue.electrical.panels.ways import ways_schedule
from facility.report.issue.electrical.service import service_calculation
from facility.report.issue.electrical.utility import studies_by_others, utility_letter
from facility.study.design.design import Design


def electrical_contents(design: Design, system: System) -> Iterator[SheetContent]:
    """Yield the schedules, load calculations, labels and study data of a design."""
    facts = ElectricalFacts(design, system)
    duties = duty_table(facts)
    yield equipment_schedule(facts)
    yield cable_schedule(facts)
    yield replace(duties, blocks=(*duties.blocks, *studies_by_others(facts)))
    yield service_calculation(facts)
    yield utility_letter(facts)
    yield label_sheets(facts)
    yield from board_schedules(facts)
    yield from panel_contents(facts)


def panel_contents(facts: ElectricalFacts) -> Iterator[SheetContent]:
    """Yield the schedule of every panel."""
    panels = facts.design.panels
    for panel, lost in zip(panels.panels, panels.lost, strict=True):
        form = PanelForm(facts, facts.scheduled(panel, lost))
        yield ways_schedule(form) if panel.numbering == "IEC" else us_schedule(form)
