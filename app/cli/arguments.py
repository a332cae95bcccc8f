"""Arguments several commands share."""

import argparse
import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Final

from app.cli.effects import Effects
from app.domain.errors import BadInput
from app.domain.plan_field import read_time
from app.foundation.texts import _
from app.services.hand_over.free_texts import NameChoices
from app.services.target.target_spec import parse_target

_OWN: Final = re.compile(r"[a-z][a-z0-9]*://")


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add `--json`."""
    parser.add_argument("--json", action="store_true", help=_("print the results as JSON on standard output"))


def add_target(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """Add `--target`."""
    parser.add_argument(
        "--target",
        type=target_name,
        required=required,
        metavar="NAME",
        help=_("a saved name, lab, lab:SCENARIO, sqlserver://user@host:port or oracle://user@host:port/service"),
    )


def add_journal(parser: argparse.ArgumentParser) -> None:
    """Add `--journal`."""
    parser.add_argument("--journal", type=Path, metavar="FILE", help=_("undo journal (default: that of this user)"))


def add_out(parser: argparse.ArgumentParser, default: str) -> None:
    """Add `--out` for a folder."""
    parser.add_argument(
        "--out",
        type=Path,
        default=Path(default),
        metavar="DIR",
        help=_("folder for the results (default: %(default)s)"),
    )


def add_seed(parser: argparse.ArgumentParser) -> None:
    """Add `--seed` of the lab's noise."""
    parser.add_argument(
        "--seed", type=whole_number(0, 2**63 - 1), default=1, metavar="N", help=_("seed of the lab's noise")
    )


def add_names(parser: argparse.ArgumentParser) -> None:
    """Add `--redact`, and the decisions on names that no record declares: `--hide`, `--keep`, `--keep-rest`."""
    parser.add_argument(
        "--redact", action="store_true", help=_("replace names of servers, databases, logins and objects everywhere")
    )
    parser.add_argument(
        "--hide", action="append", default=[], metavar="NAME", help=_("replace this name too; may be repeated")
    )
    parser.add_argument(
        "--keep",
        action="append",
        default=[],
        metavar="TEXT",
        help=_("hand on this note, tag, title or foreword as it is (or its beginning, with …); may be repeated"),
    )
    parser.add_argument(
        "--keep-rest", action="store_true", help=_("hand on all notes, tags, titles and forewords as they are")
    )


def add_effects_of_names(parser: argparse.ArgumentParser) -> Effects:
    """Declare that texts are kept only where names are replaced; return what more is declared with."""
    effects = Effects(parser)
    for option in ("--keep", "--keep-rest"):
        effects.add(option, _("--redact or --hide"), lambda given: given.redact or bool(given.hide))
    return effects


def names_of(options: argparse.Namespace) -> NameChoices:
    """Return the decisions on names given by the arguments of `add_names`."""
    return NameChoices(tuple(options.hide), None if options.keep_rest else tuple(options.keep))


def time_of_day(text: str) -> int:
    """Parse a time of day such as 07:00, in minutes since midnight."""
    minutes = read_time(text)
    if minutes is None:
        raise argparse.ArgumentTypeError(_('"{text}" is no time of day; write it as 07:00').format(text=text))
    return minutes


def window_time(text: str) -> datetime:
    """Parse date and time of day such as 2026-12-05 22:00, by the clock of the place it is meant for."""
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        found = None
    if found is None or found.tzinfo is not None or ":" not in text:
        raise argparse.ArgumentTypeError(
            _('"{text}" is no date with a time of day; write it as "2026-12-05 22:00"').format(text=text)
        )
    return found


def whole_number(low: int, high: int) -> Callable[[str], int]:
    """Return a parser for a whole number within limits, inclusive."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = low - 1
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(
                _('"{text}" must be a whole number, {low} to {high}').format(text=text, low=low, high=high)
            )
        return value

    return read


def target_name(text: str) -> str:
    """Read a target or a saved one's name; a target that is none is refused before anything is loaded or opened.

    An address of another tool, such as a JDBC string, is understood when the target is opened.

    Raises:
        BadInput: no target is spelled like that, or it holds a password.
    """
    if _OWN.match(text):
        parse_target(text)
    return text


def noise_cv(text: str) -> float:
    """Read a noise level given as a share, 0.03 for 3 %.

    Raises:
        BadInput: not a number between 0 and 1.
    """
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not 1e-6 <= value < 1:  # a smaller one is no noise and divides to infinity
        raise BadInput(_('--noise-cv "{text}" must be a share between 0 and 1, such as 0.03 for 3 %').format(text=text))
    return value
