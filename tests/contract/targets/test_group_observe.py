"""Observe mode on availability groups: queues, rates, commit delay and time to recover, by reading alone."""

from pathlib import Path

import pytest

from app.bootstrap import build_program
from app.domain.ports import StatementSink
from app.domain.statement import Access, StatementRecord
from app.domain.target import Target
from app.domain.view import NO_VALUE
from app.foundation.paths import resource_path
from app.services.look.looking import look
from app.systems.availability_groups.groups import CommitMode
from app.systems.availability_groups.observed import GroupsObservation, ObservedGroupDatabase, ObservedSecondary
from app.systems.availability_groups.subjects import SYSTEM_ID
from app.systems.availability_groups.views.observed import groups_lines, secondaries_table

BACKUPS = "log_backup_every_s = 60.0"
BUSY = f"{BACKUPS}\nbackground_statements_per_s = 200.0\nbackground_rows_per_statement = 20"
SLOW_REDO = (
    ("serial_mb_per_s = 150.0", "serial_mb_per_s = 2.0"),
    ("parallel_mb_per_s = 400.0", "parallel_mb_per_s = 2.0"),
)
SLOW_LINE = (("bandwidth_mbps = 1000.0", "bandwidth_mbps = 0.5"),)


def scenario(folder: Path, *replaced: tuple[str, str]) -> str:
    """Write the shipped site with texts replaced everywhere, and return its target."""
    text = resource_path("lab", "ag-2016.toml").read_text(encoding="utf-8")
    for old, new in replaced:
        assert old in text, old
        text = text.replace(old, new)
    path = folder / "site.toml"
    path.write_text(text, encoding="utf-8")
    return f"lab:{path}"


def observed(target: str, watch_s: float = 30.0) -> tuple[GroupsObservation, list[StatementRecord]]:
    """Look at a target; return what was seen and every statement it sent."""
    program, records = build_program(), list[StatementRecord]()

    def opener(target: str, seed: int, sink: StatementSink, /) -> Target:
        def both(record: StatementRecord) -> None:
            records.append(record)
            sink(record)

        return program.parts.open_target(target, seed, both)

    seen = look(target, program.advisor, opener, watch_s=watch_s)
    ((system, found),) = seen.by_system
    assert system.system_id == SYSTEM_ID
    assert isinstance(found, GroupsObservation)
    return found, records


def of_group(seen: GroupsObservation, group: str) -> tuple[ObservedGroupDatabase, ObservedSecondary]:
    """Return the only database of a group and its only secondary."""
    (database,) = [found for found in seen.databases if found.group == group]
    (secondary,) = database.secondaries
    return database, secondary


def test_a_busy_site_shows_rates_and_commit_delay(tmp_path: Path) -> None:
    """Commits wait where the group is synchronous and nowhere else; nothing queues, so a failover costs no redo."""
    seen, records = observed(scenario(tmp_path, (BACKUPS, BUSY)))
    assert {record.access for record in records} == {Access.READ}
    assert [record.error for record in records if record.error] == []
    assert (seen.statements, seen.unread) == (len(records), ())
    waiting, there = of_group(seen, "AG_SYNC")
    assert waiting.transactions == pytest.approx(200 * 30, rel=0.01)
    assert waiting.commit_delay_ms is not None
    assert 1.0 < waiting.commit_delay_ms < 10.0
    told = "\n".join(groups_lines(seen))
    assert f"Log written: {waiting.log_kb_per_s:,.0f} KiB/s" in told
    assert " KB" not in told, "what is sent and redone is told in KiB"
    assert (there.mode, there.synchronization_state) == (CommitMode.SYNCHRONOUS, "SYNCHRONIZED")
    assert there.redo_rate_kb_per_s == pytest.approx(waiting.log_kb_per_s, rel=0.05)
    assert (there.recovery_s, there.loss_s) == (0.0, 0.0)
    other, _secondary = of_group(seen, "AG_ASYNC")
    assert (other.commit_delay_ms, other.transactions) == (None, 0.0)
    assert other.log_kb_per_s == pytest.approx(waiting.log_kb_per_s, rel=0.05)


