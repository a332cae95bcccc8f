"""What a person fills in to reach a target: ways to connect and their fields, as data for a form.

A way says how its fields become a target as `--target` accepts it; an engine folder lists its own ways in these terms.
"""

from dataclasses import dataclass
from enum import StrEnum


class FieldKind(StrEnum):
    """What a field holds, which decides how it is entered and checked."""

    FILE = "file"
    PORT = "port"


@dataclass(frozen=True)
class ConnectionField:
    """One field.

    Attributes:
        name: its name in the way's pattern, such as "port".
        label: as shown beside it, without a mnemonic.
        help: one sentence on what to enter.
        example: shown while it is empty.
        suffix: ending a file must have, such as ".toml"; "" for any.
    """

    name: str
    label: str
    kind: FieldKind
    help: str
    example: str = ""
    suffix: str = ""


@dataclass(frozen=True)
class ConnectionWay:
    """One way to reach a target.

    Attributes:
        way_id: stable id.
        title: as a person calls it.
        fields: in the order they are asked for.
        pattern: the target made of the fields' values, such as "lab@127.0.0.1:{port}".
        suggested_name: a name to save it under, made of the fields' values; of a file, of its name without ending.
    """

    way_id: str
    title: str
    fields: tuple[ConnectionField, ...]
    pattern: str
    suggested_name: str
