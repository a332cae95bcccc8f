"""Columns of replication's tables and of msdb that hold one of a few values."""

from typing import Final

from app.foundation.enumeration import Enumeration
from app.systems.transactional_replication.agent_kind import AgentKind

_DOCS: Final = "MicrosoftDocs/sql-docs:docs/relational-databases/system-tables"

AGENT_TYPE: Final = Enumeration(
    "agent_type",
    {2: AgentKind.LOG_READER, 3: AgentKind.DISTRIBUTION},
    "MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-help-agent-profile-transact-sql.md",
)
"""Written by the statements themselves."""

PUSH: Final = "push"
PULL: Final = "pull"
ANONYMOUS: Final = "anonymous"
SUBSCRIPTION_TYPE: Final = Enumeration(
    "subscription_type", {0: PUSH, 1: PULL, 2: ANONYMOUS}, f"{_DOCS}/msdistribution-agents-transact-sql.md"
)
CUSTOM_PROFILE: Final = "custom"
PROFILE_TYPE: Final = Enumeration(
    "profile_type", {0: "system", 1: CUSTOM_PROFILE}, f"{_DOCS}/msagent-profiles-transact-sql.md"
)
RUN_STATUS: Final = Enumeration(
    "run_status",
    {0: "failed", 1: "succeeded", 2: "retry", 3: "stopped by somebody", 4: "in progress"},
    f"{_DOCS}/dbo-sysjobhistory-transact-sql.md",
)
RUNSTATUS: Final = Enumeration(
    "runstatus",
    {1: "start", 2: "succeed", 3: "in progress", 4: "idle", 5: "retry", 6: "fail"},
    f"{_DOCS}/msdistribution-history-transact-sql.md",
)

ENUMERATIONS: Final = (SUBSCRIPTION_TYPE, PROFILE_TYPE, RUN_STATUS, RUNSTATUS)
