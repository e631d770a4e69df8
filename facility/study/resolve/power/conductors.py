"""Conductors section of the project, resolved to SI."""

from __future__ import annotations

from facility.catalogue import table
from facility.core.errors import FacilityError, unknown
from facility.core.trace import Trace
from facility.model.facility import Criteria
from facility.model.inputs.power.conductors import ConductorSection
from facility.model.power.conductors import INSULATION_C, ConductorBasis
from facility.power.feeders.iec.grouping import LARGEST_GROUP, MAX_TRAYS, arrangement_of, on_trays
from facility.study.resolve.reader import Reader

_ROOT = "power.conductors"
_INSULATION = {"NEC": "THHN/THWN-2", "IEC": "XLPE"}
_OF_IEC = ("PVC", "XLPE")
_LARGEST = {"NEC": "600", "IEC": "240"}
_SIZES = {"NEC": "electrical/nec_310_16_ampacity", "IEC": "electrical/iec_60364_5_52"}
_SIZE_COLUMN = {"NEC": "size", "IEC": "size_mm2"}
_MAX_SETS = 20


def resolve_conductors(
    section: ConductorSection, criteria: Criteria, trace: Trace
) -> ConductorBasis:
    """Return the conductors: material, insulation, installation and lengths.

    Raises ``CONTRADICTION`` for a field of the other code, ``NOT_ONE_OF`` for an unknown size.
    """
    code = criteria.code
    _refuse_other_code(section, code)
    read = Reader(section, _ROOT, trace)
    insulation = read.word("insulation", section.insulation, _INSULATION[code])
    nec = code == "NEC"
    material = read.word("material", section.material)
    termination_c = _termination(read) if nec else INSULATION_C[insulation]
    ambient_c = read("ambient")
    raceway = read.word("raceway", section.raceway) if nec else ""
    method = "" if nec else read.word("method", section.method)
    usual, words = arrangement_of(method), f"touching, as for method {method}"
    return ConductorBasis(
        material="al" if material == "aluminum" else "cu",
        insulation=insulation,
        insulation_c=INSULATION_C[insulation],
        termination_c=termination_c,
        ambient_c=ambient_c,
        raceway=raceway,
        method=method,
        largest_size=_largest(section, code, read),
        neutral_counted=read.flag("neutral_counted"),
        grouped_circuits=_grouped(section, code, read),
        transformer_length_m=read("transformer_length"),
        set_length_m=read("set_length"),
        generator_length_m=read("generator_length"),
        ups_length_m=read("ups_length"),
        feeder_length_m=read("feeder_length"),
        panel_length_m=read("panel_length"),
        mechanical_length_m=read("mechanical_length"),
        unit_length_m=read("unit_length"),
        branch_length_m=read.given("branch_length"),
        parallel_sets=_parallel_sets(section, read),
        arrangement="" if nec else read.word("arrangement", section.arrangement, usual, words),
        trays=1 if nec else _trays(section, method, read),
        ambient_by_table=(
            not nec or read.word("ambient_correction", section.ambient_correction) == "table"
        ),
        mechanical_device_a=read("mechanical_device"),
        largest_pump_w=read("largest_pump"),
        transformer_outdoors=(
            not nec or read.word("transformer_location", section.transformer_location) == "outdoors"
        ),
    )


def _refuse_other_code(section: ConductorSection, code: str) -> None:
    foreign: dict[str, object] = {
        "raceway": section.raceway if code == "IEC" else None,
        "termination_temperature": section.termination_temperature if code == "IEC" else None,
        "ambient_correction": section.ambient_correction if code == "IEC" else None,
        "method": section.method if code == "NEC" else None,
        "arrangement": section.arrangement if code == "NEC" else None,
        "trays": section.trays if code == "NEC" else None,
        "transformer_location": section.transformer_location if code == "IEC" else None,
    }
    if section.insulation is not None and (section.insulation in _OF_IEC) != (code == "IEC"):
        foreign["insulation"] = section.insulation
    for name, value in foreign.items():
        if value is not None:
            raise FacilityError(
                "CONTRADICTION",
                f"{_ROOT}.{name}",
                f"this field does not apply under the {code}.",
                f"Remove it, or select {'IEC' if code == 'NEC' else 'NEC'} in criteria.code.",
            )


def _termination(read: Reader) -> float:
    found = read("termination_temperature")
    return min((60.0, 75.0), key=lambda column: abs(column - found))


def _largest(section: ConductorSection, code: str, read: Reader) -> str:
    if section.largest_size is None:
        return read.word("largest_size", None, _LARGEST[code])
    where, what = f"{_ROOT}.largest_size", f"not a conductor size in the {code} tables"
    return listed_size(section.largest_size, _SIZES[code], _SIZE_COLUMN[code], where, what)


def listed_size(stated: str, name: str, column: str, where: str, what: str) -> str:
    """Return a conductor size as listed in a table; reject an unlisted one with the text `what`."""
    known = dict.fromkeys(row.text(column).removesuffix(".0") for row in table(name).rows)
    size = stated.removesuffix("kcmil").removesuffix("mm2").removesuffix("AWG").strip()
    if size not in known:
        raise unknown("NOT_ONE_OF", where, f"{stated!r} is {what}.", size, known)
    return size


def _parallel_sets(section: ConductorSection, read: Reader) -> int:
    if section.parallel_sets is not None and section.parallel_sets > _MAX_SETS:
        raise FacilityError(
            "OUT_OF_RANGE",
            f"{_ROOT}.parallel_sets",
            f"{section.parallel_sets} conductors in parallel per line.",
            f"Enter at most {_MAX_SETS}; above about eight sets a busway is typical.",
        )
    return read.count("parallel_sets")


def _trays(section: ConductorSection, method: str, read: Reader) -> int:
    arrangement = section.arrangement or arrangement_of(method)
    trays = section.trays or 1
    if trays > 1 and not on_trays(arrangement):
        raise FacilityError(
            "CONTRADICTION",
            f"{_ROOT}.trays",
            f"circuits with arrangement {arrangement!r} are not on trays.",
            "Remove it, or select power.conductors.arrangement tray or ladder.",
        )
    if trays > MAX_TRAYS:
        raise FacilityError(
            "OUT_OF_RANGE",
            f"{_ROOT}.trays",
            f"{trays} trays one above another.",
            f"Enter at most {MAX_TRAYS}, the limit of the tables.",
        )
    return read.count("trays")


def _grouped(section: ConductorSection, code: str, read: Reader) -> int | None:
    if code == "IEC" and section.grouped_circuits is None:
        words = (
            "all circuits of one type from one board share the route; at most"
            f" {LARGEST_GROUP} bunched"
        )
        read.word("grouped_circuits", None, "all of a board", words)
        return None
    return read.count("grouped_circuits")
