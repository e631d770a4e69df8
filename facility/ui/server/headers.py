"""Security headers for every response of the server."""

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
"""Static files of Streamlit."""
_INLINE = re.compile(rb"<script>(.*?)</script>", re.DOTALL)


@cache
def content_policy() -> str:
    """Return the Content-Security-Policy.

    It is as strict as Streamlit permits; a comment gives the reason for each exception.
    """
    page = (STATIC / "index.html").read_bytes()
    hashes = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(script).digest()).decode()}'"
        for script in _INLINE.findall(page)
    )
    return "; ".join(
        (
            "default-src 'none'",
            # Hashes: inline scripts of Streamlit's page. blob: scripts of components version 2.
            f"script-src 'self' blob: {hashes}".strip(),
            # Emotion, the style library of Streamlit, writes inline style rules.
            "style-src 'self' 'unsafe-inline'",
            # data: icons of tables and charts. blob: a chart saved as an image.
            "img-src 'self' data: blob:",
            # data: icons of the table tool bar.
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
    """Return the headers of every response by name."""
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
    """Adds `security_headers` to every response, and forbids caching by default."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and add the headers to its response."""
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
