"""Other work on a server while a trial was measured: noted beside the trial, never a reason to leave it out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final

from app.domain.naming import Holds, ServerName
from app.foundation.texts import _, local_number


class Work(StrEnum):
    """Work of others that slows a server down."""

    BACKUP = "backup"
    LOG_BACKUP = "log_backup"
    RESTORE = "restore"
    INDEX_MAINTENANCE = "index_maintenance"
    CONSISTENCY_CHECK = "consistency_check"
    JOB = "job"
    STATISTICS = "statistics"
    OTHER_PROGRAMS = "other_programs"
    OTHER_COMMANDS = "other_commands"


NOTED_SHARE: Final = 0.10
"""Of a server's processors: what other programs use below it is an operating system's own housekeeping. Our choice."""


@dataclass(frozen=True)
class Happening:
    """One piece of work of others during a trial.

    Attributes:
        subject: the database or job it was about, "" where the server did not say.
        share: of the server's processors that it used on average, or of what was delivered, 0 where that is not known.
    """

    work: Work
    server: ServerName
    subject: Annotated[str, Holds.NAME] = ""
    share: float = 0.0

    @property
    def text(self) -> str:
        """Name the work and its server, as the end of a sentence."""
        words = _OF_SUBJECT[self.work] if self.subject else _WORDS[self.work]
        percent = local_number(f"{self.share * 100:.0f}\N{NO-BREAK SPACE}%")
        return words.format(subject=self.subject, server=self.server, percent=percent)


PastReadings = Mapping[str, Callable[[], tuple[Happening, ...]]]
"""What servers' history can be asked for, each by the name under which it is left out once it is refused.

A reading raises TargetError where the login may not do it.
"""

_WORDS = {
    Work.BACKUP: _("a backup ran on {server}"),
    Work.LOG_BACKUP: _("a log backup ran on {server}"),
    Work.RESTORE: _("a restore ran on {server}"),
    Work.INDEX_MAINTENANCE: _("indexes or statistics were maintained on {server}"),
    Work.CONSISTENCY_CHECK: _("a consistency check ran on {server}"),
    Work.JOB: _("a job ran on {server}"),
    Work.STATISTICS: _("statistics were gathered on {server}"),
    Work.OTHER_PROGRAMS: _("other programs used {percent} of the processors of {server}"),
    Work.OTHER_COMMANDS: _("{percent} of what was delivered from {server} had not been written by this run"),
}
_OF_SUBJECT = {
    Work.BACKUP: _("a backup of {subject} ran on {server}"),
    Work.LOG_BACKUP: _("a log backup of {subject} ran on {server}"),
    Work.RESTORE: _("a restore of {subject} ran on {server}"),
    Work.INDEX_MAINTENANCE: _("indexes or statistics of {subject} were maintained on {server}"),
    Work.CONSISTENCY_CHECK: _("a consistency check of {subject} ran on {server}"),
    Work.JOB: _("the job {subject} ran on {server}"),
    Work.STATISTICS: _("statistics of {subject} were gathered on {server}"),
    Work.OTHER_PROGRAMS: _("other programs used {percent} of the processors of {server}"),
    Work.OTHER_COMMANDS: _(
        "{percent} of what was delivered from {subject} on {server} had not been written by this run: others write "
        "there, or each change is delivered more than once"
    ),
}


def by_other_programs(server: str, share: float) -> tuple[Happening, ...]:
    """Return that other programs kept a server's processors busy, nothing where they used less than is worth noting."""
    return (Happening(Work.OTHER_PROGRAMS, server, share=share),) if share >= NOTED_SHARE else ()


def meanwhile(trial_id: str, happenings: Sequence[Happening]) -> str:
    """Return one sentence on the other work during a trial, "" where nothing is known of it."""
    what = "; ".join(dict.fromkeys(happening.text for happening in happenings))
    return _("During {trial}: {what}.").format(trial=trial_id, what=what) if what else ""


def distinct(happenings: Sequence[Happening]) -> tuple[Happening, ...]:
    """Return each once, and none without a subject where the same work is told with one."""
    named = {(one.work, one.server) for one in happenings if one.subject}
    kept = (one for one in happenings if one.subject or (one.work, one.server) not in named)
    return tuple(dict.fromkeys(kept))
