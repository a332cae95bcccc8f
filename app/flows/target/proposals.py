"""Worthwhile experiments at a site, in order of their expected gain, each with its plan."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.domain.errors import BadInput
from app.domain.family import ExperimentFamily, Site
from app.domain.plan import Plan
from app.domain.setting import Setting, value_text
from app.domain.system import rig_of, site_key, system_of
from app.domain.work_source import SOURCE, work_source_of
from app.flows.plan.plan_form import plan_about
from app.flows.suggested import Expected, Suggestion
from app.flows.system_views import views_of
from app.flows.words import time_up_to
from app.foundation.texts import _, in_words_of
from app.services.look.discovering import Discovery
from app.services.look.looking import Look
from app.services.plan.completing import complete_plan, with_work_source
from app.services.plan.plan_fit import plan_fit, site_for_plan
from app.services.plan.plan_outlook import plan_outlook

Sites = Sequence[tuple[tuple[str, str], Site]]


@dataclass(frozen=True)
class Proposal:
    """One experiment worth making.

    Attributes:
        family: its id.
        plan: complete for this site.
        cost: trials and time, a phrase.
        written: a phrase on the rows a run of it writes at the client; "" where its steps alone tell.
        is_forbidden: a check would forbid it today, such as one of a backlog that is not there.
    """

    family: str
    title: str
    about: str
    because: str
    expected: Expected | None
    plan: Plan
    cost: str
    written: str = ""
    is_forbidden: bool = False


def proposals(
    discovery: Discovery,
    looked: Look,
    sites: Sites,
    families: Mapping[str, ExperimentFamily],
    subject: Sequence[tuple[str, str]] = (),
) -> tuple[Proposal, ...]:
    """Return worthwhile experiments: those on what was chosen first, then on a bottleneck, then by expected gain.

    An experiment that could not be made at the site as it was read is left out; one that a check forbids today comes
    after all that could be started at once.

    Args:
        subject: names of what was chosen at the site, as plans have them; () for what a plan is about by itself.
    """
    by_key = dict(sites)
    for family in families.values() if subject else ():
        if (site := dict(sites).get(site_key(family))) is not None:
            by_key[site_key(family)] = rig_of(family).site_of_plan(
                plan_about(family.default_plan(), family, subject), site
            )
    suggested: list[tuple[bool, Suggestion]] = []
    for system, discovered in discovery.by_system:
        own = {name: f for name, f in families.items() if system_of(f) is system and site_key(f) in by_key}
        observed: Any | None = looked.of(system.system_id)
        if observed is not None:
            views = views_of(system)
            for one in views.suggestions(discovered, observed, own, by_key):
                is_chosen = bool(one.box) and dict(subject) == _named(views.subject_of(discovered, one.box))
                suggested.append((not is_chosen, one))
    ranked = [suggestion for _is_other, suggestion in sorted(suggested, key=lambda pair: (pair[0], *_rank(pair[1])))]
    made = (_proposal(suggestion, families[suggestion.plan.family], dict(sites), subject) for suggestion in ranked)
    possible = (proposal for proposal in made if proposal is not None)
    return tuple(sorted(possible, key=lambda proposal: proposal.is_forbidden))


def _named(names: Mapping[str, str]) -> Mapping[str, str]:
    """Return the names that are there, as a subject has them."""
    return {name: text for name, text in names.items() if text}


def _rank(suggestion: Suggestion) -> tuple[bool, bool, float]:
    expected = suggestion.expected
    return not suggestion.is_limiting, expected is None, 0.0 if expected is None else expected.middle


def _proposal(
    suggestion: Suggestion,
    family: ExperimentFamily,
    sites: Mapping[tuple[str, str], Site],
    subject: Sequence[tuple[str, str]],
) -> Proposal | None:
    site = sites[site_key(family)]
    plan = plan_about(replace(suggestion.plan, baseline=Setting()), family, subject)
    plan = with_work_source(rig_of(family).fitted(plan, site), family, site)
    try:
        at_hand = site_for_plan(plan, family, site)
        complete = plan if at_hand is None else complete_plan(plan, family, at_hand)
    except BadInput:
        return None
    fit = plan_fit(complete, family, site)
    if fit.problem:
        return None
    outlook = plan_outlook(complete, family, at_hand)
    time = time_up_to(outlook.duration_s, outlook.longest_s).replace("\u00a0", " ")  # beside a button: it may be broken
    with in_words_of(complete.design):
        cost = _("{trials} trials, about {time}").format(trials=value_text(outlook.trials), time=time)
    return Proposal(
        family.family_id,
        suggestion.title,
        suggestion.about,
        suggestion.because,
        suggestion.expected,
        complete,
        cost,
        _written(complete, family),
        is_forbidden=bool(fit.forbidding),
    )


def _written(plan: Plan, family: ExperimentFamily) -> str:
    if SOURCE not in {field.name for field in family.load_fields}:
        return ""
    own = work_source_of(plan.load).is_own_work
    return _("writes nothing: the client's own work is measured") if own else _("writes rows to the test table")


def expected_text(expected: Expected) -> str:
    """Return the expected change in a sentence that says what expects it."""
    low, high = round(100 * expected.low), round(100 * expected.high)
    if low < 0 < high:
        change = _("−{less} % to +{more} % of the time").format(less=-low, more=high)
    elif high <= 0:
        change = _("{share} % less time").format(share=_range(-high, -low))
    else:
        change = _("{share} % more time").format(share=_range(low, high))
    return expected.words.format(change=change)


def _range(low: int, high: int) -> str:
    return f"{low}" if low == high else f"{low}–{high}"
