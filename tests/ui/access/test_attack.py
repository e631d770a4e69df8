"""A scripted attack on a running server with sign-in: whatever fails, nothing is shown."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from streamlit.web.server.starlette import starlette_routes as routes

from facility.files.store.opening import open_store
from facility.ui.access.callbacks import MAX_FAILED
from facility.ui.access.gate import POLL_S
from facility.ui.access.session import MAX_S
from facility.ui.access.state import MAX_AGE_S
from tests.cli.helpers import SHORT
from tests.files.store.edited import execute, expire
from tests.files.store.record.tampering import alter, put, rows
from tests.files.store.server import served as postgresql_served
from tests.ui.access.attacker import Attacker, secrets_text, store_of
from tests.ui.browsing import free_port, served
from tests.ui.provider import Provider, provided

ANN = {"sub": "1", "name": "Ann Example", "email": "ann@example.org", "email_verified": True}
PROMPT_S = 10.0
"""On a loaded machine; that a change is in force within a second follows from the intervals."""
EVERY_ROUTE = (
    "/",
    "/projects",
    "/_stcore/health",
    "/_stcore/host-config",
    "/_stcore/metrics",
    "/_stcore/script-health-check",
    "/_stcore/upload_file/a/b",
    "/_stcore/bidi-components/a",
    "/component/a/b",
    "/media/a.bin",
    "/static/js/a.js",
    "/auth/login",
    "/auth/logout",
    "/oauth2callback",
)


@dataclass(frozen=True)
class Target:
    """A server under attack."""

    address: str
    provider: Provider
    secrets: Path
    store: str

    def restore(self) -> None:
        """Write complete secrets, where they are not; they are in force within a second."""
        self.provider.claims = {**ANN}
        port = int(self.address.rpartition(":")[2])
        text = secrets_text(port, self.provider).encode()
        if not self.secrets.is_file() or self.secrets.read_bytes() != text:
            self.secrets.write_bytes(text)
            time.sleep(1.0)
        assert Attacker(self.address).get("/_stcore/health").status_code == 200


@pytest.fixture(
    scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)]
)
def address(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """Address of an empty store."""
    if request.param == "sqlite":
        yield store_of(tmp_path_factory.mktemp("store"))
        return
    with postgresql_served() as server:
        yield server.schema("attacked")


@pytest.fixture(scope="module")
def target(address: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    folder = tmp_path_factory.mktemp("attacked")
    port = free_port()
    with provided() as provider, pytest.MonkeyPatch.context() as environment:
        provider.claims = {**ANN}
        secrets = folder / "secrets.toml"
        secrets.write_text(secrets_text(port, provider), encoding="utf-8")
        environment.setenv("STREAMLIT_SECRETS_FILES", str(secrets))
        environment.setenv("FACILITY_STORE", address)
        environment.setenv("PYTHONWARNINGS", "ignore")
        with served(port=port) as found:
            yield Target(found, provider, secrets, address)


@pytest.fixture
def ann(target: Target) -> Attacker:
    """Ann, signed in."""
    target.restore()
    found = Attacker(target.address)
    assert found.sign_in().status_code == 302
    assert "_streamlit_user" in found.http.cookies
    return found


@pytest.fixture
def stranger(target: Target) -> Attacker:
    target.restore()
    return Attacker(target.address)


def _wait_for_health(address: str, status: int) -> float:
    """Return the seconds until health answers with a status."""
    begun = time.monotonic()
    visitor = Attacker(address)
    while visitor.get("/_stcore/health").status_code != status:
        assert time.monotonic() - begun < PROMPT_S
        time.sleep(0.02)
    return time.monotonic() - begun


def test_a_change_of_the_secrets_is_looked_for_within_a_second() -> None:
    assert MAX_AGE_S + POLL_S < 1.0


def test_every_route_of_the_server_is_attacked() -> None:
    """A route that a new version of Streamlit adds is added to `EVERY_ROUTE`."""
    known = {value for name, value in vars(routes).items() if name.startswith("ROUTE_")}
    assert known <= {path.lstrip("/") for path in EVERY_ROUTE}


@pytest.mark.parametrize(
    "broken", ["", "[auth]\n", 'auth = "x"\n', "[auth\n", "title = 1\n", "\xff\n", None]
)
def test_broken_secrets_close_everything(
    target: Target, ann: Attacker, stranger: Attacker, broken: str | None
) -> None:
    with ann.session() as signed_in, stranger.session() as waiting:
        assert b"Ann Example" in signed_in.rerun()
        assert b"Ann Example" not in waiting.rerun()
        begun = time.monotonic()
        if broken is None:
            target.secrets.unlink()
        else:
            target.secrets.write_text(broken, encoding="latin-1")
        assert signed_in.closed_after_s(begun) < PROMPT_S
        assert waiting.closed_after_s(begun) < PROMPT_S
        assert _wait_for_health(target.address, 503) < PROMPT_S
    for visitor in (ann, stranger):
        for path in EVERY_ROUTE:
            answer = visitor.get(path)
            assert answer.status_code == 503, path
            assert "content-security-policy" in answer.headers
            assert "set-cookie" not in answer.headers
        assert "facility is closed" in visitor.get("/").text
        assert visitor.is_rejected()
    target.restore()
    with ann.session() as again, stranger.session() as outside:
        assert b"Ann Example" in again.rerun()
        painted = outside.rerun()
        assert b"Sign in" in painted
        assert b"Ann Example" not in painted


def test_a_new_cookie_secret_ends_every_session(target: Target, ann: Attacker) -> None:
    with ann.session() as session:
        assert b"Ann Example" in session.rerun()
        begun = time.monotonic()
        text = target.secrets.read_text(encoding="utf-8")
        target.secrets.write_text(text.replace("of these", "not of"), encoding="utf-8")
        assert session.closed_after_s(begun) < PROMPT_S
    with ann.session() as session:
        assert b"Ann Example" not in session.rerun()


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "evil@127.0.0.1", ""])
def test_another_host_is_answered_on_no_route(ann: Attacker, host: str) -> None:
    for path in EVERY_ROUTE:
        assert ann.get(path, {"Host": host}).status_code in (400, 403), path
    if host and "@" not in host:
        assert ann.is_rejected(host=host)


@pytest.mark.parametrize(
    "origin",
    ["http://localhost:3000", "http://127.0.0.1:1", "https://127.0.0.1", "null", "file://", "x"],
)
def test_another_origin_is_answered_on_no_route(ann: Attacker, origin: str) -> None:
    for path in EVERY_ROUTE:
        assert ann.get(path, {"Origin": origin}).status_code == 403, path
    assert ann.is_rejected(origin)


def test_metrics_are_for_who_signed_in_and_for_this_machine(
    target: Target, ann: Attacker, stranger: Attacker
) -> None:
    forwarded = {"X-Forwarded-For": "203.0.113.7"}
    assert ann.get("/_stcore/metrics", forwarded).status_code == 200
    assert stranger.get("/_stcore/metrics", forwarded).status_code == 401
    assert stranger.get("/_stcore/metrics").status_code == 200
    port = int(target.address.rpartition(":")[2])
    token = "a token of these tests alone"
    more = f'[facility]\nmetrics_token = "{token}"\nbehind_proxy = true\n'
    target.secrets.write_text(secrets_text(port, target.provider, more), encoding="utf-8")
    time.sleep(1.0)
    assert stranger.get("/_stcore/metrics").status_code == 401
    for path in ("/_stcore/metrics%0A", "/_stcore/metrics%0D", "/oauth2callback%0A"):
        assert stranger.get(path).status_code == 404
    for sent, status in ((token, 200), (token[:-1], 401), ("x", 401)):
        headers = {"Authorization": f"Bearer {sent}"}
        assert stranger.get("/_stcore/metrics", headers).status_code == status


@pytest.mark.parametrize(
    ("claims", "is_shown"),
    [
        ({"exp": -1.0}, False),
        ({"iat": -MAX_S - 1.0, "exp": 3600.0}, False),
        ({"iat": 3600.0, "exp": 7200.0}, False),
        ({"iat": 0.0, "exp": 300.0}, True),
    ],
)
def test_a_session_lasts_as_long_as_its_token_and_twelve_hours_at_most(
    target: Target, stranger: Attacker, claims: dict[str, float], is_shown: bool
) -> None:
    now = time.time()
    moved = {name: int(now + seconds) for name, seconds in claims.items()}
    target.provider.claims = {**ANN, **moved}
    stranger.sign_in()
    with stranger.session() as session:
        assert (b"Ann Example" in session.rerun()) is is_shown


def test_an_open_session_ends_with_its_token(target: Target, stranger: Attacker) -> None:
    ends_at = int(time.time()) + 10
    target.provider.claims = {**ANN, "exp": ends_at}
    stranger.sign_in()
    with stranger.session() as session:
        assert b"Ann Example" in session.rerun()
        left = ends_at - time.time()
        assert left > 0.5
        assert left - 0.1 < session.closed_after_s(time.monotonic()) < left + PROMPT_S
    with stranger.session() as session:
        assert b"Ann Example" not in session.rerun()


def test_a_sign_out_ends_every_window_of_the_browser(target: Target, ann: Attacker) -> None:
    with ann.session() as one, ann.session() as other:
        assert b"Ann Example" in one.rerun()
        begun = time.monotonic()
        assert ann.get("/auth/logout").status_code == 302
        assert one.closed_after_s(begun) < PROMPT_S
        assert other.closed_after_s(begun) < PROMPT_S


def test_who_signed_in_and_who_failed_is_recorded(
    target: Target, ann: Attacker, stranger: Attacker
) -> None:
    address = {"X-Forwarded-For": "203.0.113.99"}
    assert stranger.get("/oauth2callback?state=x&code=y", address).status_code == 302
    with ann.session() as session:
        session.rerun()
    with open_store(target.store) as store:
        found = [(e.action, e.who, e.details) for e in store.record.verified().entries]
    assert ("sign_in_failed", "unknown", {"address": "203.0.113.99"}) in found
    (signed_in,) = {e[1] for e in found if e[0] == "sign_in"}
    assert signed_in == "ann@example.org"


@pytest.mark.parametrize("damage", ["truncated", "edited"])
def test_nothing_is_shown_without_a_sound_record(
    target: Target, stranger: Attacker, damage: str
) -> None:
    with open_store(target.store) as store:
        library = store.library("ann@example.org")
        token = library.links.make(library.create(SHORT).id)
        end = store.record.verified().count
        statement = {
            "truncated": f"DELETE FROM store_record WHERE seq > {end - 2}",
            "edited": f"UPDATE store_record SET who = 'eve' WHERE seq = {end}",
        }[damage]
        kept = rows(store)
        alter(store, statement)
        try:
            with stranger.session() as guest:
                assert b"RECORD_DAMAGED" in guest.rerun(f"link={token}")
        finally:
            put(store, kept)
        with stranger.session() as guest:
            assert b"Read-only access." in guest.rerun(f"link={token}")


def test_an_edited_row_is_never_shown(target: Target, ann: Attacker) -> None:
    with open_store(target.store) as store:
        library = store.library("ann@example.org")
        project = library.create(SHORT).id
        change = "UPDATE store_revisions SET text = replace(text, '64', '65') WHERE project = :id"
        execute(store, change, id=project)
    with ann.session() as session:
        painted = session.rerun(f"p={project}")
    assert b"STORE_DAMAGED" in painted


def test_a_link_opens_one_project_until_it_expires_or_is_revoked(
    target: Target, stranger: Attacker
) -> None:
    with open_store(target.store) as store:
        library = store.library("ann@example.org")
        project = library.create(SHORT).id
        token = library.links.make(project)
        query = f"link={token}"
        with stranger.session() as guest:
            assert b"Read-only access." in guest.rerun(query)
            expire(library, project)
            assert b"UNKNOWN_LINK" in guest.rerun(query)
            link = library.links.all(project)[0].id
            library.links.renew(project, link)
            assert b"Read-only access." in guest.rerun(query)
            library.links.revoke(project, link)
            assert b"UNKNOWN_LINK" in guest.rerun(query)
        with stranger.session() as guest:
            assert b"UNKNOWN_LINK" in guest.rerun(f"link={token[:-1]}")


def test_failed_callbacks_are_held_up_by_address(stranger: Attacker) -> None:
    one, other = ({"X-Forwarded-For": f"203.0.113.{n}"} for n in (7, 8))
    for _ in range(MAX_FAILED):
        assert stranger.get("/oauth2callback?state=x&code=y", one).status_code == 302
    answer = stranger.get("/oauth2callback?state=x&code=y", one)
    assert answer.status_code == 429
    assert answer.headers["retry-after"] == "60"
    assert stranger.get("/oauth2callback?state=x&code=y", other).status_code == 302
    assert stranger.get("/", one).status_code == 200
