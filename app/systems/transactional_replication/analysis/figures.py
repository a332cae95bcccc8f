"""Commands delivered over time, as a plot."""

from collections.abc import Iterable, Sequence

from app.analysis.backlog_figure import backlog_plot
from app.analysis.claim import Claim
from app.analysis.figures import held_text, plot_id, sampled_line, used_trials
from app.analysis.own_backlog import catching_up, stretches_of
from app.domain.family import Evidence
from app.domain.measurement import TrialResult
from app.domain.plot import PlotSpec, Series
from app.domain.setting import Setting
from app.foundation.texts import _
from app.systems.transactional_replication.readings import DELIVERED


def rate_plot(evidence: Evidence, claim: Claim | None, agents: Sequence[str] = ()) -> PlotSpec | None:
    """Return commands delivered over time, one trial each of the baseline, the best and the largest setting.

    Args:
        agents: names of the agents of interest, the first that was sampled is shown; else the first under test.
    """
    if claim is None:
        return None
    settings = tuple(dict.fromkeys((claim.baseline, claim.best, claim.fit.settings[-1])))
    trials = {t.setting: t for t in reversed(used_trials(evidence)) if t.setting in settings}
    stream = _stream_of(trials.values(), agents)
    lines = (_delivered(claim, setting, trials.get(setting), stream) for setting in settings)
    series = [line for line in lines if line is not None]
    if not series:
        return None
    name = stream.removesuffix(DELIVERED)
    return PlotSpec(
        plot_id=plot_id(evidence, "over-time"),
        title=_("Commands delivered over time{held}").format(held=held_text(evidence)),
        alt=_("Commands {agent} delivered since the start of one trial each of {settings}.").format(
            agent=name, settings=_(" and ").join(s.label for s in series)
        ),
        x_label=_("Time since measuring began (s)"),
        y_label=_("Delivered by {agent} (commands)").format(agent=name),
        series=tuple(series),
    )


def own_backlog_plot(evidence: Evidence, claim: Claim | None) -> PlotSpec | None:
    """Return the client's backlog falling, coloured by the setting at work; None where no window told it."""
    stretches = stretches_of(evidence.trials)
    if claim is None or not stretches:
        return None
    ahead = catching_up(claim.metric.name, evidence.trials, stretches, claim.baseline, claim.best)
    return backlog_plot(
        plot_id(evidence, "backlog"),
        stretches,
        claim.baseline,
        claim.best,
        ahead,
        lambda moment: moment,
        _("Time of day (UTC)"),
    )


def _stream_of(trials: Iterable[TrialResult], agents: Sequence[str]) -> str:
    """Return the stream to show: that of the first agent of interest that was sampled, else the first there is."""
    streams = [s.stream for t in trials for s in t.samples if s.stream.endswith(DELIVERED)]
    wanted = [name + DELIVERED for name in agents if name + DELIVERED in streams]
    return next(iter((*wanted, *streams)), "")


def _delivered(claim: Claim, setting: Setting, trial: TrialResult | None, stream: str) -> Series | None:
    label = _("{setting} (baseline)") if setting == claim.baseline else "{setting}"
    return sampled_line(label.format(setting=setting.text()), trial, stream, emphasised=setting == claim.best)
