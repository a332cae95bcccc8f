"""Tracer tokens of whole runs: both legs measured under a steady load, each token undone as it was journalled."""

from dataclasses import replace

import pytest

from app.domain.change import Change, EntryState
from app.domain.events import RunStatus, SamplesTaken, TrialFinished
from app.domain.measurement import TrialStatus
from app.domain.target import Target
from app.drivers.sqlserver.lab.faults import FaultKind
from app.lab.faults import Fault
from app.runner.asking import HandDesk
from app.services.plan.completing import read_site
from app.systems.transactional_replication.load import Scenario
from app.systems.transactional_replication.metrics import TOKEN_TO_DISTRIBUTOR, TOKEN_TO_SUBSCRIBER
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.readings import TO_DISTRIBUTOR, TO_SUBSCRIBER
from app.systems.transactional_replication.server.tracer_tokens import TRACER_TOKEN
from tests.contract.families.lab_runs import AGENT_FAMILIES, LabRun, open_lab_of, run_on_lab, small_plan
from tests.contract.families.watched_by_hand import by_hand_of

LEGS = (TO_DISTRIBUTOR, TO_SUBSCRIBER)
STEADY = small_plan(AGENT_FAMILIES["distribution_agent"], Scenario.CONTINUOUS)


def sent(run: LabRun) -> list[str]:
    """Return the names of all statements of a run, in order."""
    return [record.name for record in run.records]


def series_of(run: LabRun, ending: str) -> list[float]:
    """Return the values of all series of a run with a name that ends so."""
    taken = [event for event in run.events if isinstance(event, SamplesTaken)]
    return [sample.value for event in taken for sample in event.samples if sample.stream.endswith(ending)]


def tokens_of(run: LabRun) -> list[Change]:
    """Return the changes of a run that post a token, all of them closed."""
    entries = [entry for entry in run.journal.entries.values() if entry.change.kind == TRACER_TOKEN]
    assert {entry.state for entry in entries} <= {EntryState.RESTORED}
    return [entry.change for entry in entries]


def statuses(run: LabRun) -> set[TrialStatus]:
    """Return how the trials of a run ended."""
    return {event.trial.status for event in run.events if isinstance(event, TrialFinished)}


def steady_run(*faults: Fault) -> LabRun:
    """Run a steady load on the lab."""
    return run_on_lab(AGENT_FAMILIES["distribution_agent"], STEADY, faults=faults)


@pytest.mark.parametrize("family_id", AGENT_FAMILIES)
def test_a_steady_load_is_followed_by_tokens_that_are_removed(family_id: str) -> None:
    """Every trial posts some, tells both legs, measures their medians, and each is journalled and undone."""
    family = AGENT_FAMILIES[family_id]
    run = run_on_lab(family, small_plan(family, Scenario.CONTINUOUS))
    trials = [event.trial for event in run.events if isinstance(event, TrialFinished)]
    assert statuses(run) == {TrialStatus.USED}
    posted = tokens_of(run)
    assert len(posted) == sent(run).count("post_tracer_token") == sent(run).count("delete_tracer_token")
    # one at the beginning and one every 30 s of 240 s
    assert 8 * len(trials) <= len(posted) <= 9 * len(trials)
    legs = [series_of(run, leg) for leg in LEGS]
    assert all(len(leg) == len(posted) and min(leg) >= 0.0 for leg in legs)
    for metric, leg in zip((TOKEN_TO_DISTRIBUTOR, TOKEN_TO_SUBSCRIBER), legs, strict=True):
        found = [m.value for trial in trials for m in trial.measurements if m.metric == metric.name]
        assert len(found) == len(trials)
        assert all(min(leg) <= value <= max(leg) for value in found)


def test_a_token_is_in_the_journal_before_it_is_posted_and_gone_soon_after_it_arrived() -> None:
    """Never is one posted that the journal does not name; most are deleted in mid-trial, before the next is posted."""
    run = steady_run()
    names = [name for name in sent(run) if name in ("post_tracer_token", "delete_tracer_token")]
    assert names[:4] == ["post_tracer_token", "delete_tracer_token"] * 2
    assert all(change.detail("tracer_id") for change in tokens_of(run))


