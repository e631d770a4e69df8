"""From the dc section of the project to its basis in SI."""

from __future__ import annotations

from facility.catalogue import table
from facility.core.errors import FacilityError, near_matches
from facility.core.parse import Measured
from facility.core.sources import PROJECT, Source
from facility.core.trace import Trace
from facility.model.facility import Criteria
from facility.model.inputs.power.dc import DcSection
from facility.model.power.chain import PowerChain
from facility.model.power.dc import FEEDER, NOMINAL_V, DcBasis, Metal
from facility.study.resolve.criteria import given_or_assumed

_RULE = Source("planning-rule", "default of this program", verified="computed")
_CONDUCTOR_C = 75.0
_COMPARED_LOSS = 0.01
_LEAST_PARALLEL_M2 = 53.49e-6


def resolve_dc(section: DcSection, power: PowerChain, criteria: Criteria, trace: Trace) -> DcBasis:
    """Return the basis of the direct-current study; without an architecture there is none.

    Raises
    ------
    FacilityError
        ``UNKNOWN_SIZE`` for a conductor size that is not in chapter 9, table 8;
        ``PARALLEL_SIZE`` for conductors in parallel below 1/0 AWG.
    """
    if section.architecture in (None, "none"):
        return DcBasis()
    architecture = section.architecture
    trace.ledger.add_text(
        "power.dc.beside", "beside the AC design",
        "the direct-current study reports an option: sizes, losses and heat of the AC design are"
        " not changed by it",
        _RULE,
    )  # fmt: skip
    nominal_v = NOMINAL_V[architecture]
    return DcBasis(
        architecture=architecture,
        voltage_v=given_or_assumed(
            trace, "power.dc.voltage", section.voltage, nominal_v, "dc_voltage",
            f"nominal voltage of the architecture {architecture!r}", _RULE,
        ),
        load_w=_si(section.load),
        length_m=trace.given("power.dc.length", _si(section.length) or 0.0, "length", PROJECT),
        section_m2=_si(section.busbar_section),
        size=_size(section) if architecture == FEEDER else "",
        sets=_sets(section, trace) if architecture == FEEDER else 1,
        metal=_metal(section, trace),
        conductor_c=given_or_assumed(
            trace, "power.dc.conductor_temperature", section.conductor_temperature, _CONDUCTOR_C,
            "temperature", "conductor at the temperature of its terminations", _RULE,
        ),
        voltage_min_v=_si(section.voltage_min),
        voltage_max_v=_si(section.voltage_max),
        converter_efficiency=_si(section.converter_efficiency),
        compared_loss=given_or_assumed(
            trace, "power.dc.compared_loss", section.compared_loss, _COMPARED_LOSS, "fraction",
            "loss over load at which 54, 400 and 800 V are compared", _RULE,
        ),
    )  # fmt: skip


def _si(value: Measured | None) -> float | None:
    return None if value is None else value.si


def _metal(section: DcSection, trace: Trace) -> Metal:
    if section.material is None:
        trace.ledger.add_text("power.dc.material", "copper", "bars and conductors", _RULE)
    return "al" if section.material == "aluminum" else "cu"


def _size(section: DcSection) -> str:
    sizes = dict.fromkeys(row.text("size") for row in table("electrical/nec_ch9_table8").rows)
    size = "".join((section.conductor_size or "").upper().split())
    size = size.removesuffix("AWG").removesuffix("KCMIL")
    if size not in sizes:
        raise FacilityError(
            "UNKNOWN_SIZE",
            "power.dc.conductor_size",
            f"{section.conductor_size!r} is not a size of chapter 9, table 8.",
            near_matches(size, sizes) or f"Known: {', '.join(sizes)}.",
        )
    return size


def _sets(section: DcSection, trace: Trace) -> int:
    if section.sets is None:
        return int(trace.assume("power.dc.sets", 1, "count", "one conductor on each pole", _RULE))
    rows = table("electrical/nec_ch9_table8").select(size=_size(section))
    if section.sets > 1 and rows[-1].si("conductor_area_mm2") < _LEAST_PARALLEL_M2:
        raise FacilityError(
            "PARALLEL_SIZE",
            "power.dc.sets",
            f"{section.conductor_size} conductors may not be run in parallel.",
            "Parallel conductors are 1/0 AWG or larger (310.10(G); 310.10(H) before 2020).",
        )
    return int(trace.given("power.dc.sets", section.sets, "count", PROJECT))
