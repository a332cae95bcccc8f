"""Several sessions of a client's file as one: an afternoon of experiments, decided together.

Decisions are made of all measurements at once, so one place has one value and experiments that contradict each other
say so; the report and its scripts are then those of one session.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

from app.domain.errors import BadInput
from app.domain.measurement import TrialResult
from app.domain.own_words import NUMBERS, OwnWords
from app.domain.session import RunRecord, SessionRecord
from app.domain.system import systems_of
from app.foundation.texts import _
from app.services.explain.advising import Advisor
from app.services.explain.explaining import ExplainedSession
from app.store import open_for_reading


def explain_joined(session_file: Path, session_ids: Sequence[str] | None, advisor: Advisor) -> ExplainedSession:
    """Read sessions of a file and explain them as one.

    Args:
        session_ids: in any order; () for the newest, None for every session of the file that measured anything.

    Raises:
        StoreError: the file cannot be read, or holds no such session.
        BadInput: none of them measured anything, or more than one was imported.
    """
    with open_for_reading(session_file) as reader:
        opening = [system.kept for system in systems_of(advisor.families)]
        every = [one.header.session_id for one in reader.list_sessions()]
        wanted = every if session_ids is None else session_ids or every[:1]
        read = [reader.read_session(one, opening=opening) for one in dict.fromkeys(wanted)]
        chosen = [one for one in read if one.runs or one.imported] if session_ids is None else read
        hashes = [reader.session_hash(one.session_id) for one in chosen]
    if not chosen:
        text = _("{path}: no session of it has measured anything yet; run an experiment")
        raise BadInput(text.format(path=session_file))
    session = joined(chosen)
    digest = hashes[0] if len(hashes) == 1 else hashlib.sha256("".join(hashes).encode()).hexdigest()
    return ExplainedSession(session, advisor.advise(session), digest)


def joined(sessions: Sequence[SessionRecord]) -> SessionRecord:
    """Return sessions as one, oldest first; a single one stays as it is.

    Runs and trials are numbered through, so that no two have one name. Of a target the newest readings count: they say
    what is in effect. Words of the consultant's are those of the newest session that has any.

    Raises:
        BadInput: more than one of them was imported: their runs may have the same names.
    """
    ordered = sorted(sessions, key=lambda one: (one.created_utc, one.session_id))
    if len(ordered) == 1:
        return ordered[0]
    imported = _imported(ordered)
    environments = {environment.target: environment for one in ordered for environment in one.environments}
    return replace(
        ordered[-1],
        session_id=" + ".join(one.session_id for one in ordered),
        client=_last(one.client for one in ordered),
        consultant=_last(one.consultant for one in ordered),
        created_utc=ordered[0].created_utc,
        environments=tuple(environments.values()),
        runs=tuple(_numbered_through(ordered)),
        imported=imported.imported,
        imported_from=imported.imported_from,
        notes=_notes(ordered),
        statements=tuple(chain.from_iterable(one.statements for one in ordered)),
        changes=tuple(chain.from_iterable(one.changes for one in ordered)),
        own_words=_words(ordered),
    )


def _imported(sessions: Sequence[SessionRecord]) -> SessionRecord:
    """Return the session that was imported, any where none was; raises BadInput for several."""
    imported = [one for one in sessions if one.imported]
    if len(imported) > 1:
        raise BadInput(
            _("{sessions} were imported, each with names of its own for its runs; choose one of them").format(
                sessions=", ".join(one.session_id for one in imported)
            )
        )
    return next(iter(imported), sessions[-1])


def _notes(sessions: Sequence[SessionRecord]) -> tuple[str, ...]:
    """Return all notes, each with its session, whose names of runs it may use."""
    text = _("{session}: {note}")
    told = (text.format(session=one.session_id, note=note) for one in sessions for note in one.notes)
    return tuple(dict.fromkeys(told))


def _last(texts: Iterator[str]) -> str:
    """Return the newest text that is not empty, "" for none."""
    return next((text for text in reversed(list(texts)) if text), "")


def _numbered_through(sessions: Sequence[SessionRecord]) -> Iterator[RunRecord]:
    number = 0
    for session in sessions:
        for run in session.runs:
            number += 1
            yield _named(run, f"E{number}")


def _named(run: RunRecord, run_id: str) -> RunRecord:
    """Return a run under another name, its trials with it."""
    return replace(run, run_id=run_id, trials=tuple(_renamed(trial, run.run_id, run_id) for trial in run.trials))


def _renamed(trial: TrialResult, before: str, after: str) -> TrialResult:
    trial_id = f"{after}{trial.trial_id.removeprefix(before)}"
    measured = tuple(replace(one, trial_id=trial_id) for one in trial.measurements)
    return replace(trial, trial_id=trial_id, measurements=measured)


def _words(sessions: Sequence[SessionRecord]) -> OwnWords:
    """Return the consultant's words: the newest of each, and of decisions all, a newer one in place of an older."""
    every = [one.own_words for one in sessions]
    decisions = {key: text for words in every for key, text in words.decisions}
    return OwnWords(
        title=_last(words.title for words in every),
        foreword=_last(words.foreword for words in every),
        version=_last(words.version for words in every),
        confidentiality=_last(words.confidentiality for words in every),
        **{place: _last(getattr(words, place) for words in every) for place in NUMBERS},
        decisions=tuple(decisions.items()),
        notes=tuple(note for words in every for note in words.notes),
    )
