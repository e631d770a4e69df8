"""Studies that a page needs whole: shown as running until they are there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import streamlit as st

from facility.study.parts import is_known, take
from facility.ui.controls import act
from facility.ui.session import state
from facility.ui.work import runs
from facility.ui.work.progress import RunProgress
from facility.ui.work.runs import Run

TITLES = {
    "distribution": "conductors and faults",
    "outages": "outages",
    "air": "air of the halls",
    "hydraulics": "pipes and pumps",
    "liquid": "liquid cooling",
    "plant": "plant",
    "ride-through": "ride-through",
    "load": "load that moves",
    "year": "the year",
}
"""Each study of `PARTS` in words."""


def ready(*names: str) -> bool:
    """Return whether this session's design has these studies; until then, show how far they are.

    They are worked out beside the page, which runs again when they are there; what refuses a study
    is shown in its place. Without workers a design works out what it is asked.
    """
    if runs.workers() is None:
        return True
    asked = _missing(names)
    if not asked:
        return True
    ended = all(run.state not in ("waiting", "running") for run in asked.values())
    st.fragment(partial(_wait, tuple(names)), run_every=None if ended else runs.every_s())()
    return False


def _missing(names: Sequence[str]) -> dict[str, Run]:
    """Ask for the studies that the design lacks; take those that are done."""
    design, asked = state.current(), dict[str, Run]()
    for name in names:
        if is_known(design, name):
            continue
        run = runs.ask(name)
        if run.state == "done":
            take(design, name, run.result())
        else:
            asked[name] = run
    return asked


def _wait(names: tuple[str, ...]) -> None:
    asked = _missing(names)
    going = [name for name, run in asked.items() if run.state in ("waiting", "running")]
    if not going:
        if not asked or any(run.state == "done" for run in asked.values()):
            st.rerun()
        _ended({TITLES[name]: run for name, run in asked.items()})
        return
    _going({TITLES[name]: asked[name] for name in going})


def over(
    job: str,
    title: str,
    options: tuple[str, ...] = (),
    *,
    text: str | None = None,
    place: str = "project",
    key: str = "run",
) -> Run | None:
    """Return a run of a job, of this session's project by default, that is done or has failed.

    Until then, None: how far it is stands on the page, with what cancels it. `key` tells several
    runs of a page apart.
    """
    ask = partial(runs.ask, job, text, options, place)
    run = ask()
    if run.state in ("done", "failed"):
        return run
    every = None if run.state == "cancelled" else runs.every_s()
    st.fragment(partial(_look, ask, title, key), run_every=every)()
    return None


def _look(ask: Callable[[], Run], title: str, key: str) -> None:
    run = ask()
    if run.state in ("done", "failed"):
        st.rerun()
    (_ended if run.state == "cancelled" else _going)({title: run}, key)


def _going(asked: Mapping[str, Run], key: str = "run") -> None:
    """Show how far runs are, each by its title, and the way to end them."""
    with st.container(horizontal=True, vertical_alignment="center"):
        for title, run in asked.items():
            st.progress(*_shown(title, run), width=420)
        act("Cancel", "close", f"cancel-{key}", cancel, list(asked.values()))


def _shown(title: str, run: Run) -> tuple[float, str]:
    done, whole, _ = run.progress
    part = min(1.0, done / whole) if whole else 0.0
    return part, f"{title[0].upper()}{title[1:]}: {words(run.state, run.progress)}"


def words(standing: str, progress: RunProgress) -> str:
    """Return how far a run is in words."""
    if standing == "waiting":
        return "waiting for its turn"
    if progress.whole:
        return f"{progress.done:,} of {progress.whole:,} {progress.what}"
    return progress.what or "begun"


def _ended(asked: Mapping[str, Run], key: str = "run") -> None:
    """Show what was cancelled or failed, by title, and the way to have it again."""
    for title, run in asked.items():
        with st.container(border=True):
            if run.error is None:
                st.text(f"{title[0].upper()}{title[1:]}: cancelled.")
            else:
                st.error(f"Not done: {title}", icon=":material/error:")
                st.text(str(run.error))
    act("Run again", "refresh", f"{key}-again", again, list(asked.values()))


def cancel(asked: Sequence[Run]) -> None:
    """Wait for these runs no more."""
    for run in asked:
        run.cancel()


def again(asked: Sequence[Run]) -> None:
    """Have these runs asked for again."""
    for run in asked:
        run.again()
