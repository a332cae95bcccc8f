"""Making and undoing what was planned: the ServerChanges port."""

import logging
from collections.abc import Sequence
from typing import Final, Protocol

from app.domain.change import Change, StillRunning
from app.domain.errors import PASSING_ERRORS, TargetError, Unsupported
from app.drivers.oracle.session import Session
from app.foundation.clock import Clock
from app.foundation.texts import _
from app.systems.oracle_streams.pipeline import StreamsComponent, Technology
from app.systems.oracle_streams.server.attribute_changes import (
    CHECKPOINT_RETENTION,
    PROPAGATION_LATENCY,
    STREAMS_POOL_SIZE,
    CheckpointRetention,
    PropagationLatency,
    StreamsPoolSize,
)
from app.systems.oracle_streams.server.parameter_changes import PROCESS_PARAMETER, ProcessParameter
from app.systems.oracle_streams.server.process_changes import APPLY_STOPPED, SERVER_TRACED, ApplyStopped, ServerTraced
from app.systems.oracle_streams.server.process_control import ApplyControl
from app.systems.oracle_streams.server.table_changes import (
    TABLE_INSTANTIATED,
    TABLE_PREPARED,
    TEST_TABLE,
    TableInstantiated,
    TablePrepared,
    TestTable,
)


class ChangeKind(Protocol):
    """One kind of change: how it is made and undone, and how both are seen."""

    def is_applied(self, change: Change) -> bool:
        """Tell, by reading only, whether it is in effect."""
        ...

    def is_undone(self, change: Change) -> bool:
        """Tell, by reading only, whether the original is in effect."""
        ...

    def apply(self, change: Change) -> None:
        """Send it and read it back."""
        ...

    def undo(self, change: Change) -> None:
        """Put the original back and read it back; nothing where it is there."""
        ...


CHANGE_KINDS: Final = (
    PROCESS_PARAMETER,
    CHECKPOINT_RETENTION,
    PROPAGATION_LATENCY,
    STREAMS_POOL_SIZE,
    APPLY_STOPPED,
    SERVER_TRACED,
    TEST_TABLE,
    TABLE_PREPARED,
    TABLE_INSTANTIATED,
)


_log = logging.getLogger(__name__)


class OracleChanges:
    """Changes at the two databases of a pipeline, through named statements; knows nothing of the journal."""

    def __init__(self, session: Session, clock: Clock, control: ApplyControl) -> None:
        self._control = control
        self._kinds: dict[str, ChangeKind] = {
            PROCESS_PARAMETER: ProcessParameter(session, clock, control),
            CHECKPOINT_RETENTION: CheckpointRetention(session),
            PROPAGATION_LATENCY: PropagationLatency(session),
            STREAMS_POOL_SIZE: StreamsPoolSize(session),
            APPLY_STOPPED: ApplyStopped(control),
            SERVER_TRACED: ServerTraced(session),
            TEST_TABLE: TestTable(session),
            TABLE_PREPARED: TablePrepared(session),
            TABLE_INSTANTIATED: TableInstantiated(session),
        }

    def quiesce(self, changes: Sequence[Change]) -> tuple[StillRunning, ...]:
        """Stop the applies whose parameters these changes concern, so that originals count from their next start.

        Only applies that one of the changes also stopped: undoing that one starts them again. Traces of their servers
        are ended before, while the sessions are still there to be asked; one that cannot be ended keeps its entry open
        when it is undone in its turn.
        """
        for change in changes:
            if change.kind == SERVER_TRACED:
                self._end_trace(change)
        resisting: list[StillRunning] = []
        for stopped in self._concerned(changes):
            name = str(stopped.detail("apply"))
            try:
                self._control.stop(name, Technology(str(stopped.detail("technology"))))
            except PASSING_ERRORS:
                raise
            except TargetError as error:
                parameters = tuple(change for change in changes if _apply_of(change) == name)
                resisting.append(StillRunning(str(error), parameters, (stopped,)))
        return tuple(resisting)

    def _end_trace(self, change: Change) -> None:
        try:
            self.undo(change)
        except PASSING_ERRORS:
            raise
        except TargetError as error:
            _log.info("trace not ended yet: %s", error)

    def plan_quiesce(self, changes: Sequence[Change]) -> tuple[Change, ...]:
        """Return what `quiesce` would do now: the change "apply stopped" of each apply concerned that runs."""
        stopped = self._kinds[APPLY_STOPPED]
        return tuple(change for change in self._concerned(changes) if not stopped.is_applied(change))

    def _concerned(self, changes: Sequence[Change]) -> tuple[Change, ...]:
        parameters = {_apply_of(change) for change in changes}
        stopped = {str(change.detail("apply")): change for change in changes if change.kind == APPLY_STOPPED}
        return tuple(change for name, change in stopped.items() if name in parameters)

    def is_applied(self, change: Change) -> bool:
        """Tell, by reading only, whether the change is in effect, whoever made it."""
        return self._kind(change).is_applied(change)

    def is_undone(self, change: Change) -> bool:
        """Tell, by reading only, whether the original is in effect, whoever put it back."""
        return self._kind(change).is_undone(change)

    def apply(self, change: Change) -> None:
        """Send the change and read it back; raises VerificationFailed where it reads otherwise."""
        self._kind(change).apply(change)

    def undo(self, change: Change) -> None:
        """Put the original back and read it back; does nothing where it is already there."""
        self._kind(change).undo(change)

    def _kind(self, change: Change) -> ChangeKind:
        kind = self._kinds.get(change.kind)
        if kind is None:
            raise Unsupported(
                _('this program does not know changes of kind "{kind}"; use the newer one that made it').format(
                    kind=change.kind
                )
            )
        return kind


def _apply_of(change: Change) -> str:
    """Return the apply a parameter belongs to, "" of any other change."""
    is_its = change.kind == PROCESS_PARAMETER and change.detail("component") == StreamsComponent.APPLY.value
    return str(change.detail("process")) if is_its else ""
