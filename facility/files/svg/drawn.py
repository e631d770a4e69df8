"""Drawings of a design as the library returns them: SVG that a notebook displays."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from facility.core.errors import FacilityError, near_matches
from facility.core.views import System
from facility.files.io.atomic import write_bytes
from facility.files.io.file_names import refuse_suffix
from facility.files.svg.loops import loop_svg
from facility.files.svg.sheets import drawing_svg
from facility.report.drawings.loops.diagram import loop_drawing
from facility.report.drawings.one_line.diagram import lay_out
from facility.report.drawings.one_line.facts import facts_of
from facility.report.drawings.one_line.state import find_case, state_drawings
from facility.study.cooling_hour import cooling_hour
from facility.study.design.design import Design
from facility.study.equipped import equipped

Drawn = Literal["one-line", "loops"]


@dataclass(frozen=True)
class SvgDrawing:
    """A drawing as SVG.

    Attributes
    ----------
    title : str
        What is drawn.
    svg : str
        The SVG document; every text of the project in it is escaped.
    """

    title: str
    svg: str = field(repr=False)

    def _repr_html_(self) -> str:
        """Return the SVG, for notebooks."""
        return self.svg

    def save(self, out: Path | str, *, force: bool = False) -> Path:
        """Write the SVG to `out` and return the path.

        Raises
        ------
        FacilityError
            ``FILE_SUFFIX`` for a name that does not end in .svg; ``FILE_EXISTS`` or
            ``FILE_NOT_WRITTEN`` (exit code 6).
        """
        refuse_suffix(Path(out), ".svg")
        return write_bytes(Path(out), self.svg.encode(), force=force)


@equipped
def draw(
    design: Design, what: Drawn = "one-line", *, state: str = "normal", system: System = "si"
) -> SvgDrawing:
    """Return a drawing of `design`: the one-line diagram or the cooling loops.

    Parameters
    ----------
    design : Design
        The design.
    what : {"one-line", "loops"}
        The one-line diagram in one piece, or the loop diagram at the design hour.
    state : str
        State of the power network in the one-line diagram, e.g. ``"loss of UPS-A1"``.
    system : {"si", "ip"}
        Units displayed.

    Raises
    ------
    FacilityError
        ``OPTIONS`` for another drawing; ``UNKNOWN_STATE`` with near matches.
    """
    if what == "loops":
        hour = cooling_hour(design, design.facility.site.design, 1.0)
        loops = loop_drawing(design, hour, system)
        return SvgDrawing(loops.title, loop_svg(loops))
    if what == "one-line":
        solver = design.states
        case = find_case(solver.network, state)
        diagram = lay_out(solver.network, facts_of(design), system=system)
        name = design.facility.identity.name
        (drawing, *_) = state_drawings(diagram, solver, case, "settled", name)
        return SvgDrawing(drawing.title, drawing_svg(drawing))
    raise FacilityError(
        "OPTIONS",
        "what",
        f"{str(what)[:40]!r} is not a drawing.",
        near_matches(str(what), ("one-line", "loops")) or "Choose one-line or loops.",
    )
