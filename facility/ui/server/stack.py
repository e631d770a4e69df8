"""What stands before Streamlit's own routes, and the script that it runs."""

from __future__ import annotations

from pathlib import Path

from starlette.middleware import Middleware

from facility.ui.server.assets import CompressedAssets
from facility.ui.server.entries import take_in_whole
from facility.ui.server.headers import SecurityHeaders

MAIN = Path(__file__).resolve().parents[1] / "main.py"
MIDDLEWARE = (Middleware(SecurityHeaders), Middleware(CompressedAssets))
"""The headers outermost, so that they stand on compressed files too."""

take_in_whole()
