"""Exploring by the model, trial by trial: a pure function of the plan's question and the trials that ended.

The same trials give the same next one, on any day: every draw is seeded by the plan and the number of the trial. What
was computed for trials that ended is kept for the next call, which only makes it quicker.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from app.analysis.noise import log_sd_of_cv
from app.analysis.response.departures import NOISES, WINDOW_NOISES, Departures, Floats, departures_of
from app.analysis.response.ensemble import CURVE_SHARE, Ensemble, Posterior, Trials, first_ensemble, weighed
from app.analysis.response.outcomes import doubled, with_outcomes
from app.analysis.response.proposing import (
    ENOUGH,
    FEWEST_TRIALS,
    LEAST_GAIN,
    MOST_EXPECTED_LOSS,
    TOLERANCE,
    Following,
    Outlook,
    following,
    outlook,
)
from app.domain.measurement import Better
from app.domain.response import Constant, ResponseCurve
from app.domain.setting import Setting

FEWEST_FOR_LEVEL: Final = 7
"""Trials before settings may be called equal: a response looks level until its one better place is met."""

LEVEL_ENOUGH: Final = 0.92
"""Probability of that; with 0.90 two good places on a plain were missed at four more of 201 sites, with 0.93 a response
that is level takes 8.1 trials (`prove/test_guided_by_model.py`)."""

ENOUGH_BESIDE_STEP: Final = 0.97
"""Probability that ends exploring where a step explains the trials: one that was missed may hide the best setting."""

ENOUGH_BESIDE_BENDS: Final = 0.93
"""The same where bends do that the curve does not have; a second one may hide between the trials. On 201 sites with any
smooth response 94.0 % are right by it, 88.6 % without, which takes 2.4 trials less."""


class Ending(NamedTuple):
    """When exploring ends; each as the constant of its name.

    Attributes:
        level_beside_step: as `level`, where a step explains what was seen.
        least_gain: as `LEAST_GAIN`.
    """

    enough: float = ENOUGH
    beside_step: float = ENOUGH_BESIDE_STEP
    beside_bends: float = ENOUGH_BESIDE_BENDS
    level: float = LEVEL_ENOUGH
    level_beside_step: float = LEVEL_ENOUGH
    fewest_for_level: int = FEWEST_FOR_LEVEL
    least_gain: float = LEAST_GAIN


OF_TRIALS: Final = Ending()
OF_WINDOWS: Final = Ending(
    enough=0.90,
    beside_bends=0.93,
    level=0.90,
    level_beside_step=ENOUGH_BESIDE_STEP,
    fewest_for_level=5,
    least_gain=0.001,
)
"""A window is cheap and noisy: exploring goes on for longer before it ends on a setting, and ends sooner where nothing
gains. On 51 drawn sites 94 % were right with these, and 92 % with all probabilities 3 points higher. One slow window
looks like a step behind which all is level: at 60 sites where one batch size is varied (`prove/test_incidents.py`), the
picks lost 2.1 % on average where that ended exploring as elsewhere, and 1.1 % as it is."""

DOUBT_SHARE: Final = 0.6
"""Of the model's doubt in a setting, what is told of it. It believes in more departures than sites have: so much of its
doubt comes true, be it large or small, on sites with cliffs and with connections that fall back as on others
(`prove/test_guided_by_model.py`). Exploring goes on by all of it."""

MOST_TRIALS: Final = 30
_MOSTLY: Final = 0.5
_MOST_FAILURES: Final = 2

_LARGEST_FITTING_SD: Final = 0.05
_BAND: Final = (0.05, 0.5, 0.95)


class Ended(NamedTuple):
    """A trial that ended: its setting, its value where it can be used, and whether the setting brought about something.

    Attributes:
        has_outcome: as a metric tells that is one (`Metric.is_outcome`).
    """

    setting: Setting
    value: float | None
    has_outcome: bool = False


@dataclass(frozen=True)
class Question:
    """The question of an exploration.

    Attributes:
        settings: all of them, the baseline among them.
        curve: of the family, None where it exports none.
        better: direction of an improvement.
        minimum_effect: settings that gain less than this share are not worth a change.
        noise_cv: noise stated from outside, as a share, or None.
        seed: of every draw.
        most_trials: exploring ends here at the latest.
        is_windowed: trials are windows on one backlog, which scatter more than runs of a whole one.
    """

    settings: tuple[Setting, ...]
    baseline: Setting
    curve: ResponseCurve | None
    better: Better
    minimum_effect: float
    noise_cv: float | None = None
    seed: int = 1
    most_trials: int = MOST_TRIALS
    is_windowed: bool = False

    @property
    def ending(self) -> Ending:
        """Return when exploring ends."""
        return OF_WINDOWS if self.is_windowed else OF_TRIALS

    @property
    def noises(self) -> Sequence[tuple[float, float]]:
        """Return what noise between trials is thought of, as log standard deviations with their prior shares."""
        if self.noise_cv is not None:
            return ((log_sd_of_cv(self.noise_cv), 1.0),)
        return WINDOW_NOISES if self.is_windowed else NOISES


@dataclass(frozen=True)
class Prediction:
    """The expected value of a setting, in the metric's unit: median, and the band that holds 90 %.

    Attributes:
        right: probability that it is within 2 % of the best, as it comes true (`DOUBT_SHARE`).
    """

    setting: Setting
    low: float
    middle: float
    high: float
    is_tried: bool
    right: float


@dataclass(frozen=True)
class Advice:
    """The model's advice after some trials; nothing of it is measured.

    Attributes:
        proposed: setting of the next trial, None once exploring is over.
        pick: the setting that would go on to be confirmed, None before any trial was used.
        best: the one expected to lose least, where the pick is a simpler one that is expected to lose hardly more; None
            where the pick is that itself.
        right: probability that the pick is within 2 % of the best, as it comes true.
        is_level: no setting gains what counts against the baseline, which is the pick then.
        fits: whether the family's curve describes this site; None without a curve, and where a setting brought
            something about in a trial, such as a fall-back: of that the curve says nothing.
        predictions: of every setting, in the order of the question; () before any trial was used.
    """

    proposed: Setting | None
    pick: Setting | None = None
    right: float = 0.0
    is_level: bool = False
    fits: bool | None = None
    predictions: tuple[Prediction, ...] = ()
    best: Setting | None = None


@dataclass(frozen=True, eq=False)
class _State:
    """The results of trials so far.

    Attributes:
        reference: log taken off all values where there is no curve to say the level.
        posterior: None before any trial was used.
    """

    ensemble: Ensemble
    trials: Trials = field(default_factory=Trials)
    reference: float | None = None
    posterior: Posterior | None = None


class Explorer:
    """Answers one question after any trials."""

    def __init__(self, question: Question) -> None:
        self._question = question
        self._positions = {setting: position for position, setting in enumerate(question.settings)}
        self._sign = 1.0 if question.better is Better.LOWER else -1.0
        self._curve = None if question.curve is None else _Signed(question.curve, self._sign)
        self._departures: Departures = departures_of(
            question.settings, has_curve=self._curve is not None, noises=question.noises
        )
        self._states: dict[tuple[Ended, ...], _State] = {
            (): _State(first_ensemble(self._curve, question.settings, self._random(0)))
        }
        self._advice: dict[tuple[Ended, ...], Advice] = {}

    def advice(self, ended: Sequence[Ended]) -> Advice:
        """Return the model's advice after the trials that ended, in the order they did."""
        key = tuple(ended)
        if key not in self._advice:
            self._advice[key] = self._advise(key)
        return self._advice[key]

    def _random(self, step: int) -> np.random.Generator:
        return np.random.default_rng([self._question.seed, step])

    def _state(self, ended: tuple[Ended, ...]) -> _State:
        """Return the state after trials, made from the longest beginning of them that is at hand."""
        at_hand = next(count for count in range(len(ended), -1, -1) if ended[:count] in self._states)
        for count in range(at_hand, len(ended)):
            self._states[ended[: count + 1]] = self._moved(self._states[ended[:count]], ended[count], count + 1)
        return self._states[ended]

    def _moved(self, state: _State, ended: Ended, step: int) -> _State:
        setting, value, has_outcome = ended
        if value is None or setting not in self._positions:
            return state
        log_value = self._sign * float(np.log(value))
        reference = (log_value if self._curve is None else 0.0) if state.reference is None else state.reference
        place = self._positions[setting]
        trials = state.trials.and_one(place, log_value - reference, has_outcome=has_outcome)
        settings, random = self._question.settings, self._random(2 * step)
        ensemble, departures = state.ensemble, self._departures
        if any(trials.has_outcome):
            ensemble = ensemble if any(state.trials.has_outcome) else doubled(ensemble)
            departures, settings = self._with_outcomes, (*settings, *settings)
        posterior = weighed(ensemble, departures, trials, self._curve, settings, random)
        return _State(posterior.ensemble, trials, reference, posterior)

    @cached_property
    def _with_outcomes(self) -> Departures:
        return with_outcomes(self._departures, self._question.settings)

    def _advise(self, ended: tuple[Ended, ...]) -> Advice:
        question, state = self._question, self._state(ended)
        if state.posterior is None:
            return Advice(self._first(ended))
        random, baseline = self._random(2 * len(ended) + 1), self._positions[question.baseline]
        seen = outlook(state.posterior, question.settings, baseline, question.minimum_effect, random)
        count = len(state.trials.setting)
        ending = question.ending
        is_level = count >= ending.fewest_for_level and seen.level >= _enough_for_level(state.posterior, ending)
        pick = baseline if is_level else seen.pick
        return Advice(
            proposed=None if is_level or len(ended) >= question.most_trials else self._next(seen, state, ended, random),
            pick=question.settings[pick],
            right=float(_told(seen)[pick]),
            is_level=is_level,
            fits=None if any(state.trials.has_outcome) else self._fits(state.posterior),
            predictions=self._predictions(seen, state),
        )

    def _first(self, ended: tuple[Ended, ...]) -> Setting | None:
        """Return the baseline, or another setting once its trials failed, None where all do."""
        others = (setting for setting in self._question.settings if setting != self._question.baseline)
        return next((s for s in (self._question.baseline, *others) if not _keeps_failing(s, ended)), None)

    def _next(
        self, seen: Outlook, state: _State, ended: tuple[Ended, ...], random: np.random.Generator
    ) -> Setting | None:
        """Return the setting to try next; exploring never ends on a setting that was only predicted."""
        settings, tried = self._question.settings, state.trials.setting
        is_tried, may_end = seen.pick in tried, len(tried) >= FEWEST_TRIALS
        ending = self._question.ending
        if may_end and _is_enough(seen, state.posterior, ending):
            return None if is_tried or _keeps_failing(settings[seen.pick], ended) else settings[seen.pick]
        trial = following(seen, random)
        if may_end and is_tried and _is_idle(seen, trial, state.posterior, ending):
            return None
        return next((settings[place] for place in trial.order if not _keeps_failing(settings[place], ended)), None)

    def _fits(self, posterior: Posterior) -> bool | None:
        """Tell whether the trials speak for the curve with small and smooth departures: its share has grown by them."""
        if self._curve is None:
            return None
        departures, prior = posterior.departures, np.exp(posterior.departures.log_prior)
        near = ~departures.is_step & (departures.size <= _LARGEST_FITTING_SD)
        curves = len(posterior.ensemble.constants)
        before = CURVE_SHARE * prior[near].sum() / prior.sum()
        return bool(posterior.weight[near, :curves].sum() >= before)

    def _predictions(self, seen: Outlook, state: _State) -> tuple[Prediction, ...]:
        values: Floats = np.exp(self._sign * (seen.curves + (state.reference or 0.0)))
        low, middle, high = np.quantile(values, _BAND, axis=0)
        tried, right = set(state.trials.setting), _told(seen)
        return tuple(
            Prediction(
                setting=setting,
                low=float(low[place]),
                middle=float(middle[place]),
                high=float(high[place]),
                is_tried=place in tried,
                right=float(right[place]),
            )
            for place, setting in enumerate(self._question.settings)
        )


