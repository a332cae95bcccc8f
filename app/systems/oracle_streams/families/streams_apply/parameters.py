"""Parameters of a Streams pipeline this family may vary."""

from typing import Final

from app.domain.setting import Parameter
from app.foundation.texts import _

_APPLY: Final = "Oracle Database PL/SQL Packages and Types Reference: DBMS_APPLY_ADM.SET_PARAMETER"
_CAPTURE: Final = "Oracle Database PL/SQL Packages and Types Reference: DBMS_CAPTURE_ADM.SET_PARAMETER"
_HEALTH_CHECK: Final = "Oracle Streams health check script (streams_hc_10GR2.sql)"
_NO_PAGE: Final = "no public definition; set in the Streams performance tests published on 26 May 2009"

LARGEST: Final = 4_294_967_295
"""The largest number a parameter of a process takes; it stands for INFINITE, too, which no transaction reaches."""

PARALLELISM: Final = Parameter(
    name="PARALLELISM",
    unit="count",
    default=4,
    low=1,
    high=LARGEST,
    levels=(1, 2, 4, 8, 16),
    help=_(
        "Apply servers that apply transactions side by side. One transaction stays with one server, so this helps many "
        "small transactions only. The default is 1 in 10.2, 4 from 11.2 on."
    ),
    source=_APPLY,
)

TXN_LCR_SPILL_THRESHOLD: Final = Parameter(
    name="TXN_LCR_SPILL_THRESHOLD",
    unit="messages",
    default=10_000,
    low=1,
    high=LARGEST,
    levels=(10_000, 100_000, 500_000),
    help=_(
        "Messages of one transaction that the apply reader keeps in memory. A larger transaction is written to a "
        "staging table and applied from there when it is complete."
    ),
    source=_APPLY,
)

DYNAMIC_STMTS: Final = Parameter(
    name="_DYNAMIC_STMTS",
    unit="",
    default="N",
    low=None,
    high=None,
    levels=("N", "Y"),
    help=_(
        "Hidden. Y is said to make the apply servers update only the columns that changed; no manual describes it, and "
        "its default is not documented."
    ),
    source=_NO_PAGE,
    choices=("N", "Y"),
)

TXN_BUFFER_SIZE: Final = Parameter(
    name="_TXN_BUFFER_SIZE",
    unit="transactions",
    default=80,
    low=1,
    high=LARGEST,
    levels=(2, 16, 80),
    help=_(
        "Hidden, without effect from 11.2.0.2 on. Complete transactions the apply reader may keep ready: ten for each "
        "apply server where they are of medium size, two where they are very large. Its default is not documented."
    ),
    source=_HEALTH_CHECK,
)

HASH_TABLE_SIZE: Final = Parameter(
    name="_HASH_TABLE_SIZE",
    unit="count",
    default=1_000_000,
    low=1,
    high=LARGEST,
    levels=(1_000_000, 10_000_000),
    help=_(
        "Hidden. Entries of the table in which transactions are found to depend on each other; advised before 10.2.0.4 "
        "where many wait for others. Takes Streams pool memory. Its default is not documented."
    ),
    source=_HEALTH_CHECK,
)

CMPKEY_ONLY: Final = Parameter(
    name="_CMPKEY_ONLY",
    unit="",
    default="N",
    low=None,
    high=None,
    levels=("N", "Y"),
    help=_(
        "Hidden, before 11.2.0.2. Y finds rows by their key alone: faster, but rows that differ between the two "
        "databases go unnoticed."
    ),
    source=_APPLY + " (COMPARE_KEY_ONLY, its later name)",
    choices=("N", "Y"),
)

