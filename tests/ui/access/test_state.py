"""The state of the sign-in, for every kind of secrets; when a session ends; who is a client."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit import config

from facility.core.errors import FacilityError
from facility.files.store.opening import SINGLE_USER, open_store
from facility.ui.access import state, store
from facility.ui.access.gate import _is_origin_allowed
from facility.ui.access.session import MAX_S, ends_at
from facility.ui.access.state import Access, Mode, access_of, origin_of
from tests.ui.helpers import forget_store

COMPLETE = """
[auth]
redirect_uri = "https://facility.example.org/oauth2callback"
cookie_secret = "a long random text of many characters"
client_id = "facility"
client_secret = "from the provider"
server_metadata_url = "https://id.example.org/.well-known/openid-configuration"
"""


@pytest.fixture
def secrets(tmp_path: Path) -> Path:
    return tmp_path / "secrets.toml"


def found(secrets: Path, text: str) -> Access:
    secrets.write_text(text, encoding="utf-8")
    return access_of([str(secrets)])


def test_without_a_file_or_a_section_there_is_one_user(secrets: Path) -> None:
    assert access_of([str(secrets)]).mode is Mode.SINGLE_USER
    assert found(secrets, "[connections]\nurl = 'x'\n").mode is Mode.SINGLE_USER
    access = found(secrets, "[facility]\nmetrics_token = '0123456789abcdef'\n")
    assert (access.mode, access.metrics_token) == (Mode.SINGLE_USER, "0123456789abcdef")


def test_complete_secrets_sign_in(secrets: Path) -> None:
    access = found(secrets, COMPLETE)
    assert access.mode is Mode.SIGNED_IN
    assert access.origin == "https://facility.example.org:443"
    assert access.behind_proxy  # its name is not of this machine
    assert not access.trust_email
    assert found(secrets, f"{COMPLETE}[facility]\ntrust_email = true\n").trust_email
    local = COMPLETE.replace("https://facility.example.org", "http://localhost:8501")
    assert not found(secrets, local).behind_proxy


LINES = [line for line in COMPLETE.splitlines() if "=" in line]


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("value", [None, '""', '"  "', "1", "true", "[]", '{ a = "b" }'])
def test_a_missing_or_senseless_value_is_broken(
    secrets: Path, line: str, value: str | None
) -> None:
    name = line.partition(" ")[0]
    other = "" if value is None else f"{name} = {value}"
    access = found(secrets, COMPLETE.replace(line, other))
    assert access.mode is Mode.BROKEN
    assert f"auth.{name}" in access.reason
    assert "a long random text" not in access.reason  # the log repeats no secret


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# only a comment\n",
        "[auth]",
        'auth = "x"',
        "auth = []",
        "[auth",
        COMPLETE.replace("[auth]", "[auht]"),
        COMPLETE.replace("[auth]", "[server.auth]"),
        COMPLETE.replace("[auth]", "[[Auth]]"),
        COMPLETE.replace("auth]", "AUTH]").replace("_", "-").upper(),
        "[oauth.google]\nClient-ID = 'x'\n",
        "[Auth]\n",
        "Auth = ''\n",
        "[app.auth.default]\n",
        "[Facility]\nbehind_proxy = true\n",
        COMPLETE.replace("[auth]", ""),
        COMPLETE.replace("/oauth2callback", "/callback"),
        COMPLETE.replace("https://facility", "ftp://facility"),
        COMPLETE.replace("https://id.", "http://id."),
        COMPLETE.replace("a long random text of many characters", "short"),
        f"{COMPLETE}[facility]\ntrust_email = 'false'\n",
        f"{COMPLETE}[facility]\nbehind_proxi = true\n",
        f"{COMPLETE}[facility]\nmetrics_token = 'short'\n",
        f"{COMPLETE}[auth]\n",
        f"facility = 1\n{COMPLETE}",
        "[" * 100_000,
        "a = " + "[" * 100_000,
        "\0",
    ],
)
def test_whatever_else_a_file_holds_is_broken(secrets: Path, text: str) -> None:
    access = found(secrets, text)
    assert access.mode is Mode.BROKEN
    assert access.reason


@given(cut=st.integers(0, len(COMPLETE) - 20), by=st.integers(1, 19))
def test_no_part_of_complete_secrets_opens_the_app(cut: int, by: int) -> None:
    """Some characters lost: still signed in, or broken, and never one user."""
    with pytest.MonkeyPatch.context() as patch:
        text = COMPLETE[:cut] + COMPLETE[cut + by :]
        patch.setattr("builtins.open", lambda *_, **__: _Text(text))
        assert access_of(["secrets.toml"]).mode is not Mode.SINGLE_USER


class _Text:
    """An open file with this text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __enter__(self) -> _Text:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def read(self) -> str:
        return self._text


