"""An environment as the session file keeps it: one flat JSON object, the readings of systems beside the program's
own."""

import json
from typing import Any, Final

from app.domain.session import Environment
from app.foundation.codec import CodecError, dump_json, load_json

_TARGET: Final = "target"
_FACTS: Final = "facts"
_SAVED_AS: Final = "saved_as"


def body_of(environment: Environment) -> str:
    """Return the JSON text of an environment; readings of systems stand in it as they wrote them, under their keys."""
    own = [(_TARGET, dump_json(environment.target)), (_FACTS, dump_json(environment.facts))]
    if environment.saved_as:
        own.append((_SAVED_AS, dump_json(environment.saved_as)))
    return "{" + ",".join(f"{dump_json(key)}:{text}" for key, text in (*own, *environment.kept)) + "}"


def environment_from(body: str) -> Environment:
    """Return the environment of a JSON text; keys unknown to the systems here are kept as well, null ones are left out.

    Raises:
        CodecError: not such a text.
    """
    texts = _texts_by_key(body)
    target = load_json(str, texts.pop(_TARGET, "null"))
    facts = load_json(tuple[tuple[str, str, str], ...], texts.pop(_FACTS, "[]"))
    saved_as = load_json(str, texts.pop(_SAVED_AS, '""'))
    return Environment(target, facts, tuple(texts.items()), saved_as)


def _texts_by_key(body: str) -> dict[str, str]:
    try:
        texts = json.loads(body)
        if not isinstance(texts, dict):
            raise CodecError("an environment is a JSON object")
        return {key: _compact(value) for key, value in texts.items() if value is not None}
    except (ValueError, RecursionError) as error:
        raise CodecError(str(error)) from error


def _compact(value: Any) -> str:
    """Return JSON text as `dump_json` writes it; raises ValueError for a number that JSON has no word for."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
