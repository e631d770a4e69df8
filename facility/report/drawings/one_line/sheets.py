"""Splits a one-line diagram into sheets with title blocks: the plant first, then its outputs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from facility.core import __version__
from facility.power.network.graph.types import EquipmentKind
from facility.report.documents import status_line
from facility.report.drawings.one_line.parts import Point
from facility.report.drawings.one_line.place import Block, PlacedBlock, Trunk, place_block
from facility.report.drawings.one_line.words import DiagramScene
from facility.report.drawings.text import wrapped
from facility.study.design.design import Design

_NOTE_LINES = 2


@dataclass(frozen=True)
class TitleBlock:
    """Number of the sheet, and rows of cells: caption, text, share of the width."""

    sheet: str
    rows: tuple[tuple[tuple[str, str, float], ...], ...]

    @staticmethod
    def note_lines(notes: Sequence[str], width_mm: float) -> Iterator[str]:
        """Yield notes as lines of a width."""
        for note in notes:
            yield from wrapped(note, width_mm, _NOTE_LINES)


def title_block(design: Design, state: str, number: int, of: int) -> TitleBlock:
    """Return the title block of sheet `number` of `of`, of the diagram in one state.

    Revision and date are the latest of the project's revision record.
    """
    identity, criteria = design.facility.identity, design.facility.criteria
    mark, date = identity.revisions[-1][:2] if identity.revisions else ("-", "not issued")
    by = identity.originator or "-"
    names = dict.fromkeys((identity.name, identity.title or identity.name))
    sheet = f"sheet {number} of {of}"
    return TitleBlock(
        sheet,
        (
            (("Project", " · ".join(names), 0.68), ("Number", identity.number or "-", 0.32)),
            (("Drawing", "One-line diagram", 0.3), ("State", state, 0.7)),
            (
                ("Rev", mark, 0.08),
                ("Date", date, 0.17),
                ("By", by, 0.2),
                ("Checked", identity.checker or "-", 0.2),
                ("Status", status_line(design), 0.35),
            ),
            (
                ("Tool", f"facility {__version__}, {criteria.code_edition}", 0.3),
                ("Project SHA-256", design.sha256[:12], 0.2),
                ("Reference data", design.reference_sha256[:12], 0.2),
                ("Size", "A3", 0.1),
                ("Sheet", f"{number} of {of}", 0.2),
            ),
        ),
    )


SHEET_MM: Point = (397.0, 237.0)
"""Space for the diagram on an A3 landscape sheet, within border and title block."""
MAX_LEAVES = 40
"""Maximum PDUs, or panelboards without PDUs, of a diagram on one sheet."""

_GAP_MM = 7.0
_MAX_SPREAD_MM, _MAX_DROP_MM = 24.0, 5.0
_CUTS: tuple[tuple[EquipmentKind, ...], ...] = (
    (),
    ("ups-output",),
    ("mv-switchgear",),
    ("ups-output", "mv-switchgear"),
)
_CUTS_OF_MANY = _CUTS[1], _CUTS[3]


@dataclass(frozen=True)
class Spot:
    """Block on a sheet, by its upper left corner."""

    placed: PlacedBlock
    block: Block
    x_mm: float
    y_mm: float


@dataclass(frozen=True)
class SheetPlan:
    """Sheets of a diagram, and the sheet number of each group."""

    sheets: tuple[tuple[Spot, ...], ...]
    sheet_of: dict[int, int]
    size_mm: Point = SHEET_MM  # Space for the diagram on a sheet


def plan_overview(scene: DiagramScene) -> SheetPlan:
    """Return the whole diagram on one sheet as large as required."""
    tree = scene.tree
    block = Block(tuple(Trunk(n, tree.children[n]) for n in tree.roots), frozenset())
    return _numbered([(Spot(place_block(scene, block), block, 0.0, 0.0),)])


def plan_sheets(scene: DiagramScene, size_mm: Point = SHEET_MM) -> SheetPlan:
    """Return the sheets of a diagram, each with a space of `size_mm`; default: A3."""
    return replace(_Planner(scene, size_mm).plan(), size_mm=size_mm)


class _Planner:
    def __init__(self, scene: DiagramScene, size_mm: Point) -> None:
        self.scene, self.tree, self.size_mm = scene, scene.tree, size_mm
        self.cut: set[int] = set()

    def plan(self) -> SheetPlan:
        """Return the sheets of the first split that fits."""
        ways = _CUTS if self.tree.leaves <= MAX_LEAVES else _CUTS_OF_MANY
        for kinds in ways:
            self.cut = {
                n
                for n, group in enumerate(self.tree.groups)
                if group.kind in kinds and self.tree.children[n]
            }
            if self._fits(self._top()) and (kinds == ways[-1] or self._single_fit()):
                return self._laid_out([self._top()])
        return self._laid_out(list(self._tops()))

    def _trunk(self, n: int) -> Trunk:
        return Trunk(n, () if n in self.cut else self.tree.children[n])

    def _top(self) -> Block:
        return self._block(*(self._trunk(n) for n in self.tree.roots))

    def _block(self, *trunks: Trunk) -> Block:
        return Block(trunks, frozenset(self.cut))

    def _fits(self, block: Block) -> bool:
        placed = place_block(self.scene, block)
        return placed.width_mm <= self.size_mm[0] and placed.height_mm <= self.size_mm[1]

    def _single_fit(self) -> bool:
        """Return whether each child of the split groups fits on a sheet."""
        return all(
            self._fits(self._block(Trunk(n, (child,), reference=True)))
            for n in self.cut
            for child in self.tree.children[n]
        )

    def _tops(self) -> Iterator[Block]:
        """Yield the first sheets if the roots with all their loads do not fit."""
        many = max(self.tree.roots, key=lambda n: len(self.tree.children[n]))
        rest = [self._trunk(n) for n in self.tree.roots if n != many]
        chunks = list(self._chunks(many, *rest))
        yield self._block(*rest, Trunk(many, chunks[0]))
        for children in chunks[1:]:
            yield self._block(Trunk(many, children, reference=True))

    def _chunks(self, n: int, *rest: Trunk) -> Iterator[tuple[int, ...]]:
        """Yield the children of a group in evenly sized parts that fit on a sheet."""
        children = self.tree.children[n]
        for child in children:
            if not self._fits(self._block(*rest, Trunk(n, (child,), reference=not rest))):
                self.cut.add(child)
        parts: list[tuple[int, ...]] = [()]
        for child in children:
            longer = (*parts[-1], child)
            if parts[-1] and not self._fits(
                self._block(*rest, Trunk(n, longer, reference=not rest))
            ):
                parts.append((child,))
            else:
                parts[-1] = longer
        even = self._even(children, len(parts))
        fit = all(self._fits(self._block(*rest, Trunk(n, part, not rest))) for part in even)
        yield from even if fit else parts

    @staticmethod
    def _even(children: tuple[int, ...], count: int) -> list[tuple[int, ...]]:
        size, odd = divmod(len(children), count)
        ends = [k * size + min(k, odd) for k in range(count + 1)]
        return [children[a:b] for a, b in pairwise(ends)]

    def _laid_out(self, tops: list[Block]) -> SheetPlan:
        """Return the sheets: the first blocks, then the split groups, level by level."""
        pages = [self._page(block) for block in tops]
        done: set[int] = set()
        while left := sorted(self.cut - done, key=lambda n: (self.tree.levels[n], n)):
            level = self.tree.levels[left[0]]
            groups: dict[int, list[Block]] = {}
            for n in left:
                if self.tree.levels[n] == level:
                    done.add(n)
                    blocks = [
                        self._block(Trunk(n, part, reference=True)) for part in self._chunks(n)
                    ]
                    groups.setdefault(self.tree.above(n), []).extend(blocks)
            pages += self._packed(groups.values())
        return _numbered([_centred(self._spread(page), self.size_mm) for page in pages])

    def _spread(self, page: tuple[Spot, ...]) -> tuple[Spot, ...]:
        """Return a page with its lineups spread over the width, and over the height if single."""
        if any(spot.x_mm > 0.0 for spot in page):
            return page
        found = []
        for spot in page:
            placed = spot.placed
            wide = (self.size_mm[0] - placed.width_mm) / max(placed.gaps, 1)
            high = (self.size_mm[1] - placed.height_mm) / max(placed.rows - 1, 1)
            block = replace(
                spot.block,
                spread_mm=min(wide, _MAX_SPREAD_MM),
                drop_mm=min(high, _MAX_DROP_MM) if len(page) == 1 else 0.0,
            )
            found.append(Spot(place_block(self.scene, block), block, spot.x_mm, spot.y_mm))
        return tuple(found)

    def _page(self, block: Block) -> tuple[Spot, ...]:
        return (Spot(place_block(self.scene, block), block, 0.0, 0.0),)

    def _packed(self, groups: Iterable[list[Block]]) -> list[tuple[Spot, ...]]:
        """Return blocks on shelves of sheets; blocks of one group stay together where possible."""
        pages = [_Page(self.size_mm)]
        for blocks in groups:
            found = [(place_block(self.scene, block), block) for block in blocks]
            trial = pages[-1].copy()
            if pages[-1].spots and not all(trial.put(*one) for one in found):
                pages.append(_Page(self.size_mm))
            for placed, block in found:
                if not pages[-1].put(placed, block):
                    pages.append(_Page(self.size_mm))
                    pages[-1].put(placed, block)
        return [tuple(page.spots) for page in pages]


@dataclass
class _Page:
    """Blocks side by side on shelves."""

    size_mm: Point
    spots: list[Spot]
    x_mm: float
    y_mm: float
    shelf_mm: float

    def __init__(self, size_mm: Point) -> None:
        self.size_mm = size_mm
        self.spots, self.x_mm, self.y_mm, self.shelf_mm = [], 0.0, 0.0, 0.0

    def copy(self) -> _Page:
        """Return a copy for a trial."""
        other = _Page(self.size_mm)
        other.spots = list(self.spots)
        other.x_mm, other.y_mm, other.shelf_mm = self.x_mm, self.y_mm, self.shelf_mm
        return other

    def put(self, placed: PlacedBlock, block: Block) -> bool:
        """Add a block where it fits."""
        x, y, shelf = self.x_mm, self.y_mm, self.shelf_mm
        if x > 0.0 and x + placed.width_mm > self.size_mm[0]:
            x, y, shelf = 0.0, y + shelf + _GAP_MM, 0.0
        if self.spots and y + placed.height_mm > self.size_mm[1]:
            return False
        self.spots.append(Spot(placed, block, x, y))
        self.x_mm, self.y_mm = x + placed.width_mm + _GAP_MM, y
        self.shelf_mm = max(shelf, placed.height_mm)
        return True


def _centred(page: tuple[Spot, ...], size_mm: Point) -> tuple[Spot, ...]:
    """Return a page with its blocks centred, slightly above mid-height."""
    width = max(spot.x_mm + spot.placed.width_mm for spot in page)
    height = max(spot.y_mm + spot.placed.height_mm for spot in page)
    x, y = (size_mm[0] - width) / 2.0, (size_mm[1] - height) / 3.0
    return tuple(replace(spot, x_mm=spot.x_mm + x, y_mm=spot.y_mm + y) for spot in page)


def _numbered(pages: list[tuple[Spot, ...]]) -> SheetPlan:
    sheet_of = {
        n: number
        for number, spots in enumerate(pages, 1)
        for spot in spots
        for n in spot.placed.y_mm
        if n not in spot.placed.references
    }
    return SheetPlan(tuple(pages), sheet_of)
