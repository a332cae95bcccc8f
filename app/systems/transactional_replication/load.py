"""The load of a trial of replication agents."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any, Final

from app.domain.condition import Condition
from app.domain.load import TABLE, Load
from app.domain.plan import Plan
from app.domain.plan_field import Asked, PlanField, ValueKind, fields_of, in_plan
from app.domain.setting import Setting
from app.domain.work_source import SCENARIO, SOURCE, WINDOWS, WorkSource, work_source_of
from app.foundation.texts import _
from app.systems.transactional_replication.topology import Named

# A Distribution Agent commits at most CommitBatchThreshold commands at once, 10,000 by its documented limit.
DELIVERY_AHEAD_COMMANDS = 100_000


class Scenario(StrEnum):
    """How the workload meets the agent: a backlog run empty, a steady stream, or one backlog for many windows."""

    DRAINED = "drained"
    CONTINUOUS = "continuous"
    WINDOWS = WINDOWS


_DRAINED: Final = ("scenario", Scenario.DRAINED)
_CONTINUOUS: Final = ("scenario", Scenario.CONTINUOUS)


@dataclass(frozen=True)
class WorkloadSpec:
    """The load on the Publisher: mixed DML, 30 % inserts, 60 % updates, 10 % deletes of 1 KB rows; or the client's own.

    Attributes:
        source: where the work comes from; None for what the site has.
        commands_per_transaction: lowest and highest number of commands of one transaction (mean between them).
        commands: size of the backlog of a drained trial.
        scenario: drained or continuous.
        duration_s: length of a continuous trial.
        rate_per_s: offered commands/s of a continuous trial; None keeps the agent saturated.
        agent_pairs: how many publication databases, each with its own agents, run on one Distributor.
        publisher, database, publication, subscriber: what is measured, each None for whatever can be; a run of one pair
            keeps the names of what it measured.
    """

    commands_per_transaction: tuple[float, float] = field(
        default=(2.5, 2.5),
        metadata=in_plan(
            TABLE,
            ValueKind.RANGE,
            _("Size"),
            "commands",
            _("Mean commands per transaction; 2.5 means 2 or 3, half of the time each."),
            above=0,
            low=1,
            high=1_000_000,
            asked=Asked(
                "sizes",
                _("Transactions"),
                _(
                    "What a batch size gains depends on how many commands one transaction holds: use the client's "
                    "own number."
                ),
                (("fixed", _("One mean size")), ("range", _("Evenly from a range"))),
                (
                    (_("Smallest"), _("Fewest commands of one transaction.")),
                    (_("Largest"), _("Most commands of one transaction.")),
                ),
            ),
            fits_in=("commands", _("One transaction would be larger than the whole backlog.")),
            compared_as=_("commands per transaction"),
        ),
    )
    commands: int = field(
        default=1_000_000,
        metadata=in_plan(
            TABLE,
            ValueKind.WHOLE,
            _("Backlog of each trial"),
            "commands",
            _(
                "Commands written for each agent pair before the agent under test is started. All of the time from its "
                "start to the last command counts: a client waits for its start as well."
            ),
            low=1,
            high=100_000_000,
            shown_when=_DRAINED,
            quick=100_000,
            stated=_("a backlog of {value} commands, timed from the agent's start to the last of them"),
            in_short=_("a backlog of {value} commands"),
            compared_as=_("backlog (commands)"),
        ),
    )
    scenario: Scenario = field(
        default=Scenario.DRAINED,
        metadata=in_plan(
            TABLE,
            ValueKind.CHOICE,
            _("Scenario"),
            "",
            _(
                "A backlog is written first and the time to deliver it is measured; a steady load runs beside the "
                "agents, and throughput and latency are measured; or one backlog is written for all settings, which "
                "change in windows on it."
            ),
            choices=tuple(Scenario),
            option_titles=(_("Deliver a backlog"), _("Steady load"), _("One backlog, in windows")),
            stated=_(
                "30 % inserts, 60 % updates, 10 % deletes of 1 KB rows, {commands_per_transaction} commands for each "
                "transaction"
            ),
            compared_as=_("scenario"),
        ),
    )
    duration_s: float = field(
        default=1_800.0,
        metadata=in_plan(
            TABLE,
            ValueKind.NUMBER,
            _("Length of each trial"),
            "s",
            _("Long enough for the warm-up to be cut off and latency to settle; the studies took 25 to 30 min."),
            low=60,
            high=86_400,
            typed_in="min",
            shown_when=_CONTINUOUS,
            stated=_("a steady stream for {value}, {rate_per_s}; measured without its warm-up"),
            in_short=_("{rate_per_s} for {value}"),
        ),
    )
    rate_per_s: float | None = field(
        default=None,
        metadata=in_plan(
            TABLE,
            ValueKind.NUMBER,
            _("Rate"),
            "commands/s",
            _("Offered to each agent pair for the whole trial."),
            above=0,
            shown_when=_CONTINUOUS,
            asked=Asked(
                "rate",
                _("Load"),
                _("Saturated shows what the agent can do at most; a rate shows latency under the load you expect."),
                (("saturated", _("Saturated")), ("rate", _("At a rate"))),
            ),
            stated_open=_("as fast as the agent can"),
            compared_as=_("rate (commands/s)"),
        ),
    )
    agent_pairs: int = field(
        default=1,
        metadata=in_plan(
            TABLE,
            ValueKind.WHOLE,
            _("Agent pairs"),
            "pairs",
            _("Publication databases, each with its own agents, that run at once on the Distributor."),
            low=1,
            high=64,
            stated=_("{value} publication databases at once"),
            is_quiet=True,
            compared_as=_("agent pairs"),
        ),
    )
    publisher: str | None = field(
        default=None,
        metadata=in_plan(
            TABLE,
            ValueKind.TEXT,
            _("Publisher"),
            "",
            _("Server of the publication to measure; leave empty to take what can be measured."),
        ),
    )
    database: str | None = field(
        default=None,
        metadata=in_plan(
            TABLE,
            ValueKind.TEXT,
            _("Publication database"),
            "",
            _("Its Log Reader Agent takes part; leave empty to take one that can be measured."),
        ),
    )
    publication: str | None = field(
        default=None,
        metadata=in_plan(
            TABLE,
            ValueKind.TEXT,
            _("Publication"),
            "",
            _("A transactional one with the test table among its articles; leave empty to take one that has it."),
            stated=_("publication {value} of {database} at {publisher}, delivered to {subscriber}"),
            is_quiet=True,
        ),
    )
    subscriber: str | None = field(
        default=None,
        metadata=in_plan(
            TABLE,
            ValueKind.TEXT,
            _("Subscriber"),
            "",
            _("Its Distribution Agent takes part; leave empty to take one that can be measured."),
        ),
    )

    source: WorkSource | None = field(
        default=None,
        metadata=in_plan(
            TABLE,
            ValueKind.CHOICE,
            _("Where the work comes from"),
            "",
            _(
                "The client's own work, of which nothing is written: what waits already, what gathers while the agent "
                "is held, or what arrives anyway. Or a test table of this program's, for a site of one's own."
            ),
            choices=tuple(WorkSource),
            option_titles=(
                _("a test table that is written"),
                _("the backlog that waits already"),
                _("what gathers while the agent is held"),
                _("what arrives anyway"),
            ),
            when_empty=_("what the site has"),
            stated=_("the client's own work, of which nothing was written: {value}"),
            unstated=(str(WorkSource.TEST_TABLE),),
        ),
    )

    @property
    def mean_commands_per_transaction(self) -> float:
        """The mean number of commands of a transaction."""
        return sum(self.commands_per_transaction) / 2

    @property
    def named(self) -> Named:
        """Return the names of the measured part of a site."""
        return Named(self.publisher or "", self.database or "", self.publication or "", self.subscriber or "")

    def to_load(self) -> Load:
        """Return it as a plan keeps it."""
        source = None if self.source is None else str(self.source)
        return Load.from_mapping({**vars(self), "scenario": str(self.scenario), SOURCE: source})


def workload_of(load: Load) -> WorkloadSpec:
    """Return the workload a plan keeps; missing values take their defaults."""
    names = {declared.name for declared in fields(WorkloadSpec)}
    values: Mapping[str, Any] = {name: value for name, value in load.items() if name in names}
    made = WorkloadSpec(**values)
    source = None if made.source is None else WorkSource(made.source)
    return replace(made, scenario=Scenario(made.scenario), source=source)


OF_TEST_TABLE: Final = ("scenario", "commands", "duration_s", "rate_per_s")
"""The keys that say nothing of the client's own work."""