def test_slow_redo_is_a_time_to_recover(tmp_path: Path) -> None:
    """What is not redone waits; the queue over the rate is how long a failover takes, longer the longer one watches."""
    target = scenario(tmp_path, (BACKUPS, BUSY), *SLOW_REDO)
    (_database, short), (_other, longer) = (of_group(observed(target, s)[0], "AG_SYNC") for s in (30.0, 120.0))
    for there in (short, longer):
        assert there.redo_queue_kb is not None
        assert there.redo_rate_kb_per_s is not None
        assert there.redo_queue_kb == there.longest_redo_queue_kb
        assert there.redo_queue_kb > 50_000
        assert there.recovery_s == pytest.approx(there.redo_queue_kb / there.redo_rate_kb_per_s)
    assert short.recovery_s is not None
    assert longer.recovery_s is not None
    assert longer.recovery_s == pytest.approx(4 * short.recovery_s, rel=0.1)


def test_a_slow_line_is_what_a_failover_would_lose(tmp_path: Path) -> None:
    """An asynchronous secondary lags by what is not sent yet, told in seconds of the log that is written."""
    seen, _records = observed(scenario(tmp_path, (BACKUPS, BUSY), *SLOW_LINE), 60.0)
    database, there = of_group(seen, "AG_ASYNC")
    assert there.send_queue_kb is not None
    assert there.send_queue_kb > 10_000
    assert there.loss_s == pytest.approx(there.send_queue_kb / database.log_kb_per_s)


def test_an_idle_site_says_that_nothing_waited() -> None:
    """No commit, no delay: none is made up; limits and the price of an experiment are told."""
    seen, _records = observed("lab:ag-2016")
    for group in ("AG_SYNC", "AG_ASYNC"):
        database, there = of_group(seen, group)
        assert (database.commit_delay_ms, database.commit_delay_since_start_ms) == (None, None)
        assert (there.recovery_s, there.loss_s) == (0.0, 0.0)
    assert len(seen.limits) == 4
    assert {cost.family for cost in seen.costs} == {"commit_mode", "seeding"}
    assert all(cost.trials > 0 and cost.duration_s > 0 for cost in seen.costs)


def test_a_secondary_as_target_names_the_primary(tmp_path: Path) -> None:
    """Queues are known at the primary alone."""
    seen, _records = observed(
        scenario(tmp_path, ('kind = "availability"', 'kind = "availability"\nopened_at = "SQLNODE2"'))
    )
    assert seen.databases == ()
    assert len(seen.unread) == 2
    assert all(sentence.endswith("connect to its primary, SQLNODE1") for sentence in seen.unread)


def test_a_secondary_that_is_down_leaves_the_rest_readable(tmp_path: Path) -> None:
    """Its absence is told; what the primary knows stands."""
    down = ('[[servers]]\nname = "SQLNODE2"', '[[servers]]\nname = "SQLNODE2"\nis_up = false')
    seen, _records = observed(scenario(tmp_path, down))
    assert {found.group for found in seen.databases} == {"AG_SYNC", "AG_ASYNC"}
    assert any("SQLNODE2" in sentence for sentence in seen.unread)


def test_what_a_primary_does_not_know_of_a_lost_secondary_is_not_shown_as_nothing(tmp_path: Path) -> None:
    """Its view leaves the queues NULL: no "0.0 s lost by a failover", and a finding says first that it is lost."""
    down = ('[[servers]]\nname = "SQLNODE2"', '[[servers]]\nname = "SQLNODE2"\nis_up = false')
    seen, _records = observed(scenario(tmp_path, down))
    _database, there = of_group(seen, "AG_SYNC")
    assert there.synchronization_state == "NOT SYNCHRONIZING"
    assert (there.send_queue_kb, there.redo_queue_kb, there.redo_rate_kb_per_s) == (None, None, None)
    assert (there.loss_s, there.recovery_s, there.longest_recovery_s) == (None, None, None)
    (table,) = [secondaries_table([found]) for found in seen.databases if found.group == "AG_SYNC"]
    shown = {column.key: cell.text for column, cell in zip(table.columns, table.rows[0].cells, strict=True)}
    assert {shown[key] for key in ("send_queue_kb", "redo_queue_kb", "loss_s", "recovery_s")} == {NO_VALUE}
    text = "\n".join(groups_lines(seen))
    assert "Not synchronizing: " in text.split("What these figures do not say")[0]
    assert "Nothing wrong" not in text
