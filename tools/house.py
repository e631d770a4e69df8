"""Print the figures of the house: how long it is, how finely it is cut, what a design enters.

    python -m tools.house            the figures
    python -m tools.house --commits 40

- Lines by floor, and how many functions have a body of over 60 lines.
- Private functions of a module that it calls once; of those the ones of under 10 lines.
- Modules and functions that a minimal design enters, and functions that it enters with different
  traces: what is computed more than once.
- Files of the package that each of the last commits touched.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from types import FrameType

from tests.house.test_size_and_words import MAX_BODY_LINES, functions
from tests.tools.source_tree import ROOT, SHORT, called_once, lines_of, modules

_MINIMAL = """\
schema_version: 1
project: {name: minimal}
site: {station: ashburn}
it: {gpu_model: H100 SXM5, gpus: 256}
"""


def by_floor() -> Counter[str]:
    """Return the lines of the package by its first folders."""
    lines: Counter[str] = Counter()
    for module in modules():
        lines[module.layer or "facility"] += len(module.text.splitlines())
    return lines


def entered() -> tuple[set[str], set[tuple[str, str]], dict[tuple[str, str], int]]:
    """Return modules and functions that a minimal design enters, and with how many traces.

    The design is the second one of its process: one-time reads are excluded.
    """
    import facility
    from facility.core.trace import Trace

    project = facility.project(_MINIMAL)
    facility.design(project)
    package = str(ROOT / "facility")
    calls: set[tuple[str, str]] = set()
    traces: dict[tuple[str, str], set[int]] = defaultdict(set)
    kept: list[object] = []  # An id is used again once its object is gone

    def look(frame: FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(package):
            return
        function = Path(code.co_filename).relative_to(ROOT).as_posix(), code.co_qualname
        calls.add(function)
        trace = frame.f_locals.get("trace")
        if isinstance(trace, Trace):
            kept.append(trace)
            traces[function].add(id(trace))

    sys.setprofile(look)
    facility.design(project)
    sys.setprofile(None)
    again = {name: len(found) for name, found in traces.items() if len(found) > 1}
    return {path for path, _ in calls}, calls, again


def touched(commits: int) -> list[tuple[int, str]]:
    """Return how many files of the package each of the last commits touched, and its subject."""
    asked = ["git", "log", f"-{commits}", "--no-merges", "--format=%x00%s", "--name-only", "--"]
    log = subprocess.run(
        [*asked, "facility"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    found = []
    for one in log.split("\0")[1:]:
        subject, *files = [line for line in one.splitlines() if line]
        found.append((len(files), subject))
    return found


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="house", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--commits", type=int, default=20)
    commits = parser.parse_args().commits
    lines = by_floor()
    print(f"{'lines of facility/':40}{sum(lines.values()):9,}")
    for floor, count in lines.most_common():
        print(f"  {floor:38}{count:9,}")
    bodies = [body for module in modules() for _, body in functions(module)]
    once = [lines_of(node) for module in modules() for node in called_once(module)]
    figures = {
        "modules": len(modules()),
        "functions": len(bodies),
        "median lines of a body": statistics.median(bodies),
        f"bodies of over {MAX_BODY_LINES} lines": sum(body > MAX_BODY_LINES for body in bodies),
        "private functions called once": len(once),
        "  their lines": sum(once),
        f"  of under {SHORT} lines": sum(count < SHORT for count in once),
    }
    paths, calls, again = entered()
    figures |= {
        "modules that a minimal design enters": len(paths),
        "functions that it enters": len(calls),
        "functions with several traces in it": len(again),
    }
    for name, figure in figures.items():
        print(f"{name:40}{figure:9,}")
    for (path, function), count in sorted(again.items(), key=lambda item: -item[1])[:20]:
        print(f"  {count:3} traces  {path} {function}")
    print(f"files of facility/ touched by each of the last {commits} commits")
    for count, subject in touched(commits):
        print(f"  {count:4}  {subject}")


if __name__ == "__main__":
    main()
