"""Preflight as it is shown: checks in words, changes on each server, where results and undo go."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from app.domain.family import ExperimentFamily, PreflightCheck
from app.domain.rights import Mode
from app.domain.system import system_of
from app.flows.shell.wizard import Choices, servers_to_consent
from app.flows.system_views import views_of
from app.flows.words import counted, time_text
from app.foundation.texts import _
from app.services.plan.dry_run import DryRun
from app.services.target.target_spec import is_lab
from app.services.workplace import Workplace


class CheckState(StrEnum):
    """How a check came out."""

    PASSED = "passed"
    LOOK = "look"
    FORBIDS = "forbids"


@dataclass(frozen=True)
class CheckLine:
    """One check.

    Attributes:
        word: its result in a word or two.
        remedy: what to do, "" where it passed.
    """

    title: str
    state: CheckState
    word: str
    remedy: str


@dataclass(frozen=True)
class ConsentLine:
    """One server to agree to.

    Attributes:
        server: as in `servers_to_consent`.
        consequence: what happens there.
    """

    server: str
    consequence: str
    is_ticked: bool


def check_lines(dry: DryRun) -> tuple[CheckLine, ...]:
    """Return the checks, those that forbid the run first, then those to look at."""
    lines = [_check_line(check) for check in dry.checks]
    order = (CheckState.FORBIDS, CheckState.LOOK, CheckState.PASSED)
    return tuple(sorted(lines, key=lambda line: order.index(line.state)))


def _check_line(check: PreflightCheck) -> CheckLine:
    if check.passed:
        return CheckLine(check.title, CheckState.PASSED, _("passed"), "")
    if check.blocking:
        return CheckLine(check.title, CheckState.FORBIDS, _("not met"), check.remedy)
    return CheckLine(check.title, CheckState.LOOK, _("check this"), check.remedy)


def checks_heading(dry: DryRun) -> str:
    """Return how the checks came out as a whole."""
    failed = [line for line in check_lines(dry) if line.state is CheckState.FORBIDS]
    looks = [line for line in check_lines(dry) if line.state is CheckState.LOOK]
    if failed:
        return counted(
            len(failed),
            _("Checks: 1 is not met and prevents the run"),
            _("Checks: {count} are not met and prevent the run"),
        )
    if looks:
        return _("Checks: the run may start; {n} to look at").format(n=len(looks))
    return _("Checks: all passed")


def changes_heading(dry: DryRun, mode: Mode = Mode.HANDS_ON) -> str:
    """Return the common heading of the changes."""
    if not dry.changes:
        return _("No parameter is changed")
    if mode is Mode.GUIDED:
        one, many = (
            _("1 change for your DBA, undone at the end"),
            _("{count} changes for your DBA, each undone at the end"),
        )
        return counted(len(dry.changes), one, many)
    return counted(
        len(dry.changes),
        _("1 change, undone and checked at the end"),
        _("{count} changes, each undone and checked at the end"),
    )


def consent_lines(choices: Choices, family: ExperimentFamily) -> tuple[ConsentLine, ...]:
    """Return the servers to agree to, with the changes on each."""
    if choices.dry_run is None:
        return ()
    dry, views = choices.dry_run, views_of(system_of(family))
    return tuple(
        ConsentLine(server, views.consequence(server.partition(" ")[0], dry), server in choices.consented)
        for server in servers_to_consent(choices)
    )


def consent_heading(dry: DryRun) -> str:
    """Return the question of the consent, with how long it holds."""
    return _("Do you agree, server by server, for {time} at most?").format(time=time_text(dry.longest_s))


def simulation_note(target: str) -> str:
    """Return a note where nothing real is touched, "" for real servers."""
    if not is_lab(target):
        return ""
    return _(
        "This is the lab: every server here is simulated, and no real one is touched. "
        "On real servers you would agree to exactly this list."
    )


def undo_places(journal: Path, folder: Path | None) -> str:
    """Return where the undo journal and the script for a DBA will be."""
    lines = [_("Undo journal: {path}").format(path=journal)]
    if folder is not None:
        lines.append(_("Script for a DBA: {path}").format(path=Workplace(folder).rollback_script))
    return "\n".join(lines)
