"""A forecast held against what came: when a kept setting had processed the backlog, or windows had."""

from collections.abc import Sequence
from datetime import datetime

from app.analysis.own_backlog import Promise, Stretch, catching_up, in_windows
from app.domain.events import RunEvent, RunStatus, SamplesTaken
from app.domain.family import ExperimentFamily
from app.domain.measurement import BACKLOG, TrialResult, TrialStatus
from app.domain.plan import Phase
from app.domain.session import RunRecord
from app.domain.setting import Setting
from app.domain.work_source import WorkSource, work_source_of
from app.foundation.clock import Clock
from app.foundation.texts import _
from app.reporting.catching_up import came_in_windows_sentence, came_sentence
from app.reporting.numbers import duration


class ForecastCheck:
    """Makes the forecast with the first reading of the rest, and tells at its end whether it came true."""

    def __init__(
        self,
        metric: str,
        trials: Sequence[TrialResult],
        baseline: Setting,
        setting: Setting,
        clock: Clock,
        uncounted: str = "",
    ) -> None:
        """Prepare the check; `uncounted` as `backlog_uncounted` of the family."""
        self._metric = metric
        self._trials = trials
        self._baseline = baseline
        self._setting = setting
        self._clock = clock
        self._uncounted = uncounted
        self._since: datetime | None = None
        self._promise: Promise | None = None
        self._came: datetime | None = None

    def take(self, event: RunEvent) -> None:
        """Take what whoever watches is told."""
        if not isinstance(event, SamplesTaken):
            return
        if self._uncounted:
            self._came = self._clock.now_utc()
            self._since = self._since or self._came
            return
        waiting = next((sample.value for sample in event.samples if sample.stream == BACKLOG), None)
        if waiting is None:
            return
        self._came = self._clock.now_utc()
        if self._promise is None:
            stretch = Stretch(self._setting, Phase.CONFIRM, (self._came,), (waiting,))
            ahead = catching_up(self._metric, self._trials, (stretch,), self._baseline, self._setting)
            self._promise = None if ahead is None else ahead.chosen

    def sentence(self) -> str:
        """Return the forecast beside the time it took, "" where nothing was forecast and nothing says why."""
        if self._since is not None and self._came is not None:
            took = duration((self._came - self._since).total_seconds())
            return _("it took {took}. {why}").format(took=took, why=self._uncounted)
        return "" if self._promise is None or self._came is None else came_sentence(self._promise, self._came)


def ended_in_windows(run: RunRecord, family: ExperimentFamily) -> str:
    """Return a run's forecast beside the time its backlog took, "" where that did not end in one of its windows."""
    is_own = work_source_of(run.plan.load) is WorkSource.OWN_BACKLOG
    if not is_own or run.status is not RunStatus.SUCCEEDED or family.compares_all or not run.trials:
        return ""
    if run.trials[-1].status is not TrialStatus.ABORTED:
        return ""
    ended = in_windows(family.main_metric(run.plan), run.trials, run.plan.baseline)
    return "" if ended is None else came_in_windows_sentence(ended)