_NAMES: Final = ("publisher", "database", "publication", "subscriber")
_ORDER: Final = (
    *_NAMES,
    SOURCE,
    "scenario",
    "commands",
    "duration_s",
    "rate_per_s",
    "commands_per_transaction",
    "agent_pairs",
)

_WRITTEN: Final = (*OF_TEST_TABLE, "commands_per_transaction")
_OWN_WORK: Final = (SOURCE, tuple(str(source) for source in WorkSource if source.is_own_work))

WINDOWED_LOAD: Final[tuple[PlanField, ...]] = tuple(
    replace(declared, hidden_when=_OWN_WORK if declared.name in _WRITTEN else None)
    for declared in sorted(fields_of(WorkloadSpec), key=lambda declared: _ORDER.index(declared.name))
)
"""The load as plans and forms have it where a test table may be written once for many windows."""

AGENT_LOAD: Final = tuple(
    replace(declared, choices=declared.choices[:-1], option_titles=declared.option_titles[:-1])
    if declared.name == SCENARIO
    else declared
    for declared in WINDOWED_LOAD
)
"""The load where it may not: a window that a slow line makes long takes as much as a trial."""


def agent_sets_the_rate(plan: Plan | None, conditions: Setting) -> bool:
    """Tell whether a measured rate is the agent's own: it had a backlog in front of it all the time.

    Behind a steady workload that it keeps up with, its rate is that of the workload.
    """
    source = work_source_of(plan.load) if plan is not None else conditions.get("source")
    if source in set(WorkSource) - {WorkSource.TEST_TABLE}:
        return WorkSource(str(source)).shows_capacity
    if plan is not None:
        return workload_of(plan.load).scenario is not Scenario.CONTINUOUS or workload_of(plan.load).rate_per_s is None
    return conditions.get("scenario") != str(Scenario.CONTINUOUS)


AGENT_CONDITIONS: Final = (
    Condition(
        "commands_per_transaction",
        "commands",
        may_be_range=True,
        called=("commands/transaction", "cmds/tran", "cmds per tran", "commands per tran", "rows per transaction"),
    ),
    Condition("agent_pairs", "count"),
    Condition("scenario", choices=tuple(scenario.value for scenario in Scenario)),
    Condition("commands", "commands"),
)
"""What the families accept from measurements made elsewhere."""
