"""The cost and power of a plan, in sentences."""

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from app.domain.limits import TRIAL_DURATION
from app.domain.plan import MOST_WINDOW_PAIRS, Plan, Stop
from app.domain.setting import value_text
from app.domain.system import rig_of
from app.flows.plan.plan_form import PlanForm
from app.flows.plan.plan_load import in_form_words
from app.flows.plan.plan_ways_view import ways_sentence
from app.flows.words import sentence, time_text
from app.foundation.durations import duration_text
from app.foundation.texts import _, in_words_of, local_number
from app.reporting.numbers import number
from app.services.plan.backlog_saved import BacklogSaved, backlog_saved
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
        saved: the savings of one written backlog for all windows, "" for another plan.
        untold: what was not read and may make trials longer, "" for nothing; nothing is wrong with the plan.
        cautions: one sentence for each thing worth a second thought.
        is_complete: whether there is a plan.
    """

    estimate: str
    power: str
    cautions: tuple[str, ...]
    is_complete: bool
    ways: str = ""
    saved: str = ""
    untold: str = ""


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
    with in_words_of(plan.design):
        return _summary(plan, form, now)


def _summary(plan: Plan, form: PlanForm, now: datetime | None) -> PlanSummary:
    outlook = plan_outlook(plan, form.family, form.at_hand)
    return PlanSummary(
        estimate_text(plan, outlook, now, compares_all=form.family.compares_all),
        power_text(plan, outlook, compares_all=form.family.compares_all),
        (*_misfits(plan, form), *_too_long(plan, outlook, form)),
        True,
        ways_sentence(ways_of_stopping(plan, form.family, form.at_hand)),
        _saved_text(backlog_saved(plan, form.family, outlook, form.at_hand)),
        outlook.unknown,
    )


def _saved_text(saved: BacklogSaved | None) -> str:
    if saved is None:
        return ""
    return _(
        "One backlog serves all windows: about {commands} commands are written and {time} pass, instead of {others} "
        "commands and {others_time} with a backlog for each setting measured."
    ).format(
        commands=number(saved.commands),
        time=duration_text(saved.time_s),
        others=number(saved.trials_commands),
        others_time=duration_text(saved.trials_s),
    )


def estimate_text(plan: Plan, outlook: PlanOutlook, now: datetime | None, *, compares_all: bool = False) -> str:
    """Return trials and blocks, and when a run that starts now would end.

    Args:
        compares_all: nothing is explored: every block carries claims.
    """
    if outlook.is_most:
        ends, lasts = (
            _("{trials}, ends by about {clock}"),
            _("{trials}, at most about {time} of lab time (far less here)"),
        )
    else:
        ends, lasts = (
            _("{trials}, ends about {clock}"),
            _("{trials}, about {time} of lab time (far less here)"),
        )
    trials = _trials_text(plan, outlook, compares_all=compares_all)
    if now is None:
        told = lasts.format(trials=trials, time=duration_text(outlook.duration_s))
    else:
        told = ends.format(trials=trials, clock=clock_after(now, outlook.duration_s))
    longest = time_text(outlook.longest_s)
    if outlook.longest_s < outlook.duration_s:
        return _("{told}; stopped after {time}").format(told=told, time=longest)
    if outlook.most_trials == outlook.trials:
        return _("{told}; {time} at most").format(told=told, time=longest)
    further = _("{told}; with all that may follow {n} trials, {time} at most")
    return further.format(told=told, n=value_text(outlook.most_trials), time=longest)


def _trials_text(plan: Plan, outlook: PlanOutlook, *, compares_all: bool) -> str:
    """Return how many trials there are, in how many blocks."""
    blocks = plan.design.blocks + (0 if compares_all else plan.design.confirm_blocks)
    if blocks > 1 and not plan.design.is_windowed and (compares_all or plan.design.stop is not Stop.MODEL):
        words = _("At most {n} trials in {blocks} blocks") if outlook.is_most else _("{n} trials in {blocks} blocks")
    else:
        words = _("At most {n} trials") if outlook.is_most else _("{n} trials")
    return words.format(n=value_text(outlook.trials), blocks=value_text(blocks))


def clock_after(now: datetime, duration_s: float) -> str:
    """Return the time of day after a duration, with the date where that is another day."""
    end = now + timedelta(seconds=duration_s)
    return f"{end:%H:%M}" if end.date() == now.date() else f"{end:%Y-%m-%d %H:%M}"


def power_text(plan: Plan, outlook: PlanOutlook, *, compares_all: bool = False) -> str:
    """Return the difference the design can show.

    Args:
        compares_all: nothing is explored: every block carries claims.
    """
    if plan.design.confirm_blocks == 0 and not compares_all:
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
    more = _what_it_takes(plan, outlook, compares_all=compares_all)
    return f"{shows} {more}"


def _what_it_takes(plan: Plan, outlook: PlanOutlook, *, compares_all: bool) -> str:
    """Return how many blocks or pairs show the plan's smallest effect, or that none would."""
    windowed, needed = plan.design.is_windowed, outlook.confirm_blocks_needed
    if needed is None:
        words = _("No number of trials shows an effect as small as {wanted}.")
        if windowed:
            words = _("Even {most} confirming pairs, the most there may be, show no effect as small as {wanted}.")
    elif windowed:
        words = _("For {wanted} plan {needed} confirming pairs.")
    elif compares_all:
        words = _("For {wanted} plan {needed} blocks.")
    else:
        words = _("For {wanted} plan {needed} confirmation blocks.")
    return words.format(
        wanted=percent_text(plan.design.minimum_effect),
        needed=value_text(needed or 0),
        most=value_text(MOST_WINDOW_PAIRS),
    )


def _misfits(plan: Plan, form: PlanForm) -> tuple[str, ...]:
    """Return the target's lacks for this plan, and the checks that would forbid it, as far as they are known."""
    if form.site is None:
        return ()
    fit = plan_fit(plan, form.family, form.site)
    forbidding = (check.refusal for check in fit.forbidding)
    fields = form.family.load_fields
    return tuple(sentence(in_form_words(fields, text)) for text in (fit.problem, *forbidding) if text)


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
