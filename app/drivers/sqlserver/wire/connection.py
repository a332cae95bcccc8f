"""One client's connection from its first byte to its last."""

import ssl
import time
from typing import Final

from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.wire import tokens
from app.drivers.sqlserver.wire.channel import Cancelled, Channel, Disconnected
from app.drivers.sqlserver.wire.client_session import ClientSession
from app.drivers.sqlserver.wire.login import (
    OLDEST_TDS,
    Encryption,
    Login,
    answer_encryption,
    parse_login,
    parse_prelogin,
    prelogin_answer,
)
from app.drivers.sqlserver.wire.packets import Message, PacketKind, PacketWriter, frame, is_last
from app.drivers.sqlserver.wire.reading import Malformed
from app.drivers.sqlserver.wire.requests import ConnectionBreaks, Requests, database_change, error_token
from app.drivers.sqlserver.wire.tokens import Change, Done

_LOGIN_LIMIT_S: Final = 30.0
_LANGUAGE: Final = "us_english"


class Connection:
    """Serves one client; afterwards its channel can be closed.

    Args:
        context: makes TLS possible; None serves in clear only.
        version: of the server: major, minor, build.
    """

    def __init__(
        self, channel: Channel, session: ClientSession, context: ssl.SSLContext | None, version: tuple[int, int, int]
    ) -> None:
        self._channel = channel
        self._session = session
        self._context = context
        self._version = version
        self._requests = Requests(session, self._watch)

    def serve(self) -> None:
        """Answer until the client goes away, breaks off, or sends anything but TDS."""
        try:
            self._channel.limit(_LOGIN_LIMIT_S)
            if self._log_in():
                self._channel.limit(None)
                while True:
                    self._serve_message(self._channel.read_message(reads_past=True))
        except ConnectionBreaks:
            self._channel.reset()
        except (Disconnected, Malformed, Cancelled, OSError):
            return  # nobody is left to be told

    def _watch(self, wait_s: float) -> None:
        self._channel.watch(wait_s)

    def _log_in(self) -> bool:
        """Agree on TLS, check the login and welcome the client; tell whether it may stay.

        Raises:
            ConnectionBreaks: the server is off.
        """
        refusal = self._refusal()
        opening = self._channel.read_message()
        if opening.kind != PacketKind.PRELOGIN:
            raise Malformed("no prelogin")
        wish = parse_prelogin(opening.payload)
        agreed = answer_encryption(wish, self._context is not None)
        self._reply(prelogin_answer(self._version, agreed))
        if wish in (Encryption.ON, Encryption.REQUIRED) and agreed is Encryption.NOT_SUPPORTED:
            return False
        if self._context is not None and agreed is not Encryption.NOT_SUPPORTED:
            self._channel.start_tls(self._context)
        message = self._channel.read_message()
        if agreed is Encryption.OFF:
            self._channel.end_tls()
        if message.kind != PacketKind.LOGIN:
            raise Malformed("no login")
        return self._welcome(parse_login(message.payload), refusal)

    def _refusal(self) -> SqlError | None:
        """Return the error that every login gets, None where the server takes logins."""
        try:
            is_on = self._session.shared.is_on(self._session.server.name, _pass)
        except SqlError as error:
            return error
        if not is_on:
            raise ConnectionBreaks
        return None

    def _welcome(self, login: Login, refusal: SqlError | None) -> bool:
        session = self._session
        try:
            _need_usable(login)
            if refusal is not None:
                raise refusal
            session.log_in(login.user, login.password, login.database)
        except SqlError as error:
            self._reply(error_token(error, session.server.name) + tokens.done(Done.ERROR))
            return False
        language = f"Changed language setting to {_LANGUAGE}."
        welcome = [
            database_change(session, "master"),
            tokens.collation_change(),
            tokens.env_change(Change.LANGUAGE, _LANGUAGE),
            tokens.info(5703, language, session.server.name),
            tokens.login_ack(self._version),
            tokens.no_features() if login.has_features else b"",
            tokens.env_change(Change.PACKET_SIZE, str(login.packet_bytes), str(session.packet_bytes)),
            tokens.done(),
        ]
        self._reply(b"".join(welcome))
        session.packet_bytes = login.packet_bytes
        return True

    def _serve_message(self, message: Message) -> None:
        if message.is_ignored:
            return
        if message.kind == PacketKind.ATTENTION:  # of a request that had ended, or of none
            self._reply(tokens.done(Done.ATTENTION))
            return
        writer = PacketWriter(self._send_watching, PacketKind.REPLY, self._session.packet_bytes)
        try:
            for token in self._requests.answer(message):
                writer.write(token)
        # The client reads on until it finds its attention answered: a token that was begun is sent to its end.
        except Cancelled:
            writer.write(tokens.done(Done.ERROR) + tokens.done(Done.ATTENTION))
        writer.finish()

    def _send_watching(self, packet: bytes) -> None:
        """Send a packet, then look whether the client still wants the rest."""
        self._channel.send(packet)
        if not is_last(packet):  # after the last one the next request may be there already
            self._watch(0.0)

    def _reply(self, payload: bytes) -> None:
        self._channel.send(frame(PacketKind.REPLY, payload, self._session.packet_bytes))


def _pass(wait_s: float) -> None:
    """Let time pass; what the client says meanwhile is read afterwards."""
    time.sleep(wait_s)


def _need_usable(login: Login) -> None:
    if login.is_integrated:
        raise SqlError(18452, "Login failed. The lab knows no Windows logins; use SQL Server authentication.", "28000")
    if login.tds_version < OLDEST_TDS:
        raise SqlError(17835, "This TDS version is too old; use 7.2 or later.", "08001")
