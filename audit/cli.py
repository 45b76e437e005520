"""The terminal front: finds the verbs in `audit.commands` and maps errors to exit codes.

0 clean · 1 findings at or above ``--fail-on`` · 2 usage or invalid definition · 3 the audit could
not be done · 70 a bug in mle-audit · 130 interrupted · 141 the reader of the output went away, so
that a cut output is never taken for a clean one.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import pkgutil
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
import typer.core

import audit
import audit.commands
from competitions.errors import MleAuditError
from competitions.io import printable, reason

EXIT_BUG = 70
EXIT_COULD_NOT = 3
EXIT_INTERRUPTED = 130
EXIT_NO_READER = 141

# Plain help: rich would cost more than everything else that `--help` imports.
app = typer.Typer(
    name="mle-audit",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:  # noqa: FBT001 - typer calls it with the flag's value
    if wanted:
        typer.echo(f"mle-audit {audit.__version__}")
        raise typer.Exit


@app.callback()
def front(
    version: Annotated[  # noqa: FBT002
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Prepare, run and grade machine-learning agents, and audit whether the result is real."""


def _under(headings: dict[str, str]) -> type[typer.core.TyperCommand]:
    """Return a kind of command whose help puts a heading above each option that is named."""

    class Grouped(typer.core.TyperCommand):
        def format_options(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - see main
            heading = "Options"
            records: dict[str, list[tuple[str, str]]] = {}
            for option in self.get_params(ctx):
                heading = headings.get(option.name or "", heading)
                if record := option.get_help_record(ctx):
                    records.setdefault(heading, []).append(record)
            for title, lines in records.items():
                with formatter.section(title):
                    formatter.write_dl(lines)

    return Grouped


def _add_verbs() -> None:
    """Each module of `audit.commands` is one verb, or one with verbs of its own: see its name.

    A module may say by ``HEADINGS`` how the help of its verb is parted.
    """
    for entry in pkgutil.iter_modules(audit.commands.__path__):
        module = importlib.import_module(f"audit.commands.{entry.name}")
        verb = getattr(module, entry.name)
        name = entry.name.strip("_").replace("_", "-")
        headings = getattr(module, "HEADINGS", None)
        if isinstance(verb, typer.Typer):
            app.add_typer(verb, name=name)
        else:
            app.command(name, cls=_under(headings) if headings else None)(verb)


_add_verbs()


def _say(text: str) -> None:
    """Tell a person; hostile names command no terminal, and a full disk changes no exit code."""
    with contextlib.suppress(OSError):
        typer.echo("\n".join(map(printable, text.split("\n"))), err=True)


def _is_somewhere() -> bool:
    try:
        return bool(Path.cwd())
    except OSError:
        return False


def _have_streams() -> None:
    """Make standard streams usable: closed ones lead nowhere, and no character stops a table."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        stream = getattr(sys, name)
        if stream is None:  # else the next file that is opened would take its number
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
            os.set_inheritable(number, True)  # noqa: FBT003 - as os has it
            setattr(sys, name, os.fdopen(number, "w" if number else "r", closefd=False))
        elif number and getattr(stream, "errors", "") in {"strict", "surrogateescape"}:
            stream.reconfigure(errors="backslashreplace")


def _drop_what_stderr_cannot_take() -> None:
    """Send to nowhere what a full disk would not take: failing to flush it ends Python with 120."""
    try:
        sys.stderr.flush()
    except (OSError, ValueError):
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def main() -> None:
    """Run the command line and leave with a code that says what happened."""
    _have_streams()
    usage_error: type[Exception] = typer.BadParameter.__mro__[1]
    try:
        code = app(standalone_mode=False) or 0
        sys.stdout.flush()
    except MleAuditError as error:
        _say(f"error[{error.code}]: {error}")
        code = error.exit_code
    except (typer.Abort, KeyboardInterrupt):
        code = EXIT_INTERRUPTED
    except usage_error as error:  # typer carries its own click, whose classes have no public name
        error.show()  # type: ignore[attr-defined]
        code = 2
    except BrokenPipeError:  # the reader of our output went away, as in `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for the flush at the end
        code = EXIT_NO_READER
    except SystemExit as end:  # typer leaves with 1 when a pipe is closed: that would mean "found"
        code = EXIT_NO_READER if isinstance(end.__context__, BrokenPipeError) else end.code
    except OSError as error:  # a full disk, a folder that may not be written: no fault of ours
        where = f"{error.filename}: " if error.filename is not None else ""
        _say(f"error[os]: {where}{reason(error)}")
        if not _is_somewhere():
            _say("  The folder you are in was removed: cd to another.")
        code = EXIT_COULD_NOT
    except Exception:  # noqa: BLE001 - the last line of defence; "crashed" must not look like "found"
        import traceback

        _say(traceback.format_exc())
        _say("error[bug]: this is a fault of mle-audit, not of your data. Please report the above.")
        code = EXIT_BUG
    if code == EXIT_INTERRUPTED:
        _say("Interrupted. What was finished is on disk.")
    _drop_what_stderr_cannot_take()
    sys.exit(code)


if __name__ == "__main__":
    main()
