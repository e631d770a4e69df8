"""Who looks at the app: signed in through OpenID Connect, or the one user where nobody signs in.

`facility.ui.access.state` says whether visitors sign in, see docs/stored-projects.md.
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
"""What the address of a link asks for: ``/?link=TOKEN``."""
_MOST = 120
"""Characters of an id that are kept as they are."""


@dataclass(frozen=True)
class Visitor:
    """Who looks at the app."""

    id: str  # Stands in revisions; roles are given to it
    name: str  # As the page shows it
    single: bool = False  # Nobody signs in here: every project is this visitor's
    issued: float | None = None  # When the ID token was, in seconds since 1970
    link: str = ""  # Token of the link by which the visitor came, and may read one project


SINGLE_USER = Visitor("single user", "single user", single=True)


def who() -> Visitor | None:
    """Return who looks at the app; None for who has yet to sign in, or where access is broken."""
    access = state.current()
    if access.mode is Mode.SINGLE_USER:
        return SINGLE_USER
    if access.mode is Mode.BROKEN:
        return None
    token = st.query_params.get(LINK) or st.session_state.get(LINK)
    if token:
        st.session_state[LINK] = token  # the menu of the pages empties the address
        return Visitor("link", "Reading by a link", link=token)
    claims = st.user.to_dict()
    if not claims.get("is_logged_in") or ends_at(claims) <= time.time():
        return None
    return visitor_of(claims, trusted=access.trust_email)


def visitor_of(claims: Mapping[str, object], *, trusted: bool = False) -> Visitor:
    """Return the visitor of the claims of an id token.

    The mail address counts where the provider says that it verified it, or where `trusted` says
    that this provider gives nobody an address that is not theirs; else issuer and subject, which
    no provider gives twice.
    """
    email = str(claims.get("email") or "").strip().casefold()
    name = " ".join(str(claims.get("name") or "").split())
    if email and (trusted or claims.get("email_verified") in (True, "true")):
        found = email
    else:
        issuer = urlsplit(str(claims.get("iss") or ""))
        found = f"{claims.get('sub') or ''} at {issuer.netloc}{issuer.path.rstrip('/')}"
    if len(found) > _MOST or not found.isprintable():
        found = hashlib.sha256(found.encode(errors="replace")).hexdigest()
    shown = name if name.isprintable() else ""
    return Visitor(found, shown[:_MOST] or found, issued=issued_at(claims))


def id_of(written: str) -> str:
    """Return the id of a person as somebody else wrote it: mail addresses count in any case."""
    text = written.strip()
    return text.casefold() if "@" in text and " " not in text else text
