"""What the history of a Distributor tells, in tables, plots and sentences."""

import math
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.domain.comparison import Forecast
from app.domain.errors import BadInput
from app.domain.finding import Finding
from app.domain.setting import EMPTY_SETTING
from app.domain.view import View
from app.flows.target.observe_view import cost_line, costs_table
from app.services.look.looking import Look, look
from app.services.look.observing_export import write_history
from app.systems.transactional_replication.observed import AgentHour, ReplicationObservation, Side
from app.systems.transactional_replication.stored_backlog import StoredBacklog
from app.systems.transactional_replication.system import SYSTEM
from app.systems.transactional_replication.views.observed import (
    agents_table,
    catch_up_text,
    finding_lines_of,
    history_of,
    hours_table,
    latency_plot,
    observed_line,
    rate_plot,
    side_text,
    waiting_line,
)
from app.systems.transactional_replication.views.observed_lines import agent_lines
from tests.unit.flows.sites import program


@pytest.fixture(scope="module")
def seen() -> ReplicationObservation:
    """A look at the lab, with two hours of deliveries made up for its first agent."""
    looked = look("lab", program().advisor, program().parts.open_target).of(SYSTEM.system_id)
    assert isinstance(looked, ReplicationObservation)
    first = looked.agents[0]
    hours = tuple(
        AgentHour(
            first.agent.kind, first.agent.agent_id, datetime(2026, 1, 5, hour, tzinfo=UTC), 10, n, busy, ms, ms, 1
        )
        for hour, n, busy, ms in ((8, 36_000, 1_800.0, 250.0), (9, 0, 0.0, None))
    )
    return replace(looked, agents=(replace(first, hours=hours, slow_side=Side.WRITER), *looked.agents[1:]))


def _forecast(hours: float, high: float) -> Forecast:
    return Forecast("distribution_agent", EMPTY_SETTING, EMPTY_SETTING, 9_000, 10.0, hours, 0.5, high, ())


def test_each_hour_of_each_agent_is_a_row(seen: ReplicationObservation) -> None:
    """Rates over the hour and at work are told apart; what is not known is a dash."""
    rows = [[cell.text for cell in row.cells] for row in hours_table(seen).in_view(View.WINDOW).rows]
    assert rows[0][2:] == ["2026-01-05 08:00", "36,000", "10.0", "20.0", "250\u00a0ms", "250\u00a0ms", "1"]
    assert rows[1][4:8] == ["0.0", "–", "–", "–"]
    assert len({row.key for row in hours_table(seen).rows}) == len(rows)


def test_a_long_latency_of_an_hour_is_told_in_seconds_and_minutes(seen: ReplicationObservation) -> None:
    """Sorting and files have its milliseconds."""
    first = seen.agents[0]
    late = replace(first.hours[0], latency_ms=14_765.0, worst_latency_ms=4_690_000.0)
    looked = replace(seen, agents=(replace(first, hours=(late,)),))
    cells = hours_table(looked).only("latency_ms", "worst_latency_ms").rows[0].cells
    assert [cell.text for cell in cells] == ["14.8\u00a0s", "1\u00a0h\u00a018\u00a0min"]
    assert [cell.value for cell in cells] == [14_765.0, 4_690_000.0]


def test_the_first_and_the_last_hour_are_parts_of_one(seen: ReplicationObservation) -> None:
    """The rate of an hour that is going on, or of which only the end was looked at, is over that part alone."""
    first = seen.agents[0]
    hours = tuple(
        AgentHour(
            first.agent.kind, first.agent.agent_id, datetime(2026, 1, 5, hour, tzinfo=UTC), 1, 3_600, 9.0, 1, 1, 0
        )
        for hour in (8, 9, 10, 11)
    )
    taken = datetime(2026, 1, 5, 10, 15, tzinfo=UTC)
    looked = replace(seen, taken=taken, window_h=2, agents=(replace(first, hours=hours),))
    assert [looked.looked_at_s(hour) for hour in hours] == [2_700, 3_600, 900, 3_600]  # the last one by another clock
    assert [row.cells[0].text for row in hours_table(looked).only("rate").rows] == ["1.3", "1.0", "4.0", "1.0"]
    plot = rate_plot(looked)
    assert plot is not None
    assert plot.series[0].y == pytest.approx((4 / 3, 1, 4, 1))
    said = "\n".join(agent_lines(looked))
    assert "4.0" in said.partition("2026-01-05 10:00")[2].splitlines()[0]


