"""Fields of workload, design and limits: what each is called, where its value stands in a plan, what it may be."""

from decimal import Decimal
from typing import Final

from app.domain.plan import Plan, Scenario, Stop
from app.domain.setting import Subject
from app.flows.plan.number_entry import Bounds
from app.flows.plan.plan_fields import ChoiceSpec, FieldKind, NumberSpec, Option, Section, Spec, Texts
from app.foundation.texts import _

SCENARIO: Final = "workload.scenario"
SIZES: Final = "workload.sizes"
RATE: Final = "workload.rate"
STOP: Final = "design.stop"

_PERCENT: Final = Decimal("0.01")
_MINUTE: Final = Decimal(60)
_WHOLE, _DECIMAL = FieldKind.WHOLE, FieldKind.DECIMAL
_LIMITS, _POSITIVE, _NO_LIMIT = Section.LIMITS, Bounds(0, open_low=True), _("no limit")


def _is_drained(texts: Texts) -> bool:
    return texts[SCENARIO] == Scenario.DRAINED


def _is_continuous(texts: Texts) -> bool:
    return not _is_drained(texts)


def _is_fixed(texts: Texts) -> bool:
    return texts[SIZES] == "fixed"


def _is_range(texts: Texts) -> bool:
    return not _is_fixed(texts)


def _is_rated(texts: Texts) -> bool:
    return _is_continuous(texts) and texts[RATE] == "rate"


def workload_specs(most_pairs: int, pairs_because: str) -> tuple[Spec, ...]:
    """Return the fields of the workload.

    Args:
        most_pairs: agent pairs the target has; `pairs_because` says so.
    """
    part = Section.WORKLOAD
    sizes = Bounds(1, 1_000_000)
    return (
        ChoiceSpec(
            SCENARIO,
            part,
            _("Scenario"),
            _(
                "A backlog is written first and the time to deliver it is measured; a steady load runs beside the "
                "agents, and throughput and latency are measured."
            ),
            (Option(Scenario.DRAINED, _("Deliver a backlog")), Option(Scenario.CONTINUOUS, _("Steady load"))),
            lambda plan: plan.workload.scenario,
        ),
        NumberSpec("workload.commands", part, _WHOLE, _("Backlog of each trial"), _("commands"),
                   _("Commands written for each agent pair before the agent under test is started."),
                   Bounds(1, 100_000_000), lambda plan: plan.workload.commands, is_shown=_is_drained),
        NumberSpec("workload.duration", part, _DECIMAL, _("Length of each trial"), _("min"),
                   _("Long enough for the warm-up to be cut off and latency to settle; the studies took 25 to 30 min."),
                   Bounds(1, 1_440), lambda plan: plan.workload.duration_s, _MINUTE, is_shown=_is_continuous),
        ChoiceSpec(
            RATE,
            part,
            _("Load"),
            _("Saturated shows what the agent can do at most; a rate shows latency under the load you expect."),
            (Option("saturated", _("Saturated")), Option("rate", _("At a rate"))),
            lambda plan: "saturated" if plan.workload.rate_per_s is None else "rate",
            _is_continuous,
        ),
        NumberSpec("workload.rate_per_s", part, _DECIMAL, _("Rate"), _("commands/s"),
                   _("Offered to each agent pair for the whole trial."),
                   Bounds(0, open_low=True), lambda plan: plan.workload.rate_per_s, is_shown=_is_rated),
        ChoiceSpec(
            SIZES,
            part,
            _("Transactions"),
            _("The gain of a batch size depends on how many commands one transaction holds: use the client's own."),
            (Option("fixed", _("One mean size")), Option("range", _("Evenly from a range"))),
            lambda plan: "fixed" if _low(plan) == _high(plan) else "range",
        ),
        NumberSpec("workload.size", part, _DECIMAL, _("Size"), _("commands"),
                   _("Mean commands per transaction; 2.5 means 2 or 3, half of the time each."),
                   sizes, _low, is_shown=_is_fixed),
        NumberSpec("workload.size_low", part, _DECIMAL, _("Smallest"), _("commands"),
                   _("Fewest commands of one transaction."), sizes, _low, is_shown=_is_range),
        NumberSpec("workload.size_high", part, _DECIMAL, _("Largest"), _("commands"),
                   _("Most commands of one transaction."), sizes, _high, is_shown=_is_range),
        NumberSpec("workload.agent_pairs", part, _WHOLE, _("Agent pairs"), _("pairs"),
                   _("Publication databases, each with its own agents, that run at once on the Distributor."),
                   Bounds(1, most_pairs, because=pairs_because), lambda plan: plan.workload.agent_pairs),
    )  # fmt: skip


