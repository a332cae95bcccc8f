"""The parameters this program shows, changes and varies, each once: defaults by release, limits, gates, risks, levels.

Sources: DBMS_APPLY_ADM.SET_PARAMETER, DBMS_CAPTURE_ADM.SET_PARAMETER and ALTER_CAPTURE, DBMS_AQADM.
ALTER_PROPAGATION_SCHEDULE in Oracle Database PL/SQL Packages and Types Reference; Streams health check scripts
(dhoogfr/toolbox streams_hc_10GR2.sql and streams_hc_12_1_0_1.sql); what has no public definition says so.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from app.domain.setting import Costly, Parameter, Value
from app.foundation.texts import _
from app.systems.oracle_streams.pipeline import StreamsComponent
from app.systems.oracle_streams.server.versions import Release, is_in

INFINITE: Final = "INFINITE"
LARGEST: Final = 4_294_967_295
"""The largest number a parameter of a process takes; it stands for INFINITE, too, which no transaction reaches."""

_APPLY_PAGE: Final = "Oracle Database PL/SQL Packages and Types Reference: DBMS_APPLY_ADM.SET_PARAMETER"
_CAPTURE_PAGE: Final = "Oracle Database PL/SQL Packages and Types Reference: DBMS_CAPTURE_ADM.SET_PARAMETER"
_HEALTH_CHECK: Final = "Oracle Streams health check script (streams_hc_10GR2.sql)"
_NO_PAGE: Final = "no public definition; set in the Streams performance tests published on 26 May 2009"


class ValueKind(StrEnum):
    """The type of a parameter's value."""

    WHOLE = "whole"
    WHOLE_OR_INFINITE = "whole or infinite"
    FLAG = "flag"
    CHOICE = "choice"
    DAYS = "days"
    SECONDS = "seconds"
    BYTES = "bytes"


@dataclass(frozen=True)
class Varied:
    """How an experiment varies a parameter.

    Attributes:
        place: where it stands among those that are varied; the smallest first.
        unit, default: of the experiment, which has no words for a release.
        levels: what is offered.
        risk: what may go wrong with a hidden one, which Oracle supports only where its own support advised it.
        costly: which of its values cost more, for whoever chooses between settings that do equally well.
        called: as in `Parameter`.
    """

    place: int
    unit: str
    default: Value
    levels: tuple[Value, ...]
    help: str
    source: str
    risk: str = ""
    costly: Costly | None = None
    called: tuple[str, ...] = ()


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
        varied: how an experiment varies it; None where none does.
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
    varied: Varied | None = None

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
_MEMORY_RISK: Final = _("takes its memory from the Streams pool; set hidden parameters only on Oracle's advice")
_HIDDEN_RISK: Final = _("is hidden: what it does may change silently; set it only on Oracle's advice")

