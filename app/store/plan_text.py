"""Plans of a session file, also those written before limits and load were kept by name.

Old texts are read, not rewritten: the fingerprint of a session holds them as they are.
"""

import json
from typing import Any

from app.domain.plan import Plan
from app.foundation.codec import CodecError, load_json

_PAIRS = "values_by_name"


def read_plan(text: str) -> Plan:
    """Return the plan of a stored text.

    Raises:
        CodecError: it is none.
    """
    try:
        data = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise CodecError(f"not JSON: {error}") from error
    return load_json(Plan, json.dumps(_renewed(data)) if isinstance(data, dict) else text)


def _renewed(data: dict[str, Any]) -> dict[str, Any]:
    """Return the content of a stored plan as it is written now; null was no value."""
    made = {name: value for name, value in data.items() if name != "workload"}
    if isinstance(limits := data.get("limits"), dict) and _PAIRS not in limits:
        made["limits"] = _pairs(limits)
    if isinstance(work := data.get("workload"), dict) and not data.get("load", {}).get(_PAIRS):
        made["load"] = _pairs(work)
    return made


def _pairs(values: dict[str, Any]) -> dict[str, Any]:
    return {_PAIRS: sorted([name, value] for name, value in values.items() if value is not None)}
