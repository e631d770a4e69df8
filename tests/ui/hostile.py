"""A project whose texts would be markup wherever they are not shown literally."""

from __future__ import annotations

import json

HOSTILE = r"**x** [a](javascript:alert(1)) $$\x$$ :material/bolt: <b>h</b> :red[r] `c` -> ~~s~~"

PROJECT = json.dumps(
    {
        "schema_version": 1,
        "project": {"name": HOSTILE, "title": HOSTILE, "originator": HOSTILE},
        "site": {"place": HOSTILE, "station": "ashburn"},
        "it": {
            "halls": [
                {
                    "name": HOSTILE[:60],
                    "racks": [
                        {
                            "name": HOSTILE[:60],
                            "count": 8,
                            "devices": [{"model": "DGX H100", "count": 4}],
                        }
                    ],
                }
            ]
        },
        "power": {"redundancy": "2N"},
        "cooling": {"method": "air"},
    }
).encode()
