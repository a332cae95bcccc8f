"""Facts of a Streams pipeline in words; most of them are known at the baseline and at the best setting."""

from app.foundation.texts import _


def streams_fact_title(name: str) -> str:
    """Return what a fact of a Streams pipeline is, "" for any other; its unit stands beside its value."""
    titles = {
        "load_operation": _("rows are inserted or updated"),
        "load_rows": _("rows of the load"),
        "transaction_rows": _("rows of each transaction"),
        "rounding_percent": _("what whole minutes may hide"),
        "apply_errors": _("transactions in the error queue"),
        "processes_not_enabled": _("processes that are not enabled"),
        "long_transactions": _("transactions open for ten minutes"),
        "combined_capture_apply": _("capture and apply combined"),
        "streams_release": _("release of the newer database"),
        "streams_pool_mb": _("smaller Streams pool"),
    }
    sides = {
        "{}_level": _("value"),
        "run_time_{}_s": _("run time"),
        "messages_per_min_{}": _("messages applied per minute"),
        "spilled_source_{}": _("spilled at the source"),
        "spilled_destination_{}": _("spilled at the destination"),
        "staged_{}": _("staged by the apply reader"),
        "expected_staged_{}": _("staged of a transaction, by the threshold"),
        "spill_threshold_{}": _("spill threshold"),
        "apply_servers_{}": _("apply servers"),
        "source_redo_{}_mb": _("redo at the source"),
        "destination_redo_{}_mb": _("redo at the destination"),
        "capture_pause_{}_percent": _("capture paused, share of the run time"),
        "pool_{}_percent": _("most of a Streams pool used"),
        "bottleneck_{}": _("stage that set the pace"),
        "bottleneck_{}_percent": _("share of the time it did"),
        "reader_busy_{}_percent": _("apply reader at work"),
        "servers_busy_{}_percent": _("apply servers at work"),
        "wait_dependency_{}_percent": _("servers waiting for others\u2019 transactions"),
        "wait_commit_{}_percent": _("servers waiting for their turn to commit"),
    }
    for side, at in (("baseline", _("baseline")), ("best", _("best"))):
        titles |= {key.format(side): f"{title}, {at}" for key, title in sides.items()}
    return titles.get(name, "")
