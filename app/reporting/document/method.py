"""How it was measured and calculated, in plain words, with what the method cannot do."""

from collections.abc import Sequence
from dataclasses import fields

from app.domain.plan import Limits, Plan, Stop
from app.domain.session import RunRecord, SessionRecord
from app.foundation.texts import _
from app.reporting.document.numbers import duration, number, percent, quantity
from app.reporting.document.wording import Vocabulary, plain, setting_text
from app.reporting.document.worked_out import worked_out_text
from app.reporting.render.blocks import Block, Bullets, Fields, Heading, Paragraph, Section, Start


def method_section(session: SessionRecord, words: Vocabulary) -> Section:
    """Return the method: each experiment's plan, then the statistics and their limits."""
    blocks: list[Block] = []
    for run in session.runs:
        blocks += _run(run, words)
    if session.runs:
        picking = [run.plan.family for run in session.runs if not words.compares_all(run.plan.family)]
        naming = any(words.compares_all(run.plan.family) for run in session.runs)
        blocks.append(Heading(_("Order of the trials"), minor=True))
        blocks += _orders(picking, words)
        blocks += [Paragraph(_named_text())] if naming else []
    if session.imported:
        blocks += [Heading(_("Measurements made elsewhere"), minor=True), Paragraph(_imported_text())]
    blocks += [Heading(_("What the numbers mean"), minor=True), Bullets(_statistics())]
    blocks += [Heading(_("What this method cannot do"), minor=True), Bullets(_cannot())]
    return Section(_("Method"), tuple(blocks), Start.BY_SIZE)


def _run(run: RunRecord, words: Vocabulary) -> list[Block]:
    title = _("Experiment {run}: {family}").format(run=run.run_id, family=words.family(run.plan.family))
    blocks: list[Block] = [Heading(title, minor=True)]
    question = words.question(run.plan.family)
    if question:
        blocks.append(Paragraph(question))
    worked_out = worked_out_text(run)
    pairs = ((_("Run times worked out"), worked_out),) if worked_out else ()
    blocks.append(Fields((*_plan_pairs(run.plan, run.target, words), *pairs), columns=1))
    return blocks


def _plan_pairs(plan: Plan, target: str, words: Vocabulary) -> tuple[tuple[str, str], ...]:
    factors = "; ".join(f"{f.name}: {', '.join(plain(level) for level in f.levels)}" for f in plan.factors)
    return (
        (_("Target"), target),
        (_("Varied"), factors),
        (_("Compared with"), setting_text(plan.baseline)),
        (_("Workload"), words.workload(plan)),
        (_("Design"), _design_of_all(plan) if words.compares_all(plan.family) else _design(plan)),
        (_("Ends a trial"), _limits(plan.limits, words)),
    )


def _design_of_all(plan: Plan) -> str:
    """Return the design of a plan whose comparisons are all named beforehand."""
    design = plan.design
    parts = [
        _("{count} blocks, every setting in each; all comparisons named before the run").format(
            count=number(design.blocks)
        ),
        _("an effect counts from {effect}").format(effect=percent(design.minimum_effect)),
        _("random seed {seed}").format(seed=design.seed),
    ]
    if design.noise_cv is not None:
        parts.append(_("run-to-run noise given as {noise}").format(noise=percent(design.noise_cv)))
    return "; ".join(parts)


def _design(plan: Plan) -> str:
    design = plan.design
    explore = (
        _("at most {count} exploring blocks, ended by racing")
        if design.stop is Stop.RACE
        else _("{count} exploring blocks")
    ).format(count=number(design.blocks))
    parts = [
        explore,
        _("{count} confirmation blocks of the best setting against the baseline").format(
            count=number(design.confirm_blocks)
        )
        if design.confirm_blocks
        else _("no confirmation blocks, so no claim"),
        _("an effect counts from {effect}").format(effect=percent(design.minimum_effect)),
        _("random seed {seed}").format(seed=design.seed),
    ]
    if design.noise_cv is not None:
        parts.append(_("run-to-run noise given as {noise}").format(noise=percent(design.noise_cv)))
    return "; ".join(parts)


def _limits(limits: Limits, words: Vocabulary) -> str:
    """Return what ends a trial, what every server has last."""
    told = words.limits(limits)
    if limits.latency_s is not None:
        told["latency_s"] = _("latency over {value}").format(value=duration(limits.latency_s))
    if limits.log_used_share is not None:
        told["log_used_share"] = _("log used over {share}").format(share=percent(limits.log_used_share))
    parts = [told[field.name] for field in fields(limits) if field.name in told]
    if limits.free_disk_gb is not None:
        parts.append(_("less than {size} free").format(size=quantity(limits.free_disk_gb, "GB")))
    parts.append(_("longer than {time}").format(time=duration(limits.trial_duration_s)))
    return "; ".join(parts)


def _orders(families: Sequence[str], words: Vocabulary) -> list[Block]:
    """Return how trials of a picked winner are ordered, and what is done before each; said once, by the first system."""
    asked = {words.parts_of(family) for family in families}
    return [Paragraph(parts.order_of_trials) for parts in words.parts if parts in asked][:1]


def _named_text() -> str:
    return _(
        "Where all comparisons are named before the run, no winner is picked: every block holds every setting, in an "
        "order that changes from block to block, so that a drifting server favours none. Every comparison counts as a "
        "claim, and all of them together decide how wide the intervals are. Values that one trial measured together "
        "share that trial's luck; the intervals allow for it."
    )


def _imported_text() -> str:
    return _(
        "These values were not measured by this program. It takes them as the file gives them, compares only runs "
        "under "
        "equal conditions, and cannot tell in which order they were run, whether the servers drifted meanwhile, or "
        "what was left out. With a single run for each setting it says “cannot tell yet” unless the noise from run to "
        "run is given."
    )


def _statistics() -> tuple[str, ...]:
    return (
        _(
            "An effect is the ratio of two means, calculated on logarithms with the differences between blocks taken "
            "out; “18 % lower” means the ratio is 0.82."
        ),
        _(
            "The 95 % interval holds for all comparisons of one experiment together: were everything repeated, all of "
            "them would contain the true effects in 19 of 20 sessions."
        ),
        _("p is the chance of so large an effect if there were none, corrected for the number of comparisons (Holm)."),
        _(
            "Improvement or worse: the interval excludes “no change”. No difference shown: the interval lies within "
            "the smallest effect worth acting on. Anything else: cannot tell yet, with the trials of each setting that "
            "show a difference worth acting on, or as large as measured, four times out of five."
        ),
    )


def _cannot() -> tuple[str, ...]:
    return (
        _(
            "It speaks of this workload, these servers and these days; another row size or network needs its own "
            "trials."
        ),
        _("It measures a part of the possible settings; a better one may lie between or beyond them."),
        _("It cannot see what else ran on the servers, except as noise, which makes the intervals wider."),
    )
