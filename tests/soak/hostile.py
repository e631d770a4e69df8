"""``python -m tests.soak.hostile --count 2000``: projects with fields nobody would type.

A small project with one to three fields set to zero, negative, tiny, huge, not finite, other
scripts, or the ends of what the section allows. Each is designed or refused with a code; what
breaks is a traceback, an error of the program (exit code 1), or a design without end.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import sys
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from types import FrameType
from typing import Any

from facility.core.errors import FacilityError
from facility.core.kinds import KINDS
from facility.files.project.file import parse_project
from facility.model.inputs.declare import Entry, leaves
from facility.model.inputs.document import Project
from facility.model.inputs.scalars import _Count, _Quantity
from facility.study.design.design import design

BASES: tuple[dict[str, Any], ...] = (
    {
        "it": {"gpu_model": "H100 SXM5", "gpus": "64"},
        "power": {"redundancy": "N+1"},
        "cooling": {"method": "air"},
    },
    {
        "it": {"gpu_model": "B200 NVL72", "gpus": "144"},
        "power": {"redundancy": "2N"},
        "cooling": {"method": "hybrid"},
    },
    {
        "it": {
            "halls": [
                {
                    "name": "A",
                    "racks": [
                        {
                            "name": "R",
                            "count": "4",
                            "devices": [{"model": "DGX H100", "count": "2"}],
                        }
                    ],
                }
            ]
        },
        "criteria": {"code": "IEC"},
        "power": {"redundancy": "N"},
        "cooling": {"method": "air"},
    },
)
_NUMBERS = (
    "0",
    "-1",
    "1e-9",
    "0.001",
    "0.1",
    "0.5",
    "1",
    "2",
    "10",
    "100",
    "1000",
    "1e6",
    "1e9",
    "1e12",
    "1e300",
    "1e999",
    "nan",
    "inf",
    "-0",
    "١٢",
    "１２",
    "1/0",
    "9**9",
    "",
)
_COUNTS = (
    "0",
    "1",
    "2",
    "3",
    "5",
    "7",
    "12",
    "100",
    "999",
    "10000",
    "100000",
    "10000000",
    "999999999",
    "9" * 30,
    "-1",
    "1.5",
    "1e3",
    "٣",
    "none",
)
_WORDS = (
    "",
    " ",
    "x" * 65,
    "ä€𝄞",
    "‮abc",
    "=1+1",
    "<b>",
    "../../etc/passwd",
    "A\u0000",
    "null",
    "A",
    "B",
    "H100 SXM5",
    "DGX H100",
    "𝟙",
    "\ud800",
    "e\u0301" * 20,
)


FIELDS = tuple(entry for entry in leaves(Project) if entry.path != "schema_version")
PLAIN = tuple(entry for entry in FIELDS if "[]" not in entry.path and not entry.many)


def _value(entry: Entry, draw: random.Random) -> str:
    if entry.words:
        return str(draw.choice([*entry.words, "nonsense"]))
    mark = entry.type
    if isinstance(mark, _Count):
        return draw.choice(_COUNTS)
    if isinstance(mark, _Quantity):
        bounds = [b for b in (mark.minimum, mark.above, mark.maximum) if b is not None]
        if bounds and draw.random() < 0.5:
            return f"{draw.choice(bounds):g} {KINDS[mark.kind].si}".strip()
        number = draw.choice(_NUMBERS)
        return f"{number} {draw.choice([*KINDS[mark.kind].units, KINDS[mark.kind].si])}".strip()
    return draw.choice(("true", "false", *_WORDS))


def _set(holder: dict[str, Any], path: tuple[str, ...], value: str) -> None:
    name, *rest = path
    if not rest:
        holder[name] = value
    elif rest[0] == "[]":
        items = holder.setdefault(name, [])
        if len(rest) == 1:
            items.append(value)
        else:
            items.append({}) if not items else None
            _set(items[0], tuple(rest[1:]), value)
    else:
        _set(holder.setdefault(name, {}), tuple(rest), value)


def hostile_project(seed: int) -> str:
    """Return the hostile project of a seed, as JSON."""
    draw = random.Random(seed)
    project = json.loads(json.dumps({"schema_version": 1, **draw.choice(BASES)}))
    fields = FIELDS if draw.random() < 0.2 else PLAIN
    for entry in draw.sample(fields, draw.randint(1, 3)):
        path = tuple((entry.path + "[]" * entry.many).replace("[]", ".[]").split("."))
        try:
            _set(project, path, _value(entry, draw))
        except (AttributeError, TypeError, KeyError):
            continue  # another draw has put a value where this one needs a section
    return json.dumps(project)


def broken(text: str, seconds: int = 30) -> tuple[str, str]:
    """Return what breaks ("" for nothing) and how the project ended: designed or a code."""

    def too_long(_: int, __: FrameType | None) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, too_long)
    signal.alarm(seconds)
    try:
        found = design(parse_project(text))
        assert found.checks
        assert len(found.all_results)
    except FacilityError as error:
        return (str(error) if error.exit_code == 1 else ""), error.code
    except TimeoutError:
        return f"no end in {seconds} s", "TIMEOUT"
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__}: {error} at {last.filename}:{last.lineno}", "TRACEBACK"
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    return "", "designed"


def _one(seed: int) -> tuple[str, str]:
    return broken(hostile_project(seed))


def main() -> int:
    """Run the seeds asked for; print what broke with its project, and the ends by code."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.hostile")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    ends: Counter[str] = Counter()
    failed = 0
    seeds = range(given.first, given.first + given.count)
    with ProcessPoolExecutor(given.jobs) as pool:
        for seed, (why, end) in zip(seeds, pool.map(_one, seeds), strict=True):
            ends[end] += 1
            if why:
                failed += 1
                sys.stdout.write(f"{seed}: {why}\n  {hostile_project(seed)}\n")
                sys.stdout.flush()
    sys.stdout.write(", ".join(f"{code} {n}" for code, n in ends.most_common()) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
