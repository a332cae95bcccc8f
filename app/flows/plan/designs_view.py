"""The designs that fit into the time a person has, as rows to choose from."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from app.domain.family import ExperimentFamily, Site
from app.domain.plan import Plan, Stop
from app.domain.setting import value_text
from app.flows.plan.plan_summary import clock_after, percent_text
from app.flows.words import time_text, time_up_to
from app.foundation.texts import _
from app.services.plan.plan_time import TimedPlan, TimedPlans, plans_for_time


@dataclass(frozen=True)
class DesignLine:
    """One design that fits.

    Attributes:
        title: its blocks.
        note: what is tried, and how long it takes.
        effect: the smallest effect it would show, "" where it shows none.
        plan: what choosing it fills the form with.
        spoken: all of it in one sentence.
    """

    title: str
    note: str
    effect: str
    plan: Plan
    spoken: str


@dataclass(frozen=True)
class DesignsView:
    """The designs that fit into a time.

    Attributes:
        lines: the design that tells most first; () where none fits.
        note: what shows the smallest effect, where no design that fits does, and what else to know; "" for nothing.
    """

    lines: tuple[DesignLine, ...]
    note: str

    def place_of(self, plan: Plan | None) -> int | None:
        """Return the place of the design that a plan is, None where it is another."""
        return next((place for place, line in enumerate(self.lines) if line.plan == plan), None)


NO_DESIGNS: Final = DesignsView((), "")
"""Of a plan that is not complete."""


def designs_view(
    plan: Plan, family: ExperimentFamily, time_s: float, now: datetime | None, site: Site | None = None
) -> DesignsView:
    """Return the designs of a plan that fit into a time.

    Args:
        now: the person's time of day, None where the target's time is virtual.
        site: what was read of the target, None where nothing was.
    """
    timed = plans_for_time(plan, family, time_s, site)
    notes = (_too_long(timed, time_s), _enough_text(timed.enough, now))
    lines = tuple(_line(one, family) for one in timed.designs)
    return DesignsView(lines, "\n".join(note for note in notes if note))


def _line(timed: TimedPlan, family: ExperimentFamily) -> DesignLine:
    design, shown = timed.plan.design, timed.outlook.shown_effect
    words = _("{blocks} exploring + {confirm} confirming")
    if family.compares_all:
        words = _("{blocks} blocks")
    elif design.stop is Stop.MODEL:
        words = _("At most {trials} exploring trials + {confirm} confirming")
    elif timed.outlook.is_most:
        words = _("At most {blocks} exploring + {confirm} confirming")
    trials = timed.outlook.trials - 2 * design.confirm_blocks
    title = words.format(
        blocks=value_text(design.blocks), trials=value_text(trials), confirm=value_text(design.confirm_blocks)
    )
    tried = _("{n} settings").format(n=value_text(timed.outlook.settings))
    if timed.without:
        tried = _("without {value}").format(value=timed.without.text())
    note = f"{tried}, {time_up_to(timed.outlook.duration_s, timed.outlook.longest_s)}"
    effect = "" if shown is None else percent_text(shown)
    shows = _("shows {effect} or more").format(effect=effect) if effect else _("shows nothing")
    return DesignLine(title, note, effect, timed.plan, f"{title}: {note}, {shows}")


def _too_long(timed: TimedPlans, time_s: float) -> str:
    if timed.designs:
        return ""
    return _(
        "Even the shortest design takes about {longest} with all that may follow, more than {time}; try fewer values "
        "or a smaller workload."
    ).format(longest=time_text(timed.shortest.all_s), time=time_text(time_s))


def _enough_text(enough: TimedPlan | None, now: datetime | None) -> str:
    """Return how long the smallest effect takes, "" where a design that fits shows it, or none does."""
    if enough is None:
        return ""
    told = _("{effect} shown 8 times in 10 takes about {time} with all that may follow.").format(
        effect=percent_text(enough.plan.design.minimum_effect), time=time_text(enough.all_s)
    )
    if now is None:
        return told
    return told + " " + _("Started now, that ends at {clock}.").format(clock=clock_after(now, enough.all_s))
