"""The projects of the record: variants that between them reach most of the calculating code.

Those of the folder that begin with ``stated`` state as many fields as go together; the others and
`VARIANTS` leave most to the program.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tests.golden.answers import answers, compared
from tests.results.variants import VARIANTS

_FOLDER = Path(__file__).parent / "projects"
PROJECTS = {
    **VARIANTS,
    **{path.stem: path.read_text(encoding="utf-8") for path in sorted(_FOLDER.glob("*.yaml"))},
}
COMPARED = "stated-racks-2n-rear-doors"
"""The project whose ways to cool are compared too."""


@cache
def asked(name: str) -> dict[str, str]:
    """Return what a project answers now."""
    found = answers(PROJECTS[name])
    return found | compared(PROJECTS[name]) if name == COMPARED else found
