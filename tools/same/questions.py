"""What both trees are asked: command lines, for each kind of case.

A question goes through the command line alone, because inner modules may move. ``{file}`` stands
for the project of the case, ``{result}`` for every result id that ``design --json`` names, and
``{panel}`` for the first panel that a check names.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Question:
    """One command line, and of which cases it is asked.

    Attributes
    ----------
    id : str
        Name in the report.
    argv : str
        Arguments of the command line, separated by spaces.
    kinds : tuple of str
        Kinds of case to which it applies.
    most_racks : int
        Racks above which it is not asked: the answer would take minutes.
    cold : bool
        Whether it uses a separate design; others share the design of the project.
    quick : bool
        Whether it is asked with ``QUICK=1`` too.
    every : int
        Of the result ids, one in so many is explained of random and published projects.
    """

    id: str
    argv: str
    kinds: tuple[str, ...] = ("reference", "published", "random")
    most_racks: int = 1_000_000
    cold: bool = False
    quick: bool = False
    every: int = 1

    def as_task(self) -> dict[str, Any]:
        """Return the question as the worker reads it."""
        return asdict(self)


_REFERENCE = ("reference",)

OF_PROJECTS = (
    Question("design --json", "design {file} --json", quick=True),
    Question("design --full", "design {file} --full"),
    Question("design ip", "design {file} --full --assumptions --units ip"),
    Question("design", "design {file}"),
    Question("check --json", "check {file} --json"),
    Question("check --full", "check {file} --full", quick=True),
    Question("check --fail-on", "check {file} --fail-on warning"),
    Question("failures --json", "failures {file} --json", quick=True),
    Question("failures", "failures {file}"),
    Question("failures --depth 2", "failures {file} --depth 2 --json", most_racks=12),
    Question("transient --json", "transient {file} --json --out transient.csv", quick=True),
    Question("transient", "transient {file}"),
    Question("transient --load", "transient {file} --load --out load.csv --svg load.svg"),
    Question("transient --load --json", "transient {file} --load --json", quick=True),
    Question("annual --json", "annual {file} --json --out hours.csv", quick=True),
    Question("annual", "annual {file}"),
    Question(
        "sweep --json",
        "sweep {file} --vary criteria.growth=0,0.1 --json --out rows.csv",
        most_racks=100,
    ),
    Question(
        "ranges --json",
        "ranges {file} --samples 4 --range it.load_factor=70%..90% --json --out samples.csv",
    ),
    Question("compare --json", "compare --cooling {file} --json --out compare.svg"),
    Question("compare", "compare --cooling {file}", _REFERENCE, most_racks=100),
    Question("balance --panel", "balance {file} --panel {panel} --json --out {panel}.csv"),
    Question("balance --moves", "balance {panel}.csv --moves --json"),
    Question("export xlsx", "export xlsx {file} --out book.xlsx", quick=True),
    Question("export lists", "export xlsx {file} --lists --out lists.xlsx"),
    Question("export hours", "export xlsx {file} --hours --out hours.xlsx"),
    Question("export split", "export xlsx {file} --split --out split", _REFERENCE, 100),
    Question("export csv", "export csv {file} --out tables"),
    Question("diff", "diff {file} {file} --set site.elevation=900m --json"),
    Question("export svg", "export svg {file} --out line.svg", quick=True),
    Question("export svg full", "export svg {file} --detail full --out full.svg", most_racks=400),
    Question("export svg battery", "export svg {file} --on-battery --units ip --out battery.svg"),
    Question("verify workbook", "verify book.xlsx --json", _REFERENCE, 100),
    Question("import panel", "import panel book.xlsx --project {file} --json", _REFERENCE, 100),
    Question("explain", "explain {result} {file} --json", _REFERENCE),
    Question("explain some", "explain {result} {file} --json", ("published", "random"), every=10),
    Question("explain few", "explain {result} {file} --json", quick=True, every=40),
    Question("explain cold", "explain pue.design {file}", _REFERENCE, cold=True),
)

OF_PANELS = (
    Question("balance", "balance {file} --json --out balanced.csv", ("panel",), quick=True),
    Question("balance va", "balance {file} --objective va --json", ("panel",)),
    Question("balance --moves", "balance {file} --moves --json", ("panel",)),
)

OF_TOOL = (
    Question("version", "--version", ("tool",), quick=True),
    Question("help", "{help}", ("tool",), quick=True),
    Question("catalogue", "catalogue --json", ("tool",), quick=True),
    Question("catalogue table", "catalogue {table} --json", ("tool",)),
    Question("verify", "verify --json", ("tool",)),
    Question("new", "new short.yaml", ("tool",), quick=True),
    Question("design embedded", "design --json", ("tool",)),
    Question("design --set", "design --json --set it.gpus=64", ("tool",), quick=True),
    Question("refusals", "{refused}", ("tool",), quick=True),
)

ALL = OF_PROJECTS + OF_PANELS + OF_TOOL

# Command lines that must end in the same error.
REFUSED = (
    "design none.yaml --json",
    "design --set it.gpu=5 --json",
    "design --set it.gpus=many --json",
    "design --set cooling.method=wind --json",
    "explain no.such_result --json",
    "catalogue equipment/server --json",
    "balance none.csv --json",
    "new short.yaml --template none",
    "fly",
    "design --wings",
)


def asked_of(kind: str, *, quick: bool) -> list[dict[str, Any]]:
    """Return the questions for a case of `kind`, as the worker reads them."""
    found = [q for q in ALL if kind in q.kinds and (q.quick or not quick)]
    few_too = [q for q in found if q.id != "explain few"]
    return [q.as_task() for q in (found if quick else few_too)]
