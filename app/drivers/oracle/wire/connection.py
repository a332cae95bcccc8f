"""One client's connection from its first byte to its last."""

import re
import ssl
from typing import Final

from app.drivers.oracle.session import End
from app.drivers.oracle.url import LAB_USER
from app.drivers.oracle.wire import replies
from app.drivers.oracle.wire.fields import FieldReader, counted, u16
from app.drivers.oracle.wire.login import Logon, Verifier, pairs_reply, read_pairs
from app.drivers.oracle.wire.packets import Channel, Disconnected, Interrupted, Malformed, PacketKind
from app.drivers.oracle.wire.requests import FUNCTION, ConnectionBreaks, Requests
from app.drivers.oracle.wire.shared_lab import SharedLab

_LOGIN_LIMIT_S: Final = 30.0
_TNS_12_1: Final = 315
_SDU_BYTES: Final = 8192
_TEXT_AT: Final = 66  # of the connect data, in the packet's body
_SERVICE: Final = re.compile(r"\((SERVICE_NAME|SID)=([^()]*)\)")
_NO_SERVICE: Final = 12514
_NO_SID: Final = 12505
_BAD_LOGIN: Final = (1017, "ORA-01017: invalid username/password; logon denied")
_FIELD_VERSION: Final = 7  # of the capabilities: 12.1
_COMPILE_CAPABILITIES: Final = 41
_RUNTIME_CAPABILITIES: Final = 7
_AL16UTF16: Final = 2000
_PHASES: Final = (118, 115)
_CANCELLED: Final = "ORA-01013: user requested cancel of current operation"


class Connection:
    """Serves one client; afterwards its socket is closed.

    Args:
        session: number of the session, told to the client.
    """

    def __init__(
        self, channel: Channel, shared: SharedLab, verifier: Verifier, context: ssl.SSLContext, session: int
    ) -> None:
        self._channel = channel
        self._shared = shared
        self._verifier = verifier
        self._context = context
        self._session = session

    def serve(self) -> None:
        """Answer until the client goes away, breaks off, or sends anything but TNS."""
        try:
            self._channel.limit(_LOGIN_LIMIT_S)
            self._channel.start_tls_if_asked(self._context)
            end = self._accept()
            if end is not None:
                self._negotiate()
                if self._log_in(end):
                    self._channel.limit(None)
                    self._serve_requests(Requests(self._shared, end, self._channel.watch))
        except ConnectionBreaks:
            self._channel.reset()
        except (Disconnected, Malformed, Interrupted, KeyError, UnicodeDecodeError, OSError):
            return  # nobody is left to be told
        finally:
            self._channel.close()

    def _accept(self) -> End | None:
        """Accept the client, or refuse it where it asks for a service that is not here; return the database it
        wants."""
        packet = self._channel.read()
        if packet.kind != PacketKind.CONNECT or len(packet.body) < _TEXT_AT:
            raise Malformed("no connect")
        length = int.from_bytes(packet.body[16:18], "big")
        text = packet.body[_TEXT_AT:]
        if len(text) < length:
            text = self._channel.read_data()
        wanted = _SERVICE.search(text.decode("ascii", "replace"))
        end = None if wanted is None else self._end_called(wanted[1], wanted[2])
        if end is None:
            code = _NO_SID if wanted is not None and wanted[1] == "SID" else _NO_SERVICE
            refuse(self._channel, code)
            return None
        self._channel.send(PacketKind.ACCEPT, _accept_body())
        self._channel.accepted()
        return end

    def _end_called(self, by: str, name: str) -> End | None:
        for end in End:
            whole = self._shared.lab.database_name(end)
            known_as = whole.partition(".")[0] if by == "SID" else whole
            if name.upper() in (known_as.upper(), end.value.upper()):
                return end
        return None

    def _negotiate(self) -> None:
        """Agree on release 12.1 and on the types of values."""
        reader = FieldReader(self._channel.read_data)
        if reader.u8() != 1:
            raise Malformed("no protocol negotiation")
        while reader.u8():
            pass  # versions, up to 0
        while reader.u8():
            pass  # the driver's name, up to 0
        self._channel.send_data(_protocol_answer())
        reader = FieldReader(self._channel.read_data)
        if reader.u8() != 2:
            raise Malformed("no data type negotiation")
        reader.raw(5)
        reader.counted()
        reader.counted()
        while reader.u16():
            reader.raw(6)
        self._channel.send_data(b"\x02\0\0")

    def _log_in(self, end: End) -> bool:
        """Check who it is in two phases; tell whether the client may stay."""
        logon = Logon(self._verifier)
        first = _logon_request(self._channel, _PHASES[0])
        user, _pairs = read_pairs(first)
        self._channel.send_data(logon.challenge())
        _user, pairs = read_pairs(_logon_request(self._channel, _PHASES[1]))
        proof = logon.proof(pairs)
        problem = self._shared.login_problem(end) if proof and user.upper() == LAB_USER.upper() else _BAD_LOGIN
        if proof is None or problem is not None:
            code, text = problem or _BAD_LOGIN
            self._channel.send_data(replies.ended(code=code, text=text))
            return False
        lab = self._shared.lab
        self._channel.send_data(
            pairs_reply(
                {
                    "AUTH_VERSION_NO": (str(version_number(lab.version(end))), 0),
                    "AUTH_SESSION_ID": (str(self._session), 0),
                    "AUTH_SERIAL_NUM": ("1", 0),
                    "AUTH_SVR_RESPONSE": (proof, 0),
                    "AUTH_MAX_OPEN_CURSORS": ("300", 0),
                    "AUTH_SC_DBUNIQUE_NAME": (lab.database_name(end).partition(".")[0], 0),
                    "AUTH_SC_SERVICE_NAME": (lab.database_name(end), 0),
                    "AUTH_INSTANCENAME": (lab.database_name(end).partition(".")[0], 0),
                }
            )
        )
        return True

    def _serve_requests(self, requests: Requests) -> None:
        try:
            while not requests.has_left:
                try:
                    self._channel.send_data(requests.answer(FieldReader(self._channel.read_data)))
                except Interrupted:
                    self._channel.break_off()
                    self._channel.send_data(replies.ended(code=1013, text=_CANCELLED, is_open=requests.is_open))
        finally:
            requests.leave()


