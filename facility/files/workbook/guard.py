"""Checks before a user's workbook is opened: size and content types.

Nothing is parsed here. The zip directory bounds the unpacked size, and every XML part is searched
once as plain bytes for content that facility never writes and that would stall a reader.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from pathlib import Path
from typing import IO

from facility.core.errors import FacilityError

MAX_FILE_BYTES = 32 * 2**20
MAX_EXPANDED_BYTES = 128 * 2**20
MAX_PART_BYTES = 48 * 2**20
MAX_PARTS = 2_000
MAX_RATIO = 200
_REFUSED_PARTS = {
    "xl/vbaproject.bin": "macros",
    "xl/macrosheets/": "macros",
    "xl/dialogsheets/": "macros",
    "xl/externallinks/": "links to other files",
    "xl/connections.xml": "external data connections",
    "xl/embeddings/": "embedded objects",
    "xl/activex/": "ActiveX controls",
}
_OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = 0x1
_CHUNK = 2**20
_OVERLAP = 64
_DECLARATION = re.compile(rb"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)


def check_workbook_file(path: Path) -> None:
    """Reject a file that is not a plain .xlsx workbook of acceptable size.

    The sizes in the zip directory are upper bounds of the unpacked sizes.

    Raises ``FILE_MISSING``, ``FILE_TOO_LARGE``, ``NOT_A_WORKBOOK`` or ``WORKBOOK_REFUSED``, all
    with exit code 6.
    """
    if not path.is_file():
        raise refused("FILE_MISSING", path, "there is no such file.")
    if path.stat().st_size > MAX_FILE_BYTES:
        raise refused("FILE_TOO_LARGE", path, f"over {MAX_FILE_BYTES // 2**20} MB.")
    try:
        with path.open("rb") as stream:
            magic = stream.read(len(_OLE_MAGIC))
        if magic == _OLE_MAGIC:
            raise refused(
                "NOT_A_WORKBOOK", path, "the workbook is encrypted, or in the old .xls format."
            )
        if magic.startswith(b"MZ"):
            raise refused("NOT_A_WORKBOOK", path, "the file is a program, not an .xlsx workbook.")
        with zipfile.ZipFile(path) as archive:
            _check_parts(path, archive.infolist())
            for part in archive.infolist():
                if part.filename.lower().endswith((".xml", ".rels", ".vml")):
                    with archive.open(part) as stream:
                        _search(path, part, stream)
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError) as error:
        raise refused("NOT_A_WORKBOOK", path, f"not an .xlsx workbook ({error}).") from None


def _check_parts(path: Path, parts: list[zipfile.ZipInfo]) -> None:
    names = {part.filename.lower() for part in parts}
    if "[content_types].xml" not in names or "xl/workbook.xml" not in names:
        raise refused("NOT_A_WORKBOOK", path, "a zip file, but not an .xlsx workbook.")
    if any(part.flag_bits & _ENCRYPTED for part in parts):
        raise refused("NOT_A_WORKBOOK", path, "the workbook is encrypted.")
    for prefix, what in _REFUSED_PARTS.items():
        if any(name.startswith(prefix) for name in names):
            raise refused("WORKBOOK_REFUSED", path, f"the workbook contains {what}.")
    expanded = sum(part.file_size for part in parts)
    packed = max(sum(part.compress_size for part in parts), 1)
    if (
        len(parts) > MAX_PARTS
        or expanded > MAX_EXPANDED_BYTES
        or max(part.file_size for part in parts) > MAX_PART_BYTES
        or expanded / packed > MAX_RATIO
    ):
        raise refused("FILE_TOO_LARGE", path, "the unpacked workbook is too large.")


def _search(path: Path, part: zipfile.ZipInfo, stream: IO[bytes]) -> None:
    """Search one part in overlapping chunks, so that matches across chunk borders are found."""
    before = b""
    while chunk := stream.read(_CHUNK):
        wide = b"\0" in chunk[:64] or chunk.startswith((b"\xff\xfe", b"\xfe\xff"))
        if wide and not before:
            raise refused("WORKBOOK_REFUSED", path, f"{part.filename} is not UTF-8 text.")
        piece = before + chunk
        if _DECLARATION.search(piece):
            raise refused(
                "WORKBOOK_REFUSED", path, f"{part.filename} declares custom XML entities."
            )
        before = piece[-_OVERLAP:]


def refused(code: str, path: Path, message: str) -> FacilityError:
    """Return the error of a rejected workbook."""
    return FacilityError(
        code,
        str(path),
        message,
        "Use a workbook exported by facility, saved as .xlsx without macros and links.",
    )
