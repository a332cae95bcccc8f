"""Whose words the texts are that Oracle's statements and changes leave in a session: names unless said here."""

from collections.abc import Mapping
from typing import Final

from app.domain.change import LEFT, RUN_FOUND, RUN_LEFT
from app.domain.naming import DeclaredTexts, Holds, words
from app.drivers.oracle.catalogue import catalogue
from app.systems.oracle_streams.naming import PROCESS, name_kinds
from app.systems.oracle_streams.server.attribute_changes import (
    CHECKPOINT_RETENTION,
    PROPAGATION_LATENCY,
    STREAMS_POOL_SIZE,
)
from app.systems.oracle_streams.server.parameter_changes import PROCESS_PARAMETER
from app.systems.oracle_streams.server.process_changes import APPLY_STOPPED, SERVER_TRACED
from app.systems.oracle_streams.server.table_changes import TABLE_INSTANTIATED, TABLE_PREPARED, TEST_TABLE
from app.systems.oracle_streams.site import kept_streams

# Accounts every database has, the word for the product, and the words its parameters take.
PUBLIC_NAMES: Final = frozenset(
    {"sys", "system", "public", "source", "destination", "streams"}
    | {"y", "n", "yes", "no", "true", "false", "none", "full", "dependent_transactions", "infinite"}
)

# V$SESSION and gv$session are views of the vendor's; an account or a service called SRV$SALES is the client's.
VIEW_PREFIXES: Final = frozenset({"v$", "gv$"})

DETAILS: Final[Mapping[str, Mapping[str, Holds]]] = {
    PROCESS_PARAMETER: {
        "process": PROCESS,
        **words("component", "technology", "parameter", "original_value", "new_value", RUN_FOUND, RUN_LEFT),
    },
    CHECKPOINT_RETENTION: {"capture": PROCESS},
    PROPAGATION_LATENCY: {"propagation": PROCESS},
    STREAMS_POOL_SIZE: {"instance": Holds.SERVER, **words("end")},
    APPLY_STOPPED: {"apply": PROCESS, **words("technology", LEFT)},
    SERVER_TRACED: {"apply": PROCESS},
    TEST_TABLE: {"schema": Holds.LOGIN, **words("end", "remark")},
    TABLE_PREPARED: {"schema": Holds.LOGIN},
    TABLE_INSTANTIATED: {"schema": Holds.LOGIN, "source_database": Holds.DATABASE},
}


def declared_texts() -> DeclaredTexts:
    """Return the declarations of the statements' headers and of the kinds of change; raises as `catalogue` does."""
    parameters = {name: {bind.name: bind.holds for bind in statement.binds} for name, statement in catalogue().items()}
    return DeclaredTexts(
        parameters,
        DETAILS,
        public=PUBLIC_NAMES,
        kept=(kept_streams,),
        kinds=name_kinds(),
        view_prefixes=VIEW_PREFIXES,
    )
