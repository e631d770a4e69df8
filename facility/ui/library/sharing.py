"""Sharing of a project by its owners: people by role, and read-only links."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.store.record.readers import ProjectReader
from facility.files.store.records import ReadingLink, Role
from facility.files.store.sharing import DAYS, MAX_DAYS
from facility.ui import controls
from facility.ui.grid.component import show_grid
from facility.ui.grid.tables import values_grid
from facility.ui.library import shelf, times
from facility.ui.session import identity
from facility.ui.why import navigation

_OPEN, _REFUSED, _MADE = "share-open", "share-refused", "share-made"
_READERS = "share-readers"
_WHO, _ROLE, _LABEL, _DAYS = "share-who", "share-role", "share-label", "share-days"
_MAY = {
    Role.READER: "Reader: read, and save a copy",
    Role.EDITOR: "Editor: read and edit",
    Role.OWNER: "Owner: read, edit, share, archive and delete",
}


class _Made(NamedTuple):
    """A new link, with its token, which is known only now."""

    project: str
    token: str


def button(project: str, title: str, role: Role) -> None:
    """Show the button that opens the sharing dialog; none in single-user mode."""
    visitor = identity.who()
    if visitor is None or visitor.single:
        return
    owns = role.allows(Role.OWNER)
    controls.act(
        "Share project …",
        "group_add",
        f"share-{project}",
        _open,
        project,
        disabled=not owns,
        help=None if owns else "Only an owner can share a project.",
    )
    # Reopened on every run: the page may rerun while the user reads the token, shown only once.
    if st.session_state.get(_OPEN) == project and not navigation.is_open():
        _dialog(project, title)


def _open(project: str) -> None:
    _close()
    st.session_state[_OPEN] = project


def _close() -> None:
    """Discard the error, the token, which is shown only once, and the access record."""
    for name in (_OPEN, _REFUSED, _MADE, _READERS):
        st.session_state.pop(name, None)


@st.dialog("Share this project", width="medium", on_dismiss=_close)
def _dialog(project: str, title: str) -> None:
    st.text(title)
    refused: FacilityError | None = st.session_state.pop(_REFUSED, None)
    if refused is not None:
        controls.refused("Action not completed", refused)
    try:
        library = shelf.library()
        people, links = library.sharing.roles(project), library.links.all(project)
    except FacilityError as error:
        controls.refused("You can no longer share this project", error)
        return
    st.markdown("#### People")
    for number, (who, role) in enumerate(people.items()):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(f"{who} (you)" if who == library.who else who, width="stretch")
            st.badge(role.value, color="blue" if role is Role.OWNER else "grey")
            controls.act(
                "Remove access", "person_remove", f"share-take-{number}", _taken, project, who
            )
    _give(project)
    st.markdown("#### Read-only links")
    _links(project, links)
    st.markdown("#### Opened by")
    _opened_by(project, links, mine=library.who)


def _opened_by(project: str, links: list[ReadingLink], *, mine: str) -> None:
    """Show who opened a project, from the access record, which is verified once per dialog."""
    if _READERS not in st.session_state:
        try:
            st.session_state[_READERS] = shelf.library().sharing.readers(project)
        except FacilityError as error:
            controls.refused("Access record not read", error)
            return
    readers: list[ProjectReader] = st.session_state[_READERS]
    labels = {link.id: link.label for link in links}
    show_grid(
        values_grid(
            "Readers of the project",
            {
                "Person or link": [_name(one, labels, mine) for one in readers],
                "Last opened": [times.at(one.last) for one in readers],
                "Recorded reads": [one.count for one in readers],
            },
        ),
        "share-readers-table",
    )


def _name(reader: ProjectReader, labels: Mapping[str, str], mine: str) -> str:
    if reader.link:
        return f"Link: {labels.get(reader.link, 'revoked') or 'no label'}"
    return f"{reader.who} (you)" if reader.who == mine else reader.who


def _give(project: str) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            "E-mail address",
            key=_WHO,
            max_chars=120,
            placeholder="ann@example.org",
            help="The address used to sign in. A user without a verified address is listed by "
            "subject and issuer.",
        )
        st.selectbox("Role", list(_MAY), key=_ROLE, format_func=_MAY.__getitem__)
        controls.act("Assign role", "person_add", "share-give", _given, project)


@shelf.action(_REFUSED)
def _given(project: str) -> None:
    who = identity.id_of(st.session_state[_WHO])
    shelf.library().sharing.give(project, who, st.session_state[_ROLE])
    st.session_state[_WHO] = ""


@shelf.action(_REFUSED)
def _taken(project: str, who: str) -> None:
    shelf.library().sharing.give(project, who, None)


def _links(project: str, links: list[ReadingLink]) -> None:
    made: _Made | None = st.session_state.get(_MADE)
    if made is not None and made.project == project:
        st.text(
            "Copy this link now; it is shown only once. Anyone with the link can read the project."
        )
        here = urlsplit(st.context.url or "")
        st.code(
            urlunsplit((here.scheme, here.netloc, "/", urlencode({identity.LINK: made.token}), "")),
            language=None,
            wrap_lines=True,
        )
    if not links:
        st.text("No read-only links. Create one below.")
    for link in links:
        with st.container(horizontal=True, vertical_alignment="center"):
            end = "expired" if link.expires_at <= datetime.now(UTC) else "expires"
            lines = (
                f"{link.label or 'No label'} · {end} {times.day(link.expires_at)}",
                f"Created {times.ago(link.made_at)} by {link.made_by}",
            )
            st.text("\n".join(lines), width="stretch")
            controls.act(
                "Renew link",
                "update",
                f"share-renew-{link.id}",
                _renewed,
                project,
                link.id,
                help="Extends the link by the number of days below, from today.",
            )
            controls.act(
                "Revoke link", "link_off", f"share-revoke-{link.id}", _revoked, project, link.id
            )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("Label", key=_LABEL, max_chars=100, placeholder="e.g. the client")
        st.number_input("Expires after (days)", 1, MAX_DAYS, DAYS, 1, key=_DAYS, width=170)
        controls.act("Create link", "add_link", "share-link", _link_made, project)


@shelf.action(_REFUSED)
def _link_made(project: str) -> None:
    label, days = st.session_state[_LABEL], st.session_state[_DAYS]
    token = shelf.library().links.make(project, label, days)
    st.session_state[_MADE], st.session_state[_LABEL] = _Made(project, token), ""


@shelf.action(_REFUSED)
def _renewed(project: str, link: str) -> None:
    shelf.library().links.renew(project, link, st.session_state[_DAYS])


@shelf.action(_REFUSED)
def _revoked(project: str, link: str) -> None:
    st.session_state.pop(_MADE, None)
    shelf.library().links.revoke(project, link)
