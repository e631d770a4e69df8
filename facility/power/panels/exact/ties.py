"""Among phases that are as good as the best, those that are most even and need the fewest moves."""

from __future__ import annotations

from facility.power.panels.board.model import Panel
from facility.power.panels.search.descent import TIE, IntArray, Search, peak
from facility.power.panels.search.problem import Objective, PanelProblem, given_starts


def break_ties(
    panel: Panel,
    posed: PanelProblem,
    aim: Objective,
    found: tuple[IntArray, IntArray],
    bound: float,
    gap: float,
) -> IntArray:
    """Return starts as good as the best of `found`, as even and as close to the given as they get.

    As good is not above the heuristic; and not above the best or, with the objective ``current``,
    not further above the bound than the gap and than 0.1 %.

    Parameters
    ----------
    panel, posed, aim : Panel, PanelProblem, str
        Panel as given, its search problem, its objective.
    found : tuple of two ndarray of int
        Best starts, and those of the heuristic.
    bound : float
        Proven bound [A or VA].
    gap : float
        Gap asked for, as a fraction.
    """
    problem = posed.problem
    if problem.size == 0:
        return found[0]
    best, heuristic = (float(peak(problem.totals(starts))) for starts in found)
    limit = best
    if aim == "current":
        limit = min(heuristic, max(best, bound * (1.0 + min(TIE, gap))))
    limit *= 1.0 + 1e-12
    search = Search(problem, ties=aim == "current")
    as_good = [starts for starts in found if float(peak(problem.totals(starts))) <= limit]
    candidates = [found[0], *(search.even_out(starts, limit) for starts in as_good)]
    chosen = min(candidates, key=search.measure)
    given = given_starts(panel, posed)
    return chosen if given is None else search.settle(chosen, given, limit)
