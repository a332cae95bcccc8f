"""A change of several parameters as one decision: all of it is told, nothing of it twice, and as its scripts do it."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from app.domain.decision import Decision, DecisionKind
from app.domain.finding import Finding
from app.domain.plan import Phase
from app.domain.session import Advice
from app.domain.setting import Setting, Value
from app.reporting.blocks import Paragraph, Table, Tiles
from app.reporting.decision_card import decision_card
from app.reporting.decision_words import effect_text
from app.reporting.document.decision_page import decision_section
from app.reporting.document.figures import Figures
from app.reporting.document.run_sheet import run_sheet_section
from app.reporting.document.scripts import Scripts
from app.reporting.document.whole import build_document
from app.reporting.wording import Vocabulary
from app.services.explain.deciding import decided
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.server.documented import STREAMS, documented
from tests.report.sample import FAMILIES, full_advice, full_request, full_session
from tests.shipped_rules import RULES

_WORDS = Vocabulary(FAMILIES)
_PARAMETERS = sorted(parameter.name for parameter in documented(AgentKind.DISTRIBUTION).values())


def _wanted(parameter: str, facts: Sequence[tuple[str, Value, str]] = ()) -> Finding:
    """Return the recommendation of another value of a parameter of the sample's Distribution Agent."""
    finding = next(f for f in full_advice().findings if f.parameter == STREAMS)
    told = replace(finding, parameter=parameter, risk=f"{parameter} may lose. Then it is slow.")
    return replace(told, facts=(*finding.facts, *facts))


def _joint(findings: Sequence[Finding]) -> Advice:
    """Return what the findings come to where one comparison changes all of their parameters."""
    whole = next(c for c in full_advice().comparisons if c.factor == STREAMS and c.phase is Phase.CONFIRM)
    names = [finding.parameter for finding in findings]
    together = replace(
        whole,
        factor=" × ".join(names),
        reference=Setting.from_mapping(dict.fromkeys(names, 1)),
        candidate=Setting.from_mapping(dict.fromkeys(names, 8)),
    )
    advice = replace(full_advice(), comparisons=(together,), findings=tuple(findings), decisions=())
    return decided(full_session(), advice, FAMILIES)


def _with_fallbacks(count: int, trials: int) -> Finding:
    return _wanted(STREAMS, (("best_fallbacks", count, ""), ("best_stream_trials", trials, "")))


def _sheet(advice: Advice) -> list[str]:
    scripts = Scripts(full_session(), _WORDS, advice.decisions)
    sheet = run_sheet_section(advice.decisions, scripts, is_redacted=False)
    return [str(cell) for block in sheet.blocks if isinstance(block, Table) for row in block.rows for cell in row]


def _tiles(advice: Advice) -> dict[str, str]:
    page = decision_section(replace(full_request(), advice=advice), _WORDS, Figures(()))
    return {
        tile.title: f"{tile.value} {tile.text}"
        for block in page.blocks
        if isinstance(block, Tiles)
        for tile in block.tiles
    }


@pytest.mark.parametrize("beside", [(), ("CommitBatchSize",)], ids=["alone", "joint"])
def test_the_run_sheet_asks_for_no_more_than_the_trials_showed(beside: tuple[str, ...]) -> None:
    """What happened in trials of the recommended value is told with its share, and its absence is no check."""
    others = [_wanted(name) for name in beside]
    clean, failing = _joint([*others, _with_fallbacks(0, 6)]), _joint([*others, _with_fallbacks(2, 6)])
    assert any("no fall-back" in text for text in _sheet(clean)) == (not beside)
    assert not any("no fall-back" in text for text in _sheet(failing))
    assert any("fell back to one stream in 2 of 6 trials of this setting" in text for text in _sheet(failing))
    for told in (_tiles(failing)["Risk"], dict(decision_card(failing.decisions[0], _WORDS).pairs)["Risk"]):
        assert "in 2 of 6 trials" in told
    assert "of 6 trials" not in _tiles(clean)["Risk"]


