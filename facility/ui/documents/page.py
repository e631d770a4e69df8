"""Place Documents: the set of sheets, previewed by page, issued and downloaded with other files."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import cast

import streamlit as st

from facility.files.io.file_names import safe_file_name
from facility.study.design.design import Design
from facility.ui.controls import download, refused
from facility.ui.documents.issue import show_issue
from facility.ui.documents.verify import show_verification
from facility.ui.downloads.documents import Document, documents_of
from facility.ui.downloads.sheets import GROUPS, ListedSheets
from facility.ui.session import state
from facility.ui.work import runs
from facility.ui.work.ready import generated_file, over
from facility.ui.work.runs import PREVIEW, Run

_SHOWN, _PAGE = "documents-shown", "documents-page"
_DATA = "Data"
_USUAL = ("whole", "project-export")
_FORMATS = {"pdf": "PDF", "dxf": "DXF", "svg": "SVG"}


def show_documents() -> None:
    """Show the list of documents, the page of one of them, and its issue."""
    design, system = state.current(), state.unit_system()
    data = documents_of(design)
    middle, right = st.columns([5, 2], gap="medium")
    with middle:
        first = runs.ask("first sheet", options=(system,), owner=PREVIEW)
        listed = _listed(first)
    if listed:
        st.session_state.setdefault(_SHOWN, listed[0].title)
    chosen, others = _list(listed, data)
    with middle:
        document = next((one for one in data if one.key == st.session_state.get(_SHOWN)), None)
        if document is not None:
            _data(document)
        elif listed:
            key = st.session_state.get(_SHOWN)
            _pages(next((one for one in listed if one.title == key), listed[0]), first, design)
        elif first.state == "done":
            title, number, svg = cast(tuple[str, str, str], first.result())
            _paper(svg, number, title)
        with st.expander("Verify a workbook", icon=":material/verified:"):
            show_verification()
    if listed:
        runs.ask("before set", owner=PREVIEW)
    with right:
        contents = [title for one in chosen for title in one.contents]
        show_issue(design, contents if listed else None, others, len(chosen) + len(others))


def _listed(first: Run) -> Sequence[ListedSheets]:
    """Return the documents of the set; none while a worker lays them out.

    first: The first drawing, which is shown until then.
    """
    run = over("sheets", "Sheets of the set", (state.unit_system(),), owner=PREVIEW, key="sheets")
    if run is None:
        if not first.is_over:
            st.fragment(_wait, run_every=runs.every_s())(first)
        return ()
    if run.error is not None:
        refused("Set not created", run.error)
        return ()
    return cast(tuple[ListedSheets, ...], run.result())


def _wait(first: Run) -> None:
    if first.is_over:
        st.rerun()


def _list(
    listed: Sequence[ListedSheets], data: Sequence[Document]
) -> tuple[list[ListedSheets], list[Document]]:
    """Show the documents by group with check boxes; return the checked sheets and other files."""
    chosen, others = [], []
    with st.sidebar, st.container(gap=None, key="documents-list"):
        for group in GROUPS:
            lines = [one for one in listed if one.group == group]
            if lines:
                st.markdown(f"#### {group}")
            chosen += [one for one in lines if _line(one.title, one.title, len(one.numbers))]
        st.markdown(f"#### {_DATA}")
        for document in data:
            ready = not document.missing
            usual = document.key in _USUAL
            if _line(document.key, document.title, 0, usual=usual, ready=ready):
                others.append(document)
    return chosen, others


def _line(key: str, title: str, pages: int, *, usual: bool = True, ready: bool = True) -> bool:
    """Show a document: its check box, its title as a button, and its number of pages."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", wrap=False):
        checked = st.checkbox(
            f"Include {title}",
            usual and ready,
            key=f"include-{key}",
            disabled=not ready,
            label_visibility="collapsed",
            persist_state="session",
        )
        chosen = st.session_state.get(_SHOWN) == key
        st.button(
            f"{title} ({pages})" if pages else title,
            key=f"show-{key}",
            type="secondary" if chosen else "tertiary",
            width="stretch",
            on_click=_show,
            args=(key,),
        )
    return checked and ready


def _show(key: str) -> None:
    st.session_state[_SHOWN], st.session_state[_PAGE] = key, 0


def _pages(shown: ListedSheets, first: Run, design: Design) -> None:
    """Show one page of a document, with the controls of its pages and its download."""
    count = len(shown.numbers)
    index = min(st.session_state.get(_PAGE, 0), count - 1)
    number = shown.numbers[index]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(shown.title, anchor=False, width="content")
        st.text(f"{number}, page {index + 1} of {count}", width="stretch")
        for name, step, icon in (("Previous page", -1, "left"), ("Next page", 1, "right")):
            st.button(
                name,
                icon=f":material/chevron_{icon}:",
                key=f"page-{icon}",
                on_click=lambda to: st.session_state.update({_PAGE: to}),
                args=(index + step,),
                disabled=not 0 <= index + step < count,
            )
        with st.popover("This document", icon=":material/download:"):
            _alone(shown, design)
    options = state.unit_system(), number
    run = over("sheet", f"Sheet {number}", options, owner=PREVIEW, key="sheet")
    if run is not None and run.error is not None:
        refused("Page not created", run.error)
    elif run is not None:
        _paper(cast(str, run.result()), number, shown.title)
    elif first.state == "done":
        _, known, svg = cast(tuple[str, str, str], first.result())
        if known == number:
            _paper(svg, number, shown.title)


def _paper(svg: str, number: str, title: str) -> None:
    """Show a sheet as an image, in which user text can neither run nor load anything."""
    with st.container(border=True, key="documents-paper"):
        st.image(svg, width="stretch", alt=f"Sheet {number}, {title}")


def _alone(shown: ListedSheets, design: Design) -> None:
    """Show the downloads of one document; its file is created on click."""
    system, contents = state.unit_system(), json.dumps(shown.contents)
    base = safe_file_name(f"{design.facility.identity.name}-{shown.title}")
    for written, title in _FORMATS.items():
        if written == "dxf" and not shown.has_drawings:
            continue
        name = f"{base}.pdf" if written == "pdf" else f"{base}-{written}.zip"
        make = runs.on_request("document", (system, contents, written), f"document {written}")
        download(title, name, cast(Callable[[], bytes], make), f"document-{written}")


def _data(document: Document) -> None:
    """Show one other file: its contents, and its download or the reason why it is missing."""
    st.subheader(document.title, anchor=False)
    st.text(document.missing or document.holds)
    if document.missing:
        return
    key = f"export-{document.key}"
    if document.job:
        generated_file("Download file", document.name, document.job, (document.key,), key)
    else:
        download("Download file", document.name, document.make, key)
