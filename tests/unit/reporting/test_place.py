"""Where a finding holds."""

from dataclasses import replace

from app.domain.setting import EMPTY_SETTING, Setting
from app.reporting.matching import carrying_comparison
from app.reporting.place import Places
from tests.report.sample import full_advice, full_session, imported_request
from tests.report.scripts import WORDS


def test_the_experiment_and_its_transactions_tell_two_findings_apart() -> None:
    """A finding is placed by the run and the conditions its trials share."""
    places = Places(full_session(), WORDS)
    reader, streams = full_advice().findings[:2]
    load = "a backlog of 1,000,000 commands, 2.5 commands per transaction"
    assert places.text(reader) == f"E1, {load}"
    assert places.text(streams) == f"E2, {load}"
    assert places.text(replace(reader, evidence=())) == ""


def test_of_several_targets_the_one_measured_is_named() -> None:
    """Also where a link is known: two servers may have the same."""
    session = full_session()
    moved = replace(session, runs=(session.runs[0], replace(session.runs[1], target="lab:wan-512k")))
    assert Places(moved, WORDS).text(full_advice().findings[1]) == (
        "E2 on lab:wan-512k, a backlog of 1,000,000 commands, 2.5 commands per transaction"
    )
    linked = [
        replace(t, measurements=tuple(replace(m, conditions=Setting.of(network_kbps=512)) for m in t.measurements))
        for t in moved.runs[1].trials
    ]
    far = replace(moved, runs=(moved.runs[0], replace(moved.runs[1], trials=tuple(linked))))
    assert Places(far, WORDS).text(full_advice().findings[1]).startswith("E2 on lab:wan-512k, a backlog of")


def test_a_file_that_states_no_load_is_said_to_state_none() -> None:
    """Each claim states the load it was measured under, or that it is not known."""
    request = imported_request()
    bare = tuple(replace(m, conditions=EMPTY_SETTING) for m in request.session.imported)
    text = Places(replace(request.session, imported=bare), WORDS).text(request.advice.findings[0])
    assert text.endswith(", under a load that the file does not state")
    assert text.startswith(WORDS.family(request.advice.findings[0].family))


def test_a_link_says_more_than_the_target() -> None:
    """Measurements from elsewhere are placed by their link; what differs among the trials is left out."""
    request = imported_request()
    slow = tuple(
        replace(m, conditions=Setting.of(network_kbps=128, rtt_ms=300, hour=i, scenario="drained", agent_pairs=1))
        for i, m in enumerate(request.session.imported)
    )
    places = Places(replace(request.session, imported=slow), WORDS)
    finding = request.advice.findings[0]
    assert places.text(finding) == "128 kbps, 300 ms round trip"
    assert "hour" not in places.conditions(finding)


def test_the_usual_case_is_not_worth_a_word() -> None:
    """A drained backlog and a single pair are usual, a steady stream and three pairs are not."""
    assert WORDS.link(Setting.of(scenario="drained", agent_pairs=1)) == ""
    assert WORDS.link(Setting.of(scenario="continuous", agent_pairs=3)) == "3 agent pairs at once, continuous workload"


def test_only_own_exploring_trials_are_leads() -> None:
    """Confirmed comparisons claim, and measurements from elsewhere have no other trials than these."""
    places = Places(full_session(), WORDS)
    confirmed, explored = full_advice().comparisons[:2]
    assert not places.is_lead(confirmed)
    assert places.is_lead(explored)
    request = imported_request()
    assert not Places(request.session, WORDS).is_lead(request.advice.comparisons[0])


def test_a_verdict_stands_only_where_the_rule_looked_at_it() -> None:
    """A finding about something else does not borrow the verdict of the trials it shares."""
    finding = replace(full_advice().findings[2], evidence=("E2-T003",))
    quiet = full_advice().comparisons[-1:]
    assert carrying_comparison(finding, quiet) is None
    asking = replace(finding, facts=(*finding.facts, ("verdict", "no_difference", "")))
    assert carrying_comparison(asking, quiet) == quiet[0]
