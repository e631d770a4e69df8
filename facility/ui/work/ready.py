"""Studies that a page requires: their progress is displayed until they are done."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import PurePath
from typing import Literal, TypedDict, Unpack, cast

import streamlit as st

from facility.study.parts import is_known, take
from facility.ui.controls import MIME, act, refused
from facility.ui.session import state
from facility.ui.work import runs
from facility.ui.work.progress import RunProgress
from facility.ui.work.runs import Run


class ButtonLook(TypedDict, total=False):
    """Further arguments of a button."""

    type: Literal["primary", "secondary"]
    width: Literal["content", "stretch"]
    disabled: bool


TITLES = {
    "distribution": "conductors and faults",
    "outages": "electrical outages",
    "air": "hall air",
    "hydraulics": "pipes and pumps",
    "liquid": "liquid cooling",
    "plant": "cooling plant",
    "ride-through": "ride-through",
    "load": "job load",
    "year": "annual simulation",
}
"""Title of each study of `PARTS`."""


def ready(*names: str, cancels: bool = True) -> bool:
    """Return whether this session's design has these studies; until then show their progress.

    cancels: Whether the progress has a button to cancel; not next to the one of the verdict.

    Workers run the studies, and the page reruns when they are done. The error of a study is shown
    instead. Without workers, the design runs its studies when they are accessed.
    """
    if runs.workers() is None:
        return True
    pending = _missing(names)
    if not pending:
        return True
    ended = all(run.is_over for run in pending.values())
    every = None if ended else runs.every_s()
    st.fragment(partial(_wait, tuple(names), cancels), run_every=every)()
    return False


def _missing(names: Sequence[str]) -> dict[str, Run]:
    """Request the missing studies of the design, and add the finished ones to it."""
    design, pending = state.current(), dict[str, Run]()
    for name in names:
        if is_known(design, name):
            continue
        run = runs.ask(name)
        if run.state == "done":
            take(design, name, run.result())
        else:
            pending[name] = run
    return pending


def _wait(names: tuple[str, ...], cancels: bool) -> None:
    pending = _missing(names)
    going = [name for name, run in pending.items() if not run.is_over]
    if not going:
        if not pending or any(run.state == "done" for run in pending.values()):
            st.rerun()
        _ended({TITLES[name]: run for name, run in pending.items()})
        return
    _going({TITLES[name]: pending[name] for name in going}, cancels=cancels)


def over(
    job: str,
    title: str,
    options: tuple[str, ...] = (),
    *,
    text: str | None = None,
    owner: str = "project",
    key: str = "run",
    stops: bool = False,
    patience_s: float = 0.0,
) -> Run | None:
    """Return a done or failed run of a job, by default on this session's project.

    Until then return None and show its progress with a cancel button, or one that stops it with a
    partial result. `key` distinguishes several runs on a page. A result within `patience_s` is
    shown at once, without progress.
    """
    ask = partial(runs.ask, job, text, options, owner)
    run = ask()
    run.wait(patience_s)
    if run.state in ("done", "failed"):
        return run
    ended = run.state == "cancelled"
    every = None if ended else runs.every_s()
    st.fragment(partial(_look, ask, title, key, stops, ended), run_every=every)()
    return None


def generated_file(
    title: str, name: str, job: str, options: tuple[str, ...], key: str, **look: Unpack[ButtonLook]
) -> None:
    """Show the download button of a file that a worker creates on the click, with its progress.

    job, options: The job that returns the file, on this session's project.
    key: Key of the button, and owner of the run.
    """
    requested = f"{key}-requested"

    def begin() -> None:
        st.session_state[requested] = state.text(), options
        run = runs.ask(job, None, options, key)
        if run.state == "cancelled":
            run.again()

    st.download_button(
        title,
        cast(Callable[[], bytes], runs.on_request(job, options, key)),
        name,
        MIME[PurePath(name).suffix],
        key=key,
        icon=":material/download:",
        on_click=begin,
        **look,
    )
    if st.session_state.get(requested) != (state.text(), options):
        return
    run = over(job, name, options, owner=key, key=key)
    if run is not None and run.error is not None:
        refused("File not created", run.error)
    elif run is not None:
        del st.session_state[requested]


def _look(ask: Callable[[], Run], title: str, key: str, stops: bool, ended: bool) -> None:
    """Show a run; the page runs again if it is over, or was cancelled or requested again since."""
    run = ask()
    if run.state in ("done", "failed") or (run.state == "cancelled") != ended:
        st.rerun()
    if ended:
        _ended({title: run}, key)
    else:
        _going({title: run}, key, stops=stops)


def _going(
    pending: Mapping[str, Run], key: str = "run", *, stops: bool = False, cancels: bool = True
) -> None:
    """Show the progress of runs by title, and a button that cancels or stops them."""
    with st.container(horizontal=True, vertical_alignment="center"):
        for title, run in pending.items():
            done, whole, _ = run.progress
            part = min(1.0, done / whole) if whole else 0.0
            text = f"{title[:1].upper()}{title[1:]}: {words(run.state, run.progress)}"
            st.progress(part, "; ".join(filter(None, (text, run.duration))), width=420)
        title, icon, end = ("Stop", "stop", _stop) if stops else ("Cancel", "close", cancel)
        if cancels:
            act(title, icon, f"cancel-{key}", end, list(pending.values()))


def words(standing: str, progress: RunProgress) -> str:
    """Return the progress of a run as text."""
    if standing == "waiting":
        return "queued"
    if progress.whole:
        return f"{progress.done:,} of {progress.whole:,} {progress.what}"
    return progress.what or "started"


def _ended(pending: Mapping[str, Run], key: str = "run") -> None:
    """Show cancelled and failed runs by title, and a button to run them again."""
    for title, run in pending.items():
        with st.container(border=True):
            if run.error is None:
                st.text(f"{title[0].upper()}{title[1:]}: cancelled.")
            else:
                st.error(f"Failed: {title}", icon=":material/error:")
                st.text(str(run.error))
    act("Run again", "refresh", f"{key}-again", again, list(pending.values()))


def _stop(pending: Sequence[Run]) -> None:
    for run in pending:
        run.stop()


def cancel(pending: Sequence[Run]) -> None:
    """Cancel these runs."""
    for run in pending:
        run.cancel()


def again(pending: Sequence[Run]) -> None:
    """Request these runs again."""
    for run in pending:
        run.again()
