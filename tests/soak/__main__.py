"""``python -m tests.soak --count 5000``: many random projects, what breaks, what is refused."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor

from tests.soak.projects import project_text, random_project
from tests.soak.properties import Outcome, examine


def _one(seed: int, most: int) -> tuple[int, Outcome, float]:
    start = time.process_time()
    outcome = examine(project_text(seed, most), random_project(seed, most))
    return seed, outcome, time.process_time() - start


def _kind(line: str) -> str:
    return " ".join(line.split()[:3]) if line.startswith("internal") else " ".join(line.split()[:2])


def main() -> int:
    """Run the seeds asked for, print what broke by kind with a seed, and the refusals by code."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak")
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--most-gpus", type=int, default=50_000)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    broken: dict[str, list[tuple[int, str]]] = defaultdict(list)
    refused: dict[str, list[tuple[int, str]]] = defaultdict(list)
    spent: Counter[int] = Counter()
    with ProcessPoolExecutor(given.jobs) as pool:
        seeds = range(given.first, given.first + given.count)
        for seed, outcome, seconds in pool.map(_one, seeds, [given.most_gpus] * len(seeds)):
            spent[seed] = seconds
            for line in outcome.broken:
                broken[_kind(line)].append((seed, line))
            if outcome.refused:
                refused[f"{outcome.refused} (exit {outcome.exit_code})"].append(
                    (seed, outcome.message)
                )
    for name, table in (("broken", broken), ("refused", refused)):
        for kind, found in sorted(table.items(), key=lambda item: -len(item[1])):
            projects = sorted({seed for seed, _ in found})
            print(f"{name}: {kind}: {len(projects)} projects, e.g. {projects[:6]}")
            print(f"    {found[0][1][:300]}")
    bad = {seed for found in broken.values() for seed, _ in found}
    turned = {seed for found in refused.values() for seed, _ in found}
    print(
        f"{given.count} projects: {len(bad)} broken, {len(turned)} refused "
        f"({len(turned) / given.count:.1%}), slowest {spent.most_common(3)}"
    )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
