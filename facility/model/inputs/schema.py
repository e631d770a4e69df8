"""The JSON Schema of the project document, exported to ``reference/project.schema.json``.

``python -m facility.model.inputs.schema > reference/project.schema.json`` writes it anew.
"""

from __future__ import annotations

import json
import sys

from facility.model.inputs.document import Project


def schema_text() -> str:
    """Return the JSON Schema of the project document, for editors and other programs."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "facility project, schema_version 1",
        **{key: value for key, value in Project.model_json_schema().items() if key != "title"},
    }
    return json.dumps(schema, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    sys.stdout.write(schema_text())
