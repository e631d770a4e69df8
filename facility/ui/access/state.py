"""The sign-in state: single user, signed in, or broken; read from the secrets of the server.

The files are read here rather than through ``st.secrets``, which treats an unreadable file as
missing and detects changes only after seconds. An invalid configuration is `Mode.BROKEN`, in which
the app denies all access.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import ip_address
from pathlib import Path
from threading import Lock
from urllib.parse import urlsplit

from streamlit import config
from streamlit.errors import StreamlitSecretNotFoundError
from streamlit.logger import get_logger
from streamlit.runtime.secrets import Secrets, secrets_singleton

MIN_SECRET = 16
"""Minimum length of `cookie_secret` and `metrics_token`."""
MAX_AGE_S = 0.5
"""Maximum age of the state from `current` [s]; every change takes effect within a second."""
_REQUIRED = ("redirect_uri", "cookie_secret", "client_id", "client_secret", "server_metadata_url")
_OWN = ("trust_email", "metrics_token", "behind_proxy")
_CALLBACK = "/oauth2callback"
_REMOVED = (
    "the section auth was removed while the server was running; restore it, or restart the server "
    "if no sign-in is intended"
)
_LOG = get_logger("facility.access")


class Mode(StrEnum):
    """Sign-in mode of the server."""

    SINGLE_USER = "single user"
    SIGNED_IN = "signed in"
    BROKEN = "broken"


@dataclass(frozen=True)
class Access:
    """The sign-in state."""

    mode: Mode
    reason: str = ""  # Why access is broken; only for the log
    origin: str = ""  # Public origin of the app from `redirect_uri`: https://host:port
    trust_email: bool = False
    metrics_token: str = ""
    behind_proxy: bool = False  # A reverse proxy is configured
    fingerprint: str = ""  # SHA-256 of the secrets; a change ends all sessions


class _Unusable(Exception):
    """An error in the secrets, as text."""


def access_of(files: Sequence[str], *, named: bool = False) -> Access:
    """Return the sign-in state from secrets files.

    files: Paths in reading order; a later file overrides earlier ones.
    named: Whether the administrator named these files, so that each must exist.
    """
    try:
        content = _content(files, named=named)
        return _single_user(content) if "auth" not in content else _signed_in(content)
    except _Unusable as fault:
        return Access(Mode.BROKEN, str(fault))


def _content(files: Sequence[str], *, named: bool) -> Mapping[str, object]:
    """Return the sections of all files together."""
    reader, content = Secrets(), dict[str, object]()
    for path in files:
        try:
            sections, found = reader._parse_file_path(path)
        except (OSError, ValueError, RecursionError, StreamlitSecretNotFoundError) as error:
            # Only the cause: for invalid TOML it names the line but does not quote secrets.
            reason = str(error.__cause__ or type(error).__name__)
            raise _Unusable(f"{path} cannot be read: {reason[:160]}") from None
        if found and not sections:
            raise _Unusable(f"{path} is empty; remove it if no sign-in is intended")
        if not found and Path(path).is_symlink():
            raise _Unusable(f"{path} is a link to a missing file")
        if named and not found:
            raise _Unusable(f"{path} is configured as a secrets file but is missing")
        content.update(sections)
    return content


def _single_user(content: Mapping[str, object]) -> Access:
    for name in _names(content):
        meant = name.casefold().replace("-", "_")
        if meant in ("auth", *_REQUIRED) or (meant == "facility" and name != meant):
            raise _Unusable(
                f"{name[:40]} looks like a sign-in setting, but there is no section auth"
            )
    trust_email, token, proxy = _own_section(content)
    return Access(
        Mode.SINGLE_USER,
        trust_email=trust_email,
        metrics_token=token,
        behind_proxy=proxy or _has_outside_name(),
    )


def _names(content: object) -> Iterator[str]:
    """Yield every name in the sections, recursively."""
    if isinstance(content, Mapping):
        yield from map(str, content)
        content = list(content.values())
    if isinstance(content, list):
        for one in content:
            yield from _names(one)


def _signed_in(content: Mapping[str, object]) -> Access:
    auth = content["auth"]
    if not isinstance(auth, Mapping):
        raise _Unusable("auth is not a section")
    for name in _REQUIRED:
        if not isinstance(auth.get(name), str) or not auth[name].strip():
            raise _Unusable(f"auth.{name} is missing or not a text")
    if len(auth["cookie_secret"]) < MIN_SECRET:
        raise _Unusable(f"auth.cookie_secret has fewer than {MIN_SECRET} characters")
    callback = auth["redirect_uri"].replace("{port}", str(config.get_option("server.port")))
    origin = origin_of(callback)
    if origin is None or not callback.endswith(_CALLBACK):
        raise _Unusable(f"auth.redirect_uri is not an http address that ends in {_CALLBACK}")
    provider = urlsplit(auth["server_metadata_url"])
    if provider.scheme != "https" and not _is_here(provider.hostname):
        raise _Unusable("auth.server_metadata_url is not an https address")
    trust_email, token, proxy = _own_section(content)
    text = json.dumps(content, sort_keys=True, default=str)
    return Access(
        Mode.SIGNED_IN,
        origin=origin,
        trust_email=trust_email,
        metrics_token=token,
        behind_proxy=proxy or not _is_here(urlsplit(origin).hostname) or _has_outside_name(),
        fingerprint=hashlib.sha256(text.encode()).hexdigest(),
    )


def _own_section(content: Mapping[str, object]) -> tuple[bool, str, bool]:
    """Return `trust_email`, `metrics_token` and `behind_proxy` of section ``facility``."""
    section = content.get("facility", {})
    if not isinstance(section, Mapping):
        raise _Unusable("facility is not a section")
    for name in section:
        if name not in _OWN:
            raise _Unusable(f"facility.{name} is not a setting; available: {', '.join(_OWN)}")
    token = section.get("metrics_token", "")
    if not isinstance(token, str) or 0 < len(token) < MIN_SECRET:
        raise _Unusable(f"facility.metrics_token is not a text of at least {MIN_SECRET} characters")
    # A text such as "false" is true in Python, so only booleans are accepted.
    trust_email, proxy = (section.get(name, False) for name in ("trust_email", "behind_proxy"))
    if not isinstance(trust_email, bool) or not isinstance(proxy, bool):
        raise _Unusable("facility.trust_email and facility.behind_proxy must be true or false")
    return trust_email, token, proxy


def origin_of(address: str) -> str | None:
    """Return scheme, host and port of an http address as one text; None if it is not valid.

    The port is always included, so that ``https://a`` and ``https://a:443`` are equal.
    """
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not host or "@" in parts.netloc:
        return None
    shown = f"[{host}]" if ":" in host else host.rstrip(".")
    return f"{parts.scheme}://{shown}:{port or (443 if parts.scheme == 'https' else 80)}"


def _is_here(host: str | None) -> bool:
    """Return whether a host is this machine."""
    try:
        return host == "localhost" or ip_address(host or "").is_loopback
    except ValueError:
        return False


def _has_outside_name() -> bool:
    """Return whether the settings name a host other than this machine."""
    names = [*config.get_option("server.allowedHosts")]
    names += [
        urlsplit(one).hostname or "" for one in config.get_option("server.corsAllowedOrigins")
    ]
    if config.is_manually_set("browser.serverAddress"):
        names.append(config.get_option("browser.serverAddress"))
    return not all(_is_here(name) for name in names)


class _Watch:
    """The last state, shared by the threads and the event loop of this process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._read_at = float("-inf")
        self._found = Access(Mode.BROKEN, "not yet checked")
        self._rejection = ""  # Why single-user mode is no longer allowed

    def current(self, max_age_s: float) -> Access:
        with self._lock:
            if time.monotonic() - self._read_at > max_age_s:
                self._take(self._as_configured())
                self._read_at = time.monotonic()
            return self._found

    def reject_single_user(self, reason: str) -> None:
        with self._lock:
            self._rejection = reason
            self._read_at = float("-inf")

    def _as_configured(self) -> Access:
        files = config.get_option("secrets.files")
        found = access_of(files, named=config.is_manually_set("secrets.files"))
        if found.mode is not Mode.SINGLE_USER:
            self._rejection = self._rejection or _REMOVED
        elif self._rejection:
            return Access(Mode.BROKEN, self._rejection)
        return found

    def _take(self, found: Access) -> None:
        if found == self._found:
            return
        if found.mode is Mode.BROKEN:
            _LOG.error("Sign-in is not completely configured; access is closed: %s.", found.reason)
        else:
            _LOG.warning("Access: %s.", found.mode)
        # Streamlit polls the files only every few seconds; the reset makes it read them again.
        secrets_singleton._reset()
        self._found = found


_WATCH = _Watch()


def current(max_age_s: float = MAX_AGE_S) -> Access:
    """Return the sign-in state, at most `max_age_s` old."""
    return _WATCH.current(max_age_s)


def reject_single_user(reason: str) -> None:
    """Disable single-user mode until the server is restarted."""
    _WATCH.reject_single_user(reason)
