"""`replitune demo`: a complete guided session on the lab, all families, to report and scripts."""

import argparse
import sys

from app.cli.arguments import add_journal, add_json, add_out, add_seed
from app.cli.ended_runs import exit_code, naming_kept_files
from app.cli.interrupt import cancel_on_interrupt
from app.cli.progress import RunProgress
from app.cli.summary import print_json, print_summary
from app.domain.errors import BadInput
from app.domain.ports import FigureRenderer
from app.foundation.own_process import processors
from app.foundation.texts import _
from app.services.explain.advising import Advisor
from app.services.hand_over.report_and_scripts import hand_over
from app.services.hand_over.result_json import result_json
from app.services.plan.demonstration import demo_runs
from app.services.program import Program
from app.services.run.guided_session import GuidedSession, RunOutcome
from app.services.run.side_by_side import run_demonstration
from app.services.workplace import open_workplace


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("--family", action="append", metavar="ID", help=_("only this family; may be repeated"))
    add_seed(parser)
    add_out(parser, "replitune-demo")
    add_journal(parser)
    add_json(parser)
    parser.set_defaults(run_command=run)


def run(options: argparse.Namespace, program: Program) -> int:
    """Run the demonstration, and print its results and their place."""
    wanted = options.family or list(program.families)
    for family_id in wanted:
        if family_id not in program.families:
            raise BadInput(
                _('unknown family "{family}"; known families are {known}').format(
                    family=family_id, known=", ".join(program.families)
                )
            )
    place = open_workplace(options.out)
    journal = options.journal or place.folder / "undo.journal"
    title = _("Guided session on the lab")
    prepared: list[tuple[Advisor, FigureRenderer]] = []
    outcomes: list[RunOutcome] = []
    with naming_kept_files(options, place, outcomes):
        with (
            GuidedSession(place, journal, program.parts.open_target, title=title) as session,
            RunProgress() as progress,
            cancel_on_interrupt() as control,
        ):
            outcomes.extend(
                run_demonstration(
                    demo_runs(program.families, wanted, options.seed),
                    program,
                    session,
                    options.seed,
                    control,
                    progress.observe,
                    # Windows gives a program without a console no streams to talk to others through
                    workers=1 if sys.__stdout__ is None else processors(),
                    meanwhile=lambda: prepared.append((program.advisor, program.parts.make_renderer())),
                )
            )
        advice, own = hand_over(place, session.session_id, *prepared[0])
        if options.json:
            print_json(result_json(advice, program.families.values()))
        print_summary(advice, own, sys.stderr if options.json else sys.stdout, program.families.values())
        return exit_code(outcomes)
