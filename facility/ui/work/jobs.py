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
from facility.ui.work.remedy import remedy
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


Job = Callable[[Callable[[], Design], Key, Tell], JobFound]
"""A job: receives a function that returns the design, its key, and the progress callback."""


def _study(name: str, *, whole: bool) -> Job:
    """Return the job of a study: its checks, and if `whole` all for `facility.study.parts.take`."""

    def job(make: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
        tell(RunProgress(what="designing"))
        design = make()
        tell(RunProgress())
        if name == "outages":
            _solve(design, tell)
        checks = STUDIES[name](design).checks
        return JobFound(checks, part_of(design, name) if whole else None)

    return job


def _solve(design: Design, tell: Tell) -> None:
    """Solve the outages and report progress; the checks of the study report any error."""
    with contextlib.suppress(FacilityError):
        whole = states_to_solve(design)
        failures(design, progress=lambda done: tell(RunProgress(done, whole, "states solved")))


def _results(design: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
    """Calculate every result, including the results of all studies."""
    tell(RunProgress(what="all results"))
    return JobFound(whole=design().all_results)


def _fixes(design: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
    """Search for fixes of all failed checks, or of the check named in the options."""

    def tried(number: int) -> None:
        tell(RunProgress(number, what="designs evaluated"))

    rule, subject = key.options or ("", "")
    tell(RunProgress(what="all checks"))
    return JobFound(whole=fixes(design(), tried, of=(rule, subject) if rule else None))


def _remedy(design: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
    """Search for the changes that make the entries in the options possible."""
    entries = dict(zip(key.options[::2], key.options[1::2], strict=True))
    made = partial(RunProgress, what="designs evaluated")
    return JobFound(whole=remedy(design().project, entries, lambda number: tell(made(number))))


def _methods(design: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
    """Compare five cooling methods for the racks."""
    tell(RunProgress(what="designing five methods at 25 densities"))
    return JobFound(whole=compare_cooling(design().project))


def _shortlist(design: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
    """Evaluate every catalogue model of the unit named in the options, best first."""
    tell(RunProgress(what="designing"))
    choice = next(one for one in offered(design()) if one.title == key.options[0])
    found, whole = list[Candidate](), models(choice)
    for option in shortlist(design().project, choice):
        found.append(option)
        tell(RunProgress(len(found), whole, "models evaluated"))
    return JobFound(whole=best_first(found))


def _ranges(design: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
    """Run the ranges with the samples, seed and method in the options."""
    samples, seed, method = key.options
    tell(RunProgress(what="designing"))
    found = ranges(
        design(),
        int(samples),
        int(seed),
        cast(Method, method),
        progress=lambda done, whole: tell(RunProgress(done, whole, "years")),
    )
    return JobFound(whole=found)


def _panel(design: Callable[[], Design], key: Key, tell: Tell) -> tuple[Panel, Objective]:
    """Return the panel and the objective named in the options."""
    tag, objective = key.options
    tell(RunProgress(what="designing"))
    panel = next(one for one in design().panels.panels if one.tag == tag)
    return panel, cast(Objective, objective)


def _balance(design: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
    """Balance a panel with the heuristic."""
    panel, objective = _panel(design, key, tell)
    tell(RunProgress(what="balancing"))
    return JobFound(whole=balance(panel, objective))


def _proof(design: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
    """Balance a panel to a proven optimum, or up to the node limit."""

    def looked(now: Progress) -> None:
        above = now.reached / now.bound - 1.0 if now.bound > 0.0 else 0.0
        what = f"nodes searched, {above:.3%} above the bound"
        tell(RunProgress(now.nodes, now.node_limit, what))

    return JobFound(whole=balance(*_panel(design, key, tell), exact=True, progress=looked))


def _moves(design: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
    """List the move plans of a panel: fewest moves for each imbalance."""
    panel, objective = _panel(design, key, tell)
    tell(RunProgress(what="comparing plans"))
    return JobFound(whole=pareto_moves(panel, objective))


def _sweep(design: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
    """Run the sweep described by the options, in the folder they name."""
    from facility.ui.work.sweep.designs import made  # needed only by the sweep worker

    request, folder, _ = key.options
    return JobFound(whole=made(key.text, request, folder, tell))


def _scenarios(design: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
    """Design the project and every scenario of the board in the text."""
    board = board_of(key.text)
    whole = 1 + len(board.names)
    return JobFound(
        whole=designed_scenarios(board, lambda n: tell(RunProgress(n, whole, "designed")))
    )


def _brief(design: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
    """Answer the questions of a new project."""
    from facility.ui.work.answers import answer  # needed only here

    tell(RunProgress(what="designing"))
    return JobFound(
        whole=answer(key.text, lambda n: tell(RunProgress(n, what=f"sizes evaluated: {n:,}")))
    )


def _brief_change(design: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
    """Search for a change that makes the answers of a new project possible."""
    from facility.ui.work.answers import change

    return JobFound(whole=change(key.text))


def _brief_goal(design: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
    """Check a new project, and search for the redundancy that meets its goal."""
    from facility.ui.work.answers import goal_of

    tell(RunProgress(what="all studies"))
    return JobFound(
        whole=goal_of(design(), lambda n: tell(RunProgress(n, what=f"redundancy {n} of 4")))
    )


def _file(design: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
    """Create the file named in the options."""
    from facility.ui.downloads.documents import documents_of  # slow import, needed only here

    tell(RunProgress(what="designing"))
    listed = [one for group in documents_of(design()).values() for one in group]
    document = next(one for one in listed if one.key == key.options[0])
    tell(RunProgress(what="writing the file"))
    return JobFound(whole=document.make())


def _sheets(design: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
    """List the documents of the set, in the units of the options."""
    from facility.ui.downloads.sheets import listed_sheets  # slow import, needed only here

    tell(RunProgress(what="designing"))
    found = design()
    tell(RunProgress(what="laying out the sheets"))
    return JobFound(whole=listed_sheets(found, _units(key)))


def _first_sheet(design: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
    """Draw the first drawing of the set, before the others are laid out."""
    from facility.ui.downloads.sheets import first_page

    tell(RunProgress(what="designing"))
    return JobFound(whole=first_page(design(), _units(key)))


def _sheet(design: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
    """Draw the sheet with the number in the options."""
    from facility.ui.downloads.sheets import page_svg

    return JobFound(whole=page_svg(design(), _units(key), key.options[1]))


def _document(design: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
    """Write the contents in the options in one format."""
    from facility.ui.downloads.sheets import one_document

    _, contents, written = key.options
    return JobFound(
        whole=one_document(design(), _units(key), json.loads(contents), cast("Format", written))
    )


def _set(design: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
    """Write the contents and other files in the options as one archive."""
    from facility.ui.downloads.documents import documents_of
    from facility.ui.downloads.sheets import set_archive

    tell(RunProgress(what="designing"))
    _, contents, keys = (json.loads(one) if n else one for n, one in enumerate(key.options))
    listed = [one for group in documents_of(design()).values() for one in group]
    others = list[tuple[str, bytes]]()
    for document in (one for one in listed if one.key in keys):
        tell(RunProgress(len(others), len(keys), f"files, {document.title}"))
        others.append((document.name, document.make()))
    tell(RunProgress(what="writing the sheets"))
    return JobFound(whole=set_archive(design(), _units(key), contents, others))


def _units(key: Key) -> System:
    return cast(System, key.options[0])


def _verified(design: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
    """Recalculate the workbook contained in the options."""
    from facility.ui.downloads.verified import verified

    tell(RunProgress(what="recalculating every cell"))
    return JobFound(whole=verified(base64.b64decode(key.options[0])))


JOBS: Mapping[str, Job] = {
    **{f"checks of {name}": _study(name, whole=False) for name in PARTS},
    **{name: _study(name, whole=True) for name in PARTS},
    "results": _results,
    "fixes": _fixes,
    "fix": _fixes,
    "remedy": _remedy,
    "cooling methods": _methods,
    "shortlist": _shortlist,
    "scenarios": _scenarios,
    "brief": _brief,
    "brief change": _brief_change,
    "brief goal": _brief_goal,
    "rejected methods": lambda design, key, tell: JobFound(whole=rejected_methods(key.options[0])),
    "file": _file,
    "long file": _file,
    "first sheet": _first_sheet,
    "sheets": _sheets,
    "sheet": _sheet,
    "document": _document,
    "set": _set,
    "verify": _verified,
    "ranges": _ranges,
    "panel balance": _balance,
    "panel proof": _proof,
    "panel moves": _moves,
    "sweep": _sweep,
}
"""Jobs by name: complete studies, only the checks of a study, all results, searches, files."""
AUTOMATIC = frozenset(
    {"results", "fixes", "brief goal", "rejected methods", *(f"checks of {name}" for name in PARTS)}
)
"""Jobs that pages request automatically; jobs requested by the user have priority."""
LANES: Mapping[str, str] = {
    "ranges": "minutes",
    "long file": "minutes",
    "set": "minutes",
    "sweep": "sweep",
}
"""Jobs of minutes or hours, with the dedicated worker that runs them, so that no page waits."""
