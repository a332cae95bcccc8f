"""The parameters of the agents, a line each: the vendor's documentation, and the families' levels of it.

Defaults and limits come from Microsoft's agent pages (replication-log-reader-agent.md and
replication-distribution-agent.md in MicrosoftDocs/sql-docs, docs/relational-databases/replication/agents); a limit is
None where the page states none. A server's own list (msdb.dbo.MSagentparameterlist) goes first.
"""

from dataclasses import dataclass
from typing import Final

from app.domain.setting import Costly, Parameter, Setting, Value, number_of
from app.foundation.texts import _
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.enumerations import AGENT_TYPE
from app.systems.transactional_replication.origins import STEP, STEP_PROFILE

_READER: Final = AgentKind.LOG_READER
_DISTRIBUTION: Final = AgentKind.DISTRIBUTION
_PAGES: Final = {
    _READER: "Microsoft Learn: Replication Log Reader Agent",
    _DISTRIBUTION: "Microsoft Learn: Replication Distribution Agent",
}


@dataclass(frozen=True)
class Varied:
    """How a family varies a parameter.

    Attributes:
        family: its id.
        place: where it stands among the family's parameters; the smallest first.
        levels: what is offered.
        low, high: what may be planned; None for the documented limit.
    """

    family: str
    place: int
    levels: tuple[int, ...]
    help: str
    low: int | None = None
    high: int | None = None


@dataclass(frozen=True)
class DocumentedParameter:
    """One numeric parameter of an agent: spelling without a dash, default as text, limits inclusive.

    Attributes:
        is_job_step_only: it cannot be set in a profile, or does not show there.
        is_listed: servers have it in their list.
        fact: what a rule calls its value in effect, "" where no rule asks for it.
        costly: which of its values cost more, for whoever chooses between settings that do equally well.
        varied: the families that vary it.
        more_sources: of what stands here, beside the agent's page.
        called: as in `Parameter`.
    """

    agent: AgentKind
    name: str
    unit: str
    default: str
    low: int | None = None
    high: int | None = None
    is_job_step_only: bool = False
    is_listed: bool = True
    fact: str = ""
    costly: Costly | None = None
    varied: tuple[Varied, ...] = ()
    more_sources: str = ""
    called: tuple[str, ...] = ()

    def as_varied(self, varied: Varied) -> Parameter:
        """Return the parameter as a family varies it."""
        low, high = (
            (self.low if varied.low is None else varied.low),
            (self.high if varied.high is None else varied.high),
        )
        source = _PAGES[self.agent] + self.more_sources
        return Parameter(
            self.name,
            self.unit,
            int(self.default),
            low,
            high,
            varied.levels,
            varied.help,
            source,
            costly=self.costly,
            called=self.called,
        )


STREAMS: Final = "SubscriptionStreams"
_LEAST_STREAMS: Final = 2
DELIVERING: Final = ("CommitBatchSize", "CommitBatchThreshold", STREAMS)
"""What the pace of a Distribution Agent depends on, in the order the curve of delivery takes it."""

