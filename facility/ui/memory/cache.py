"""Designs of this server by project text, each with its studies and charts, within one limit.

The size of a design is estimated from its racks. Above the limit, the least recently used designs
are removed. Designs that open sessions show have a larger limit: without it, each of many sessions
would repeat its studies on every run.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import nullcontext
from dataclasses import dataclass, field

import streamlit as st
from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from facility.study.design.design import Design
from facility.study.studies import PARTS

CACHE_BYTES = 24 * 2**20
"""Memory limit: one small design with all studies, or ten of 10,000 GPUs without."""
SHOWN_BYTES = 512 * 2**20
"""Memory limit of the designs that open sessions show."""
_SHOWN_TEXTS = 2
"""Designs that a session shows: after a change, numbers and objects of the one before."""
_STUDIES = frozenset(PARTS.values())
_BYTES, _RACK_BYTES = 1_000_000, 3_000
_STUDIED_BYTES, _STUDIED_RACK_BYTES = 14_000_000, 50_000
"""Measured memory per design and per rack, without and with studies."""
_Part = tuple[str, Hashable]


@dataclass(eq=False)
class CachedDesign:
    """A cached design with its studies and charts."""

    lock: threading.RLock = field(default_factory=threading.RLock)  # Locked while it is changed
    design: Design | None = None
    made: OrderedDict[_Part, object] = field(default_factory=OrderedDict)

    @property
    def is_studied(self) -> bool:
        """Whether a study of the design is known."""
        return self.design is not None and not _STUDIES.isdisjoint(vars(self.design))

    @property
    def size(self) -> int:
        """Approximate size in bytes."""
        racks = 0 if self.design is None else int(self.design.results["load.racks"].si)
        if self.is_studied:
            return _STUDIED_BYTES + racks * _STUDIED_RACK_BYTES
        return _BYTES + racks * _RACK_BYTES


class DesignCache:
    """The design cache, in the order of the last use."""

    def __init__(self, cache_bytes: int = CACHE_BYTES) -> None:
        self._cache_bytes, self._lock = cache_bytes, threading.Lock()
        self._designs: OrderedDict[str, CachedDesign] = OrderedDict()
        self._shown: dict[str, tuple[str, ...]] = {}  # Last texts of each session

    @property
    def size(self) -> int:
        """Approximate total size in bytes."""
        with self._lock:
            return sum(one.size for one in self._designs.values())

    def design(self, text: str, make: Callable[[], Design]) -> Design:
        """Return the design of a text; concurrent callers share it."""
        one = self._of(text)
        with one.lock:
            if one.design is None:
                one.design = make()
                self.reduce(one)
            return one.design

    def made(self, text: str, part: _Part, max_entries: int, make: Callable[[], object]) -> object:
        """Return a cached result of the design of a text; `max_entries` with its name are kept."""
        one = self._of(text)
        with one.lock:
            if part not in one.made:
                found = make()
                same = [known for known in one.made if known[0] == part[0]]
                for known in same[: max(0, len(same) + 1 - max_entries)]:
                    del one.made[known]
                one.made[part] = found
                self.reduce(one)
            one.made.move_to_end(part)
            return one.made[part]

    def has(self, text: str, part: _Part | None = None) -> bool:
        """Return whether a design, or a result of it, is cached."""
        with self._lock:
            one = self._designs.get(text)
        return one is not None and (one.design is not None if part is None else part in one.made)

    def _of(self, text: str) -> CachedDesign:
        with self._lock:
            one = self._designs.setdefault(text, CachedDesign())
            self._designs.move_to_end(text)
            if session_id():
                others = [t for t in self._shown.get(session_id(), ()) if t != text]
                self._shown[session_id()] = (*others, text)[-_SHOWN_TEXTS:]
            return one

    @property
    def sessions(self) -> tuple[str, ...]:
        """The sessions that have shown designs, until they are forgotten."""
        with self._lock:
            return tuple(self._shown)

    def forget(self, session: str) -> None:
        """Forget a session that does not return."""
        with self._lock:
            self._shown.pop(session, None)

    def reduce(self, used: CachedDesign | None = None) -> None:
        """Reduce the designs to the limits, except `used` and designs locked by other threads."""
        with self._lock:
            shown = {text for name, texts in self._shown.items() if is_open(name) for text in texts}
            for is_shown, limit in ((False, self._cache_bytes), (True, SHOWN_BYTES)):
                group = [text for text in self._designs if (text in shown) is is_shown]
                size = sum(self._designs[text].size for text in group)
                for text in group:
                    one = self._designs[text]
                    if size <= limit or one is used or not one.lock.acquire(blocking=False):
                        continue
                    size -= one.size
                    del self._designs[text]
                    one.lock.release()


CACHE = DesignCache()


def session_id() -> str:
    """Return the id of the session whose page runs; empty outside a page."""
    context = get_script_run_ctx()
    return "" if context is None else context.session_id


def is_served() -> bool:
    """Return whether this process is a server; the mock runtime of a test is not."""
    return type(Runtime._instance) is Runtime


def is_open(session: str) -> bool:
    """Return whether a session is open; without a server, as in tests, always."""
    return not is_served() or Runtime.instance().is_active_session(session)


def cached_design(text: str, make: Callable[[str], Design], words: str) -> Design:
    """Return the cached design of a project text, with the spinner text `words` while designing."""
    waiting = nullcontext() if CACHE.has(text) else st.spinner(words)
    with waiting:
        return CACHE.design(text, lambda: make(text))
