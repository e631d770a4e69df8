"""Compressed static files of Streamlit: text shrinks to a third.

Streamlit sends its files uncompressed. Here each file is compressed in a thread at the first
request and cached while the server runs: about 8 MB for all files.
"""

from __future__ import annotations

import gzip
from functools import cache, lru_cache
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import config

from facility.ui.server.headers import STATIC

_TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".wasm": "application/wasm",
}
"""Media types of compressible files; the types configured on the machine may differ."""
_YEAR = "public, immutable, max-age=31536000"
"""Cache header; the file names contain a hash of the content."""
_MIN_BYTES = 500
"""Minimum size for compression."""
_LEVEL = 8
_MAX_FILES = 1_000


@cache
def _files() -> dict[str, Path]:
    """Return the compressible files by URL path; no other path is opened."""
    return {
        f"/{path.relative_to(STATIC).as_posix()}": path
        for path in (STATIC / "static").rglob("*")
        if path.suffix in _TYPES and path.stat().st_size >= _MIN_BYTES
    }


@lru_cache(_MAX_FILES)
def _compressed(path: Path) -> bytes:
    return gzip.compress(path.read_bytes(), _LEVEL, mtime=0)


class CompressedAssets:
    """Serves static files to browsers that accept gzip; passes on all other requests."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the requested file compressed, or pass the request on."""
        path = _requested(scope)
        if path is None:
            await self._app(scope, receive, send)
            return
        body = await run_in_threadpool(_compressed, path)
        found = Response(
            body,
            media_type=_TYPES[path.suffix],
            headers={"Content-Encoding": "gzip", "Cache-Control": _YEAR, "Vary": "Accept-Encoding"},
        )
        await found(scope, receive, send)


def _requested(scope: Scope) -> Path | None:
    """Return the requested file if it is one of `_files` and the browser accepts gzip.

    Range requests are left to Streamlit.
    """
    if scope["type"] != "http" or scope["method"] != "GET":
        return None
    base = config.get_option("server.baseUrlPath").strip("/")
    path = _files().get(scope["path"].removeprefix(f"/{base}") if base else scope["path"])
    headers = Headers(scope=scope)
    takes = (part.replace(" ", "") for part in headers.get("accept-encoding", "").split(","))
    return path if not {"gzip", "gzip;q=1.0"}.isdisjoint(takes) and "range" not in headers else None
