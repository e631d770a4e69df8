"""The IT that the power agreed with the utility carries in most hours of the year."""

from __future__ import annotations

import numpy as np

from facility.core.trace import Findings
from facility.study.annual.hours import Hours
from facility.study.annual.power import power_by_part
from facility.study.loop import Sized, balance
from facility.study.studies import Designed

_PARTS = (90, 99)
_LEAST, _WHOLE = 1e-3, 1.0
_CLOSE = 1e-6


def capacity_figures(design: Designed, hours: Hours, found: Findings) -> None:
    """Record the constant IT load whose meter stays within the stated power in most hours.

    The equipment is that of the design: where it carries its whole IT load within the power, that
    load is the answer, whatever is left.
    """
    agreed_w = design.facility.site.utility_capacity_w
    if agreed_w is None:
        return
    from scipy.optimize import brentq  # here, because few sites state the power agreed

    sized, it_w = Sized(design.chain, design.cooling), design.it.it_w

    def left(load: float, part: int) -> float:
        at = balance(design.facility, design.it, sized, hours.weather, load)
        meter_w = np.sum(list(power_by_part(at, hours).values()), axis=0)
        return agreed_w - float(np.percentile(meter_w, part))

    for part in _PARTS:
        words = f"constant IT load, meter within {agreed_w / 1e6:g} MW in {part} % of the hours"
        if left(_WHOLE, part) >= 0.0:
            load, words = _WHOLE, f"{words}: all that is designed"
        elif left(_LEAST, part) <= 0.0:
            load, words = 0.0, f"{words}: none"
        else:
            load = float(brentq(left, _LEAST, _WHOLE, args=(part,), xtol=_CLOSE))
        found.note(f"capacity.it.p{part}", load * it_w, "active_power", words)
