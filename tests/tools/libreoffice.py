"""LibreOffice as an independent calculator and printer for workbooks under test."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

SOFFICE = shutil.which("soffice")

# Recalculate every formula on load: the default keeps the cached value of a file it trusts.
_ALWAYS_RECALCULATE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry"
 xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>
"""


def convert(source: Path, target_format: str, folder: Path, timeout_s: float = 240.0) -> Path:
    """Return `source` converted by LibreOffice with forced recalculation, in `folder`."""
    return convert_all([source], target_format, folder, timeout_s)[0]


def convert_all(
    sources: Sequence[Path], target_format: str, folder: Path, timeout_s: float = 240.0
) -> list[Path]:
    """Return all `sources` converted in one start of LibreOffice, in their order.

    Every call has its own profile below `folder`, so that parallel tests do not meet.
    """
    profile = folder / "profile"
    settings = profile / "user" / "registrymodifications.xcu"
    if not settings.exists():
        settings.parent.mkdir(parents=True)
        settings.write_text(_ALWAYS_RECALCULATE, encoding="utf-8")
    out = folder / f"out-{target_format}"
    command = [
        str(SOFFICE),
        "--headless",
        "--norestore",
        f"-env:UserInstallation=file://{profile}",
        "--convert-to",
        target_format,
        "--outdir",
        str(out),
        *map(str, sources),
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=timeout_s)
    converted = [out / f"{source.stem}.{target_format}" for source in sources]
    for path in converted:
        assert path.is_file(), f"LibreOffice wrote no {path.name}"
    return converted


def pdf_pages(pdf: Path) -> int:
    """Return the number of pages of a PDF file."""
    info = subprocess.run(
        ["pdfinfo", str(pdf)], check=True, capture_output=True, text=True, timeout=60
    )
    return int(next(x for x in info.stdout.splitlines() if x.startswith("Pages:")).split()[1])
