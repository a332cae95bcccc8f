"""The backlog of the client as a plot: falling, coloured by the setting at work, with its forecast."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from itertools import accumulate
from typing import Final

from app.analysis.own_backlog import CatchingUp, Promise, Stretch
from app.analysis.thinning import outline
from app.domain.plot import Mark, PlotSpec, Series
from app.domain.setting import Setting, value_text
from app.foundation.texts import _

Clock = Callable[[datetime], datetime]
"""Returns a moment as the reader's clock shows it."""

_MOST_POINTS: Final = 40  # of a window: it falls steadily
_MOST_NAMED: Final = 4  # settings beside the baseline and the chosen one: more colours cannot be told apart
_AHEAD_SHARE: Final = 1.0  # of the time measured, at most, so that windows stay in sight
_LEAST_AHEAD_MIN: Final = 5.0
_TICK_STEPS_MIN: Final = (1, 2, 5, 10, 15, 30, 60, 120, 240, 480)
_MOST_TICKS: Final = 8


def backlog_plot(
    plot_id: str,
    stretches: Sequence[Stretch],
    baseline: Setting,
    chosen: Setting | None,
    ahead: CatchingUp | None,
    clock: Clock,
    clock_name: str,
    said: str = "",
    notes: Sequence[datetime] = (),
) -> PlotSpec | None:
    """Return the backlog by time of day, None where no window told it.

    Args:
        chosen: the setting that is best so far, or was confirmed; None before there is one.
        clock_name: of the axis, with what `clock` shows.
        said: what the forecast says, for a reader who cannot see it.
        notes: when each was written, in the order of their numbers; each has a mark.
    """
    if not stretches:
        return None
    began, now = stretches[0].at[0], stretches[-1].at[-1]
    measured_min = _minutes(began, now)
    until_min = measured_min + max(_LEAST_AHEAD_MIN, _AHEAD_SHARE * measured_min)
    series = _by_setting(stretches, baseline, chosen, began)
    if ahead is not None:
        end = max(_minutes(began, promise.ends.latest or promise.since) for promise in _promises(ahead))
        until_min = min(until_min, end)
        drawn = _promises(ahead) if not ahead.is_as_it_was else [ahead.chosen]
        series += [_forecast(promise, began, until_min, ahead) for promise in drawn]
    alt = _("The backlog was {first} commands at {began} and {last} at {now}.").format(
        first=value_text(round(stretches[0].commands[0])),
        began=f"{clock(began):%H:%M}",
        last=value_text(round(stretches[-1].commands[-1])),
        now=f"{clock(now):%H:%M}",
    )
    return PlotSpec(
        plot_id=plot_id,
        title=_("The backlog, and the setting at work"),
        alt=" ".join(filter(None, (alt, said, *_noted(notes, clock)))),
        x_label=clock_name,
        y_label=_("Commands waiting"),
        series=tuple(series),
        x_ticks=_ticks(clock(began), max(until_min, measured_min) if ahead is not None else measured_min),
        stamps=tuple((_minutes(began, moment), str(number)) for number, moment in enumerate(notes, 1)),
    )


def _noted(notes: Sequence[datetime], clock: Clock) -> list[str]:
    words = _("Note {number} was written at {time}.")
    return [words.format(number=number, time=f"{clock(at):%H:%M}") for number, at in enumerate(notes, 1)]


def _promises(ahead: CatchingUp) -> list[Promise]:
    return [promise for promise in (ahead.left, ahead.chosen) if promise is not None]


def _minutes(since: datetime, until: datetime) -> float:
    return (until - since).total_seconds() / 60


def _by_setting(
    stretches: Sequence[Stretch], baseline: Setting, chosen: Setting | None, began: datetime
) -> list[Series]:
    """Return a line for each setting, broken where another was at work; of many settings the rest share one."""
    drawn = []
    for label, settings in _groups(stretches, baseline, chosen):
        own = [stretch for stretch in stretches if stretch.setting in settings]
        if own:
            drawn.append(_line(label, own, began, emphasised=chosen in settings and chosen != baseline))
    return drawn


