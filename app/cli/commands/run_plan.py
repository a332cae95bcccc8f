"""`replitune run PLAN.toml --target …`: run one plan, dry run it, or take an interrupted run up again."""

import argparse
import sys
from pathlib import Path

from app.cli.arguments import add_journal, add_json, add_out, add_seed, target_name
from app.cli.dry_run_text import print_dry_run
from app.cli.ended_runs import ending_with_open_changes, exit_code, journal_option, naming_kept_files, not_restored_text
from app.cli.interrupt import cancel_on_interrupt
from app.cli.progress import RunProgress
from app.cli.summary import print_json, print_summary
from app.domain.errors import BadInput
from app.domain.events import RunStatus
from app.domain.measurement import TrialStatus
from app.domain.session import RunRecord
from app.foundation.texts import _
from app.runner.by_hand import HandDesk
from app.services.explain.advising import Advisor
from app.services.hand_over.report_and_scripts import hand_over
from app.services.hand_over.result_json import dry_run_json, result_json
from app.services.plan.checking import prepare_run
from app.services.plan.dry_run import DryRun, make_dry_run
from app.services.plan.plan_file import load_plan
from app.services.program import Program
from app.services.run.continued_run import ContinuedRun
from app.services.run.extending import find_to_extend
from app.services.run.guided_session import GuidedSession, RunOutcome
from app.services.run.resuming import find_interrupted, refuse_open_changes
from app.services.workplace import Workplace, open_workplace


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("plan", type=Path, nargs="?", metavar="PLAN.toml", help=_("the plan"))
    parser.add_argument(
        "--target",
        type=target_name,
        metavar="NAME",
        help=_("a saved name, lab, lab:SCENARIO, sqlserver://user@host:port or oracle://user@host:port/service"),
    )
    parser.add_argument("--dry-run", action="store_true", help=_("say what would happen, and change nothing"))
    parser.add_argument(
        "--guided", action="store_true", help=_("print every change as a script for the DBA and wait until it is made")
    )
    parser.add_argument(
        "--hands-on",
        action="store_true",
        help=_("with --resume or --extend: make the changes of a guided run from here on without the DBA"),
    )
    parser.add_argument("--resume", action="store_true", help=_("resume the interrupted run in --out"))
    parser.add_argument(
        "--extend",
        action="store_true",
        help=_("run further confirming blocks of the complete run in --out, as far as its interval pays for them"),
    )
    parser.add_argument(
        "--session",
        dest="session_id",
        metavar="ID",
        help=_("with --resume or --extend: which session (default: the newest with such a run)"),
    )
    add_seed(parser)
    add_out(parser, "replitune-run")
    add_journal(parser)
    add_json(parser)
    parser.set_defaults(run_command=run)


def run(options: argparse.Namespace, program: Program) -> int:
    """Run, dry run or resume; returns as `exit_code` does."""
    if options.guided and options.hands_on:
        raise BadInput(_("give --guided or --hands-on, not both"))
    if options.resume and options.extend:
        raise BadInput(_("give --resume for a run that was interrupted, or --extend for one that is complete"))
    if options.resume:
        return _go_on(options, program, "--resume")
    if options.extend:
        return _go_on(options, program, "--extend")
    if options.hands_on:
        raise BadInput(_("a new run is hands-on unless it is --guided; --hands-on goes with --resume or --extend"))
    if options.plan is None or options.target is None:
        raise BadInput(_("run needs a plan and --target, or --resume with the folder of an interrupted run in --out"))
    plan = load_plan(options.plan, dict(program.families))
    family = program.families[plan.family]
    if options.dry_run:
        target = program.parts.open_target(options.target, options.seed, lambda _record: None)
        try:
            dry = make_dry_run(prepare_run(plan, family, target, str(options.plan)), target)
        finally:
            target.close()
        return _tell_dry_run(options, dry, options.target)
    advisor = program.advisor  # a rule pack that cannot be read is told before hours of measuring, not after
    place = open_workplace(options.out)
    journal = options.journal or program.parts.journal_path
    outcomes: list[RunOutcome] = []
    with naming_kept_files(options, place, outcomes):
        with GuidedSession(place, journal, program.parts.open_target) as session:
            target = session.open_target(options.target, options.seed)
            try:
                prepared = prepare_run(plan, family, target, str(options.plan))
                desk = _desk(options)
                with (
                    RunProgress() as progress,
                    cancel_on_interrupt(desk) as control,
                    ending_with_open_changes(options, session),
                ):
                    outcomes.append(session.run(prepared, target, control, [progress.observe], desk=desk))
            finally:
                target.close()
        return finish(options, program, advisor, place, session.session_id, outcomes[0])


