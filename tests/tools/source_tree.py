"""The product's own source, parsed once: what the house tests look at."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "facility"
SHORT = 10
"""Lines of a function, signature and docstring included, below which it is a short one."""


@dataclass(frozen=True)
class Module:
    """One module of the package: dotted name, path from the root, text and syntax tree."""

    name: str
    path: str
    text: str
    tree: ast.Module

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Every node of the tree: each walk of all modules takes over a second."""
        return tuple(ast.walk(self.tree))

    @property
    def layer(self) -> str:
        """First package below ``facility``; empty for the package itself."""
        parts = self.name.split(".")
        return parts[1] if len(parts) > 1 else ""


@dataclass(frozen=True)
class Import:
    """One import statement, resolved to a dotted module name."""

    target: str
    line: int
    at_import_time: bool
    relative: bool


def sources() -> Iterator[tuple[str, str, str]]:
    """Give name, path from the root and text of every module of the package."""
    for path in sorted(PACKAGE.rglob("*.py")):
        relative = path.relative_to(ROOT)
        name = ".".join(relative.with_suffix("").parts).removesuffix(".__init__")
        yield name, relative.as_posix(), path.read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def modules() -> tuple[Module, ...]:
    """Return every module of the package, in the order of their paths."""
    return tuple(Module(*source, ast.parse(source[2], source[1])) for source in sources())


@lru_cache(maxsize=1)
def _names() -> frozenset[str]:
    return frozenset(module.name for module in modules())


@cache
def imports_of(module: Module) -> list[Import]:
    """Return all imports of `module`, those inside functions too.

    ``from facility.core import units`` counts as an import of ``facility.core.units`` where that
    is a module. An import under ``if TYPE_CHECKING`` counts, but not as one of import time.
    """
    names = _names()
    found: list[Import] = []

    def visit(node: ast.AST, at_import_time: bool) -> None:
        if isinstance(node, ast.Import):
            found.extend(Import(a.name, node.lineno, at_import_time, False) for a in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            for alias in node.names:
                full = f"{base}.{alias.name}"
                target = full if full in names else base
                found.append(Import(target, node.lineno, at_import_time, node.level > 0))
        inner = at_import_time and not (
            isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            or (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test))
        )
        for child in ast.iter_child_nodes(node):
            visit(child, inner)

    visit(module.tree, True)
    return found


def called_once(module: Module) -> list[ast.FunctionDef]:
    """Return the private functions of a module that are named once in it, and nowhere else."""
    names = [n.id for n in module.nodes if isinstance(n, ast.Name)]
    uses = Counter(names) + Counter(n.attr for n in module.nodes if isinstance(n, ast.Attribute))
    return [
        node
        for node in module.tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("_") and uses[node.name] == 1
    ]


def lines_of(node: ast.FunctionDef) -> int:
    """Return the lines of a function, signature and docstring included."""
    return (node.end_lineno or node.lineno) - node.lineno + 1


def report(title: str, offenders: list[str]) -> str:
    """Return one message that lists all offenders."""
    return "\n".join([f"{title} ({len(offenders)}):", *(f"  {line}" for line in offenders)])
