"""One rig for each kind of subject: replication agents, availability groups, Oracle Streams."""

from collections.abc import Mapping
from typing import Final

from app.domain.setting import Subject
from app.runner.rig import RigKind
from app.runner.rigs.agents import AGENTS
from app.runner.rigs.commit import COMMIT
from app.runner.rigs.seeding import SEEDING
from app.runner.rigs.streams import STREAMS

_KINDS: Final[Mapping[Subject, RigKind]] = {
    Subject.LOG_READER: AGENTS,
    Subject.DISTRIBUTION: AGENTS,
    Subject.COMMIT: COMMIT,
    Subject.STREAMS: STREAMS,
    Subject.SEEDING: SEEDING,
}


def rig_kind(subject: Subject) -> RigKind:
    """Return the kind of rig a subject needs."""
    return _KINDS[subject]
