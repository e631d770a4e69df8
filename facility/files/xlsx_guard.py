"""What is looked at before a user's workbook is opened: its size, and what it carries."""

from __future__ import annotations

import zipfile
from pathlib import Path

from facility.core.errors import FacilityError

MAX_FILE_BYTES = 32 * 2**20
MAX_EXPANDED_BYTES = 256 * 2**20
MAX_PART_BYTES = 64 * 2**20
MAX_PARTS = 2_000
MAX_RATIO = 200
_REFUSED_PARTS = {
    "xl/vbaProject.bin": "macros",
    "xl/externalLinks/": "links to other files",
    "xl/embeddings/": "embedded objects",
}


def check_workbook_file(path: Path) -> None:
    """Refuse a file that is not a plain, reasonably sized .xlsx workbook.

    The sizes of the zip directory are upper bounds of what is unpacked later.

    Raises
    ------
    FacilityError
        ``FILE_MISSING``, ``FILE_TOO_LARGE``, ``NOT_A_WORKBOOK`` or ``WORKBOOK_REFUSED``, all with
        exit code 6.
    """
    if not path.is_file():
        raise _refused("FILE_MISSING", path, "there is no such file.")
    if path.stat().st_size > MAX_FILE_BYTES:
        raise _refused("FILE_TOO_LARGE", path, f"over {MAX_FILE_BYTES // 2**20} MB.")
    try:
        with zipfile.ZipFile(path) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, OSError) as error:
        raise _refused("NOT_A_WORKBOOK", path, f"not an .xlsx workbook ({error}).") from None
    _check_parts(path, parts)


def _check_parts(path: Path, parts: list[zipfile.ZipInfo]) -> None:
    names = {part.filename for part in parts}
    if "[Content_Types].xml" not in names or "xl/workbook.xml" not in names:
        raise _refused("NOT_A_WORKBOOK", path, "a zip file, but not an .xlsx workbook.")
    for prefix, what in _REFUSED_PARTS.items():
        if any(name.startswith(prefix) for name in names):
            raise _refused("WORKBOOK_REFUSED", path, f"the workbook carries {what}.")
    expanded = sum(part.file_size for part in parts)
    packed = max(sum(part.compress_size for part in parts), 1)
    if (
        len(parts) > MAX_PARTS
        or expanded > MAX_EXPANDED_BYTES
        or max(part.file_size for part in parts) > MAX_PART_BYTES
        or expanded / packed > MAX_RATIO
    ):
        raise _refused("FILE_TOO_LARGE", path, "the workbook unpacks to more than is read.")


def _refused(code: str, path: Path, message: str) -> FacilityError:
    return FacilityError(
        code, str(path), message, "Give a workbook that facility wrote.", exit_code=6
    )
