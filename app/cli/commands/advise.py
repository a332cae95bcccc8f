"""`replitune advise FILE`: findings from measurements made elsewhere."""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from app.cli.arguments import add_json, noise_cv
from app.cli.progress import WorkProgress
from app.cli.summary import print_json, print_summary
from app.domain.session import Advice, SessionRecord
from app.foundation.files import write_atomically
from app.foundation.texts import _
from app.reporting.export.csv_export import table_csv
from app.reporting.export.json_export import plain_json
from app.reporting.render.terminal import table_lines
from app.reporting.tables.plain_comparisons import plain_comparisons_table, plain_title
from app.services.explain.advising import Advisor
from app.services.explain.imported_session import read_or_compare
from app.services.explain.importing import BASELINE, CONDITIONS, STANDARD_INPUT, answers_of, name_of
from app.services.explain.plain_comparison import PlainComparison
from app.services.hand_over.report_and_scripts import hand_over
from app.services.hand_over.result_json import result_json
from app.services.program import Program
from app.services.workplace import Workplace, open_workplace, refuse_hand_over_of_another, refuse_to_overwrite
from app.store import create_session_file


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "file",
        type=Path,
        metavar="FILE",
        help=_("measurements: a table in any form, a workbook, or - for standard input; see README"),
    )
    parser.add_argument("--family", metavar="FAMILY", default="", help=_("experiment family, where no column says it"))
    parser.add_argument(
        "--condition",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help=_("condition that held for all rows, such as rtt_ms=20; may be repeated"),
    )
    parser.add_argument(
        "--baseline",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help=_("setting to compare with, where it is not the vendor's default; may be repeated"),
    )
    parser.add_argument(
        "--noise-cv", metavar="X", help=_("noise between runs known from outside, as a share: 0.03 is 3 %%")
    )
    parser.add_argument(
        "--say",
        metavar="NAME=ANSWER",
        action="append",
        default=[],
        help=_("answer to what a file leaves open, as its question says it; may be repeated"),
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help=_("folder for report, scripts and session file"))
    add_json(parser)
    parser.set_defaults(run_command=run)


def run(options: argparse.Namespace, program: Program) -> int:
    """Read the file, explain it, and hand it over; with `--json` and no `--out` nothing is written."""
    noise = noise_cv(options.noise_cv) if options.noise_cv is not None else None
    place: Workplace | None = None
    with WorkProgress(_("Reading and comparing {file}").format(file=name_of(options.file))) as progress:
        session = read_or_compare(options.file, program.families, noise, answers=_answers(options))
        if isinstance(session, PlainComparison):
            return _tell_plainly(session, options)
        advisor = replace(program.advisor, on_progress=progress.tell)
        if options.out is None and options.json:
            advice = advisor.advise(session)
        else:
            name = "measurements" if options.file == STANDARD_INPUT else options.file.stem
            place = open_workplace(options.out or Path(f"{name}-advice"))
            advice, place = _write(options.file, place, session, advisor, program)
    if options.json:
        print_json(result_json(advice, program.families.values()))
    if place is not None:
        print_summary(
            advice, place, sys.stderr if options.json else sys.stdout, program.families.values(), is_imported=True
        )
    return 0


def _tell_plainly(plain: PlainComparison, options: argparse.Namespace) -> int:
    """Print the comparison of a parameter without a rule as a table; with `--out` it is also written."""
    content = plain_comparisons_table(plain.comparisons)
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        write_atomically(options.out / "comparisons.csv", table_csv(content))
    if options.json:
        print_json(plain_json(plain.parameter, plain.comparisons, plain.notes))
        return 0
    lines = [_("Note: {text}").format(text=note) for note in plain.notes]
    lines += [plain_title(plain.parameter), *table_lines(content)]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


def _answers(options: argparse.Namespace) -> dict[str, str]:
    """Return all that was given for the whole file."""
    once = {
        "family": options.family,
        BASELINE: ", ".join(options.baseline),
        CONDITIONS: "; ".join(options.condition),
    }
    given = {name: text for name, text in once.items() if text}
    return answers_of(options.say) | given


def _write(
    file: Path, place: Workplace, session: SessionRecord, advisor: Advisor, program: Program
) -> tuple[Advice, Workplace]:
    refuse_to_overwrite(file, (place.measurements,))
    refuse_hand_over_of_another(place)
    store = create_session_file(place.session_file)
    try:
        store.add_session(session)
    finally:
        store.close()
    return hand_over(place, session.session_id, advisor, program.parts.make_renderer())
