"""The jobs of the workers. A new job is a row in `JOBS`."""

from __future__ import annotations

import base64
import contextlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, cast

from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.core.views import System
from facility.power.panels.balance.effort import Progress
from facility.power.panels.balance.lines import Objective
from facility.power.panels.balance.one_panel import balance
from facility.power.panels.board.model import Panel
from facility.power.panels.moves.pareto import pareto_moves
from facility.study.brief.alternatives import rejected_methods
from facility.study.compare.ways import compare_cooling
from facility.study.design.design import Design
from facility.study.failures.study import failures, states_to_solve
from facility.study.fixes.propose import fixes
from facility.study.parts import part_of
from facility.study.ranges.draw import Method
from facility.study.ranges.study import ranges
from facility.study.shortlist import Candidate, best_first, models, offered, shortlist
from facility.study.studies import PARTS
from facility.study.sweep.studies import STUDIES
from facility.ui.work.progress import RunProgress, Tell
from facility.ui.work.remedy import remedies
from facility.ui.work.scenario_board import board_of, designed_scenarios

if TYPE_CHECKING:
    from facility.files.issue.write import Format


class Key(NamedTuple):
    """Key of a job: sessions that request the same key share its result."""

    job: str  # A name of `JOBS`
    text: str  # The project, as `dump_project` writes it
    options: tuple[str, ...] = ()  # Further arguments of the job

    @property
    def size(self) -> int:
        """Approximate size of the options in bytes."""
        return sum(map(len, self.options))


@dataclass(frozen=True)
class JobFound:
    """Result of a job."""

    checks: tuple[Check, ...] = ()  # Checks of the design
    whole: object = None  # Complete result, if the page needs it


