"""Values many rows share, written once: settings, streams and statement texts, each with its key."""

import sqlite3
from collections.abc import Iterable

from app.domain.setting import Setting, Value
from app.domain.statement import StatementRecord
from app.foundation.codec import dump_json


class SharedRows:
    """Keys of shared rows within one transaction; not kept longer, for a rollback takes new rows back."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._settings: dict[tuple[tuple[str, Value, type[Value]], ...], int] = {}
        self._texts: dict[tuple[str, str, str], int] = {}

    def setting_key(self, setting: Setting) -> int:
        """Return the key of a setting; 1 and 1.0 are two settings, for they are written differently."""
        cache_key = tuple((name, value, type(value)) for name, value in setting.values_by_name)
        key = self._settings.get(cache_key)
        if key is None:
            key = self._key_of("setting", ("body",), (dump_json(setting),))
            self._settings[cache_key] = key
        return key

    def stream_keys(self, streams: Iterable[tuple[str, str]]) -> dict[tuple[str, str], int]:
        """Return the keys of streams, each a name with its unit."""
        return {stream: self._key_of("stream", ("name", "unit"), stream) for stream in sorted(streams)}

    def text_key(self, statement: StatementRecord) -> int:
        """Return the key of a statement's name, access and text."""
        values = (statement.name, statement.access.value, statement.text)
        key = self._texts.get(values)
        if key is None:
            key = self._texts[values] = self._key_of("statement_text", ("name", "access", "text"), values, "text_key")
        return key

    def _key_of(self, table: str, columns: tuple[str, ...], values: tuple[str, ...], key_column: str = "") -> int:
        names, marks = ", ".join(columns), ", ".join("?" for _column in columns)
        self._connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks}) ON CONFLICT DO NOTHING", values)
        condition = " AND ".join(f"{column} = ?" for column in columns)
        row = self._connection.execute(
            f"SELECT {key_column or f'{table}_key'} FROM {table} WHERE {condition}", values
        ).fetchone()
        return int(row[0])
