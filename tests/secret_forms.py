"""Every way in which a person may write a password into a target, and where such a text is left."""

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

PASSWORD: Final = "Hunter2Quagga"
PARTS: Final = ("hunter2", "quagga")
"""No part of the password may be shown, either."""

FORMS: Final = {
    "before the @": "sqlserver://anna:Hunter2Quagga@db1",
    "before the @, with options": "sqlserver://anna:Hunter2Quagga@db1:1433?trust=yes",
    "with a slash": "sqlserver://anna:Hunter2/Quagga@db1",
    "with a question mark": "sqlserver://anna:Hunter2?Quagga@db1",
    "with an @": "sqlserver://anna:Hunter2@Quagga@db1",
    "with a hash": "sqlserver://anna:Hunter2#Quagga@db1",
    "with a space": "sqlserver://anna:Hunter2 Quagga@db1",
    "with a port before a question mark": "sqlserver://anna:14?Hunter2Quagga@db1",
    "an @ as %40": "sqlserver://anna:Hunter2%40Quagga@db1",
    "no @ but %40": "sqlserver://anna:Hunter2Quagga%40db1",
    "a colon as %3A": "sqlserver://anna%3AHunter2Quagga@db1",
    "a colon as %253A": "sqlserver://anna%253aHunter2Quagga@db1",
    "everything coded": "sqlserver://anna%3AHunter2Quagga%40db1",
    "a slash as %2F": "oracle://scott%2FHunter2Quagga@db2/sales",
    "as Oracle's tools": "oracle://scott/Hunter2Quagga@db2/sales",
    "as Oracle's tools, a port": "oracle://scott/Hunter2Quagga@db2:1521/sales",
    "as sqlplus": "scott/Hunter2Quagga@db2:1521/sales",
    "without an engine": "anna:Hunter2Quagga@db1",
    "forgotten host": "sqlserver://anna:Hunter2Quagga",
    "forgotten host and engine": "anna:Hunter2Quagga",
    "an engine of another name": "mssql+pyodbc://anna:Hunter2Quagga@db1",
    "password=": "sqlserver://anna@db1?password=Hunter2Quagga",
    "PWD= and more": "sqlserver://anna@db1?PWD=Hunter2Quagga&trust=yes",
    "Passwd= with &": "sqlserver://anna@db1?Passwd=Hunter2&Quagga",
    "Passwd= with & and =": "sqlserver://anna@db1?trust=yes&Passwd=Hunter2&Quagga=1",
    "Passwd= with @": "sqlserver://anna@db1?Passwd=Hunter2@Quagga",
    "p%61ssword=": "sqlserver://anna@db1?p%61ssword=Hunter2Quagga",
    "client_secret=": "sqlserver://anna@db1?client_secret=Hunter2Quagga",
    "access-token=": "oracle://anna@db2/sales?access-token=Hunter2Quagga",
    "a password that stands alone": "sqlserver://anna@db1?Hunter2Quagga",
    "in destination=": "oracle://anna@db2/sales?destination=oracle://bob:Hunter2Quagga@db3/stock",
    "in destination=, coded": "oracle://anna@db2/sales?destination=oracle%3A%2F%2Fbob%3AHunter2Quagga%40db3%2Fstock",
    "in destination=, coded twice": "oracle://anna@db2/s?destination=oracle%253A%252F%252Fbob%253AHunter2Quagga%2540db3",
    "in destination=, user/password": "oracle://anna@db2/sales?destination=oracle://bob/Hunter2Quagga@db3/stock",
    "in destination=, no engine": "oracle://anna@db2/sales?destination=bob/Hunter2Quagga@db3",
    "in destination=, password=": "oracle://anna@db2/s?destination=oracle%3A%2F%2Fbob@db3%2Fs%3Fpwd%3DHunter2Quagga",
    "in driver=": "sqlserver://anna@db1?driver=18;PWD=Hunter2Quagga",
    "in failover_partner=": "sqlserver://anna@db1?failover_partner=anna:Hunter2Quagga@db2",
    "in server.NAME=": "sqlserver://anna@db1?server.PUB1=sa:Hunter2Quagga@db3",
    "in a number": "sqlserver://anna@db1?login_timeout=Hunter2Quagga",
    "of a lab on a port": "lab@127.0.0.1:1433?pwd=Hunter2Quagga",
    "of a lab": "lab:anna:Hunter2Quagga@db1",
    "a command of sqlcmd": "sqlcmd -S db1 -U anna -P Hunter2Quagga",
    "a command without a server": "sqlcmd -U anna -P Hunter2Quagga",
    "a command nobody knows": "bcp db.dbo.t out f.dat -S db1 -U anna -PHunter2Quagga",
    "a command of sqlplus": "sqlplus scott/Hunter2Quagga@//db2/sales",
    "a command without a database": "sqlplus scott/Hunter2Quagga",
    "a connection string": "Server=db1;UID=anna;PWD=Hunter2Quagga;Encrypt=yes",
    "a connection string with an @": "Data Source=db1;User Id=a;Password=Hunter2@Quagga",
    "a JDBC address": "jdbc:sqlserver://db1:1433;user=anna;password=Hunter2Quagga",
    "Oracle's JDBC address": "jdbc:oracle:thin:scott/Hunter2Quagga@//db2:1521/sales",
}


