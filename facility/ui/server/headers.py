"""Headers that keep a page of the app to itself, on every answer of the server."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from pathlib import Path

import streamlit
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

STATIC = Path(streamlit.__file__).with_name("static")
"""The files of Streamlit's page."""
_INLINE = re.compile(rb"<script>(.*?)</script>", re.DOTALL)


@cache
def content_policy() -> str:
    """Return the policy: what of a page may run, load, be sent or frame it.

    As strict as Streamlit permits; the reason of each exception stands beside it.
    """
    page = (STATIC / "index.html").read_bytes()
    hashes = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(script).digest()).decode()}'"
        for script in _INLINE.findall(page)
    )
    return "; ".join(
        (
            "default-src 'none'",
            # The scripts written into Streamlit's page, each by its hash. blob: the scripts of
            # components of version 2, which Streamlit turns into one. 'unsafe-eval': the WebGL of
            # Plotly compiles what draws the 8,760 hours of page Year.
            f"script-src 'self' blob: 'unsafe-eval' {hashes}".strip(),
            # Emotion, the styles of Streamlit, writes each rule into the page as it is drawn.
            "style-src 'self' 'unsafe-inline'",
            # data: the icons of tables and charts. blob: a chart that is saved as a picture.
            "img-src 'self' data: blob:",
            # data: the signs of a table's tool bar.
            "font-src 'self' data:",
            "connect-src 'self'",
            "manifest-src 'self'",
            "frame-src 'none'",
            "worker-src 'none'",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    )


@cache
def security_headers() -> dict[str, str]:
    """Return the headers of every answer, by name."""
    return {
        "Content-Security-Policy": content_policy(),
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    }


class SecurityHeaders:
    """Adds `security_headers` to every answer; what says nothing of caches is not kept in one."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and add the headers to its answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(security_headers())
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self._app(scope, receive, answer)
