"""From the conductors section of the project to its basis in SI."""

from __future__ import annotations

from facility.catalogue import table
from facility.core.errors import FacilityError, near_matches
from facility.core.sources import PROJECT, Source
from facility.core.trace import Trace
from facility.model.facility import Criteria
from facility.model.inputs.power.conductors import ConductorSection
from facility.model.power.chain import PowerChain
from facility.model.power.conductors import INSULATION_C, ConductorBasis
from facility.power.feeders.iec.grouping import (
    LARGEST_GROUP,
    MOST_TRAYS,
    arrangement_of,
    on_trays,
)
from facility.study.resolve.criteria import given_or_assumed

_RULE = Source("planning-rule", "default of this program", verified="computed")
_ROOT = "power.conductors"
_INSULATION = {"NEC": "THHN/THWN-2", "IEC": "XLPE"}
_OF_IEC = ("PVC", "XLPE")
_LARGEST = {"NEC": "600", "IEC": "240"}
_SIZES = {"NEC": "electrical/nec_310_16_ampacity", "IEC": "electrical/iec_60364_5_52"}
_SIZE_COLUMN = {"NEC": "size", "IEC": "size_mm2"}
_AMBIENT_C = 30.0
_METHOD = "E"
_PARALLEL_SETS = 8.0
_MOST_SETS = 20
_LENGTHS_M = {
    "transformer": (25.0, "from the MV/LV transformer outside the wall to the LV board"),
    "generator": (40.0, "from the generator yard to the LV board"),
    "ups": (20.0, "from the LV board to a UPS in the same or the next room"),
    "feeder": (45.0, "from the UPS output to a PDU transformer or panel in the hall"),
    "panel": (15.0, "from the PDU transformer to a panel in the hall"),
    "mechanical": (60.0, "from the LV board to the mechanical plant"),
}


def resolve_conductors(
    section: ConductorSection, power: PowerChain, criteria: Criteria, trace: Trace
) -> ConductorBasis:
    """Return the conductors: material, insulation, installation and lengths.

    Raises
    ------
    FacilityError
        ``CONTRADICTION`` for a field of the other code, ``NOT_ONE_OF`` for an unknown size.
    """
    code = criteria.code
    _refuse_other_code(section, code)
    insulation = section.insulation or _text(
        trace, "insulation", _INSULATION[code], "single conductors rated 90 degC"
    )
    lengths = {name: _length(section, name, trace) for name in _LENGTHS_M}
    return ConductorBasis(
        material="al" if _material(section, trace) == "aluminum" else "cu",
        insulation=insulation,
        insulation_c=INSULATION_C[insulation],
        termination_c=_termination(section, code, INSULATION_C[insulation], trace),
        ambient_c=given_or_assumed(
            trace,
            f"{_ROOT}.ambient",
            section.ambient,
            _AMBIENT_C,
            "temperature",
            "rooms and halls at the ambient of the ampacity tables",
            _RULE,
        ),
        raceway=_raceway(section, code, trace),
        method=_method(section, code, trace),
        largest_size=_largest(section, code, trace),
        neutral_counted=_neutral_counted(section, trace),
        grouped_circuits=_grouped(section, code, trace),
        transformer_length_m=lengths["transformer"],
        generator_length_m=lengths["generator"],
        ups_length_m=lengths["ups"],
        feeder_length_m=lengths["feeder"],
        panel_length_m=lengths["panel"],
        mechanical_length_m=lengths["mechanical"],
        branch_length_m=_branch_length(section, trace),
        parallel_sets=_parallel_sets(section, trace),
        arrangement=_arrangement(section, code, trace),
        trays=_trays(section, code, trace),
    )


def _refuse_other_code(section: ConductorSection, code: str) -> None:
    foreign: dict[str, object] = {
        "raceway": section.raceway if code == "IEC" else None,
        "termination_temperature": section.termination_temperature if code == "IEC" else None,
        "method": section.method if code == "NEC" else None,
        "arrangement": section.arrangement if code == "NEC" else None,
        "trays": section.trays if code == "NEC" else None,
    }
    if section.insulation is not None and (section.insulation in _OF_IEC) != (code == "IEC"):
        foreign["insulation"] = section.insulation
    for name, value in foreign.items():
        if value is not None:
            raise FacilityError(
                "CONTRADICTION",
                f"{_ROOT}.{name}",
                f"it has no meaning under the {code}.",
                f"Remove it, or choose the {'IEC' if code == 'NEC' else 'NEC'} in criteria.code.",
            )


def _text(trace: Trace, name: str, value: str, basis: str) -> str:
    return trace.ledger.add_text(f"{_ROOT}.{name}", value, basis, _RULE)


def _material(section: ConductorSection, trace: Trace) -> str:
    return section.material or _text(trace, "material", "copper", "usual in data centers")