def test_unreadable_files_are_broken(secrets: Path, tmp_path: Path) -> None:
    secrets.write_bytes(b"\xff\xfe")
    assert access_of([str(secrets)]).mode is Mode.BROKEN
    secrets.unlink()
    secrets.mkdir()
    assert access_of([str(secrets)]).mode is Mode.BROKEN
    dangling = tmp_path / "dangling.toml"
    dangling.symlink_to(tmp_path / "not mounted")
    assert access_of([str(dangling)]).mode is Mode.BROKEN
    missing = str(tmp_path / "named.toml")
    assert access_of([missing], named=True).mode is Mode.BROKEN
    assert access_of([str(tmp_path / "no folder")]).mode is Mode.BROKEN


def test_a_later_file_replaces_an_earlier_one(secrets: Path, tmp_path: Path) -> None:
    secrets.write_text(COMPLETE, encoding="utf-8")
    later = tmp_path / "later.toml"
    later.write_text('auth = "x"', encoding="utf-8")
    assert access_of([str(secrets), str(later)]).mode is Mode.BROKEN
    assert access_of([str(later), str(secrets)]).mode is Mode.SIGNED_IN


@pytest.fixture
def watched(secrets: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Secrets that the state of this process is read from."""
    monkeypatch.setattr(state, "_WATCH", state._Watch())
    monkeypatch.setattr(
        config,
        "get_option",
        lambda name, real=config.get_option: (
            [str(secrets)] if name == "secrets.files" else real(name)
        ),
    )
    yield secrets
    forget_store()


def test_sign_in_is_not_turned_off_while_the_server_runs(watched: Path) -> None:
    assert state.current(0).mode is Mode.SINGLE_USER
    watched.write_text(COMPLETE, encoding="utf-8")
    assert state.current(0).mode is Mode.SIGNED_IN
    watched.write_text("title = 'x'", encoding="utf-8")
    assert state.current(0).mode is Mode.BROKEN
    watched.unlink()
    assert state.current(0).mode is Mode.BROKEN
    watched.write_text(COMPLETE, encoding="utf-8")
    assert state.current(0).mode is Mode.SIGNED_IN


def test_a_store_used_with_sign_in_rejects_one_user(
    watched: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"sqlite:///{tmp_path / 'projects.sqlite'}"
    monkeypatch.setenv("FACILITY_STORE", address)
    assert state.current(0).mode is Mode.SINGLE_USER
    assert store.for_single_user().where
    assert store.for_signed_in().was_used_with_sign_in()
    with pytest.raises(FacilityError, match="SIGN_IN_MISSING"):
        store.for_single_user()
    assert state.current(0).mode is Mode.BROKEN
    assert not watched.exists()
    monkeypatch.setenv(SINGLE_USER, "1")
    assert store.for_single_user().was_used_with_sign_in()
    with open_store(address) as other:
        other.mark_used_with_sign_in()
        assert other.was_used_with_sign_in()


def test_a_session_ends_with_its_token_or_after_twelve_hours() -> None:
    now = time.time()
    assert ends_at({"iat": now, "exp": now + 60}) == now + 60
    assert ends_at({"iat": now, "exp": now + 10 * MAX_S}) == now + MAX_S
    for claims in ({}, {"exp": now}, {"iat": now}, {"iat": now + 3600, "exp": now + 7200}):
        assert ends_at(claims) == -math.inf
    for value in (True, "1", None, math.nan, math.inf, [now]):
        assert ends_at({"iat": now, "exp": value}) == -math.inf


@pytest.mark.parametrize(
    ("origin", "host", "is_allowed"),
    [
        ("http://127.0.0.1:8501", "127.0.0.1:8501", True),
        ("http://localhost:8501", "127.0.0.1:8501", False),
        ("http://127.0.0.1:8502", "127.0.0.1:8501", False),
        ("https://facility.example.org", "facility.example.org", True),
        ("https://facility.example.org:443", "facility.example.org", True),
        ("https://facility.example.org", "localhost", False),  # the proxy has to keep the host
        ("https://facility.example.org", "facility.example.org:8501", False),
        ("http://facility.example.org", "localhost", False),
        ("http://facility.example.org", "facility.example.org", False),
        ("https://facility.example.org/", "facility.example.org", False),
        ("https://facility.example.org:8443", "localhost", False),
        ("http://[::1]:8501", "[::1]:8501", True),
        ("https://facility.example.org.evil", "localhost", False),
        ("https://a@facility.example.org", "localhost", False),
        ("null", "localhost", False),
        ("", "localhost", False),
        ("http://localhost:99999", "localhost", False),
        ("http://localhost", None, False),
    ],
)
def test_an_origin_is_compared_with_scheme_and_port(
    origin: str, host: str | None, is_allowed: bool
) -> None:
    access = Access(Mode.SIGNED_IN, origin="https://facility.example.org:443")
    assert _is_origin_allowed(origin, host, access) is is_allowed


@given(st.text(max_size=40))
def test_any_text_is_an_origin_or_none(text: str) -> None:
    found_origin = origin_of(text)
    assert found_origin is None or origin_of(found_origin) == found_origin