PARAMETERS: Final[tuple[DocumentedParameter, ...]] = (
    DocumentedParameter(
        "PARALLELISM",
        _APPLY,
        ValueKind.WHOLE,
        "apply servers",
        defaults=(((11, 2), "4"), ((11, 1), ""), ((10, 2), "1")),
        low=1,
        high=LARGEST,
        varied=Varied(
            place=2,
            unit="count",
            default=4,
            levels=(1, 2, 4, 8, 16),
            costly=Costly.HIGHER,
            called=("apply servers", "apply parallelism", "apply_parallelism"),
            help=_(
                "Apply servers that apply transactions side by side. One transaction stays with one server, so this "
                "helps many small transactions only. The default is 1 in 10.2, 4 from 11.2 on."
            ),
            source=_APPLY_PAGE,
        ),
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
        varied=Varied(
            place=1,
            unit="messages",
            default=10_000,
            levels=(10_000, 100_000, 500_000),
            costly=Costly.HIGHER,
            help=_(
                "Messages of one transaction that the apply reader keeps in memory. A larger transaction is written to "
                "a staging table and applied from there when it is complete."
            ),
            source=_APPLY_PAGE,
        ),
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
        varied=Varied(
            place=3,
            unit="",
            default="FULL",
            levels=("DEPENDENT_TRANSACTIONS", "FULL"),
            help=_(
                "FULL commits in the order of the source, so that servers wait for their turn; DEPENDENT_TRANSACTIONS "
                "(before 11.2: NONE) keeps that order only where transactions depend on each other, and is the default "
                "from 11.2 on."
            ),
            source=_APPLY_PAGE,
        ),
    ),
    DocumentedParameter("DISABLE_ON_ERROR", _APPLY, ValueKind.FLAG, "", defaults=(((10, 2), "Y"),)),
    DocumentedParameter(
        "_DYNAMIC_STMTS",
        _APPLY,
        ValueKind.FLAG,
        "",
        risk=_HIDDEN_RISK,
        varied=Varied(
            place=4,
            unit="",
            default="N",
            levels=("N", "Y"),
            help=_(
                "Hidden. Y is said to make the apply servers update only the columns that changed; no manual describes "
                "it, and its default is not documented."
            ),
            source=_NO_PAGE,
            risk=_("no manual says what it does"),
        ),
    ),
    DocumentedParameter(
        "_HASH_TABLE_SIZE",
        _APPLY,
        ValueKind.WHOLE,
        "entries",
        low=1,
        high=LARGEST,
        risk=_MEMORY_RISK,
        varied=Varied(
            place=6,
            unit="count",
            default=1_000_000,
            levels=(1_000_000, 10_000_000),
            costly=Costly.HIGHER,
            help=_(
                "Hidden. Entries of the table in which transactions are found to depend on each other; advised before "
                "10.2.0.4 where many wait for others. Takes Streams pool memory. Its default is not documented."
            ),
            source=_HEALTH_CHECK,
            risk=_("it takes memory from the Streams pool, and its effect may change silently"),
        ),
    ),
    DocumentedParameter(
        "_TXN_BUFFER_SIZE",
        _APPLY,
        ValueKind.WHOLE,
        "transactions",
        low=1,
        high=LARGEST,
        until=(11, 2, 0, 2),
        risk=_HIDDEN_RISK,
        varied=Varied(
            place=5,
            unit="transactions",
            default=80,
            levels=(2, 16, 80),
            costly=Costly.HIGHER,
            help=_(
                "Hidden, without effect from 11.2.0.2 on. Complete transactions the apply reader may keep ready: ten "
                "for each apply server where they are of medium size, two where they are very large. Its default is "
                "not documented."
            ),
            source=_HEALTH_CHECK,
            risk=_("it takes memory from the Streams pool, and its effect may change silently"),
        ),
    ),
    DocumentedParameter(
        "_CMPKEY_ONLY",
        _APPLY,
        ValueKind.FLAG,
        "",
        defaults=(((11, 1), "N"),),
        until=(11, 2, 0, 2),
        risk=_COMPARE_RISK,
        varied=Varied(
            place=7,
            unit="",
            default="N",
            levels=("N", "Y"),
            help=_(
                "Hidden, before 11.2.0.2. Y finds rows by their key alone: faster, but rows that differ between the "
                "two databases go unnoticed."
            ),
            source=_APPLY_PAGE + " (COMPARE_KEY_ONLY, its later name)",
            risk=_("rows that differ between the two databases go unnoticed"),
        ),
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
        varied=Varied(
            place=8,
            unit="count",
            default=1,
            levels=(1, 2, 4),
            costly=Costly.HIGHER,
            help=_(
                "PARALLELISM of the capture process: servers that prepare redo for it. A change restarts the capture "
                "process; each takes about 10 MB of the Streams pool."
            ),
            source=_CAPTURE_PAGE,
        ),
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
        varied=Varied(
            place=10,
            unit="count",
            default=1_000,
            levels=(10, 500, 1_000),
            costly=Costly.HIGHER,
            help=_(
                "Hidden. Megabytes of redo between two checkpoints of LogMiner; fewer checkpoints cost less and make a "
                "restart read more redo again. The default is 10 in 10.2, 1000 from 11.1 on."
            ),
            source=_HEALTH_CHECK,
            risk=_("a restart of the capture may have to read far more redo again"),
        ),
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
        varied=Varied(
            place=9,
            unit="count",
            default=10,
            levels=(10, 40, 100),
            costly=Costly.HIGHER,
            help=_(
                "Hidden. Memory of the capture's LogMiner session in megabytes, from the Streams pool; too little "
                "makes it page out large transactions. Counts from the capture's next start."
            ),
            source=_HEALTH_CHECK,
            risk=_("it takes memory from the Streams pool, and too little stops the capture (ORA-01341)"),
        ),
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
        varied=Varied(
            place=12,
            unit="s",
            default=60,
            levels=(0, 1, 5, 60),
            costly=Costly.LOWER,
            help=_(
                "Longest time the propagation waits before it looks for messages to send; 0 sends at once. Of no use "
                "where capture and apply are combined."
            ),
            source="Oracle Database PL/SQL Packages and Types Reference: DBMS_AQADM.ALTER_PROPAGATION_SCHEDULE",
        ),
    ),
    DocumentedParameter(
        "streams_pool_size",
        StreamsComponent.DESTINATION_DATABASE,
        ValueKind.BYTES,
        "bytes",
        defaults=(((10, 2), "0"),),
        low=0,
        since=(10, 1),
        varied=Varied(
            place=11,
            unit="bytes",
            default=0,
            levels=(1_073_741_824, 2_147_483_648, 4_294_967_296),
            costly=Costly.HIGHER,
            help=_(
                "Size of the Streams pool in bytes, at both databases. It is never made smaller than what is in use, "
                "and not changed from or to 0 while SGA_TARGET is 0."
            ),
            source="Oracle Database Reference: STREAMS_POOL_SIZE",
        ),
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


def is_of_apply(name: str) -> bool:
    """Tell whether a parameter is one of an apply process, set in its database."""
    parameter = documented(name)
    return parameter is not None and parameter.component is StreamsComponent.APPLY


def varied_parameters() -> tuple[Parameter, ...]:
    """Return the parameters an experiment varies, in the order it shows them."""
    lines = sorted(
        ((parameter, parameter.varied) for parameter in PARAMETERS if parameter.varied is not None),
        key=lambda line: line[1].place,
    )
    return tuple(
        Parameter(
            name=parameter.name,
            unit=varied.unit,
            default=varied.default,
            low=parameter.low,
            high=parameter.high,
            levels=varied.levels,
            help=varied.help,
            source=varied.source,
            choices=("N", "Y") if parameter.kind is ValueKind.FLAG else parameter.choices,
            costly=varied.costly,
            called=varied.called,
        )
        for parameter, varied in lines
    )


def risk_of(name: str) -> str:
    """Return the risk of varying a hidden parameter, "" for another."""
    parameter = documented(name)
    return "" if parameter is None or parameter.varied is None else parameter.varied.risk


def documented_at_server(component: StreamsComponent, name: str) -> DocumentedParameter | None:
    """Return a parameter by its component and the server's name of it."""
    return next((p for p in PARAMETERS if p.component is component and p.server_name == name), None)
