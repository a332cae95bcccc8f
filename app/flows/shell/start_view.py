"""The start page as plain data, with the target of each click."""

import importlib
from dataclasses import replace
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Final

from app.flows.shell.settings_view import sessions_folder
from app.flows.shell.wizard import Choices, RunEnd, Step, Wizard, drop_plan
from app.foundation.texts import _
from app.services.hand_over.past_sessions import SessionSummary, how_it_ended
from app.services.preferences import Preferences
from app.services.program import Program
from app.services.target.target_spec import LAB, is_lab
from app.services.workplace import SESSION_FILE_NAME

# They load numpy and the rule engine. scipy would wait for the first quantile, which is in the middle of a run; the
# window stands still for a fifth of a second while it is loaded, in whatever thread.
_HEAVY_MODULES: Final = (
    "app.services.plan.dry_run",
    "app.services.explain.explaining",
    "app.services.run.run_job",
    "scipy.special",
)


def local_time(moment: datetime, zone: tzinfo | None = None) -> str:
    """Return a moment in the computer's own time, or that of `zone`."""
    return f"{moment.astimezone(zone):%Y-%m-%d %H:%M}"


def time_at(target: str, moment: datetime) -> str:
    """Return a moment by the clock of a target, in the computer's own time; on a lab without the day, which is none."""
    return _("lab time {time}").format(time=f"{moment:%H:%M}") if is_lab(target) else local_time(moment)


def new_session(preferences: Preferences, now: datetime) -> Wizard:
    """Return the wizard at its beginning, with a folder of its own for the session."""
    return Wizard(choices=Choices(folder=propose_folder(sessions_folder(preferences), now)))


def session_at(preferences: Preferences, now: datetime, target: str = LAB) -> Wizard:
    """Return the wizard at the site of a target, the lab's default scenario where none is named."""
    begun = new_session(preferences, now)
    return Wizard(Step.TARGET, Choices(target=target, folder=begun.choices.folder)).forward()


def next_test(wizard: Wizard, preferences: Preferences, now: datetime) -> Wizard:
    """Return the wizard at the site of the session at hand, where the next thing to test is chosen.

    It is kept in the same file, so that one report tells of both; its results go to a folder of their own.
    """
    choices = wizard.choices
    engagement = _file_to_go_on_with(choices)
    parent = sessions_folder(preferences) if engagement is None else engagement.parent
    folder = propose_folder(parent, now)
    if choices.discovery is None:  # an opened session, or one that was resumed, has read no site
        begun = Choices(target=choices.target, folder=folder, engagement=engagement)
        return Wizard(Step.TOPOLOGY if choices.target else Step.TARGET, begun)
    kept = replace(drop_plan(choices), family="", folder=folder, file_name=SESSION_FILE_NAME, engagement=engagement)
    return Wizard(Step.TOPOLOGY, kept)


def _file_to_go_on_with(choices: Choices) -> Path | None:
    """Return the file of the session at hand, None where there is none or its servers are not known."""
    found = choices.as_found
    has_run = found.run_end is not None and bool(found.target)
    return choices.engagement or (found.place.session_file if has_run and found.place is not None else None)


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


def is_client_file(summary: SessionSummary) -> bool:
    """Tell whether a file is shown with its list of sessions: it holds none yet, or several."""
    return summary.sessions_in_file != 1


def load_ahead(program: Program) -> int:
    """Import the modules of the pages after the first one, so that the first click does not wait; for a worker thread.

    Returns:
        Number of experiment families found.
    """
    for module in _HEAVY_MODULES:
        importlib.import_module(module)
    return len(program.families)
