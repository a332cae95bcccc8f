"""The subject of experiments on Oracle Streams, and the capabilities a target must offer for it."""

from typing import Final

from app.foundation.texts import _

SYSTEM_ID: Final = "oracle_streams"

STREAMS: Final = "streams"
SUBJECTS: Final = (STREAMS,)

ORACLE_STREAMS: Final = "OracleStreams"

CAPABILITIES: Final = {ORACLE_STREAMS: _("an Oracle Streams pipeline whose apply may be stopped and started")}
"""What it may offer on a target, by id, as a person says it."""