def leaks(text: str) -> list[str]:
    """Return the parts of the password that stand in a text, in any case."""
    return [part for part in PARTS if part in text.lower()]


def leaks_below(folder: Path) -> list[str]:
    """Return the files below a folder that hold a part of the password, whatever they are packed into."""
    return [
        f"{path.name}: {part}"
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        for content in _contents(path)
        for part in PARTS
        if part.encode() in content.lower() or part.encode("utf-16-le") in content.lower()
    ]


def _contents(path: Path) -> Iterator[bytes]:
    """Yield a file's bytes (all pages of a database, free ones among them), and what is packed in them."""
    if path.name.endswith(("-wal", "-shm")):
        yield path.read_bytes()
        return
    log = path.with_name(f"{path.name}-wal")
    yield from _unpacked(path.read_bytes(), log.read_bytes() if log.exists() else b"")


def _unpacked(content: bytes, log: bytes = b"") -> Iterator[bytes]:
    """Yield bytes, and what is compressed in them, however often: streams of a PDF, members of a bundle, cells."""
    yield content
    for start in _starts(content, (b"stream\r\n", b"stream\n")):
        yield _inflated(content[start:], zlib.MAX_WBITS)
    for start in _starts(content, (b"PK\x03\x04",)):
        skipped = 30 + int.from_bytes(content[start + 22 : start + 24], "little")
        skipped += int.from_bytes(content[start + 24 : start + 26], "little")
        yield from _unpacked(_inflated(content[start - 4 + skipped :], -zlib.MAX_WBITS))
    if content.startswith(b"SQLite format 3\0"):
        yield from _cells(content, log)


def _cells(content: bytes, log: bytes) -> Iterator[bytes]:
    """Yield what cells of a database and its write-ahead log unpack to: a session's records may be kept compressed."""
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        copy.write_bytes(content)
        if log:
            copy.with_name("copy-wal").write_bytes(log)
        with closing(sqlite3.connect(copy)) as connection:
            tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
            for table in tables:
                for row in connection.execute(f'SELECT * FROM "{table}"'):
                    yield from (_inflated(cell, zlib.MAX_WBITS) for cell in row if isinstance(cell, bytes))


def _starts(content: bytes, marks: tuple[bytes, ...]) -> Iterator[int]:
    for mark in marks:
        place = content.find(mark)
        while place >= 0:
            yield place + len(mark)
            place = content.find(mark, place + 1)


def _inflated(content: bytes, window_bits: int) -> bytes:
    try:
        return zlib.decompressobj(window_bits).decompress(content)
    except zlib.error:
        return b""
