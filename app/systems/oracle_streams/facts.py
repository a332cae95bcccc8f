"""Facts of an Oracle Streams pipeline."""

from typing import Final

from app.domain.fact_kind import FactKind, flag, number, text
from app.foundation.texts import _


def _streams_kinds() -> tuple[FactKind, ...]:
    """Return the facts of a Streams pipeline, those of a setting once for the baseline and once for the best."""
    kinds = [
        text("load_operation", _("whether the load inserts or updates rows"), _("rows are inserted or updated")),
        number("load_rows", "rows", _("the number of rows of the load"), _("rows of the load")),
        number(
            "transaction_rows",
            "rows",
            _("the number of rows of each transaction of the load"),
            _("rows of each transaction"),
        ),
        number(
            "rounding_percent",
            "%",
            _("how much the whole minutes of the run times may hide"),
            _("what whole minutes may hide"),
        ),
        number(
            "apply_errors",
            "count",
            _("the number of transactions in the error queue"),
            _("transactions in the error queue"),
        ),
        number(
            "processes_not_enabled",
            "count",
            _("the number of Streams processes that are not enabled"),
            _("processes that are not enabled"),
        ),
        number(
            "long_transactions",
            "count",
            _("the number of transactions open for more than ten minutes"),
            _("transactions open for ten minutes"),
        ),
        flag("combined_capture_apply", _("whether capture and apply are combined"), _("capture and apply combined")),
        number(
            "streams_release",
            "",
            _("the release of the newer of the two databases"),
            _("release of the newer database"),
        ),
        number(
            "streams_pool_mib", "MiB", _("the size of the smaller of the two Streams pools"), _("smaller Streams pool")
        ),
    ]
    for side, at, of in (
        ("baseline", _("at the baseline"), _("baseline")),
        ("best", _("at the best setting"), _("best")),
    ):
        bottleneck = _("which stage set the pace {at}")
        kinds.append(text(f"bottleneck_{side}", bottleneck.format(at=at), f"{_('stage that set the pace')}, {of}"))
        kinds += [
            number(name.format(side=side), unit, meaning.format(at=at), f"{title}, {of}")
            for name, unit, meaning, title in _STREAMS_SIDES
        ]
    return tuple(kinds)


_STREAMS_SIDES: Final = (
    ("run_time_{side}_s", "s", _("the run time {at}"), _("run time")),
    (
        "messages_per_min_{side}",
        "messages/min",
        _("the messages applied per minute {at}"),
        _("messages applied per minute"),
    ),
    (
        "spilled_source_{side}",
        "messages",
        _("the messages spilled from the source queue {at}"),
        _("spilled at the source"),
    ),
    (
        "spilled_destination_{side}",
        "messages",
        _("the messages spilled from the destination queue {at}"),
        _("spilled at the destination"),
    ),
    ("staged_{side}", "messages", _("the messages staged by the apply reader {at}"), _("staged by the apply reader")),
    (
        "expected_staged_{side}",
        "messages",
        _("how many messages of a transaction the threshold stages {at}"),
        _("staged of a transaction, by the threshold"),
    ),
    ("spill_threshold_{side}", "messages", _("the TXN_LCR_SPILL_THRESHOLD in effect {at}"), _("spill threshold")),
    ("apply_servers_{side}", "count", _("the PARALLELISM of the apply process in effect {at}"), _("apply servers")),
    ("source_redo_{side}_mb", "MB", _("the redo written at the source {at}"), _("redo at the source")),
    ("destination_redo_{side}_mb", "MB", _("the redo written at the destination {at}"), _("redo at the destination")),
    (
        "capture_pause_{side}_percent",
        "%",
        _("the share of the run time the capture was paused {at}"),
        _("capture paused, share of the run time"),
    ),
    (
        "pool_{side}_percent",
        "%",
        _("the most of either Streams pool that was used {at}"),
        _("most of a Streams pool used"),
    ),
    (
        "bottleneck_{side}_percent",
        "%",
        _("the share of the time that stage set the pace {at}"),
        _("share of the time it did"),
    ),
    (
        "reader_busy_{side}_percent",
        "%",
        _("the share of the time the apply reader worked {at}"),
        _("apply reader at work"),
    ),
    (
        "servers_busy_{side}_percent",
        "%",
        _("the mean share of the time an apply server worked {at}"),
        _("apply servers at work"),
    ),
    (
        "wait_dependency_{side}_percent",
        "%",
        _("the share of the time servers waited for another transaction {at}"),
        _("servers waiting for others’ transactions"),
    ),
    (
        "wait_commit_{side}_percent",
        "%",
        _("the share of the time servers waited for their turn to commit {at}"),
        _("servers waiting for their turn to commit"),
    ),
)


STREAMS_FACTS: Final = _streams_kinds()
