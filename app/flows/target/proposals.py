"""Worthwhile experiments at a site, in order of their expected gain, each with its plan."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.domain.errors import BadInput
from app.domain.family import ExperimentFamily, Site
from app.domain.plan import Plan
from app.domain.setting import Setting, value_text
from app.domain.system import rig_of, site_key, system_of
from app.flows.suggested import Expected, Suggestion
from app.flows.system_views import views_of
from app.flows.words import time_up_to
from app.foundation.texts import _
from app.services.look.discovering import Discovery
from app.services.look.looking import Look
from app.services.plan.completing import complete_plan
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
    """

    family: str
    title: str
    about: str
    because: str
    expected: Expected | None
    plan: Plan
    cost: str


def proposals(
    discovery: Discovery, looked: Look, sites: Sites, families: Mapping[str, ExperimentFamily]
) -> tuple[Proposal, ...]:
    """Return worthwhile experiments: those on a bottleneck first, then by expected gain, then without a number.

    An experiment that could not be made at the site as it was read is left out.
    """
    by_key = dict(sites)
    suggested: list[Suggestion] = []
    for system, discovered in discovery.by_system:
        own = {name: f for name, f in families.items() if system_of(f) is system and site_key(f) in by_key}
        observed: Any | None = looked.of(system.system_id)
        if observed is not None:
            suggested += views_of(system).suggestions(discovered, observed, own, by_key)
    ranked = sorted(suggested, key=_rank)
    made = (_proposal(suggestion, families[suggestion.plan.family], by_key) for suggestion in ranked)
    return tuple(proposal for proposal in made if proposal is not None)


def _rank(suggestion: Suggestion) -> tuple[bool, bool, float]:
    expected = suggestion.expected
    return not suggestion.is_limiting, expected is None, 0.0 if expected is None else expected.middle


def _proposal(
    suggestion: Suggestion, family: ExperimentFamily, sites: Mapping[tuple[str, str], Site]
) -> Proposal | None:
    site = sites[site_key(family)]
    plan = rig_of(family).fitted(replace(suggestion.plan, baseline=Setting()), site)
    try:
        at_hand = site_for_plan(plan, family, site)
        complete = plan if at_hand is None else complete_plan(plan, family, at_hand)
    except BadInput:
        return None
    if plan_fit(complete, family, site).problem:
        return None
    outlook = plan_outlook(complete, family, at_hand)
    time = time_up_to(outlook.duration_s, outlook.longest_s).replace("\u00a0", " ")  # beside a button: it may be broken
    cost = _("{trials} trials, about {time}").format(trials=value_text(outlook.trials), time=time)
    return Proposal(
        family.family_id,
        suggestion.title,
        suggestion.about,
        suggestion.because,
        suggestion.expected,
        complete,
        cost,
    )


def expected_text(expected: Expected | None) -> str:
    """Return the expected change, "" where there is none."""
    if expected is None:
        return ""
    low, high = round(100 * expected.low), round(100 * expected.high)
    if low == high:
        return f"{_signed(low)} %"
    return _("{low} to {high} %").format(low=_signed(low), high=_signed(high))


def _signed(percent: int) -> str:
    return f"−{-percent}" if percent < 0 else f"+{percent}" if percent > 0 else "0"