def _told(seen: Outlook) -> Floats:
    """Return with which probability each setting is told to be within 2 % of the best, shape (settings,)."""
    told: Floats = 1 - DOUBT_SHARE * (seen.loss > TOLERANCE).mean(0)
    return told


def _is_enough(seen: Outlook, posterior: Posterior | None, ending: Ending) -> bool:
    """Tell whether exploring may end: the pick is probably right, and little is lost on average where it is not.

    The second is what finds a step that nothing tried tells of yet: on 201 sites with one, 4.3 % was given away without
    it and 0.7 % with it, for half a trial more (`prove/test_guided_by_model.py`).
    """
    return seen.expected_loss <= MOST_EXPECTED_LOSS and seen.right >= _enough(posterior, ending)


def _is_idle(seen: Outlook, trial: Following, posterior: Posterior | None, ending: Ending) -> bool:
    """Tell whether no trial is worth its time: the best one is expected to gain next to nothing.

    Only where the family's curve explains the trials, and the baseline is not as good as anything. Elsewhere a better
    setting may hide behind several trials, none of which gains by itself: beside bends 88 % of 201 sites with a smooth
    response were right instead of 94.5 %, on a plain with two good places the pick lost 2.4 % instead of 0.5 %.
    """
    if posterior is None or not len(posterior.ensemble.constants) or _enough(posterior, ending) > ending.enough:
        return False
    is_uneven = seen.level <= 1 - ending.level
    return is_uneven and seen.expected_loss <= TOLERANCE and trial.gain < ending.least_gain


