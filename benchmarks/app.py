"""The app as its server sees it: edits, cached pages, many sessions at once, memory after them.

Sessions think between their steps, as people do; ``--think 0`` has all begin at one moment and wait
for nothing.

A raw WebSocket client requests reruns as a browser does and reads what is painted, so that this
measures the server and not the painting. ``python -m benchmarks.app --sessions 25 --after 50``.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from facility.cli.verbs.app import server_flags
from facility.files.store.opening import VARIABLE
from facility.files.store.record.outside import HEADS, KEY

_MB = 1e6
_LONGEST_S = 300.0
_WHEN_CLOSED_S = 90.0
JOURNEY = (
    ("power", ""),
    ("ride-through", ""),
    ("cooling", ""),
    ("assumptions", ""),
    ("", "view=summary"),
)
"""Views that a session goes to after its edit; the last shows its numbers again."""


@dataclass
class Painted:
    """One run of the script: when the numbers stood, when it ended, and what went wrong."""

    numbers_s: float = 0.0
    whole_s: float = 0.0
    metrics: dict[str, str] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)


class Visitor:
    """A session of the app, with the widgets and pages that it was shown."""

    def __init__(self, port: int) -> None:
        self._port, self._session = port, ""
        self._socket = self._connected()
        self._sent: dict[str, ForwardMsg] = {}
        self._inputs: dict[str, str] = {}
        self._sections: dict[str, str] = {}
        self._open: dict[str, bool] = {}
        self._values: dict[str, WidgetState] = {}
        self._pages: dict[str, str] = {}
        self._page = ""
        self._again: dict[str, tuple[float, float]] = {}  # Fragments: seconds between, when next

    def _connected(self, *names: str) -> ClientConnection:
        return connect(
            f"ws://127.0.0.1:{self._port}/_stcore/stream",
            subprotocols=[Subprotocol(name) for name in ("streamlit", *names)],
            origin=f"http://127.0.0.1:{self._port}",  # type: ignore[arg-type]
            max_size=None,
            open_timeout=_LONGEST_S,
            legacy=True,
        )

    def opened(self) -> Painted:
        """Open the first page."""
        return self._run()

    def came_back(self) -> Painted:
        """Come back after `close`, as a browser does; give what is painted by itself."""
        self._socket = self._connected("token", self._session)
        return self._painted_whole(time.perf_counter())

    def visit(self, address: str, query: str = "") -> Painted:
        """Go to a page."""
        self._page = self._pages[address]
        return self._run(query=query)

    def unfolded(self, label: str) -> Painted:
        """Open the section called `label`."""
        self._open[self._sections[label]] = True
        return self._run()

    def typed(self, label: str, text: str) -> Painted:
        """Type into the input called `label`."""
        id = next(id for name, id in self._inputs.items() if name.startswith(label))
        self._values[id] = WidgetState(id=id, string_value=text)
        found = self._run()
        self._values.clear()  # Its value is the session's now: the input shows it as given
        return found

    def think(self, seconds: float) -> None:
        """Do nothing for a while; study monitors are redrawn meanwhile."""
        until = time.perf_counter() + seconds
        while self._again:
            name, (every, due) = min(self._again.items(), key=lambda one: one[1][1])
            if due > until:
                break
            time.sleep(max(0.0, due - time.perf_counter()))
            self._again[name] = (every, time.perf_counter() + every)
            self._run(name)
        time.sleep(max(0.0, until - time.perf_counter()))

    def close(self) -> None:
        """Leave."""
        self._socket.close()

    def _run(self, fragment: str = "", query: str = "") -> Painted:
        message = BackMsg()
        message.rerun_script.page_script_hash = self._page
        message.rerun_script.query_string = query
        message.rerun_script.fragment_id = fragment
        message.rerun_script.widget_states.widgets.extend(self._values.values())
        for id, is_open in self._open.items():
            message.rerun_script.widget_states.widgets.add(id=id, bool_value=is_open)
        if not fragment:
            self._again.clear()
        start = time.perf_counter()
        self._socket.send(message.SerializeToString())
        return self._painted_whole(start)

    def _painted_whole(self, start: float) -> Painted:
        found = Painted()
        while True:
            received = self._received()
            kind = received.WhichOneof("type")
            if kind == "new_session":
                self._session = received.new_session.initialize.session_id
            elif kind == "delta":
                self._painted(received.delta, found, time.perf_counter() - start)
            elif kind == "navigation":
                self._pages = {
                    "" if page.is_default else page.url_pathname: page.page_script_hash
                    for page in received.navigation.app_pages
                }
            elif kind == "auto_rerun":
                every, id = received.auto_rerun.interval, received.auto_rerun.fragment_id
                self._again[id] = (every, time.perf_counter() + every)
            elif kind == "script_finished":
                if received.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                    found.whole_s = time.perf_counter() - start
                    return found
                self._again.clear()  # The page runs again, as a whole

    def _received(self) -> ForwardMsg:
        message = ForwardMsg()
        message.ParseFromString(bytes(self._socket.recv(timeout=_LONGEST_S)))  # type: ignore[arg-type]
        if message.WhichOneof("type") == "ref_hash":
            return self._sent[message.ref_hash]
        if message.hash:
            self._sent[message.hash] = message
        return message

    def _painted(self, delta: Delta, found: Painted, at_s: float) -> None:
        if delta.add_block.expandable.label:
            self._sections[delta.add_block.expandable.label] = delta.add_block.id
        element = delta.new_element
        kind = element.WhichOneof("type")
        if kind == "bidi_component":
            given = json.loads(element.bidi_component.json or "{}")
            shown = (
                given.get("numbers") or (given.get("mode") == "numbers" and given["cells"]) or ()
            )
            for one in shown:
                found.metrics[one["label"]] = f"{one['value']} {one.get('unit', '')}".strip()
                found.numbers_s = at_s
        elif kind == "exception":
            found.errors.append(element.exception.message)
        elif kind == "text_input":
            self._inputs[element.text_input.label] = element.text_input.id


@contextlib.contextmanager
def served() -> Iterator[tuple[int, psutil.Process]]:
    """Serve the app with a separate library, and return its port and process."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
    command = [sys.executable, "-m", "facility.ui.serve", *server_flags(), f"--server.port={port}"]
    quiet = subprocess.DEVNULL
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(
            command,
            stdout=quiet,
            stderr=quiet,
            env={
                **os.environ,
                VARIABLE: str(Path(folder) / "projects.sqlite"),
                KEY: str(Path(folder) / "record.key"),
                HEADS: str(Path(folder) / "heads"),
            },
        ) as server,
    ):
        try:
            for _ in range(600):
                try:
                    urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1)
                    break
                except OSError:
                    time.sleep(0.1)
            yield port, psutil.Process(server.pid)
        finally:
            server.terminate()


