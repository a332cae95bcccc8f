"""What a trial changes of the capture job before it measures: that it stands or runs, and its values."""

from collections.abc import Iterator
from dataclasses import dataclass

from app.domain.change import Change
from app.domain.errors import BadInput, ChangedByOthers, Disturbed
from app.domain.limits import DATA_AGE, HELD_SHARE
from app.domain.setting import Setting
from app.domain.target import Target
from app.foundation.texts import _
from app.runner.bench.rig import Bench, BenchStep, StepRig
from app.systems.change_data_capture.changes import with_setting
from app.systems.change_data_capture.members import Member, capture_port
from app.systems.change_data_capture.watching import JobState, watch_of


@dataclass(frozen=True)
class CaptureProcess:
    """The capture job as a process that a run stops and starts."""

    target: Target
    member: Member
    owner: str

    def marks(self) -> tuple[Change, ...]:
        """Return the change that marks the database."""
        return capture_port(self.target).changes.plan_mark(self.member.job, self.owner)

    def planned(self, *, running: bool) -> tuple[Change, ...]:
        """Return the change "stopped"; it is found running."""
        return () if running else (capture_port(self.target).changes.plan_stop(self.member.job),)

    def start(self) -> None:
        """Start it and wait until it runs."""
        capture_port(self.target).start(self.member.place)

    def stop(self) -> None:
        """Stop it and wait until it stands."""
        capture_port(self.target).stop(self.member.place)


def switch(rig: StepRig[Member], *, running: bool) -> None:
    """Bring the job to run or to stand; raises Disturbed where it is otherwise than this run left it."""
    member, state, port = rig.at.members, rig.kept(JobState), capture_port(rig.at.target)
    runs = bool(port.run_of(member.place))
    if runs and state.stands:
        raise Disturbed(
            _("the {job} was started by somebody else while it had to stand; the run ends").format(
                job=member.place.title
            )
        )
    if not runs and not state.stands:
        leave_stopped(rig)
        raise Disturbed(
            _("the {job} does not run though it should: somebody stopped it, or it failed; the run ends").format(
                job=member.place.title
            )
        )
    if runs is not running:
        rig.board.switch(member.place, CaptureProcess(rig.at.target, member, rig.at.owner), running=running)
        state.since_s = rig.at.target.clock.monotonic_s()
    state.stands = not running


def leave_stopped(rig: StepRig[Member]) -> None:
    """Have a job that somebody stopped stay so; one that failed is started again."""
    if not capture_port(rig.at.target).has_failed(rig.at.members.place):
        rig.board.leave(rig.at.members.place)


def check_runs(rig: StepRig[Member]) -> None:
    """Raise Disturbed where the job ended though this run started it."""
    member, port = rig.at.members, capture_port(rig.at.target)
    if port.run_of(member.place):
        return
    leave_stopped(rig)
    raise Disturbed(
        _("the {job} ended during the trial ({why}); the run ends").format(
            job=member.place.title, why=port.newest_error(member.database) or _("its history says why")
        )
    )


@dataclass(frozen=True)
class HoldJob(BenchStep[Member]):
    """Stop the capture job; where work is to gather, wait until the data is as old as it may become."""

    is_gathering: bool

    def describe(self) -> str:
        """Describe the step for a person."""
        if self.is_gathering:
            return _("Stop the capture job and let work gather, within the allowed age of the data")
        return _("Stop the capture job and wait until its scan has ended")

    def changes(self, at: Bench[Member]) -> Iterator[Change]:
        """Yield the mark and its stop, where it runs."""
        if capture_port(at.target).run_of(at.members.place):
            process = CaptureProcess(at.target, at.members, at.owner)
            yield from (*process.marks(), *process.planned(running=False))

    def do(self, rig: StepRig[Member]) -> None:
        """Stop it, and wait; raises LimitExceeded, Disturbed."""
        switch(rig, running=False)
        if not self.is_gathering:
            return
        state, clock, watch = rig.kept(JobState), rig.at.target.clock, watch_of(rig)
        most_s = rig.at.plan.limits[DATA_AGE.name] * HELD_SHARE
        while (held_s := clock.monotonic_s() - state.since_s) < most_s and not rig.call.is_spoiled():
            watch.read(lambda _now, share=held_s / most_s / 2: share)  # type: ignore[misc]  # bound at once
            watch.wait()


@dataclass(frozen=True)
class SetValues(BenchStep[Member]):
    """Give the job the values of a setting, all four in one call; they count from its next start."""

    setting: Setting
    is_for_confirming: bool

    def describe(self) -> str:
        """Describe the step for a person."""
        words = _("Set {setting} for the capture job")
        if self.is_for_confirming:
            words = _("In confirming trials: set {setting} for the capture job")
        return words.format(setting=self.setting.text())

    def changes(self, at: Bench[Member]) -> tuple[Change, ...]:
        """Return the change of the values, where they are others, and trials that confirm are planned."""
        if self.is_for_confirming and not at.plan.design.confirm_blocks:
            return ()
        return capture_port(at.target).changes.plan_values(at.members.job, self.setting)

    def do(self, rig: StepRig[Member]) -> None:
        """Set them; raises ChangedByOthers where somebody else changed them since this run did."""
        if self.is_for_confirming and not rig.call.is_confirming:
            return
        member, changes = rig.at.members, capture_port(rig.at.target).changes
        if member.job.values is None:
            raise BadInput(_("the {job} lacks one of its values").format(job=member.place.title))
        wanted = with_setting(member.job.values, self.setting)
        rig.board.set(("values", member.database), wanted, lambda: changes.plan_values(member.job, self.setting))
        if changes.read_values(member.place) != wanted:
            raise ChangedByOthers(
                _("the values of the {job} are no longer those this run set: the run ends here").format(
                    job=member.place.title
                )
            )


@dataclass(frozen=True)
class StartJob(BenchStep[Member]):
    """Start the capture job, so that it works with the values that stand in msdb."""

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("Start the capture job and wait until it runs")

    def do(self, rig: StepRig[Member]) -> None:
        """Start it; raises Disturbed."""
        switch(rig, running=True)
