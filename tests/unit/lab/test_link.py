"""The line to a Subscriber: what one stream takes is worked out at once, and the same as command by command."""

import numpy as np

from app.systems.transactional_replication.lab.link import time_alone_over_wire_s, time_over_wire_s


def test_one_stream_is_done_when_it_is_followed_command_by_command() -> None:
    """Batches of a handful of commands and of thousands, to the last digit: runs of one seed stay what they were."""
    draw = np.random.default_rng(5)
    commands = draw.integers(1, 3_000, 40)
    turnarounds_s = draw.uniform(1e-5, 1e-2, 40)
    for send_s in (1e-6, 3.3e-4, 0.02):
        one_by_one_s = [
            time_over_wire_s([count], [turnaround_s], send_s)
            for count, turnaround_s in zip(commands.tolist(), turnarounds_s.tolist(), strict=True)
        ]
        assert time_alone_over_wire_s(commands, turnarounds_s, send_s).tolist() == one_by_one_s
