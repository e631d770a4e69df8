"""Error handling of every command: a coded message and the documented exit code."""

from __future__ import annotations

import functools
import inspect
import os
import sys
import traceback
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from facility.cli.options import Quiet
from facility.core.errors import FacilityError

if TYPE_CHECKING:
    from facility.cli.options import FailOn
    from facility.core.check import Check

_Options = dict[str, Any]

EXIT_INTERNAL = 1
EXIT_CHECK_FAILED = 5
EXIT_FILE = 6
EXIT_INTERRUPTED = 130
_KEYWORD = inspect.Parameter.KEYWORD_ONLY
_OUTPUTS = ("out", "as_built", "svg")
_RANK = {"VIOLATION": 0, "WARNING": 1, "ADVICE": 2}


VERBS: dict[str, Callable[..., None]] = {}
"""Every command by the words typed after ``facility``: ``design``, ``library list``."""


def verb(name: str, *aliases: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Declare a command of this name; invalid input ends with a coded error and its exit code.

    aliases: Former names, which still answer.

    With ``--json`` the error is a JSON object on stdout; the text always goes to stderr. Every
    command has the option ``--quiet``. A parameter that is a dataclass, such as `TableOptions`, is
    a group of options that several commands share.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(command)
        def run(*args: Any, quiet: bool = False, **kwargs: Any) -> None:
            try:
                kwargs |= {
                    group: kind(**{one.name: kwargs.pop(one.name) for one in fields(kind)})
                    for group, kind in groups.items()
                }
                _refuse_streams(name, kwargs)
                _run_to_the_end(command, args, kwargs, name, quiet)
            except FacilityError as error:
                if bool(kwargs.get("json")):
                    from facility.cli.output import print_json, refusal

                    print_json(refusal(name.split()[0], [error]))
                _say(f"error: {error}")
                sys.exit(error.exit_code)
            except KeyboardInterrupt:
                _say("interrupted")
                sys.exit(EXIT_INTERRUPTED)
            except BrokenPipeError:
                # The reader has what it needs: `facility design | head -1` succeeds.
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
                sys.exit(0)
            except Exception as error:
                if os.environ.get("FACILITY_DEBUG"):
                    raise
                _report_bug(error)
                sys.exit(EXIT_INTERNAL)

        signature = inspect.signature(command, eval_str=True)
        stated = signature.parameters.items()
        groups: dict[str, type] = {
            group: one.annotation
            for group, one in stated
            if isinstance(one.annotation, type) and is_dataclass(one.annotation)
        }
        parameters = [
            each
            for group, one in stated
            for each in (
                inspect.signature(groups[group], eval_str=True).parameters.values()
                if group in groups
                else [one]
            )
        ]
        parameters.append(inspect.Parameter("quiet", _KEYWORD, default=False, annotation=Quiet))
        run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        VERBS.update(dict.fromkeys((name, *aliases), run))
        return run

    return decorate


def _refuse_streams(name: str, kwargs: _Options) -> None:
    """Refuse an output file that is also read, and two outputs on stdout."""
    from facility.cli.output import is_stream

    if kwargs.get("force"):
        refuse_input_as_output(kwargs.get("out"), kwargs.get("file"), kwargs.get("project"))
    on_stdout = [option for option in _OUTPUTS if is_stream(kwargs.get(option))]
    if len(on_stdout) > 1 or (on_stdout and kwargs.get("json")):
        raise FacilityError(
            "OPTIONS",
            name,
            "only one output can go to standard output (-).",
            "Enter a file name, or leave out --json.",
        )


def refuse_input_as_output(out: Any, *inputs: Any) -> None:
    """Refuse to write over a file that the same command reads, even with ``--force``.

    Raises ``OUTPUT_IS_INPUT``, with exit code 6.
    """
    for one in inputs:
        if isinstance(out, Path) and isinstance(one, Path) and _same_file(out, one):
            raise FacilityError(
                "OUTPUT_IS_INPUT",
                str(out),
                "the output would replace the input file.",
                "Enter another name for --out.",
            )


def _same_file(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return False


def fail_if(checks: Iterable[Check], fail_on: FailOn | None) -> None:
    """Exit with code 5 if a check of severity `fail_on` or worse failed."""
    if fail_on is None:
        return
    limit = _RANK[fail_on.value.upper()]
    failed = [c for c in checks if c.failed and _RANK[c.severity.value] <= limit]
    if failed:
        _say(f"{len(failed)} checks failed at {fail_on.value} or worse")
        sys.exit(EXIT_CHECK_FAILED)


def _run_to_the_end(
    command: Callable[..., None], args: tuple[Any, ...], kwargs: _Options, name: str, quiet: bool
) -> None:
    """Run `command` and flush its output here, where a closed pipe is handled."""
    from facility.cli.output import console

    console.begin(quiet=quiet, writes_files=name.startswith("export"))
    try:
        command(*args, **kwargs)
        console.end()
    finally:
        sys.stdout.flush()


def _report_bug(error: Exception) -> None:
    last = traceback.extract_tb(error.__traceback__)[-1]
    _say(
        f"internal error: {type(error).__name__}: {error} (at {last.name}:{last.lineno}). "
        "This is a defect in facility: please report it with the project file. "
        "FACILITY_DEBUG=1 shows the traceback."
    )


def _say(text: str) -> None:
    """Write an error to stderr: one line in a file, wrapped on a terminal."""
    if sys.stderr.isatty():
        from facility.cli.layout import wrapped
        from facility.cli.output import terminal_width

        text = "\n".join(wrapped(text, terminal_width(), "", "  "))
    sys.stderr.write(text + "\n")
