"""What the title block of a sheet of the one-line diagram says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from facility.core.version import __version__
from facility.report.documents import status_line
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

    Revision and date are the last of the project's revision record.
    """
    identity, criteria = design.facility.identity, design.facility.criteria
    mark, date = identity.revisions[-1][:2] if identity.revisions else ("-", "not issued")
    by = identity.originator or "-"
    title = identity.title or identity.name
    sheet = f"sheet {number} of {of}"
    return TitleBlock(
        sheet,
        (
            (
                ("Project", f"{identity.name} · {title}", 0.68),
                ("Number", identity.number or "-", 0.32),
            ),
            (("Drawing", "One-line diagram", 0.3), ("State", state, 0.7)),
            (
                ("Rev", mark, 0.08),
                ("Date", date, 0.17),
                ("By", by, 0.2),
                ("Checked", identity.checker or "-", 0.2),
                ("Status", status_line(design), 0.35),
            ),
            (
                (
                    "Tool",
                    f"facility {__version__}, {criteria.code} {criteria.edition}",
                    0.3,
                ),
                ("Project SHA-256", design.sha256[:12], 0.2),
                ("Reference data", design.reference_sha256[:12], 0.2),
                ("Size", "A3", 0.1),
                ("Sheet", f"{number} of {of}", 0.2),
            ),
        ),
    )
