"""A lab as a server process of its own, on the loopback address only; it outlives its clients."""

import socket
import threading
from collections.abc import Callable
from pathlib import Path

from app.targets.sqlserver.errors import SqlError
from app.targets.sqlserver.fake.faults import load_site
from app.targets.sqlserver.fake.open import lab_file
from app.targets.sqlserver.fake.server import LabSqlServer
from app.targets.sqlserver.fake.wire import HOST, Disconnected, Message, encode_rows, receive_message, send_message
from app.targets.sqlserver.session import Place


def serve_lab(
    scenario: Path | None,
    seed: int,
    port: int,
    announce: Callable[[int], None],
    noise: bool | None = None,
) -> None:
    """Serve one lab for ever, one request at a time whoever asks; end it by ending the process.

    Args:
        scenario: scenario file, None for the default one.
        seed: of the lab's noise.
        port: on 127.0.0.1; 0 lets the system choose.
        announce: called once with the port, when a client can connect.
        noise: switches the scenario's noise on or off; None leaves it as the scenario says.

    Raises:
        BadInput: the scenario cannot be used.
        OSError: the port is taken.
    """
    constants, faults = load_site(lab_file(scenario))
    server = LabSqlServer(constants, seed, noise, faults)
    turn = threading.Lock()
    with socket.create_server((HOST, port), backlog=8) as listener:
        announce(listener.getsockname()[1])
        while True:
            client, _address = listener.accept()
            # A thread for each client: one that hangs, or forgot to close, must not keep a restore waiting.
            threading.Thread(target=_serve_client, args=(server, client, turn), daemon=True).start()


def _serve_client(server: LabSqlServer, client: socket.socket, turn: threading.Lock) -> None:
    """Answer until the client goes away; whatever happened to it, the lab's state stays."""
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with client:
        try:
            while True:
                request = receive_message(client)
                with turn:
                    reply = {**_answer(server, request), "now_s": server.now_s()}
                send_message(client, reply)
        except (Disconnected, OSError):
            return


def _answer(server: LabSqlServer, request: Message) -> Message:
    operation = request.get("op")
    if operation == "hello":
        return {"distributor": server.distributor}
    if operation == "sleep" and _is_number(request.get("seconds")):
        server.state.advance(max(0.0, float(request["seconds"])))
        return {}
    if operation == "run" and isinstance(request.get("parameters"), dict):
        return _run(server, request)
    return _problem(SqlError(2812, "The lab knows hello, sleep and run."))


def _run(server: LabSqlServer, request: Message) -> Message:
    place = Place(str(request.get("server")), str(request.get("database")))
    try:
        return {"rows": encode_rows(server.run(str(request.get("name")), place, request["parameters"]))}
    except SqlError as error:
        return _problem(error)


def _problem(error: SqlError) -> Message:
    return {"error": {"number": error.number, "text": error.text, "state": error.state}}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