def _termination(section: ConductorSection, code: str, insulation_c: float, trace: Trace) -> float:
    if code == "IEC":
        return insulation_c
    found = given_or_assumed(
        trace,
        f"{_ROOT}.termination_temperature",
        section.termination_temperature,
        75.0,
        "temperature",
        "breakers and lugs marked 60/75 degC",
        _RULE,
    )
    return min((60.0, 75.0), key=lambda column: abs(column - found))


def _raceway(section: ConductorSection, code: str, trace: Trace) -> str:
    if code == "IEC":
        return ""
    return section.raceway or _text(trace, "raceway", "EMT", "indoor runs, one set per conduit")


def _method(section: ConductorSection, code: str, trace: Trace) -> str:
    if code == "NEC":
        return ""
    words = "multicore or bunched single cables on perforated tray"
    return section.method or _text(trace, "method", _METHOD, words)


def _largest(section: ConductorSection, code: str, trace: Trace) -> str:
    if section.largest_size is None:
        words = "larger conductors are hard to pull and to bend; parallel sets instead"
        return _text(trace, "largest_size", _LARGEST[code], words)
    column = _SIZE_COLUMN[code]
    sizes = dict.fromkeys(row.text(column) for row in table(_SIZES[code]).rows)
    wanted = section.largest_size.removesuffix("kcmil").removesuffix("mm2")
    wanted = wanted.removesuffix("AWG").strip()
    known = {size.removesuffix(".0"): size for size in sizes}
    if wanted not in known:
        raise FacilityError(
            "NOT_ONE_OF",
            f"{_ROOT}.largest_size",
            f"{section.largest_size!r} is no conductor size of the {code} tables.",
            near_matches(wanted, known),
        )
    return wanted


def _neutral_counted(section: ConductorSection, trace: Trace) -> bool:
    if section.neutral_counted is not None:
        return section.neutral_counted
    words = "the major part of IT load is nonlinear; supplies with power factor correction carry"
    words += " few triplen harmonics, counting is the safe side"
    _text(trace, "neutral_counted", "yes", words)
    return True


def _parallel_sets(section: ConductorSection, trace: Trace) -> int:
    id = f"{_ROOT}.parallel_sets"
    if section.parallel_sets is not None:
        if section.parallel_sets > _MOST_SETS:
            raise FacilityError(
                "OUT_OF_RANGE",
                id,
                f"{section.parallel_sets} conductors in parallel per line.",
                f"Give at most {_MOST_SETS}; beyond some eight a busway is usual.",
            )
        return int(trace.given(id, section.parallel_sets, "count", PROJECT))
    words = "more are hard to land on one device and to load evenly; a busway instead"
    return int(trace.assume(id, _PARALLEL_SETS, "count", words, _RULE))


def _arrangement(section: ConductorSection, code: str, trace: Trace) -> str:
    if code == "NEC" or section.arrangement is not None:
        return section.arrangement or ""
    method = section.method or _METHOD
    return _text(trace, "arrangement", arrangement_of(method), f"touching, as of method {method}")


def _trays(section: ConductorSection, code: str, trace: Trace) -> int:
    id = f"{_ROOT}.trays"
    if code == "NEC":
        return 1
    if section.trays is None:
        return int(trace.assume(id, 1.0, "count", "one tray or ladder carries the group", _RULE))
    arrangement = section.arrangement or arrangement_of(section.method or _METHOD)
    if section.trays > 1 and not on_trays(arrangement):
        raise FacilityError(
            "CONTRADICTION",
            id,
            f"circuits that lie as {arrangement!r} are on no trays.",
            "Remove it, or choose power.conductors.arrangement tray or ladder.",
        )
    if section.trays > MOST_TRAYS:
        raise FacilityError(
            "OUT_OF_RANGE",
            id,
            f"{section.trays} trays one above another.",
            f"Give at most {MOST_TRAYS}; the tables know no more.",
        )
    return int(trace.given(id, section.trays, "count", PROJECT))


def _grouped(section: ConductorSection, code: str, trace: Trace) -> int | None:
    id = f"{_ROOT}.grouped_circuits"
    if section.grouped_circuits is not None:
        return int(trace.given(id, section.grouped_circuits, "count", PROJECT))
    if code == "IEC":
        words = f"all of a sort that leave one board share the way; at most {LARGEST_GROUP} bunched"
        _text(trace, "grouped_circuits", "all of a board", words)
        return None
    words = "one set of conductors in each raceway; groups apart from each other"
    return int(trace.assume(id, 1.0, "count", words, _RULE))


def _length(section: ConductorSection, name: str, trace: Trace) -> float:
    value_m, words = _LENGTHS_M[name]
    return given_or_assumed(
        trace,
        f"{_ROOT}.{name}_length",
        getattr(section, f"{name}_length"),
        value_m,
        "length",
        f"{words}: a planning value of this program, to be replaced by the layout",
        _RULE,
    )


def _branch_length(section: ConductorSection, trace: Trace) -> float | None:
    if section.branch_length is None:
        _text(trace, "branch_length", "by hall", "the longest route of each hall's layout")
        return None
    return trace.given(f"{_ROOT}.branch_length", section.branch_length.si, "length", PROJECT)
