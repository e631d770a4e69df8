"""An OpenID Connect provider on this machine: signs in whoever it is told, without asking."""

from __future__ import annotations

import base64
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, PASSWORD = "facility-tests", "of the tests alone"


class Provider(ThreadingHTTPServer):
    """The provider; `claims` are those of who signs in next."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.address = f"http://127.0.0.1:{self.server_port}"
        self.key = RSAKey.generate_key(2048, {"kid": "one"})
        self.forger = RSAKey.generate_key(2048, {"kid": "one"})
        self.claims: dict[str, object] = {}
        self.forged = False  # Sign with a key that is not published
        self.asked: dict[str, str] = {}  # Nonce by code
        self.scopes: list[str] = []

    def token(self, code: str) -> dict[str, object]:
        """Return what a code is exchanged for."""
        now = int(time.time())
        claims = {
            "iss": self.address,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": self.asked.pop(code),
            **self.claims,
        }
        key = self.forger if self.forged else self.key
        signed = jwt.encode({"alg": "RS256", "kid": "one"}, claims, key)
        return {"access_token": "x", "token_type": "Bearer", "id_token": signed}


class _Answers(BaseHTTPRequestHandler):
    server: Provider

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        own = self.server.address
        if parts.path == "/.well-known/openid-configuration":
            self._json(
                {
                    "issuer": own,
                    "authorization_endpoint": f"{own}/authorize",
                    "token_endpoint": f"{own}/token",
                    "jwks_uri": f"{own}/keys",
                    "end_session_endpoint": f"{own}/end",
                    "id_token_signing_alg_values_supported": ["RS256"],
                }
            )
        elif parts.path == "/keys":
            self._json({"keys": [self.server.key.as_dict(private=False)]})
        elif parts.path == "/authorize":
            assert asked["client_id"] == CLIENT
            self.server.scopes.append(asked["scope"])
            code = secrets.token_urlsafe(8)
            self.server.asked[code] = asked["nonce"]
            self._go(asked["redirect_uri"], code=code, state=asked["state"])
        elif parts.path == "/end":
            self._go(asked["post_logout_redirect_uri"])
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        sent = parse_qs(self.rfile.read(length).decode())
        basic = base64.b64encode(f"{CLIENT}:{PASSWORD}".encode()).decode()
        if self.headers["Authorization"] != f"Basic {basic}":
            self.send_error(401)
            return
        self._json(self.server.token(sent["code"][0]))

    def _json(self, content: dict[str, object]) -> None:
        body = json.dumps(content).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _go(self, address: str, **asked: str) -> None:
        self.send_response(302)
        self.send_header("Location", f"{address}?{urlencode(asked)}" if asked else address)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def provided() -> Iterator[Provider]:
    """Run a provider until the end of the context."""
    with Provider() as provider:
        thread = threading.Thread(target=provider.serve_forever, daemon=True)
        thread.start()
        yield provider
        provider.shutdown()
        thread.join()