COMMIT_SERIALIZATION: Final = Parameter(
    name="COMMIT_SERIALIZATION",
    unit="",
    default="FULL",
    low=None,
    high=None,
    levels=("DEPENDENT_TRANSACTIONS", "FULL"),
    help=_(
        "FULL commits in the order of the source, so that servers wait for their turn; DEPENDENT_TRANSACTIONS (before "
        "11.2: NONE) keeps that order only where transactions depend on each other, and is the default from 11.2 on."
    ),
    source=_APPLY,
    choices=("DEPENDENT_TRANSACTIONS", "FULL", "NONE"),
)

CAPTURE_PARALLELISM: Final = Parameter(
    name="CAPTURE_PARALLELISM",
    unit="count",
    default=1,
    low=1,
    high=LARGEST,
    levels=(1, 2, 4),
    help=_(
        "PARALLELISM of the capture process: servers that prepare redo for it. A change restarts the capture process; "
        "each takes about 10 MB of the Streams pool."
    ),
    source=_CAPTURE,
)

SGA_SIZE: Final = Parameter(
    name="_SGA_SIZE",
    unit="count",
    default=10,
    low=1,
    high=LARGEST,
    levels=(10, 40, 100),
    help=_(
        "Hidden. Memory of the capture's LogMiner session in megabytes, from the Streams pool; too little makes it "
        "page out large transactions. Counts from the capture's next start."
    ),
    source=_HEALTH_CHECK,
)

CHECKPOINT_FREQUENCY: Final = Parameter(
    name="_CHECKPOINT_FREQUENCY",
    unit="count",
    default=1_000,
    low=1,
    high=LARGEST,
    levels=(10, 500, 1_000),
    help=_(
        "Hidden. Megabytes of redo between two checkpoints of LogMiner; fewer checkpoints cost less and make a restart "
        "read more redo again. The default is 10 in 10.2, 1000 from 11.1 on."
    ),
    source=_HEALTH_CHECK,
)

STREAMS_POOL_SIZE: Final = Parameter(
    name="streams_pool_size",
    unit="bytes",
    default=0,
    low=0,
    high=None,
    levels=(1_073_741_824, 2_147_483_648, 4_294_967_296),
    help=_(
        "Size of the Streams pool in bytes, at both databases. It is never made smaller than what is in use, and not "
        "changed from or to 0 while SGA_TARGET is 0."
    ),
    source="Oracle Database Reference: STREAMS_POOL_SIZE",
)

LATENCY: Final = Parameter(
    name="LATENCY",
    unit="s",
    default=60,
    low=0,
    high=LARGEST,
    levels=(0, 1, 5, 60),
    help=_(
        "Longest time the propagation waits before it looks for messages to send; 0 sends at once. Of no use where "
        "capture and apply are combined."
    ),
    source="Oracle Database PL/SQL Packages and Types Reference: DBMS_AQADM.ALTER_PROPAGATION_SCHEDULE",
)

PARAMETERS: Final = (
    TXN_LCR_SPILL_THRESHOLD,
    PARALLELISM,
    COMMIT_SERIALIZATION,
    DYNAMIC_STMTS,
    TXN_BUFFER_SIZE,
    HASH_TABLE_SIZE,
    CMPKEY_ONLY,
    CAPTURE_PARALLELISM,
    SGA_SIZE,
    CHECKPOINT_FREQUENCY,
    STREAMS_POOL_SIZE,
    LATENCY,
)

RISKS: Final = {
    DYNAMIC_STMTS.name: _("no manual says what it does"),
    TXN_BUFFER_SIZE.name: _("it takes memory from the Streams pool, and its effect may change silently"),
    HASH_TABLE_SIZE.name: _("it takes memory from the Streams pool, and its effect may change silently"),
    CMPKEY_ONLY.name: _("rows that differ between the two databases go unnoticed"),
    SGA_SIZE.name: _("it takes memory from the Streams pool, and too little stops the capture (ORA-01341)"),
    CHECKPOINT_FREQUENCY.name: _("a restart of the capture may have to read far more redo again"),
}
"""What may go wrong with each hidden parameter; Oracle supports them only where its own support advised them."""