def result_of(make: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
    """Run the job of a key.

    Raises the error of the job; ``Cancelled`` from `tell`.
    """
    found = JOBS[key.job](make, key, tell)
    return found if isinstance(found, JobFound) else JobFound(whole=found)


Job = Callable[[Callable[[], Design], Key, Tell], object]
"""A job: receives a function that returns the design, its key, and the progress callback.

It returns its complete result; a study a `JobFound`.
"""


def _study(name: str, *, whole: bool) -> Job:
    """Return the job of a study: its checks, and if `whole` all for `facility.study.parts.take`."""

    def job(make: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
        tell(RunProgress(what="designing"))
        design = make()
        tell(RunProgress())
        if name == "outages":
            with contextlib.suppress(FacilityError):  # the checks of the study report it
                states = states_to_solve(design)
                failures(design, progress=lambda n: tell(RunProgress(n, states, "states solved")))
        checks = STUDIES[name](design).checks
        return JobFound(checks, part_of(design, name) if whole else None)

    return job


def _of_design(run: Callable[[Design, Key, Tell], object], *what: str) -> Job:
    """Return the job that runs on the design; `what` it does, in words, before and after it."""

    def job(make: Callable[[], Design], key: Key, tell: Tell) -> object:
        first, *then = what or ("designing",)
        tell(RunProgress(what=first))
        design = make()
        for words in then:
            tell(RunProgress(what=words))
        return run(design, key, tell)

    return job


def _fixes(design: Design, key: Key, tell: Tell) -> object:
    """Search for fixes of all failed checks, or of the check named in the options."""
    rule, subject = key.options or ("", "")
    return fixes(
        design,
        lambda number: tell(RunProgress(number, what="designs evaluated")),
        of=(rule, subject) if rule else None,
    )


def _remedy(design: Design, key: Key, tell: Tell) -> object:
    """Search for the changes that make the entries in the options possible."""
    entries = dict(zip(key.options[::2], key.options[1::2], strict=True))
    made = partial(RunProgress, what="designs evaluated")
    return remedies(design.project, entries, lambda number: tell(made(number)))


def _shortlist(design: Design, key: Key, tell: Tell) -> object:
    """Evaluate every catalogue model of the unit named in the options, best first."""
    choice = next(one for one in offered(design) if one.title == key.options[0])
    found, whole = list[Candidate](), models(choice)
    for option in shortlist(design.project, choice):
        found.append(option)
        tell(RunProgress(len(found), whole, "models evaluated"))
    return best_first(found)


def _ranges(design: Design, key: Key, tell: Tell) -> object:
    """Run the ranges with the samples, seed and method in the options."""
    samples, seed, method = key.options
    return ranges(
        design,
        int(samples),
        int(seed),
        cast(Method, method),
        progress=lambda done, whole: tell(RunProgress(done, whole, "years")),
    )


def _panel(design: Design, key: Key) -> tuple[Panel, Objective]:
    """Return the panel and the objective named in the options."""
    tag, objective = key.options
    panel = next(one for one in design.panels.panels if one.tag == tag)
    return panel, cast(Objective, objective)


def _proof(design: Design, key: Key, tell: Tell) -> object:
    """Balance a panel to a proven optimum, or up to the node limit."""

    def looked(now: Progress) -> None:
        above = now.reached / now.bound - 1.0 if now.bound > 0.0 else 0.0
        what = f"nodes searched, {above:.3%} above the bound"
        tell(RunProgress(now.nodes, now.node_limit, what))

    return balance(*_panel(design, key), exact=True, progress=looked)


def _sweep(make: Callable[[], Design], key: Key, tell: Tell) -> object:
    """Run the sweep described by the options, in the folder they name."""
    from facility.ui.work.sweep.designs import made  # needed only by the sweep worker

    request, folder, _ = key.options
    return made(key.text, request, folder, tell)


def _scenarios(make: Callable[[], Design], key: Key, tell: Tell) -> object:
    """Design the project and every scenario of the board in the text."""
    board = board_of(key.text)
    whole = 1 + len(board.names)
    return designed_scenarios(board, lambda n: tell(RunProgress(n, whole, "designed")))


def _brief(make: Callable[[], Design], key: Key, tell: Tell) -> object:
    """Answer the questions of a new project, or change one so that they can be answered."""
    from facility.ui.work.answers import answer, change  # needed only here

    if key.job == "brief change":
        return change(key.text)
    tell(RunProgress(what="designing"))
    return answer(key.text, lambda n: tell(RunProgress(n, what=f"sizes evaluated: {n:,}")))


def _brief_goal(design: Design, key: Key, tell: Tell) -> object:
    """Check a new project, and search for the redundancy that meets its goal."""
    from facility.ui.work.answers import goal_of

    return goal_of(design, lambda n: tell(RunProgress(n, what=f"redundancy {n} of 4")))


def _file(design: Design, key: Key, tell: Tell) -> object:
    """Create the file named in the options."""
    from facility.ui.downloads.documents import documents_of  # slow import, needed only here

    document = next(one for one in documents_of(design) if one.key == key.options[0])
    tell(RunProgress(what="writing the file"))
    return document.make()


def _sheet(design: Design, key: Key, tell: Tell) -> object:
    """List the documents of the set, draw one of its sheets, or write it, as the job says.

    The first drawing is drawn before the others are laid out.
    """
    from facility.ui.downloads import sheets  # slow import, needed only here

    units, *more = key.options
    system = cast(System, units)
    if key.job == "sheets":
        return sheets.listed_sheets(design, system)
    if key.job == "first sheet":
        return sheets.first_page(design, system)
    if key.job == "sheet":
        return sheets.page_svg(design, system, *more)
    contents, written = more
    return sheets.one_document(design, system, json.loads(contents), cast("Format", written))


def _before_set(design: Design, key: Key, tell: Tell) -> object:
    """Run the studies of a set before it is requested: the worker keeps them with the design."""
    from facility.ui.downloads import documents, sheets  # noqa: F401 - slow imports of `_set`

    for number, (name, attribute) in enumerate(PARTS.items()):
        tell(RunProgress(number, len(PARTS), f"studies, {name}"))
        getattr(design, attribute)
    return None


def _set(design: Design, key: Key, tell: Tell) -> object:
    """Write the contents and other files in the options as one archive.

    The studies that they need run first, so that the progress names each of them.
    """
    from facility.ui.downloads.documents import documents_of
    from facility.ui.downloads.sheets import set_archive

    _before_set(design, key, tell)
    units, contents, keys = key.options[0], *map(json.loads, key.options[1:])
    others, laid_out = list[tuple[str, bytes]](), set[str]()
    for document in (one for one in documents_of(design) if one.key in keys):
        tell(RunProgress(len(others), len(keys), f"files, {document.title}"))
        others.append((document.name, document.make()))

    def report(what: str) -> None:
        tell(RunProgress(len(laid_out), len(contents), f"documents, {what}"))
        laid_out.update({what} & set(contents))

    tell(RunProgress(0, len(contents), "documents"))
    return set_archive(design, cast(System, units), contents, others, report)


def _verified(make: Callable[[], Design], key: Key, tell: Tell) -> object:
    """Recalculate the workbook contained in the options."""
    from facility.ui.downloads.verified import verified

    tell(RunProgress(what="recalculating every cell"))
    return verified(base64.b64decode(key.options[0]))


JOBS: Mapping[str, Job] = {
    "design": lambda make, key, tell: make(),
    **{f"checks of {name}": _study(name, whole=False) for name in PARTS},
    **{name: _study(name, whole=True) for name in PARTS},
    "results": _of_design(lambda design, *_: design.all_results, "all results"),
    "fixes": _of_design(_fixes, "all checks"),
    "fix": _of_design(_fixes, "all checks"),
    "remedy": _of_design(_remedy),
    "cooling methods": _of_design(
        lambda design, *_: compare_cooling(design.project), "designing five methods at 25 densities"
    ),
    "shortlist": _of_design(_shortlist),
    "scenarios": _scenarios,
    "brief": _brief,
    "brief change": _brief,
    "brief goal": _of_design(_brief_goal, "all studies"),
    "rejected methods": lambda make, key, tell: rejected_methods(key.options[0]),
    "file": _of_design(_file),
    "long file": _of_design(_file),
    "first sheet": _of_design(_sheet),
    "sheets": _of_design(_sheet, "designing", "laying out the sheets"),
    "sheet": _of_design(_sheet),
    "document": _of_design(_sheet),
    "before set": _of_design(_before_set),
    "set": _of_design(_set),
    "verify": _verified,
    "ranges": _of_design(_ranges),
    "panel balance": _of_design(
        lambda design, key, _: balance(*_panel(design, key)), "designing", "balancing"
    ),
    "panel proof": _of_design(_proof),
    "panel moves": _of_design(
        lambda design, key, _: pareto_moves(*_panel(design, key)), "designing", "comparing plans"
    ),
    "sweep": _sweep,
}
"""Jobs by name: complete studies, only the checks of a study, all results, searches, files."""
AUTOMATIC = frozenset(
    {"results", "fixes", "brief goal", "rejected methods", *(f"checks of {name}" for name in PARTS)}
)
"""Jobs that pages request automatically; jobs requested by the user have priority."""
_OF_PANELS = {"panel balance", "panel proof", "panel moves"}
UNTITLED = AUTOMATIC | _OF_PANELS | {*PARTS, "fix", "shortlist"}
"""Jobs that run without the identification of the project, so that an edit of it keeps them: all
of the owner `project`, which has jobs on one text at a time."""
LANES: Mapping[str, str] = {
    "design": "design",
    "ranges": "minutes",
    "long file": "minutes",
    "before set": "minutes",
    "set": "minutes",
    "sweep": "sweep",
}
"""Jobs with a dedicated worker, so that none waits for another: edits, minutes, hours."""