def test_behind_a_backlog_no_token_is_posted() -> None:
    """It would measure the backlog that was put there on purpose."""
    family = AGENT_FAMILIES["distribution_agent"]
    assert "post_tracer_token" not in sent(run_on_lab(family, small_plan(family)))
    kept_up = replace(STEADY, load=STEADY.load.but(rate_per_s=None))
    assert "post_tracer_token" not in sent(run_on_lab(family, kept_up))


@pytest.mark.parametrize("statement", ["local_time", "own_tracer_tokens", "post_tracer_token", "tracer_token"])
def test_what_a_login_may_not_do_is_left_out_for_good(statement: str) -> None:
    """Tokens explain and are not needed: refused once, the trials are measured and used without them."""
    faults = tuple(Fault(statement, call, FaultKind.PERMISSION_DENIED) for call in range(1, 40))
    run = steady_run(*faults)
    assert statuses(run) == {TrialStatus.USED}
    assert sent(run).count(statement) == 1
    assert sent(run).count("post_tracer_token") == int(statement in ("post_tracer_token", "tracer_token"))
    assert series_of(run, TO_SUBSCRIBER) == []
    tokens_of(run)
    assert run.end.status is RunStatus.SUCCEEDED


def test_a_token_that_cannot_be_deleted_at_once_is_deleted_with_the_restore() -> None:
    """A deadlock ends nothing: the token stays in the journal, and the end of the run takes it back."""
    run = steady_run(Fault("delete_tracer_token", 1, FaultKind.DEADLOCK))
    assert statuses(run) == {TrialStatus.USED}
    assert sent(run).count("delete_tracer_token") == sent(run).count("post_tracer_token") + 1
    assert tokens_of(run)


def test_a_lost_connection_ends_the_trial_and_the_token_goes() -> None:
    """Whether it was posted is unknown then; nothing of it is left afterwards."""
    for kind in (FaultKind.LOST_BEFORE, FaultKind.LOST_AFTER):
        run = steady_run(Fault("post_tracer_token", 2, kind))
        run.assert_restored(kind.value)
        tokens_of(run)
        assert run.end.status is RunStatus.FAILED


@pytest.mark.parametrize("statement", ["own_tracer_tokens", "post_tracer_token", "tracer_token", "delete_tracer_token"])
def test_a_statement_that_takes_too_long_ends_no_trial(statement: str) -> None:
    """The trials are used; whether the token was posted is unknown then, and nothing of it is left afterwards."""
    run = steady_run(Fault(statement, 2, FaultKind.TIMEOUT))
    run.assert_restored(statement)
    assert tokens_of(run)
    assert statuses(run) == {TrialStatus.USED}
    assert run.end.status is RunStatus.SUCCEEDED


def test_the_dry_run_names_the_tokens_of_a_steady_load_only() -> None:
    """Each publication's tokens are agreed to once, with what they do to production."""
    family = AGENT_FAMILIES["distribution_agent"]
    target = open_lab_of(family.subject, lambda _record: None)
    site = read_site(target, family)
    planned = family.system.rig_kind(family.subject).planned_changes(STEADY, family, site, target)
    tokens = [change for change in planned if change.kind == TRACER_TOKEN]
    assert [change.subject for change in tokens] == ["tracer token in publication Sales1Orders of Sales1 on PUB1"]
    assert "every 30 seconds" in tokens[0].needs_consent
    of_backlog = family.system.rig_kind(family.subject).planned_changes(small_plan(family), family, site, target)
    assert TRACER_TOKEN not in {change.kind for change in of_backlog}


def test_nobody_is_asked_to_post_tokens() -> None:
    """Where the client's DBA makes every change, a run goes without: it would ask every half minute."""
    requests: list[str] = []
    desk = HandDesk(0.0)

    def wrap(target: Target) -> Target:
        desk.attach(lambda request: requests.append(request.title), lambda _request: None)
        return by_hand_of(AGENT_FAMILIES["distribution_agent"], target, desk, "DIST1")

    target = wrap(open_lab_of(AGENT_FAMILIES["distribution_agent"].subject, lambda _record: None))
    agent = agent_ports(target).agents.discover().agents[-1]
    with pytest.raises(Exception, match="no tracer tokens are posted while somebody else makes every change"):
        agent_ports(target).agent_changes.plan_tracer_token(agent)
    assert requests == []
    assert agent_ports(target).agent_changes.plan_stop(agent).kind == "agent_stopped"