def test_a_joint_change_is_checked_as_it_was_measured() -> None:
    """All of it in effect, and the effect of the whole; no single parameter's habits, which no trial showed."""
    advice = _joint([_wanted(name) for name in ("CommitBatchSize", STREAMS)])
    (decision,) = advice.decisions
    assert decision.gain is not None
    effect = effect_text(decision.gain.comparison, _WORDS)
    says = f"CommitBatchSize 8, {STREAMS} 8 are in effect; a load like that of the trials shows about {effect}"
    if any(part.in_effect for part in decision.parts):  # the effect is not one over what is there
        says = f"CommitBatchSize 8, {STREAMS} 8 are in effect."
    for text in (one for one in _sheet(advice) if "The last line: Done." in one):
        assert says in text
        assert "history" not in text


@pytest.mark.parametrize("parameter", _PARAMETERS)
def test_no_check_promises_a_latency_that_no_trial_measured(parameter: str) -> None:
    """Of any parameter by itself."""
    for text in _sheet(_joint([_wanted(parameter)])):
        assert "latency is as before" not in text


def test_every_recommendation_of_several_streams_knows_of_its_fall_backs() -> None:
    """A rule that sets streams keeps how many trials of them fell back, whichever way it changes them."""
    setting = [rule for rule in RULES if rule.parameter == STREAMS and rule.to_value]
    assert len(setting) > 1
    for rule in setting:
        assert {"best_fallbacks", "best_stream_trials"} <= {*rule.needs, *rule.wants}, rule.rule_id


@pytest.mark.parametrize("parameter", [name for name in _PARAMETERS if name != STREAMS])
def test_a_joint_card_tells_all_of_each_parameter(parameter: str) -> None:
    """Risk and effort of each of its parameters, told apart; as many restarts as its scripts make."""
    advice = _joint([_wanted(parameter), _wanted(STREAMS)])
    (decision,) = advice.decisions
    assert (decision.kind, decision.parameters) == (DecisionKind.CHANGE, (parameter, STREAMS))
    pairs, tiles = dict(decision_card(decision, _WORDS).pairs), _tiles(advice)
    for told in (pairs, tiles):
        for name in decision.parameters:
            assert f"{name} may lose." in told["Risk"]
            assert f"{name}: 1 setting, " in told["Effort"]
        assert _restarts(told["Interruption"]) == _restarts_made(decision, advice)
    for effort in (part.change_effort.effort for part in decision.together):
        assert f"; {STREAMS}: {effort}" in pairs["Effort"]


def test_a_single_change_tells_as_many_restarts_as_its_scripts_make() -> None:
    """Each decision of a session by itself, whatever kind of agent it is about."""
    advice = full_advice()
    for decision in advice.decisions:
        assert _restarts(decision.change_effort.interruption) == _restarts_made(decision, advice) == 1


def _restarts(text: str) -> int:
    said = text.partition("The agent restarts ")[2]
    return 1 if said.startswith("once") else int(said.split()[0])


def _restarts_made(decision: Decision, advice: Advice) -> int:
    scripts = Scripts(full_session(), _WORDS, advice.decisions)
    return sum(scripts.apply(files).count("sp_start_job") for files in scripts.files_of(decision))


def test_what_holds_of_a_joint_change_as_a_whole_stands_once_among_its_reasons() -> None:
    """Each sentence once, the gain of the whole setting among them."""
    shared = (
        "Compared with A 1, B 1, A 8, B 8 gave 41 % less run time (1–2 %; 5 each). The gain is that of 2 parameters."
    )
    advice = _joint(
        [
            replace(
                _wanted(name),
                because=f"{shared} {name} has 2.5 of it.",
            )
            for name in ("CommitBatchSize", STREAMS)
        ]
    )
    document = build_document(replace(full_request(), advice=advice), ())
    (evidence,) = (section for section in document.sections if section.title == "Evidence")
    said = [block.text for block in evidence.blocks if isinstance(block, Paragraph) and block.label]
    assert f"{shared} CommitBatchSize has 2.5 of it. {STREAMS} has 2.5 of it." in said
