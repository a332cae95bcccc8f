"""A baseline that was not in effect is told wherever a change is."""

from dataclasses import replace

import pytest

from app.domain.server import EffectiveParameter
from app.domain.session import SessionRecord
from app.reporting.document.whole import build_document
from app.reporting.request import ReportRequest
from app.services.explain.deciding import decided
from app.systems.transactional_replication.site import AgentParameters
from tests.contract.families.lab_runs import FAMILIES, run_on_lab, small_plan
from tests.report.kept import replication_of, streams_of, with_replication, with_streams
from tests.report.sample import ISSUED, full_advice, full_session
from tests.report.scripts import apply_script, in_effect, oracle_apply_script, rollback_script
from tests.unit.reporting.test_streams import finding


@pytest.fixture(scope="module", name="session")
def _session() -> SessionRecord:
    """Return a session that tried the apply parallelism 1 and 4 where 8 is in effect."""
    family = FAMILIES["streams_apply"]
    return run_on_lab(family, small_plan(family, blocks=2, confirm_blocks=2)).session()


def _in_effect(session: SessionRecord, parameter: str, value: str) -> SessionRecord:
    environment = session.environments[0]
    streams = streams_of(environment)
    parameters = tuple(
        replace(p, effective=replace(p.effective, value=value)) if p.effective.name == parameter else p
        for p in streams.parameters
    )
    changed = with_streams(environment, replace(streams, parameters=parameters))
    return replace(session, environments=(changed,))


def test_a_value_in_effect_that_was_not_measured_is_told_everywhere(session: SessionRecord) -> None:
    """The script goes from the value in effect, and the page, the summary and the script say what was measured."""
    advised = finding("PARALLELISM", 1, 4)
    running = _in_effect(session, "PARALLELISM", "6")
    note = in_effect(running).note(advised)
    assert note == "In effect when the session began: 6; measured from 1 to 4; 6 was not measured."
    script = oracle_apply_script([advised], running)
    assert "PARALLELISM 6 -> 4 (measured: 1 -> 4)" in script
    assert "6 was not measured" in script
    assert "NOT IN ('6', '4')" in script
    advice = decided(running, replace(full_advice(), findings=(advised,)), tuple(FAMILIES.values()))
    said = repr(build_document(ReportRequest(running, advice, ISSUED, families=tuple(FAMILIES.values())), ()).sections)
    assert note in said
    assert "PARALLELISM 4 instead of 6" in said


def test_a_value_in_effect_that_was_tried_is_told_apart(session: SessionRecord) -> None:
    """A level that was tried was compared with the baseline, never with the recommended value."""
    tried = {str(t.setting[n]) for run in session.runs for t in run.trials for n in t.setting}
    parameter = next(iter(session.runs[0].trials[0].setting))
    running = _in_effect(session, parameter, max(tried))
    text = in_effect(running).note(finding(parameter, 1, 77))
    assert f"{max(tried)} was tried as well, and compared with 1, not with 77" in text
    kept = replace(finding(parameter, 1, 1), to_value=None)
    assert "it was tried and compared with the baseline, 1" in in_effect(running).note(kept)


def test_a_recommended_value_already_in_effect_changes_nothing(session: SessionRecord) -> None:
    """Where the recommended value is in effect, the page says that nothing is to be changed."""
    running = _in_effect(session, "PARALLELISM", "4")
    assert "There is nothing to change" in in_effect(running).note(finding("PARALLELISM", 1, 4))
    for make in (oracle_apply_script, apply_script):
        script = make([finding("PARALLELISM", 1, 4)], running)
        assert "SET_PARAMETER" not in script
    assert "This script changes nothing" in script


def test_a_baseline_in_effect_needs_no_word(session: SessionRecord) -> None:
    """The usual case is as short as before."""
    running = _in_effect(session, "PARALLELISM", "1")
    assert not in_effect(running).note(finding("PARALLELISM", 1, 4))
    assert in_effect(running).change(finding("PARALLELISM", 1, 4)) == "PARALLELISM 1 → 4"


def test_agents_of_sql_server_are_told_the_same_way() -> None:
    """Title and comment of the batch start from what the agent runs with, in both scripts."""
    session, advised = full_session(), full_advice().findings[1]
    environment = session.environments[0]
    streams = EffectiveParameter(advised.parameter, "3", "job step", "1", 1, 64, "connections")
    agents = (AgentParameters(replication_of(environment).agents[1].agent, (streams,)),)
    running = replace(session, environments=(with_replication(environment, agents=agents),))
    for make in (apply_script, rollback_script):
        said = " ".join(make([advised], running).replace("--", "").split())
        assert f"{advised.parameter} 3 → {advised.to_value} (measured: {advised.from_value} →" in said
        assert "3 was not measured" in said
