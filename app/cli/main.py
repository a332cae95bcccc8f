"""The command line: parses, runs one command, and turns errors into one sentence and an exit code."""

import argparse
import importlib
import logging
import sys
from collections.abc import Sequence
from typing import NoReturn, Protocol, cast

from app.cli.arguments import Commands
from app.services.program import Program
from app.domain.errors import ReplituneError
from app.foundation.texts import _
from app.foundation.version import VERSION

INTERRUPTED = 130

# command -> module; only the one asked for is imported, because some load numpy, SQLite and Qt
_MODULES = {
    "demo": "demo",
    "advise": "advise",
    "run": "run_plan",
    "discover": "discover",
    "report": "report",
    "restore": "restore",
    "rules": "rules",
    "lab": "lab",
}


class CommandModule(Protocol):
    """What a module under `commands/` offers."""

    def add_to(self, commands: Commands) -> None:
        """Add the command's arguments; its parser sets `run_command`."""
        ...


def run(arguments: Sequence[str], program: Program) -> int:
    """Run one command and return its exit code; a user's mistake never shows a traceback."""
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="replitune: %(message)s")
    options = _parser(arguments).parse_args(arguments)
    try:
        code: int = options.run_command(options, program)
    except ReplituneError as error:
        sys.stderr.write(f"replitune: {' '.join(str(error).split())}\n")
        return error.exit_code
    except KeyboardInterrupt:
        sys.stderr.write(_("replitune: interrupted") + "\n")
        return INTERRUPTED
    except BrokenPipeError:
        # whoever read our output went away; there is nobody left to tell
        sys.stderr.close()
        return 0
    return code


class _Parser(argparse.ArgumentParser):
    """An argument parser whose mistakes are one sentence, exit code 2."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong in one sentence and leave."""
        self.exit(2, _("replitune: {message}; see `{prog} --help`").format(message=message, prog=self.prog) + "\n")


def _parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    """Return the parser, complete for the command asked for, or for all where help is asked for."""
    parser: argparse.ArgumentParser = _Parser(
        prog="replitune",
        description=_("Finds the right replication settings by measuring them on the servers themselves."),
    )
    parser.add_argument("--version", action="version", version=f"replitune {VERSION}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    asked = arguments[0] if arguments else ""
    for name in [asked] if asked in _MODULES else _MODULES:
        module = cast(CommandModule, importlib.import_module(f"app.cli.commands.{_MODULES[name]}"))
        module.add_to(commands)
    return parser
