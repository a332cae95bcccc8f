"""How it was measured and calculated, in plain words, with what the method cannot do."""

from app.domain.plan import Limits, Plan, Scenario, Stop, WorkloadSpec
from app.domain.session import RunRecord, SessionRecord
from app.foundation.texts import _
from app.reporting.document.numbers import duration, number, percent, quantity
from app.reporting.document.wording import Vocabulary, plain, setting_text
from app.reporting.document.worked_out import worked_out_text
from app.reporting.render.blocks import Block, Bullets, Fields, Heading, Paragraph, Section, Start
from app.systems.oracle_streams.hand_over.changes import FAMILY as STREAMS_FAMILY


def method_section(session: SessionRecord, words: Vocabulary) -> Section:
    """Return the method: each experiment's plan, then the statistics and their limits."""
    blocks: list[Block] = []
    for run in session.runs:
        blocks += _run(run, words)
    if session.runs:
        picking = any(not words.compares_all(run.plan.family) for run in session.runs)
        naming = any(words.compares_all(run.plan.family) for run in session.runs)
        blocks.append(Heading(_("Order of the trials"), minor=True))
        blocks += [Paragraph(_order_text(session))] if picking else []
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
        (_("Workload"), _load(plan, words) or _workload(plan.workload)),
        (_("Design"), _design_of_all(plan) if words.compares_all(plan.family) else _design(plan)),
        (_("Ends a trial"), _limits(plan.limits)),
    )


def _load(plan: Plan, words: Vocabulary) -> str:
    """Return what the plan says in the fields of its family, "" for a family of replication agents."""
    return "; ".join(f"{title}: {value}" for title, value in words.load(plan.family, plan.load) if value)


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


def _workload(workload: WorkloadSpec) -> str:
    low, high = workload.commands_per_transaction
    size = number(low) if low == high else _("{low} to {high}").format(low=number(low), high=number(high))
    text = _("30 % inserts, 60 % updates, 10 % deletes of 1 KB rows, {size} commands for each transaction").format(
        size=size
    )
    if workload.scenario is Scenario.DRAINED:
        parts = [
            text,
            _("a backlog of {commands} commands delivered to the end").format(commands=number(workload.commands)),
        ]
    else:
        rate = (
            _("as fast as the agent can")
            if workload.rate_per_s is None
            else quantity(workload.rate_per_s, "commands/s")
        )
        parts = [text, _("a steady stream for {time}, {rate}").format(time=duration(workload.duration_s), rate=rate)]
    if workload.agent_pairs > 1:
        parts.append(_("{count} publication databases at once").format(count=number(workload.agent_pairs)))
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


def _limits(limits: Limits) -> str:
    parts = []
    if limits.latency_s is not None:
        parts.append(_("latency over {value}").format(value=duration(limits.latency_s)))
    if limits.pending_commands is not None:
        parts.append(_("more than {count} pending commands").format(count=number(limits.pending_commands)))
    if limits.log_used_share is not None:
        parts.append(_("log used over {share}").format(share=percent(limits.log_used_share)))
    if limits.lock_wait_share is not None:
        parts.append(_("lock waits over {share} of the time").format(share=percent(limits.lock_wait_share)))
    if limits.commit_delay_ms is not None:
        parts.append(_("mean commit delay over {value}").format(value=quantity(limits.commit_delay_ms, "ms")))
    if limits.send_queue_mb is not None:
        parts.append(_("log send queue over {size}").format(size=quantity(limits.send_queue_mb, "MB")))
    if limits.redo_queue_mb is not None:
        parts.append(_("redo queue over {size}").format(size=quantity(limits.redo_queue_mb, "MB")))
    if limits.streams_pool_share is not None:
        parts.append(_("Streams pool used over {share}").format(share=percent(limits.streams_pool_share)))
    if limits.free_disk_gb is not None:
        parts.append(_("less than {size} free").format(size=quantity(limits.free_disk_gb, "GB")))
    parts.append(_("longer than {time}").format(time=duration(limits.trial_duration_s)))
    return "; ".join(parts)


def _order_text(session: SessionRecord) -> str:
    """Return how trials of a picked winner are ordered, and what is done before each."""
    if session.runs and all(run.plan.family == STREAMS_FAMILY for run in session.runs):
        return _(
            "Settings are run in blocks. Every block holds each setting, the present one included, in an order that "
            "changes from block to block, because servers drift during a day: a setting that is always measured last "
            "would be credited with the drift. Before each trial the apply process is stopped, the setting is made and "
            "read back, the apply process is started, and the pipeline is given time to become idle. Then the rows are "
            "written at the source, and all stages are read until the last of them is applied. After each trial it is "
            "checked for errors, restarts and messages of others. A trial that fails a check is kept and marked, and "
            "not used. Exploring finds the candidate; a claim rests on fresh confirmation trials only, because looking "
            "after every block finds differences by chance."
        )
    return _(
        "Settings are run in blocks. Every block holds each setting, the present one included, in an order that "
        "changes "
        "from block to block, because servers drift during a day: a setting that is always measured last would be "
        "credited with the drift. Before each trial the setting is made and read back, the agent is restarted and the "
        "restart is verified, and a backlog is loaded. After each trial it is checked for errors and for whether it "
        "ran "
        "as planned. A trial that fails a check is kept and marked, and not used. Exploring finds the candidate; a "
        "claim rests on fresh confirmation trials only, because looking after every block finds differences by chance."
    )


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
