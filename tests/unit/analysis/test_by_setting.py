"""The table of every measure by setting, from hand-made measurements."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from app.domain import metrics
from app.domain.measurement import Metric
from app.domain.setting import Setting
from app.domain.table import TableCell
from app.systems.transactional_replication import metrics as agent_metrics
from tests.labs import FAMILIES
from tests.shipped_rules import ADVISOR
from tests.unit.analysis.test_agent_measured_facts import READ_PLAN, TIMES, evidence, read
from tests.unit.services.test_advising import measured, session_of
from tests.unit.services.test_rivals import STREAMS

ROWS: dict[Setting, dict[Metric, Sequence[float]]] = {
    read(size): {metrics.RUN_TIME: values, agent_metrics.LOCK_WAIT: (size / 10_000, size / 10_000, 0.9)}
    for size, values in TIMES.items()
}


def with_legs(rows: Mapping[Setting, Mapping[Metric, Sequence[float]]]) -> dict[Setting, dict[Metric, Sequence[float]]]:
    """Return the rows with the legs of tracer tokens where the smallest batch was read."""
    legs: dict[Metric, Sequence[float]] = {
        agent_metrics.TOKEN_TO_DISTRIBUTOR: (3.0, 1.0, 2.0),
        agent_metrics.TOKEN_TO_SUBSCRIBER: (0.5, 0.7, 0.6),
    }
    return {setting: {**columns, **(legs if setting == read(500) else {})} for setting, columns in rows.items()}


def test_each_setting_has_the_mean_of_decisions_and_medians_of_the_rest() -> None:
    """Shares are percent; what a setting did not show is a dash, and a measure nobody has is no column."""
    (table,) = FAMILIES["log_reader"].tables(evidence(with_legs(ROWS), READ_PLAN))
    assert table.title == "What each setting measured (2.5 commands per transaction)"
    assert [column.key for column in table.columns] == [
        "setting",
        "run_time",
        "token_to_distributor",
        "token_to_subscriber",
        "lock_wait",
    ]
    assert [column.unit for column in table.columns] == ["", "s", "s", "s", "%"]
    assert [row[0] for row in table.rows[:2]] == ["ReadBatchSize 500", "ReadBatchSize 2500"]
    for row, size in zip(table.rows, (500, 2_500), strict=False):
        assert isinstance(row[1], TableCell)
        assert row[1].value == pytest.approx(math.exp(sum(map(math.log, TIMES[size])) / 3))
    assert table.rows[0][2:] == (
        TableCell(2.0, 1.0, 3.0, is_range=True),
        TableCell(0.6, 0.5, 0.7, is_range=True),
        TableCell(5.0, 5.0, 90.0, is_range=True),
    )
    assert table.rows[1][2:] == ("–", "–", TableCell(25.0, 25.0, 90.0, is_range=True))
    assert "a claim rests on the comparisons alone" in table.note


def test_one_measure_alone_makes_no_table() -> None:
    """The comparisons say that one already."""
    alone = {setting: {metrics.RUN_TIME: columns[metrics.RUN_TIME]} for setting, columns in ROWS.items()}
    assert FAMILIES["log_reader"].tables(evidence(alone, READ_PLAN)) == ()


def test_exploring_and_confirming_trials_are_not_mixed() -> None:
    """A row is of one phase and says of which; the confirming ones are those that count in the comparison."""
    other = agent_metrics.LOCK_WAIT
    seen = measured(STREAMS, {1: (10, 20, 40), 8: (5, 5, 5)}, {1: (100, 100, 100), 8: (50, 50, 50)}).runs[0]
    waits = [
        replace(m, metric=other.name, unit=other.unit, value=m.value / 1000)
        for t in seen.trials
        for m in t.measurements
    ]
    trials = [
        replace(t, measurements=(*t.measurements, *(w for w in waits if w.trial_id == t.trial_id))) for t in seen.trials
    ]
    advice = ADVISOR.advise(session_of(replace(seen, trials=tuple(trials))))
    table = next(table for table in advice.tables if table.title.startswith("What each setting measured"))
    assert [column.key for column in table.columns] == ["setting", "phase", "run_time", "lock_wait"]
    cells = [
        (row[0], row[1], *(round(cell.value, 6) for cell in row[2:] if isinstance(cell, TableCell)))
        for row in table.rows
    ]
    assert cells == [
        ("SubscriptionStreams 1", "explored", 20.0, 2.0), ("SubscriptionStreams 8", "explored", 5.0, 0.5),
        ("SubscriptionStreams 1", "confirmed", 100.0, 10.0), ("SubscriptionStreams 8", "confirmed", 50.0, 5.0),
    ]  # fmt: skip
