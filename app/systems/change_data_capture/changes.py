"""The changes of a capture job, each declared: its four values in one call, and that it stands."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from app.domain.change import LEFT, RUN_FOUND, RUN_LEFT, Change, OfProcess, StillRunning
from app.domain.change_kinds import ChangesByKind, Switch, stop_each
from app.domain.declared_change import (
    Call,
    Declaration,
    Declared,
    Details,
    Restart,
    Run,
    Scope,
    Words,
    changed_by_others,
    reads_otherwise,
)
from app.domain.errors import Gone, TargetError
from app.domain.naming import Holds, HoldsByKey, words
from app.domain.setting import Setting
from app.drivers.sqlserver.executor import At, SqlServerExecutor
from app.drivers.sqlserver.session import Place, Session
from app.foundation.clock import Clock
from app.foundation.texts import _
from app.systems.change_data_capture.readings import CaptureJob
from app.systems.change_data_capture.subjects import MAXSCANS, MAXTRANS, POLLING

JOB_VALUES: Final = "capture_job_values"
JOB_STOPPED: Final = "capture_job_stopped"
MARK: Final = "capture_mark"
_MARK: Final = "Replitune capture "
_ABOUT: Final = {"server": Holds.SERVER, "database": Holds.DATABASE, **words("job_id")}
CHANGE_DETAILS: Final[HoldsByKey] = {
    JOB_VALUES: {**_ABOUT, **words("original_value", "new_value", RUN_FOUND, RUN_LEFT)},
    JOB_STOPPED: {**_ABOUT, **words(LEFT)},
    MARK: {**_ABOUT, **words("owner")},
}
MARKS: Final = {MARK: frozenset({JOB_VALUES, JOB_STOPPED})}
"""Values in msdb and a job that stands carry no mark of whoever left them so: that a session did shows by this one."""


@dataclass(frozen=True)
class JobPlace:
    """A capture job, as a change tells it to another process."""

    server: str
    database: str
    job_id: str

    @staticmethod
    def of(about: CaptureJob | Change) -> "JobPlace":
        """Return the place of a job that was read, or that a change is about."""
        if isinstance(about, CaptureJob):
            return JobPlace(about.server, about.database, about.job_id)
        return JobPlace(*(str(about.detail(name)) for name in ("server", "database", "job_id")))

    @property
    def title(self) -> str:
        """The job as a person calls it."""
        return _title(self.database)

    @property
    def details(self) -> tuple[tuple[str, str], ...]:
        """Return it as a change keeps it."""
        return ("server", self.server), ("database", self.database), ("job_id", self.job_id)


class Jobs(Protocol):
    """Starts, stops and asks a job."""

    def run_of(self, job: JobPlace) -> str:
        """Return when its run began, "" while it stands."""
        ...

    def has_failed(self, job: JobPlace) -> bool:
        """Tell whether its last run failed, which nobody decided."""
        ...

    def stop(self, job: JobPlace) -> bool:
        """Stop it; tell whether it ran."""
        ...

    def start(self, job: JobPlace) -> None:
        """Start it."""
        ...


def _title(database: object) -> str:
    return _("capture job of {database}").format(database=database)


def value_text(values: Sequence[int]) -> str:
    """Return the four values as a change keeps them: maxtrans, maxscans, continuous, pollinginterval."""
    return ",".join(map(str, values))


def with_setting(values: Sequence[int], setting: Setting) -> str:
    """Return the four values with those of a setting in their places; continuous stays as it was found."""
    maxtrans, maxscans, continuous, polling = values
    return value_text(
        (
            int(setting.get(MAXTRANS.name, maxtrans)),
            int(setting.get(MAXSCANS.name, maxscans)),
            continuous,
            int(setting.get(POLLING.name, polling)),
        )
    )


def _shown(value: str) -> str:
    parts = value.split(",")
    if len(parts) != 4:
        return _("not known")
    names = (MAXTRANS.name, MAXSCANS.name, "continuous", POLLING.name)
    return ", ".join(f"{name} {part}" for name, part in zip(names, parts, strict=True))


def _at(details: Details, database: str = "") -> At:
    return At(str(details["server"]), database or str(details["database"]))


def _read(run: Run[At], details: Details) -> str:
    for row in run(Call("capture_jobs", _at(details, "msdb"), {})):
        if row.text("database_name") == details["database"]:
            values = ("maxtrans", "maxscans", "is_continuous", "pollinginterval_s")
            return "" if any(map(row.is_null, values)) else value_text([row.whole(name) for name in values])
    raise Gone(
        _("{server} has no capture job for {database} any more").format(
            server=details["server"], database=details["database"]
        )
    )


def _set(_run: Run[At], details: Details, value: str) -> tuple[Call[At], ...]:
    """Return the one call that writes all four: one of them given alone may change another."""
    maxtrans, maxscans, continuous, polling = map(int, value.split(","))
    values = {"maxtrans": maxtrans, "maxscans": maxscans, "is_continuous": continuous, "pollinginterval_s": polling}
    return (Call("set_capture_job", _at(details), {**values, "expected": None}, compares=True),)


VALUES_DECLARED: Final = Declaration[At, str](
    kind=JOB_VALUES,
    scope=Scope.PROCESS,
    read=_read,
    set=_set,
    original=lambda details: str(details["original_value"]),
    new=lambda details: str(details["new_value"]),
    words=Words(
        subject=lambda details: _("values of the {job}").format(job=_title(details["database"])),
        shown=_shown,
        making=lambda subject, value: _("Set the {subject} to {value}").format(subject=subject, value=value),
        undoing=lambda subject, value: _("Set the {subject} back to {value}").format(subject=subject, value=value),
        unread=reads_otherwise,
        consent=lambda _details: _("the capture job runs with these values from its next start until they are undone"),
        others=lambda change, found: changed_by_others(change, _shown(found)),
    ),
    restarts=Restart.PROCESS,
    expected=lambda value: value,
)


def _read_mark(run: Run[At], details: Details) -> bool:
    return any(row.text("mark") == mark_of(details["owner"]) for row in run(Call("capture_marks", _at(details), {})))


def _set_mark(_run: Run[At], details: Details, wanted: bool) -> tuple[Call[At], ...]:
    return (Call("set_capture_mark", _at(details), {"mark": mark_of(details["owner"]), "is_wanted": int(wanted)}),)


def mark_of(owner: object) -> str:
    """Return the name of a session's mark in a captured database."""
    return f"{_MARK}{owner}"