def refuse(channel: Channel, code: int) -> None:
    """Send a client away as a listener does."""
    told = f"(DESCRIPTION=(TMP=)(VSNNUM=0)(ERR={code})(ERROR_STACK=(ERROR=(CODE={code})(EMFI=4))))".encode()
    channel.send(PacketKind.REFUSE, b"\x22\0" + u16(len(told)) + told)


def _logon_request(channel: Channel, phase: int) -> FieldReader:
    reader = FieldReader(channel.read_data)
    kind, function, _number = reader.raw(3)
    if (kind, function) != (FUNCTION, phase):
        raise Malformed("no logon")
    return reader


def _accept_body() -> bytes:
    body = bytearray(28)
    body[0:2] = u16(_TNS_12_1)
    body[4:6] = body[6:8] = u16(_SDU_BYTES)
    body[8:10] = u16(1)
    body[24:28] = _SDU_BYTES.to_bytes(4, "big")
    return bytes(body)


def _protocol_answer() -> bytes:
    capabilities = bytearray(_COMPILE_CAPABILITIES)
    capabilities[7] = _FIELD_VERSION
    fdo = bytes(9) + u16(_AL16UTF16) + bytes(2)
    return (
        b"\x01\x06\0Replitune lab\0"
        + replies.AL32UTF8.to_bytes(2, "little")
        + bytes(3)
        + u16(len(fdo))
        + fdo
        + counted(bytes(capabilities))
        + counted(bytes(_RUNTIME_CAPABILITIES))
    )


def version_number(version: str) -> int:
    """Return a release as it travels to a client of 12.1: 12.1.0.2.0 is 0x0C100200."""
    parts = [int(part) for part in version.split(".") if part.isdigit()]
    release, update, third, fourth, fifth = (*parts, 0, 0, 0, 0, 0)[:5]
    return release << 24 | update << 20 | third << 12 | fourth << 8 | fifth
