"""What experiments show under different conditions is never joined, and each says everywhere under which it holds."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.domain.comparison import Verdict
from app.domain.condition import Condition
from app.domain.decision import Decision, DecisionKind
from app.domain.family import ExperimentFamily
from app.domain.measurement import Better, Measurement
from app.domain.session import Advice, SessionRecord
from app.domain.setting import Parameter, Setting, Value
from app.reporting.blocks import Table
from app.reporting.decision_card import decision_card
from app.reporting.decision_words import task_text
from app.reporting.document.run_sheet import run_sheet_section
from app.reporting.document.scripts import Scripts
from app.reporting.wording import Vocabulary
from app.services.explain.imported_session import read_session
from app.services.explain.importing import columns_of
from tests.shipped_rules import ADVISOR

IMPORTS = Path(__file__).parents[1] / "importing" / "imports"
WORDS = Vocabulary(ADVISOR.families.values())


def _apart() -> Iterator[tuple[str, str]]:
    """Yield every condition of every family that tells experiments apart."""
    for name, family in ADVISOR.families.items():
        accepted = columns_of(family)
        yield from ((name, condition.name) for condition in accepted.conditions if condition.name not in accepted.swept)


def _two_values(condition: Condition) -> tuple[Value, Value]:
    if condition.choices:
        first, second, *_others = condition.choices
        return first, second
    return (7, 9000) if condition.unit else ("13.0", "14.0")


def _two_levels(parameter: Parameter) -> tuple[Value, Value]:
    return parameter.default, next(level for level in reversed(parameter.levels) if level != parameter.default)


def _measured(family: ExperimentFamily, conditions: Setting, factor: float, start: int) -> Iterator[Measurement]:
    """Yield three runs of two settings, the second with so many times the first's measure."""
    metric, (reference, candidate) = family.main_metrics[0], _two_levels(family.parameters[0])
    ratio = factor if metric.better is Better.LOWER else 1 / factor
    for block in (1, 2, 3):
        for place, (level, mean) in enumerate(((reference, 100.0), (candidate, 100.0 * ratio))):
            yield Measurement(
                family=family.family_id,
                trial_id=f"r{start + 2 * block + place}",
                block=block,
                metric=metric.name,
                value=mean * (1 + block / 100),
                unit=metric.unit,
                setting=Setting.from_mapping({family.parameters[0].name: level}),
                conditions=conditions,
            )


def _session(family: ExperimentFamily, name: str) -> tuple[SessionRecord, tuple[Setting, Setting]]:
    """Return a session in which the second level is better under one value of a condition and worse under another."""
    accepted = columns_of(family)
    condition = next(c for c in accepted.conditions if c.name == name)
    swept = {own.name: 10 for own in family.swept}
    several = tuple(Setting.from_mapping({name: value, **swept}) for value in _two_values(condition))
    better = 1.2 if family.swept else 0.5  # no rule has an answer to a wait that is none
    measured = (*_measured(family, several[0], better, 0), *_measured(family, several[1], 2.0, 100))
    session = read_session(IMPORTS / "seeding_over_two_links.csv", ADVISOR.families, None)
    first, second = (conditions.without(swept) for conditions in several)
    return replace(session, imported=measured, notes=()), (first, second)


def _assert_apart(session: SessionRecord, advice: Advice, conditions: Setting, decision: Decision) -> None:
    (told,) = WORDS.apart(conditions, tuple(conditions))
    assert {finding.conditions for finding in decision.findings} == {conditions}
    assert told in task_text(decision)
    card = decision_card(decision, WORDS)
    assert told in card.headline
    assert told in card.where
    shown = {finding.figure for finding in decision.findings} - {""}
    assert all(told in plot.title for plot in advice.plots if plot.plot_id in shown)
    sheet = run_sheet_section(advice.decisions, Scripts(session, WORDS, advice.decisions), is_redacted=False)
    steps = [str(cell) for block in sheet.blocks if isinstance(block, Table) for row in block.rows for cell in row]
    assert decision.kind is not DecisionKind.CHANGE or any(told in step for step in steps)


