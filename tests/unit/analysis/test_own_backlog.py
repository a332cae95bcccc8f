"""The client's own backlog: how it fell under which setting, and when it is caught up."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from app.analysis.backlog_figure import backlog_plot
from app.analysis.own_backlog import CatchingUp, catching_up, in_windows, stretches_of
from app.domain.measurement import BACKLOG, Measurement, Sample, TrialResult, TrialStatus
from app.domain.metrics import THROUGHPUT
from app.domain.plan import Phase
from app.domain.plot import Mark, PlotSpec
from app.domain.setting import Setting
from app.foundation.durations import duration
from app.reporting.catching_up import basis_sentence, came_in_windows_sentence, came_sentence, forecast_sentence

BEGAN = datetime(2026, 3, 2, 14, 0, tzinfo=UTC)
WINDOW_S = 60.0
ONE, FOUR, EIGHT = (Setting.of(SubscriptionStreams=streams) for streams in (1, 4, 8))


def window(number: int, setting: Setting, rate_per_s: float, left: float, arrivals_per_s: float = 100.0) -> TrialResult:
    """Return a window that measured a rate; the backlog at its end is `left`."""
    began, trial_id = BEGAN + timedelta(seconds=number * WINDOW_S), f"E1-T{number:03d}"
    falls = rate_per_s - arrivals_per_s
    samples = tuple(
        Sample(BACKLOG, offset_s, left + falls * (WINDOW_S - 2 - offset_s), "commands")
        for offset_s in (2.0, 30.0, 58.0)
    )
    return TrialResult(
        trial_id=trial_id,
        block=number + 1,
        phase=Phase.EXPLORE,
        setting=setting,
        status=TrialStatus.USED,
        failed_checks=(),
        measurements=(
            Measurement("distribution_agent", trial_id, number + 1, "throughput", rate_per_s, "commands/s", setting),
            Measurement("distribution_agent", trial_id, number + 1, "arrivals", arrivals_per_s, "commands/s", setting),
        ),
        samples=samples,
        started_utc=began,
        finished_utc=began + timedelta(seconds=WINDOW_S),
    )


WINDOWS = (
    window(0, ONE, 600.0, 1_000_000.0),
    window(1, ONE, 620.0, 970_000.0),
    window(2, EIGHT, 1_100.0, 910_000.0),
    window(3, EIGHT, 1_140.0, 850_000.0),
)


def ahead_of(*trials: TrialResult, chosen: Setting = EIGHT) -> CatchingUp:
    """Return the forecast by some windows."""
    ahead = catching_up("throughput", trials, stretches_of(trials), ONE, chosen)
    assert ahead is not None
    return ahead


def plot_of(*trials: TrialResult, chosen: Setting = EIGHT) -> PlotSpec:
    """Return the plot of some windows with their forecast."""
    drawn = backlog_plot(
        "x", stretches_of(trials), ONE, chosen, ahead_of(*trials, chosen=chosen), lambda moment: moment, "Time (UTC)"
    )
    assert drawn is not None
    return drawn


def test_a_window_ends_with_its_last_reading() -> None:
    """Readings are told since measuring began, which is some time after the window was prepared."""
    (stretch,) = stretches_of(WINDOWS[:1])
    assert stretch.setting == ONE
    assert stretch.at[-1] == BEGAN + timedelta(seconds=60)
    assert stretch.at[0] == BEGAN + timedelta(seconds=4)
    assert stretch.commands[-1] == 1_000_000


def test_the_forecast_is_by_the_rates_less_what_arrives() -> None:
    """850,000 commands at 1,120 a second, of which 100 arrive: 834 s; the baseline would have taken since the start."""
    ahead = ahead_of(*WINDOWS)
    assert ahead.chosen.forecast.inflow_per_s == 100.0
    assert ahead.chosen.forecast.hours * 3600 == pytest.approx(850_000 / (1_119.8 - 100), rel=0.01)
    assert ahead.chosen.ends.earliest is not None
    assert ahead.chosen.ends.at is not None
    assert ahead.chosen.ends.earliest < ahead.chosen.ends.at
    assert ahead.left is not None
    assert ahead.left.since == BEGAN + timedelta(seconds=4)
    assert ahead.left.ends.at is not None
    assert ahead.left.ends.at > ahead.chosen.ends.at


def test_the_words_say_that_it_is_a_forecast_with_its_range() -> None:
    """Both times of day, the range, and what it rests on."""
    ahead = ahead_of(*WINDOWS)
    said = forecast_sentence(ahead, lambda moment: moment)
    assert said.startswith("Forecast: caught up at 14:17 (14:1")
    assert "with SubscriptionStreams 8, instead of 14:3" in said
    assert said.endswith("left as it was.")
    assert basis_sentence(ahead) == "By the rates measured, if 100 commands/s go on arriving."


def test_a_backlog_that_grows_is_said_to_grow() -> None:
    """With the baseline more arrives than is delivered: left as it was there is no end."""
    grows = [window(n, ONE, rate, 1e6, 700.0) for n, rate in enumerate((600.0, 620.0))]
    ahead = ahead_of(*grows, *(window(n, EIGHT, 1_100.0, 9e5, 700.0) for n in (2, 3)))
    assert "left as it was, it would grow" in forecast_sentence(ahead, lambda moment: moment)
    alone = ahead_of(*grows, chosen=ONE)
    assert "it is never caught up" in forecast_sentence(alone, lambda moment: moment)
    plot_of(*grows, chosen=ONE)  # and can be drawn


def test_another_day_has_its_date() -> None:
    """A backlog of days ends at no bare time of day."""
    slow = [window(n, ONE, rate, 9e7, 100.0) for n, rate in enumerate((600.0, 610.0, 605.0))]
    assert "caught up at 2026-03-04 " in forecast_sentence(ahead_of(*slow, chosen=ONE), lambda moment: moment)


def test_without_a_backlog_or_a_rate_nothing_is_promised() -> None:
    """Sessions of before kept no backlog; a window that was not used tells no rate."""
    before = tuple(replace(trial, samples=()) for trial in WINDOWS)
    assert catching_up("throughput", before, stretches_of(before), ONE, EIGHT) is None
    lost = tuple(replace(trial, status=TrialStatus.NOT_USED) for trial in WINDOWS)
    assert catching_up("throughput", lost, stretches_of(lost), ONE, EIGHT) is None
    assert backlog_plot("x", (), ONE, EIGHT, None, lambda moment: moment, "") is None


def test_a_line_has_the_colour_of_its_setting_and_breaks_where_another_was_at_work() -> None:
    """Baseline first, the chosen one emphasised, both forecasts dashed in the colours of their settings."""
    drawn = plot_of(*WINDOWS[:3], window(3, ONE, 610.0, 880_000.0), window(4, EIGHT, 1_120.0, 820_000.0))
    by_label = {series.label: series for series in drawn.series}
    assert list(by_label) == [
        "SubscriptionStreams 1 (baseline)",
        "SubscriptionStreams 8",
        "left as it was",
        "forecast, 95 % band",
    ]
    assert by_label["SubscriptionStreams 1 (baseline)"].begins == (3, 6)
    assert by_label["SubscriptionStreams 8"].emphasised
    assert by_label["left as it was"].like == "SubscriptionStreams 1 (baseline)"
    band = by_label["forecast, 95 % band"]
    assert (band.mark, band.is_dashed) == (Mark.BAND, True)
    assert all(low <= middle <= high for low, middle, high in zip(band.low, band.y, band.high, strict=True))
    assert [text for _x, text in drawn.x_ticks][:2] == ["14:02", "14:04"]


def test_the_windows_stay_in_sight_however_far_away_the_end_is() -> None:
    """Of a forecast of many hours as much is drawn as was measured, five minutes at least."""
    drawn = plot_of(*(window(n, ONE, 600.0 + n, 9e6) for n in range(10)), chosen=ONE)
    assert max(max(series.x) for series in drawn.series) <= 20.0


def test_of_many_settings_the_rest_share_a_line() -> None:
    """More colours than six cannot be told apart."""
    many = [window(n, Setting.of(SubscriptionStreams=n), 600.0, 9e5) for n in range(1, 12)]
    drawn = plot_of(*many, chosen=EIGHT)
    lines = [series.label for series in drawn.series if series.mark is Mark.LINE and not series.is_dashed]
    assert len(lines) == 7
    assert "other settings" in lines


@pytest.mark.parametrize(("after_s", "said"), [(830, "within the range"), (100, "sooner"), (9_000, "later")])
def test_the_forecast_is_held_against_what_came(after_s: float, said: str) -> None:
    """By the range that was told, in lengths of time."""
    promise = ahead_of(*WINDOWS).chosen
    came = came_sentence(promise, promise.since + timedelta(seconds=after_s))
    assert came.startswith("forecast ")
    assert f"came {duration(after_s)}: " in came
    assert said in came


def lost(number: int, setting: Setting) -> TrialResult:
    """Return the window that found nothing left."""
    return replace(window(number, setting, 1.0, 0.0), status=TrialStatus.ABORTED, measurements=(), samples=())


def confirming(trial: TrialResult) -> TrialResult:
    """Return a window of the confirming part."""
    return replace(trial, phase=Phase.CONFIRM)


def test_a_backlog_that_windows_delivered_is_held_against_the_forecast_as_confirming_began() -> None:
    """Of the setting confirmed alone, with how many windows since had another; none without a forecast."""
    since = (window(4, ONE, 610.0, 820_000.0), window(5, EIGHT, 1_120.0, 760_000.0), lost(6, ONE))
    trials = (*WINDOWS, *map(confirming, since))
    ended = in_windows(THROUGHPUT, trials, ONE)
    assert ended is not None
    assert ended.promise == ahead_of(*WINDOWS).chosen
    assert (ended.came, ended.windows, ended.others) == (since[-1].finished_utc, 3, 2)
    said = came_in_windows_sentence(ended)
    assert said.endswith("; it was for SubscriptionStreams 8 alone, and 2 of 3 windows since had another setting")
    assert in_windows(THROUGHPUT, (lost(0, ONE),), ONE) is None


def test_a_backlog_that_ends_before_confirming_is_held_against_the_first_forecast_with_a_band() -> None:
    """Which two windows of one setting tell at the earliest: one rate has no scatter."""
    ended = in_windows(THROUGHPUT, (*WINDOWS[:2], lost(2, ONE)), ONE)
    assert ended is not None
    assert ended.promise == ahead_of(*WINDOWS[:2], chosen=ONE).chosen
    assert came_in_windows_sentence(ended) == came_sentence(ended.promise, ended.came)
    assert in_windows(THROUGHPUT, (WINDOWS[0], lost(1, ONE)), ONE) is None
