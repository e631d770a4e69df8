"""Plans of the halls and elevations of the racks in the issued set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from facility.core.views import System
from facility.report.drawings.hall.elevation import Elevation, elevation
from facility.report.drawings.hall.plan import hall_plan
from facility.report.drawings.hall.scene import elevation_scene, plan_scene, side_by_side
from facility.report.drawings.hall.shades import shading
from facility.report.drawings.scene import Scene
from facility.report.issue.content import Block, DrawingBlock, Paragraph, SheetContent, TableBlock
from facility.report.issue.layout import figure_scale, is_legible
from facility.report.issue.paper import paper_of
from facility.report.sheet.grid import TextTable
from facility.report.tables.names import tag_list
from facility.study.design.design import Design
from facility.study.design.rack_positions import HallLayout, RackPosition, hall_layouts

PLAN_SERIES, ELEVATION_SERIES = 700, 800
SPACE_MM = 390.0, 165.0
"""Space for a plan below its title."""
MAX_TYPES = 24
_GAP_MM = 8.0


def hall_contents(design: Design, system: System) -> tuple[SheetContent, ...]:
    """Return the plan of each hall, and the elevation of each rack type."""
    layouts = [layout for layout in hall_layouts(design) if layout.racks]
    if not layouts:
        return ()
    plans = tuple(block for layout in layouts for block in _plan(design, layout, system))
    firsts: dict[str, list[RackPosition]] = {}
    for layout in layouts:
        for rack in layout.racks:
            firsts.setdefault(f"{rack.kind.hall} {rack.kind.name}", []).append(rack)
    found = [
        (elevation(racks[0], system=system), _title(racks))
        for racks in list(firsts.values())[:MAX_TYPES]
    ]
    _, _, *area_mm = paper_of(design.facility.criteria.code, large=True).area_mm
    blocks: list[Block] = [DrawingBlock(scene) for scene in _elevations(found, *area_mm)]
    if len(firsts) > MAX_TYPES:
        blocks.append(
            Paragraph(f"{len(firsts) - MAX_TYPES} more rack types are not drawn.", "note")
        )
    return (
        SheetContent("E", PLAN_SERIES, "Hall plan", plans, large=True),
        SheetContent("E", ELEVATION_SERIES, "Rack elevations", tuple(blocks), large=True),
    )


def _plan(design: Design, layout: HallLayout, system: System) -> Iterator[Block]:
    colours = shading("power", design, layout.racks, system)
    plan = hall_plan(layout, colours, layout.hall.name, system)
    name = layout.hall.name
    yield Paragraph(name if name.casefold().startswith("hall") else f"Hall {name}", "heading")
    yield DrawingBlock(plan_scene(plan, *SPACE_MM))
    yield TableBlock(rack_table(layout))
    for note in (plan.notes[0], plan.notes[-1], "Numbers: rows, and positions in the row."):
        yield Paragraph(note, "note")


def rack_table(layout: HallLayout) -> TextTable:
    """Return the names of the racks at the positions of each row."""
    rows: list[tuple[str, str, str, str]] = []
    for (row, kind), found in groupby(layout.racks, key=lambda rack: (rack.row, rack.kind.name)):
        racks = list(found)
        first, last = racks[0].position + 1, racks[-1].position + 1
        positions = f"{first}" if first == last else f"{first} to {last}"
        rows.append((str(row + 1), positions, kind, tag_list([rack.name for rack in racks])))
    return TextTable("Racks by position", ("Row", "Positions", "Type", "Racks"), rows)


def _elevations(
    found: Sequence[tuple[Elevation, str]], width_mm: float, height_mm: float
) -> list[Scene]:
    """Return rows of elevations: four in a row where legible with the words below, else two."""
    four = [elevation_scene(one, title, words_below=True) for one, title in found]
    rows = list(side_by_side(four, 4, _GAP_MM))
    if all(is_legible(row, figure_scale(row, width_mm, height_mm)) for row in rows):
        return rows
    return list(side_by_side([elevation_scene(*one) for one in found], 2, _GAP_MM))


def _title(racks: list[RackPosition]) -> str:
    """Return rack type, count, and first and last rack."""
    first, last = racks[0], racks[-1]
    if len(racks) == 1:
        return f"{first.kind.name}: rack {first.name}"
    return f"{first.kind.name}: {len(racks):,} racks, {first.name} to {last.name}"
