"""`replitune lab serve`: a lab in a process of its own, which outlives its clients; `lab pass` lets its time pass."""

import argparse
import os
import signal
import sys
from typing import Final

from app.cli.arguments import add_seed, target_name, whole_number
from app.cli.effects import Effects
from app.domain.errors import BadInput
from app.domain.statement import StatementRecord
from app.foundation.texts import _
from app.reporting.numbers import moment
from app.services.program import Program
from app.services.target.target_spec import is_lab, is_lab_of_this_process

_HOUR_S: Final = 3600.0

_FASTEST: Final = 10_000  # a simulated hour takes a fraction of a second; faster, it would never catch up


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "action", choices=("serve", "pass"), help=_("serve until interrupted, or let the time of a served lab pass")
    )
    parser.add_argument("--target", type=target_name, metavar="NAME", help=_("of pass: lab@127.0.0.1:PORT"))
    parser.add_argument(
        "--hours", type=whole_number(1, 24 * 7), default=24, metavar="N", help=_("of pass (default: %(default)s)")
    )
    parser.add_argument("--scenario", metavar="F", help=_("a shipped name or a scenario file"))
    parser.add_argument(
        "--port", type=whole_number(0, 65_535), default=0, metavar="N", help=_("loopback port (default: any free one)")
    )
    parser.add_argument(
        "--speed",
        type=_speed,
        metavar="X",
        help=_("let X virtual seconds pass in a real one, for sqlserver:// targets (default: lab@ targets move time)"),
    )
    add_seed(parser)
    effects = Effects(parser)
    for option in ("--target", "--hours"):
        effects.add(option, "lab pass", lambda given: given.action == "pass")
    for option in ("--scenario", "--port", "--speed", "--seed"):
        effects.add(option, "lab serve", lambda given: given.action == "serve")
    parser.set_defaults(run_command=run)


def run(options: argparse.Namespace, program: Program) -> int:
    """Serve, or let time pass.

    The target's key, each server's address and an example are printed once the ports are open.
    """
    if options.action == "pass":
        return _pass(options, program)
    # begun in the background by a script it would have inherited that Ctrl+C is ignored
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        program.parts.serve_lab(options.scenario, options.seed, options.port, _announce, speed=options.speed)
    except KeyboardInterrupt:
        return 0  # how a server in a terminal is ended
    except OSError as error:
        raise BadInput(
            _("port {port} of this machine cannot be used: {why}; give another one with --port").format(
                port=options.port, why=os.strerror(error.errno) if error.errno else error
            )
        ) from error
    return 0


def _pass(options: argparse.Namespace, program: Program) -> int:
    """Let hours of a served lab pass, with all that its applications write."""
    if options.target is None or not is_lab(options.target) or is_lab_of_this_process(options.target):
        raise BadInput(_("lab pass needs --target lab@127.0.0.1:PORT, as lab serve prints it"))
    target = program.parts.open_target(options.target, options.seed, _unrecorded)
    try:
        for _hour in range(options.hours):
            target.clock.sleep(_HOUR_S)
        _announce(_("It is {now} there.").format(now=moment(target.clock.now_utc())))
    finally:
        target.close()
    return 0


def _unrecorded(_record: StatementRecord) -> None:
    """Nobody asks what letting time pass sent."""


def _speed(text: str) -> float:
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not 0 < speed <= _FASTEST:
        raise argparse.ArgumentTypeError(
            _('"{text}" must be a number above 0, at most {most}').format(text=text, most=_FASTEST)
        )
    return speed


def _announce(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
