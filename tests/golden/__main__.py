"""``python -m tests.golden``: print what moved since the record, and write the record anew.

What the cards of the examples say in the app is written anew too.

What it prints belongs into CHANGELOG.md under *Results*, with its reason.
"""

from __future__ import annotations

import math
import sys
from collections import defaultdict

from tests.golden.projects import PROJECTS, asked
from tests.golden.record import RECORD, Moved, moved, recorded, write
from tests.ui.library import example_facts


def main() -> int:
    """Print every place that moved, the worst first, with the projects it moved in; write."""
    before = recorded() if RECORD.exists() else {}
    after = {name: asked(name) for name in PROJECTS}
    by_place: dict[str, list[Moved]] = defaultdict(list)
    for name in after:
        for one in moved(name, before.get(name, {}), after[name]):
            by_place[one.place].append(one)
    for many in sorted(by_place.values(), key=lambda many: -max(one.part for one in many)):
        worst = max(many, key=lambda one: one.part if math.isfinite(one.part) else 1e9)
        print(f"{worst} in {len(many)} of {len(after)} projects, first {worst.project}")
    print(f"{len(by_place)} places moved")
    write(after)
    example_facts.write()
    return 0


if __name__ == "__main__":
    sys.exit(main())