@pytest.mark.parametrize(("name", "condition"), list(_apart()))
def test_two_conditions_are_two_decisions_that_name_them(name: str, condition: str) -> None:
    """Better there and worse here is no gain: each decision, figure and step says which condition it is of."""
    session, both = _session(ADVISOR.families[name], condition)
    advice = ADVISOR.advise(session)
    verdicts = {c.conditions[condition]: c.verdict for c in advice.comparisons}
    assert len(verdicts) == 2
    assert Verdict.CANNOT_TELL not in verdicts.values()
    of_each = [[d for d in advice.decisions if d.finding.conditions == own] for own in both]
    assert sum(map(len, of_each)) == len(advice.decisions)
    for conditions, decisions in zip(both, of_each, strict=True):
        assert decisions
        for decision in decisions:
            _assert_apart(session, advice, conditions, decision)
    for titles in ([p.title for p in advice.plots], [t.title for t in advice.tables]):
        assert len(titles) == len(set(titles))
    assert len({decision.key for decision in advice.decisions}) == len(advice.decisions)


def test_equal_conditions_are_named_nowhere() -> None:
    """What all experiments share is no part of a title."""
    session, (first, _second) = _session(ADVISOR.families["seeding"], "link_mbps")
    same = tuple(m for m in session.imported if first.items() <= m.conditions.items())
    advice = ADVISOR.advise(replace(session, imported=same))
    assert [finding.apart for finding in advice.findings if finding.apart] == []
    assert not any("Mbps" in task_text(decision) for decision in advice.decisions)


def test_seeding_over_two_links_is_decided_for_each() -> None:
    """Three times as fast over one link and half as fast over another: a change there, none here."""
    advice = ADVISOR.advise(read_session(IMPORTS / "seeding_over_two_links.csv", ADVISOR.families, None))
    told = [
        (d.kind, d.finding.conditions["link_mbps"], round(d.gain.comparison.ratio, 2))
        for d in advice.decisions
        if d.gain
    ]
    assert told == [(DecisionKind.CHANGE, 10_000, 0.33), (DecisionKind.LEAVE, 1_000, 2.0)]


def test_each_concurrency_has_its_own_price() -> None:
    """A file without the number of inserts is read; how many wrote at once tells its experiments apart."""
    advice = ADVISOR.advise(read_session(IMPORTS / "commit_by_concurrency.csv", ADVISOR.families, 0.05))
    assert {decision.finding.conditions["concurrency"] for decision in advice.decisions} == {1, 2, 4, 8, 10, 12}
    assert all(f"concurrency {d.finding.conditions['concurrency']}" in task_text(d) for d in advice.decisions)


def test_compression_of_an_unknown_version_is_not_told() -> None:
    """What a version does by default is no fact about measurements of an unknown one."""
    session = read_session(IMPORTS / "commit_of_unknown_version.csv", ADVISOR.families, None)
    advice = ADVISOR.advise(session)
    texts = [text for plot in advice.plots for text in (plot.title, plot.alt, *(s.label for s in plot.series))]
    texts += [text for table in advice.tables for text in (table.title, *(c.title for c in table.columns))]
    assert texts
    assert not [text for text in texts if "compress" in text]
    known = replace(session, imported=tuple(_of_version(m) for m in session.imported))
    assert any("log compressed" in plot.alt for plot in ADVISOR.advise(known).plots)


def _of_version(m: Measurement) -> Measurement:
    return replace(m, conditions=Setting.from_mapping({**m.conditions, "server_version": "2016"}))


def test_the_end_of_an_interval_is_not_told_as_the_wait() -> None:
    """A wait no counter shows is said to be the most it may be; what a group costs is told of large inserts too."""
    advice = ADVISOR.advise(read_session(IMPORTS / "commit_small_and_large.csv", ADVISOR.families, 0.05))
    told = {f.rule: f for f in advice.findings}
    assert "waits at most 8.9\u00a0ms" in told["commit-bytes"].because
    assert "waits 8.9" not in told["commit-bytes"].because
    assert (
        "At 1,000\u00a0rows per insert it changes the time by 1,175\u00a0%"
        in told["commit-against-standalone"].recommendation
    )
