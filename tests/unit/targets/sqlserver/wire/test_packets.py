"""Packets: split, put together again, and refused where they cannot be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.drivers.sqlserver.wire.packets import (
    HEADER,
    LONGEST_MESSAGE_BYTES,
    PacketKind,
    PacketWriter,
    ReadExactly,
    frame,
    read_message,
)
from app.drivers.sqlserver.wire.reading import Malformed


def reading(data: bytes) -> ReadExactly:
    """Return what reads the data piece by piece; raises EOFError at its end."""
    position = 0

    def read(size: int) -> bytes:
        nonlocal position
        part = data[position : position + size]
        position += size
        if len(part) < size:
            raise EOFError
        return part

    return read


@given(payload=st.binary(max_size=5000), size=st.integers(512, 32_767))
def test_message_survives_its_packets(payload: bytes, size: int) -> None:
    """Whatever the packet size, the same message arrives, and no packet is larger than agreed."""
    framed = frame(PacketKind.REPLY, payload, size)
    message = read_message(reading(framed))
    assert (message.kind, message.payload) == (PacketKind.REPLY, payload)
    assert HEADER.unpack_from(framed)[2] <= size


def test_packets_leave_while_the_message_is_made() -> None:
    """A full packet is sent at once; an interruption by the sending keeps what was not sent."""
    sent: list[bytes] = []
    writer = PacketWriter(sent.append, PacketKind.REPLY, 512)
    writer.write(b"x" * 1200)
    assert [len(packet) for packet in sent] == [512, 512]
    writer.finish()
    assert read_message(reading(b"".join(sent))).payload == b"x" * 1200


def test_interrupted_message_goes_on_where_it_was() -> None:
    """After `send` raised, the rest follows without a gap and without repetition."""
    sent = bytearray()

    def send_and_complain(packet: bytes) -> None:
        sent.extend(packet)
        if len(sent) == 512:
            raise InterruptedError

    writer = PacketWriter(send_and_complain, PacketKind.REPLY, 512)
    with pytest.raises(InterruptedError):
        writer.write(bytes(range(250)) * 5)
    writer.write(b"end")
    writer.finish()
    assert read_message(reading(bytes(sent))).payload == bytes(range(250)) * 5 + b"end"


def test_status_bits_are_read() -> None:
    """A message given up half-way and one that asks for a fresh session are known."""
    given_up = HEADER.pack(PacketKind.BATCH, 0x03, 8, 0, 1, 0)
    fresh = HEADER.pack(PacketKind.BATCH, 0x09, 8, 0, 1, 0)
    assert read_message(reading(given_up)).is_ignored
    assert read_message(reading(fresh)).is_reset
    assert not read_message(reading(fresh)).is_ignored


@pytest.mark.parametrize(
    "data",
    [
        HEADER.pack(PacketKind.BATCH, 1, 7, 0, 1, 0),
        HEADER.pack(PacketKind.BATCH, 1, 40_000, 0, 1, 0) + b"x" * 40_000,
        HEADER.pack(PacketKind.BATCH, 0, 8, 0, 1, 0) + HEADER.pack(PacketKind.RPC, 1, 8, 0, 2, 0),
        b"GET / HTTP/1.1\r\n\r\n",
    ],
)
def test_impossible_packets_are_malformed(data: bytes) -> None:
    """A length that cannot be, a change of type in mid-message, and another protocol are refused."""
    with pytest.raises(Malformed):
        read_message(reading(data))


def test_endless_message_is_malformed() -> None:
    """A client cannot fill the server's memory with one message."""
    packet = HEADER.pack(PacketKind.BATCH, 0, 32_767, 0, 1, 0) + b"x" * 32_759
    packets = LONGEST_MESSAGE_BYTES // 32_759 + 1
    with pytest.raises(Malformed, match="too long"):
        read_message(reading(packet * packets))
