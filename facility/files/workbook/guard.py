"""What is looked at before a user's workbook is opened: its size, and what it carries.

Nothing is parsed here. The directory of the zip file bounds what is unpacked, and every XML part is
searched once as plain bytes for what no sheet of ours holds and what would stall a reader.
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
    "xl/connections.xml": "connections to data elsewhere",
    "xl/embeddings/": "embedded objects",
    "xl/activex/": "active controls",
}
_OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = 0x1
_CHUNK = 2**20
_OVERLAP = 64
_DECLARATION = re.compile(rb"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)


def check_workbook_file(path: Path) -> None:
    """Refuse a file that is not a plain, reasonably sized .xlsx workbook.

    The sizes of the zip directory are upper bounds of what is unpacked later.

    Raises ``FILE_MISSING``, ``FILE_TOO_LARGE``, ``NOT_A_WORKBOOK`` or ``WORKBOOK_REFUSED``, all
    with exit code 6.
    """
    if not path.is_file():
        raise refused("FILE_MISSING", path, "there is no such file.")
    if path.stat().st_size > MAX_FILE_BYTES:
        raise refused("FILE_TOO_LARGE", path, f"over {MAX_FILE_BYTES // 2**20} MB.")
    try:
        _refuse_other_formats(path)
        with zipfile.ZipFile(path) as archive:
            _check_parts(path, archive.infolist())
            for part in archive.infolist():
                if part.filename.lower().endswith((".xml", ".rels", ".vml")):
                    with archive.open(part) as stream:
                        _search(path, part, stream)
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError) as error:
        raise refused("NOT_A_WORKBOOK", path, f"not an .xlsx workbook ({error}).") from None


def _refuse_other_formats(path: Path) -> None:
    with path.open("rb") as stream:
        magic = stream.read(len(_OLE_MAGIC))
    if magic == _OLE_MAGIC:
        raise refused(
            "NOT_A_WORKBOOK", path, "the workbook is encrypted, or in the old .xls format."
        )
    if magic.startswith(b"MZ"):
        raise refused("NOT_A_WORKBOOK", path, "the file is a program, not an .xlsx workbook.")


def _check_parts(path: Path, parts: list[zipfile.ZipInfo]) -> None:
    names = {part.filename.lower() for part in parts}
    if "[content_types].xml" not in names or "xl/workbook.xml" not in names:
        raise refused("NOT_A_WORKBOOK", path, "a zip file, but not an .xlsx workbook.")
    if any(part.flag_bits & _ENCRYPTED for part in parts):
        raise refused("NOT_A_WORKBOOK", path, "the workbook is encrypted.")
    for prefix, what in _REFUSED_PARTS.items():
        if any(name.startswith(prefix) for name in names):
            raise refused("WORKBOOK_REFUSED", path, f"the workbook carries {what}.")
    expanded = sum(part.file_size for part in parts)
    packed = max(sum(part.compress_size for part in parts), 1)
    if (
        len(parts) > MAX_PARTS
        or expanded > MAX_EXPANDED_BYTES
        or max(part.file_size for part in parts) > MAX_PART_BYTES
        or expanded / packed > MAX_RATIO
    ):
        raise refused("FILE_TOO_LARGE", path, "the workbook unpacks to more than is read.")


def _search(path: Path, part: zipfile.ZipInfo, stream: IO[bytes]) -> None:
    """Search one part in pieces that overlap, so that nothing hides where two of them meet."""
    before = b""
    while chunk := stream.read(_CHUNK):
        wide = b"\0" in chunk[:64] or chunk.startswith((b"\xff\xfe", b"\xfe\xff"))
        if wide and not before:
            raise refused("WORKBOOK_REFUSED", path, f"{part.filename} is not UTF-8 text.")
        piece = before + chunk
        if _DECLARATION.search(piece):
            raise refused(
                "WORKBOOK_REFUSED", path, f"{part.filename} declares entities of its own."
            )
        before = piece[-_OVERLAP:]


def refused(code: str, path: Path, message: str) -> FacilityError:
    """Return the refusal of a workbook."""
    return FacilityError(
        code,
        str(path),
        message,
        "Give a workbook that facility wrote, saved as .xlsx without macros and links.",
    )
