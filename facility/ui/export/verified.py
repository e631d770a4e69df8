"""A workbook that is worked out again, without a page."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from facility.core.errors import FacilityError
from facility.files.workbook.verify import VerifyReport, verify_workbook
from facility.ui.session.designs import designed


def verified(content: bytes) -> VerifyReport | FacilityError:
    """Return how a workbook compares with its project designed anew, or why it is refused."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "workbook.xlsx"
        path.write_bytes(content)
        try:
            return verify_workbook(path, designed)
        except FacilityError as error:
            return error
