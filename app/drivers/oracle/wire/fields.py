"""Fields of TTC messages: integers with a length byte, counted bytes, read as they arrive and written."""

from collections.abc import Callable
from typing import Final

from app.drivers.oracle.wire.packets import Malformed

_NULL_LENGTHS: Final = (0x00, 0xFF)
_IN_CHUNKS: Final = 0xFE
_LONGEST_SHORT_BYTES: Final = 252
_CHUNK_BYTES: Final = 32_767


class FieldReader:
    """Reads the fields of one request; `more` brings its next packet when it goes on."""

    def __init__(self, more: Callable[[], bytes]) -> None:
        self._more = more
        self._arrived = bytearray()
        self._position = 0

    @property
    def is_at_end(self) -> bool:
        """Whether all that has arrived was read."""
        return self._position >= len(self._arrived)

    def raw(self, size: int) -> bytes:
        """Return so many bytes."""
        end = self._position + size
        while len(self._arrived) < end:
            self._arrived += self._more()
        part = bytes(self._arrived[self._position : end])
        self._position = end
        return part

    def u8(self) -> int:
        """Return one byte."""
        return self.raw(1)[0]

    def u16(self) -> int:
        """Return two bytes, the high one first."""
        return int.from_bytes(self.raw(2), "big")

    def number(self) -> int:
        """Return an integer behind its length."""
        length = self.u8()
        if length & 0x7F > 8:
            raise Malformed(f"an integer of {length} bytes")
        value = int.from_bytes(self.raw(length & 0x7F), "big")
        return -value if length & 0x80 else value

    def skip(self, fields: str) -> None:
        """Pass over fields: `b` for a byte, `n` for an integer behind its length."""
        for field in fields:
            if field == "b":
                self.u8()
            else:
                self.number()

    def counted(self) -> bytes | None:
        """Return bytes behind their length, None for NULL."""
        length = self.u8()
        if length in _NULL_LENGTHS:
            return None
        if length != _IN_CHUNKS:
            return self.raw(length)
        chunks = bytearray()
        while size := self.number():
            chunks += self.raw(size)
        return bytes(chunks)

    def counted_twice(self) -> bytes:
        """Return bytes that come behind their length and their length again, nothing where the first one is 0."""
        return (self.counted() or b"") if self.number() else b""


def u16(value: int) -> bytes:
    """Return two bytes, the high one first."""
    return value.to_bytes(2, "big")


def number(value: int) -> bytes:
    """Return a non-negative integer behind its length."""
    size = (value.bit_length() + 7) // 8
    return bytes((size,)) + value.to_bytes(size, "big")


def counted(value: bytes | None) -> bytes:
    """Return bytes behind their length, in chunks where they are long; empty is NULL."""
    if not value:
        return b"\0"
    if len(value) <= _LONGEST_SHORT_BYTES:
        return bytes((len(value),)) + value
    chunks = [value[start : start + _CHUNK_BYTES] for start in range(0, len(value), _CHUNK_BYTES)]
    return bytes((_IN_CHUNKS,)) + b"".join(number(len(chunk)) + chunk for chunk in chunks) + b"\0"


def counted_twice(value: bytes) -> bytes:
    """Return bytes behind their length twice; empty is a single 0."""
    return number(len(value)) + counted(value) if value else b"\0"
