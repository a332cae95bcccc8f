"""`replitune run PLAN.toml --target …`: run one plan, dry run it, or take an interrupted run up again."""

import argparse
import sys
from pathlib import Path

from app.cli.arguments import add_journal, add_json, add_out, add_seed, add_target
from app.cli.dry_run_text import Fitting, print_dry_run
from app.cli.effects import Effects
from app.cli.ended_runs import ending_with_open_changes, exit_code, journal_option, naming_kept_files, not_restored_text
from app.cli.interrupt import cancel_on_interrupt
from app.cli.keeping import add_keep, exit_code_of, how_of, keep_confirmed, keep_earlier
from app.cli.progress import RunProgress
from app.cli.summary import print_json, print_summary
from app.domain.change import Keep
from app.domain.errors import BadInput
from app.domain.events import RunStatus
from app.domain.measurement import TrialStatus
from app.domain.plan import Plan
from app.domain.session import RunRecord
from app.flows.plan.before_visit import before_visit
from app.flows.plan.designs_view import changed_in_file, fitting_designs
from app.foundation.clock import SystemClock
from app.foundation.texts import _
from app.runner.asking import HandDesk
from app.runner.keeping import KeepEnded
from app.services.explain.advising import Advisor
from app.services.hand_over.report_and_scripts import check_format, hand_over, write_as_named
from app.services.hand_over.result_json import dry_run_json, result_json
from app.services.look.doctor import target_health
from app.services.plan.checking import PreparedRun, prepare_run
from app.services.plan.dry_run import DryRun, make_dry_run
from app.services.plan.modes import refuse_not_guided
from app.services.plan.plan_file import load_plan
from app.services.program import Program
from app.services.run.continued_run import ContinuedRun
from app.services.run.extending import find_to_extend
from app.services.run.guided_session import GuidedSession, RunOutcome
from app.services.run.keeping import refuse_endless
from app.services.run.resuming import find_interrupted, refuse_open_changes
from app.services.workplace import Workplace, open_workplace
from app.store import open_for_reading


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("plan", type=Path, nargs="?", metavar="PLAN.toml", help=_("the plan"))
    add_target(parser, required=False)
    parser.add_argument("--dry-run", action="store_true", help=_("say what would happen, and change nothing"))
    parser.add_argument(
        "--for-dba",
        type=Path,
        metavar="FILE",
        help=_("with --dry-run: also write what the client's DBA agrees to, as .pdf, .html or .md"),
    )
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
        help=_(
            "with --resume, --extend, or --keep without a plan: which session (default: the newest with such a run)"
        ),
    )
    add_keep(parser)
    add_seed(parser)
    add_out(parser, "replitune-run")
    add_journal(parser)
    add_json(parser)
    effects = Effects(parser)
    effects.add("--session", _("--resume, --extend, or --keep without a plan"), _is_on_an_earlier_run, "session_id")
    effects.add("--for-dba", _("--dry-run of a plan"), lambda given: given.dry_run and not _is_on_an_earlier_run(given))
    parser.set_defaults(run_command=run)


def _is_on_an_earlier_run(options: argparse.Namespace) -> bool:
    return options.resume or options.extend or (options.keep is not None and options.plan is None)


def run(options: argparse.Namespace, program: Program) -> int:
    """Run, dry run or resume; returns as `exit_code` does."""
    if options.guided and options.hands_on:
        raise BadInput(_("give --guided or --hands-on, not both"))
    if options.resume and options.extend:
        raise BadInput(_("give --resume for a run that was interrupted, or --extend for one that is complete"))
    how = how_of(options)
    if options.resume:
        return _go_on(options, program, "--resume")
    if options.extend:
        return _go_on(options, program, "--extend")
    if options.hands_on:
        raise BadInput(_("a new run is hands-on unless it is --guided; --hands-on goes with --resume or --extend"))
    journal = options.journal or program.parts.journal_path
    if how is not None and options.plan is None and options.target is None:
        return _keep_earlier(options, program, how, journal)
    if options.plan is None or options.target is None:
        raise BadInput(_("run needs a plan and --target, or --resume with the folder of an interrupted run in --out"))
    if options.for_dba is not None and not check_format(options.for_dba).is_whole:
        raise BadInput(_("{path}: give a name that ends in .pdf, .html or .md").format(path=options.for_dba))
    return _dry_run(options, program) if options.dry_run else _run_anew(options, program, how, journal)


