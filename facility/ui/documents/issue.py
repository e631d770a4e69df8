"""Issue of the set: identification and revision of the project, and the files to download."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from queue import SimpleQueue
from typing import cast

import streamlit as st

from facility.core.check import counted
from facility.core.errors import FacilityError
from facility.files.io.file_names import safe_file_name
from facility.report.objects.inputs import UNSET, inputs_at
from facility.report.tables.verdict import word_of
from facility.study.design.design import Design
from facility.ui import boxes, controls
from facility.ui.blocks.elements import element, row, show_element
from facility.ui.controls import MIME
from facility.ui.documents import issuing
from facility.ui.downloads.documents import Document
from facility.ui.inspector.box import show_box
from facility.ui.session import identity, opened, state
from facility.ui.work import runs
from facility.ui.work.known import known
from facility.ui.work.ready import generated_file, over

_ISSUED, _DESCRIPTION = "issue-texts", "issue-description"
_LONGEST_S = 600.0
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
    design: Design, contents: Sequence[str] | None, others: Sequence[Document], count: int
) -> None:
    """Show the issue of the next revision, and the download of the chosen documents.

    contents: Titles of the contents of the set; None until they are known: no set is created then,
        because its sheets would be missing.
    others: Further files.
    count: Number of documents, of which one can have several contents.
    """
    revisions = state.session().project.project.revisions or ()
    now = issuing.running()
    mark = now.revision["rev"] if now else next_mark([one.rev for one in revisions])
    st.subheader(f"{'Issuing' if now else 'Issue'} revision {mark}", anchor=False)
    progress = st.container()
    if revisions:
        st.text(f"Revision {revisions[-1].rev} was issued {revisions[-1].date}.")
    _fields(design)
    st.text_input(
        "Description of the revision",
        key=_DESCRIPTION,
        max_chars=200,
        placeholder="Issued for review",
    )
    refused = issuing.refused()
    if refused is not None:
        controls.refused("Not issued", refused)
    keys = [one.key for one in others]
    options = (state.unit_system(), json.dumps(list(contents or ())), json.dumps(keys))
    by = design.facility.identity.originator or signed_in_name()
    empty = "" if contents or others else "Select at least one document first."
    empty = "Available when the sheets are laid out." if contents is None else empty
    why_not = empty if by else "Enter the originator first: each revision states who issued it."
    why_not = "This project is read-only." if opened.reads_only() else why_not
    name = design.facility.identity.name
    _offer(f"{name}-{mark}", mark, by, options, why_not)
    if now:
        with progress:  # in view without scrolling
            st.text(f"Revision {mark} is recorded in the project when its files are complete.")
            title, owner = f"Issuing revision {mark}", issuing.OWNER
            if over("set", title, now.options, text=now.text, owner=owner, key=owner) is not None:
                st.rerun()  # ended since the page began
    last = f"-{revisions[-1].rev}" if revisions else ""
    generated_file(
        "Download without issuing",
        f"{safe_file_name(f'{name}{last}', 'set')}.zip",
        "set",
        options,
        "issue-not",
        width="stretch",
        disabled=bool(empty),
    )
    st.text(
        f"{count:,} document{'' if count == 1 else 's'} in one .zip: sheets as PDF, drawings as "
        f"DXF. Every page carries revision, date and project hash {design.sha256[:12]}."
    )
    _printed(design)


def _offer(name: str, mark: str, by: str, options: tuple[str, ...], why_not: str) -> None:
    """Show the button that issues a revision.

    why_not: Why it cannot be issued; empty if it can.
    """
    issued: SimpleQueue[str | FacilityError] = st.session_state.setdefault(_ISSUED, SimpleQueue())
    file = runs.on_request("set", options, issuing.OWNER, partial(_text_of, issued))
    now = issuing.running()
    st.download_button(
        "Issue and download the set",
        cast(Callable[[], bytes], file),
        f"{safe_file_name(name, 'set')}.zip",
        MIME[".zip"],
        key=issuing.OWNER,
        icon=":material/download:",
        help="Runs every study that is not done; the set has all results.",
        on_click=partial(_issue, mark, by, options, issued),
        type="primary",
        width="stretch",
        disabled=bool(why_not or now),
    )
    if why_not and not now:
        st.text(why_not)


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
    name = signed_in_name()
    # The title has the whole width, the others are in pairs.
    slots = [st.container(), *(one for _ in range(3) for one in st.columns(2, gap="xsmall"))]
    inputs = inputs_at(state.current(), [f"project.{field}" for field in _FIELDS])
    for slot, one, label in zip(slots, inputs, _FIELDS.values(), strict=False):
        signed = name if one.path == "project.originator" and one.value == UNSET else ""
        with slot:
            show_box(replace(one, value=signed) if signed else one, label, "issue")
    status = design.facility.identity.status
    key = boxes.key_of("issue-status", status)
    with slots[-1]:
        st.selectbox(
            "Status",
            _STATUSES,
            _STATUSES.index(status),
            key=key,
            format_func=str.capitalize,
            on_change=boxes.on_entry(key, partial(state.enter, "project.status")),
            disabled=opened.reads_only(),
        )


def _printed(design: Design) -> None:
    """Show the counts that the cover prints; none of them is known before every study is done."""
    now = known()
    st.markdown("#### Printed with the set")
    if not now.whole:
        ended = "" if now.going else f" ({now.still})"
        st.text(f"Counts follow when the studies are done{ended}.")
        return
    counts = counted(now.checks)
    assumed = sum(one.status == "open" for one in design.ledger)
    shown = [(word_of(word, 2).capitalize(), counts[word]) for word in ("VIOLATION", "WARNING")]
    shown += [("Not evaluated", counts["NOT_EVALUATED"]), ("Assumptions not confirmed", assumed)]
    rows = (row((label, f"{count:,}")) for label, count in shown)
    show_element(element("table", *rows, look="block-table"), "issue-printed")


def _issue(
    mark: str, by: str, options: tuple[str, ...], issued: SimpleQueue[str | FacilityError]
) -> None:
    """Begin the issue of a revision; `issued` receives the project with it, or its error."""
    revision = {
        "rev": mark,
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "by": by,
        "description": st.session_state[_DESCRIPTION].strip() or "Issued",
    }
    while not issued.empty():  # of a download that the browser did not request
        issued.get()
    issued.put(issuing.begin(revision, options))


def _text_of(issued: SimpleQueue[str | FacilityError]) -> str:
    """Return the text of the project with the revision, once the click has begun its issue.

    Raises the error of a revision that was rejected.
    """
    found = issued.get(timeout=_LONGEST_S)
    if isinstance(found, FacilityError):
        raise found
    return found