def _enough(posterior: Posterior | None, ending: Ending) -> float:
    """Return the probability that ends exploring."""
    if posterior is None:
        return ending.enough
    if _is_step(posterior):
        return ending.beside_step
    share, departures = posterior.weight.sum(1), posterior.departures
    is_bent = ~departures.is_step & (departures.size > _LARGEST_FITTING_SD)
    has_curve = len(posterior.ensemble.constants) > 0
    return ending.beside_bends if has_curve and share[is_bent].sum() > _MOSTLY else ending.enough


def _enough_for_level(posterior: Posterior, ending: Ending) -> float:
    """Return the probability that ends exploring on the baseline, as nothing gains what counts."""
    return ending.level_beside_step if _is_step(posterior) else ending.level


def _is_step(posterior: Posterior) -> bool:
    """Tell whether a step explains the trials."""
    return bool(posterior.weight.sum(1)[posterior.departures.is_step].sum() > _MOSTLY)


def _keeps_failing(setting: Setting, ended: tuple[Ended, ...]) -> bool:
    """Tell whether the trials of a setting could not be used, twice and never otherwise."""
    values = [each.value for each in ended if each.setting == setting]
    return len(values) >= _MOST_FAILURES and all(value is None for value in values)


@dataclass(frozen=True)
class _Signed:
    """A curve turned so that lower is better."""

    curve: ResponseCurve
    sign: float

    @property
    def constants(self) -> tuple[Constant, ...]:
        return self.curve.constants

    def log_values(self, log_constants: Floats, settings: Sequence[Setting]) -> Floats:
        logs: Floats = self.sign * np.asarray(self.curve.log_values(log_constants, settings), float)
        return logs
