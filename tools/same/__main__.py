"""``python -m tools.same --base <commit>``: does the present tree answer as the earlier one did.

The earlier commit is checked out in a temporary folder and runs with the present tree, each in
processes of its own with the same third-party packages. Floats may differ by 1e-12 relative (with
``--exact`` by nothing); text (numbers in it are text), formulas, integers, choices and verdicts
are equal. Masked are the version of the tool and the hash of the reference data.

Exit code 0 when all answers are the same, 1 when any differs, 2 when they could not be had.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from tools.same.answers import Compared, compare_case
from tools.same.cases import Case, gather
from tools.same.report import printed, write
from tools.same.trees import Server, census, census_table, earlier_tree, git

ROOT = Path(__file__).resolve().parents[2]
_LINES = 40
Say = Callable[[str], None]


def ask(tree: Path, out: Path, cases: list[Case], jobs: int, *, quick: bool) -> dict[str, float]:
    """Have `cases` answered by the tree in `jobs` processes; return the seconds of each."""
    waiting: SimpleQueue[Case] = SimpleQueue()
    for case in cases:
        waiting.put(case)
    seconds: dict[str, float] = {}

    def serve() -> None:
        server = Server(tree, out, quick=quick)
        try:
            while True:
                case = waiting.get_nowait()
                done = server.answer(case)
                seconds[case.name] = done["seconds"]
                if done["wrong"]:
                    print(f"{tree.name}: {case.name} {done['wrong']}", file=sys.stderr)
        except Empty:
            pass
        finally:
            server.close()

    with ThreadPoolExecutor(jobs) as pool:
        for end in [pool.submit(serve) for _ in range(jobs)]:
            end.result()
    return seconds


def compare_all(
    cases: list[Case], outs: tuple[Path, Path], jobs: int, *, exact: bool
) -> list[Compared]:
    """Compare the answers of both trees, case by case."""
    names = [case.name for case in cases]
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(partial(compare_case, folders=outs, exact=exact), names))


def run(base: Path, now: Path, folder: Path, asked: Any, say: Say) -> list[Compared]:
    """Ask both trees and compare."""
    started = time.monotonic()
    published = Path(asked.cases) if asked.cases else None
    if published is not None and not published.is_dir():
        say(f"no published cases: there is no folder {published}")
        published = None
    elif published is None:
        say("no published cases: CASES names no folder")
    cases = gather(now, folder / "cases", published, quick=asked.quick)
    if asked.only:
        cases = [case for case in cases if case.name in asked.only]
    outs = folder / "before", folder / "after"
    each = max(1, asked.jobs // 2)
    with ThreadPoolExecutor(2) as pool:
        ends: list[Future[dict[str, float]]] = [
            pool.submit(ask, tree, out, cases, each, quick=asked.quick)
            for tree, out in zip((base, now), outs, strict=True)
        ]
        spent = [end.result() for end in ends]
    slowest = Counter({name: sum(s[name] for s in spent) / 2 for name in spent[0]}).most_common(5)
    compared = compare_all(cases, outs, asked.jobs, exact=asked.exact)
    say(
        f"{len(cases)} cases, {sum(one.answers for one in compared):,} answers and files each, "
        f"{time.monotonic() - started:.0f} s; slowest: "
        + ", ".join(f"{name} {seconds:.0f} s" for name, seconds in slowest)
    )
    return compared


def tell(compared: list[Compared], out: Path, most: int, say: Say) -> int:
    """Say what differs, write all of it to CSV, and return the exit code."""
    alone = Counter(words for one in compared for words in one.one_sided)
    for words, times in list(alone.most_common())[:most]:
        say(f"one tree alone: {words}" + (f" ({times} cases)" if times > 1 else ""))
    found = [difference for one in compared for difference in one.found]
    write(found, out / "differences.csv")
    for line in printed(found, most):
        say(line)
    if found or alone:
        say(f"{len(found):,} differences, {len(alone)} answers of one tree alone; all in {out}")
        return 1
    say("the same")
    return 0


def _arguments(words: list[str] | None) -> Any:
    parser = argparse.ArgumentParser(prog="same", description="Compare with an earlier commit.")
    parser.add_argument("--base", required=True, help="the earlier commit")
    parser.add_argument("--cases", default="", help="folder with projects/*.yaml, panels/*.csv")
    parser.add_argument("--quick", action="store_true", help="fewer cases and questions")
    parser.add_argument("--exact", action="store_true", help="floats equal to the bit")
    parser.add_argument("--jobs", type=int, default=2, help="processes at once, of both trees")
    parser.add_argument("--only", action="append", help="a case by its name; may be repeated")
    parser.add_argument("--no-census", action="store_true", help="do not count tests and lines")
    parser.add_argument("--keep", type=Path, help="folder in which the answers stay")
    parser.add_argument("--lines", type=int, default=_LINES, help="most patterns printed")
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "same")
    return parser.parse_args(words)


def main(words: list[str] | None = None) -> int:
    """Compare the trees as asked; see the module's text."""
    asked = _arguments(words)
    say = partial(print, flush=True)
    with tempfile.TemporaryDirectory(prefix="facility-same-") as name:
        folder = asked.keep or Path(name)
        with earlier_tree(ROOT, asked.base, Path(name) / "tree") as base:
            say(f"before: {git(base, 'log', '-1', '--format=%h %s')}")
            compared = run(base, ROOT, folder, asked, say)
            if not asked.no_census:
                with ThreadPoolExecutor(2) as pool:
                    counts = list(pool.map(census, (base, ROOT)))
                say("\n".join(["", *census_table(*counts), ""]))
        return tell(compared, asked.out, asked.lines, say)


if __name__ == "__main__":
    sys.exit(main())