# Not settable in a profile: SubscriptionStreams (Microsoft KB953199: not visible there), MaxCmdsInTran and the Log
# Reader Agent's KeepAliveMessageInterval (not in the list of sp_change_agent_parameter; SQL Server 2025 refuses
# MaxCmdsInTran with Msg 21806).
PARAMETERS: Final = (
    DocumentedParameter(
        _READER,
        "ReadBatchSize",
        "transactions",
        "500",
        None,
        10_000,
        fact="read_batch_size_now",
        costly=Costly.HIGHER,
        varied=(
            Varied(
                "log_reader",
                1,
                (500, 1_000, 2_500, 5_000, 10_000),
                _(
                    "Most transactions the agent reads from the log and writes to the distribution database in one "
                    "batch. Larger batches save round trips, and stay invisible to the Distribution Agent for longer."
                ),
                low=1,
            ),
        ),
    ),
    DocumentedParameter(
        _READER,
        "ReadBatchThreshold",
        "commands",
        "0",
        varied=(
            Varied(
                "log_reader",
                2,
                (0, 1_000, 5_000),
                _("Commands after which a batch is written although ReadBatchSize is not reached; 0 sets no limit."),
                low=0,
            ),
        ),
    ),
    DocumentedParameter(
        _READER, "MaxCmdsInTran", "commands", "0", is_job_step_only=True, is_listed=False, fact="max_cmds_in_tran"
    ),
    DocumentedParameter(
        _READER,
        "PollingInterval",
        "s",
        "5",
        fact="polling_interval_s",
        costly=Costly.LOWER,
        varied=(
            Varied(
                "log_reader",
                3,
                (1, 5, 10),
                _(
                    "Seconds between two looks at the log once it is read to its end. Lower cuts latency, higher "
                    "spares the log."
                ),
                low=1,
            ),
        ),
    ),
    DocumentedParameter(_READER, "LogScanThreshold", "", "500000"),
    DocumentedParameter(_READER, "PacketSize", "bytes", "4096"),
    DocumentedParameter(_READER, "HistoryVerboseLevel", "", "1", 0, 2, fact="history_verbose_level"),
    DocumentedParameter(_READER, "QueryTimeOut", "s", "1800"),
    DocumentedParameter(_READER, "LoginTimeOut", "s", "15"),
    DocumentedParameter(_READER, "MessageInterval", "s", "60"),
    DocumentedParameter(_READER, "KeepAliveMessageInterval", "s", "300", is_job_step_only=True),
    DocumentedParameter(_READER, "OutputVerboseLevel", "", "2", 0, 4),
    DocumentedParameter(
        _DISTRIBUTION,
        "CommitBatchSize",
        "transactions",
        "100",
        None,
        10_000,
        fact="commit_batch_size_now",
        costly=Costly.HIGHER,
        varied=(
            Varied(
                "distribution_agent",
                1,
                (100, 150, 200, 250, 500, 1_000),
                _(
                    "Transactions applied at the Subscriber before a COMMIT. Larger batches commit less often, "
                    "and a failure rolls more of them back."
                ),
                low=1,
            ),
            Varied(
                "wan_delivery",
                2,
                (50, 100, 200),
                _(
                    "Transactions applied before a COMMIT, each commit costing round trips. Keep it low where lines "
                    "break often."
                ),
                low=1,
            ),
        ),
    ),
    DocumentedParameter(
        _DISTRIBUTION,
        "CommitBatchThreshold",
        "commands",
        "1000",
        None,
        10_000,
        fact="commit_batch_threshold",
        costly=Costly.HIGHER,
        varied=(
            Varied(
                "distribution_agent",
                2,
                (1_000, 2_500, 5_000),
                _("Commands applied before a COMMIT although CommitBatchSize is not reached."),
                low=1,
            ),
        ),
    ),
    DocumentedParameter(
        _DISTRIBUTION,
        STREAMS,
        "connections",
        "1",
        0,
        64,
        is_job_step_only=True,
        is_listed=False,
        fact="subscription_streams_now",
        more_sources="; Microsoft KB953199",
        called=("streams", "parallel streams", "number of streams"),
        costly=Costly.HIGHER,
        varied=(
            Varied(
                "distribution_agent",
                3,
                (1, 2, 4, 8, 16),
                _(
                    "Connections that apply one batch in parallel at the Subscriber. More save time until they block "
                    "each other; one failing stream makes the agent retry the batch on a single one."
                ),
                low=1,
            ),
            Varied(
                "wan_delivery",
                1,
                (1, 8, 16),
                _(
                    "Connections that apply one batch in parallel at the Subscriber. On a distant link each waits for "
                    "its own round trips, so more of them fill the line until its bandwidth is used up."
                ),
                low=1,
            ),
        ),
    ),
    DocumentedParameter(_DISTRIBUTION, "MaxBcpThreads", "", "1", 1, 8),
    DocumentedParameter(_DISTRIBUTION, "BcpBatchSize", "", "100000"),
    DocumentedParameter(_DISTRIBUTION, "MaxDeliveredTransactions", "transactions", "0"),
    DocumentedParameter(_DISTRIBUTION, "PollingInterval", "s", "5", fact="polling_interval_s"),
    DocumentedParameter(_DISTRIBUTION, "TransactionsPerHistory", "transactions", "100", 0, 10_000),
    DocumentedParameter(_DISTRIBUTION, "HistoryVerboseLevel", "", "1", 0, 3, fact="history_verbose_level"),
    DocumentedParameter(
        _DISTRIBUTION,
        "PacketSize",
        "bytes",
        "4096",
        more_sources="; limits: Microsoft Learn, Configure the network packet size server configuration option",
        costly=Costly.HIGHER,
        varied=(
            Varied(
                "wan_delivery",
                3,
                # 16,383 bytes is the most an encrypted connection allows, and newer drivers encrypt unless told not to.
                (4_096, 8_192, 12_288),
                _(
                    "Size of the network packets between agent and Subscriber; larger ones need fewer round trips for "
                    "large rows. An encrypted connection allows 16,383 bytes at most."
                ),
                low=512,
                high=32_767,
            ),
        ),
    ),
    DocumentedParameter(_DISTRIBUTION, "QueryTimeOut", "s", "1800"),
    DocumentedParameter(_DISTRIBUTION, "LoginTimeOut", "s", "15"),
    DocumentedParameter(_DISTRIBUTION, "OledbStreamThreshold", "bytes", "16384", 400, 1_048_576),
    DocumentedParameter(_DISTRIBUTION, "KeepAliveMessageInterval", "s", "300"),
    DocumentedParameter(_DISTRIBUTION, "MessageInterval", "s", "60"),
    DocumentedParameter(_DISTRIBUTION, "OutputVerboseLevel", "", "2", 0, 2),
)

