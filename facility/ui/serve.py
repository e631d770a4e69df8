"""Serve the app: ``python -m facility.ui.serve <flags of the server>``.

While the browser loads the page, a thread loads what the first page and the first save need: the
package, its reference tables, a first design, and the project library, and starts a worker, which
loads what its jobs need. These objects stay loaded and are exempt from garbage collection
(`gc.freeze`).
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import pkgutil
import runpy
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from facility.core.errors import FacilityError
from facility.ui.memory.released import spare

_SHOWN = tuple(
    f"facility.ui.{name}"
    for name in ("canvas", "checks", "design", "documents", "library", "shell", "start", "studies")
)
"""Packages that the pages import."""


def serve(flags: Sequence[str]) -> None:
    """Run the server with `flags` until it is stopped."""
    spare()
    threading.Thread(target=_load, daemon=True).start()
    script = Path(__file__).parent / "server" / "asgi.py"
    sys.argv = ["streamlit", "run", str(script), *flags]
    runpy.run_module("streamlit", run_name="__main__", alter_sys=True)


def _load() -> None:
    import facility.files.workbook.book  # noqa: F401
    from facility.files.project.file import default_project
    from facility.study.design.design import design
    from facility.ui.session import opened
    from facility.ui.session.identity import SINGLE_USER
    from facility.ui.work import runs

    with contextlib.suppress(FacilityError):  # the page shows the error
        design(default_project())
    runs.prepare()
    with contextlib.suppress(FacilityError):
        opened.library(SINGLE_USER).entries("-")
    for name in _SHOWN:
        for module in pkgutil.walk_packages(importlib.import_module(name).__path__, f"{name}."):
            importlib.import_module(module.name)
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    serve(sys.argv[1:])
