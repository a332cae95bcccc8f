"""An environment as the session file keeps it: one flat JSON object, what systems read beside the program's own."""

import json
from typing import Any, Final

from app.domain.session import Environment
from app.foundation.codec import CodecError, dump_json, load_json

_TARGET: Final = "target"
_FACTS: Final = "facts"


def body_of(environment: Environment) -> str:
    """Return the JSON text of an environment; what systems read stands in it as they wrote it, under their keys."""
    own = ((_TARGET, dump_json(environment.target)), (_FACTS, dump_json(environment.facts)))
    return "{" + ",".join(f"{dump_json(key)}:{text}" for key, text in (*own, *environment.kept)) + "}"


def environment_from(body: str) -> Environment:
    """Return the environment of a JSON text; keys of no known system are kept, what is null is not there.

    Raises:
        CodecError: not such a text.
    """
    try:
        found = json.loads(body, parse_constant=_refuse)
    except ValueError as error:
        raise CodecError(str(error)) from error
    if not isinstance(found, dict):
        raise CodecError(f"not an environment: {body[:80]!r}")
    texts = {key: _compact(value) for key, value in found.items() if value is not None}
    return Environment(
        load_json(str, texts.pop(_TARGET, "null")),
        load_json(tuple[tuple[str, str, str], ...], texts.pop(_FACTS, "[]")),
        tuple(texts.items()),
    )


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")
