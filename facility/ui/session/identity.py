"""Identity of the user: signed in through OpenID Connect, or the single user without sign-in.

`facility.ui.access.state` has the sign-in mode; see docs/stored-projects.md.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

import streamlit as st

from facility.ui.access import state
from facility.ui.access.session import ends_at, issued_at
from facility.ui.access.state import Mode

LINK = "link"
"""URL parameter of a read-only link: ``/?link=TOKEN``."""
_MAX_ID = 120
"""Maximum length of an id; longer ids are hashed."""


@dataclass(frozen=True)
class Visitor:
    """A user of the app."""

    id: str  # Recorded in revisions; roles are assigned to it
    name: str  # Displayed name
    single: bool = False  # Single-user mode without sign-in: all projects belong to this user
    issued: float | None = None  # Time of issue of the ID token, in seconds since 1970
    link: str = ""  # Token of the read-only link, which gives access to one project


SINGLE_USER = Visitor("single user", "single user", single=True)


def who() -> Visitor | None:
    """Return the user; None if not signed in, or if the sign-in configuration is broken."""
    access = state.current()
    if access.mode is Mode.SINGLE_USER:
        return SINGLE_USER
    if access.mode is Mode.BROKEN:
        return None
    token = st.query_params.get(LINK) or st.session_state.get(LINK)
    if token:
        st.session_state[LINK] = token  # the page menu clears the URL parameters
        return Visitor("link", "Read-only link", link=token)
    claims = st.user.to_dict()
    if not claims.get("is_logged_in") or ends_at(claims) <= time.time():
        return None
    return visitor_of(claims, trusted=access.trust_email)


def visitor_of(claims: Mapping[str, object], *, trusted: bool = False) -> Visitor:
    """Return the user identified by the claims of an ID token.

    The e-mail address is used if the provider has verified it, or if `trusted` declares that this
    provider assigns only genuine addresses; otherwise issuer and subject, which are unique.
    """
    email = str(claims.get("email") or "").strip().casefold()
    name = " ".join(str(claims.get("name") or "").split())
    if email and (trusted or claims.get("email_verified") in (True, "true")):
        found = email
    else:
        issuer = urlsplit(str(claims.get("iss") or ""))
        found = f"{claims.get('sub') or ''} at {issuer.netloc}{issuer.path.rstrip('/')}"
    if len(found) > _MAX_ID or not found.isprintable():
        found = hashlib.sha256(found.encode(errors="replace")).hexdigest()
    shown = name if name.isprintable() else ""
    return Visitor(found, shown[:_MAX_ID] or found, issued=issued_at(claims))


def id_of(written: str) -> str:
    """Return the id of a person from typed text; e-mail addresses are case-insensitive."""
    text = written.strip()
    return text.casefold() if "@" in text and " " not in text else text
