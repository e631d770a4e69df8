"""Steady-state availability of repairable components and their combinations.

Components fail and are repaired independently of each other; the mean times are those of the long
run. Unavailability is the probability of being down at any moment, and over a long period the
part of it that is spent down.
"""

from __future__ import annotations

from facility.core.equation import equation
from facility.core.kinds import Count, Fraction, Time
from facility.core.sources import Source

_INDEPENDENT = Source("derivation", "probability of independent events")


@equation("A", r"\frac{MTBF}{MTBF + MTTR}", _INDEPENDENT)
def inherent_availability(mtbf_s: Time, mttr_s: Time) -> Fraction:
    """Return the inherent availability of a repairable component.

    A cycle is one mean time of operation and one mean time of repair; waiting for parts and
    planned maintenance are left out, which is why it is called inherent.

    mtbf_s, mttr_s: mean operating time between failures, and mean time to repair.
    """
    return mtbf_s / (mtbf_s + mttr_s)


@equation("Q_{k/n}", r"I_Q(n - k + 1,\ k)", _INDEPENDENT)
def too_few_units(units: Count, needed: Count, unit_unavailability: Fraction) -> Fraction:
    """Return the probability that fewer than `needed` of equal independent units are up.

    The number of units down is binomial; its upper tail from ``units - needed + 1`` on is the
    regularised incomplete beta function of the unavailability of one.

    units, needed: units in parallel, and how many of them suffice.
    unit_unavailability: probability that one is down.
    """
    from scipy.special import betainc  # here, because few designs state times of failure

    tail: float = betainc(units - needed + 1.0, needed, unit_unavailability)
    return tail


@equation("Q_C", r"Q_1 Q_2", _INDEPENDENT)
def cut_unavailability(first: Fraction, second: Fraction) -> Fraction:
    """Return the probability that both of two independent parts of a cut set are down.

    A larger cut set is the product taken over again.
    """
    return first * second


@equation("Q", r"\sum_C Q_C", _INDEPENDENT)
def rare_event_sum(total: Fraction, cut: Fraction) -> Fraction:
    """Return the unavailability with one more cut set (rare-event approximation).

    The sum over all minimal cut sets is an upper bound of the probability that at least one is
    down (Boole's inequality), and close to it while each is rare.
    """
    return total + cut


@equation("T", r"Q \, t", _INDEPENDENT)
def expected_down_time(unavailability: Fraction, period_s: Time) -> Time:
    """Return the expected time down in a period.

    The expectation of an indicator that is one while the system is down, over the period.
    """
    return unavailability * period_s