MARK_DECLARED: Final = Declaration[At, bool](
    kind=MARK,
    scope=Scope.OBJECT,
    read=_read_mark,
    set=_set_mark,
    original=lambda _details: False,
    new=lambda _details: True,
    words=Words(
        subject=lambda details: _("mark of {owner} in database {database}").format(
            owner=details["owner"], database=details["database"]
        ),
        shown=lambda is_there: _("there") if is_there else _("none"),
        making=lambda subject, _value: _("Set the {subject}").format(subject=subject),
        undoing=lambda subject, _value: _("Remove the {subject}").format(subject=subject),
        unread=lambda change, found, _wanted: _("{subject} reads otherwise than it was set").format(
            subject=change.subject
        ),
        consent=lambda _details: _("an extended property, so that others see that a run is not undone yet"),
    ),
)


class CaptureExecutor(SqlServerExecutor):
    """Sends calls to one instance: a job stands in the msdb of each replica."""

    def place(self, server: str, database: str) -> Place:
        """Return where statements are sent: to no other instance, wherever its address leads by then."""
        return Place(server, database, is_instance=True)


class CaptureChanges(ChangesByKind):
    """Plans, makes and undoes the changes of capture jobs; knows nothing of the journal."""

    def __init__(self, session: Session, clock: Clock, jobs: Jobs) -> None:
        self._jobs = jobs
        self._executor = CaptureExecutor(session, clock)
        self._values = Declared(VALUES_DECLARED, self._executor)
        self._switch = _switch_of(jobs)
        self._mark = Declared(MARK_DECLARED, self._executor)
        super().__init__({JOB_VALUES: self._values, JOB_STOPPED: self._switch, MARK: self._mark})

    def plan_values(self, job: CaptureJob, setting: Setting) -> tuple[Change, ...]:
        """Return the change that gives a job the values of a setting, () where it has them."""
        place = JobPlace.of(job)
        original = self.read_values(place)
        if not original:
            raise TargetError(
                _("{title} lacks one of its four values in msdb; make it again with sys.sp_cdc_add_job first").format(
                    title=place.title
                )
            )
        new = with_setting([int(part) for part in original.split(",")], setting)
        if new == original:
            return ()
        change = self._values.plan((*place.details, ("original_value", original), ("new_value", new)))
        return (change.found_in(self._jobs.run_of(place)),)

    def read_values(self, place: JobPlace) -> str:
        """Return the four values of a job, "" where one is not known."""
        return self._values.read(dict(place.details))

    def read_maxtrans(self, place: JobPlace) -> int:
        """Return the most transactions of one scan of a job, 0 where that is not known."""
        return int(self.read_values(place).split(",")[0] or 0)

    def plan_mark(self, job: CaptureJob, owner: str) -> tuple[Change, ...]:
        """Return the change that sets a session's mark, () where it is set: the first one, and the last undone."""
        details = (*JobPlace.of(job).details, ("owner", owner))
        return () if self._mark.read(dict(details)) else (self._mark.plan(details),)

    def plan_stop(self, job: CaptureJob | Change) -> Change:
        """Return the change "stopped", whose undo starts the job again."""
        place = JobPlace.of(job)
        stop, start = (
            Call(name, At(place.server, place.database), {}) for name in ("stop_capture_job", "start_capture_job")
        )
        script = self._executor.script
        again = _("Start the {job} again, with its original values").format(job=place.title)
        return Change(
            kind=JOB_STOPPED,
            subject=place.title,
            original=_("running"),
            new=_("stopped"),
            details=place.details,
            apply_sql=script(_("Stop the {job}").format(job=place.title), stop, is_undo=False),
            undo_sql=script(again, stop, is_undo=True) + script(again, start, is_undo=True),
            needs_consent=_(
                "changes are captured later while it stands, and the log of {database} cannot be truncated beyond them"
            ).format(database=place.database),
        )

    def process_of(self, change: Change) -> OfProcess | None:
        """Return the job a change is about, None for a mark."""
        return None if change.kind == MARK else OfProcess(JobPlace.of(change).title, change.kind == JOB_STOPPED)

    def run_of(self, change: Change) -> str:
        """Read when the run of the job began that goes on now, "" while it stands."""
        return "" if change.kind == MARK else self._jobs.run_of(JobPlace.of(change))

    def quiesce(self, changes: Sequence[Change]) -> tuple[StillRunning, ...]:
        """Stop the jobs whose values these changes concern, so that originals count from their next start.

        Only those one of the changes also stops: undoing that one starts it again.
        """

        def hanging_on(change: Change) -> tuple[tuple[Change, ...], tuple[Change, ...]]:
            own = [one for one in changes if JobPlace.of(one) == JobPlace.of(change)]
            values, switches = (tuple(one for one in own if one.kind == kind) for kind in (JOB_VALUES, JOB_STOPPED))
            return values, switches

        return stop_each(self._concerned(changes), lambda change: self._jobs.stop(JobPlace.of(change)), hanging_on)

    def plan_quiesce(self, changes: Sequence[Change]) -> tuple[Change, ...]:
        """Return the changes of `quiesce`: "stopped" for each job concerned that runs."""
        running = [change for change in self._concerned(changes) if self.run_of(change)]
        return tuple(self.plan_stop(change) for change in running)

    @staticmethod
    def _concerned(changes: Sequence[Change]) -> tuple[Change, ...]:
        stopped = {JobPlace.of(change) for change in changes if change.kind == JOB_STOPPED}
        concerned = {JobPlace.of(change): change for change in changes if change.kind == JOB_VALUES}
        return tuple(change for place, change in concerned.items() if place in stopped)


def _switch_of(jobs: Jobs) -> Switch:
    """Return the switch that stops a job and starts it again; one that failed is started again, too."""

    def runs(change: Change) -> bool:
        return bool(jobs.run_of(JobPlace.of(change)))

    return Switch(
        make=lambda change: jobs.stop(JobPlace.of(change)),
        put_back=lambda change: jobs.start(JobPlace.of(change)),
        is_made=lambda change: not runs(change),
        is_back=runs,
        is_decided=lambda change: not jobs.has_failed(JobPlace.of(change)),
    )
