"""Medium-voltage cable section of the project, resolved to SI."""

from __future__ import annotations

from facility.core.errors import FacilityError
from facility.core.sources import Source
from facility.core.trace import Trace
from facility.model.facility import Criteria
from facility.model.inputs.power.mv_cables import MvCableSection
from facility.model.power.mv_cables import MvCableBasis, MvInstallation
from facility.power.feeders.mv.tables import MV_CLASS_C, reference_c
from facility.study.resolve.power.conductors import listed_size
from facility.study.resolve.reader import Reader

_ROOT = "power.mv_cables"
_INSTALLATION: dict[str, MvInstallation] = {"NEC": "duct", "IEC": "buried"}
_LARGEST = {"NEC": "750", "IEC": "400"}
_TABLES = {
    "NEC": ("electrical/nec_315_60_ampacity", "size", Source("nec-315-60", "315.60(E) and (F)")),
    "IEC": ("electrical/iec_60502_2_ampacity", "size_mm2", Source("iec-60502-2", "annex B")),
}


def resolve_mv_cables(section: MvCableSection, criteria: Criteria, trace: Trace) -> MvCableBasis:
    """Return the medium-voltage cables: installation, lengths and protection.

    Raises ``CONTRADICTION`` for a field of the other code, ``NOT_ONE_OF`` for an unknown size.
    """
    code = criteria.code
    wrong = ""
    if code == "IEC" and section.type is not None:
        wrong = "type"
    if code == "NEC" and section.installation == "buried":
        wrong = "installation"
    if wrong:
        raise FacilityError(
            "CONTRADICTION",
            f"{_ROOT}.{wrong}",
            f"no ampacity table is included under the {code}.",
            f"Remove it, or select {'IEC' if code == 'NEC' else 'NEC'} in criteria.code.",
        )
    read = Reader(section, _ROOT, trace)
    installation: MvInstallation = read.word(
        "installation", section.installation, _INSTALLATION[code]
    )
    nec, source = code == "NEC", _TABLES[code][2]
    return MvCableBasis(
        material="al" if read.word("material", section.material) == "aluminum" else "cu",
        conductor_c=MV_CLASS_C[read.word("type", section.type) if nec else "MV-90"],
        installation=installation,
        ambient_c=read("ambient", reference_c(code, installation), source=source),
        grouped_circuits=_grouped(read),
        correction=read("correction"),
        largest_size=_largest(section, code, read),
        parallel_sets=read.count("parallel_sets"),
        service_length_m=read("service_length"),
        transformer_length_m=read("transformer_length"),
        generator_length_m=read("generator_length"),
        clearing_s=read("clearing_time"),
        pickup=read("pickup"),
        pickup_stated=section.pickup is not None,
    )


def _grouped(read: Reader) -> int | None:
    found = read.given("grouped_circuits")
    return None if found is None else int(found)


def _largest(section: MvCableSection, code: str, read: Reader) -> str:
    if section.largest_size is None:
        return read.word("largest_size", None, _LARGEST[code])
    name, column, _ = _TABLES[code]
    what = f"not a conductor size in the {code} tables of medium-voltage cables"
    return listed_size(section.largest_size, name, column, f"{_ROOT}.largest_size", what)
