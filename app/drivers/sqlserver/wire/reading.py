"""Reading the fields of a message; whatever a client sends, this ends in a value or in `Malformed`."""

import struct
from typing import Final

_U16: Final = struct.Struct("<H")
_I32: Final = struct.Struct("<i")
_U32: Final = struct.Struct("<I")
_U64: Final = struct.Struct("<Q")


class Malformed(Exception):
    """A client's message is no TDS; its connection is closed."""


class FieldReader:
    """Fields of one message in order, little-endian as TDS has them."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def at_end(self) -> bool:
        """Whether everything was read."""
        return self._at >= len(self._data)

    def take(self, size: int) -> bytes:
        """Return the next bytes; raises Malformed where there are not so many."""
        end = self._at + size
        if size < 0 or end > len(self._data):
            raise Malformed(f"{size} bytes wanted, {len(self._data) - self._at} left")
        part = self._data[self._at : end]
        self._at = end
        return part

    def u8(self) -> int:
        """Return one byte as a number."""
        return self.take(1)[0]

    def u16(self) -> int:
        """Return an unsigned number of two bytes."""
        return int(_U16.unpack(self.take(2))[0])

    def i32(self) -> int:
        """Return a signed number of four bytes."""
        return int(_I32.unpack(self.take(4))[0])

    def u32(self) -> int:
        """Return an unsigned number of four bytes."""
        return int(_U32.unpack(self.take(4))[0])

    def u64(self) -> int:
        """Return an unsigned number of eight bytes."""
        return int(_U64.unpack(self.take(8))[0])

    def text(self, characters: int) -> str:
        """Return UTF-16 text of so many code units."""
        return utf16(self.take(characters * 2))

    def short_text(self) -> str:
        """Return a B_VARCHAR: one byte of length in code units, then the text."""
        return self.text(self.u8())

    def skip_headers(self) -> None:
        """Skip ALL_HEADERS, which begin every request of TDS 7.2 and later with their own length."""
        size = self.u32()
        if size < 4:
            raise Malformed(f"headers of {size} bytes")
        self.take(size - 4)

    def rest(self) -> bytes:
        """Return everything left."""
        return self.take(len(self._data) - self._at)


def utf16(data: bytes) -> str:
    """Return UTF-16 text; raises Malformed on half a character. A lone surrogate is kept, as SQL Server keeps it."""
    try:
        return data.decode("utf-16-le", "surrogatepass")
    except UnicodeDecodeError as error:
        raise Malformed("text is no UTF-16") from error
