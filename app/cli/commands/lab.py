"""`replitune lab serve`: a lab in a process of its own, which outlives the programs that use it."""

import argparse
import os
import sys

from app.cli.arguments import add_seed, whole_number
from app.domain.errors import BadInput
from app.foundation.texts import _
from app.services.program import Program


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("action", choices=("serve",), help=_("serve until interrupted"))
    parser.add_argument("--scenario", metavar="F", help=_("a shipped name or a scenario file"))
    parser.add_argument(
        "--port", type=whole_number(0, 65_535), default=0, metavar="N", help=_("loopback port (default: any free one)")
    )
    add_seed(parser)
    parser.set_defaults(run_command=run)


def run(options: argparse.Namespace, program: Program) -> int:
    """Serve; the target's key is printed once the port is open."""
    try:
        program.parts.serve_lab(options.scenario, options.seed, options.port, _announce)
    except KeyboardInterrupt:
        return 0  # how a server in a terminal is ended
    except OSError as error:
        raise BadInput(
            _("port {port} of this machine cannot be used: {why}; give another one with --port").format(
                port=options.port, why=os.strerror(error.errno) if error.errno else error
            )
        ) from error
    return 0


def _announce(key: str) -> None:
    sys.stdout.write(f"{key}\n")
    sys.stdout.flush()
