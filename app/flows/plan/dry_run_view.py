"""A dry run as a person reads it: trials in order, steps, changes with their scripts, statements."""

from app.domain.change import Change
from app.domain.limits import RESTORED_BY
from app.domain.plan import Phase, Plan, Stop
from app.domain.plan_field import time_text
from app.domain.setting import label_text, value_text
from app.domain.statement import Access
from app.domain.view import Column, Row, TableContent, number_cell, text_cell, typed_cell
from app.flows.plan.plan_ways_view import ways_sentence
from app.foundation.durations import duration_text
from app.foundation.terminal_text import one_line
from app.foundation.texts import _, in_its_words
from app.reporting.tables import changes
from app.services.plan.dry_run import DryRun


@in_its_words
def dry_run_heading(dry: DryRun, target: str) -> str:
    """Return the summary of a dry run in one sentence."""
    if dry.is_windowed or dry.plan.design.stop is not Stop.BLOCKS:
        words = _("At most {n} trials on {target}, at most about {time}. Nothing was changed.")
    else:
        words = _("{n} trials on {target}, about {time}. Nothing was changed.")
    told = words.format(n=value_text(len(dry.trials)), target=target, time=duration_text(dry.duration_s))
    return " ".join((told, *time_sentences(dry)))


@in_its_words
def time_sentences(dry: DryRun) -> tuple[str, ...]:
    """Return sentences on trials that may follow the planned ones, the latest end of the run, and how certain it is."""
    ends = _("The run ends after {longest} at the latest, with everything undone; pauses do not count.").format(
        longest=duration_text(dry.longest_s)
    )
    told = (
        further_sentence(dry.further_trials, dry.further_s),
        ends,
        dry.unknown,
        ways_sentence(dry.ways),
    )
    return tuple(text for text in told if text)


def by_hand_sentences(plan: Plan) -> tuple[str, ...]:
    """Return sentences on the time that guided work adds to those told of a plan."""
    told = _("Guided: the DBA runs each change as a script, and the time that takes comes on top.")
    if plan.design.is_windowed:
        told = _(
            "Guided: the DBA runs a small script for each window, sometimes two, and the time that takes comes on top."
        )
    by = plan.limits.get(RESTORED_BY.name)
    if by is None:
        return (told,)
    counts = _("It counts towards the deadline: no trial begins that could not be undone by {time} at that pace.")
    return told, counts.format(time=time_text(int(by)))


def measured_lines(dry: DryRun) -> list[str]:
    """Return the measures, a line each."""
    return [_("Measured: {what}").format(what=what) for what in dry.measured]


def further_sentence(trials: int, duration_s: float) -> str:
    """Return how many trials may follow at most and why, "" where none can."""
    if not trials:
        return ""
    return _(
        "If those leave open which setting is the simplest good one, or were disturbed, up to {n} more "
        "follow (about {time})."
    ).format(n=value_text(trials), time=duration_text(duration_s))


@in_its_words
def trials_table(dry: DryRun) -> TableContent:
    """Return the trials in the order they would run; phases only where some trials explore."""
    phases = {Phase.EXPLORE: _("exploring"), Phase.CONFIRM: _("confirming")}
    columns = (
        Column("order", _("Trial"), is_number=True),
        Column("block", _("Block"), is_number=True),
        Column("phase", _("Phase"), hint=_("Only confirming trials carry a claim.")),
        Column("setting", _("Setting")),
    )
    rows = (
        Row(
            str(number),
            (
                number_cell(number),
                number_cell(t.block),
                text_cell(phases[t.phase]),
                typed_cell(label_text(t.setting), t.setting),
            ),
        )
        for number, t in enumerate(dry.trials, 1)
    )
    content = TableContent(columns, tuple(rows))
    explores = any(trial.phase is Phase.EXPLORE for trial in dry.trials)
    return content if explores else content.only("order", "block", "setting")


def step_lines(dry: DryRun) -> list[str]:
    """Return the steps of one trial, one a line."""
    return [f"{number}. {step}" for number, step in enumerate(dry.steps, 1)]


def changes_table(dry: DryRun) -> TableContent:
    """Return the changes, keyed by their place in the list."""
    return changes.changes_table(dry.changes, changes.PLANNED)


def change_sentence(change: Change) -> str:
    """Return one change in full, with its consequence for production."""
    made = _("{subject}: {original} → {new}").format(subject=change.subject, original=change.original, new=change.new)
    return f"{made} – {change.needs_consent}" if change.needs_consent else made


def changes_text(dry: DryRun) -> str:
    """Return every change with the script that makes it and the one that undoes it."""
    return "\n\n".join(_change_text(number, change) for number, change in enumerate(dry.changes, 1))


def _change_text(number: int, change: Change) -> str:
    title = _("-- {number}. {subject}: {original} → {new}").format(
        number=number, subject=change.subject, original=change.original, new=change.new
    )
    meaning = [f"--    {one_line(change.needs_consent)}"] if change.needs_consent else []
    apply, undo = _("-- Apply"), _("-- Undo")
    # a line end in a name would end the comment, and what follows be executed by whoever copies it
    return "\n".join(
        [one_line(title), *meaning, "", apply, change.apply_sql.strip(), "", undo, change.undo_sql.strip()]
    )


def statements_text(dry: DryRun) -> str:
    """Return every statement that may be sent, those that change something first."""
    words = {Access.READ: _("reads"), Access.CHANGE: _("changes")}
    ordered = sorted(dry.statements, key=lambda statement: statement.access is Access.READ)
    return "\n\n".join(
        "\n".join(
            [
                f"-- {statement.name} ({words[statement.access]}): {statement.purpose}",
                _("-- needs: {permission}").format(permission=statement.permission),
                statement.text.strip(),
            ]
        )
        for statement in ordered
    )
