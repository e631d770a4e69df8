"""Nothing stands that nothing reaches: doors, verification cases, or what they use, lead to it."""

from __future__ import annotations

import ast
import csv
from collections.abc import Iterator
from functools import cache, lru_cache

from tests.tools.source_tree import ROOT, Module, modules, report

DOORS = (
    "facility", "facility.api", "facility.equations", "facility.cli.main", "facility.ui.main",
    "facility.ui.serve", "facility.ui.server.asgi", "facility.ui.work.__main__",
)  # fmt: skip
"""Modules whose every definition is called from outside."""
VERBS = "facility.cli.verbs."
"""The command line calls what is declared a `verb` in each of these."""
MIGRATIONS = "facility.files.store.migrations."
"""Alembic calls `upgrade` of each of these, and reads its names."""
MANUAL = "facility.study.verification"
BY_CASES_ALONE = 3
"""Names that published cases compute and no design does; may fall, not rise."""

Name = tuple[str, str]
"""Module and name of a definition at its top."""


def _targets(node: ast.stmt) -> list[str]:
    """Return the names that a statement at the top of a module defines."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return [n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)]
    return []


def _top(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements that run when a module is imported, inside conditions too."""
    for node in body:
        if isinstance(node, ast.If | ast.Try):
            yield from _top([*node.body, *node.orelse])
        else:
            yield node


@lru_cache(maxsize=1)
def definitions() -> dict[Name, ast.stmt]:
    """Return every definition at the top of a module."""
    return {
        (module.name, name): node
        for module in modules()
        for node in _top(module.tree.body)
        for name in _targets(node)
    }


@lru_cache(maxsize=1)
def imported() -> dict[str, dict[str, tuple[str, str]]]:
    """Return, by module, what each imported name stands for: a module, and a name in it."""
    found: dict[str, dict[str, tuple[str, str]]] = {}
    for module in modules():
        here = found.setdefault(module.name, {})
        for node in module.nodes:
            if isinstance(node, ast.ImportFrom) and node.module:
                here |= {a.asname or a.name: (node.module, a.name) for a in node.names}
            elif isinstance(node, ast.Import):
                here |= {a.asname or a.name: (a.name, "") for a in node.names}
    return found


def _resolved(module: str, name: str) -> Name | None:
    """Return the definition that a name in a module stands for, through re-exports.

    A module that imports one of its own submodules names itself: not a definition.
    """
    seen = set[Name]()
    while (module, name) not in definitions():
        if name not in imported().get(module, {}) or (module, name) in seen:
            return None
        seen.add((module, name))
        module, name = imported()[module][name]
    return module, name


@cache
def _uses(module: str, node: ast.AST) -> set[Name]:
    """Return the definitions that `node` names: plainly, through a module, or in a string."""
    found: set[Name | None] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            found.add(_resolved(module, part.id))
        elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
            home, name = imported()[module].get(part.value.id, ("", ""))
            found.add(_resolved(f"{home}.{name}".rstrip("."), part.attr))
        elif isinstance(part, ast.Constant) and isinstance(part.value, str):
            found.add(_resolved(module, part.value))
    return {use for use in found if use is not None}


def _doors(module: Module) -> Iterator[Name]:
    """Yield what is reached from outside, and what runs when the module is imported."""
    for node in _top(module.tree.body):
        names = _targets(node)
        is_verb = module.name.startswith(VERBS) and getattr(node, "decorator_list", [])
        if module.name in DOORS or is_verb or module.name.startswith(MIGRATIONS):
            yield from ((module.name, name) for name in names)
        if not names or names == ["__all__"]:
            yield from _uses(module.name, node)


def _cases() -> Iterator[Name]:
    """Yield the equations that verification cases compute."""
    for path in (ROOT / "reference" / "cases").glob("*.csv"):
        with path.open(newline="", encoding="utf-8") as stream:
            for row in csv.DictReader(stream):
                module, _, name = row.get("compute", "").rpartition(".")
                yield f"facility.{module}", name


def _left(ahead: list[Name], passed: str = "-") -> tuple[str, ...]:
    """Return the definitions that `ahead` does not lead to, nor by way of modules `passed`."""
    known, reached = definitions(), set[Name]()
    while ahead:
        name = ahead.pop()
        if name not in reached and not name[0].startswith(passed):
            reached.add(name)
            ahead += _uses(name[0], known[name]) - reached
    return tuple(
        f"{m}.{n}"
        for m, n in sorted(set(known) - reached)
        if n != "__all__" and not m.startswith(passed)
    )


def unreached() -> tuple[str, ...]:
    """Return the definitions, private ones too, that no door or case leads to."""
    known = definitions()
    ahead = [name for module in modules() for name in _doors(module)]
    ahead += [name for name in _cases() if name in known]
    return _left(ahead)


def test_everything_is_reached() -> None:
    offenders = unreached()
    assert not offenders, report("what no door and no verification case reaches", offenders)


def test_what_published_cases_alone_reach_grows_no_more() -> None:
    doors = [n for m in modules() if not m.name.startswith(MANUAL) for n in _doors(m)]
    found = _left(doors, MANUAL)
    assert len(found) <= BY_CASES_ALONE, report("what only the manual reaches", list(found))


def test_the_scan_sees_a_name_that_nothing_reaches() -> None:
    assert len(definitions()) > 1000
    name = ("facility.core.errors", "near_matches")
    assert name in definitions()
    assert name not in _uses("facility.core.errors", definitions()[name])
