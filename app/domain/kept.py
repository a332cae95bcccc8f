"""A system's record of a target in a session, as JSON under a key of its own."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar

from app.domain.session import Environment
from app.domain.target import Target
from app.foundation.codec import dump_json, load_json

R = TypeVar("R")


@dataclass(frozen=True)
class Kept(Generic[R]):
    """Writes a record into an environment, and reads it back."""

    key: str
    record: type[R]

    def environment(self, target: Target, found: R) -> Environment:
        """Return the environment of a target that keeps a record."""
        return Environment(target.key, kept=((self.key, dump_json(found)),))

    def of(self, environment: Environment) -> R | None:
        """Return the record an environment keeps, None where it keeps none; raises CodecError."""
        text = environment.text_of(self.key)
        record: Any = self.record
        found: R | None = _loaded(record, text) if text else None
        return found


@lru_cache(maxsize=16)
def _loaded(record: Any, text: str) -> Any:
    return load_json(record, text)
