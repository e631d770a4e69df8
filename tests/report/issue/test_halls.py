"""Hall plan and rack elevations of the issued set: every rack, every device, nothing overlaps."""

from __future__ import annotations

from itertools import combinations

import pytest

from facility.files.project.file import parse_project
from facility.report.drawings.scene import Scene, Text
from facility.report.issue.content import DrawingBlock, Paragraph, SheetContent, TableBlock
from facility.report.issue.halls import hall_contents
from facility.study.design.design import design

PROJECT = """
schema_version: 1
it: {gpu_model: H100 SXM5, gpus: 64, server: DGX H100, servers_per_rack: 4}
cooling: {method: air}
"""


RACKS = ", ".join(
    f"{{name: Type {n}, count: 1, devices: [{{model: DGX H100, count: 1}}], feeds: {feeds}}}"
    for n, feeds in enumerate(("[A, B]", "[A, B]", "[A]", "[A, B]"))
)
TYPES = f"""
schema_version: 1
it: {{halls: [{{name: Room, racks: [{RACKS}]}}]}}
cooling: {{method: air}}
"""


@pytest.fixture(scope="module")
def contents() -> tuple[SheetContent, ...]:
    return hall_contents(design(parse_project(PROJECT)), "si")


@pytest.fixture(scope="module", params=[PROJECT, TYPES])
def every(request: pytest.FixtureRequest) -> tuple[SheetContent, ...]:
    return hall_contents(design(parse_project(request.param)), "si")


def scenes(content: SheetContent) -> list[Scene]:
    return [block.scene for block in content.blocks if isinstance(block, DrawingBlock)]


def texts(scene: Scene) -> list[Text]:
    return [shape for shape in scene.shapes if isinstance(shape, Text)]


def test_each_rack_has_its_position_on_the_plan(contents: tuple[SheetContent, ...]) -> None:
    found = design(parse_project(PROJECT))
    count = sum(rack.count for rack in found.facility.it.racks)
    keys = [one.key for one in texts(scenes(contents[0])[0]) if one.key.endswith(":position")]
    assert len(keys) == len(set(keys)) == count
    (listed,) = (one.table for one in contents[0].blocks if isinstance(one, TableBlock))
    assert listed.rows[0][3] == "Compute 01, Compute 02"
    assert isinstance(contents[0].blocks[0], Paragraph)
    assert contents[0].blocks[0].text == "Hall 1"


def test_each_server_of_a_rack_is_on_its_elevation(contents: tuple[SheetContent, ...]) -> None:
    """64 GPUs are 8 servers of 8, in 2 racks of 4: one elevation shows 4."""
    drawn = [one.text for scene in scenes(contents[1]) for one in texts(scene)]
    assert sum(text.startswith("DGX H100,") for text in drawn) == 4
    assert any("2 racks" in text for text in drawn)


def test_four_rack_types_are_on_one_row() -> None:
    (row,) = scenes(hall_contents(design(parse_project(TYPES)), "si")[1])
    titles = [one.text for one in texts(row) if one.text.startswith("Type") and one.bold]
    assert len(titles) == 4


def test_no_text_is_on_another(every: tuple[SheetContent, ...]) -> None:
    for scene in (scene for content in every for scene in scenes(content)):
        for one, other in combinations(texts(scene), 2):
            a, b = one.box_mm, other.box_mm
            apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
            assert apart, (one.text, other.text)
