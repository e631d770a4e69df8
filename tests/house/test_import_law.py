"""Imports run downwards only; each outside library stays in its room."""

from __future__ import annotations

import subprocess
import sys

from tests.tools.source_tree import Import, Module, imports_of, modules, report

# Floor of each package: a module imports its own package and lower floors, nothing else. Rooms on
# one floor (physics, catalogue, model; cooling, power; cli, ui) do not meet.
FLOOR = {
    "": 8,
    "core": 0,
    "physics": 1,
    "catalogue": 1,
    "model": 1,
    "cooling": 2,
    "power": 2,
    "study": 3,
    "report": 4,
    "files": 5,
    "api": 7,
    "equations": 7,
    "frames": 7,
    "__main__": 7,
    "cli": 6,
    "ui": 6,
}

# Outside library: the only places that may import it.
ROOM = {
    "pint": "facility/core/units.py",
    "pydantic": "facility/model/inputs/",
    "openpyxl": "facility/files/",
    "xlsxwriter": "facility/files/",
    "streamlit": "facility/ui/",
    "sqlalchemy": "facility/files/store/",
    "alembic": "facility/files/store/",
    "typer": "facility/cli/",
}

PHYSICS_MAY_IMPORT = {"numpy", "scipy"}


def every_import() -> list[tuple[Module, Import]]:
    return [(module, found) for module in modules() for found in imports_of(module)]


def test_every_package_has_a_floor() -> None:
    unknown = sorted({m.path for m in modules() if m.layer and m.layer not in FLOOR})
    assert not unknown, report("packages without a floor", unknown)


def test_imports_run_downwards() -> None:
    offenders = []
    for module, found in every_import():
        parts = found.target.split(".")
        if parts[0] != "facility" or len(parts) < 2 or parts[1] == module.layer:
            continue
        if FLOOR[parts[1]] >= FLOOR[module.layer]:
            offenders.append(f"{module.path}:{found.line} imports {found.target}")
    assert not offenders, report("imports that do not run downwards", offenders)


def test_physics_imports_core_numpy_and_scipy_alone() -> None:
    allowed = PHYSICS_MAY_IMPORT | set(sys.stdlib_module_names)
    offenders = [
        f"{module.path}:{found.line} imports {found.target}"
        for module, found in every_import()
        if module.layer == "physics"
        and found.target.split(".")[0] not in allowed
        and not found.target.startswith(("facility.core", "facility.physics"))
    ]
    assert not offenders, report("physics imports", offenders)


def test_outside_libraries_stay_in_their_rooms() -> None:
    offenders = []
    for module, found in every_import():
        room = ROOM.get(found.target.split(".")[0])
        if room and not module.path.startswith(room):
            offenders.append(f"{module.path}:{found.line} imports {found.target}; only {room} may")
    assert not offenders, report("libraries outside their room", offenders)


def test_no_relative_imports() -> None:
    offenders = [f"{m.path}:{found.line}" for m, found in every_import() if found.relative]
    assert not offenders, report("relative imports", offenders)


def test_pandas_is_never_imported_at_import_time() -> None:
    offenders = [
        f"{module.path}:{found.line}"
        for module, found in every_import()
        if found.target.split(".")[0] == "pandas" and found.at_import_time and module.layer != "ui"
    ]
    assert not offenders, report("pandas at import time", offenders)


def test_importing_everything_but_the_app_loads_no_heavy_library() -> None:
    """What the syntax cannot show: a library that drags pandas or Streamlit in."""
    names = [m.name for m in modules() if m.layer != "ui"]
    code = (
        "import importlib, sys\n"
        f"for name in {names!r}: importlib.import_module(name)\n"
        "print(' '.join(n for n in ('pandas', 'streamlit') if n in sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "", f"loaded by the package: {done.stdout}"


def _cycles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Return the strongly connected components with more than one module (Kosaraju)."""
    order: list[str] = []
    seen: set[str] = set()

    def walk(start: str, edges: dict[str, set[str]], into: list[str]) -> None:
        stack = [(start, iter(sorted(edges[start])))]
        seen.add(start)
        while stack:
            node, rest = stack[-1]
            following = next((n for n in rest if n not in seen), None)
            if following is None:
                into.append(node)
                stack.pop()
            else:
                seen.add(following)
                stack.append((following, iter(sorted(edges[following]))))

    for node in graph:
        if node not in seen:
            walk(node, graph, order)
    reverse: dict[str, set[str]] = {node: set() for node in graph}
    for node, targets in graph.items():
        for target in targets:
            reverse[target].add(node)
    seen.clear()
    found = []
    for node in reversed(order):
        if node not in seen:
            component: list[str] = []
            walk(node, reverse, component)
            found.append(sorted(component))
    return [component for component in found if len(component) > 1]


def test_the_search_for_circles_finds_one() -> None:
    graph: dict[str, set[str]] = {"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}
    assert _cycles(graph) == [["b", "c"]]


def test_no_circles_between_modules() -> None:
    names = {module.name for module in modules()}
    graph = {
        module.name: {
            found.target
            for found in imports_of(module)
            if found.target in names and found.target != module.name
        }
        for module in modules()
    }
    circles = [" <-> ".join(circle) for circle in _cycles(graph)]
    assert not circles, report("circles", circles)
