"""Round trips of links that are known are measured right."""

import json
import select
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Final

from labs import served_link
from under_wine import Failed, Windows

LINKS_MS: Final = (0.5, 2.0, 8.0, 20.0, 40.0)
BESIDE_AT_MS: Final = 1.0
"""The link at which it is measured what a statement takes beside it; one of 0 ms lets the lab answer without a wait."""
OFF_SHARE: Final = 0.1
OFF_MS: Final = 0.3


def round_trips(windows: Windows) -> str:
    """The round trip of links that are known is measured within 10 % and 0.3 ms of their own.

    What waiting takes beside its own time (Wine's sockets, this machine's scheduler) shows by bytes that are echoed
    after the same time to the same program; what a statement takes beyond that (the driver, Wine's threads, the lab)
    shows at a link that is not judged. Both are taken off, and told. Judged is the shortest of many, which other
    programs disturb least; the program tells the median of five, which stands behind it.
    """
    with ExitStack() as serving:
        port = serving.enter_context(echo_server())
        links = [
            f"{link_ms:g}={serving.enter_context(served_link(windows, link_ms))}"
            for link_ms in (BESIDE_AT_MS, *LINKS_MS)
        ]
        printed = windows.python(
            "packaging/windows_check/in_windows/round_trips.py", str(port), *links, REPLITUNE_PASSWORD="lab"
        )
    told = {float(link_ms): probes for link_ms, probes in json.loads(printed).items()}
    beside_ms = {link_ms: probes["statement"] - probes["echo"] for link_ms, probes in told.items()}
    measured_ms = {link_ms: link_ms + beside_ms[link_ms] - beside_ms[BESIDE_AT_MS] for link_ms in LINKS_MS}
    lines = "; ".join(
        f"{link_ms:g}: {measured_ms[link_ms]:.2f} ({told[link_ms]['statement']:.2f}, bytes alone "
        f"{told[link_ms]['echo']:.2f}, the program's median {told[link_ms]['median']:.2f})"
        for link_ms in LINKS_MS
    )
    said = f"{beside_ms[BESIDE_AT_MS]:.2f} ms for a statement beside the link; {lines}"
    if any(abs(ms - link_ms) > OFF_SHARE * link_ms + OFF_MS for link_ms, ms in measured_ms.items()):
        raise Failed(said)
    return said


@contextmanager
def echo_server() -> Iterator[int]:
    """Answer eight bytes, a number of milliseconds, with one byte after so long; give the port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=_echo, args=(listener,), daemon=True).start()
        yield listener.getsockname()[1]


def _echo(listener: socket.socket) -> None:
    with suppress(OSError):
        peer, _address = listener.accept()
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with peer:
            while asked := peer.recv(8):
                # as the lab waits, which looks for a client that breaks off
                select.select((peer,), (), (), struct.unpack("<d", asked)[0] / 1000.0)
                peer.sendall(b".")
