"""Project files and workbooks that are refused: processor time, nothing asserted.

Run with ``python -m benchmarks.rejections`` from the project folder. The workbooks are those of
``tests/files/import_panel/test_import_panel_hostile.py``.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from facility.core.errors import FacilityError
from facility.files.import_panel.read import import_panel
from facility.files.project.file import parse_project
from facility.files.workbook.verify import verify_workbook
from tests.files.import_panel.test_import_panel_hostile import CASES

HEAD = "schema_version: 1\n"
ENTRIES = 90_000
PROJECTS = {
    "90,000 confirmed ids": f"confirmed: [{', '.join(f'a{n}' for n in range(ENTRIES))}]",
    "90,000 confirmed mappings": f"confirmed: [{', '.join(['{}'] * ENTRIES)}]",
    "90,000 hours that are no number": (
        f"it: {{load_profile: {{hours: [{', '.join(f'w{n}' for n in range(ENTRIES))}]}}}}"
    ),
    "49,000 unknown fields": f"it: {{{', '.join(f'k{n}: 1' for n in range(49_000))}}}",
    "a million nines": f"it: {{gpus: {'9' * 1_000_000}}}",
}


def rows() -> Iterator[str]:
    """Yield a line for each file: what it is answered, and the processor time of that."""
    for name, text in PROJECTS.items():
        yield _line(f"project, {name}", lambda text=text: parse_project(HEAD + text))
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, (make, _, _)) in enumerate(CASES.items()):
            path = Path(folder) / f"{number}.xlsx"
            make(path)
            yield _line(f"import, {name}", lambda path=path: import_panel(path))
            yield _line(f"verify, {name}", lambda path=path: verify_workbook(path))


def _line(name: str, read: Callable[[], object]) -> str:
    start, answer = time.process_time(), "read"
    try:
        read()
    except FacilityError as error:
        answer = error.code
    return f"{time.process_time() - start:6.3f} s  {name}: {answer}"


def main() -> None:
    """Print what every file is answered, the slowest first."""
    for line in sorted(rows(), reverse=True):
        print(line)


if __name__ == "__main__":
    main()
