"""Zip archives of several files; archive paths are ignored on reading."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping

from facility.core.errors import FacilityError

MAX_FILES = 20
MAX_BYTES = 64_000_000
"""Maximum unpacked size of all files."""
_FIRST_DAY = (1980, 1, 1, 0, 0, 0)


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return an archive of the files; equal files produce equal bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name, _FIRST_DAY), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def unzipped(content: bytes, where: str) -> dict[str, bytes]:
    """Return the files of an archive by name, without their folders, with a size limit.

    Raises ``ZIP_FILE`` for other than an archive, damage, encryption, duplicate names, or more than
    `MAX_FILES` files or `MAX_BYTES` bytes.
    """
    found: dict[str, bytes] = {}
    left = MAX_BYTES
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            listed = [one for one in archive.infolist() if not one.is_dir()]
            if len(listed) > MAX_FILES:
                raise _refused(where, f"it contains {len(listed):,} files.")
            for one in listed:
                name = one.filename.replace("\\", "/").rpartition("/")[2]
                if name in found:
                    raise _refused(where, f"two files are named {name[:80]!r}.")
                with archive.open(one) as stream:
                    found[name] = stream.read(left + 1)
                left -= len(found[name])
                if left < 0:
                    raise _refused(where, "it is too large when unpacked.")
    except (zipfile.BadZipFile, zlib.error, OSError, RuntimeError, ValueError, EOFError) as error:
        raise _refused(where, f"it cannot be unpacked: {str(error)[:120]}.") from None
    except NotImplementedError:
        raise _refused(where, "its compression method is not supported.") from None
    return found


def _refused(where: str, message: str) -> FacilityError:
    return FacilityError(
        "ZIP_FILE",
        where,
        message,
        f"Use an unencrypted .zip of at most {MAX_FILES} files"
        f" and {MAX_BYTES / 1e6:.0f} MB unpacked.",
    )
