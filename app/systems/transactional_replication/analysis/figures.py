"""Commands delivered over time, as a plot."""

from collections.abc import Sequence

from app.analysis.claim import Claim
from app.analysis.figures import held_text, plot_id
from app.analysis.thinning import outline
from app.domain.family import Evidence
from app.domain.measurement import TrialStatus
from app.domain.plot import Mark, PlotSpec, Series
from app.foundation.texts import _

# How the samples of what an agent has delivered are named, after the agent.
DELIVERED = ": delivered"


def rate_plot(evidence: Evidence, claim: Claim | None, agents: Sequence[str] = ()) -> PlotSpec | None:
    """Return commands delivered over time, one trial each of the baseline, the best and the largest setting.

    Args:
        agents: names of the agents of interest, the first that was sampled is shown; else the first under test.
    """
    if claim is None:
        return None
    settings = tuple(dict.fromkeys((claim.baseline, claim.best, claim.fit.settings[-1])))
    trials = {t.setting: t for t in reversed(evidence.trials) if t.status is TrialStatus.USED and t.setting in settings}
    streams = [s.stream for t in trials.values() for s in t.samples if s.stream.endswith(DELIVERED)]
    agent = next((name for name in agents if name + DELIVERED in streams), None)
    stream = next(iter(streams), "") if agent is None else agent + DELIVERED
    series = []
    for setting in settings:
        points = [s for s in trials[setting].samples if s.stream == stream] if setting in trials else []
        if points:
            kept = [points[i] for i in outline([s.value for s in points])]
            label = _("{setting} (baseline)") if setting == claim.baseline else "{setting}"
            series.append(
                Series(
                    label.format(setting=setting.label()),
                    Mark.LINE,
                    tuple(s.offset_s for s in kept),
                    tuple(s.value for s in kept),
                    emphasised=setting == claim.best,
                )
            )
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
