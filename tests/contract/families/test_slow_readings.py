"""What is read at a gentle pace in a trial: tracer tokens, removed afterwards, and pending commands."""

import pytest

from app.domain.events import SamplesTaken, TrialFinished
from app.domain.measurement import TrialStatus
from app.domain.metrics import TOKEN_TO_DISTRIBUTOR, TOKEN_TO_SUBSCRIBER
from app.domain.plan import Scenario
from app.runner.rigs.agents.slow_readings import PENDING, TO_DISTRIBUTOR, TO_SUBSCRIBER
from app.targets.sqlserver.fake.faults import Fault, FaultKind
from tests.contract.families.lab_runs import AGENT_FAMILIES, LabRun, run_on_lab, small_plan

LEGS = (TO_DISTRIBUTOR, TO_SUBSCRIBER)


def names_sent(run: LabRun) -> list[str]:
    """Return the names of all statements of a run, in order."""
    return [record.name for record in run.records]


def series_of(run: LabRun, ending: str) -> list[float]:
    """Return the values of all series of a run with a name that ends so."""
    taken = [event for event in run.events if isinstance(event, SamplesTaken)]
    return [sample.value for event in taken for sample in event.samples if sample.stream.endswith(ending)]


@pytest.mark.parametrize("family_id", AGENT_FAMILIES)
def test_a_steady_load_is_followed_by_tokens_that_are_removed(family_id: str) -> None:
    """Every trial posts some, tells both legs, measures their medians, and deletes each one it posted."""
    family = AGENT_FAMILIES[family_id]
    run = run_on_lab(family, small_plan(family, Scenario.CONTINUOUS))
    sent = names_sent(run)
    assert sent.count("post_tracer_token") > 4
    assert sent.count("delete_tracer_token") == sent.count("post_tracer_token")
    trials = [event.trial for event in run.events if isinstance(event, TrialFinished)]
    assert {trial.status for trial in trials} == {TrialStatus.USED}
    legs = [series_of(run, leg) for leg in LEGS]
    assert all(len(leg) > 4 and min(leg) >= 0.0 for leg in legs)
    for metric, leg in zip((TOKEN_TO_DISTRIBUTOR, TOKEN_TO_SUBSCRIBER), legs, strict=True):
        found = [m.value for trial in trials for m in trial.measurements if m.metric == metric.name]
        assert found
        assert all(min(leg) <= value <= max(leg) for value in found)
    assert series_of(run, PENDING)
    assert 0 < sent.count("pending_commands") <= 240.0 / 120.0 * len(trials)


def test_behind_a_backlog_no_token_is_posted() -> None:
    """It would measure the backlog that was put there on purpose."""
    family = AGENT_FAMILIES["distribution_agent"]
    run = run_on_lab(family, small_plan(family))
    assert "post_tracer_token" not in names_sent(run)


@pytest.mark.parametrize(("statement", "ending"), [("post_tracer_token", TO_SUBSCRIBER), ("pending_commands", PENDING)])
def test_what_a_login_may_not_read_is_left_out_for_good(statement: str, ending: str) -> None:
    """It explains and is not needed: asked for once, the trials are measured and used without it."""
    family = AGENT_FAMILIES["distribution_agent"]
    faults = tuple(Fault(statement, call, FaultKind.PERMISSION_DENIED) for call in range(1, 40))
    run = run_on_lab(family, small_plan(family, Scenario.CONTINUOUS), faults=faults)
    assert names_sent(run).count(statement) == 1
    assert series_of(run, ending) == []
    assert {e.trial.status for e in run.events if isinstance(e, TrialFinished)} == {TrialStatus.USED}


def test_a_token_that_cannot_be_deleted_ends_nothing() -> None:
    """The server removes it with its history; the others are deleted."""
    family = AGENT_FAMILIES["distribution_agent"]
    faults = (Fault("delete_tracer_token", 1, FaultKind.DEADLOCK),)
    run = run_on_lab(family, small_plan(family, Scenario.CONTINUOUS), faults=faults)
    sent = names_sent(run)
    assert sent.count("delete_tracer_token") == sent.count("post_tracer_token")
    assert {e.trial.status for e in run.events if isinstance(e, TrialFinished)} == {TrialStatus.USED}