def test_every_agent_says_what_limits_it_and_how_long_it_needs(seen: ReplicationObservation) -> None:
    """The forecast stands with its band; an agent without one has a dash."""
    name = seen.agents[1].agent.name
    behind = replace(seen.agents[1], in_front=StoredBacklog(9_000))
    forecast = ((name, _forecast(1.0, 2.5)),)
    shown = replace(seen, agents=(seen.agents[0], behind, *seen.agents[2:]), catch_up=forecast)
    rows = {row.key: [cell.text for cell in row.cells] for row in agents_table(shown).rows}
    assert rows[seen.agents[0].agent.name][1:] == ["Writing: its reader waits for its writer", "–", "–"]
    assert rows[name][2:] == ["9,000", "60 min (30 min to 2 h 30 min)"]


@pytest.mark.parametrize(
    ("forecast", "text"),
    [
        (_forecast(math.inf, math.inf), "never: as much arrives as it can deliver"),
        (_forecast(1.0, math.inf), "60 min (30 min to without end)"),
    ],
)
def test_a_backlog_that_may_never_end_says_so(forecast: Forecast, text: str) -> None:
    """Infinity is a word."""
    assert catch_up_text(forecast) == text


def test_every_side_has_words() -> None:
    """Four answers, four sentences."""
    assert len({side_text(side) for side in Side}) == len(Side)


def test_rates_and_latencies_are_plotted_by_hour(seen: ReplicationObservation) -> None:
    """Only agents that delivered have a curve; hours without latency leave it out."""
    rate, latency = rate_plot(seen), latency_plot(seen)
    assert rate is not None
    assert latency is not None
    assert rate.series[0].y == (10.0, 0.0)
    assert latency.series[0].y == (0.25,)
    assert rate.x_ticks[0][1] == "08:00"
    assert seen.agents[0].agent.name in rate.alt


def test_where_nothing_was_delivered_there_is_no_plot(seen: ReplicationObservation) -> None:
    """The window says so instead."""
    assert rate_plot(replace(seen, agents=seen.agents[1:])) is None


def test_sentences_say_what_was_looked_at_and_what_it_cost(seen: ReplicationObservation) -> None:
    """Agents, hours, what waits, and the statements sent."""
    whole = replace(seen, covered_h=24.0)
    assert observed_line(whole) == "lab: 6 agents, 24 hours of history."  # a lab's own time of day says nothing
    shorter = replace(seen, target="sqlserver://db1", window_h=168, covered_h=48.25)
    assert "48.2 of 168 hours of history (no more is kept), as of 2026-01-05 " in observed_line(shorter)
    assert f"sent {seen.statements} statements" in cost_line(Look(((SYSTEM, seen),)))
    assert "transactions in the log" in waiting_line(seen)
    assert "could not be read" in waiting_line(replace(seen, sample=None))


def test_an_experiment_is_told_with_its_cost(seen: ReplicationObservation) -> None:
    """Trials and time for each."""
    rows = [[cell.text for cell in row.cells] for row in costs_table(Look(((SYSTEM, seen),))).rows]
    assert rows[0][1:] == ["21", "4\u00a0h\u00a020\u00a0min, at most 11\u00a0h\u00a035\u00a0min"]


def test_findings_clocks_and_gaps_stand_below_each_other(seen: ReplicationObservation) -> None:
    """No finding says so; what a login may not read is named."""
    assert "Nothing wrong found." in finding_lines_of(replace(seen, findings=()))
    finding = Finding("r", 1, "f", 2, "Behind", "Run it.", "It waits.", "", "", "", "", None, None, (), (), ())
    lines = finding_lines_of(replace(seen, findings=(finding,), unread=("no rights on SUB1",)))
    assert [line.strip() for line in lines[1:5]] == ["Findings:", "1. Behind", "Run it.", "It waits."]
    assert any(line.startswith("Clocks against that of the Distributor: PUB1 +0.00 s") for line in lines)
    assert lines[-1].strip() == "No rights on SUB1."


def test_the_hours_are_exported_as_they_were_read(seen: ReplicationObservation, tmp_path: Path) -> None:
    """One line for each hour, nothing rounded away, empty where nothing is known."""
    count = write_history(history_of(seen), tmp_path / "history.csv")
    lines = (tmp_path / "history.csv").read_text().splitlines()
    assert len(lines) == count + 1
    assert lines[0] == "agent,kind,hour_utc,transactions,commands,busy_s,latency_ms,worst_latency_ms,problems"
    assert lines[1].split(",")[2:] == [
        "2026-01-05T08:00:00+00:00", "10", "36000", "1800", "250", "250", "1",
    ]  # fmt: skip
    assert lines[2].split(",")[-3:] == ["", "", "1"]


def test_a_file_that_cannot_be_written_says_so(seen: ReplicationObservation, tmp_path: Path) -> None:
    """Naming the file and what to do."""
    with pytest.raises(BadInput, match="give another file"):
        write_history(history_of(seen), tmp_path / "none" / "history.csv")
