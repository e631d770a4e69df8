"""The documentation as a site: the pages of ``docs/``, and pages written from the code.

``python -m tools.docs OUT`` writes the sources into ``OUT/pages`` and, through MkDocs, the site
into ``OUT/site``; a broken link ends the build. Equations, rules, errors, library and commands are
read from their declarations. Tutorials and notebooks are executed, and their outputs embedded;
``--quick`` leaves the outputs out. Formulas become MathML, so that nothing is fetched.
"""

from __future__ import annotations

import ast
import csv
import importlib
import pkgutil
import re
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path

from latex2mathml.converter import convert

import facility
from facility.core.check import Rule
from facility.core.equation import EQUATIONS, AnyEquation
from facility.core.errors import error_codes
from facility.core.kinds import KINDS
from tools.executed import executed, ipynb, markdown, notebook_cells, page_cells
from tools.interface_pages import command_page, library_pages

ROOT = Path(__file__).resolve().parents[1]
_INTERFACES = ("facility.ui", "facility.cli")


@cache
def _imported() -> tuple[str, ...]:
    """Import every module that declares equations or rules; return their names."""
    found = pkgutil.walk_packages(facility.__path__, "facility.")
    names = tuple(one.name for one in found if not one.name.startswith(_INTERFACES))
    for name in names:
        importlib.import_module(name)
    return names


def equations() -> Mapping[str, AnyEquation]:
    """Return every declared equation by its name."""
    names = set(_imported())
    return {name: one for name, one in EQUATIONS.items() if one.si.__module__ in names}


@dataclass(frozen=True)
class DeclaredRule:
    """Texts of a rule; empty where they depend on edition or equipment."""

    title: str
    severity: str
    source: str
    remedy: str
    module: str


def rules() -> Mapping[str, DeclaredRule]:
    """Return every declared rule by its id: a call of ``Rule`` in the package, or a row of its.

    The module of a row is the first that names it, or has the class that it is checked on.
    """
    found: dict[str, DeclaredRule] = {}
    rows: dict[str, tuple[Rule, str]] = {}
    named: dict[str, str] = {}
    classes: dict[str, str] = {}
    for name in _imported():
        known = _instances(vars(sys.modules[name]).values())
        if name.endswith(".rules"):
            rows |= {id: (rule, name) for id, rule in known.items()}
            compared = vars(sys.modules[name])["RULES"].rows
            classes |= {rule.id: comparison.per for rule, comparison in compared}
        if not re.search(r"RULES\[|\bRule\(", _source(name)):
            continue
        for node in ast.walk(ast.parse(_source(name))):
            if isinstance(node, ast.Subscript) and getattr(node.value, "id", "") == "RULES":
                named.setdefault(_text(node.slice, name), name)
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Rule" and node.args:
                texts = [_text(argument, name) for argument in [*node.args, *node.keywords]][:5]
                id, title, severity, _, remedy = (*texts, "", "", "", "")[:5]
                rule = known.get(id)
                module = name.removeprefix("facility.")
                written = DeclaredRule(title, severity, "", remedy, module)
                found[id] = _declared(rule, name) if rule else written
    home = {
        value.__name__: value.__module__
        for name in _imported()
        for value in vars(sys.modules[name]).values()
        if isinstance(value, type)
    }
    named |= {id: home[per] for id, per in classes.items() if id not in named}
    found |= {id: _declared(rule, named.get(id, name)) for id, (rule, name) in rows.items()}
    return {id: one for id, one in found.items() if id.isupper()}


def _declared(rule: Rule, module: str) -> DeclaredRule:
    cells = rule.title, rule.severity.value, str(rule.source), rule.remedy
    return DeclaredRule(*cells, module.removeprefix("facility."))


def _instances(values: Iterable[object]) -> Mapping[str, Rule]:
    """Return the rules among `values`, and in the mappings among them, by their ids."""
    found = {}
    for value in values:
        for one in value.values() if isinstance(value, Mapping) else (value,):
            if isinstance(one, Rule):
                found[one.id] = one
    return found


def _text(node: ast.AST, module: str) -> str:
    """Return an argument as text where it is written there or named in the module, else nothing."""
    if isinstance(node, ast.keyword):
        node = node.value
    if isinstance(node, ast.Name):
        value = vars(sys.modules[module]).get(node.id, "")
        return value if isinstance(value, str) else ""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


