"""The start page as plain data: sessions opened last, the offer to restore, and what a click begins."""

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Final

from app.domain.change import JournalEntry
from app.domain.errors import ReplituneError
from app.flows.settings_view import sessions_folder
from app.flows.shell_view import ended_in_words
from app.flows.table_view import Column, Emphasis, Row, TableContent, number_cell, text_cell
from app.flows.wizard import Choices, RunEnd, Step, Wizard
from app.foundation.texts import _
from app.services.past_sessions import SessionSummary, how_it_ended, summarise_session
from app.services.preferences import Preferences
from app.services.program import Program
from app.services.restoring import RestoreOutcome, open_changes
from app.services.target_spec import LAB

# They load the numeric libraries and the rule engine.
_HEAVY_MODULES: Final = ("app.services.dry_run", "app.services.explaining", "app.services.run_job")


@dataclass(frozen=True)
class RecentSession:
    """One session opened before.

    Attributes:
        summary: None where the file cannot be read.
        problem: one sentence why not, else "".
        is_missing: the file is not there any more.
    """

    path: Path
    summary: SessionSummary | None
    problem: str = ""
    is_missing: bool = False


@dataclass(frozen=True)
class RecentLine:
    """One line of the list of recent sessions, in words.

    Attributes:
        state: how it ended, or why the file cannot be read.
        trials: how many can be used, None where the file cannot be read.
        detail: the experiments, or where the measurements come from.
        place: the folder it is in.
        can_open: whether opening it makes sense.
    """

    path: Path
    title: str
    date: str
    state: str
    trials: int | None
    detail: str
    place: str
    can_open: bool


def read_recent(paths: Sequence[str]) -> tuple[RecentSession, ...]:
    """Look at each session file; a file that cannot be read is told, not left out."""
    return tuple(_read_one(Path(path)) for path in paths)


def _read_one(path: Path) -> RecentSession:
    if not path.exists():
        return RecentSession(path, None, _("The file is missing; it was moved or deleted."), is_missing=True)
    try:
        return RecentSession(path, summarise_session(path))
    except ReplituneError as error:
        return RecentSession(path, None, str(error))


def recent_line(recent: RecentSession, family_titles: dict[str, str], zone: tzinfo | None = None) -> RecentLine:
    """Return a session opened before, in words.

    Args:
        family_titles: what a person calls each family, by id.
        zone: of the times shown, None for the computer's own.
    """
    summary = recent.summary
    path, place = recent.path, str(recent.path.parent)
    if summary is None:
        return RecentLine(path, path.name, "", recent.problem, None, "", place, can_open=False)
    status, _reason = how_it_ended(summary)
    nothing_run = summary.last_run is None and not summary.imported_from
    return RecentLine(
        path=path,
        title=summary.title,
        date=local_time(summary.created_utc, zone),
        state=_("nothing was run") if nothing_run else ended_in_words(status),
        trials=summary.used_trials,
        detail=_detail(summary, family_titles),
        place=place,
        can_open=True,
    )


def _detail(summary: SessionSummary, family_titles: dict[str, str]) -> str:
    if summary.imported_from:
        return _("measurements from {file}").format(file=summary.imported_from)
    return ", ".join(family_titles.get(family, family) for family in summary.families)


def local_time(moment: datetime, zone: tzinfo | None = None) -> str:
    """Return a moment in the computer's own time, or that of `zone`."""
    return f"{moment.astimezone(zone):%Y-%m-%d %H:%M}"


def new_session(preferences: Preferences, now: datetime) -> Wizard:
    """Return the wizard at its beginning, with a folder of its own for the session."""
    return Wizard(choices=Choices(folder=propose_folder(sessions_folder(preferences), now)))


def lab_session(preferences: Preferences, now: datetime) -> Wizard:
    """Return the wizard with the lab chosen."""
    begun = new_session(preferences, now)
    lab = Choices(target=LAB, folder=begun.choices.folder)
    return Wizard(Step.TARGET, lab).forward()


def propose_folder(parent: Path, now: datetime) -> Path:
    """Return a folder below `parent` that does not exist yet, named by date and time."""
    name = f"{now.astimezone():%Y-%m-%d %H%M}"
    folder, number = parent / name, 2
    while folder.exists():
        folder, number = parent / f"{name} ({number})", number + 1
    return folder


def opened_session(summary: SessionSummary) -> Wizard:
    """Return the wizard at the findings of a session that was opened from its file."""
    status, reason = how_it_ended(summary)
    last = summary.last_run
    end = RunEnd(summary.session_id, "" if last is None else last.run_id, status, reason, ())
    choices = Choices(
        target="" if last is None else last.target,
        family="" if last is None else last.family,
        folder=summary.path.parent,
        run_end=end,
        file_name=summary.path.name,
        opened=True,
    )
    return Wizard(Step.FINDINGS, choices)


