"""What the server adds to Streamlit's: headers on every answer, and files compressed once."""

from __future__ import annotations

import asyncio
import base64
import gzip
import hashlib
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import RerunData
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.web.server.app_discovery import discover_asgi_app

from facility.ui.access.callbacks import FailedCallbacks
from facility.ui.access.gate import Gate
from facility.ui.server import entries
from facility.ui.server.assets import CompressedAssets
from facility.ui.server.headers import STATIC, SecurityHeaders, content_policy, security_headers
from facility.ui.server.stack import MAIN, MIDDLEWARE
from tests.tools.source_tree import PACKAGE, ROOT

SCRIPT = max((STATIC / "static" / "js").glob("index.*.js"), key=lambda file: file.stat().st_size)
ASSET = f"/static/js/{SCRIPT.name}"


def asked(
    path: str, accepts: str = "gzip, deflate", *, says: str = "", method: str = "GET", **more: str
) -> tuple[int, Headers, bytes]:
    """Return what the stack answers; behind it stands a server that sends the word ``plain``."""
    sent: list[dict[str, Any]] = []

    async def behind(_scope: Any, _receive: Any, send: Any) -> None:
        headers = [(b"cache-control", says.encode())] if says else []
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"plain"})

    async def keep(message: Any) -> None:
        sent.append(message)

    app: Any = behind
    for layer in reversed(MIDDLEWARE):
        app = layer.cls(app)
    headers = {"host": "localhost", "accept-encoding": accepts} | more
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    asyncio.run(app(scope, None, keep))
    start = sent[0]
    body = b"".join(message.get("body", b"") for message in sent[1:])
    return start["status"], Headers(raw=start["headers"]), body


@pytest.mark.parametrize("path", ["/", ASSET, "/_stcore/health", "/media/a.bin", "/nowhere"])
def test_every_answer_carries_the_headers(path: str) -> None:
    _, headers, _ = asked(path)
    assert {name: headers[name] for name in security_headers()} == security_headers()
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"


def test_scripts_come_from_this_server_alone() -> None:
    """And those written into the page are the ones that stand in it, by their hashes."""
    policy = dict(part.partition(" ")[::2] for part in content_policy().split("; "))
    nothing = ("default", "frame", "worker", "object")
    assert {policy[f"{name}-src"] for name in nothing} == {"'none'"}
    assert policy["base-uri"] == policy["form-action"] == policy["frame-ancestors"] == "'none'"
    page = (STATIC / "index.html").read_bytes()
    inline = page.split(b"<script>")[1].split(b"</script>")[0]
    digest = base64.b64encode(hashlib.sha256(inline).digest()).decode()
    assert policy["script-src"].split() == ["'self'", "blob:", f"'sha256-{digest}'"]
    assert page.count(b"<script>") == 1
    assert not [word for word in policy.values() if "http" in word or "*" in word]


def test_each_exception_of_the_policy_is_explained() -> None:
    page = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    for part in content_policy().split("; "):
        directive, *sources = part.split()
        for source in {*sources} - {"'self'", "'none'"}:
            shown = "`'sha256-…'`" if "sha256" in source else f"`{source}`"
            assert any(
                line.startswith(f"| `{directive}` | {shown} |") for line in page.splitlines()
            ), f"{directive} {source}"


def test_a_file_of_the_page_is_sent_compressed_and_kept_a_year() -> None:
    status, headers, body = asked(ASSET)
    assert status == 200
    assert headers["content-encoding"] == "gzip"
    assert headers["cache-control"] == "public, immutable, max-age=31536000"
    assert headers["vary"] == "Accept-Encoding"
    assert headers["content-type"].startswith("text/javascript")
    assert int(headers["content-length"]) == len(body) < 0.31 * SCRIPT.stat().st_size
    assert gzip.decompress(body) == SCRIPT.read_bytes()
    assert asked(ASSET)[2] == body


@pytest.mark.parametrize(
    ("path", "accepts", "more"),
    [
        (ASSET, "identity", {}),
        (ASSET, "gzip;q=0", {}),
        (ASSET, "gzip", {"range": "bytes=0-9"}),
        (ASSET, "gzip", {"method": "HEAD"}),
        ("/static/../../config.py", "gzip", {}),
        ("/static/js/../../../config.py", "gzip", {}),
        ("/static//etc/passwd", "gzip", {}),
        ("/static/js/no-such-file.js", "gzip", {}),
        ("/static/media/MaterialSymbols-Rounded.nEdyypZU.woff2", "gzip", {}),
        ("/", "gzip", {}),
    ],
)
def test_whatever_else_is_asked_for_is_passed_on(
    path: str, accepts: str, more: dict[str, str]
) -> None:
    _, headers, body = asked(path, accepts, **more)
    assert body == b"plain"
    assert "content-encoding" not in headers


