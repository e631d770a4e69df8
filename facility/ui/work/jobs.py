"""What a worker can be asked for. A new kind of work is a row in `JOBS`."""

from __future__ import annotations

import base64
import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, cast

from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.power.panels.balance.effort import Progress
from facility.power.panels.balance.lines import Objective
from facility.power.panels.balance.one_panel import balance
from facility.power.panels.board.model import Panel
from facility.power.panels.moves.pareto import pareto_moves
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
from facility.ui.work.scenario_board import board_of, designed_scenarios


class Key(NamedTuple):
    """What tells one piece of work from every other: two sessions that ask the same share it."""

    job: str  # A name of `JOBS`
    text: str  # The project, as `dump_project` writes it
    options: tuple[str, ...] = ()  # What else the job is told

    @property
    def size(self) -> int:
        """Bytes of what the job is told beside the project, about."""
        return sum(map(len, self.options))


@dataclass(frozen=True)
class JobFound:
    """What came of a run."""

    checks: tuple[Check, ...] = ()  # What it says of the design
    whole: object = None  # All that it found, where the page asked for it


Job = Callable[[Callable[[], Design], Key, Tell], JobFound]
"""Work of a worker: told how to come by the design of the text, and what is asked."""


def _study(name: str, *, whole: bool) -> Job:
    """Return the work on one study: its checks, and all of it for `facility.study.parts.take`."""

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
    """Solve the outages, telling how many; what refuses them is said by the study's checks."""
    with contextlib.suppress(FacilityError):
        whole = states_to_solve(design)
        failures(design, progress=lambda done: tell(RunProgress(done, whole, "states solved")))


def _results(design: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
    """Work out every result, those of all studies among them."""
    tell(RunProgress(what="all results"))
    return JobFound(whole=design().all_results)


def _fixes(design: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
    """Look for changes that clear what fails, or the one check that the options name."""

    def tried(number: int) -> None:
        tell(RunProgress(number, what="designs tried"))

    rule, subject = key.options or ("", "")
    tell(RunProgress(what="all checks"))
    return JobFound(whole=fixes(design(), tried, of=(rule, subject) if rule else None))


def _ways(design: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
    """Compare five ways to cool the racks."""
    tell(RunProgress(what="designing five ways, at 25 densities"))
    return JobFound(whole=compare_cooling(design().project))


def _shortlist(design: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
    """Try every model of the catalogue for the unit that the options name, the best first."""
    tell(RunProgress(what="designing"))
    choice = next(one for one in offered(design()) if one.title == key.options[0])
    found, whole = list[Candidate](), models(choice)
    for option in shortlist(design().project, choice):
        found.append(option)
        tell(RunProgress(len(found), whole, "models tried"))
    return JobFound(whole=best_first(found))


def _ranges(design: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
    """Run the samples, the seed and the method that the options name."""
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
    """Return the panel and the objective that the options name."""
    tag, objective = key.options
    tell(RunProgress(what="designing"))
    panel = next(one for one in design().panels.panels if one.tag == tag)
    return panel, cast(Objective, objective)


def _balance(design: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
    """Balance a panel by the heuristic."""
    panel, objective = _panel(design, key, tell)
    tell(RunProgress(what="balancing"))
    return JobFound(whole=balance(panel, objective))


def _proof(design: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
    """Balance a panel to a proven optimum, or as far as the limit of nodes allows."""

    def looked(now: Progress) -> None:
        above = now.reached / now.bound - 1.0 if now.bound > 0.0 else 0.0
        what = f"nodes searched, {above:.3%} above the bound"
        tell(RunProgress(now.nodes, now.node_limit, what))

    return JobFound(whole=balance(*_panel(design, key, tell), exact=True, progress=looked))


def _moves(design: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
    """List the fewest moves of a panel against the imbalance that they leave."""
    panel, objective = _panel(design, key, tell)
    tell(RunProgress(what="comparing plans"))
    return JobFound(whole=pareto_moves(panel, objective))


def _sweep(design: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
    """Make the designs that the options ask for, in the folder that they name."""
    from facility.ui.work.sweep import made  # as none but its own worker needs

    asked, folder, _ = key.options
    return JobFound(whole=made(key.text, asked, folder, tell))


def _scenarios(design: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
    """Design what the text, which is of a board, says: the project and every scenario."""
    board = board_of(key.text)
    whole = 1 + len(board.names)
    return JobFound(
        whole=designed_scenarios(board, lambda n: tell(RunProgress(n, whole, "designed")))
    )


def _file(design: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
    """Make the file of the page Export that the options name."""
    from facility.ui.export.documents import documents_of  # which half the runs never need

    tell(RunProgress(what="designing"))
    listed = [one for group in documents_of(design()).values() for one in group]
    document = next(one for one in listed if one.key == key.options[0])
    tell(RunProgress(what="being written"))
    return JobFound(whole=document.make())


def _verified(design: Callable[[], Design], key: Key, tell: Tell) -> JobFound:
    """Work out again the workbook that the options hold."""
    from facility.ui.export.verified import verified

    tell(RunProgress(what="every cell is worked out again"))
    return JobFound(whole=verified(base64.b64decode(key.options[0])))


JOBS: Mapping[str, Job] = {
    **{f"checks of {name}": _study(name, whole=False) for name in PARTS},
    **{name: _study(name, whole=True) for name in PARTS},
    "results": _results,
    "fixes": _fixes,
    "fix": _fixes,
    "ways to cool": _ways,
    "shortlist": _shortlist,
    "scenarios": _scenarios,
    "file": _file,
    "long file": _file,
    "verify": _verified,
    "ranges": _ranges,
    "panel balance": _balance,
    "panel proof": _proof,
    "panel moves": _moves,
    "sweep": _sweep,
}
"""Each kind of work by its name: a study whole, no more than its checks, the results of all."""
BESIDE = frozenset({"results", "fixes", *(f"checks of {name}" for name in PARTS)})
"""Work that pages ask for by themselves: what a visitor waits for goes before it."""
LANES: Mapping[str, str] = {"ranges": "minutes", "long file": "minutes", "sweep": "sweep"}
"""Work of minutes or hours, by the worker that does nothing else: no page waits behind it."""
