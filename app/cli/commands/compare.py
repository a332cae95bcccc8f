"""`replitune compare FILE RUN RUN` and `compare FILE [RUN] --published`: described, never judged as an experiment."""

import argparse
import sys
from pathlib import Path

from app.cli.arguments import add_json
from app.cli.summary import print_json
from app.domain.errors import BadInput
from app.flows.explain.compare_view import ShownComparison, show_published, show_runs
from app.flows.explain.compare_words import CompareWords
from app.foundation.terminal_text import lines_of
from app.foundation.texts import _
from app.reporting.render.terminal import table_lines
from app.services.explain.comparison import compare_published, compare_runs
from app.services.explain.comparison.as_json import published_json, runs_json
from app.services.program import Program

_MOST_LINES = 40


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("file", type=Path, metavar="FILE", help=_("a .replitune file"))
    parser.add_argument(
        "runs", nargs="*", metavar="RUN", help=_("E1 (of the newest session), SESSION/E1, or SESSION for all its runs")
    )
    parser.add_argument("--published", action="store_true", help=_("compare with the numbers published by others"))
    add_json(parser)
    parser.set_defaults(run_command=run)


def run(options: argparse.Namespace, program: Program) -> int:
    """Compare, and print the comparison."""
    runs: list[str] = options.runs
    words = CompareWords(program.families)
    if options.published:
        if len(runs) > 1:
            raise BadInput(_("give one run, or none for the newest session, with --published"))
        published = compare_published(options.file, runs[0] if runs else "", program.advisor)
        _show(options.json, published_json(published), show_published(published, words))
        return 0
    if len(runs) != 2:
        raise BadInput(_("give two runs, such as E1 E2, or --published"))
    comparison = compare_runs(options.file, runs[0], runs[1], program.advisor)
    _show(options.json, runs_json(comparison), show_runs(comparison, words))
    return 0


def _show(as_json: bool, document: object, shown: ShownComparison) -> None:
    if as_json:
        print_json(document)  # type: ignore[arg-type]  # both documents are JSON objects
    else:
        sys.stdout.write(lines_of(_lines(shown)))


def _lines(shown: ShownComparison) -> list[str]:
    """Return the tables of the window, each under its heading."""
    lines = [_("Note: {text}").format(text=text) for text in shown.cautions.splitlines()]
    differing = table_lines(shown.differing)
    parts = (
        (_("Measured on both:"), table_lines(shown.measured)),
        (_("What each found within its own blocks:"), table_lines(shown.effects)),
        (_("What differs:"), differing[: _MOST_LINES + 1]),
    )
    for heading, table in parts:
        lines += ["", heading, *table] if table else []
    if not differing:
        lines += ["", _("Plan and environment are the same.")]
    left = len(differing) - _MOST_LINES - 1
    return [*lines, "  " + _("and {count} more; --json lists all").format(count=left)] if left > 0 else lines
