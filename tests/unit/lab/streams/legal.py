"""The state texts Oracle's reference lists for the views, as far as this pipeline can show them."""

import re
from typing import Final

from app.systems.oracle_streams.lab.pipeline import SIDES, StreamsLab

CAPTURE: Final = re.compile(
    r"INITIALIZING|DICTIONARY INITIALIZATION|WAITING FOR REDO|CAPTURING CHANGES|EVALUATING RULE|CREATING LCR"
    r"|ENQUEUING MESSAGE|PAUSED FOR FLOW CONTROL|SHUTTING DOWN"
)
READER: Final = re.compile(r"INITIALIZING|IDLE|DEQUEUE MESSAGES|SCHEDULE MESSAGES|SPILLING")
COORDINATOR: Final = re.compile(r"INITIALIZING|IDLE|APPLYING|SHUTTING DOWN CLEANLY|ABORTING")
SERVER: Final = re.compile(r"INITIALIZING|IDLE|EXECUTE TRANSACTION|WAIT DEPENDENCY|WAIT COMMIT|ROLLBACK TRANSACTION")
PUBLISHER: Final = re.compile(
    r"PUBLISHING MESSAGES|IN FLOW CONTROL: (TOO MANY UNBROWSED MESSAGES|OVERSPILLED MESSAGES"
    r"|INSUFFICIENT MEMORY AND UNBROWSED MESSAGES)"
)


def assert_legal(lab: StreamsLab) -> None:
    """Every state a view would show now is one the reference lists."""
    capture, apply = lab.capture(), lab.apply()
    assert (capture.state is None) == (not capture.is_running)
    assert capture.state is None or CAPTURE.fullmatch(capture.state)
    assert (apply.reader is None) == (not apply.is_running)
    if apply.reader is not None and apply.coordinator is not None:
        assert READER.fullmatch(apply.reader.state)
        assert COORDINATOR.fullmatch(apply.coordinator.state)
    assert all(SERVER.fullmatch(server.state) for server in apply.servers)
    assert all(PUBLISHER.fullmatch(lab.queue(side).publisher_state) for side in SIDES)
