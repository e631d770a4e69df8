"""Names of printed values: words for keys, and the path of an input in brackets after them."""

from __future__ import annotations

import pytest

from facility.report.tables.names import input_name, tag_list, value_name


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("feeder.drop_max", "Maximum voltage drop, UPS output to rack"),
        ("RIDE-THROUGH-BATTERY:margin", "Battery time vs. generator load acceptance, margin"),
        ("PDU-A-1-1:fault", "PDU-A-1-1, available fault current"),
        ("RPP-A01:panel 4", "RPP-A01, panel label, line 4"),
        ("MVS-1:110.24 4", "MVS-1, 110.24 label, line 4"),
        ("GEN>GPB:conductors.1", "GEN to GPB, conductors, line 1"),
        ("loop.chw:return.flow", "chilled-water loop, return flow"),
        ("water.makeup:year", "water, makeup, year"),
        ("MECH-2.2:units", "MECH-2.2, units"),
        ("criteria.code", "Electrical code (criteria.code)"),
        (
            "faults.cable_zero_reactance",
            "Cable zero reactance, faults (faults.cable_zero_reactance)",
        ),
    ],
)
def test_a_value_has_a_name_in_words(key: str, name: str) -> None:
    assert value_name(key) == name


def test_an_input_without_a_declaration_has_the_words_of_its_path() -> None:
    assert input_name("it.halls.0.name") == "Hall name"
    assert input_name("cooling.server_rise.QM9700") == "QM9700, server rise"


@pytest.mark.parametrize(
    ("tags", "text"),
    [
        (("RPP-A01", "RPP-A02", "RPP-A03"), "RPP-A01 to RPP-A03"),
        (("RPP-A01", "RPP-A02", "RPP-B01", "RPP-B03"), "RPP-A01, RPP-A02, RPP-B01, RPP-B03"),
        (("TX-9", "TX-10", "TX-11"), "TX-9 to TX-11"),
        (("TX-11", "TX-110"), "TX-11, TX-110"),
        (("MECH",), "MECH"),
    ],
)
def test_a_range_of_tags_lists_each(tags: tuple[str, ...], text: str) -> None:
    assert tag_list(tags) == text
