"""Agent parameters as the vendor documents them: what a value means when neither server nor site says more.

Defaults and limits come from Microsoft's agent pages (replication-log-reader-agent.md and
replication-distribution-agent.md in MicrosoftDocs/sql-docs, docs/relational-databases/replication/agents); a limit is
None where the page states none. A server's own list (msdb.dbo.MSagentparameterlist) goes first.
"""

from dataclasses import dataclass
from typing import Final

from app.systems.transactional_replication.agent_kind import AgentKind

_READER: Final = AgentKind.LOG_READER
_DISTRIBUTION: Final = AgentKind.DISTRIBUTION


@dataclass(frozen=True)
class DocumentedParameter:
    """One numeric parameter of an agent: spelling without a dash, default as text, limits inclusive.

    Attributes:
        is_job_step_only: it cannot be set in a profile, or does not show there.
    """

    agent: AgentKind
    name: str
    unit: str
    default: str
    low: int | None = None
    high: int | None = None
    is_job_step_only: bool = False


# Not settable in a profile: SubscriptionStreams (Microsoft KB953199: not visible there), MaxCmdsInTran and the Log
# Reader Agent's KeepAliveMessageInterval (not in the list of sp_change_agent_parameter; SQL Server 2025 refuses
# MaxCmdsInTran with Msg 21806).
_ALL: Final = (
    DocumentedParameter(_READER, "ReadBatchSize", "transactions", "500", None, 10_000),
    DocumentedParameter(_READER, "ReadBatchThreshold", "commands", "0"),
    DocumentedParameter(_READER, "MaxCmdsInTran", "commands", "0", is_job_step_only=True),
    DocumentedParameter(_READER, "PollingInterval", "s", "5"),
    DocumentedParameter(_READER, "LogScanThreshold", "", "500000"),
    DocumentedParameter(_READER, "PacketSize", "bytes", "4096"),
    DocumentedParameter(_READER, "HistoryVerboseLevel", "", "1", 0, 2),
    DocumentedParameter(_READER, "QueryTimeOut", "s", "1800"),
    DocumentedParameter(_READER, "LoginTimeOut", "s", "15"),
    DocumentedParameter(_READER, "MessageInterval", "s", "60"),
    DocumentedParameter(_READER, "KeepAliveMessageInterval", "s", "300", is_job_step_only=True),
    DocumentedParameter(_READER, "OutputVerboseLevel", "", "2", 0, 4),
    DocumentedParameter(_DISTRIBUTION, "CommitBatchSize", "transactions", "100", None, 10_000),
    DocumentedParameter(_DISTRIBUTION, "CommitBatchThreshold", "commands", "1000", None, 10_000),
    DocumentedParameter(_DISTRIBUTION, "SubscriptionStreams", "connections", "1", 0, 64, is_job_step_only=True),
    DocumentedParameter(_DISTRIBUTION, "MaxBcpThreads", "", "1", 1, 8),
    DocumentedParameter(_DISTRIBUTION, "BcpBatchSize", "", "100000"),
    DocumentedParameter(_DISTRIBUTION, "MaxDeliveredTransactions", "transactions", "0"),
    DocumentedParameter(_DISTRIBUTION, "PollingInterval", "s", "5"),
    DocumentedParameter(_DISTRIBUTION, "TransactionsPerHistory", "transactions", "100", 0, 10_000),
    DocumentedParameter(_DISTRIBUTION, "HistoryVerboseLevel", "", "1", 0, 3),
    DocumentedParameter(_DISTRIBUTION, "PacketSize", "bytes", "4096"),
    DocumentedParameter(_DISTRIBUTION, "QueryTimeOut", "s", "1800"),
    DocumentedParameter(_DISTRIBUTION, "LoginTimeOut", "s", "15"),
    DocumentedParameter(_DISTRIBUTION, "OledbStreamThreshold", "bytes", "16384", 400, 1_048_576),
    DocumentedParameter(_DISTRIBUTION, "KeepAliveMessageInterval", "s", "300"),
    DocumentedParameter(_DISTRIBUTION, "MessageInterval", "s", "60"),
    DocumentedParameter(_DISTRIBUTION, "OutputVerboseLevel", "", "2", 0, 2),
)

# @agent_type of the profile procedures (sp-help-agent-profile-transact-sql.md).
AGENT_TYPES: Final = {AgentKind.LOG_READER: 2, AgentKind.DISTRIBUTION: 3}


def documented(agent: AgentKind) -> dict[str, DocumentedParameter]:
    """Return the documented numeric parameters of an agent by name in lower case, because SQL Server ignores case."""
    return {parameter.name.lower(): parameter for parameter in _ALL if parameter.agent is agent}


def goes_by_step(agent: AgentKind, name: str, origin: str) -> bool:
    """Tell whether a parameter is set in the agent's job step: no profile takes it, or it stands in the step already.

    A value in the job step beats the profile, so it is changed where it stands.

    Args:
        origin: where the value in effect comes from, as in `EffectiveParameter`.
    """
    found = documented(agent).get(name.lower())
    return origin == "job step" or (found is not None and found.is_job_step_only)
