"""Making and undoing planned changes: the ServerChanges port."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from app.domain.change import LEFT, RUN_FOUND, RUN_LEFT, Change, OfProcess, StillRunning
from app.domain.change_kinds import ChangeKind, ChangesByKind, stop_each
from app.domain.declared_change import Declaration, Declared, Restart, Scope
from app.domain.errors import PASSING_ERRORS, TargetError
from app.domain.naming import Holds, HoldsByKey, words
from app.drivers.oracle.scripts import Where
from app.drivers.oracle.session import End, Session
from app.foundation.clock import Clock
from app.systems.oracle_streams.naming import PROCESS
from app.systems.oracle_streams.pipeline import StreamsComponent, Technology
from app.systems.oracle_streams.server.attribute_changes import (
    CHECKPOINT_RETENTION,
    LATENCY_DECLARED,
    POOL_DECLARED,
    PROPAGATION_LATENCY,
    RETENTION_DECLARED,
    STREAMS_POOL_SIZE,
)
from app.systems.oracle_streams.server.executor import OracleExecutor
from app.systems.oracle_streams.server.identity import read_identity, why_elsewhere
from app.systems.oracle_streams.server.parameter_changes import DECLARED as PARAMETER_DECLARED
from app.systems.oracle_streams.server.parameter_changes import (
    PROCESS_PARAMETER,
    await_apply,
    component_of,
    parameter_process,
    process_title,
    restarting_capture,
    run_of_process,
)
from app.systems.oracle_streams.server.process_changes import APPLY_STOPPED, SERVER_TRACED, TRACE_DECLARED, apply_switch
from app.systems.oracle_streams.server.process_control import ApplyControl
from app.systems.oracle_streams.server.table_changes import (
    PREPARED_DECLARED,
    TABLE_DECLARED,
    TABLE_INSTANTIATED,
    TABLE_PREPARED,
    TEST_TABLE,
    TableInstantiated,
)

_DECLARED: Final[tuple[Declaration[End, Any], ...]] = (
    PARAMETER_DECLARED,
    RETENTION_DECLARED,
    LATENCY_DECLARED,
    POOL_DECLARED,
    TRACE_DECLARED,
    TABLE_DECLARED,
    PREPARED_DECLARED,
)
_RESTARTED: Final = frozenset(declared.kind for declared in _DECLARED if declared.restarts is Restart.PROCESS)
CHANGE_DETAILS: Final[HoldsByKey] = {
    PROCESS_PARAMETER: {
        "process": PROCESS,
        **words("component", "technology", "parameter", "original_value", "default", "new_value"),
        **words("replaced_value", RUN_FOUND, RUN_LEFT),
    },
    CHECKPOINT_RETENTION: {"capture": PROCESS},
    PROPAGATION_LATENCY: {"propagation": PROCESS},
    STREAMS_POOL_SIZE: {"instance": Holds.SERVER, **words("end")},
    SERVER_TRACED: {"apply": PROCESS},
    TEST_TABLE: {"schema": Holds.LOGIN, **words("end", "remark")},
    TABLE_PREPARED: {"schema": Holds.LOGIN},
    APPLY_STOPPED: {"apply": PROCESS, **words("technology", LEFT)},
    TABLE_INSTANTIATED: {"schema": Holds.LOGIN, "source_database": Holds.DATABASE},
}
"""Whose words the details of each kind of change are."""
_OF_THE_SITE: Final = frozenset(declared.kind for declared in _DECLARED if declared.scope is not Scope.OBJECT)
MARKS: Final = {TEST_TABLE: _OF_THE_SITE | {APPLY_STOPPED}}
"""A value carries no mark of whoever set it: that a session left one shows by its test table."""

_log = logging.getLogger(__name__)


class OracleChanges(ChangesByKind):
    """Changes at the two databases of a pipeline, through named statements; knows nothing of the journal."""

    def __init__(self, session: Session, clock: Clock, control: ApplyControl) -> None:
        self._control = control
        self._session = session
        self._executor = executor = OracleExecutor(session, clock, self._where)
        settling = {PROCESS_PARAMETER: partial(await_apply, control)}
        kinds: dict[str, ChangeKind] = {
            **{
                declared.kind: Declared(
                    replace(declared, settle=settling.get(declared.kind, declared.settle)), executor
                )
                for declared in _DECLARED
            },
            APPLY_STOPPED: apply_switch(control),
            TABLE_INSTANTIATED: TableInstantiated(session),
        }
        super().__init__(kinds)

    def _kind(self, change: Change) -> ChangeKind:
        """Return the maker of a change's kind; raises TargetError where another database answers than the one meant."""
        if why := why_elsewhere(self._session, change):
            raise TargetError(why)
        return super()._kind(change)

    def process_of(self, change: Change) -> OfProcess | None:
        """Return the process a change is about where it may count from its start only, or stopped it."""
        if change.kind == APPLY_STOPPED:
            return OfProcess(process_title(StreamsComponent.APPLY, str(change.detail("apply"))), is_stop=True)
        return parameter_process(change)

    def run_of(self, change: Change) -> str:
        """Read when the process of a change was started, "" while it stands."""
        self._kind(change)
        return run_of_process(self._control, change)

    def _where(self, end: End) -> Where:
        """Return where scripts of one end are run, which a restore writes for processes it has restarted."""
        return Where(self._session.server_of(end), read_identity(self._session, end).global_name)

    def restart(self, change: Change, make: Callable[[Change], None], take_back: Callable[[Change], None]) -> bool:
        """Have the server start the capture of a change anew, twice: its PARALLELISM is changed by one and put back."""
        details = dict(change.details)
        if change.kind != PROCESS_PARAMETER or component_of(details) is not StreamsComponent.CAPTURE:
            return False
        restarting = restarting_capture(self._executor, change)
        for step in (make, take_back):
            step(restarting)
            self._control.await_capture(str(details["process"]), Technology(str(details["technology"])))
        return True

    def quiesce(self, changes: Sequence[Change]) -> tuple[StillRunning, ...]:
        """Stop the applies whose parameters these changes concern, so that originals count from their next start.

        Only applies that one of the changes also stopped: undoing that one starts them again. Traces of their servers
        are ended before, while the sessions are still there to be asked; one that cannot be ended keeps its entry open
        when it is undone in its turn.
        """
        for change in changes:
            if change.kind == SERVER_TRACED:
                self._end_trace(change)

        def stop(stopped: Change) -> None:
            self._kind(stopped)
            self._control.stop(str(stopped.detail("apply")), Technology(str(stopped.detail("technology"))))

        def hanging_on(stopped: Change) -> tuple[tuple[Change, ...], tuple[Change, ...]]:
            return tuple(change for change in changes if _apply_of(change) == stopped.detail("apply")), (stopped,)

        return stop_each(self._concerned(changes), stop, hanging_on)

    def _end_trace(self, change: Change) -> None:
        try:
            self.undo(change)
        except PASSING_ERRORS:
            raise
        except TargetError as error:
            _log.info("trace not ended yet: %s", error)

    def plan_quiesce(self, changes: Sequence[Change]) -> tuple[Change, ...]:
        """Return the changes of `quiesce`: "apply stopped" of each apply concerned that runs."""
        stopped = self.kinds[APPLY_STOPPED]
        return tuple(change for change in self._concerned(changes) if not stopped.is_applied(change))

    def _concerned(self, changes: Sequence[Change]) -> tuple[Change, ...]:
        parameters = {_apply_of(change) for change in changes}
        stopped = {str(change.detail("apply")): change for change in changes if change.kind == APPLY_STOPPED}
        return tuple(change for name, change in stopped.items() if name in parameters)


def _apply_of(change: Change) -> str:
    """Return the apply whose restart makes a change count, "" where there is none."""
    is_its = change.kind in _RESTARTED and component_of(dict(change.details)) is StreamsComponent.APPLY
    return str(change.detail("process")) if is_its else ""