FACTS_IN_EFFECT: Final = {parameter.name: parameter.fact for parameter in PARAMETERS if parameter.fact}
"""What a rule calls the value in effect, by the name of the parameter."""

AGENT_TYPES: Final = {AgentKind(kind): int(number) for number, kind in AGENT_TYPE.words.items()}
"""@agent_type of the profile procedures."""


def documented(agent: AgentKind) -> dict[str, DocumentedParameter]:
    """Return the documented numeric parameters of an agent by name in lower case, because SQL Server ignores case."""
    return {parameter.name.lower(): parameter for parameter in PARAMETERS if parameter.agent is agent}


def varied_by(family: str) -> tuple[Parameter, ...]:
    """Return the parameters a family varies, in the order it shows them."""
    lines = ((one, parameter) for parameter in PARAMETERS for one in parameter.varied if one.family == family)
    return tuple(parameter.as_varied(one) for one, parameter in sorted(lines, key=lambda line: line[0].place))


def goes_by_step(agent: AgentKind, name: str, origin: str) -> bool:
    """Tell whether a parameter is set in the agent's job step: no profile takes it, or it stands in the step already.

    A value in the job step beats the profile, so it is changed where it stands; a profile that the step names beats the
    assigned one, so that no assigned one would count.

    Args:
        origin: where the value in effect comes from, as in `EffectiveParameter`.
    """
    documented_parameter = documented(agent).get(name.lower())
    return origin in (STEP, STEP_PROFILE) or (
        documented_parameter is not None and documented_parameter.is_job_step_only
    )


def may_fall_back(parameter: str) -> bool:
    """Tell whether values of a parameter let an agent fall back to a single stream."""
    return parameter == STREAMS


def streams_of(setting: Setting) -> float:
    """Return the streams of a setting; with a single one the message about single connection mode changes nothing."""
    return number_of(setting.get(STREAMS, 1))


def needs_server_state(parameter: str, value: Value | None) -> bool:
    """Tell whether the agent's account needs VIEW SERVER STATE at the Subscriber for a value, a number or its text."""
    return parameter == STREAMS and str(value).isdecimal() and int(str(value)) >= _LEAST_STREAMS
