"""Several files as one, and back: nothing in an archive says where a file goes."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping

from facility.core.errors import FacilityError

MOST_FILES = 20
MOST_BYTES = 64_000_000
"""Unpacked, of all files together."""
_FIRST_DAY = (1980, 1, 1, 0, 0, 0)


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return files as one; the same files are the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name, _FIRST_DAY), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def unzipped(content: bytes, where: str) -> dict[str, bytes]:
    """Return the files of an archive by name, without their folders, read under a cap.

    Raises ``ZIP_FILE`` for what is no archive, is damaged or encrypted, holds two files of one
    name, or more than `MOST_FILES` files or `MOST_BYTES` bytes.
    """
    found: dict[str, bytes] = {}
    left = MOST_BYTES
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            listed = [one for one in archive.infolist() if not one.is_dir()]
            if len(listed) > MOST_FILES:
                raise _refused(where, f"it holds {len(listed):,} files.")
            for one in listed:
                name = one.filename.replace("\\", "/").rpartition("/")[2]
                if name in found:
                    raise _refused(where, f"two files are called {name[:80]!r}.")
                with archive.open(one) as stream:
                    found[name] = stream.read(left + 1)
                left -= len(found[name])
                if left < 0:
                    raise _refused(where, "it is too large unpacked.")
    except (zipfile.BadZipFile, zlib.error, OSError, RuntimeError, ValueError, EOFError) as error:
        raise _refused(where, f"it cannot be unpacked: {str(error)[:120]}.") from None
    except NotImplementedError:
        raise _refused(where, "it is packed in a way that is not read.") from None
    return found


def _refused(where: str, message: str) -> FacilityError:
    return FacilityError(
        "ZIP_FILE",
        where,
        message,
        f"Give a plain .zip of at most {MOST_FILES} files and {MOST_BYTES / 1e6:.0f} MB unpacked.",
    )
