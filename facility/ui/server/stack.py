"""Middleware before the routes of Streamlit, the main script, and cleanup at the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.middleware import Middleware

from facility.ui.access import gate
from facility.ui.access.callbacks import FailedCallbacks
from facility.ui.access.gate import Gate
from facility.ui.memory import spool
from facility.ui.server.assets import CompressedAssets
from facility.ui.server.entries import take_in_whole
from facility.ui.server.headers import SecurityHeaders

MAIN = Path(__file__).resolve().parents[1] / "main.py"
MIDDLEWARE = (
    Middleware(SecurityHeaders),
    Middleware(Gate),
    Middleware(FailedCallbacks),
    Middleware(CompressedAssets),
)
"""Headers are outermost, so that rejections and compressed files have them too."""

take_in_whole()


@asynccontextmanager
async def lifespan(_: object) -> AsyncIterator[None]:
    """Run the background task of the server, and delete the files of users at its end.

    The server ends by a signal, so exit handlers do not run.
    """
    watching = asyncio.create_task(gate.watch())
    yield
    watching.cancel()
    spool.clear()