def design_specs(*, compares_all: bool = False) -> tuple[Spec, ...]:
    """Return the fields of the design.

    Args:
        compares_all: the family picks no winner: every setting runs in every block, and all of them carry claims.
    """
    return (*(_all_blocks() if compares_all else _exploring()), *_common_design())


def _all_blocks() -> tuple[Spec, ...]:
    return (
        NumberSpec("design.blocks", Section.DESIGN, _WHOLE, _("Blocks"), _("blocks"),
                   _("Each block runs every setting once, in an order of its own; all of them carry claims."),
                   Bounds(1, 100), lambda plan: plan.design.blocks),
    )  # fmt: skip


def _exploring() -> tuple[Spec, ...]:
    part = Section.DESIGN
    return (
        ChoiceSpec(
            STOP,
            part,
            _("Exploring"),
            _(
                "Blocks run every setting equally often. A race drops settings that are clearly slower, so it is "
                "shorter where one setting stands out."
            ),
            (Option(Stop.BLOCKS, _("Fixed number of blocks")), Option(Stop.RACE, _("Race"))),
            lambda plan: plan.design.stop,
        ),
        NumberSpec("design.blocks", part, _WHOLE, _("Exploring blocks"), _("blocks"),
                   _("Each block runs every setting once, the baseline among them. A race ends here at the latest."),
                   Bounds(1, 100), lambda plan: plan.design.blocks),
        NumberSpec("design.confirm_blocks", part, _WHOLE, _("Confirmation blocks"), _("blocks"),
                   _("Fresh trials of the best setting against the baseline; only they carry a claim. 0 makes none."),
                   Bounds(0, 100), lambda plan: plan.design.confirm_blocks),
    )  # fmt: skip


def _common_design() -> tuple[Spec, ...]:
    part = Section.DESIGN
    share = Bounds(0, 100, open_low=True, open_high=True)
    return (
        NumberSpec("design.minimum_effect", part, _DECIMAL, _("Smallest effect worth acting on"), "%",
                   _("A difference shown to be smaller than this is reported as no difference."),
                   share, lambda plan: plan.design.minimum_effect, _PERCENT),
        NumberSpec("design.noise_cv", part, _DECIMAL, _("Known noise between runs"), "%",
                   _("Standard deviation of equal runs, where earlier measurements here showed it; else the run does."),
                   share, lambda plan: plan.design.noise_cv, _PERCENT, _("from the run")),
        NumberSpec("design.seed", part, _WHOLE, _("Seed of the order"), "",
                   _("The same seed gives the same order of trials within the blocks."),
                   Bounds(0), lambda plan: plan.design.seed),
    )  # fmt: skip


def limit_specs(subject: Subject = Subject.LOG_READER) -> tuple[Spec, ...]:
    """Return the fields of the limits that end a trial, those an experiment on this subject watches."""
    if subject is Subject.STREAMS:
        return (_latency(_("From a commit at the source until it is applied.")), _streams_pool(), _trial_duration())
    if subject is Subject.COMMIT:
        return (*_group_limits(), _log_used(subject), _free_disk(subject), _trial_duration())
    if subject is Subject.SEEDING:
        return (_redo_queue(), _log_used(subject), _free_disk(subject), _trial_duration())
    return (
        _latency(_("Latency of the agents under test, the slowest of them.")),
        NumberSpec("limits.pending_commands", _LIMITS, _WHOLE, _("Pending commands above"), _("commands"),
                   _("Commands waiting in the distribution database beyond the planned backlog."),
                   _POSITIVE, lambda plan: plan.limits.pending_commands, when_empty=_NO_LIMIT),
        _log_used(subject),
        NumberSpec("limits.lock_waits", _LIMITS, _DECIMAL, _("Lock waits above"), "%",
                   _("Time all sessions on the Distributor waited for locks, as a share of the time that passed."),
                   _POSITIVE, lambda plan: plan.limits.lock_wait_share, _PERCENT, _NO_LIMIT),
        _free_disk(subject),
        _trial_duration(),
    )  # fmt: skip


