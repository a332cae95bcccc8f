"""Two runs beside each other, and a client's numbers beside the published ones: described with care."""

import json
import math
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from app.analysis.unlinked_means import mean_of, ratio_of
from app.bootstrap import build_program
from app.domain.decision import DecisionKind
from app.domain.errors import BadInput, StoreError
from app.domain.measurement import Measurement
from app.domain.plan import Phase
from app.domain.server import EffectiveParameter
from app.domain.session import SessionRecord
from app.domain.setting import Setting
from app.domain.system import systems_of
from app.foundation.pseudo import pseudo
from app.services.explain.advising import Advisor
from app.services.explain.comparison import compare_published, compare_runs, published
from app.services.explain.comparison.as_json import published_json, runs_json
from app.services.explain.comparison.differences import applied_changes
from app.services.explain.comparison.sides import read_sides
from app.store import create_session_file, open_for_reading
from app.systems.transactional_replication.site import kept_replication, kept_texts
from tests.report.sample import full_session
from tests.store.sample import FILES

FIRST, SECOND = "S20261121-080000-a1b2c3", "S20261205-080000-d4e5f6"


@pytest.fixture(scope="module")
def advisor() -> Advisor:
    """Return the program's own analysis and rules."""
    return build_program().advisor


def later(session: SessionRecord) -> SessionRecord:
    """Return the session measured again two weeks later with SubscriptionStreams 8 in effect, a fifth faster."""
    environment = session.environments[0]
    read = kept_replication(environment)
    assert read is not None
    applied = tuple(
        replace(
            agent,
            parameters=tuple(
                EffectiveParameter("SubscriptionStreams", "8", "job step", "1", 1, 64, "connections")
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
            trials=tuple(
                replace(trial, measurements=tuple(replace(m, value=m.value * 0.8) for m in trial.measurements))
                for trial in run.trials
            ),
        )
        for run in session.runs
    )
    environment = replace(environment, kept=kept_texts(replace(read, agents=applied)))
    return replace(session, session_id=SECOND, environments=(environment,), runs=runs, changes=(), statements=())


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file with a session before and one after a recommendation was applied."""
    path = tmp_path_factory.mktemp("compare") / "client.replitune"
    with create_session_file(path) as store:
        store.add_session(full_session())
        store.add_session(later(full_session()))
    return path


def test_a_ratio_is_welchs(tmp_path: Path) -> None:
    """The interval on logarithms is the one of an unequal-variances t test, and one value has none."""
    first, second = [10.0, 11.0, 9.5, 10.4], [8.0, 8.9, 7.4]
    expected = stats.ttest_ind(np.log(second), np.log(first), equal_var=False).confidence_interval(0.95)
    found = ratio_of(second, first)
    assert found.low is not None
    assert found.high is not None
    assert (math.log(found.low), math.log(found.high)) == pytest.approx((expected.low, expected.high))
    assert found.value == pytest.approx(stats.gmean(second) / stats.gmean(first))
    wider = ratio_of(second, first, comparisons=10)
    assert wider.low is not None
    assert wider.low < found.low
    assert (ratio_of([8.0], first).low, ratio_of([8.0, 8.0], [4.0, 4.0]).low, mean_of([3.0]).low) == (None,) * 3


def test_before_and_after_a_recommendation(path: Path, advisor: Advisor) -> None:
    """The change is named with the finding behind it, the baselines stand beside each other, and nothing is claimed."""
    pair = compare_runs(path, f"{FIRST}/E2", f"{SECOND}/E2", advisor).pairs[0]
    applied = [(a.parameter, a.before, a.after) for a in pair.applied]
    assert applied == [("SubscriptionStreams", "1", "8")]
    assert "SubscriptionStreams" in pair.applied[0].finding
    side = read_sides(path, f"{FIRST}/E2", advisor)[0]
    left = replace(side, decisions=tuple(replace(one, kind=DecisionKind.LEAVE) for one in side.decisions))
    second = read_sides(path, f"{SECOND}/E2", advisor)[0]
    systems = systems_of(advisor.families)
    assert applied_changes(side, second, systems)
    assert not applied_changes(left, second, systems)  # a rule may name a value that no decision sets
    begun = [c for c in pair.contrasts if c.first_setting != c.second_setting]
    assert {(c.first_setting.label(), c.second_setting.label()) for c in begun} == {
        ("SubscriptionStreams 1", "SubscriptionStreams 8")
    }
    assert all(c.ratio.value < 0.5 for c in begun)
    assert "no randomised comparison" in pair.cautions[0]
    named = {(d.name, d.first, d.second) for d in pair.differences}
    assert ("SubscriptionStreams", "1", "8") in named
    assert ("baseline", "SubscriptionStreams 1", "SubscriptionStreams 8") in named


def test_equal_settings_stand_beside_each_other(path: Path, advisor: Advisor) -> None:
    """Means of exploring and confirming trials never mix, and trials that are not used are left out."""
    pair = compare_runs(path, f"{FIRST}/E1", f"{SECOND}/E1", advisor).pairs[0]
    assert {c.phase for c in pair.contrasts} == {Phase.EXPLORE, Phase.CONFIRM}
    for contrast in pair.contrasts:
        assert contrast.ratio.value == pytest.approx(0.8)
        assert contrast.first.count == 3
        assert contrast.ratio.low is not None
        assert contrast.ratio.low < 0.8
    unused = compare_runs(path, f"{FIRST}/E2", f"{SECOND}/E2", advisor).pairs[0]
    assert 2 in {c.first.count for c in unused.contrasts}


def test_sides_own_comparisons_are_matched(path: Path, advisor: Advisor) -> None:
    """What each run showed within its own blocks stands side by side."""
    pair = compare_runs(path, f"{FIRST}/E1", f"{SECOND}/E1", advisor).pairs[0]
    assert pair.effects
    for effect in pair.effects:
        assert effect.first is not None
        assert effect.second is not None
        assert effect.first.ratio == pytest.approx(effect.second.ratio)
        assert effect.first.candidate == effect.second.candidate


def test_plots_lay_both_runs_over_each_other(path: Path, advisor: Advisor) -> None:
    """One plot for each measure and phase, with a series for each run, in words for who cannot see it."""
    pair = compare_runs(path, f"{FIRST}/E1", f"{SECOND}/E1", advisor).pairs[0]
    assert len({plot.plot_id for plot in pair.plots}) == len(pair.plots) == 2
    for plot in pair.plots:
        labels = [series.label for series in plot.series]
        assert [FIRST in labels[0], SECOND in labels[1]] == [True, True]
        assert all(label in plot.alt for label in labels)
        assert len(plot.x_ticks) == len(plot.series[0].x)


def test_sessions_are_compared_run_by_run(path: Path, advisor: Advisor) -> None:
    """Each run meets the one of its family and parameters; what has no counterpart is told."""
    whole = compare_runs(path, FIRST, SECOND, advisor)
    assert [(pair.first.run_id, pair.second.run_id) for pair in whole.pairs] == [("E1", "E1"), ("E2", "E2")]
    assert whole.unmatched == ()
    part = compare_runs(path, f"{FIRST}/E1", SECOND, advisor)
    assert len(part.pairs) == 1
    assert part.unmatched == ("E2 of 2026-12-05: distribution_agent",)
    # the newest session is meant where none is named
    assert compare_runs(path, "E1", f"{FIRST}/E1", advisor).pairs[0].first.session_id == SECOND


@pytest.mark.parametrize(
    ("first", "second", "error", "sentence"),
    [
        ("E1", "E2", BadInput, "no experiment with the same parameters"),
        ("E9", "E1", BadInput, 'has no run "E9"; it has E1, E2'),
        ("S-none/E1", "E1", StoreError, "holds no session S-none"),
    ],
)
def test_what_cannot_be_compared_is_told(
    path: Path, advisor: Advisor, first: str, second: str, error: type[Exception], sentence: str
) -> None:
    """One sentence says what is missing."""
    with pytest.raises(error, match=sentence):
        compare_runs(path, first, second, advisor)


def test_published_numbers_stand_beside_own_ones(path: Path, advisor: Advisor) -> None:
    """Changes against the same setting, the values of both, whose numbers they are, and what is not stated."""
    found = compare_published(path, f"{FIRST}/E1", advisor)
    assert {item.phase for item in found} == {Phase.EXPLORE, Phase.CONFIRM}
    item = next(item for item in found if item.phase is Phase.EXPLORE)
    assert item.source.author.startswith("Sourabh Agarwal")
    rows = {row.setting["ReadBatchSize"]: row for row in item.rows}
    assert rows[500].own_change.value == rows[500].published_change.value == 1.0
    assert rows[5000].published_change.value == pytest.approx(163.81 / 199.08)
    assert rows[5000].published.low is None
    own = next(c for c in item.side.comparisons if c.candidate["ReadBatchSize"] == 5000 and c.phase is Phase.EXPLORE)
    assert (rows[5000].own_change.value, rows[5000].own_change.low) == (own.ratio, own.low)
    assert any("2.5 commands for each transaction" in text for text in item.cautions)
    assert any("Not stated there" in text for text in item.cautions)
    assert len(item.plot.series[1].x) == len(item.rows)


def test_what_a_published_source_leaves_open_is_said_in_the_reader_s_language(
    path: Path, advisor: Advisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The words of the file are looked up like any other text."""
    monkeypatch.setattr(published, "_", pseudo)
    item = compare_published(path, f"{FIRST}/E1", advisor)[0]
    assert any(pseudo(item.source.not_stated) in text for text in item.cautions)


def test_only_conditions_that_differ_are_told(path: Path, advisor: Advisor) -> None:
    """What both sides have in common, and what cannot be told apart in words, is no caution."""
    for item in compare_published(path, "", advisor):
        for text in (text for text in item.cautions if text.startswith("The conditions differ. Here: ")):
            here, published = (
                text.removeprefix("The conditions differ. Here: ").removesuffix(".").split(". Published: ")
            )
            assert not (set(here.split(", ")) & set(published.split(", "))) - {"none stated"}
            assert here != published


def test_nothing_published_is_told(tmp_path: Path, advisor: Advisor) -> None:
    """A parameter nobody published anything about stands beside nothing."""
    measured = tuple(
        Measurement("log_reader", f"r{n}", 1, "run_time", 9.0 + n, "s", Setting.of(PollingInterval=n)) for n in (1, 5)
    )
    path = tmp_path / "client.replitune"
    with create_session_file(path) as store:
        store.add_session(replace(full_session(), runs=(), imported=measured, imported_from="m.csv"))
    with pytest.raises(BadInput, match="nothing published compares with it"):
        compare_published(path, "", advisor)


def test_the_json_is_whole_and_finite(path: Path, advisor: Advisor) -> None:
    """Both documents are JSON without infinite numbers, with the plots' data."""
    both = json.dumps(runs_json(compare_runs(path, FIRST, SECOND, advisor)), allow_nan=False)
    assert json.loads(both)["pairs"][0]["plots"][0]["series"][0]["y"]
    published = json.dumps(published_json(compare_published(path, FIRST, advisor)), allow_nan=False)
    assert json.loads(published)["published"][0]["rows"][0]["own"]["trials"] == 3


def test_a_file_of_the_first_format_is_compared_as_it_is(advisor: Advisor) -> None:
    """Comparing reads; an older file needs no upgrade for it."""
    file = FILES / "v1-measured.replitune"
    before = file.read_bytes()
    assert compare_published(file, "E1", advisor)
    assert file.read_bytes() == before
    with open_for_reading(file) as reader:
        assert reader.list_sessions()
