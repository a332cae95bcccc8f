"""Facts of seeding a replica."""

from typing import Final

from app.domain.fact_kind import effect, flag, interval, number, text
from app.foundation.texts import _

SEEDING_FACTS: Final = (
    number("seeded_mb", "MB", _("the size of the database that was seeded"), _("size of the database")),
    number(
        "primary_cpus",
        "count",
        _("the number of logical processors of the primary"),
        _("logical processors of the primary"),
    ),
    number("link_mbps", "Mbps", _("the bandwidth between the replicas"), _("bandwidth between the replicas")),
    number("times_as_fast", "", _("how many times as fast the better method was"), _("times as fast")),
    number("best_s", "s", _("the time of the best way to seed"), _("the best way")),
    number("backup_s", "s", _("the time of backup, restore and join"), _("backup, restore and join")),
    number(
        "fastest_backup_s",
        "s",
        _("the time of backup and restore with the best of the options tried"),
        _("backup, restore and join, best options"),
    ),
    number("direct_s", "s", _("the time of direct seeding"), _("direct seeding")),
    number("compressed_s", "s", _("the time of compressed direct seeding"), _("compressed direct seeding")),
    number(
        "backup_h_per_tb",
        "h",
        _("the time a terabyte would take by backup and restore"),
        _("a terabyte, backup and restore"),
    ),
    number(
        "direct_h_per_tb", "h", _("the time a terabyte would take by direct seeding"), _("a terabyte, direct seeding")
    ),
    number(
        "network_backup_mbps", "Mbps", _("the network use while backups were read"), _("network, backups being read")
    ),
    number("network_direct_mbps", "Mbps", _("the network use of direct seeding"), _("network, direct seeding")),
    number(
        "network_compressed_mbps",
        "Mbps",
        _("the network use of compressed direct seeding"),
        _("network, compressed seeding"),
    ),
    number(
        "network_saved_percent",
        "%",
        _("the network use that compression of direct seeding saved"),
        _("network saved by compression"),
    ),
    number(
        "link_use_percent",
        "%",
        _("the share of the bandwidth direct seeding used"),
        _("bandwidth used by direct seeding"),
    ),
    number(
        "primary_cpu_backup_percent",
        "%",
        _("the processor use of the primary during backup and restore"),
        _("processors of the primary, backup"),
    ),
    number(
        "primary_cpu_direct_percent",
        "%",
        _("the processor use of the primary during direct seeding"),
        _("processors of the primary, direct seeding"),
    ),
    number(
        "primary_cpu_compressed_percent",
        "%",
        _("the processor use of the primary during compressed seeding"),
        _("processors of the primary, compressed seeding"),
    ),
    number("secondary_cpu_backup_percent", "%", _("the processor use of the secondary during backup and restore")),
    number(
        "secondary_cpu_direct_percent",
        "%",
        _("the processor use of the secondary during direct seeding"),
        _("processors of the secondary, direct seeding"),
    ),
    number("secondary_cpu_compressed_percent", "%", _("the processor use of the secondary in compressed seeding")),
    text(
        "compression_verdict",
        _("the verdict on compressed direct seeding against the uncompressed one"),
        _("verdict on compression"),
    ),
    *interval(
        "compression_gain_percent",
        "%",
        _("gain of compression"),
        _("the gain of compression in direct seeding"),
        _("the lower end of the interval of that gain of compression"),
        _("the upper end of the interval of that gain of compression"),
    ),
    *effect(
        "compression_effect",
        _("effect of compression"),
        _("the effect of compression in direct seeding, in words"),
        told="compression_gain_percent",
    ),
    number(
        "compression_trials_needed",
        "count",
        _("the number of trials that show a gain of compression worth acting on, four times out of five"),
        _("trials of each needed to judge compression"),
    ),
    number(
        "compression_trials_for_noise",
        "count",
        _("the number of trials that show how much seedings differ by chance, where that is not known"),
        _("trials of each needed to learn the noise"),
    ),
    number(
        "compression_cores",
        "",
        _("the processors that compression of direct seeding took in addition"),
        _("processors compression took"),
    ),
    number(
        "sent_share_percent",
        "%",
        _("the bytes sent per byte of the database with compression of direct seeding"),
        _("bytes sent per byte of the database, compressed"),
    ),
    flag(
        "compression_was_on",
        _("whether fewer bytes were sent with compression, so that it was really on"),
        _("the stream was compressed, by bytes"),
    ),
    number(
        "sent_by_rate_mb",
        "MB",
        _("the amount that the network use of direct seeding amounts to over its time"),
        _("network use × time"),
    ),
    number(
        "sent_by_rate_percent",
        "%",
        _("that amount as a share of the size of the database"),
        _("network use × time, of the database's size"),
    ),
    number(
        "log_growth_percent",
        "%",
        _("the share of the log that filled while it could not be truncated"),
        _("log filled meanwhile"),
    ),
    number("redo_mb_per_s", "MB/s", _("the redo rate of the secondary"), _("redo rate")),
    number("redo_threads", "count", _("the number of parallel redo threads"), _("parallel redo threads")),
    number(
        "catch_up_s",
        "s",
        _("the time until the secondary had redone what was written meanwhile"),
        _("until that was redone"),
    ),
)
