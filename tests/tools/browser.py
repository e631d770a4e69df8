"""Where the Chromium is that tests open: the one without windows before the whole one."""

from __future__ import annotations

import shutil

# That of Debian without windows takes a fifth less of the processor for the same pages.
NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)


def program() -> str | None:
    """Return the path of the first that is installed, None where none is."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)