def _cpu_s(server: psutil.Process) -> float:
    spent = server.cpu_times()
    return float(spent.user + spent.system)


def _told(title: str, times: list[float], cpu_s: float) -> None:
    print(
        f"{title:38s} median {statistics.median(times):6.3f} s, worst {max(times):6.3f} s,"
        f" processor {cpu_s / len(times):6.3f} s each, n={len(times)}"
    )


def edits(port: int, server: psutil.Process, count: int = 7) -> None:
    """Measure an edit of a quick field to its numbers, at about 10,000 GPUs."""
    visitor = Visitor(port)
    visitor.opened()
    visitor.unfolded("Main inputs")
    visitor.typed("Number of GPUs", "9900")
    before, found = _cpu_s(server), []
    for number in range(count):
        found.append(visitor.typed("Number of GPUs", str(10_000 + 160 * number)))
    cpu_s = _cpu_s(server) - before
    _told("edit to numbers", [one.numbers_s for one in found], cpu_s)
    _told("edit to the end of the run", [one.whole_s for one in found], cpu_s)
    assert len({tuple(one.metrics.values()) for one in found}) == count
    visitor.close()


def revisits(port: int, server: psutil.Process, count: int = 5) -> None:
    """Measure every page again, of a design that is known."""
    visitor = Visitor(port)
    visitor.opened()
    for address in [*visitor._pages]:
        visitor.visit(address)
        visitor.visit(address)
        before = _cpu_s(server)
        times = [visitor.visit(address).whole_s for _ in range(count)]
        _told(f"again: /{address}", times, _cpu_s(server) - before)
    visitor.close()


