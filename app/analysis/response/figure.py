"""The predictions of a guided run's model for every setting, beside the trials it was fitted to."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from app.analysis.claim import main_metric_of
from app.analysis.figures import plot_id, tick
from app.analysis.response.exploring import Advice, Ended
from app.analysis.response.guided import Guide, ended_trials, guide_of
from app.domain.family import Evidence, ExperimentFamily
from app.domain.measurement import Metric, TrialResult
from app.domain.plan import Stop
from app.domain.plot import Mark, PlotSpec, Series
from app.domain.response import response_of
from app.domain.setting import Setting
from app.domain.units import unit_word
from app.foundation.texts import _, local_number

_MOST_NAMES: Final = 10
_SURELY: Final = 0.99  # more than this is shown as no more: it is a share of few weighted draws of a model


def response_plot(family: ExperimentFamily, evidence: Evidence) -> PlotSpec | None:
    """Return predictions with 90 % bands and the trials, None where no model guided the run."""
    plan = evidence.plan
    if plan is None or plan.design.stop is not Stop.MODEL:
        return None
    metric = main_metric_of(family, evidence)
    guide = guide_of(plan, family.parameters, metric, response_of(family, plan), family.metrics)
    advice = guide.advice(evidence.trials)
    if advice.pick is None:
        return None
    plot = prediction_plot(
        plot_id(evidence, "predicted"), metric, ended_trials(evidence.trials, metric, family.metrics), advice
    )
    left = departure_sentence(guide, evidence.trials, metric, goes_on=guide.went_on(evidence.trials))
    return replace(plot, alt=left or response_sentence(guide.advice_on_pick(evidence.trials)))


def prediction_plot(
    identity: str, metric: Metric, ended: tuple[Ended, ...], advice: Advice, *, is_refuted: bool = False
) -> PlotSpec:
    """Return the plot of a model's predictions after some trials; a pick there is."""
    predictions = advice.predictions
    place = {prediction.setting: float(number) for number, prediction in enumerate(predictions)}
    tried = [(place[e.setting], e.value) for e in ended if e.value is not None and e.setting in place]
    return PlotSpec(
        plot_id=identity,
        title=_("{metric} as a model predicts it, not measured").format(metric=metric.title),
        alt=response_sentence(advice, is_refuted=is_refuted),
        x_label=", ".join(predictions[0].setting),
        y_label=f"{metric.title} ({unit_word(metric.unit)})",
        series=(
            Series(
                _("predicted, not measured; 90 % band"),
                Mark.BAND,
                tuple(place.values()),
                tuple(p.middle for p in predictions),
                tuple(p.low for p in predictions),
                tuple(p.high for p in predictions),
                is_dashed=True,
            ),
            Series(_("trials"), Mark.POINTS, tuple(x for x, _y in tried), tuple(y for _x, y in tried), emphasised=True),
        ),
        x_ticks=tuple((x, tick(setting)) for setting, x in list(place.items())[:: _step(tuple(place))]),
    )


def departure_sentence(guide: Guide, trials: Sequence[TrialResult], metric: Metric, *, goes_on: bool) -> str:
    """Return how confirming trials left the band of the model, "" where they did not.

    Args:
        goes_on: exploring does, without the model.
    """
    left = guide.departed(trials)
    if left is None:
        return ""
    text = _(
        "The confirming trials of {setting} gave {measured} {unit}, outside the {low} to {high} {unit} the model "
        "predicted: do not rely on its other predictions for this site."
    ).format(
        setting=left.prediction.setting.text(),
        measured=_number(left.measured),
        low=_number(left.prediction.low),
        high=_number(left.prediction.high),
        unit=unit_word(metric.unit),
    )
    return text + " " + _("From there on the trials alone guide exploring.") if goes_on else text


def _number(value: float) -> str:
    """Return a number to three digits, as the reader's language writes it."""
    return local_number(f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}")


def _step(settings: tuple[Setting, ...]) -> int:
    """Return each how manieth setting is named: the first of each value of the first parameter where there are many."""
    return 1 if len(settings) <= _MOST_NAMES else len({list(setting.values())[-1] for setting in settings})


def response_sentence(advice: Advice, *, is_refuted: bool = False) -> str:
    """Return the model's pick, how sure it is, and whether the curve describes this site; of a refuted one the pick
    alone."""
    assert advice.pick is not None  # there is a pick once a trial was used
    if is_refuted:
        return _("The trials alone, without the model, point to {setting}.").format(setting=advice.pick.text())
    if advice.is_level:
        words = _("The model expects no setting to gain what is worth acting on against {setting}.")
        text = words.format(setting=advice.pick.text())
    else:
        if advice.right > _SURELY:
            words = _("The model picks {setting}: more than {right} % probability of being within 2 % of the best.")
        else:
            words = _("The model picks {setting}: {right} % probability of being within 2 % of the best.")
        text = words.format(setting=advice.pick.text(), right=f"{100 * min(advice.right, _SURELY):.0f}")
        if advice.best is not None:
            text += " " + _("It is the simplest setting that does about as well as {best}.").format(
                best=advice.best.text()
            )
    if advice.fits is None:
        return text
    fit = (
        _("The curve of this experiment fits the site.")
        if advice.fits
        else _("The curve of this experiment does not fit the site: predictions rest on the trials alone.")
    )
    return f"{text} {fit}"