@dataclass(frozen=True)
class OpenChange:
    """One change that was not put back, in words."""

    subject: str
    change: str
    target: str
    when: str
    problem: str


@dataclass(frozen=True)
class RestoreOffer:
    """The offer to put back what a crash left changed.

    Attributes:
        headline: what happened, in one sentence.
        caution: when not to restore.
        changes: newest first.
    """

    headline: str
    caution: str
    changes: tuple[OpenChange, ...]


def restore_offer(entries: Sequence[JournalEntry], zone: tzinfo | None = None) -> RestoreOffer | None:
    """Return the offer, None where nothing is open."""
    if not entries:
        return None
    targets = ", ".join(dict.fromkeys(entry.target for entry in entries))
    headline = _("An earlier run ended before everything was put back: {count} changes are open on {targets}.")
    if len(entries) == 1:
        headline = _("An earlier run ended before everything was put back: 1 change is open on {targets}.")
    return RestoreOffer(
        headline=headline.format(count=len(entries), targets=targets),
        caution=_("Choose Later if another window of Replitune is running an experiment right now."),
        changes=tuple(
            OpenChange(
                subject=entry.change.subject,
                change=_("{new} instead of {original}").format(new=entry.change.new, original=entry.change.original),
                target=entry.target,
                when=local_time(entry.recorded_utc, zone),
                problem=entry.problem,
            )
            for entry in entries
        ),
    )


def offer_table(offer: RestoreOffer) -> TableContent:
    """Return the open changes as a table."""
    columns = (
        Column("subject", _("Changed")),
        Column("change", _("Value")),
        Column("target", _("Target")),
        Column("when", _("When")),
        Column("problem", _("Why it could not be put back")),
    )
    rows = tuple(
        Row(
            str(number),
            tuple(text_cell(text, hint=text) for text in (c.subject, c.change, c.target, c.when, c.problem)),
        )
        for number, c in enumerate(offer.changes)
    )
    return TableContent(columns, rows)


def recent_table(lines: Sequence[RecentLine]) -> TableContent:
    """Return the sessions opened last as a table; the key of a row is the path of its file."""
    if not lines:
        return TableContent(())  # columns get their widths from their first rows
    columns = (
        Column("title", _("Session")),
        Column("date", _("Begun")),
        Column("state", _("State")),
        Column("trials", _("Trials used"), is_number=True),
        Column("detail", _("Experiments")),
        Column("place", _("Folder")),
    )
    return TableContent(columns, tuple(_recent_row(line) for line in lines))


def _recent_row(line: RecentLine) -> Row:
    emphasis = Emphasis.PLAIN if line.can_open else Emphasis.QUIET
    trials = number_cell(line.trials, emphasis=emphasis)
    title, date, state, detail, place = (
        text_cell(text, emphasis=emphasis, hint=text)
        for text in (line.title, line.date, line.state, line.detail, line.place)
    )
    return Row(str(line.path), (title, date, state, trials, detail, place))


def restore_result(outcome: RestoreOutcome) -> str:
    """Return what a restore did, in one sentence."""
    if not outcome.problems:
        return _("Everything is put back and was read back: {count} changes.").format(count=len(outcome.restored))
    return _("{restored} changes are put back, {open} are still open: {problem}").format(
        restored=len(outcome.restored), open=len(outcome.problems), problem=outcome.problems[0]
    )


def read_open_changes(journal_path: Path) -> tuple[JournalEntry, ...]:
    """Return the changes the undo journal holds open, none where this user has made no change yet.

    Raises:
        StoreError: the journal cannot be used.
    """
    return open_changes(journal_path) if journal_path.exists() else ()


def read_recent_lines(paths: Sequence[str], program: Program) -> tuple[RecentLine, ...]:
    """Look at the sessions opened last and say in words what each is; for a worker thread."""
    sessions = read_recent(paths)
    ran = any(session.summary is not None and session.summary.runs for session in sessions)
    # the families are imported only where one is named: the first look at an empty list must come at once
    titles = {family_id: family.title for family_id, family in program.families.items()} if ran else {}
    return tuple(recent_line(session, titles) for session in sessions)


def load_ahead(program: Program) -> int:
    """Import what the pages after the first one need, so that the first click does not wait; for a worker thread.

    Returns:
        Number of experiment families found.
    """
    for module in _HEAVY_MODULES:
        importlib.import_module(module)
    return len(program.families)
