"""Power feeds of a NetBox export joined with racks of the same name in several rooms."""

from __future__ import annotations

import pytest

from facility.files.incoming.inventory.answers import answers_of
from facility.files.incoming.inventory.read import read_inventory
from facility.files.incoming.inventory.tables import InventoryFile
from facility.model.inputs.document import as_typed, read_document
from facility.model.inputs.entries import value_at

NEW = read_document({"schema_version": "1", "power": {"redundancy": "2N"}})
FEEDS = "Rack,Location,Power panel,Name,Phase,Voltage,Amperage\n"
ONE = "Room,Rack,Name,Model\nH1,R1,a,DGX H100\n"
BARE = "Rack,Name,Model\nR1,a,DGX H100\n"
BOTH = ONE + "H10,R1,b,DGX H100\n"


def feed(room: str, amperes: int) -> str:
    return f"R1,{room},P1,A,three-phase,415,{amperes}\nR1,{room},P1,B,three-phase,415,{amperes}\n"


@pytest.mark.parametrize(
    ("devices", "feeds", "values", "found"),
    [
        (ONE, feed("H1", 60), (), {"H1": "60 A"}),
        (BARE, feed("H7", 60), (), {"Hall 1": "60 A"}),  # the list has no rooms
        (BOTH, feed("H1", 60) + feed("H10", 32), (), {"H1": "60 A", "H10": "32 A"}),
        (ONE, feed("H1", 60) + feed("H2", 32), ("H2=ignore",), {"H1": "60 A"}),
        (ONE, feed("Room 1", 60), ("Room 1=H1",), {"H1": "60 A"}),
        (ONE, feed("H1", 60) + feed("H2", 32), (), "rack R1 is in 'H2' here, and in 'H1'"),
        (BARE, feed("H1", 60) + feed("H2", 32), (), "can be in several rooms"),
        (BOTH, feed("", 60), (), "can be in several rooms"),
    ],
)
def test_the_room_decides_between_racks_of_one_name(
    devices: str, feeds: str, values: tuple[str, ...], found: dict[str, str] | str
) -> None:
    files = [InventoryFile("devices.csv", devices), InventoryFile("feeds.csv", FEEDS + feeds)]
    read = read_inventory(files, answers_of(values=values), NEW)
    if isinstance(found, str):
        assert [found in question.text for question in read.questions] == [True]
        assert read.after is None
        return
    assert read.after is not None, [*read.questions, *read.problems]
    halls = value_at(as_typed(read.after), "it.halls")
    assert isinstance(halls, list)
    stated = {
        str(hall["name"]): hall["racks"][0]["circuits"][0]["breaker"]
        for hall in halls
        if isinstance(hall, dict)
    }
    assert stated == found
