"""Whose words the texts are that replication's statements and changes leave in a session: names unless said here."""

from collections.abc import Mapping
from typing import Final

from app.domain.change import INSTANCE, LEFT, RUN_FOUND, RUN_LEFT
from app.domain.naming import DeclaredTexts, Holds, words
from app.drivers.sqlserver.declared import PUBLIC_NAMES, declared_parameters
from app.systems.transactional_replication.naming import AGENT, PUBLICATION, name_kinds
from app.systems.transactional_replication.server.agent_changes import AGENT_STARTED, AGENT_STOPPED
from app.systems.transactional_replication.server.profile_parameter import PROFILE_PARAMETER
from app.systems.transactional_replication.server.profile_plans import DEDICATED_PROFILE, PROFILE_ASSIGNMENT
from app.systems.transactional_replication.server.step_changes import JOB_STEP_TOKEN
from app.systems.transactional_replication.server.tracer_tokens import TRACER_TOKEN
from app.systems.transactional_replication.site import kept_replication

# Words of replication, and the profiles every installation is delivered with, with and without "agent profile" after
# them (MicrosoftDocs/sql-docs: docs/relational-databases/replication/agents/replication-agent-profiles.md).
_PUBLIC_NAMES: Final = frozenset(
    {"push", "pull", "publisher", "subscriber", "distributor", "default agent profile"}
    | {"verbose history", "verbose history agent profile"}
    | {"windows synchronization manager", "windows synchronization manager profile"}
    | {"continue on data consistency errors", "distribution profile for oledb streaming"}
)

_AGENT: Final = {"agent_name": AGENT, "distribution_db": Holds.DATABASE, **words("agent_kind", "job_id")}
_RUN: Final = words(RUN_FOUND, RUN_LEFT)
_VALUES: Final = _RUN | words("parameter", "parameter_name", "original_value", "new_value", "masked_hash")
DETAILS: Final[Mapping[str, Mapping[str, Holds]]] = {
    AGENT_STOPPED: {**_AGENT, **words("session_start", LEFT)},
    AGENT_STARTED: {**_AGENT, **words("planned_utc", LEFT)},
    JOB_STEP_TOKEN: {**_AGENT, **_VALUES},
    DEDICATED_PROFILE: {**_AGENT, "description": Holds.SENTENCE},
    PROFILE_PARAMETER: {**_AGENT, **_VALUES},
    PROFILE_ASSIGNMENT: {**_AGENT, **_RUN, "original": Holds.NAME, "new": Holds.NAME},
    TRACER_TOKEN: {
        "publisher": Holds.SERVER,
        "publisher_at": Holds.SERVER,
        "publisher_db": Holds.DATABASE,
        "publication": PUBLICATION,
        "distribution_db": Holds.DATABASE,
        **words(INSTANCE, "from_local", "from_utc", "until_local", "until_utc", "post_until_local"),
    },
}


def declared_texts() -> DeclaredTexts:
    """Return the declarations of the statements' headers and of the kinds of change; raises as `catalogue` does."""
    return DeclaredTexts(
        declared_parameters(),
        DETAILS,
        public=PUBLIC_NAMES | _PUBLIC_NAMES,
        kept=(kept_replication,),
        kinds=name_kinds(),
    )
