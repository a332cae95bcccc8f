"""The trials of one run, or of two laid beside each other, as a table."""

from collections.abc import Sequence
from functools import partial
from itertools import chain
from typing import Final

from app.domain.metrics import listed_metrics
from app.domain.setting import value_text
from app.domain.view import TableContent
from app.flows.explain.runs_view import COMPARED, row_key, run_of
from app.flows.shell.start_view import time_at
from app.foundation.texts import _
from app.reporting.tables import trials
from app.services.hand_over.past_sessions import RunKey, RunTrials

_SHOWN: Final = (
    *("trial", "setting", "block", "phase", "status", "measured", "took", "started_utc", "failed_checks"),
    "happenings",
)


def trial_key(run: RunKey, trial_id: str) -> str:
    """Return the key of a trial's row: unique in its file."""
    return f"{row_key(run)}|{trial_id}"


def trial_of(key: str) -> tuple[RunKey, str]:
    """Return run and id of the trial of a row."""
    run, _bar, trial_id = key.partition("|")
    return run_of(run), trial_id


def trials_table(runs: Sequence[RunTrials]) -> TableContent:
    """Return the trials of the runs chosen, run after run, in the order they were made."""
    tables = [_table_of(run) for run in runs] or [trials.trials_table((), _SHOWN, metrics=listed_metrics(()))]
    return TableContent(tables[0].columns, tuple(chain.from_iterable(table.rows for table in tables)))


def _table_of(run: RunTrials) -> TableContent:
    return trials.trials_table(
        run.trials,
        _SHOWN,
        row_keys=[trial_key(run.key, trial.trial_id) for trial in run.trials],
        metrics=run.metrics,
        time=partial(time_at, run.target),
    )


def trials_hint(selected: int) -> str:
    """Return a hint on the trials chosen, "" where there is nothing to explain."""
    if selected > COMPARED:
        return _("{count} trials are chosen; the first two are shown.").format(count=value_text(selected))
    return _("Choose a second one with Ctrl to lay it over the first.") if selected == 1 else ""
