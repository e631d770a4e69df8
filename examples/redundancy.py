"""What redundancy costs: the same servers behind every UPS scheme, side by side.

Run with ``python examples/redundancy.py``; it prints a table and takes a few seconds.
"""

from __future__ import annotations

import facility

PROJECT = {
    "schema_version": 1,
    "it": {"gpu_model": "H100 SXM5", "gpus": 512},
    "cooling": {"method": "air"},
}


def main() -> None:
    """Design the project with each scheme and print what is installed and what fails."""
    print(f"{'scheme':8} {'UPS installed':>16} {'facility':>12} {'PUE':>7}  violations")
    base = facility.project({**PROJECT, "power": {"redundancy": "N"}})
    for scheme in ("N", "N+1", "2N", "3N/2"):
        design = facility.design(base.with_(power__redundancy=scheme))
        found = design.results
        installed = found["ups.modules"].si * found["ups.module_rating"].si
        broken = {c.rule for c in design.checks if c.failed and c.severity == "VIOLATION"}
        print(
            f"{scheme:8} {facility.quantity(installed, 'W').to('kW'):>12.0f~} "
            f"{found['load.facility'].shown():>12} {found['pue.design'].shown():>7}  "
            f"{', '.join(sorted(broken)) or 'none'}"
        )


if __name__ == "__main__":
    main()