def test_what_says_nothing_of_caches_is_kept_in_none() -> None:
    assert asked("/media/a.bin")[1]["cache-control"] == "no-store"
    assert asked("/media/a.bin", says="no-cache")[1]["cache-control"] == "no-cache"


@pytest.mark.parametrize("file", [ROOT / "app.py", PACKAGE / "ui" / "server" / "asgi.py"])
def test_both_ways_to_start_serve_the_script_behind_the_stack(file: Any) -> None:
    found = discover_asgi_app(file)
    assert (found.is_asgi_app, found.app_name) == (True, "app")
    assert "st.App(MAIN, middleware=MIDDLEWARE, lifespan=lifespan)" in file.read_text(
        encoding="utf-8"
    )
    assert MAIN.is_file()
    assert {type(layer) for layer in MIDDLEWARE} == {Middleware}
    assert [layer.cls for layer in MIDDLEWARE] == [
        SecurityHeaders,
        Gate,
        FailedCallbacks,
        CompressedAssets,
    ]


class Runner:
    """A runner of Streamlit, which looks for a newer request only while it executes the page."""

    def __init__(self) -> None:
        self._execing, self.looks = True, list[str]()

    def look(self) -> None:
        if self._execing:
            self.looks.append("look")


def test_what_was_entered_is_taken_in_whole() -> None:
    """No newer request is looked for before the callbacks, nor where one looks into the session."""
    runner = Runner()
    looks, state = runner.looks, SafeSessionState(SessionState(), runner.look)

    taken_in: list[object] = []

    class Session:
        def on_script_will_rerun(self, entered: object, **_: object) -> None:
            taken_in.append((entered, "key" in state))
            if entered == "wrong":
                raise ValueError(entered)

        def __contains__(self, _: object) -> bool:
            return False

    object.__setattr__(state, "_state", Session())
    state.on_script_will_rerun("an undo")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="wrong"):
        state.on_script_will_rerun("wrong")  # type: ignore[arg-type]
    assert (taken_in, looks) == ([("an undo", False), ("wrong", False)], [])
    assert "key" not in state
    assert looks == ["look"]


def test_a_part_of_the_page_that_was_left_is_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """The browser sends it until it hears of the new page, which it would take back."""
    asked: list[ClientState | None] = []
    monkeypatch.setattr(entries, "_REQUESTED", lambda _, client: asked.append(client))
    pages = SimpleNamespace(intended_page_script_hash="checks", current_page_script_hash="design")
    session = SimpleNamespace(_pages_manager=pages)
    left, click, here = (
        ClientState(page_script_hash=page, fragment_id="bar", is_auto_rerun=is_auto)
        for page, is_auto in (("design", True), ("design", False), ("checks", True))
    )
    for client in (left, click, here, None):
        AppSession.request_rerun(session, client)  # type: ignore[arg-type]
    assert asked == [click, here, None]
    requests = ScriptRequests()
    requests.request_rerun(RerunData(page_script_hash="checks"))
    requests.request_rerun(
        RerunData(page_script_hash="design", fragment_id="bar", is_auto_rerun=True)
    )
    waiting = requests.on_scriptrunner_ready()
    assert waiting.rerun_data.page_script_hash == "checks"


def test_a_click_is_not_taken_in_with_another_part_of_the_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The browser may send a click with a part that refreshes itself, and then once more."""
    state = SafeSessionState(SessionState(), Runner().look)
    taken_in: list[list[str]] = []
    parts: list[str] | None = ["watch"]

    def taken(entered: WidgetStates, **_: object) -> None:
        taken_in.append([one.id for one in entered.widgets])

    known = {
        "undo": SimpleNamespace(fragment_id=None),
        "cancel": SimpleNamespace(fragment_id="watch"),
    }
    session = SimpleNamespace(
        on_script_will_rerun=taken, _new_widget_state=SimpleNamespace(widget_metadata=known)
    )
    object.__setattr__(state, "_state", session)
    monkeypatch.setattr(
        entries, "get_script_run_ctx", lambda: SimpleNamespace(fragment_ids_this_run=parts)
    )
    entered = WidgetStates()
    for id in known:
        entered.widgets.add(id=id, trigger_value=True)
    entered.widgets.add(id="text", string_value="2000")
    state.on_script_will_rerun(entered)
    parts = None
    state.on_script_will_rerun(entered)
    assert taken_in == [["cancel", "text"], ["undo", "cancel", "text"]]
