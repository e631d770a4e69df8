"""Power section resolved to the data of the electrical studies."""

from __future__ import annotations

from dataclasses import replace

from facility.catalogue import table
from facility.core.errors import FacilityError, near_matches
from facility.core.sources import PROJECT, RULE
from facility.core.trace import Trace
from facility.model.facility import Criteria, Site
from facility.model.inputs.power.battery import BatterySection
from facility.model.inputs.power.conductors import ConductorSection
from facility.model.inputs.power.dc import DcSection
from facility.model.inputs.power.faults import FaultSection
from facility.model.inputs.power.mv_cables import MvCableSection
from facility.model.inputs.power.reliability import ReliabilitySection
from facility.model.inputs.power.section import PowerSection
from facility.model.power.chain import PowerChain
from facility.model.power.electrical import FEEDER, NOMINAL_V, DcBasis, Electrical, ReliabilityBasis
from facility.study.resolve.power.battery import resolve_battery
from facility.study.resolve.power.conductors import resolve_conductors
from facility.study.resolve.power.faults import resolve_faults
from facility.study.resolve.power.mv_cables import resolve_mv_cables
from facility.study.resolve.reader import Reader

_MIN_PARALLEL_M2 = 53.49e-6


def resolve_dc(section: DcSection, trace: Trace) -> DcBasis:
    """Return the data of the direct-current study; no study without an architecture.

    Raises ``UNKNOWN_SIZE`` for a conductor size outside chapter 9, table 8;
    ``PARALLEL_SIZE`` for conductors in parallel below 1/0 AWG.
    """
    if section.architecture in (None, "none"):
        return DcBasis()
    architecture = section.architecture
    trace.ledger.add_text(
        "power.dc.beside",
        "in addition to the AC design",
        "the direct-current study reports an option: it does not change sizes, losses and heat of"
        " the AC design",
        RULE,
    )
    read = Reader(section, "power.dc", trace)
    return DcBasis(
        architecture=architecture,
        voltage_v=read(
            "voltage",
            NOMINAL_V[architecture],
            f"nominal voltage of the architecture {architecture!r}",
        ),
        load_w=read.si("load"),
        length_m=read.given("length") or 0.0,
        section_m2=read.si("busbar_section"),
        size=_size(section) if architecture == FEEDER else "",
        sets=_sets(section, read) if architecture == FEEDER else 1,
        metal="al" if read.word("material", section.material) == "aluminum" else "cu",
        conductor_c=read("conductor_temperature"),
        voltage_min_v=read.si("voltage_min"),
        voltage_max_v=read.si("voltage_max"),
        converter_efficiency=read.si("converter_efficiency"),
        compared_loss=read("compared_loss"),
    )


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


def _sets(section: DcSection, read: Reader) -> int:
    rows = table("electrical/nec_ch9_table8").select(size=_size(section))
    several = section.sets is not None and section.sets > 1
    if several and rows[-1].si("conductor_area_mm2") < _MIN_PARALLEL_M2:
        raise FacilityError(
            "PARALLEL_SIZE",
            "power.dc.sets",
            f"{section.conductor_size} conductors may not be run in parallel.",
            "Parallel conductors are 1/0 AWG or larger (310.10(G); 310.10(H) before 2020).",
        )
    return read.count("sets")


_KINDS = {"generator": "generator-plant"}


def resolve_reliability(section: ReliabilitySection, trace: Trace) -> ReliabilityBasis:
    """Return failure and repair times by kind of component; no defaults for the others.

    A generator bus defaults to the values of an LV board.
    """
    times = {}
    for name in type(section).model_fields:
        given = getattr(section, name)
        if given is None:
            continue
        for field in ("mtbf", "mttr"):
            value = getattr(given, field).si
            trace.given(f"reliability.{name}.{field}", value, "time", PROJECT)
        kind = _KINDS.get(name, name.replace("_", "-"))
        times[kind] = (given.mtbf.si, given.mttr.si)
    if "lv-board" in times and "generator-bus" not in times:
        times["generator-bus"] = times["lv-board"]
        words = "the bus of the generator sets is a low-voltage board"
        trace.ledger.add_text("power.reliability.generator_bus", "as lv_board", words, RULE)
    return ReliabilityBasis(times)


def resolve_electrical(
    section: PowerSection, power: PowerChain, criteria: Criteria, site: Site, trace: Trace
) -> Electrical:
    """Return the data of all electrical studies; unspecified values are assumed."""
    conductors = resolve_conductors(
        section.conductors or ConductorSection.unstated(), criteria, trace
    )
    mv = None
    if not site.lv_service:
        mv = resolve_mv_cables(section.mv_cables or MvCableSection.unstated(), criteria, trace)
    return Electrical(
        battery=resolve_battery(
            section.battery or BatterySection.unstated(), power, criteria, trace
        ),
        conductors=replace(conductors, frequency_hz=site.frequency_hz, mv=mv),
        faults=resolve_faults(section.faults or FaultSection.unstated(), criteria, trace),
        dc=resolve_dc(section.dc or DcSection.unstated(), trace),
        reliability=resolve_reliability(
            section.reliability or ReliabilitySection.unstated(), trace
        ),
    )
