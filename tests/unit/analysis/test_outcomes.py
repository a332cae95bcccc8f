"""What a setting itself brings about now and then: counted, never taken for a disturbance."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from app.analysis.confirmation import Known, confirm
from app.analysis.confirmed import Confirming, compare_confirmed
from app.analysis.disturbed import undisturbed
from app.analysis.outcomes import Circumstances, circumstances_of, outcome_trials, share_of
from app.domain.comparison import Verdict
from app.domain.happening import Happening, Work
from app.domain.measurement import Better, Measurement, Metric, TrialResult, TrialStatus
from app.domain.plan import Phase
from app.domain.setting import Setting

FALLS = Metric("falls", "count", Better.LOWER, "Falls", is_outcome=True)
SLOW = Metric("slow", "count", Better.LOWER, "Slow")
NOW = datetime(2026, 1, 1, tzinfo=UTC)
PAIRS = (-0.30, -0.31, 0.20, -0.29, -0.30)


def _measured(metric: Metric, trial_id: str, value: float) -> Measurement:
    return Measurement("toy", trial_id, 1, metric.name, value, metric.unit, Setting.of(level=1))


def test_trials_with_an_outcome_are_those_that_count_above_zero() -> None:
    """Other metrics do not say so, whatever they count."""
    rows = [_measured(FALLS, "a", 0.0), _measured(FALLS, "b", 2.0), _measured(SLOW, "c", 5.0)]
    assert outcome_trials((FALLS, SLOW), rows) == {"b"}


@pytest.mark.parametrize(
    ("happened", "trials", "ends"),
    [(0, 5, (0.0, 0.5218)), (5, 5, (0.4782, 1.0)), (2, 12, (0.0209, 0.4841))],  # published tables of Clopper-Pearson
)
def test_a_share_has_its_exact_interval(happened: int, trials: int, ends: tuple[float, float]) -> None:
    """None of five may still be half of all."""
    share = share_of(happened, trials)
    assert (share.low, share.high) == pytest.approx(ends, abs=1e-4)


def test_a_pair_with_an_outcome_is_not_set_aside() -> None:
    """The same numbers without it are a disturbed pair."""
    without, counted = confirm(PAIRS, Known()), confirm(PAIRS, Known(outcomes=frozenset({2})))
    assert (without.flagged, without.is_set_aside) == (2, True)
    assert (counted.flagged, counted.is_set_aside) == (None, False)
    assert counted.reading == counted.whole


def _run_time(values: dict[int, tuple[float, ...]], phase: Phase, first_block: int = 1) -> tuple[Measurement, ...]:
    return tuple(
        Measurement("toy", f"{level}/{block}", block, "run_time", value, "s", Setting.of(level=level), phase=phase)
        for level, column in values.items()
        for block, value in enumerate(column, start=first_block)
    )


def _ran(trial_id: str, *works: Work) -> TrialResult:
    happenings = tuple(Happening(work, "PUB1") for work in works)
    return TrialResult(trial_id, 1, Phase.EXPLORE, Setting(), TrialStatus.USED, (), (), (), NOW, NOW, happenings)


@pytest.mark.parametrize(("share", "explains"), [(0.65, True), (0.25, True), (0.05, False)])
def test_a_trial_whose_work_was_mostly_of_others_is_not_put_down_to_its_setting(share: float, explains: bool) -> None:
    """Two thirds that this run had not written are others' work; a batch delivered twice may be the setting's doing."""
    busy = _ran("busy")
    busy = replace(busy, happenings=(Happening(Work.OTHER_COMMANDS, "PUB1", share=share),))
    met = circumstances_of((), (), [busy, *(_ran(f"plain {n}") for n in range(9))]).met
    assert met == (frozenset({"busy"}) if explains else frozenset())
    times: dict[int, tuple[float, ...]] = {
        1: (100.0, 101.0, 99.0, 100.5),
        2: (80.0, 81.0, 79.0, 200.0),
        4: (70.0, 71.0, 69.0, 70.5),
    }
    explored = [m if m.value < 200 else replace(m, trial_id="busy") for m in _run_time(times, Phase.EXPLORE)]
    told = undisturbed(explored, Circumstances(met=met))
    assert [m.trial_id for m in (told.disturbed if explains else told.own)] == ["busy"]


def test_what_others_did_explains_a_trial_only_where_hardly_any_other_met_it() -> None:
    """A backup in one of ten; not a log backup in each third, nor what may be the setting's own doing."""
    plain = [_ran(f"plain {n}") for n in range(4)]
    regular = [_ran(f"regular {n}", Work.LOG_BACKUP) for n in range(3)]
    trials = (
        *plain, *regular, _ran("once", Work.BACKUP, Work.LOG_BACKUP), _ran("cpu", Work.OTHER_PROGRAMS),
        _ran("twice", Work.OTHER_COMMANDS),
    )  # fmt: skip
    assert circumstances_of((), (), trials).met == {"once"}
    assert circumstances_of((), (), (*trials, *plain)).met == {"once"}
    assert circumstances_of((), (), (*trials, _ran("again", Work.BACKUP))).met == frozenset()
    assert circumstances_of((), (), (*trials, *plain * 3, _ran("again", Work.BACKUP))).met == {"once", "again"}