def _latency(help_text: str) -> NumberSpec:
    return NumberSpec("limits.latency", _LIMITS, _DECIMAL, _("Latency above"), "s", help_text,
                      _POSITIVE, lambda plan: plan.limits.latency_s, when_empty=_NO_LIMIT)  # fmt: skip


def _streams_pool() -> NumberSpec:
    return NumberSpec("limits.streams_pool", _LIMITS, _DECIMAL, _("Streams pool fuller than"), "%",
                      _("Used share of the Streams pool of either database; a full one spills and stalls the capture."),
                      Bounds(0, 100, open_low=True), lambda plan: plan.limits.streams_pool_share,
                      _PERCENT, _NO_LIMIT)  # fmt: skip


def _group_limits() -> tuple[Spec, ...]:
    return (
        NumberSpec("limits.commit_delay", _LIMITS, _DECIMAL, _("Mean commit delay above"), "ms",
                   _("How long a commit waits for the secondary, on average since the last reading."),
                   _POSITIVE, lambda plan: plan.limits.commit_delay_ms, when_empty=_NO_LIMIT),
        NumberSpec("limits.send_queue", _LIMITS, _DECIMAL, _("Log send queue above"), "MB",
                   _("Log not yet sent to the secondary; lost where the primary is lost."),
                   _POSITIVE, lambda plan: plan.limits.send_queue_mb, when_empty=_NO_LIMIT),
        _redo_queue(),
    )  # fmt: skip


def _redo_queue() -> NumberSpec:
    return NumberSpec("limits.redo_queue", _LIMITS, _DECIMAL, _("Redo queue above"), "MB",
                      _("Log not yet redone at the secondary; a failover has to wait for it."),
                      _POSITIVE, lambda plan: plan.limits.redo_queue_mb, when_empty=_NO_LIMIT)  # fmt: skip


def _log_used(subject: Subject) -> NumberSpec:
    if subject.agent_kind is None:
        label = _("Log of the database fuller than")
        help_text = _("Used share of its log; it cannot be truncated before the secondary has it.")
    else:
        label = _("Publication log fuller than")
        help_text = _("Used share of the fullest log; it cannot be truncated while the Log Reader Agent stands.")
    return NumberSpec("limits.log_used", _LIMITS, _DECIMAL, label, "%", help_text,
                      Bounds(0, 100, open_low=True), lambda plan: plan.limits.log_used_share,
                      _PERCENT, _NO_LIMIT)  # fmt: skip


def _free_disk(subject: Subject) -> NumberSpec:
    help_text = _("Free space on the Distributor's data disk.")
    if subject.agent_kind is None:
        help_text = _("Free space on the volume of either server that fills first.")
    return NumberSpec("limits.free_disk", _LIMITS, _DECIMAL, _("Free disk below"), "GB", help_text,
                      _POSITIVE, lambda plan: plan.limits.free_disk_gb, when_empty=_NO_LIMIT)  # fmt: skip


def _trial_duration() -> NumberSpec:
    return NumberSpec("limits.trial_duration", _LIMITS, _DECIMAL, _("One trial longer than"), _("min"),
                      _("A trial that takes longer is ended; its measurements are kept and not used."),
                      _POSITIVE, lambda plan: plan.limits.trial_duration_s, _MINUTE)  # fmt: skip


def _low(plan: Plan) -> float:
    return plan.workload.commands_per_transaction[0]


def _high(plan: Plan) -> float:
    return plan.workload.commands_per_transaction[1]