def large(port: int, server: psutil.Process, gpus: int = 100_000) -> None:
    """Measure every page of a large design on its first request."""
    visitor = Visitor(port)
    visitor.opened()
    visitor.unfolded("Main inputs")
    before = _cpu_s(server)
    shown = visitor.typed("Number of GPUs", str(gpus))
    _told(f"{gpus:,} GPUs: edit to numbers", [shown.numbers_s], _cpu_s(server) - before)
    for address in [*visitor._pages]:
        before = _cpu_s(server)
        shown = visitor.visit(address)
        _told(f"{gpus:,} GPUs: /{address}", [shown.whole_s], _cpu_s(server) - before)
    visitor.close()


def _journey(
    port: int, number: int, steps: list[tuple[str, float]], wrong: list[str], think_s: float = 0.0
) -> None:
    thinks = random.Random(number)
    try:
        time.sleep(thinks.uniform(0.0, 2.0 * think_s))
        visitor = Visitor(port)
        shown = visitor.opened()
        steps.append(("open", shown.whole_s))
        steps.append(("main inputs", visitor.unfolded("Main inputs").whole_s))
        visitor.think(thinks.uniform(0.5, 1.5) * think_s)
        gpus = 2_000 + 64 * number
        shown = visitor.typed("Number of GPUs", str(gpus))
        steps.append(("edit", shown.numbers_s))
        own = dict(shown.metrics)
        for address, query in JOURNEY:
            visitor.think(thinks.uniform(0.5, 1.5) * think_s)
            shown = visitor.visit(address, query)
            steps.append((f"/{address}?{query}", shown.whole_s))
            wrong.extend(shown.errors)
        if shown.metrics != own:
            wrong.append(f"session {number}: {shown.metrics} are not {own}")
        visitor.close()
    except Exception as error:
        wrong.append(f"session {number}: {type(error).__name__} {error}")


def sessions(port: int, server: psutil.Process, count: int, think_s: float) -> None:
    """Measure concurrent sessions, each with a separate design."""
    steps: list[tuple[str, float]] = []
    wrong: list[str] = []
    before = _cpu_s(server)
    _at_once(count, lambda number: _journey(port, number, steps, wrong, think_s))
    cpu_s = _cpu_s(server) - before
    for title in dict.fromkeys(title for title, _ in steps):
        _told(f"{count} sessions: {title}", [s for name, s in steps if name == title], 0.0)
    times = sorted(s for _, s in steps)
    print(
        f"{count} sessions: median {statistics.median(times):.2f} s,"
        f" p95 {times[int(0.95 * (len(times) - 1))]:.2f} s, processor {cpu_s:.1f} s, {wrong=}"
    )


def _at_once(count: int, run: Callable[[int], None]) -> None:
    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def memory(port: int, server: psutil.Process, count: int) -> None:
    """Measure what memory of a new server is left when so many sessions have come and gone."""
    visitor = Visitor(port)
    visitor.opened()
    visitor.close()
    start = server.memory_info().rss / _MB
    for number in range(count):
        steps: list[tuple[str, float]] = []
        wrong: list[str] = []
        _journey(port, 100 + number, steps, wrong)
        if wrong:
            print(wrong)
        if number % 10 == 9:
            print(f"after {number + 1} sessions: {server.memory_info().rss / _MB:.0f} MB")
    time.sleep(_WHEN_CLOSED_S)
    now = server.memory_info().rss / _MB
    print(f"memory: start {start:.0f} MB, after {count} sessions {now:.0f} MB")


def main() -> None:
    """Print all of it."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--sessions", type=int, default=25)
    asked.add_argument("--after", type=int, default=50)
    asked.add_argument("--think", type=float, default=4.0, help="seconds between steps, the mean")
    options = asked.parse_args()
    with served() as (port, server):
        edits(port, server)
        revisits(port, server)
        large(port, server)
        if options.sessions:
            sessions(port, server, options.sessions, options.think)
    if options.after:
        with served() as (port, server):
            memory(port, server, options.after)


if __name__ == "__main__":
    main()
