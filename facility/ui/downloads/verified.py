"""Verification of a workbook, run by a worker."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from facility.core.errors import FacilityError
from facility.files.workbook.verify import VerifyReport, verify_workbook
from facility.ui.session.designs import designed


def verified(content: bytes) -> VerifyReport | FacilityError:
    """Return the comparison of a workbook with its redesigned project, or its error."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "workbook.xlsx"
        path.write_bytes(content)
        try:
            return verify_workbook(path, designed)
        except FacilityError as error:
            return error
