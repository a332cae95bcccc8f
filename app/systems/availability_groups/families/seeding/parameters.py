"""The parameters this family may vary, and the load of its plans."""

from typing import Final

from app.domain.plan_field import PlanField, ValueKind
from app.domain.setting import Parameter, SameAsDefault, Value
from app.foundation.texts import _
from app.systems.availability_groups.copies import COMPRESSIONS, MS_XPRESS, SERVER_DEFAULT, ZSTD_LOW, SeedingMethod
from app.systems.availability_groups.subjects import GROUP_FIELD

BACKUP: Final = str(SeedingMethod.BACKUP_RESTORE)
DIRECT: Final = str(SeedingMethod.DIRECT)
COMPRESSED: Final = str(SeedingMethod.DIRECT_COMPRESSED)

SEEDING_METHOD: Final = Parameter(
    name="seeding_method",
    unit="",
    default=BACKUP,
    low=None,
    high=None,
    levels=(BACKUP, DIRECT, COMPRESSED),
    help=_(
        "How the database gets to the secondary: backup, restore and join; direct seeding over the network "
        "(SEEDING_MODE AUTOMATIC, SQL Server 2016 and later); or direct seeding with trace flag 9567, which compresses "
        "it."
    ),
    source="Microsoft Learn: Use automatic seeding to initialize an Always On availability group",
    choices=(BACKUP, DIRECT, COMPRESSED),
    title=_("Seeding method"),
    choice_titles=(_("backup and restore"), _("direct seeding"), _("compressed direct seeding")),
    # as SEEDING_MODE and people write them
    called=("seeding_mode", "seeding_mode_desc", "seeding", "method", "seeding type", "methode"),
    choices_called=(
        (
            "manual",
            "1",
            "backup/restore",
            "backup and restore",
            "backup & restore",
            "backup + restore",
            "manual seeding",
        ),
        ("automatic", "0", "automatic seeding", "direct seeding", "auto seeding", "automatisches seeding"),
        (
            "compressed",
            "automatic compressed",
            "compressed seeding",
            "compressed direct seeding",
            "direct seeding compressed",
            "automatic seeding compressed",
            "automatic seeding with compression",
            "direct seeding with compression",
            "direct seeding + tf 9567",
        ),
    ),
)

# Options of BACKUP and RESTORE; direct seeding has none of them.
_ONLY_BACKUP: Final = (SameAsDefault(SEEDING_METHOD.name, DIRECT), SameAsDefault(SEEDING_METHOD.name, COMPRESSED))
_BACKUP_PAGE: Final = "Microsoft Learn: BACKUP (Transact-SQL)"

STRIPES: Final = Parameter(
    name="stripes",
    unit="count",
    default=1,
    low=1,
    high=64,
    levels=(1, 4),
    title=_("Stripes"),
    help=_("Files a backup is split over; each is written and read by a thread of its own."),
    source=_BACKUP_PAGE,
    called=(
        "stripe",
        "stripe count",
        "backup files",
        "files",
        "number of files",
        "backup devices",
        "file count",
        "dateien",
    ),
    same_as_default=_ONLY_BACKUP,
)

BUFFERCOUNT: Final = Parameter(
    name="BUFFERCOUNT",
    unit="count",
    default=0,
    low=0,
    high=2_147_483_647,
    levels=(0, 50),
    help=_(
        "Buffers of backup and restore; 0 leaves it to the server. They take BUFFERCOUNT × MAXTRANSFERSIZE of memory "
        "outside the buffer pool."
    ),
    source=_BACKUP_PAGE,
    called=("buffers",),
    same_as_default=_ONLY_BACKUP,
)

MAXTRANSFERSIZE: Final = Parameter(
    name="MAXTRANSFERSIZE",
    unit="bytes",
    default=0,
    low=0,
    high=4_194_304,
    levels=(0, 4_194_304),
    help=_("Largest unit of transfer, a multiple of 65,536 bytes up to 4 MB; 0 leaves it to the server."),
    source=_BACKUP_PAGE,
    called=("max transfer", "transfer size"),
    same_as_default=_ONLY_BACKUP,
)

BACKUP_COMPRESSION: Final = Parameter(
    name="backup_compression",
    unit="",
    default=SERVER_DEFAULT,
    low=None,
    high=None,
    levels=(MS_XPRESS, ZSTD_LOW),
    title=_("Backup compression"),
    help=_(
        "Algorithm and level the backup is compressed with, SQL Server 2025 and later: MS_XPRESS, or ZSTD at its level "
        "LOW, MEDIUM or HIGH. The server's own default is what its option 'backup compression algorithm' says."
    ),
    source="Microsoft Learn: Backup compression (SQL Server)",
    choices=(SERVER_DEFAULT, *COMPRESSIONS),
    choice_titles=(_("the server's default"), "MS_XPRESS", "ZSTD LOW", "ZSTD MEDIUM", "ZSTD HIGH"),
    called=("compression algorithm", "backup compression algorithm", "algorithm", "kompressionsalgorithmus"),
    choices_called=((), ("xpress", "compression"), ("zstd",), (), ()),
    same_as_default=_ONLY_BACKUP,
)

PARAMETERS: Final[tuple[Parameter, ...]] = (SEEDING_METHOD, STRIPES, BUFFERCOUNT, MAXTRANSFERSIZE, BACKUP_COMPRESSION)

DEFAULTS: Final[dict[str, Value]] = {parameter.name: parameter.default for parameter in PARAMETERS}

LOAD_FIELDS: Final = (
    GROUP_FIELD,
    PlanField(
        "secondary",
        ValueKind.TEXT,
        _("Secondary replica"),
        "",
        "",
        _("Server to seed to; leave empty to take the first secondary connected."),
    ),
    PlanField(
        "database",
        ValueKind.TEXT,
        _("Database"),
        "",
        "",
        _(
            "A database outside any group, which joins for each trial and leaves again; leave empty to "
            "create a test database."
        ),
    ),
    PlanField(
        "database_mb",
        ValueKind.WHOLE,
        _("Size of the test database"),
        "MB",
        10_000,
        _("Large enough that each method runs for a minute or more; the disks of both servers must hold it."),
        low=10,
        high=1_000_000,
        quick=1_000,
    ),
    PlanField(
        "compressible_share",
        ValueKind.NUMBER,
        _("Share of the test database that compresses"),
        "",
        0.7,
        _("0 is random bytes, 1 is text; take what the client's own data is like."),
        low=0,
        high=1,
    ),
    PlanField(
        "backup_folder",
        ValueKind.TEXT,
        _("Folder for backups"),
        "",
        "",
        _("A share or folder that both servers reach under the same name; its files are deleted after each trial."),
    ),
    PlanField(
        "settle_s",
        ValueKind.NUMBER,
        _("Wait after a change of the trace flag"),
        "s",
        10.0,
        _("So that it is in effect when seeding begins; the bytes sent show whether it was."),
        low=0,
        high=3_600,
    ),
    PlanField(
        "watch_s",
        ValueKind.NUMBER,
        _("Longest time redo is watched afterwards"),
        "s",
        120.0,
        _("Ends sooner when nothing is left to redo."),
        low=0,
        high=86_400,
    ),
    PlanField(
        "link_mbps",
        ValueKind.NUMBER,
        _("Bandwidth between the replicas"),
        "Mbps",
        0.0,
        _("As the client knows it; 0 if nobody does. It shows how much of the line seeding takes."),
        low=0,
        high=10_000_000,
    ),
)
