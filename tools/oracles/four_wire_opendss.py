"""Solve the four-wire feeders with OpenDSS: ``python -m tools.oracles.four_wire_opendss``.

Loads are of constant power down to a tenth of their voltage; the source has no impedance to speak
of. Node 4 of a bus is its neutral, node 0 is ground.
"""

from __future__ import annotations

from collections.abc import Iterator

from opendssdirect import dss

from tests.oracles.feeders import FOLDER, FeederCase, read_cases
from tools.oracles.tables import today, write

NODES = {"A": 1, "B": 2, "C": 3, "N": 4}
Row = tuple[str, str, str, complex]


def neutral(case: FeederCase, bus: str) -> int:
    """Return the node of the neutral of `bus`: ground at the source, and where it is grounded."""
    at_transformer = case.primary_v is not None and bus == case.sections[0].end
    return 0 if case.neutral_grounded or bus == case.source or at_transformer else NODES["N"]


def build(case: FeederCase) -> None:
    """Make the circuit; a transformer has its secondary at zero degrees, thirty behind."""
    source_kv = (case.primary_v or case.line_voltage_v) / 1e3
    dss.Text.Command("clear")
    dss.Text.Command(
        f"new circuit.feeder bus1={case.source} basekv={source_kv} pu=1 "
        f"angle={30 if case.primary_v else 0} r1=1e-9 x1=1e-9 r0=1e-9 x0=1e-9"
    )
    for s in case.sections:
        if case.primary_v and s is case.sections[0]:
            _transformer(case)
            continue
        ends = (f"{bus}.1.2.3.{neutral(case, bus)}" for bus in (s.start, s.end))
        ohms = (*s.line_ohm, s.neutral_ohm)
        real, imaginary, none = (
            " | ".join(" ".join(["0"] * i + [repr(x)]) for i, x in enumerate(values))
            for values in ([z.real for z in ohms], [z.imag for z in ohms], [0.0] * 4)
        )
        dss.Text.Command(
            f"new line.{s.end} bus1={next(ends)} bus2={next(ends)} phases=4 length=1 "
            f"rmatrix=({real}) xmatrix=({imaginary}) cmatrix=({none})"
        )
    for bus, loads in case.loads_va.items():
        for connection, power in loads.items():
            start, end = (neutral(case, bus) if x == "N" else NODES[x] for x in connection)
            kv = case.line_voltage_v / 1e3 / (3.0**0.5 if "N" in connection else 1.0)
            dss.Text.Command(
                f"new load.{bus}-{connection} bus1={bus}.{start}.{end} phases=1 kv={kv!r} model=1 "
                f"kw={power.real / 1e3} kvar={power.imag / 1e3} vminpu=0.1 vmaxpu=2"
            )


def _transformer(case: FeederCase) -> None:
    """Add the delta-wye transformer of the impedance of the first section, on 150 kVA."""
    first, rating_va = case.sections[0], 150e3
    percent = first.line_ohm[0] * rating_va / case.line_voltage_v**2 * 100.0
    dss.Text.Command(
        f"new transformer.{first.end} phases=3 windings=2 leadlag=lag conns=[delta wye] "
        f"buses=[{first.start} {first.end}.1.2.3.0] "
        f"kvs=[{case.primary_v / 1e3} {case.line_voltage_v / 1e3}] "
        f"kvas=[{rating_va / 1e3} {rating_va / 1e3}] %loadloss={percent.real!r} "
        f"xhl={percent.imag!r} %noloadloss=0 %imag=0 ppm_antifloat=0"
    )


def found(case: FeederCase) -> Iterator[Row]:
    """Yield the phasors of one case."""
    build(case)
    dss.Text.Command("set tolerance=1e-11")
    dss.Text.Command("set maxiterations=500")
    dss.Solution.Solve()
    if not dss.Solution.Converged():
        raise RuntimeError(f"{case.name} did not converge")
    for section in case.sections:
        dss.Circuit.SetActiveBus(section.end)
        flat = dss.Bus.Voltages()
        by_node = {n: complex(*flat[2 * i : 2 * i + 2]) for i, n in enumerate(dss.Bus.Nodes())}
        at_neutral = by_node.get(NODES["N"], 0j)
        for line in "ABC":
            yield "voltage", section.end, line, by_node[NODES[line]] - at_neutral
        yield "voltage", section.end, "N", at_neutral
        yield from _of_section(case, section.end)


def _of_section(case: FeederCase, end: str) -> Iterator[Row]:
    winding = bool(case.primary_v) and end == case.sections[0].end
    dss.Circuit.SetActiveElement(f"transformer.{end}" if winding else f"line.{end}")
    flat = dss.CktElement.Currents()
    currents = [complex(*flat[i : i + 2]) for i in range(0, len(flat), 2)]
    if winding:
        for line, current in zip("ABC", currents[:3], strict=True):
            yield "primary", end, line, current
        currents = [-current for current in currents[4:]]
    for conductor, current in zip("ABCN", currents[:4], strict=True):
        if conductor != "N" or not case.neutral_grounded:
            yield "current", end, conductor, current
    yield "loss", end, "", complex(dss.CktElement.Losses()[0], 0.0)


def main() -> None:
    """Record every case."""
    version = dss.Basic.Version().splitlines()[0].split(" revision")[0].rsplit(" ", 1)[-1]
    rows = [
        (
            case.name,
            quantity,
            place,
            conductor,
            f"{value.real:z.6f}",
            f"{value.imag:z.6f}",
            "OpenDSS (DSS C-API)",
            version,
            today(),
        )
        for case in read_cases().values()
        for quantity, place, conductor, value in found(case)
    ]
    columns = ("case", "quantity", "place", "conductor", "real", "imaginary")
    write(FOLDER / "found.csv", (*columns, "solver", "version", "date"), rows)
    print(f"{len(rows)} phasors of {len(read_cases())} feeders")


if __name__ == "__main__":
    main()
