"""What is documented of the parameters this program shows and changes: defaults by release, limits, gates, risks.

Sources: DBMS_APPLY_ADM.SET_PARAMETER, DBMS_CAPTURE_ADM.SET_PARAMETER and ALTER_CAPTURE, DBMS_AQADM.
ALTER_PROPAGATION_SCHEDULE in Oracle Database PL/SQL Packages and Types Reference; Streams health check scripts
(dhoogfr/toolbox streams_hc_10GR2.sql and streams_hc_12_1_0_1.sql); what has no public definition says so.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from app.foundation.texts import _
from app.systems.oracle_streams.pipeline import StreamsComponent
from app.systems.oracle_streams.server.versions import Release, is_in

INFINITE: Final = "INFINITE"
LARGEST: Final = 4_294_967_295


class ValueKind(StrEnum):
    """What a parameter takes."""

    WHOLE = "whole"
    WHOLE_OR_INFINITE = "whole or infinite"
    FLAG = "flag"
    CHOICE = "choice"
    DAYS = "days"
    SECONDS = "seconds"
    BYTES = "bytes"


@dataclass(frozen=True)
class DocumentedParameter:
    """One parameter.

    Attributes:
        name: as this program and its plans call it: the vendor's name, with the component in front where an apply
            parameter has the same.
        vendor_name: as the server knows it.
        defaults: the default from a release on, newest first; none where it is not known.
        since, until: releases that have it, `until` no longer; () for no limit.
        risk: what may go wrong, one sentence; every hidden one has it.
        is_changed: False where it is only shown and put back.
    """

    name: str
    component: StreamsComponent
    kind: ValueKind
    unit: str
    defaults: tuple[tuple[Release, str], ...] = ()
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()
    since: Release = ()
    until: Release = ()
    vendor_name: str = ""
    risk: str = ""
    is_changed: bool = True

    @property
    def server_name(self) -> str:
        """The name the server knows."""
        return self.vendor_name or self.name

    @property
    def is_hidden(self) -> bool:
        """Whether the views leave it out until somebody sets it."""
        return self.server_name.startswith("_")

    def default_in(self, release: Release) -> str:
        """Return the default in a release, "" where it is not known."""
        return next((value for since, value in self.defaults if release >= since), "")

    def is_known_in(self, release: Release) -> bool:
        """Tell whether a release has it."""
        return is_in(release, self.since, self.until)


_CAPTURE: Final = StreamsComponent.CAPTURE
_APPLY: Final = StreamsComponent.APPLY
_COMPARE_RISK: Final = _("compares keys only, so that rows that differ between the two databases are not noticed")
_MEMORY_RISK: Final = _("takes its memory from the Streams pool; Oracle wants hidden parameters set on its advice only")
_HIDDEN_RISK: Final = _("is hidden: what it does may change silently, and Oracle wants it set on its advice only")

PARAMETERS: Final[tuple[DocumentedParameter, ...]] = (
    DocumentedParameter(
        "PARALLELISM",
        _APPLY,
        ValueKind.WHOLE,
        "apply servers",
        defaults=(((11, 2), "4"), ((11, 1), ""), ((10, 2), "1")),
        low=1,
        high=LARGEST,
    ),
    DocumentedParameter(
        "TXN_LCR_SPILL_THRESHOLD",
        _APPLY,
        ValueKind.WHOLE_OR_INFINITE,
        "LCRs",
        defaults=(((10, 2), "10000"),),
        low=1,
        high=LARGEST,
        since=(10, 2),
    ),
    DocumentedParameter(
        "TXN_AGE_SPILL_THRESHOLD",
        _APPLY,
        ValueKind.WHOLE_OR_INFINITE,
        "s",
        defaults=(((11, 1), "900"),),
        low=1,
        high=LARGEST,
        since=(11, 1),
    ),
    DocumentedParameter(
        "COMMIT_SERIALIZATION",
        _APPLY,
        ValueKind.CHOICE,
        "",
        defaults=(((11, 2), "DEPENDENT_TRANSACTIONS"), ((10, 2), "FULL")),
        choices=("DEPENDENT_TRANSACTIONS", "FULL", "NONE"),
    ),
    DocumentedParameter("DISABLE_ON_ERROR", _APPLY, ValueKind.FLAG, "", defaults=(((10, 2), "Y"),)),
    DocumentedParameter("_DYNAMIC_STMTS", _APPLY, ValueKind.FLAG, "", risk=_HIDDEN_RISK),
    DocumentedParameter("_HASH_TABLE_SIZE", _APPLY, ValueKind.WHOLE, "entries", low=1, high=LARGEST, risk=_MEMORY_RISK),
    DocumentedParameter(
        "_TXN_BUFFER_SIZE",
        _APPLY,
        ValueKind.WHOLE,
        "transactions",
        low=1,
        high=LARGEST,
        until=(11, 2, 0, 2),
        risk=_HIDDEN_RISK,
    ),
    DocumentedParameter(
        "_CMPKEY_ONLY",
        _APPLY,
        ValueKind.FLAG,
        "",
        defaults=(((11, 1), "N"),),
        until=(11, 2, 0, 2),
        risk=_COMPARE_RISK,
    ),
    DocumentedParameter(
        "COMPARE_KEY_ONLY",
        _APPLY,
        ValueKind.FLAG,
        "",
        defaults=(((11, 2, 0, 2), "N"),),
        since=(11, 2, 0, 2),
        risk=_COMPARE_RISK,
    ),
    DocumentedParameter("_RESTRICT_ALL_REF_CONS", _APPLY, ValueKind.FLAG, "", risk=_HIDDEN_RISK, is_changed=False),
    DocumentedParameter(
        "CAPTURE_PARALLELISM",
        _CAPTURE,
        ValueKind.WHOLE,
        "preparers",
        vendor_name="PARALLELISM",
        defaults=(((10, 2), "1"),),
        low=1,
        high=LARGEST,
    ),
    DocumentedParameter("_CHECKPOINT_FORCE", _CAPTURE, ValueKind.FLAG, "", risk=_HIDDEN_RISK),
    DocumentedParameter(
        "_CHECKPOINT_FREQUENCY",
        _CAPTURE,
        ValueKind.WHOLE,
        "MB",
        defaults=(((11, 1), "1000"), ((10, 2), "10")),
        low=1,
        high=LARGEST,
        risk=_HIDDEN_RISK,
    ),
    DocumentedParameter(
        "_SGA_SIZE",
        _CAPTURE,
        ValueKind.WHOLE,
        "MB",
        defaults=(((10, 2), "10"),),
        low=1,
        high=LARGEST,
        risk=_MEMORY_RISK,
    ),
    DocumentedParameter(
        "CHECKPOINT_RETENTION_TIME",
        _CAPTURE,
        ValueKind.DAYS,
        "days",
        defaults=(((10, 2), "60"),),
        low=0,
        high=LARGEST,
        since=(10, 2),
    ),
    DocumentedParameter(
        "LATENCY",
        StreamsComponent.PROPAGATION,
        ValueKind.SECONDS,
        "s",
        defaults=(((10, 2), "60"),),
        low=0,
        high=LARGEST,
    ),
    DocumentedParameter(
        "streams_pool_size",
        StreamsComponent.DESTINATION_DATABASE,
        ValueKind.BYTES,
        "bytes",
        defaults=(((10, 2), "0"),),
        low=0,
        since=(10, 1),
    ),
)

_OTHER_SPELLINGS: Final = {
    "PROPAGATION_LATENCY": "LATENCY",
    "APPLY_PARALLELISM": "PARALLELISM",
}


def documented(name: str) -> DocumentedParameter | None:
    """Return a parameter by its name in any letters, None where this program does not know it."""
    wanted = _OTHER_SPELLINGS.get(name.upper(), name).upper()
    return next((parameter for parameter in PARAMETERS if parameter.name.upper() == wanted), None)


def documented_at_server(component: StreamsComponent, name: str) -> DocumentedParameter | None:
    """Return a parameter by its component and the server's name of it."""
    return next((p for p in PARAMETERS if p.component is component and p.server_name == name), None)
