"""`replitune lab serve`: a lab in a process of its own, which outlives the programs that use it."""

import argparse
import sys

from app.cli.arguments import Commands
from app.services.program import Program
from app.foundation.texts import _


def add_to(commands: Commands) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser("lab", help=_("serve a lab on a loopback port"))
    parser.add_argument("action", choices=("serve",), help=_("serve until interrupted"))
    parser.add_argument("--scenario", metavar="F", help=_("a shipped name or a scenario file"))
    parser.add_argument("--port", type=int, default=0, metavar="N", help=_("loopback port (default: any free one)"))
    parser.add_argument("--seed", type=int, default=1, metavar="N", help=_("seed of the lab's noise"))
    parser.set_defaults(run_command=run)


def run(options: argparse.Namespace, program: Program) -> int:
    """Serve; the target's key is printed once the port is open."""
    program.parts.serve_lab(options.scenario, options.seed, options.port, _announce)
    return 0


def _announce(key: str) -> None:
    sys.stdout.write(f"{key}\n")
    sys.stdout.flush()
