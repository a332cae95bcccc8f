"""The cost and power of a plan, in sentences."""

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from app.domain.limits import TRIAL_DURATION
from app.domain.plan import Plan, Stop
from app.domain.setting import value_text
from app.domain.system import rig_of
from app.flows.plan.plan_form import PlanForm
from app.flows.plan.plan_load import in_form_words
from app.flows.plan.plan_ways_view import ways_sentence
from app.flows.words import sentence, time_text
from app.foundation.durations import duration_text
from app.foundation.texts import _, local_number
from app.services.plan.plan_fit import plan_fit
from app.services.plan.plan_outlook import PlanOutlook, plan_outlook
from app.services.plan.plan_ways import ways_of_stopping


@dataclass(frozen=True)
class PlanSummary:
    """The summary of a plan.

    Attributes:
        estimate: trials, blocks and when they end, or what the form lacks.
        power: what difference this design can show, "" while the form lacks something.
        ways: what each way of stopping usually takes, "" where there is no choice.
        cautions: one sentence for each thing worth a second thought.
        is_complete: whether there is a plan.
    """

    estimate: str
    power: str
    cautions: tuple[str, ...]
    is_complete: bool
    ways: str = ""


NO_FORM: Final = PlanSummary(_("Choose the question to answer first."), "", (), False)
"""Where there is no form yet."""


def summarise(form: PlanForm, now: datetime | None) -> PlanSummary:
    """Return the summary of a form's plan.

    Args:
        now: the person's time of day, None where the target is a lab, whose time is virtual.
    """
    plan = form.to_plan()
    if plan is None:
        labels = ", ".join(field.spoken for field in form.errors)
        return PlanSummary(_("Not complete yet; check: {labels}").format(labels=labels), "", (), False)
    outlook = plan_outlook(plan, form.family, form.at_hand)
    return PlanSummary(
        estimate_text(plan, outlook, now, compares_all=form.family.compares_all),
        power_text(plan, outlook, compares_all=form.family.compares_all),
        (*_misfits(plan, form), *_cautions(plan, outlook, form)),
        True,
        ways_sentence(ways_of_stopping(plan, form.family, form.at_hand)),
    )


def estimate_text(plan: Plan, outlook: PlanOutlook, now: datetime | None, *, compares_all: bool = False) -> str:
    """Return trials and blocks, and when a run that starts now would end.

    Args:
        compares_all: nothing is explored: every block carries claims.
    """
    blocks = plan.design.blocks + (0 if compares_all else plan.design.confirm_blocks)
    is_counted = blocks > 1 and (compares_all or plan.design.stop is not Stop.MODEL)
    if outlook.is_most:
        words = _("At most {n} trials in {blocks} blocks") if is_counted else _("At most {n} trials")
        ends, lasts = _("{trials}, ends by about {clock}"), _("{trials}, at most about {time} of the lab's own time")
    else:
        words = _("{n} trials in {blocks} blocks") if is_counted else _("{n} trials")
        ends, lasts = _("{trials}, ends about {clock}"), _("{trials}, about {time} of the lab's own time")
    trials = words.format(n=value_text(outlook.trials), blocks=value_text(blocks))
    if now is None:
        told = lasts.format(trials=trials, time=duration_text(outlook.duration_s))
    else:
        told = ends.format(trials=trials, clock=clock_after(now, outlook.duration_s))
    longest = time_text(outlook.longest_s)
    if outlook.most_trials == outlook.trials:
        return _("{told}; {time} at most").format(told=told, time=longest)
    return _("{told}; with all that may follow {n} trials, {time} at most").format(
        told=told, n=value_text(outlook.most_trials), time=longest
    )


def clock_after(now: datetime, duration_s: float) -> str:
    """Return the time of day after a duration, with the date where that is another day."""
    end = now + timedelta(seconds=duration_s)
    return f"{end:%H:%M}" if end.date() == now.date() else f"{end:%Y-%m-%d %H:%M}"


def power_text(plan: Plan, outlook: PlanOutlook, *, compares_all: bool = False) -> str:
    """Return the difference the design can show.

    Args:
        compares_all: nothing is explored: every block carries claims.
    """
    blocks, wanted = plan.design.confirm_blocks, percent_text(plan.design.minimum_effect)
    if blocks == 0 and not compares_all:
        return _("Without confirmation blocks nothing is claimed: the trials only suggest where to look.")
    noise = percent_text(outlook.noise_cv)
    source = _("as you state") if outlook.noise_is_given else _("assumed; the run measures it")
    if outlook.shown_effect is None:
        return _("One block alone cannot tell a difference from noise; add blocks, or state the noise you know.")
    words = _(
        "With {noise} noise between trials ({source}), a difference of {effect} or more is shown in 8 of "
        "10 experiments."
    )
    if compares_all:
        words = _(
            "With {noise} noise between trials ({source}), each planned comparison shows a difference of "
            "{effect} or more in 8 of 10 experiments, all of them counted together."
        )
    shows = words.format(noise=noise, source=source, effect=percent_text(outlook.shown_effect))
    if outlook.shown_effect <= plan.design.minimum_effect:
        return shows
    if outlook.confirm_blocks_needed is None:
        more = _("No number of trials shows an effect as small as {wanted}.").format(wanted=wanted)
    else:
        words = (
            _("For {wanted} plan {needed} blocks.")
            if compares_all
            else _("For {wanted} plan {needed} confirmation blocks.")
        )
        more = words.format(wanted=wanted, needed=value_text(outlook.confirm_blocks_needed))
    return f"{shows} {more}"


def _misfits(plan: Plan, form: PlanForm) -> tuple[str, ...]:
    """Return the target's lacks for this plan, and the checks that would forbid it, as far as they are known."""
    if form.site is None:
        return ()
    fit = plan_fit(plan, form.family, form.site)
    forbidding = (f"{check.title}: {check.remedy}" for check in fit.forbidding)
    fields = form.family.load_fields
    return tuple(sentence(in_form_words(fields, text)) for text in (fit.problem, *forbidding) if text)


def _cautions(plan: Plan, outlook: PlanOutlook, form: PlanForm) -> tuple[str, ...]:
    unknown = (outlook.unknown,) if outlook.unknown else ()
    return (*_too_long(plan, outlook, form), *unknown)


def _too_long(plan: Plan, outlook: PlanOutlook, form: PlanForm) -> tuple[str, ...]:
    limit_s, site = plan.limits.get(TRIAL_DURATION.name, math.inf), form.site
    told = "" if site is None else rig_of(form.family).caution(plan, site, limit_s)
    if not told and outlook.trial_s > limit_s:
        told = _("A trial takes about {trial}; the limit of {limit} would end every one.").format(
            trial=duration_text(outlook.trial_s), limit=duration_text(limit_s)
        )
    return (told,) if told else ()


def percent_text(share: float) -> str:
    """Return a share as a percentage, with a decimal below 10 %."""
    decimals = 1 if 100 * share < 10 else 0
    return local_number(f"{100 * share:.{decimals}f}".removesuffix(".0")) + " %"
