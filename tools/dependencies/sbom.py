"""Write the software bill of materials of a release: CycloneDX 1.6, JSON.

    python -m tools.dependencies.sbom --out out/sbom.cdx.json

Components are the pins of ``requirements-app.txt``; those of ``requirements-runtime.txt`` are
*required*, the others, which only the app needs, *optional*. Licences are those that the installed
packages declare. Nothing of it depends on the clock or on the machine: the same pins,
installed, are the same bytes.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

from tools.dependencies.pins import ROOT, Pin, pins

_LONGEST_NAME = 80
_CLASSIFIER = "License :: OSI Approved :: "
Licence = tuple[str, str]
"""Whether it is an SPDX expression or a name, and its text; two empty ones where it is unknown."""


def installed_licence(pin: Pin) -> Licence:
    """Return the licence that the installed package declares, at the pinned version alone."""
    try:
        found = metadata(pin.name)
    except PackageNotFoundError:
        return "", ""
    if found.get("Version") != pin.version:
        return "", ""
    if found.get("License-Expression"):
        return "expression", found.get("License-Expression")
    classified = [
        text.removeprefix(_CLASSIFIER)
        for text in found.get_all("Classifier") or ()
        if text.startswith(_CLASSIFIER)
    ]
    text = (found.get("License") or "").strip()
    if classified:
        return "name", "; ".join(sorted(classified))
    # Some packages put the whole text of the licence there.
    return ("name", text) if text and "\n" not in text and len(text) <= _LONGEST_NAME else ("", "")


def bill(
    project: Mapping[str, str],
    needed: Iterable[Pin],
    every: Sequence[Pin],
    licence: Callable[[Pin], Licence] = installed_licence,
) -> dict[str, Any]:
    """Return the bill of materials of a project.

    project: Its name, version and licence.
    needed: Packages that the library itself needs.
    every: All packages, those for the app too.
    licence: Licence of a package.
    """
    required = {pin.name for pin in needed}
    components = [_component(pin, pin.name in required, licence(pin)) for pin in every]
    purl = f"pkg:pypi/{project['name']}@{project['version']}"
    body = {
        "metadata": {
            "component": {
                "bom-ref": purl,
                "type": "application",
                "name": project["name"],
                "version": project["version"],
                "purl": purl,
                "licenses": [{"expression": project["license"]}],
            }
        },
        "components": components,
    }
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        # Of the content, so that another content is another bill.
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(body))}",
        "version": 1,
        **body,
    }


def _component(pin: Pin, is_required: bool, licence: Licence) -> dict[str, Any]:
    kind, text = licence
    return {
        "bom-ref": pin.purl,
        "type": "library",
        "name": pin.name,
        "version": pin.version,
        "scope": "required" if is_required else "optional",
        **({"licenses": [{"expression": text}]} if kind == "expression" else {}),
        **({"licenses": [{"license": {"name": text}}]} if kind == "name" else {}),
        "purl": pin.purl,
        "externalReferences": [
            {
                "type": "distribution",
                "url": f"https://pypi.org/project/{pin.name}/{pin.version}/",
                "comment": "SHA-256 of every file of this version",
                "hashes": [{"alg": "SHA-256", "content": text} for text in pin.hashes],
            }
        ],
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the bill of the present pins, and print its contents."""
    parser = argparse.ArgumentParser(prog="python -m tools.dependencies.sbom")
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "sbom.cdx.json")
    asked = parser.parse_args(arguments)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed, every = (pins(ROOT / f"requirements-{name}.txt") for name in ("runtime", "app"))
    found = bill(project, needed, every)
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    asked.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    unknown = [one["name"] for one in found.get("components") if "licenses" not in one]
    print(f"{asked.out.name}: {len(every)} packages, {len(needed)} of them needed by the library")
    if unknown:
        print(f"licence unknown (not installed, or not declared): {', '.join(unknown)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
