"""Where a finding holds, and the facts behind it in words."""

from dataclasses import replace

import pytest

from app.domain.setting import Setting
from app.reporting.document.fact_words import fact_title, fact_value, shown_facts
from app.reporting.document.place import Places
from app.reporting.matching import carrying_comparison
from tests.report.sample import full_advice, full_session, imported_request
from tests.report.scripts import WORDS


def test_the_experiment_and_its_transactions_tell_two_findings_apart() -> None:
    """A finding is placed by the run and the conditions its trials share."""
    places = Places(full_session(), WORDS)
    reader, streams = full_advice().findings[:2]
    assert places.text(reader) == "E1, 2.5 commands per transaction"
    assert places.text(streams) == "E2, 2.5 commands per transaction"
    assert places.text(replace(reader, evidence=())) == ""


def test_of_several_targets_the_one_measured_is_named() -> None:
    """Without a link to name, the target says where."""
    session = full_session()
    moved = replace(session, runs=(session.runs[0], replace(session.runs[1], target="lab:wan-512k")))
    assert Places(moved, WORDS).text(full_advice().findings[1]) == "E2 on lab:wan-512k, 2.5 commands per transaction"


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


@pytest.mark.parametrize(
    ("name", "value", "unit", "shown"),
    [
        ("gain_percent", 672.4, "%", "7.7 times as good"),
        ("gain_percent", 43.28, "%", "43\u00a0%"),
        ("gain_low_percent", -7.231, "%", "−7.2\u00a0%"),
        ("bandwidth_use_baseline_percent", 4.688, "%", "4.7\u00a0%"),
        ("best_value", 2500.0, "", "2500"),
        ("catch_up_best_h", 1.2753, "h", "1.3\u00a0h"),
        ("confirmed", True, "", "yes"),
        ("measure", "run time", "", "run time"),
        ("backlog_commands", 240000, "commands", "240,000\u00a0commands"),
    ],
)
def test_facts_have_no_more_digits_than_the_rest(name: str, value: float | str, unit: str, shown: str) -> None:
    """Values of parameters are as they are typed, others as everywhere in the report."""
    assert fact_value(name, value, unit) == shown


def test_facts_are_named_in_words() -> None:
    """No internal name is shown, and what only steers a rule is left out."""
    assert fact_title("batch_hold_s_best", WORDS) == "a full batch stays invisible for, best value"
    assert fact_title("gain_small_low_percent", WORDS) == "gain of compression, fewest rows per insert, lower end"
    assert fact_title("run_time_best_s", WORDS) == "run time, best"
    assert fact_title("redo_behind_s", WORDS) == "the time it took to write as much log as waited to be redone"
    assert fact_title("redo_to_do_s", WORDS) == "redo still to do"
    assert fact_title("newly_added_ms", WORDS) == "newly added"
    facts = (
        ("best_differs", True, ""),
        ("factors_varied", 1, "count"),
        ("gain_percent", 12.0, "%"),
        ("rtt_ms", 3, "ms"),
    )
    finding = replace(full_advice().findings[0], facts=facts)
    assert [name for name, _value, _unit in shown_facts(finding, is_judged=False)] == ["gain_percent", "rtt_ms"]
    assert [name for name, _value, _unit in shown_facts(finding, is_judged=True)] == ["rtt_ms"]
