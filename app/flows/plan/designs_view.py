"""The designs that fit into the time a person has, as rows to choose from."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from app.domain.family import ExperimentFamily, Site
from app.domain.limits import RESTORED_BY
from app.domain.plan import Plan, Stop
from app.domain.setting import value_text
from app.domain.work_source import SOURCE
from app.flows.plan.plan_summary import clock_after, percent_text
from app.flows.words import time_text, time_up_to
from app.foundation.texts import _, in_words_of
from app.services.plan.dry_run import DryRun
from app.services.plan.plan_file import dump_plan
from app.services.plan.plan_time import Instead, TimedPlan, TimedPlans, plans_for_time, plans_otherwise


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
    with in_words_of(plan.design):
        return _designs(plan, family, time_s, now, site)


def fitting_designs(dry: DryRun, family: ExperimentFamily, site: Site) -> DesignsView:
    """Return the designs that fit where a plan allows less time than all its trials are expected to take."""
    if dry.duration_s + dry.further_s <= dry.longest_s:
        return NO_DESIGNS
    limits = dry.plan.limits.but(**{RESTORED_BY.name: None})  # told by the time that is left until then
    return designs_view(replace(dry.plan, limits=limits), family, dry.longest_s, None, site)


def changed_in_file(line: DesignLine, given: Plan, completed: Plan, family: ExperimentFamily) -> tuple[str, ...]:
    """Return the lines that make a plan file's plan the one of a design, below their tables; its limits stay.

    Args:
        given, completed: as the file says it, and with what its target adds.
    """
    load = completed.load.but(**{SOURCE: given.load.get(SOURCE)})  # pairs of windows are not to be had without a source
    as_given = replace(completed, limits=line.plan.limits, design=given.design, load=load)
    present = dump_plan(as_given, family).splitlines()
    lines = [text for text in dump_plan(line.plan, family).splitlines() if text.startswith("[") or text not in present]
    followed = zip(lines, [*lines[1:], "["], strict=True)
    return tuple(text for text, after in followed if text and not (text.startswith("[") and after.startswith("[")))


def _designs(
    plan: Plan, family: ExperimentFamily, time_s: float, now: datetime | None, site: Site | None
) -> DesignsView:
    timed = plans_for_time(plan, family, time_s, site)
    others = () if timed.designs else plans_otherwise(plan, family, time_s, site)
    notes = (_too_long(timed, time_s, is_other=bool(others)), _enough_text(timed.enough, now))
    lines = tuple(_line(one, family) for one in timed.designs)
    lines += tuple(_line(one, family, _instead_text(instead)) for instead, one in others)
    return DesignsView(lines, "\n".join(note for note in notes if note))


def _instead_text(instead: Instead) -> str:
    return {
        Instead.MODEL: _("guided by a model"),
        Instead.SMALLER: _("smaller workload"),
        Instead.BOTH: _("smaller workload, guided by a model"),
    }[instead]


def _line(timed: TimedPlan, family: ExperimentFamily, instead: str = "") -> DesignLine:
    design, shown = timed.plan.design, timed.outlook.shown_effect
    words = _("{blocks} exploring + {confirm} confirming")
    if family.compares_all:
        words = _("{blocks} blocks")
    elif design.is_windowed:
        words = _("At most {trials} exploring windows + {pairs} confirming pairs")
    elif design.stop is Stop.MODEL:
        words = _("At most {trials} exploring trials + {confirm} confirming")
    elif timed.outlook.is_most:
        words = _("At most {blocks} exploring + {confirm} confirming")
    trials = timed.outlook.trials - 2 * design.confirm_blocks
    title = words.format(
        blocks=value_text(design.blocks),
        trials=value_text(trials),
        confirm=value_text(design.confirm_blocks),
        pairs=value_text(design.most_confirm_blocks),
    )
    tried = _("{n} settings").format(n=value_text(timed.outlook.settings))
    if timed.without:
        tried = _("without {value}").format(value=timed.without.text())
    took = time_up_to(timed.outlook.duration_s, timed.outlook.longest_s)
    note = ", ".join(part for part in (instead, tried, took) if part)
    effect = "" if shown is None else percent_text(shown)
    shows = _("shows {effect} or more").format(effect=effect) if effect else _("shows nothing")
    return DesignLine(title, note, effect, timed.plan, f"{title}: {note}, {shows}")


def _too_long(timed: TimedPlans, time_s: float, *, is_other: bool) -> str:
    if timed.designs:
        return ""
    if is_other:
        return _("As it is, the plan takes {longest} at least with all that may follow. These fit into {time}.").format(
            longest=time_text(timed.shortest.all_s), time=time_text(time_s)
        )
    words = _(
        "Even the shortest design takes about {longest} with all that may follow, more than {time}; try fewer values "
        "or a smaller workload."
    )
    if timed.shortest.plan.design.is_windowed:
        words = _(
            "Even the shortest design takes about {longest} with all that may follow, more than {time}; try fewer "
            "values."
        )
    return words.format(longest=time_text(timed.shortest.all_s), time=time_text(time_s))


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
