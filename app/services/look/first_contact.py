"""The first contact with servers somebody else built: their answers, compared with the lab's, in a file."""

import contextlib
import dataclasses
import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from app.domain.errors import BadInput, ReplituneError
from app.domain.first_contact import Answer, ColumnShape, Difference, FirstContact, differences_of, recorder_of
from app.domain.statement import StatementRecord
from app.domain.system import systems_of
from app.domain.target import Target
from app.foundation.files import write_atomically
from app.foundation.texts import _
from app.foundation.version import VERSION
from app.services.explain.advising import Advisor
from app.services.look.discovering import read_discovery
from app.services.look.look_cost import LookCost
from app.services.look.looking import Looking, look_at
from app.services.plan.completing import read_site
from app.services.ports import TargetOpener

SCHEMA: Final = 1
# What keeps no history is watched so long: the record wants the statements sent, not what they measure.
_WATCH_S: Final = 1.0


def record_contact(target: str, advisor: Advisor, open_target: TargetOpener) -> FirstContact:
    """Look at a target as the program always does, then send every reading statement once more; changes nothing.

    Raises:
        BadInput: its engine has nothing that records, or it is a lab in this process.
        TargetError: it cannot be reached.
    """
    opened = open_target(target, 1, _ignore_statement)
    try:
        recorder = recorder_of(opened.open_connection)
        if recorder is None:
            raise BadInput(
                _("{target} cannot be recorded; name a SQL Server, or a lab that `replitune lab serve` serves").format(
                    target=target
                )
            )
        _look_everywhere(opened, advisor)
        return recorder.record()
    finally:
        opened.close()


def _look_everywhere(target: Target, advisor: Advisor) -> None:
    """Send every statement that changes nothing; a server's refusal shows in the record."""
    with contextlib.suppress(ReplituneError):
        systems = {system.system_id: system for system in systems_of(advisor.families)}
        for system, site in read_discovery(target, systems).by_system:
            with contextlib.suppress(ReplituneError):
                system.read_rights(target, site)
    with contextlib.suppress(ReplituneError):
        look_at(target, Looking(advisor, LookCost(), watch_s=_WATCH_S))
    for family in advisor.families.values():
        with contextlib.suppress(ReplituneError):
            read_site(target, family)


def contact_document(contact: FirstContact, now_utc: datetime) -> dict[str, Any]:
    """Return the content of a record's file."""
    return {
        "schema": SCHEMA,
        "program": VERSION,
        "recorded_utc": now_utc.isoformat(timespec="seconds"),
        **dataclasses.asdict(contact),
        "differences": [dataclasses.asdict(one) for one in differences_of(contact.answers)],
    }


def contact_text(document: Mapping[str, Any]) -> str:
    """Return a record as JSON, each answer a line of its own, so that two records can be compared line by line."""
    parts = []
    for key, value in document.items():
        written = json.dumps(value, ensure_ascii=False)
        if isinstance(value, list | tuple) and value:
            lines = ",\n".join(f"  {json.dumps(one, ensure_ascii=False)}" for one in value)
            written = f"[\n{lines}\n ]"
        parts.append(f" {json.dumps(key)}: {written}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def write_contact(contact: FirstContact, path: Path, now_utc: datetime) -> tuple[Difference, ...]:
    """Write a record and return the differences from the lab.

    Raises:
        BadInput: the file cannot be written.
    """
    try:
        write_atomically(path, contact_text(contact_document(contact, now_utc)).encode())
    except OSError as error:
        raise BadInput(
            _("{path} cannot be written: {why}; give another file").format(path=path, why=error.strerror)
        ) from error
    return differences_of(contact.answers)


def answers_of(document: Mapping[str, Any]) -> tuple[Answer, ...]:
    """Return the answers of a record's file."""
    return tuple(
        Answer(
            **{
                **one,
                "expected": tuple(ColumnShape(**column) for column in one["expected"]),
                "columns": tuple(ColumnShape(**column) for column in one["columns"]),
                "error_names": tuple(one["error_names"]),
            }
        )
        for one in document["answers"]
    )


def _ignore_statement(_record: StatementRecord) -> None:
    """A record keeps no statement log: it is one."""
