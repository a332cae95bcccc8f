"""How a secondary database becomes SYNCHRONIZED, and stops being it."""

from app.systems.availability_groups.lab.readings import SynchronizationState
from app.systems.availability_groups.lab.shipping import LogStream
from app.systems.availability_groups.lab.state import Database, Replica


def settle_states(database: Database, resynchronize_s: float, now_s: float) -> None:
    """Bring the state of every secondary copy of a database up to date."""
    for copy in database.copies.values():
        if copy.stream is not None and database.group is not None:
            replica = database.group.replicas[copy.server.name]
            _settle(database, copy.stream, replica, resynchronize_s, now_s)


def next_change_s(database: Database) -> float | None:
    """Return the next moment at which a state changes by itself."""
    moments = [stream.synchronized_at_s for stream in database.streams()]
    if database.group is not None:
        for copy in database.copies.values():
            if copy.stream is not None and copy.stream.missed_since_s is not None:
                timeout_s = database.group.replicas[copy.server.name].session_timeout_s
                moments.append(copy.stream.missed_since_s + timeout_s)
    return min((moment for moment in moments if moment is not None), default=None)


def _settle(database: Database, stream: LogStream, replica: Replica, resynchronize_s: float, now_s: float) -> None:
    if stream.is_suspended:
        _lose(stream)
    elif not (database.is_available and stream.secondary.is_up):
        _miss(stream, replica.session_timeout_s, now_s)
    elif database.group is None or not database.group.is_commit_synchronous(replica.server.name):
        stream.missed_since_s = stream.synchronized_at_s = None
        stream.state = SynchronizationState.SYNCHRONIZING
    else:
        _synchronize(database, stream, resynchronize_s, now_s)


def _lose(stream: LogStream) -> None:
    stream.state = SynchronizationState.NOT_SYNCHRONIZING
    stream.missed_since_s = stream.synchronized_at_s = None


def _miss(stream: LogStream, timeout_s: float, now_s: float) -> None:
    """Commits go on waiting for a synchronized secondary until its session times out."""
    if not stream.is_synchronized:
        _lose(stream)
    elif stream.missed_since_s is None:
        stream.missed_since_s = now_s
    elif now_s >= stream.missed_since_s + timeout_s:
        _lose(stream)


def _synchronize(database: Database, stream: LogStream, resynchronize_s: float, now_s: float) -> None:
    """Catch up; the rest when the replica turns synchronous holds the commits until it has arrived."""
    if stream.is_synchronized:
        if stream.missed_since_s is not None:
            stream.missed_since_s = None
            _hold_for_backlog(database, stream, now_s)
        return
    stream.state = SynchronizationState.SYNCHRONIZING
    if stream.synchronized_at_s is None:
        stream.synchronized_at_s = now_s + resynchronize_s + _backlog_s(stream)
    if now_s >= stream.synchronized_at_s:
        stream.synchronized_at_s = None
        stream.state = SynchronizationState.SYNCHRONIZED
        _hold_for_backlog(database, stream, now_s)


def _hold_for_backlog(database: Database, stream: LogStream, now_s: float) -> None:
    database.held_until_s = max(database.held_until_s, now_s + _backlog_s(stream))


def _backlog_s(stream: LogStream) -> float:
    rate = stream.rates.send_mb_per_s
    return stream.send_queue_mb / rate if rate > 0.0 else 0.0