@cache
def _source(module: str) -> str:
    return Path(str(sys.modules[module].__file__)).read_text(encoding="utf-8")


def users() -> Mapping[str, tuple[str, ...]]:
    """Return the modules that import each equation, by its name."""
    found: dict[str, set[str]] = defaultdict(set)
    for module in _imported():
        for node in ast.walk(ast.parse(_source(module))):
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    name = f"{node.module}.{alias.name}".removeprefix("facility.")
                    found[name].add(module.removeprefix("facility."))
    return {name: tuple(sorted(modules)) for name, modules in found.items()}


def worked_cases() -> Counter[str]:
    """Return how many published numbers each equation reproduces, by its name."""
    tables = (
        *((path, "equation") for path in (ROOT / "tests" / "data" / "worked").glob("*.csv")),
        *((path, "compute") for path in (ROOT / "reference" / "cases").glob("*.csv")),
    )
    found: Counter[str] = Counter()
    for path, column in tables:
        with path.open(newline="", encoding="utf-8") as stream:
            found.update(row[column] for row in csv.DictReader(stream) if column in row)
    return found


def _table(heading: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    names = list(heading)
    lines = ["| " + " | ".join(names) + " |", "|" + "---|" * len(names)]
    return [*lines, *("| " + " | ".join(_cell(c) for c in row) + " |" for row in rows), ""]


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


_ERRORS = re.compile(r"^(\w+Error)\n((?: {4}.+\n)+)", re.MULTILINE)


def _equation(found: AnyEquation, used: Iterable[str], cases: int) -> Iterator[str]:
    """Yield the section of one equation."""
    yield from (f"## {found.name.rpartition('.')[2]}", "")
    documented = (found.__doc__ or "").partition("\n.. math::")[0].strip()
    yield from (escape(documented, quote=False), "")
    _, topic, *_, name = found.name.split(".")
    address = f"facility.equations.{topic}.{name}"
    if getattr(getattr(facility.equations, topic, None), name, None) is not None:
        yield from (f"`{address}({', '.join(found.arguments)})`", "")
    yield from (convert(found.statement, display="block"), "")
    named = [(f"`{name}`", kind, name) for name, kind in found.arguments.items()]
    named += [("result", kind, "returns") for kind in found.returns]
    yield from _table(
        ("Argument", "Kind", "Unit", "Meaning"),
        (
            (shown, kind.replace("_", " "), KINDS[kind].si, escape(found.meanings.get(key, "")))
            for shown, kind, key in named
        ),
    )
    for error, when in _ERRORS.findall(found.__doc__ or ""):
        yield f"Raises {error}: {escape(' '.join(when.split()), quote=False)}"
    yield f"Source: {escape(str(found.source), quote=False)}."
    if found.empirical:
        yield f"A fitted correlation: {escape(found.empirical, quote=False)}."
    if found.excel:
        yield f"In the workbook: `{found.excel}`."
    yield (
        f"Reproduces {cases} published numbers."
        if cases != 1
        else "Reproduces one published number."
    )
    places = ", ".join(f"`{one}`" for one in used)
    yield from (f"Used in {places}." if places else f"Used in `{found.name.rpartition('.')[0]}`.",)
    yield ""


def equation_pages() -> Mapping[str, str]:
    """Return a page for each folder of equations, by file name, and the page that lists them."""
    by_folder: dict[str, list[AnyEquation]] = defaultdict(list)
    for name, found in sorted(equations().items()):
        by_folder[".".join(name.split(".")[:2])].append(found)
    used, cases = users(), worked_cases()
    pages = {}
    for folder, inside in by_folder.items():
        lines = [f"# Equations: {folder}", ""]
        for found in inside:
            lines += _equation(found, used.get(found.name, ()), cases[found.name])
        pages[f"equations/{folder}.md"] = "\n".join(lines)
    rows = (
        (
            f"[{name}](equations/{name}.md)",
            f"{len(inside)}",
            f"{sum(cases[e.name] for e in inside)}",
        )
        for name, inside in by_folder.items()
    )
    head = ["# Equations", "", "Every formula used by a result, read from its declaration.", ""]
    index = _table(("Folder", "Equations", "Published numbers reproduced"), rows)
    return {"equations.md": "\n".join([*head, *index]), **pages}


def rules_page() -> str:
    """Return the page of all rules."""
    rows = (
        (
            f"`{id}`",
            escape(rule.title, quote=False),
            rule.severity or "by the case",
            escape(rule.source, quote=False) or "by edition or equipment",
            escape(rule.remedy, quote=False),
            f"`{rule.module}`",
        )
        for id, rule in sorted(rules().items())
    )
    head = [
        "# Rules",
        "",
        "Every check of every study. `facility explain RULE PROJECT` prints the findings;",
        "if the source depends on the edition or the equipment, the check names it.",
        "",
    ]
    columns = ("Rule", "Title", "Severity", "Source", "Remedy", "Module")
    return "\n".join([*head, *_table(columns, rows)])


def errors_page() -> str:
    """Return the page of all error codes."""
    rows = (
        (
            f"`{code}`",
            str(said.exit_code),
            escape(said.meaning, quote=False),
            escape(said.remedy, quote=False),
        )
        for code, said in sorted(error_codes().items())
    )
    head = [
        "# Errors",
        "",
        "Every error has a code, the location, the value found and the remedy. Exit codes of the",
        "command line: 2 usage, 3 invalid input, 4 no feasible design, 5 a check failed, 6 a file",
        "was rejected, 1 a defect of the program.",
        "",
    ]
    return "\n".join([*head, *_table(("Code", "Exit code", "Meaning", "Remedy"), rows)])


def executed_pages(folder: Path, *, run: bool) -> Mapping[str, str]:
    """Return tutorials and notebooks with their outputs by path; drawings go into `folder`."""
    pages = {}
    for path in sorted((ROOT / "docs" / "tutorials").glob("*.md")):
        cells = page_cells(path.read_text(encoding="utf-8"))
        cells = executed(cells, path.name) if run else cells
        inside = folder / "tutorials"
        pages[f"tutorials/{path.name}"] = markdown(cells, path.stem, inside)
    for path in sorted((ROOT / "docs" / "notebooks").glob("*.py")):
        cells = notebook_cells(path.read_text(encoding="utf-8"))
        cells = executed(cells, path.name) if run else cells
        name = f"notebooks/{path.stem}"
        link = f"[Download as a Jupyter notebook]({path.stem}.ipynb)\n"
        pages[f"{name}.md"] = markdown(cells, path.stem, folder / "notebooks") + "\n" + link
        pages[f"{name}.ipynb"] = ipynb(cells)
    return pages


def write_pages(folder: Path, *, run: bool = True) -> list[Path]:
    """Write the sources of the site into `folder`, which is emptied first; return the pages.

    Without `run` tutorials and notebooks have no outputs.
    """
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs", folder, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    # Links of the README lead from the root of the repository, those of docs to it.
    pages = {"index.md": _of_root("README"), "rules.md": rules_page(), "errors.md": errors_page()}
    pages |= {f"{name}.md": _of_root(name) for name in ("CHANGELOG", "CONTRIBUTING", "SECURITY")}
    for path in folder.rglob("*.md"):
        pages[path.relative_to(folder).as_posix()] = path.read_text(encoding="utf-8").replace(
            "](../", "](" if path.parent == folder else "](../"
        )
    benchmarks = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    pages |= {"benchmarks/README.md": benchmarks, "cli.md": command_page()}
    pages |= {**equation_pages(), **library_pages(), **executed_pages(folder, run=run)}
    symbols = re.compile(r"\$([^$]+)\$")
    pages["inputs.md"] = symbols.sub(lambda symbol: convert(symbol[1]), pages["inputs.md"])
    written = []
    for name, text in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        written.append(path)
    return written


def _of_root(name: str) -> str:
    return (ROOT / f"{name}.md").read_text(encoding="utf-8").replace("](docs/", "](")


def main() -> None:
    """Write the pages and build the site."""
    arguments = [one for one in sys.argv[1:] if one != "--quick"]
    out, run = Path(arguments[0]).resolve(), "--quick" not in sys.argv
    print(f"{len(write_pages(out / 'pages', run=run))} pages written")
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    (out / "mkdocs.yml").write_text(settings, encoding="utf-8")
    # --quiet would count no warnings, and so pass a broken link.
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", str(out / "mkdocs.yml")]
    built = subprocess.run(command, capture_output=True, text=True)
    if built.returncode:
        lines = (built.stdout + built.stderr).splitlines()
        raise SystemExit("\n".join(line for line in lines if not line.startswith("INFO")))
    print(f"site: {out / 'site' / 'index.html'}")


if __name__ == "__main__":
    main()
