"""A visitor of the app without a browser: HTTP with cookies, and a raw WebSocket."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx
from joserfc import jwt
from joserfc.jwk import OctKey
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from tests.ui.provider import CLIENT, PASSWORD, Provider

COOKIE_SECRET = "of these tests alone, and long enough"
PATIENCE_S = 120.0


def secrets_text(port: int, provider: Provider, more: str = "") -> str:
    """Return complete secrets of a server at this port."""
    return f"""
[auth]
redirect_uri = "http://127.0.0.1:{port}/oauth2callback"
cookie_secret = "{COOKIE_SECRET}"
client_id = "{CLIENT}"
client_secret = "{PASSWORD}"
server_metadata_url = "{provider.address}/.well-known/openid-configuration"
{more}
"""


class Attacker:
    """Somebody with a cookie jar, whom the server takes for a browser."""

    def __init__(self, address: str) -> None:
        self.address = address
        once = httpx.Limits(max_keepalive_connections=0)
        self.http = httpx.Client(timeout=PATIENCE_S, limits=once)

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> httpx.Response:
        """Ask for a path, and follow no redirect."""
        return self.http.get(f"{self.address}{path}", headers=dict(headers or {}))

    def sign_in(self) -> httpx.Response:
        """Go through the sign-in with the provider; return the answer of the callback."""
        key = OctKey.import_key(COOKIE_SECRET)
        claims = {"provider": "default", "exp": int(time.time()) + 100}
        token = jwt.encode({"alg": "HS256"}, claims, key)
        answer = self.get(f"/auth/login?provider={token}")
        answer = self.http.get(answer.headers["location"])  # of the provider
        return self.http.get(answer.headers["location"])  # back again

    @contextmanager
    def session(self, origin: str | None = "", host: str = "") -> Iterator[Session]:
        """Open a session of the app; `origin` None states none."""
        self.get("/_stcore/health")
        xsrf = self.http.cookies.get("_streamlit_xsrf", "")
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        server = self.address.partition("//")[2]
        name, _, port = server.partition(":")
        with (
            socket.create_connection((name, int(port))) as opened,
            connect(
                f"ws://{host or server}/_stcore/stream",
                sock=opened,
                subprotocols=[Subprotocol(name) for name in ("streamlit", xsrf) if name],
                origin=self.address if origin == "" else origin,  # type: ignore[arg-type]
                additional_headers={"Cookie": cookies},
                max_size=None,
                open_timeout=PATIENCE_S,
                legacy=True,
            ) as found,
        ):
            yield Session(found)

    def is_rejected(self, origin: str | None = "", host: str = "") -> bool:
        """Return whether the server does not even open a WebSocket."""
        try:
            with self.session(origin, host):
                return False
        except InvalidStatus as error:
            return error.response.status_code == 403


class Session:
    """One open WebSocket of the app."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket

    def rerun(self, query: str = "") -> bytes:
        """Have the script run; return all that was painted, as sent."""
        message = BackMsg()
        message.rerun_script.query_string = query
        self._socket.send(message.SerializeToString())
        painted = b""
        while True:
            data = self._socket.recv(PATIENCE_S)
            assert isinstance(data, bytes)
            found = ForwardMsg.FromString(data)
            painted += data
            if found.WhichOneof("type") == "script_finished":
                return painted

    def closed_after_s(self, begun: float) -> float:
        """Return how long after `begun` (monotonic) the server closed the connection."""
        while True:
            try:
                self._socket.recv(10.0)
            except ConnectionClosed:
                return time.monotonic() - begun


def store_of(folder: Path) -> str:
    """Return the address of a new store in a folder."""
    return f"sqlite:///{folder / 'projects.sqlite'}"
