"""The command line: parses, runs one command, and turns errors into one sentence and an exit code."""

import argparse
import importlib
import io
import logging
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol, cast

from app.cli.asking import ask_nobody, ask_password
from app.cli.effects import refuse_without_effect
from app.cli.ending import ended_before, ending_with
from app.cli.parser import Parser, speak_our_language
from app.cli.terminal import shown_safely
from app.domain.errors import BadInput, ReplituneError
from app.foundation.secret import Secret, without_passwords
from app.foundation.texts import _
from app.foundation.version import VERSION
from app.services.program import Program

INTERRUPTED = 130
UNEXPECTED = 1

# Command: its module, and what it does. Only the module of the command asked for is imported: some load numpy, SQLite
# and Qt, which help and version do without.
_COMMANDS = {
    "demo": ("demo", _("a complete guided session on the lab")),
    "advise": ("advise", _("findings from measurements made elsewhere (CSV or JSON)")),
    "run": ("run_plan", _("run a plan on a target, with every change undone afterwards")),
    "target": ("target", _("save, list, test and remove targets under a name")),
    "doctor": ("doctor", _("what works here, and what a login may do on a target")),
    "discover": ("discover", _("what replicates there: topology, effective parameters and their origin")),
    "observe": ("observe", _("what the servers' own history shows, with nothing changed")),
    "report": ("report", _("the report of a session file")),
    "verify": ("verify", _("whether a session's promises were kept, from the servers' own history")),
    "engagement": ("engagement", _("a client's file: its sessions, searching them, notes and tags")),
    "compare": ("compare", _("two runs beside each other, or a session beside published numbers")),
    "bundle": ("bundle", _("pack a client's file with its results, names replaced if asked, or unpack one")),
    "undo": ("undo", _("undo a setting that a client kept on purpose")),
    "restore": ("restore", _("undo what an interrupted run left changed")),
    "rules": ("rules", _("check rule packs, or test them on their own cases")),
    "lab": ("lab", _("serve a lab on a loopback port")),
}


class CommandModule(Protocol):
    """The interface of a module under `commands/`."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's arguments; the parser sets `run_command`."""
        ...


def run(arguments: Sequence[str], program: Program) -> int:
    """Run one command and return its exit code; nothing ever shows a traceback."""
    _let_every_character_out()
    with shown_safely():
        return _run(arguments, program)


def _run(arguments: Sequence[str], program: Program) -> int:
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="replitune: %(message)s")
    try:
        code = _run_command(arguments, program)
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - everything is told in one sentence
        ended = ended_before(error)
        code = _code_of(error) if ended is None else ended.code
        with suppress(Exception):  # there may be no memory to say it with
            _tell(error if ended is None else ended.__cause__ or error, arguments, program)
    _let_go_of_streams()
    return code


def _run_command(arguments: Sequence[str], program: Program) -> int:
    _refuse_what_is_no_text(arguments)
    options = _parser(arguments).parse_args(arguments)
    refuse_without_effect(options)
    program.parts.credentials.ask_with(ask_nobody if getattr(options, "json", False) else ask_password)
    code: int = options.run_command(options, program)
    with ending_with(code):
        sys.stdout.flush()
    return code


def _code_of(error: BaseException) -> int:
    """Return the exit code of a command that an error ended."""
    match error:
        case ReplituneError():
            return error.exit_code
        case KeyboardInterrupt():
            return INTERRUPTED
        case BrokenPipeError():
            return 0  # whoever read our output went away
        case OSError():
            return ReplituneError.exit_code
    return UNEXPECTED


def _tell(error: BaseException, arguments: Sequence[str], program: Program) -> None:
    """Tell in one sentence why a command ended."""
    match error:
        case ReplituneError():
            _complain(str(error), arguments)
        case KeyboardInterrupt():
            _write_error(_("replitune: interrupted") + "\n")
        case BrokenPipeError():
            pass
        case OSError():
            why = error.strerror or str(error)
            _complain(f"{error.filename}: {why}" if error.filename else why, arguments)
        case _unexpected:
            _complain(_tell_unexpected(error, program.parts.journal_path.parent / "errors", arguments), arguments)


def _let_go_of_streams() -> None:
    """Flush the output; where nobody takes it, drop it, or Python would try again at its end and fail for it."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
                stream.flush()


def _refuse_what_is_no_text(arguments: Sequence[str]) -> None:
    """Raise BadInput for bytes that are no text: the name of a file may hold such, where the system allows it."""
    for number, argument in enumerate(arguments, 1):
        if any("\ud800" <= char <= "\udfff" for char in argument) and not os.path.lexists(argument):
            raise BadInput(_("argument {number} is no valid text and no file; write it again").format(number=number))


def _complain(sentence: str, arguments: Sequence[str]) -> None:
    """Write one sentence on standard error, whatever line ends it was made of; no password given is repeated in it."""
    told = Secret.mask_known(without_passwords(sentence, arguments))
    _write_error(f"replitune: {' '.join(told.split())}\n")


def _write_error(text: str) -> None:
    with suppress(OSError, ValueError):  # nobody is there to read it
        sys.stderr.write(text)


def _tell_unexpected(error: BaseException, folder: Path, arguments: Sequence[str]) -> str:
    """Write a report of a mistake of the program, without secrets, and return the sentence that names it."""
    # needed only here
    from app.flows.shell.error_report import make_report
    from app.foundation.clock import SystemClock
    from app.foundation.files import write_atomically

    kind = type(error).__name__
    path = folder / f"{SystemClock().now_utc():%Y%m%d-%H%M%S}.txt"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        report = make_report(error, (), arguments=arguments)
        write_atomically(path, report.encode("utf-8", "replace"))
    except OSError:
        return _("a mistake of the program, not yours ({kind}), and no report of it could be written to {path}").format(
            kind=kind, path=path
        )
    return _("a mistake of the program, not yours ({kind}); report it with the file {path}").format(
        kind=kind, path=path
    )


def _let_every_character_out() -> None:
    """Write UTF-8 to files and pipes, and to a terminal every character it can show: an arrow must not end a run."""
    for stream, errors in ((sys.stdout, "replace"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors=errors)


def _parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    """Return the parser, complete for the command asked for; the others with their help only."""
    speak_our_language()
    parser: argparse.ArgumentParser = Parser(
        prog="replitune",
        description=_("Finds the right replication settings by measuring them on the servers themselves."),
        epilog=_(
            "Exit codes: 0 done, 2 wrong use or bad input, 3 the target failed or a limit of the plan was "
            "reached, 4 something could not be undone, 130 cancelled, 1 a mistake of the program."
        ),
    )
    parser.add_argument("--version", action="version", version=f"replitune {VERSION}")
    # taken before anything is loaded, see app/__main__.py; here for the help
    parser.add_argument("--language", choices=("en", "de"), help=_("language of texts and report, before the command"))
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    asked = arguments[0] if arguments else ""
    for name, (module, purpose) in _COMMANDS.items():
        command = commands.add_parser(name, help=purpose)
        if name == asked:
            cast(CommandModule, importlib.import_module(f"app.cli.commands.{module}")).add_arguments(command)
    return parser
