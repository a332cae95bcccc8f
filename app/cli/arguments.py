"""Arguments several commands share."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from app.domain.errors import BadInput
from app.foundation.texts import _

if TYPE_CHECKING:
    # argparse gives the type of `add_subparsers()` no public name, and no parameter at run time
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]
else:
    Commands = argparse.Action


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add `--json`."""
    parser.add_argument("--json", action="store_true", help=_("print the results as JSON on standard output"))


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


def noise_cv(text: str) -> float:
    """Read a noise level given as a share, 0.03 for 3 %.

    Raises:
        BadInput: not a number between 0 and 1.
    """
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not 0 < value < 1:
        raise BadInput(_('--noise-cv "{text}" must be a share between 0 and 1, such as 0.03 for 3 %').format(text=text))
    return value