@pytest.mark.parametrize(
    ("slow", "explored", "met", "aside"),
    [
        pytest.param(2, {}, "", False, id="the candidate's"),
        pytest.param(2, {}, "2/6", True, id="the candidate's, and the server tells what ran"),
        pytest.param(2, {}, "2/5", False, id="the candidate's, and something ran in another of its trials"),
        pytest.param(2, {4: (61.0, 120.0, 60.0, 62.0)}, "", True, id="the candidate's after another's"),
        pytest.param(2, {4: (61.0, 120.0, 60.0, 62.0)}, "4/2", True, id="the candidate's after what the server tells"),
        pytest.param(2, {2: (80.0, 160.0, 80.5, 79.0)}, "", False, id="the candidate's again"),
        pytest.param(1, {}, "", True, id="the baseline's"),
        pytest.param(1, {1: (100.0, 200.0, 101.0, 99.0)}, "", False, id="the baseline's again"),
        pytest.param(1, {1: (100.0, 200.0, 101.0, 99.0)}, "1/6", True, id="the baseline's again, and something ran"),
        pytest.param(1, {4: (61.0, 120.0, 60.0, 62.0)}, "", True, id="the baseline's after another's"),
    ],
)
def test_a_slow_trial_that_may_be_a_settings_own_is_not_set_aside(
    slow: int, explored: dict[int, tuple[float, ...]], met: str, aside: bool
) -> None:
    """The candidate's is where others are known to have been at work; the baseline's unless none but its own was."""
    plain = {1: (100.0, 102.0, 101.0, 99.0), 2: (80.0, 81.0, 80.5, 79.0), 4: (61.0, 62.0, 61.5, 60.5)}
    confirming = {1: [100.0, 101.0, 99.0, 100.5, 100.0], 2: [80.0, 80.5, 79.0, 80.0, 80.5]}
    confirming[slow][1] *= 2
    read = compare_confirmed(
        Confirming(
            _run_time({level: tuple(column) for level, column in confirming.items()}, Phase.CONFIRM, 5),
            Setting.of(level=1),
            _run_time({**plain, **explored}, Phase.EXPLORE),
            Better.LOWER,
            0.05,
            circumstances=Circumstances(met=frozenset({met})),
        )
    )[0]
    assert read.confirmation is not None
    is_told = met == f"{slow}/6"
    assert read.confirmation.told_trial == (met if is_told else "")
    assert read.confirmation.disturbed_trial == ("" if is_told else f"{slow}/6")
    assert (read.confirmation.is_set_aside, read.confirmation.is_own) == (aside and not is_told, not aside)
    assert read.confirmation.pairs == len(read.candidate_trials) == (4 if aside else 5)
    assert read.verdict is (Verdict.IMPROVEMENT if aside else Verdict.CANNOT_TELL)


@pytest.mark.parametrize("slow", [("2/3",), ("2/2", "2/3")], ids=["one", "two"])
@pytest.mark.parametrize(("elsewhere", "met"), [(False, False), (True, False), (False, True)])
def test_slow_trials_of_one_setting_are_what_it_does(slow: tuple[str, ...], elsewhere: bool, met: bool) -> None:
    """Unless another setting has one, too, or the server tells what ran: then they were disturbed."""
    values = {
        1: [100.0, 103.0, 101.0, 99.0, 100.0],
        4: [60.0, 61.0, 59.5, 60.5, 60.0],
        2: [50.0, 51.0, 50.2, 50.5, 50.0],
    }
    for trial_id in (*slow, *(("4/4",) if elsewhere else ())):
        level, block = map(int, trial_id.split("/"))
        values[level][block - 1] *= 2.2
    rows = _run_time({level: tuple(column) for level, column in values.items()}, Phase.EXPLORE)
    read = undisturbed(rows, Circumstances(met=frozenset(slow) if met else frozenset()))
    disturbed = {*slow, "4/4"} if elsewhere else set(slow) if met else set()
    assert {m.trial_id for m in read.disturbed} == disturbed
    assert {m.trial_id for m in read.own} == (set() if disturbed else set(slow))
    assert len(read.clear) == 15 - len(disturbed)
    assert read.noise is not None
    assert read.noise.cv < 0.03


def test_the_noise_is_judged_without_trials_that_had_an_outcome() -> None:
    """None of them is told as disturbed."""
    values = {1: (100.0, 103.0, 101.0, 99.0), 2: (50.0, 51.0, 120.0, 50.5), 4: (60.0, 61.0, 59.5, 60.5)}
    rows = [
        replace(
            _measured(SLOW, f"{level}/{block}", value), block=block, setting=Setting.of(level=level), metric="run_time"
        )
        for level, column in values.items()
        for block, value in enumerate(column, start=1)
    ]
    flagged, counted = undisturbed(rows), undisturbed(rows, Circumstances(frozenset({"2/3"})))
    assert [m.trial_id for m in flagged.own] == ["2/3"]
    assert counted.disturbed == counted.own == ()
    assert counted.noise == flagged.noise