def _groups(
    stretches: Sequence[Stretch], baseline: Setting, chosen: Setting | None
) -> list[tuple[str, frozenset[Setting]]]:
    """Return the settings that share a line, with its label: the baseline first, the one chosen last."""
    met = dict.fromkeys((baseline, *(stretch.setting for stretch in stretches)))
    others = [setting for setting in met if setting not in (baseline, chosen)]
    named, rest = others[:_MOST_NAMED], frozenset(others[_MOST_NAMED:])
    groups: list[tuple[str, frozenset[Setting]]] = [(_label(baseline, baseline), frozenset((baseline,)))]
    groups += [(_label(setting, baseline), frozenset((setting,))) for setting in named]
    groups += [(_("other settings"), rest)] if rest else []
    groups += [(_label(chosen, baseline), frozenset((chosen,)))] if chosen is not None and chosen != baseline else []
    return groups


def _label(setting: Setting, baseline: Setting) -> str:
    words = _("{setting} (baseline)") if setting == baseline else "{setting}"
    return words.format(setting=setting.text())


def _line(label: str, stretches: Sequence[Stretch], began: datetime, *, emphasised: bool) -> Series:
    x: list[float] = []
    y: list[float] = []
    lengths = []
    for stretch in stretches:
        kept = outline(stretch.commands, _MOST_POINTS)
        x += [_minutes(began, stretch.at[place]) for place in kept]
        y += [stretch.commands[place] for place in kept]
        lengths.append(len(kept))
    return Series(label, Mark.LINE, tuple(x), tuple(y), emphasised=emphasised, begins=tuple(accumulate(lengths))[:-1])


def _forecast(promise: Promise, began: datetime, until_min: float, ahead: CatchingUp) -> Series:
    """Return the forecast line, with its band for the setting chosen, as far as the axis goes."""
    waiting = float(promise.forecast.backlog_commands)
    since_min = _minutes(began, promise.since)

    def left_at(minute: float, end: datetime | None) -> float:
        if end is None:
            return waiting
        whole = _minutes(promise.since, end)
        return max(0.0, waiting * (1 - (minute - since_min) / whole)) if whole > 0 else 0.0

    ends = (promise.ends.earliest, promise.ends.at, promise.ends.latest)
    stops = {_minutes(began, end) for end in ends if end is not None}
    x = tuple(sorted({since_min, until_min, *(stop for stop in stops if since_min < stop < until_min)}))
    low, middle, high = (tuple(left_at(minute, end) for minute in x) for end in ends)
    was = ahead.left is not None and promise.forecast.setting == ahead.left.forecast.setting
    setting = promise.forecast.setting
    like = _label(setting, setting) if was else setting.text()
    if promise is ahead.chosen:
        name = _("forecast, 95 % band")
        return Series(name, Mark.BAND, x, middle, low, high, emphasised=not was, is_dashed=True, like=like)
    return Series(_("left as it was"), Mark.LINE, x, middle, is_dashed=True, like=like)


def _ticks(began: datetime, length_min: float) -> tuple[tuple[float, str], ...]:
    """Return whole times of day along the axis."""
    step = next((step for step in _TICK_STEPS_MIN if length_min / step <= _MOST_TICKS), _TICK_STEPS_MIN[-1])
    midnight = began.replace(hour=0, minute=0, second=0, microsecond=0)
    first = -(-_minutes(midnight, began) // step) * step
    count = int((length_min - (first - _minutes(midnight, began))) // step) + 1
    moments = [midnight + timedelta(minutes=first + step * number) for number in range(max(0, count))]
    return tuple((_minutes(began, moment), f"{moment:%H:%M}") for moment in moments) or ((0.0, f"{began:%H:%M}"),)
