"""Parameters of a Streams pipeline that checks, facts and plans of this family speak of by name."""

from typing import Final

from app.systems.oracle_streams.server.documented import varied_parameters

PARAMETERS: Final = varied_parameters()
_BY_NAME: Final = {parameter.name: parameter for parameter in PARAMETERS}

COMMIT_SERIALIZATION: Final = _BY_NAME["COMMIT_SERIALIZATION"]
LATENCY: Final = _BY_NAME["LATENCY"]
PARALLELISM: Final = _BY_NAME["PARALLELISM"]
SGA_SIZE: Final = _BY_NAME["_SGA_SIZE"]
TXN_LCR_SPILL_THRESHOLD: Final = _BY_NAME["TXN_LCR_SPILL_THRESHOLD"]
