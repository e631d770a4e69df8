"""Cache of designs by project text, each with its studies and charts, within one memory limit.

A design without studies needs a hundredth of the memory. Above the limit, the least recently used
designs first lose their studies, and are evicted only if that is not enough.
"""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field, fields, replace

from facility.study.design.design import Design
from facility.ui.memory.weigh import Scale

CACHE_BYTES = 160 * 2**20
"""Memory limit: about eight designs of 10,000 GPUs with all studies, or a hundred without."""
SPARE_BYTES = 4 * 2**20
"""Part of it for designs without open sessions; they have no studies and take 0.1 s to recreate."""
MAX_DESIGNS = 256
_SIZED = frozenset(one.name for one in fields(Design))
_Part = tuple[str, Hashable]


@dataclass(eq=False)
class CachedDesign:
    """A cached design with its studies and charts."""

    sessions: set[str] = field(default_factory=set)  # Sessions that have displayed it
    lock: threading.RLock = field(default_factory=threading.RLock)  # Locked while it is changed
    design: Design | None = None
    made: OrderedDict[_Part, object] = field(default_factory=OrderedDict)
    _sizes: dict[_Part, int] = field(default_factory=dict)
    _scale: Scale = field(default_factory=Scale)

    @property
    def size(self) -> int:
        """Approximate size in bytes, at the last measurement."""
        return sum(self._sizes.values())

    def weigh(self) -> bool:
        """Measure new parts; return whether there were any."""
        parts = dict(self._parts())
        new = {part: found for part, found in parts.items() if part not in self._sizes}
        values = {part: size for part, size in self._sizes.items() if part in parts}
        self._sizes = values | self._scale.weigh_all(new)
        return bool(new)

    def strip(self) -> None:
        """Remove everything except the sizing."""
        if not self.made and (self.design is None or vars(self.design).keys() <= _SIZED):
            return
        self.made.clear()
        self.design = None if self.design is None else replace(self.design)
        parts = dict(self._parts())
        self._sizes = {part: size for part, size in self._sizes.items() if part in parts}
        self._scale = Scale()

    def _parts(self) -> Iterator[tuple[_Part, object]]:
        values = {} if self.design is None else vars(self.design)
        yield from ((("design", name), value) for name, value in list(values.items()))
        yield from list(self.made.items())


class DesignCache:
    """The design cache, in the order of the last use."""

    def __init__(self, cache_bytes: int = CACHE_BYTES, spare_bytes: int = SPARE_BYTES) -> None:
        self._cache_bytes, self._spare_bytes = cache_bytes, spare_bytes
        self._lock = threading.Lock()
        self._designs: OrderedDict[str, CachedDesign] = OrderedDict()

    @property
    def size(self) -> int:
        """Approximate total size in bytes, at the last measurement."""
        with self._lock:
            return sum(one.size for one in self._designs.values())

    def design(self, text: str, session: str, make: Callable[[], Design]) -> Design:
        """Return the design of a text; concurrent callers share it."""
        one = self._of(text, session)
        with one.lock:
            if one.design is None:
                one.design = make()
            return one.design

    def made(
        self, text: str, session: str, part: _Part, max_entries: int, make: Callable[[], object]
    ) -> object:
        """Return a cached result of the design of a text; `max_entries` with its name are kept."""
        one = self._of(text, session)
        with one.lock:
            if part not in one.made:
                found = make()
                same = [known for known in one.made if known[0] == part[0]]
                for known in same[: max(0, len(same) + 1 - max_entries)]:
                    del one.made[known]
                one.made[part] = found
            one.made.move_to_end(part)
            return one.made[part]

    def has(self, text: str, part: _Part | None = None) -> bool:
        """Return whether a design, or a result of it, is cached."""
        with self._lock:
            one = self._designs.get(text)
        return one is not None and (one.design is not None if part is None else part in one.made)

    def settle(self, is_open: Callable[[str], bool], taken: float = math.inf) -> bool:
        """Measure new results, and evict results above the limits.

        taken: Memory allocated by the process in bytes. While it is within the limit, results for
            open sessions are neither measured nor evicted.

        Returns
        -------
        bool
            Whether memory was released: results were evicted, or a session has closed.
        """
        with self._lock:
            found = list(self._designs.items())
            shown = set[str]().union(*(one.sessions for _, one in found))
            closed = {session for session in shown if not is_open(session)}
            for _, one in found:
                one.sessions -= closed
        spare = [one for one in found if not one[1].sessions]
        for _, one in spare:
            self._unless_busy(one, one.strip)
        dropped = self._weighed_within(spare, self._spare_bytes)
        if taken > self._cache_bytes:
            # The most recent design is in use and never evicted
            last = found[-1:]
            for _, one in last:
                self._unless_busy(one, one.weigh)
            dropped |= self._weighed_within(found[:-1], self._cache_bytes - _size(last))
        return dropped or bool(closed)

    def _of(self, text: str, session: str) -> CachedDesign:
        with self._lock:
            one = self._designs.setdefault(text, CachedDesign())
            one.sessions.add(session)
            self._designs.move_to_end(text)
            while len(self._designs) > MAX_DESIGNS:
                self._designs.popitem(last=False)
            return one

    def _weighed_within(self, found: list[tuple[str, CachedDesign]], max_bytes: int) -> bool:
        """Reduce some designs to `max_bytes` bytes, least recently used first."""
        dropped = False
        for _, one in found:
            self._unless_busy(one, one.weigh)
        for _, one in found:
            if _size(found) > max_bytes:
                dropped |= self._unless_busy(one, one.strip)
        while found and _size(found) > max_bytes:
            (text, _), *found = found
            with self._lock:
                dropped |= self._designs.pop(text, None) is not None
        return dropped

    @staticmethod
    def _unless_busy(one: CachedDesign, work: Callable[[], object]) -> bool:
        """Apply `work` to a design unless it is in use; return whether it was applied."""
        if not one.lock.acquire(blocking=False):
            return False
        try:
            work()
        except RuntimeError:  # a page has changed a pickled object
            return False
        finally:
            one.lock.release()
        return True


def _size(found: list[tuple[str, CachedDesign]]) -> int:
    return sum(one.size for _, one in found)
