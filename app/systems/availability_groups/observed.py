"""A server's own views of its availability groups, without an experiment."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final

from app.domain.cost import ExperimentCost
from app.domain.finding import Finding
from app.domain.view import View
from app.foundation.texts import _
from app.model.shown import Shown
from app.systems.availability_groups.groups import CommitMode, GroupTopology, mode_text

_OFF_PAPER: Final = frozenset({View.WINDOW, View.TERMINAL})
"""Of what a page has no room for: averages that the server makes over hours, and what stands with the replica."""


RECOVERY_MEANS: Final = _(
    "The time to recover is the redo queue over the redo rate; detecting the failure, the change of roles and "
    "the clients' reconnecting come on top."
)


@dataclass(frozen=True)
class ObservedSecondary:
    """One database at one secondary, over the readings of a look.

    Attributes:
        server, mode: where, and how commits are protected there.
        synchronization_state: at the newest reading.
        send_queue_kb, redo_queue_kb: at the newest reading; longest_…: the longest of all readings. Each is None where
            the view leaves it NULL, as it does of a secondary that is not connected or does not synchronize.
        send_rate_kb_per_s, redo_rate_kb_per_s: averages the server makes itself, at the newest reading.
        recovery_s: redo queue over redo rate at the newest reading, None where the queue is not known, or log waits and
            no rate is known.
        longest_recovery_s: the longest of all readings, None as above.
        loss_s: seconds of log a failover now would lose, at the rate log was written during the look; 0 where nothing
            waits to be sent, None where that is not known, or something waits and no log was written.
    """

    server: Annotated[str, Shown(_("Secondary"), width=1.2)]
    mode: Annotated[CommitMode, Shown(_("Commits"), width=1.4, views=_OFF_PAPER, text=mode_text)]
    synchronization_state: Annotated[str, Shown(_("State"), width=1.7, views=_OFF_PAPER)]
    send_queue_kb: Annotated[float | None, Shown(_("To send"), width=0.85)]
    longest_send_queue_kb: Annotated[float | None, Shown(_("To send, longest"), width=0.85)]
    send_rate_kb_per_s: Annotated[float | None, Shown(_("Sent"), views=_OFF_PAPER)]
    redo_queue_kb: Annotated[float | None, Shown(_("To redo"), width=0.85)]
    longest_redo_queue_kb: Annotated[float | None, Shown(_("To redo, longest"), width=0.85)]
    redo_rate_kb_per_s: Annotated[float | None, Shown(_("Redone"), views=_OFF_PAPER)]
    recovery_s: Annotated[float | None, Shown(_("Redone after it in"), decimals=1, width=0.85)]
    longest_recovery_s: Annotated[float | None, Shown(_("Redone after it in, longest"), decimals=1, width=0.85)]
    loss_s: Annotated[float | None, Shown(_("Lost by a failover"), decimals=1, width=0.85, before="recovery_s")]


@dataclass(frozen=True)
class ObservedGroupDatabase:
    """One database of a group, over the readings of a look.

    Attributes:
        transactions: commits that waited for a secondary during the look.
        commit_delay_ms: mean wait of those for the secondaries, None where there were none.
        commit_delay_since_start_ms: the same since the instance started.
        log_kb_per_s: log flushed per second of the look.
        flow_control_share: time the replicas' flow control held log back, as a share of the look.
        log_used_share: of the log, at the newest reading, None where no counter tells.
    """

    group: str
    database: str
    primary: str
    readings: int
    watched_s: float
    transactions: float
    commit_delay_ms: float | None
    commit_delay_since_start_ms: float | None
    log_kb_per_s: float
    flow_control_share: float
    log_used_share: float | None
    secondaries: tuple[ObservedSecondary, ...]


@dataclass(frozen=True)
class GroupsObservation:
    """Everything one look at an instance with availability groups gives; nothing was changed, no load was written.

    Attributes:
        taken: the primary's time of day at the newest reading.
        watch_s: seconds asked for.
        costs: what each experiment on groups would take here.
        limits: one sentence for each thing these figures do not say.
        statements, statement_ms: what the look itself cost the servers.
        findings: of the rules that need no experiment, the most urgent first.
        unread: one sentence for each part that could not be read; the rest holds without it.
    """

    target: str
    taken: datetime
    watch_s: float
    topology: GroupTopology
    databases: tuple[ObservedGroupDatabase, ...]
    costs: tuple[ExperimentCost, ...]
    limits: tuple[str, ...]
    statements: int
    statement_ms: float
    unread: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
