"""What is decided on a file that holds confirming trials beside exploring ones, such as a run's own measurements."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from app.domain import metrics
from app.domain.comparison import Comparison, Verdict
from app.domain.decision import Decision, DecisionKind
from app.domain.family import ExperimentFamily
from app.domain.measurement import Better, Measurement
from app.domain.plan import Phase
from app.domain.session import Advice, SessionRecord
from app.domain.setting import Setting
from app.reporting.decision_words import headline
from app.reporting.export.csv_export import measurements_csv, measurements_of
from app.reporting.place import Places
from app.reporting.tables.comparisons import comparisons_note
from app.reporting.wording import Vocabulary
from app.services.explain.imported_session import read_session
from tests.shipped_rules import ADVISOR
from tests.unit.analysis.observing import plan_of, setting, trials_of
from tests.unit.services.test_advising import STREAMS, SWEEP, measured, run_of, session_of
from tests.unit.services.test_imported_decisions import PICKING

WORDS = Vocabulary(ADVISOR.families.values())
EXPLORE, CONFIRM = Phase.EXPLORE, Phase.CONFIRM


def _read_again(session: SessionRecord, folder: Path) -> SessionRecord:
    """Return a session's measurements as they are handed over and read again."""
    path = folder / "measurements.csv"
    path.write_bytes(measurements_csv(measurements_of(session)))
    return read_session(path, ADVISOR.families, None)


def _trials(
    family: ExperimentFamily, share_by_setting: Mapping[Setting, float], phase: Phase, *, has_blocks: bool = True
) -> list[Measurement]:
    """Return three trials of each setting, each with a share of the time (of a rate: its inverse)."""
    metric = family.main_metrics[0]
    return [
        Measurement(
            family=family.family_id,
            trial_id=f"{phase}-{place}-{block}",
            block=(block + 3 * (phase is CONFIRM)) if has_blocks else 1,
            metric=metric.name,
            value=1000 * (1 + block / 200) * (share if metric.better is Better.LOWER else 1 / share),
            unit=metric.unit,
            setting=setting,
            phase=phase,
        )
        for block in (1, 2, 3)
        for place, (setting, share) in enumerate(share_by_setting.items())
    ]


def _imported(trials: list[Measurement], folder: Path) -> SessionRecord:
    return replace(_read_again(measured(STREAMS, SWEEP), folder), imported=tuple(trials), notes=())


def _carrying(decision: Decision) -> Comparison:
    assert decision.gain is not None
    return decision.gain.comparison


def _notes(session: SessionRecord, advice: Advice) -> str:
    return comparisons_note(advice.comparisons, Places(session, WORDS))


@pytest.mark.parametrize("confirmed", [0.5, 0.9, 1.0, 1.3], ids=["much", "little", "nothing", "worse"])
def test_a_runs_own_measurements_say_what_the_run_says(confirmed: float, tmp_path: Path) -> None:
    """Read again, they come to the same headlines and the same confirmed comparison."""
    fresh = {1: (100.0, 102.0, 98.0), 8: tuple(confirmed * value for value in (100.0, 101.0, 98.5))}
    run = measured(STREAMS, SWEEP, fresh)
    again = ADVISOR.advise(_read_again(run, tmp_path))
    told = ADVISOR.advise(run)
    assert [headline(one, WORDS) for one in again.decisions] == [headline(one, WORDS) for one in told.decisions]
    ours, theirs = (next(c for c in advice.comparisons if c.phase is CONFIRM) for advice in (again, told))
    assert ours.verdict is theirs.verdict
    # a file's values tell a coarser clock than the metric declares
    interval = pytest.approx((theirs.ratio, theirs.low, theirs.high), rel=1e-3)
    assert (ours.ratio, ours.low, ours.high) == interval
    assert ours.reference_trials == theirs.reference_trials


