"""Answers about the flow: queues, transactions and failed ones."""

from collections.abc import Mapping

from app.drivers.oracle.session import End
from app.systems.oracle_streams.lab_server.answers import Answer, Answered, Binds
from app.systems.oracle_streams.lab_server.state import SIDES, LabState


class FlowAnswers:
    """The answers of the views of queues and transactions."""

    def __init__(self, state: LabState) -> None:
        self._state = state

    def answers(self) -> Mapping[str, Answer]:
        """Return an answer for each of these statements."""
        return {
            "queues": self._queues,
            "publishers": self._publishers,
            "transactions": self._transactions,
            "apply_errors": self._apply_errors,
            "archived_logs": lambda _end, _binds: [(self._state.scenario.names.capture_name, 4, 0.5)],
            "capture_health": self._capture_health,
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

    def _queue_name(self, end: End) -> str:
        names = self._state.scenario.names
        return names.source_queue if end is End.SOURCE else names.destination_queue

    def _transactions(self, end: End, _binds: Binds) -> Answered:
        lab, names = self._state.lab, self._state.scenario.names
        transactions = lab.capture_transactions() if end is End.SOURCE else lab.apply().transactions
        component, process = ("CAPTURE", names.capture_name) if end is End.SOURCE else ("APPLY", names.apply_name)
        return [
            (component, process, _xid(each.xid), each.cumulative_messages, self._state.age_s(each.first_message_s))
            for each in sorted(transactions, key=lambda each: -each.cumulative_messages)
        ]

    def _apply_errors(self, _end: End, _binds: Binds) -> Answered:
        name = self._state.scenario.names.apply_name
        newest_first = tuple(reversed(self._state.lab.apply().errors))
        return [
            (name, _xid(fault.xid), fault.message_count, fault.error_number, fault.error_message)
            for fault in newest_first[:50]
        ]

    def _capture_health(self, _end: End, _binds: Binds) -> Answered:
        state, name = self._state.lab.capture(), self._state.scenario.names.capture_name
        if not state.is_running:
            return ()
        newest_s, read_s = state.available_message_create_s, state.capture_message_create_s
        latency_s = None if newest_s is None or read_s is None else float(int(newest_s) - int(read_s))
        return [(name, state.state, self._state.age_s(state.state_changed_s), latency_s, float(state.pageout_s))]


def _xid(parts: tuple[int, int, int]) -> str:
    return ".".join(map(str, parts))
