"""What a person reads of two runs beside each other: before and after a recommendation, and published numbers."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from app.bootstrap import build_program
from app.domain.errors import BadInput
from app.domain.server import EffectiveParameter
from app.domain.setting import Setting
from app.domain.view import Emphasis, TableContent
from app.flows.explain.compare_choices import PUBLISHED
from app.flows.explain.compare_view import ShownComparison, compare
from app.services.program import Program
from app.store import create_session_file
from app.systems.transactional_replication.site import kept_texts
from app.systems.transactional_replication.system import SYSTEM
from tests.report.sample import full_session

BEFORE, AFTER = "S20261121-080000-a1b2c3", "S20261205-080000-d4e5f6"


@pytest.fixture(scope="module")
def program() -> Program:
    """Return the program with its own analysis and rules."""
    return build_program()


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file with a session before and one after SubscriptionStreams was raised to 8."""
    first = full_session()
    read = SYSTEM.kept(first.environments[0])
    assert read is not None
    agents = tuple(
        replace(
            agent,
            parameters=tuple(
                EffectiveParameter(p.name, "8", "job step", "1", 1, 64, "connections")
                if p.name == "SubscriptionStreams"
                else p
                for p in agent.parameters
            ),
        )
        for agent in read.agents
    )
    runs = tuple(
        replace(
            run,
            plan=replace(run.plan, baseline=Setting.of(SubscriptionStreams=8)) if run.run_id == "E2" else run.plan,
            started_utc=run.started_utc + timedelta(days=14),
        )
        for run in first.runs
    )
    environment = replace(first.environments[0], kept=kept_texts(replace(read, agents=agents)))
    second = replace(first, session_id=AFTER, environments=(environment,), runs=runs, changes=(), statements=())
    path = tmp_path_factory.mktemp("compare") / "client.replitune"
    with create_session_file(path) as store:
        store.add_session(first)
        store.add_session(second)
    return path


def lines(table: TableContent) -> list[tuple[str, ...]]:
    """Return what a table shows, row by row; no row lacks a cell."""
    assert all(len(row.cells) == len(table.columns) for row in table.rows)
    assert len({row.key for row in table.rows}) == len(table.rows)
    return [tuple(cell.text for cell in row.cells) for row in table.rows]


@pytest.fixture(scope="module")
def both(path: Path, program: Program) -> ShownComparison:
    """Return the run before and the run after, compared."""
    return compare(path, f"{BEFORE}/E2", f"{AFTER}/E2", program)


def test_a_recommendation_applied_in_between_stands_on_top(both: ShownComparison) -> None:
    """It stands out, and its tool tip names the finding behind it; what else differs follows."""
    first = lines(both.differing)[0]
    assert first == ("recommendation applied in between", "SubscriptionStreams", "1", "8")
    cell = both.differing.rows[0].cells[0]
    assert cell.emphasis is Emphasis.STRONG
    assert "SubscriptionStreams" in cell.hint
    assert ("plan", "baseline", "SubscriptionStreams 1", "SubscriptionStreams 8") in lines(both.differing)


def test_how_each_began_stands_beside_each_other(both: ShownComparison) -> None:
    """The baselines then and now, each mean with its interval, and the ratio; the cautions come along."""
    row = next(row for row in both.measured.rows if "→" in row.cells[2].text)
    assert row.cells[2].text == "SubscriptionStreams 1 → SubscriptionStreams 8"
    assert row.cells[0].text == "E2 | E2"
    assert "trials" in row.cells[4].hint
    assert both.cautions.startswith("This is no randomised comparison")
    assert both.plots
    assert all(len(plot.series) == 2 for plot in both.plots)


def test_every_setting_has_one_estimate_that_says_where_it_comes_from(both: ShownComparison) -> None:
    """That of confirming trials where both sides have some; conditions stand in the row, before the numbers."""
    columns = [column.key for column in both.measured.columns]
    assert columns == ["run", "metric", "setting", "conditions", "first", "second", "unit", "ratio", "trials"]
    found = [line[:4] for line in lines(both.measured)]
    assert len(set(found)) == len(found)
    told = {line[2]: line[8] for line in lines(both.measured) if line[1] == "Run time"}
    assert told["SubscriptionStreams 8"].endswith("confirming trials")
    assert told["SubscriptionStreams 4"].endswith("exploring trials")
    effects = [(*line[:4], line[6]) for line in lines(both.effects)]
    assert len(set(effects)) == len(effects)


def test_before_and_after_are_one_picture_of_each_measure(both: ShownComparison) -> None:
    """Both sides at every setting, and how each began; the numbers are those of the table."""
    titles = [plot.title for plot in both.plots]
    assert len(set(titles)) == len(titles)
    assert titles[0].startswith("Run time, before and after")
    ticks = [tick for _place, tick in both.plots[0].x_ticks]
    assert ticks[0] == "1 → 8"
    row = next(row for row in both.measured.rows if "→" in row.cells[2].text)
    assert [series.y[0] for series in both.plots[0].series] == [row.cells[4].value, row.cells[5].value]


def test_whole_sessions_are_compared_run_by_run(path: Path, program: Program) -> None:
    """Each pair of runs has its rows; what a side did not compare is a dash."""
    found = compare(path, BEFORE, AFTER, program)
    assert {line[0] for line in lines(found.measured)} >= {"E1 | E1", "E2 | E2"}
    assert any("–" in line[4:6] for line in lines(found.effects))


def test_published_numbers_bring_their_source_and_conditions(path: Path, program: Program) -> None:
    """Both changes against the same setting, whose numbers they are, and under which conditions each was measured."""
    found = compare(path, f"{BEFORE}/E1", PUBLISHED, program)
    assert "Sourabh Agarwal" in lines(found.measured)[0][-1]
    assert lines(found.measured)[0][6:8] == ("1", "1")
    assert any(line[1] == "commands_per_transaction" for line in lines(found.differing))
    assert found.effects.rows == ()
    assert found.plots


def test_a_run_that_is_not_there_is_told(path: Path, program: Program) -> None:
    """One sentence names the runs there are."""
    with pytest.raises(BadInput, match='has no run "E9"; it has E1, E2'):
        compare(path, f"{BEFORE}/E9", AFTER, program)
