"""Rows for lists of sessions, runs and events, without reading the trials."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from app.domain.events import RunStatus
from app.domain.plan import Plan
from app.foundation.codec import CodecError
from app.store.plan_text import read_plan


@dataclass(frozen=True)
class SessionHeader:
    """A session's header when it begins; client and consultant may be "" until given."""

    session_id: str
    title: str
    client: str
    consultant: str
    created_utc: datetime
    app_version: str


@dataclass(frozen=True)
class SessionOverview:
    """One line of the list of sessions."""

    header: SessionHeader
    run_count: int
    imported_from: str


class RunOverview(NamedTuple):
    """One line of the list of runs; a list may hold thousands, which dataclasses take twice as long for.

    Attributes:
        finished_trials: trials that ended, used or not.
        used_trials: those whose checks held.
        session_id: the session it belongs to; run ids are unique in a session only.
        plan_text: its plan as the file keeps it, JSON; `plan` reads it.
    """

    run_id: str
    family: str
    target: str
    status: RunStatus
    reason: str
    started_utc: datetime
    finished_utc: datetime | None
    finished_trials: int
    used_trials: int
    session_id: str = ""
    plan_text: str = ""

    @property
    def plan(self) -> Plan | None:
        """Its plan, None where this program cannot read it; read when asked for, as a list may hold thousands."""
        try:
            return read_plan(self.plan_text)
        except CodecError:
            return None


@dataclass(frozen=True)
class RecordedEvent:
    """One moment of a run as it was recorded.

    Attributes:
        kind: `run_started`, `run_resumed`, `trial_started`, `trial_finished`, `change_applied`, `change_restored`,
            `note`, `run_finished` or `not_restored`.
        text: trial id, subject of the change, note or reason.
        offset_s: seconds since the session file was opened, by a clock that never runs backwards.
    """

    run_id: str
    kind: str
    text: str
    recorded_utc: datetime
    offset_s: float


@dataclass(frozen=True)
class StoredTexts:
    """Texts of a session as its file holds them, whichever version wrote them.

    Attributes:
        plans: by run. environments: by target.
    """

    plans: Mapping[str, str]
    environments: Mapping[str, str]
