"""Issue of the set: identification and revision of the project, and the files to download."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import cast

import streamlit as st

from facility.core.check import counted
from facility.core.errors import FacilityError
from facility.files.io.file_names import safe_file_name
from facility.report.tables.verdict import word_of
from facility.study.design.design import Design
from facility.ui import boxes, controls
from facility.ui.downloads.documents import Document
from facility.ui.session import identity, opened, state
from facility.ui.work.known import known
from facility.ui.work.ready import over

_REQUESTED, _REFUSED = "issue-requested", "issue-refused"
_STATUSES = (
    "PRELIMINARY",
    "FOR REVIEW",
    "ISSUED FOR PERMIT",
    "ISSUED FOR CONSTRUCTION",
    "AS BUILT",
)
_FIELDS = {
    "title": "Title",
    "number": "Number",
    "company": "Company",
    "originator": "Originator",
    "checker": "Checker",
    "approver": "Approver",
}


def show_issue(
    design: Design, contents: Sequence[str], others: Sequence[Document], count: int
) -> None:
    """Show the issue of the next revision, and the download of the chosen documents.

    contents: Titles of the contents of the set.
    others: Further files.
    count: Number of documents, of which one can have several contents.
    """
    revisions = state.session().project.project.revisions or ()
    mark = next_mark([one.rev for one in revisions])
    st.subheader(f"Issue revision {mark}", anchor=False)
    if revisions:
        st.text(f"Revision {revisions[-1].rev} was issued {revisions[-1].date}.")
    _fields(design)
    description = st.text_input(
        "Description of the revision",
        key="issue-description",
        max_chars=200,
        placeholder="Issued for review",
    )
    _printed(design)
    refused: FacilityError | None = st.session_state.get(_REFUSED)
    if refused is not None:
        controls.refused("Not issued", refused)
    options = (
        state.unit_system(),
        json.dumps(list(contents)),
        json.dumps([one.key for one in others]),
    )
    by = design.facility.identity.originator or signed_in_name()
    ready = bool(by) and bool(contents or others) and not opened.reads_only()
    if st.button(
        "Issue the set",
        type="primary",
        icon=":material/task_alt:",
        key="issue-now",
        disabled=not ready,
        width="stretch",
        help=None if by else "Enter the originator first: each revision states who issued it.",
    ):
        _issue(mark, by, description)
        if _REFUSED not in st.session_state:
            st.session_state[_REQUESTED] = (state.text(), options)
        st.rerun()
    if st.button(
        "Create without issuing",
        key="issue-not",
        width="stretch",
        disabled=not (contents or others),
    ):
        st.session_state[_REQUESTED] = (state.text(), options)
    _files(design, options)
    st.text(
        f"{count:,} document{'' if count == 1 else 's'} in one .zip: sheets as PDF, drawings as "
        f"DXF. Every page carries revision, date and project hash {design.sha256[:12]}."
    )


def next_mark(marks: Sequence[str]) -> str:
    """Return the mark of the next revision: A after none, B after A, 2 after 1."""
    last = marks[-1] if marks else ""
    if last.isdecimal():
        found = str(int(last) + 1)
    elif len(last) == 1 and last.isascii() and last.isalpha() and last not in "Zz":
        found = chr(ord(last) + 1)
    else:
        found = "A" if not last else f"{last}1"
    return found if found not in marks else f"{found}1"


def signed_in_name() -> str:
    """Return the name of the signed-in user; empty in single-user mode and for a link."""
    visitor = identity.who()
    return "" if visitor is None or visitor.single or visitor.link else visitor.name


def _fields(design: Design) -> None:
    """Show the identification of the project; each entry is an edit of the project."""
    project = state.session().project.project
    name = signed_in_name()
    # The title has the whole width, the others are in pairs.
    slots = [st.container(), *(one for _ in range(3) for one in st.columns(2, gap="xsmall"))]
    for slot, (field, label) in zip(slots, _FIELDS.items(), strict=False):
        shown = getattr(project, field) or ""
        key = boxes.key_of(f"issue-{field}", shown)
        with slot:
            st.text_input(
                label,
                shown,
                key=key,
                max_chars=200,
                on_change=state.of_this(partial(_entered, field, key)),
                placeholder=name if field == "originator" and name else "Not stated",
                disabled=opened.reads_only(),
            )
    status = design.facility.identity.status
    key = boxes.key_of("issue-status", status)
    with slots[-1]:
        st.selectbox(
            "Status",
            _STATUSES,
            _STATUSES.index(status),
            key=key,
            format_func=str.capitalize,
            on_change=state.of_this(partial(_entered, "status", key)),
            disabled=opened.reads_only(),
        )


def _entered(field: str, key: str) -> None:
    state.enter(f"project.{field}", st.session_state[key])


def _printed(design: Design) -> None:
    """Show the counts that the cover prints."""
    now = known()
    counts = counted(now.checks)
    assumed = sum(one.status == "open" for one in design.ledger)
    shown = [(word_of(word, 2).capitalize(), counts[word]) for word in ("VIOLATION", "WARNING")]
    shown += [("Not evaluated", counts["NOT_EVALUATED"]), ("Assumptions not confirmed", assumed)]
    st.markdown("#### Printed with the set")
    grid = st.grid(columns=2, min_column_width=110, gap="xsmall", key="issue-printed")
    for label, count in shown:
        with grid:
            st.metric(label, f"{count:,}")
    if not now.whole:
        st.text("Studies are still running; the counts can grow.")


def _issue(mark: str, by: str, description: str) -> None:
    """Add the revision to the project; store the error if it is rejected."""
    project = state.session().project.project
    first = f"project.revisions.{len(project.revisions or ())}"
    changes = {
        f"{first}.rev": mark,
        f"{first}.date": f"{datetime.now(UTC):%Y-%m-%d}",
        f"{first}.by": by,
        f"{first}.description": description.strip() or "Issued",
    }
    if not project.originator:
        changes["project.originator"] = by
    st.session_state.pop(_REFUSED, None)
    error = state.enter_all(changes, f"revision {mark} issued")
    if error is not None:
        st.session_state[_REFUSED] = error


def _files(design: Design, options: tuple[str, ...]) -> None:
    """Show the progress of the requested set, then its download."""
    if st.session_state.get(_REQUESTED) != (state.text(), options):
        return
    run = over("set", "Set of documents", options, key="set")
    if run is None:
        return
    if run.error is not None:
        st.error(f"Set not created: {run.error.code}", icon=":material/error:")
        st.text(str(run.error))
        return
    revisions = design.facility.identity.revisions
    mark = f"-{revisions[-1][0]}" if revisions else ""
    name = safe_file_name(f"{design.facility.identity.name}{mark}", "set")
    controls.download(
        "Download the set",
        f"{name}.zip",
        lambda: cast(bytes, run.result()),
        "issue-set",
        width="stretch",
    )