def _go_on(options: argparse.Namespace, program: Program, option: str) -> int:
    if options.plan is not None or options.target is not None:
        raise BadInput(
            _("{option} takes plan and target from the earlier run; give only the folder, with --out").format(
                option=option
            )
        )
    advisor = program.advisor
    place = Workplace(options.out)
    if options.extend:
        earlier = find_to_extend(place, dict(program.families), options.session_id)
    else:
        earlier = find_interrupted(place, options.session_id)
    run = earlier.run
    journal = options.journal or program.parts.journal_path
    if options.dry_run:
        return _dry_run_of_the_rest(options, program, earlier, journal)
    outcomes: list[RunOutcome] = []
    with naming_kept_files(options, place, outcomes):
        with GuidedSession(
            place, journal, program.parts.open_target, resume=True, session_id=earlier.session_id
        ) as session:
            target = session.open_target(run.target, options.seed)
            try:
                desk = _desk(options, run)
                with (
                    RunProgress() as progress,
                    cancel_on_interrupt(desk) as control,
                    ending_with_open_changes(options, session),
                ):
                    family = program.families[run.plan.family]
                    session.restore_open(target, family, control, [progress.observe], desk)
                    prepared = prepare_run(run.plan, family, target, str(place.session_file), kept=run.trials)
                    outcomes.append(
                        session.run(
                            prepared,
                            target,
                            control,
                            [progress.observe],
                            desk=desk,
                            run_id=run.run_id,
                            done=run.trials,
                            least_confirm_blocks=earlier.least_confirm_blocks,
                        )
                    )
            finally:
                target.close()
        return finish(options, program, advisor, place, session.session_id, outcomes[0])


def _dry_run_of_the_rest(options: argparse.Namespace, program: Program, earlier: ContinuedRun, journal: Path) -> int:
    """Show the rest of a run that goes on, and the changes of the interruption to be undone before."""
    run, family = earlier.run, program.families[earlier.run.plan.family]
    refuse_open_changes(journal)
    kept = tuple(trial for trial in run.trials if trial.status is not TrialStatus.ABORTED)
    target = program.parts.open_target(run.target, options.seed, lambda _record: None)
    try:
        prepared = prepare_run(run.plan, family, target, str(Workplace(options.out).session_file), kept=kept)
        dry = make_dry_run(prepared, target, kept, earlier.least_confirm_blocks)
    finally:
        target.close()
    return _tell_dry_run(options, dry, run.target)


def _tell_dry_run(options: argparse.Namespace, dry: DryRun, target: str) -> int:
    if options.json:
        print_json(dry_run_json(dry))
    else:
        print_dry_run(dry, target)
    return 0


def _desk(options: argparse.Namespace, earlier: RunRecord | None = None) -> HandDesk | None:
    """Return where the DBA is asked: in guided work, and where a guided run goes on, unless told otherwise."""
    is_guided = options.guided or (earlier is not None and earlier.by_hand and not options.hands_on)
    return HandDesk() if is_guided else None


def finish(
    options: argparse.Namespace,
    program: Program,
    advisor: Advisor,
    place: Workplace,
    session_id: str,
    outcome: RunOutcome,
) -> int:
    """Hand the results over, print them, and return the exit code."""
    advice, own = hand_over(place, session_id, advisor, program.parts.make_renderer())
    if options.json:
        print_json(result_json(advice, program.families.values()))
    print_summary(advice, own, sys.stderr if options.json else sys.stdout, program.families.values())
    if outcome.not_restored:
        sys.stderr.write(not_restored_text(options) + "\n")
    elif outcome.status is not RunStatus.SUCCEEDED:
        sys.stderr.write(
            _("To resume where it stopped: replitune run --resume --out {folder}{journal}").format(
                folder=place.folder, journal=journal_option(options)
            )
            + "\n"
        )
    else:
        _tell_looks_left(options, program, place, session_id)
    return exit_code([outcome])


def _tell_looks_left(options: argparse.Namespace, program: Program, place: Workplace, session_id: str) -> None:
    """Say how a confirmation that could not tell may go on, where its interval pays for more blocks."""
    try:
        earlier = find_to_extend(place, dict(program.families), session_id)
    except BadInput:
        return
    words = _("To run further confirming blocks, {count} at most: replitune run --extend --out {folder}{journal}")
    sys.stderr.write(
        words.format(count=earlier.blocks_left, folder=place.folder, journal=journal_option(options)) + "\n"
    )
