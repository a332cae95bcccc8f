"""The tables of a session file.

Times are UTC ISO-8601 text; numbers carry their unit in the column's name or in a column beside them; columns noted as
JSON hold one value each, written and read by the codec.
"""

from typing import Final

STATEMENTS: Final = (
    """
    CREATE TABLE session (
        session_key   INTEGER PRIMARY KEY,
        session_id    TEXT NOT NULL UNIQUE,
        title         TEXT NOT NULL,
        client        TEXT NOT NULL,
        consultant    TEXT NOT NULL,
        created_utc   TEXT NOT NULL,
        app_version   TEXT NOT NULL,
        imported_from TEXT NOT NULL DEFAULT ''
    ) STRICT
    """,
    """
    CREATE TABLE environment (
        environment_key INTEGER PRIMARY KEY,
        session_key     INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
        target          TEXT NOT NULL,
        body            TEXT NOT NULL,  -- JSON: servers, agents, effective parameters, readings with units
        UNIQUE (session_key, target)
    ) STRICT
    """,
    """
    CREATE TABLE run (
        run_key      INTEGER PRIMARY KEY,
        session_key  INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
        run_id       TEXT NOT NULL,
        family       TEXT NOT NULL,
        plan         TEXT NOT NULL,  -- JSON
        target       TEXT NOT NULL,
        status       TEXT NOT NULL,
        reason       TEXT NOT NULL,
        started_utc  TEXT NOT NULL,
        finished_utc TEXT,
        UNIQUE (session_key, run_id)
    ) STRICT
    """,
    """
    CREATE TABLE setting (
        setting_key INTEGER PRIMARY KEY,
        body        TEXT NOT NULL UNIQUE  -- JSON: names and values
    ) STRICT
    """,
    """
    CREATE TABLE trial (
        trial_key     INTEGER PRIMARY KEY,
        run_key       INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
        trial_id      TEXT NOT NULL,
        block         INTEGER NOT NULL,
        phase         TEXT NOT NULL,
        setting_key   INTEGER NOT NULL REFERENCES setting,
        status        TEXT NOT NULL,  -- 'started' until it is finished
        failed_checks TEXT NOT NULL DEFAULT '[]',  -- JSON: sentences
        started_utc   TEXT,
        finished_utc  TEXT,
        UNIQUE (run_key, trial_id)
    ) STRICT
    """,
    """
    CREATE TABLE measurement (
        measurement_key INTEGER PRIMARY KEY,
        trial_key       INTEGER NOT NULL REFERENCES trial ON DELETE CASCADE,
        family          TEXT NOT NULL,
        trial_id        TEXT NOT NULL,
        block           INTEGER NOT NULL,
        metric          TEXT NOT NULL,
        value           REAL NOT NULL,
        unit            TEXT NOT NULL,
        setting_key     INTEGER NOT NULL REFERENCES setting,
        conditions_key  INTEGER NOT NULL REFERENCES setting,
        phase           TEXT NOT NULL
    ) STRICT
    """,
    "CREATE INDEX measurement_by_trial ON measurement (trial_key)",
    """
    CREATE TABLE imported (
        imported_key   INTEGER PRIMARY KEY,
        session_key    INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
        family         TEXT NOT NULL,
        trial_id       TEXT NOT NULL,
        block          INTEGER NOT NULL,
        metric         TEXT NOT NULL,
        value          REAL NOT NULL,
        unit           TEXT NOT NULL,
        setting_key    INTEGER NOT NULL REFERENCES setting,
        conditions_key INTEGER NOT NULL REFERENCES setting,
        phase          TEXT NOT NULL
    ) STRICT
    """,
    "CREATE INDEX imported_by_session ON imported (session_key)",
    """
    CREATE TABLE stream (
        stream_key INTEGER PRIMARY KEY,
        name       TEXT NOT NULL,
        unit       TEXT NOT NULL,
        UNIQUE (name, unit)
    ) STRICT
    """,
    """
    CREATE TABLE sample (
        trial_key  INTEGER NOT NULL REFERENCES trial ON DELETE CASCADE,
        position   INTEGER NOT NULL,
        stream_key INTEGER NOT NULL REFERENCES stream,
        offset_s   REAL NOT NULL,
        value      REAL,  -- NULL is "not a number"; its unit is the stream's
        PRIMARY KEY (trial_key, position)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE note (
        note_key    INTEGER PRIMARY KEY,
        session_key INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
        text        TEXT NOT NULL
    ) STRICT
    """,
    "CREATE INDEX note_by_session ON note (session_key)",
    """
    CREATE TABLE event (
        event_key    INTEGER PRIMARY KEY,
        session_key  INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
        run_id       TEXT NOT NULL,
        kind         TEXT NOT NULL,
        text         TEXT NOT NULL,
        recorded_utc TEXT NOT NULL,
        offset_s     REAL NOT NULL  -- seconds since the file was opened, by a clock that never runs backwards
    ) STRICT
    """,
    "CREATE INDEX event_by_session ON event (session_key)",
    """
    CREATE TABLE statement_text (
        text_key INTEGER PRIMARY KEY,
        name     TEXT NOT NULL,
        access   TEXT NOT NULL,
        text     TEXT NOT NULL,
        UNIQUE (name, access, text)
    ) STRICT
    """,
    """
    CREATE TABLE statement (
        statement_key INTEGER PRIMARY KEY,
        session_key   INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
        text_key      INTEGER NOT NULL REFERENCES statement_text,
        server        TEXT NOT NULL,
        parameters    TEXT NOT NULL,
        sent_utc      TEXT NOT NULL,
        duration_ms   REAL NOT NULL,
        rows          INTEGER NOT NULL,
        error         TEXT NOT NULL
    ) STRICT
    """,
    "CREATE INDEX statement_by_session ON statement (session_key)",
    """
    CREATE TABLE change (
        change_key    INTEGER PRIMARY KEY,
        session_key   INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
        entry_id      INTEGER NOT NULL,
        target        TEXT NOT NULL,
        kind          TEXT NOT NULL,
        subject       TEXT NOT NULL,
        original      TEXT NOT NULL,
        new           TEXT NOT NULL,
        details       TEXT NOT NULL,  -- JSON: [[name, value], …]
        apply_sql     TEXT NOT NULL,
        undo_sql      TEXT NOT NULL,
        needs_consent TEXT NOT NULL,
        state         TEXT NOT NULL,
        recorded_utc  TEXT NOT NULL,
        problem       TEXT NOT NULL,
        UNIQUE (session_key, entry_id, recorded_utc)
    ) STRICT
    """,
)
