"""Abort rules: each limit strikes just above its value and not at it."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from app.domain.plan import Limits
from app.systems.transactional_replication.rig.limits import exceeded_limit
from app.systems.transactional_replication.topology import ReplicationSample

_SAMPLE = ReplicationSample(datetime(2026, 1, 1, tzinfo=UTC), (), 0, 0.1, 5_000, 0.0, 100.0)
_OPEN = Limits(log_used_share=None, free_disk_gb=None)


def _check(limits: Limits, sample: ReplicationSample = _SAMPLE, **readings: float) -> str:
    values = {"worst_latency_s": 0.0, "planned_backlog": 0, "lock_wait_share": 0.0, "elapsed_s": 0.0, **readings}
    return exceeded_limit(
        limits,
        sample,
        values["worst_latency_s"],
        int(values["planned_backlog"]),
        values["lock_wait_share"],
        values["elapsed_s"],
    )


@pytest.mark.parametrize(
    ("limits", "readings", "word"),
    [
        (replace(_OPEN, latency_s=10.0), {"worst_latency_s": 10.0}, "latency"),
        (replace(_OPEN, lock_wait_share=0.5), {"lock_wait_share": 0.5}, "lock waits"),
        (replace(_OPEN, trial_duration_s=60.0), {"elapsed_s": 60.0}, "duration"),
    ],
)
def test_limit_strikes_above_its_value_only(limits: Limits, readings: dict[str, float], word: str) -> None:
    """At the limit a trial goes on; just above it ends with a sentence that names it."""
    assert _check(limits, _SAMPLE, **readings) == ""
    assert word in _check(limits, _SAMPLE, **{name: value * 1.001 for name, value in readings.items()})


def test_planned_backlog_is_not_held_against_the_trial() -> None:
    """The backlog the experiment made itself does not abort it; anything beyond does."""
    limits = replace(_OPEN, pending_commands=100)
    assert _check(limits, planned_backlog=4_900) == ""
    assert "pending commands" in _check(limits, planned_backlog=4_899)


def test_log_and_disk_limits() -> None:
    """A full log and a full disk end the trial."""
    assert "log" in _check(replace(_OPEN, log_used_share=0.9), replace(_SAMPLE, log_used_share=0.91))
    assert "free disk" in _check(replace(_OPEN, free_disk_gb=1.0), replace(_SAMPLE, free_disk_gb=0.99))
    assert _check(replace(_OPEN, free_disk_gb=1.0), replace(_SAMPLE, free_disk_gb=1.0)) == ""
