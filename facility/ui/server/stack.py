"""What stands before Streamlit's own routes, the script that it runs, and what ends with it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.middleware import Middleware

from facility.ui.memory import painted, spool
from facility.ui.server.assets import CompressedAssets
from facility.ui.server.entries import take_in_whole
from facility.ui.server.headers import SecurityHeaders

MAIN = Path(__file__).resolve().parents[1] / "main.py"
MIDDLEWARE = (Middleware(SecurityHeaders), Middleware(CompressedAssets))
"""The headers outermost, so that they stand on compressed files too."""

take_in_whole()
painted.keep_the_last()


@asynccontextmanager
async def lifespan(_: object) -> AsyncIterator[None]:
    """Watch what sessions keep of their pages, and leave no file of a visitor behind.

    The server ends by a signal, past the usual exit.
    """
    watching = asyncio.create_task(painted.watch())
    yield
    watching.cancel()
    spool.clear()
