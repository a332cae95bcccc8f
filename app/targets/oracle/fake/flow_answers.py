"""Answers about what flows: queues, transactions, staged and failed ones, progress, waits."""

from collections.abc import Mapping

from app.targets.oracle.fake.answers import Answer, Answered, Binds
from app.targets.oracle.fake.state import MEGABYTE, SIDES, LabState
from app.targets.oracle.session import End


class FlowAnswers:
    """What the views of queues and transactions say."""

    def __init__(self, state: LabState) -> None:
        self._state = state

    def answers(self) -> Mapping[str, Answer]:
        """Return an answer for each of these statements."""
        return {
            "queues": self._queues,
            "publishers": self._publishers,
            "subscribers": self._subscribers,
            "receivers": self._receivers,
            "transactions": self._transactions,
            "spilled_transactions": self._spilled,
            "apply_errors": self._apply_errors,
            "apply_progress": self._progress,
            "archived_logs": lambda _end, _binds: [(self._state.scenario.names.capture_name, 4, 0.5)],
            "capture_health": self._capture_health,
            "logminer_memory": self._logminer,
            "flow_control_waits": self._waits,
        }

    def _queues(self, end: End, _binds: Binds) -> Answered:
        names, state = self._state.scenario.names, self._state.lab.queue(SIDES[end])
        return [
            (
                *(names.queue_owner, self._queue_name(end), state.num_msgs, state.spill_msgs),
                *(state.cnum_msgs, state.cspill_msgs, self._state.moment(state.startup_s)),
            )
        ]

    def _publishers(self, end: End, _binds: Binds) -> Answered:
        names, state = self._state.scenario.names, self._state.lab.queue(SIDES[end])
        sender = names.capture_name if end is End.SOURCE else names.propagation_name
        return [
            (
                *(names.queue_owner, self._queue_name(end), sender, state.cnum_msgs),
                *(state.unbrowsed_msgs, 0, state.publisher_state),
            )
        ]

    def _subscribers(self, end: End, _binds: Binds) -> Answered:
        names, state = self._state.scenario.names, self._state.lab.queue(SIDES[end])
        reader = names.apply_name if end is End.DESTINATION else names.propagation_name
        kind = "SUBSCRIBER" if end is End.DESTINATION else "PROXY"
        return [
            (
                *(names.queue_owner, self._queue_name(end), reader, kind),
                *(state.num_msgs, state.cnum_msgs, state.cspill_msgs),
            )
        ]

    def _queue_name(self, end: End) -> str:
        names = self._state.scenario.names
        return names.source_queue if end is End.SOURCE else names.destination_queue

    def _receivers(self, _end: End, _binds: Binds) -> Answered:
        names, state = self._state.scenario.names, self._state.lab.propagation()
        source = self._state.scenario.source.database_name
        return [
            (
                *(source, names.queue_owner, names.source_queue, names.queue_owner, names.destination_queue),
                *(state.total_messages, "Waiting for message from propagation sender"),
            )
        ]

    def _transactions(self, end: End, _binds: Binds) -> Answered:
        lab, names = self._state.lab, self._state.scenario.names
        found = lab.capture_transactions() if end is End.SOURCE else lab.apply().transactions
        component, process = ("CAPTURE", names.capture_name) if end is End.SOURCE else ("APPLY", names.apply_name)
        return [
            (component, process, _xid(each.xid), each.cumulative_messages, self._state.age_s(each.first_message_s))
            for each in sorted(found, key=lambda each: -each.cumulative_messages)
        ]

    def _spilled(self, _end: End, _binds: Binds) -> Answered:
        name = self._state.scenario.names.apply_name
        return [
            (name, _xid(staged.xid), staged.message_count, self._state.age_s(staged.spill_creation_s))
            for staged in self._state.lab.apply().spilled_transactions
        ]

    def _apply_errors(self, _end: End, _binds: Binds) -> Answered:
        name = self._state.scenario.names.apply_name
        newest_first = tuple(reversed(self._state.lab.apply().errors))
        return [
            (name, _xid(fault.xid), fault.message_count, fault.error_number, fault.error_message)
            for fault in newest_first[:50]
        ]

    def _progress(self, _end: End, _binds: Binds) -> Answered:
        state, name = self._state.lab.apply(), self._state.scenario.names.apply_name
        latency = (
            None
            if state.progress_apply_s is None or state.progress_create_s is None
            else float(int(state.progress_apply_s) - int(state.progress_create_s))
        )
        return [(name, state.progress_message_number, state.progress_message_number, latency)]

    def _capture_health(self, _end: End, _binds: Binds) -> Answered:
        state, name = self._state.lab.capture(), self._state.scenario.names.capture_name
        if not state.is_running:
            return ()
        newest_s, read_s = state.available_message_create_s, state.capture_message_create_s
        latency_s = None if newest_s is None or read_s is None else float(int(newest_s) - int(read_s))
        return [(name, state.state, self._state.age_s(state.state_changed_s), latency_s, float(state.pageout_s))]

    def _logminer(self, _end: End, _binds: Binds) -> Answered:
        size_mb = float(self._state.lab.capture_parameters.value("_SGA_SIZE"))
        used = int(self._state.lab.capture().logminer_mb * MEGABYTE)
        return [(self._state.scenario.names.capture_name, int(size_mb * MEGABYTE), used)]

    def _waits(self, _end: End, _binds: Binds) -> Answered:
        paused_s = self._state.lab.capture().elapsed_pause_s
        return [("Streams AQ: enqueue blocked due to flow control", int(paused_s), paused_s)] if paused_s else ()


def _xid(parts: tuple[int, int, int]) -> str:
    return ".".join(map(str, parts))
