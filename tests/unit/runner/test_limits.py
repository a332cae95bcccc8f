"""Abort rules: each limit strikes just above its value and not at it."""

import pytest

from app.domain.limits import Limits
from app.runner.limits import exceeded_limit, tell_log_unwatched
from app.systems.transactional_replication.readings import AGENT_LIMITS

_READINGS = {
    "latency_s": 0.0,
    "pending_commands": 5_000,
    "log_used_share": 0.1,
    "lock_wait_share": 0.0,
    "free_disk_gb": 100.0,
    "trial_duration_s": 0.0,
}


def _check(limits: Limits, **readings: float) -> str:
    return exceeded_limit(AGENT_LIMITS, limits, {**_READINGS, **readings})


@pytest.mark.parametrize(
    ("name", "limit", "words"),
    [
        ("latency_s", 10.0, "latency reached 10.01 s, the plan's limit is 10 s"),
        ("pending_commands", 9_000, "pending commands beyond the planned backlog reached 9,009 commands, the plan's"),
        ("log_used_share", 0.9, "used share of the publication database's log reached 0.9009, the plan's limit is 0.9"),
        ("lock_wait_share", 0.5, "lock waits on the Distributor reached 0.5005 s per second, the plan's limit is 0.5"),
        ("trial_duration_s", 60.0, "duration of the trial reached 60.06 s, the plan's limit is 60 s"),
    ],
)
def test_limit_strikes_above_its_value_only(name: str, limit: float, words: str) -> None:
    """At the limit a trial goes on; just above it ends with a sentence that names it."""
    limits = Limits.of(**{name: limit})
    assert _check(limits, **{name: limit}) == ""
    assert _check(limits, **{name: limit * 1.001}).startswith(words)


def test_a_full_disk_ends_the_trial() -> None:
    """It strikes below its value, not at it."""
    limits = Limits.of(free_disk_gb=1.0)
    assert _check(limits, free_disk_gb=1.0) == ""
    assert (
        _check(limits, free_disk_gb=0.99) == "free disk on the Distributor fell to 0.99 GB, the plan's limit is 1.00 GB"
    )


def test_what_has_no_limit_ends_nothing() -> None:
    """However large the readings."""
    assert _check(Limits(), latency_s=1e9, trial_duration_s=1e9) == ""


def test_a_log_nobody_counts_is_told_of_once_in_a_run() -> None:
    """At each trial it is found again; what comes new is told alone, and nothing where no limit stands on it."""
    told, notes = set[str](), list[str]()
    limits = Limits.of(log_used_share=0.9)
    for unknown in (["orders"], ["orders"], ["sales", "orders"], []):
        tell_log_unwatched(limits, unknown, told, notes.append)
    tell_log_unwatched(Limits(), ["stock"], told, notes.append)
    assert [note.partition(":")[0].rpartition(" ")[2] for note in notes] == ["orders", "sales"]