@pytest.mark.parametrize("joint", [0.5, 0.97], ids=["much", "little"])
def test_a_runs_own_grid_says_what_the_run_says(joint: float, tmp_path: Path) -> None:
    """Of two parameters changed together, the same headlines and the same trials that would settle what is open."""
    plan = plan_of(CommitBatchSize=(100, 200), SubscriptionStreams=(1, 8))
    shares = {(100, 1): 1.0, (100, 8): 0.6, (200, 1): 0.98, (200, 8): 0.55}
    rows = [
        (setting(CommitBatchSize=size, SubscriptionStreams=n), EXPLORE, (share * 100, share * 104, share * 97))
        for (size, n), share in shares.items()
    ]
    base, best = rows[0][0], setting(CommitBatchSize=100, SubscriptionStreams=8)
    rows += [(base, CONFIRM, (100.0, 102.0, 98.0)), (best, CONFIRM, (joint * 100, joint * 101, joint * 98.5))]
    run = session_of(run_of(plan, trials_of(metrics.RUN_TIME, rows)))
    again, told = ADVISOR.advise(_read_again(run, tmp_path)), ADVISOR.advise(run)
    assert [headline(one, WORDS) for one in again.decisions] == [headline(one, WORDS) for one in told.decisions]
    assert [one.trials_needed for one in again.decisions] == [one.trials_needed for one in told.decisions]
    assert [note.recommendation for one in again.decisions for note in one.notes] == [
        note.recommendation for one in told.decisions for note in one.notes
    ]


@pytest.mark.parametrize("has_blocks", [True, False], ids=["in blocks", "without blocks"])
@pytest.mark.parametrize("family", PICKING, ids=lambda family: family.family_id)
def test_what_fresh_trials_confirm_is_recommended_not_what_did_best_before(
    family: ExperimentFamily, has_blocks: bool, tmp_path: Path
) -> None:
    """Another value led the exploring trials; headline, row and note below the table are of the confirmed one."""
    parameter = family.parameters[0]
    first, *others = dict.fromkeys((parameter.default, *parameter.levels))
    base, chosen, flattered = (Setting.from_mapping({parameter.name: level}) for level in (first, *others[:2]))
    explored = _trials(family, {base: 1.0, chosen: 0.6, flattered: 0.58}, EXPLORE, has_blocks=has_blocks)
    session = _imported(
        [*explored, *_trials(family, {base: 1.0, chosen: 0.7}, CONFIRM, has_blocks=has_blocks)], tmp_path
    )
    advice = ADVISOR.advise(session)
    told = _carrying(advice.decisions[0])
    assert (told.phase, told.reference, told.candidate) == (CONFIRM, base, chosen)
    assert advice.decisions[0].kind is DecisionKind.CHANGE
    assert "not confirmed" not in headline(advice.decisions[0], WORDS)
    assert "No fresh trials" not in _notes(session, advice)
    assert sum("four looks" in warning for warning in advice.warnings) == 1


@pytest.mark.parametrize("was_explored", [True, False], ids=["a grid before", "nothing before"])
def test_a_confirmed_pair_that_differs_in_two_parameters_is_compared(was_explored: bool, tmp_path: Path) -> None:
    """The one recommendation is the confirmed pair, with its own trials."""
    family = ADVISOR.families["distribution_agent"]
    grid = {
        Setting.of(SubscriptionStreams=n, CommitBatchSize=size): share
        for n, size, share in ((1, 100, 1.0), (4, 100, 0.6), (1, 200, 1.01), (4, 200, 0.58))
    }
    pair = {setting: grid[setting] for setting in (next(iter(grid)), list(grid)[-1])}
    trials = [*(_trials(family, grid, EXPLORE) if was_explored else []), *_trials(family, pair, CONFIRM)]
    session = _read_again(_imported(trials, tmp_path), tmp_path)
    assert session.notes == ()
    advice = ADVISOR.advise(session)
    changes = [one for one in advice.decisions if one.kind is DecisionKind.CHANGE]
    assert {(_carrying(one).phase, _carrying(one).candidate) for one in changes} == {(CONFIRM, list(grid)[-1])}
    assert _carrying(changes[0]).verdict is Verdict.IMPROVEMENT
    assert all("not confirmed" not in headline(one, WORDS) for one in changes)


def test_a_table_of_exploring_rows_alone_says_that_nothing_confirms_them(tmp_path: Path) -> None:
    """The note stays where it is true."""
    session = _read_again(measured(STREAMS, SWEEP), tmp_path)
    assert "No fresh trials" in _notes(session, ADVISOR.advise(session))
    assert {c.metric for c in ADVISOR.advise(session).comparisons} == {metrics.RUN_TIME.name}
