"""Pages of the two programming interfaces, written from the code: library and command line.

``library_pages`` gives each public name its signature and docstring; ``command_page`` lists every
command with its options.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from html import escape
from types import ModuleType
from typing import Any

from typer.main import get_command

import facility
from facility.cli.main import cli

_SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.MULTILINE)
_GROUPS = {
    "Projects": ("project", "load_project", "default_project", "Project"),
    "Design": ("design", "Design", "Results", "Value", "Check", "Outcome", "Severity"),
    "Explanation": ("explain", "Explanation", "Ledger", "Assumption"),
    "Studies": (
        *("failures", "Failures", "isolation", "isolations", "Isolation", "annual", "AnnualStudy"),
        *("transient", "TransientStudy"),
        *("load_motion", "LoadStudy", "compare_cooling", "Comparison", "ranges", "RangesStudy"),
    ),
    "Sweeps": ("sweep", "Sweep", "optimise", "Optimum"),
    "Panels": ("balance", "BalanceResult", "Panel", "Circuit"),
    "Files and drawings": ("export", "draw", "SvgDrawing", "verify", "VerifyReport", "CaseOutcome"),
    "Units and errors": ("quantity", "Quantity", "FacilityError"),
}


def library_pages() -> Mapping[str, str]:
    """Return a page for each group of public names, and the page that lists all names."""
    public = [name for name in facility.__all__ if not name.startswith("__")]
    values = {name: getattr(facility, name) for name in public}
    modules = {name: value for name, value in values.items() if isinstance(value, ModuleType)}
    grouped = {group: [n for n in names if n in values] for group, names in _GROUPS.items()}
    listed = {name for names in grouped.values() for name in names}
    others = [name for name in public if name not in listed and name not in modules]
    if others:
        grouped["Other names"] = others
    pages, rows = {}, []
    for group, names in grouped.items():
        path = f"api/{group.lower().replace(' ', '-')}.md"
        lines = [f"# {group}", ""]
        for name in names:
            lines += _named(name, values[name], f"facility.{name}", "##")
            rows.append(f"| [`facility.{name}`]({path}#facility.{name}) | {_first(values[name])} |")
        pages[path] = "\n".join(lines)
    for name, module in modules.items():
        path = f"api/{name}.md"
        lines = [f"# facility.{name}", "", _prose(inspect.getdoc(module) or ""), ""]
        for inner in _public_names(module):
            lines += _named(inner, getattr(module, inner), f"facility.{name}.{inner}", "##")
        pages[path] = "\n".join(lines)
        rows.append(f"| [`facility.{name}`]({path}) | {_first(module)} |")
    head = ["# Library reference", "", "Signature, arguments, results and errors of public names."]
    index = [*head, "", "| Name | Description |", "|---|---|", *rows, ""]
    return {"api.md": "\n".join(index), **pages}


def _public_names(module: ModuleType) -> list[str]:
    names = getattr(module, "__all__", None)
    if names is None:
        own = (n for n, value in vars(module).items() if inspect.isroutine(value))
        names = [n for n in own if not n.startswith("_")]
        names = [n for n in names if getattr(module, n).__module__ == module.__name__]
    return [n for n in names if not isinstance(getattr(module, n), ModuleType)]


def _named(name: str, value: object, shown: str, level: str) -> Iterator[str]:
    """Yield the section of one function or class."""
    yield from (f"{level} {name} {{ #{shown} }}", "")
    if not inspect.isclass(value):
        yield from (f"```python\n{shown}{_signature(value)}\n```", "", _prose(_doc(value)), "")
        return
    yield from (_prose(_doc(value)), "")
    for member, found in sorted(vars(value).items()):
        if member.startswith("_") or not _documented(found):
            continue
        call = found.fget if isinstance(found, property) else getattr(value, member)
        title = member if isinstance(found, property) else f"{member}{_signature(call)}"
        yield from (
            f"{level}# {name}.{member} {{ #{shown}.{member} }}",
            "",
            f"```python\n{title}\n```",
            "",
        )
        yield from (_prose(_doc(found)), "")


def _documented(member: object) -> bool:
    kinds = (property, classmethod, staticmethod)
    return bool(_doc(member)) and (inspect.isroutine(member) or isinstance(member, kinds))


def _doc(value: object) -> str:
    return inspect.getdoc(value) or ""


def _first(value: object) -> str:
    return _doc(value).partition("\n\n")[0].replace("\n", " ").replace("|", "\\|")


def _signature(value: Any) -> str:
    """Return the signature as written, one argument to a line where it is long."""
    try:
        signature = inspect.signature(inspect.unwrap(value))
    except (TypeError, ValueError):
        return "(...)"
    text = str(signature).replace("'", "")
    if len(text) <= 80:
        return text
    parts = [f"    {str(one).replace(chr(39), '')}," for one in signature.parameters.values()]
    star = next((i for i, p in enumerate(signature.parameters.values()) if p.kind == 3), None)
    if star is not None and not any(p.kind == 2 for p in signature.parameters.values()):
        parts.insert(star, "    *,")
    back = signature.return_annotation
    end = "" if back is inspect.Signature.empty else f" -> {str(back).replace(chr(39), '')}"
    return "(\n" + "\n".join(parts) + f"\n){end}"


def _prose(text: str) -> str:
    """Return a docstring of the numpy convention as Markdown."""
    parts = _SECTION.split(text)
    lines = [_paragraphs(parts[0])]
    for title, body in zip(parts[1::2], parts[2::2], strict=True):
        lines.append(f"**{title}**")
        if title == "Examples":
            lines.append(f"```pycon\n{body.strip()}\n```")
        elif title in {"Parameters", "Returns", "Attributes", "Yields"}:
            lines.append(_entries(body))
        else:
            lines.append(_paragraphs(body))
    return "\n\n".join(line for line in lines if line)


def _paragraphs(text: str) -> str:
    plain = re.sub(r"``([^`]+)``", r"`\1`", text.strip())
    return re.sub(r"(`[^`]*`)|[<>]", lambda m: m[1] or escape(m[0]), plain)


def _entries(body: str) -> str:
    """Return the entries of a section: name and type, then the indented meaning."""
    items: list[str] = []
    for line in body.strip("\n").split("\n"):
        if line and not line[0].isspace():
            name, _, kind = line.partition(" : ")
            items.append(f"- `{name}`" + (f" ({_paragraphs(kind)})" if kind else "") + ":")
        elif line.strip() and items:
            items[-1] += f" {_paragraphs(line)}"
    return "\n".join(item.removesuffix(":") for item in items)


def command_page() -> str:
    """Return the page of every command with its arguments and options."""
    lines = ["# Command line", "", "Every command, with its arguments, options and defaults.", ""]
    for words, command in _commands(get_command(cli), ()):
        lines += [f"## facility {' '.join(words)}", "", _paragraphs(_text(command.help)), ""]
        rows = [_option(one) for one in command.params if not getattr(one, "hidden", False)]
        if rows:
            lines += ["| Argument or option | Meaning | Default |", "|---|---|---|", *rows, ""]
    return "\n".join(lines)


def _commands(command: Any, words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    inner = getattr(command, "commands", None)
    if inner is None:
        yield words, command
        return
    for name, one in inner.items():
        if not getattr(one, "hidden", False):
            yield from _commands(one, (*words, name))


def _text(text: str | None) -> str:
    return inspect.cleandoc(text or "").replace("\b", "")


def _option(option: Any) -> str:
    names = ", ".join(f"`{name}`" for name in [*option.opts, *option.secondary_opts])
    help = _text(getattr(option, "help", "")).replace("\n", " ").replace("|", "\\|")
    default = option.default
    plain = default is None or callable(default) or default is False or default in ((), [])
    value = "" if plain else f"`{getattr(default, 'value', default)}`"
    return f"| {names} | {_paragraphs(help)} | {value} |"
