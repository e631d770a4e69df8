"""Processor time of an inventory of 100,000 devices, read and compared with a project.

Run with ``python -m benchmarks.inventories`` from the project folder. Nothing here is asserted.
"""

from __future__ import annotations

import time

from facility.files.incoming.inventory.answers import Answers
from facility.files.incoming.inventory.read import read_inventory
from facility.files.incoming.inventory.tables import InventoryFile
from facility.model.inputs.document import read_document

ROWS, IN_RACK, IN_ROOM = 100_000, 4, 1000
_HEADINGS = "Room,Rack,U,Name,Vendor,Model,Device height (U),Device max power (W),Serial,Owner"


def inventory_text(rows: int = ROWS) -> str:
    """Return an inventory with ten columns: racks of four servers, 1,000 servers to a room."""
    lines = [_HEADINGS]
    for number in range(rows):
        rack = number // IN_RACK
        lines.append(
            f"Hall {number // IN_ROOM + 1},R{rack:05d},{1 + 8 * (number % IN_RACK)},"
            f"gpu-{number:06d},NVIDIA,DGX H100,8,10200,SN{number * 7919:09d},platform"
        )
    return "\n".join(lines)


def main() -> None:
    """Print the time of a first import and of the same inventory again."""
    source = InventoryFile("inventory.csv", inventory_text().encode())
    project = read_document({"schema_version": "1"})
    for which in ("first import", "the same again"):
        begin = time.process_time()
        found = read_inventory([source], Answers(), project)
        taken_s = time.process_time() - begin
        assert found.after is not None, found.questions or found.problems
        project = found.after
        size = len(source.content) / 1e6
        print(f"{which}: {ROWS:,} rows, {size:.1f} MB: {taken_s:.2f} s; {found.summary}")


if __name__ == "__main__":
    main()