def _dry_run(options: argparse.Namespace, program: Program) -> int:
    plan = load_plan(options.plan, dict(program.families))
    target = program.parts.open_target(options.target, options.seed, lambda _record: None)
    try:
        prepared = prepare_run(plan, program.families[plan.family], target, str(options.plan))
        _refuse_by_hand(options, prepared, target.key)
        dry = make_dry_run(prepared, target)
    finally:
        target.close()
    if options.for_dba is not None:
        family = program.families[plan.family]
        health = target_health(options.target, {family.family_id: family}, program.parts.open_target)
        request = before_visit(dry, family, health, SystemClock().now_utc())
        write_as_named(request, options.for_dba, program.parts.make_renderer())
    return _tell_dry_run(options, dry, options.target, _fitting(plan, dry, prepared))


def _fitting(plan: Plan, dry: DryRun, prepared: PreparedRun) -> Fitting:
    """Return the designs that fit into the time a plan allows, each with its lines of the plan file."""
    view = fitting_designs(dry, prepared.family, prepared.site)
    return [(line.spoken, changed_in_file(line, plan, dry.plan, prepared.family)) for line in view.lines]


def _run_anew(options: argparse.Namespace, program: Program, how: Keep | None, journal: Path) -> int:
    plan = load_plan(options.plan, dict(program.families))
    family = program.families[plan.family]
    advisor = program.advisor  # a rule pack that cannot be read is told before hours of measuring, not after
    place = open_workplace(options.out)
    outcomes: list[RunOutcome] = []
    kept: KeepEnded | None = None
    with naming_kept_files(options, place, outcomes):
        with GuidedSession(place, journal, program.parts.open_target) as session:
            target = session.open_target(options.target, options.seed)
            try:
                prepared = prepare_run(plan, family, target, str(options.plan))
                refuse_endless(family, prepared.plan, how)
                desk = _desk(options)
                with (
                    RunProgress() as progress,
                    cancel_on_interrupt(desk) as control,
                    ending_with_open_changes(options, session),
                ):
                    outcomes.append(session.run(prepared, target, control, [progress.observe], desk=desk))
                if how is not None and outcomes[0].status is RunStatus.SUCCEEDED and not outcomes[0].not_restored:
                    kept = keep_confirmed(options, program, session, target, how, desk=desk is not None)
            finally:
                target.close()
        code = finish(options, program, advisor, place, session.session_id, outcomes[0])
        return code if how is None else max(code, exit_code_of(kept, how))


def _keep_earlier(options: argparse.Namespace, program: Program, how: Keep, journal: Path) -> int:
    advisor = program.advisor
    place = Workplace(options.out)
    kept = keep_earlier(options, program, how, journal)
    if kept is not None:
        with open_for_reading(place.session_file) as reader:
            session_id = options.session_id or reader.read_session(None, with_samples=False).session_id
        hand_over(place, session_id, advisor, program.parts.make_renderer())
    return exit_code_of(kept, how)


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
        _refuse_by_hand(options, prepared, target.key, run)
        dry = make_dry_run(prepared, target, kept, earlier.least_confirm_blocks)
    finally:
        target.close()
    return _tell_dry_run(options, dry, run.target, earlier=run)


def _refuse_by_hand(
    options: argparse.Namespace, prepared: PreparedRun, target: str, earlier: RunRecord | None = None
) -> None:
    """Refuse to show a guided run that would be refused."""
    if _desk(options, earlier) is not None:
        refuse_not_guided(prepared.family, target)


def _tell_dry_run(
    options: argparse.Namespace, dry: DryRun, target: str, fitting: Fitting = (), earlier: RunRecord | None = None
) -> int:
    if options.json:
        print_json(dry_run_json(dry))
    else:
        print_dry_run(dry, target, fitting, by_hand=_desk(options, earlier) is not None)
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
