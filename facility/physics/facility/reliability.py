"""Steady-state availability of repairable components and of what they are combined to.

Components fail and are repaired independently of each other; the mean times are those of the long
run. Unavailability is the probability of being down at any moment, and over a long period the
part of it that is spent down.
"""

from __future__ import annotations

from facility.core.equation import equation
from facility.core.sources import Source

_INDEPENDENT = Source("derivation", "probability of independent events")


@equation("A", r"\frac{MTBF}{MTBF + MTTR}", "fraction", _INDEPENDENT, mtbf_s="time", mttr_s="time")
def inherent_availability(mtbf_s: float, mttr_s: float) -> float:
    """Return the part of the time in which a repairable component is up.

    A cycle is one mean time of operation and one mean time of repair; waiting for parts and
    planned maintenance are left out, which is why it is called inherent.

    Parameters
    ----------
    mtbf_s, mttr_s : float
        Mean operating time between failures, and mean time to repair [s].
    """
    return mtbf_s / (mtbf_s + mttr_s)


@equation("A_s", r"A_1 A_2", "fraction", _INDEPENDENT, first="fraction", second="fraction")
def series_availability(first: float, second: float) -> float:
    """Return the availability of two independent components that are both needed.

    Both are up with the product of their probabilities.
    """
    return first * second


@equation(
    "A_p",
    r"1 - (1 - A_1) (1 - A_2)",
    "fraction",
    _INDEPENDENT,
    first="fraction",
    second="fraction",
)
def parallel_availability(first: float, second: float) -> float:
    """Return the availability of two independent components of which one suffices.

    The pair is down only while both are down.
    """
    return 1.0 - (1.0 - first) * (1.0 - second)


@equation(
    "Q_{k/n}",
    r"I_Q(n - k + 1,\ k)",
    "fraction",
    _INDEPENDENT,
    units="count",
    needed="count",
    unit_unavailability="fraction",
)
def too_few_units(units: float, needed: float, unit_unavailability: float) -> float:
    """Return the probability that fewer than `needed` of equal independent units are up.

    The number of units down is binomial; its upper tail from ``units - needed + 1`` on is the
    regularised incomplete beta function of the unavailability of one.

    Parameters
    ----------
    units, needed : float
        Units in parallel, and how many of them suffice.
    unit_unavailability : float
        Probability that one is down.
    """
    from scipy.special import betainc  # here, because few designs state times of failure

    tail: float = betainc(units - needed + 1.0, needed, unit_unavailability)
    return tail


@equation("Q_C", r"Q_1 Q_2", "fraction", _INDEPENDENT, first="fraction", second="fraction")
def cut_unavailability(first: float, second: float) -> float:
    """Return the probability that both of two independent parts of a cut set are down.

    A larger cut set is the product taken over again.
    """
    return first * second


@equation("Q", r"\sum_C Q_C", "fraction", _INDEPENDENT, total="fraction", cut="fraction")
def rare_event_sum(total: float, cut: float) -> float:
    """Return the unavailability with one more cut set, as if cut sets never coincided.

    The sum over all minimal cut sets is an upper bound of the probability that at least one is
    down (Boole's inequality), and close to it while each is rare.
    """
    return total + cut


@equation("T", r"Q \, t", "time", _INDEPENDENT, unavailability="fraction", period_s="time")
def expected_down_time(unavailability: float, period_s: float) -> float:
    """Return the expected time down in a period.

    The expectation of an indicator that is one while the system is down, over the period.
    """
    return unavailability * period_s
