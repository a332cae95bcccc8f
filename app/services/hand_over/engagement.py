"""One client's file: its sessions with notes and tags, searching them, and gathering sessions of other files in it."""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.domain.agreed import agreement_of
from app.domain.decision import Decision
from app.domain.errors import BadInput
from app.domain.mix import MIX, mix_of
from app.domain.own_words import LINES, NUMBERS, OF_DECISION, TEXTS
from app.domain.session import SessionRecord
from app.foundation.texts import _
from app.reporting.export.told_findings import told_findings
from app.reporting.wording import Vocabulary
from app.services.explain.advising import Advisor
from app.services.explain.explaining import explain_session
from app.services.workplace import refuse_to_overwrite
from app.store import (
    LockHolder,
    Remark,
    RunOverview,
    SearchedText,
    SessionOverview,
    Tag,
    create_session_file,
    open_for_reading,
    open_for_writing,
    read_lock_holder,
)

LONGEST_TAG: Final = 60
LONGEST_LINE: Final = 120
LONGEST_NOTE: Final = 20_000


@dataclass(frozen=True)
class EngagementSession:
    """One session of a client's file.

    Attributes:
        runs: in the order they were started.
        remarks, tags: on the session (`run_id` "") and on its runs.
    """

    overview: SessionOverview
    runs: tuple[RunOverview, ...]
    remarks: tuple[Remark, ...]
    tags: tuple[Tag, ...]

    @property
    def session_id(self) -> str:
        """The session's id."""
        return self.overview.header.session_id

    def tags_of(self, run_id: str = "") -> tuple[str, ...]:
        """Return the tags of one run, of the session itself for ""."""
        return tuple(tag.name for tag in self.tags if tag.run_id == run_id)


@dataclass(frozen=True)
class Engagement:
    """The content of a client's file, without its measurements.

    Attributes:
        sessions: newest first.
        writer: who has it open for writing, so that it can only be read here; None where nobody has.
    """

    path: Path
    sessions: tuple[EngagementSession, ...]
    writer: LockHolder | None


@dataclass(frozen=True)
class Hit:
    """One text a search found.

    Attributes:
        run_id: "" for a text of the session itself.
        kind: as in `SearchedText`, or `finding`.
    """

    session_id: str
    session_title: str
    run_id: str
    kind: str
    text: str


def read_engagement(path: Path) -> Engagement:
    """Read the sessions of a file with their notes and tags, also while another program writes it.

    Raises:
        StoreError: the file cannot be read.
    """
    with open_for_reading(path) as reader:
        overviews, runs, written = reader.list_sessions(), reader.list_all_runs(), reader.read_annotations()
    runs_of: dict[str, list[RunOverview]] = {}
    for run in runs:
        runs_of.setdefault(run.session_id, []).append(run)
    sessions = tuple(
        EngagementSession(
            overview,
            tuple(runs_of.get(session_id, ())),
            tuple(written.remarks.get(session_id, ())),
            tuple(written.tags.get(session_id, ())),
        )
        for overview in overviews
        for session_id in (overview.header.session_id,)
    )
    return Engagement(path, sessions, read_lock_holder(path))


def search(path: Path, words: Sequence[str], advisor: Advisor | None = None) -> tuple[Hit, ...]:
    """Return the texts that hold any of the words, of the sessions that hold all of them; best first.

    Case and accents do not matter, and a word may be part of a longer one.

    Args:
        words: at least one that is not empty.
        advisor: finds the titles of findings too, computed afresh; None leaves them out.

    Raises:
        StoreError: the file cannot be read.
        BadInput: no word was given.
    """
    wanted = tuple(dict.fromkeys(folded for word in words for folded in _folded(word).split()))
    if not wanted:
        raise BadInput(_("give at least one word to search for"))
    hits: list[tuple[int, Hit]] = []
    with open_for_reading(path) as reader:
        for overview in reader.list_sessions():
            header = overview.header
            texts = reader.read_texts(header.session_id)
            if advisor is not None:
                texts += _findings(reader.read_session(header.session_id), advisor)
            held = [{word for word in wanted if word in _folded(text.text)} for text in texts]
            if set().union(*held) == set(wanted):
                hits += [
                    (-len(words), Hit(header.session_id, header.title, text.run_id, text.kind, text.text))
                    for text, words in zip(texts, held, strict=True)
                    if words
                ]
    return tuple(hit for _rank, hit in sorted(hits, key=lambda ranked: ranked[0]))


def add_note(path: Path, text: str, session_id: str | None = None, run_id: str = "") -> None:
    """Write a note on a session, the newest for None, or on one of its runs.

    Raises:
        BadInput: the text is empty or very long.
        StoreError: no such session or run, open elsewhere, or it cannot be written.
    """
    clean = checked_note(text)
    with open_for_writing(path) as store:
        store.add_remark(clean, session_id, run_id)


def remove_note(path: Path, remark_id: int, session_id: str | None = None) -> None:
    """Remove a note of a session by its number; raises StoreError where there is none."""
    with open_for_writing(path) as store:
        store.remove_remark(remark_id, session_id)


def add_tags(path: Path, names: Sequence[str], session_id: str | None = None, run_id: str = "") -> None:
    """Put tags on a session, the newest for None, or on one of its runs.

    Raises:
        BadInput: a tag is empty, very long, or has a comma or line end in it.
        StoreError: no such session or run, open elsewhere, or it cannot be written.
    """
    checked = [checked_tag(name) for name in names]
    with open_for_writing(path) as store:
        store.add_tags(checked, session_id, run_id)


def remove_tags(path: Path, names: Sequence[str], session_id: str | None = None, run_id: str = "") -> None:
    """Take tags from a session or run; raises StoreError as `add_tags` does."""
    with open_for_writing(path) as store:
        store.remove_tags([name.strip() for name in names], session_id, run_id)


def gather(path: Path, sources: Sequence[Path]) -> tuple[str, ...]:
    """Copy every session of other files into a client's file, made where it is missing; return their ids.

    A session the file holds already is left out; the other files stay as they are.

    Raises:
        BadInput: a file is to be copied into itself.
        StoreError: a file cannot be read, or the client's file not written; sessions copied before stay.
    """
    for source in sources:
        refuse_to_overwrite(source, (path,))
    copied: list[str] = []
    with create_session_file(path) as store:
        with store.reader() as reader:
            session_ids = {overview.header.session_id for overview in reader.list_sessions()}
        for source in sources:
            with open_for_reading(source) as reader:
                for overview in reversed(reader.list_sessions()):
                    session_id = overview.header.session_id
                    if session_id in session_ids:
                        continue
                    store.add_session(
                        reader.read_session(session_id),
                        events=reader.read_events(session_id),
                        remarks=reader.read_remarks(session_id),
                        tags=reader.read_tags(session_id),
                        as_stored=reader.read_stored_texts(session_id),
                    )
                    session_ids.add(session_id)
                    copied.append(session_id)
    return tuple(copied)


def _findings(session: SessionRecord, advisor: Advisor) -> tuple[SearchedText, ...]:
    run_of = {(run.plan.family, trial.trial_id): run.run_id for run in session.runs for trial in run.trials}
    told = told_findings(advisor.advise(session), Vocabulary(advisor.families.values()))
    return tuple(
        SearchedText("finding", next((run_of.get((f.family, trial), "") for trial in f.evidence), ""), f.title)
        for _found, f in told
    )


def write_own_words(path: Path, by_place: Mapping[str, str], advisor: Advisor, session_id: str | None = None) -> None:
    """Write the consultant's texts for the report of a session, the newest for None; "" takes a text away.

    Args:
        by_place: `title`, `foreword`, `version`, `confidentiality`, `NUMBERS`, or
            the number of a decision as the report has it.

    Raises:
        BadInput: a text is very long, has a line end where one line is asked for, or is no such time or price; no
            decision has that number.
        StoreError: no such session, open elsewhere, or it cannot be written.
    """
    checked = checked_words(by_place, explain_session(path, session_id, advisor).advice.decisions)
    with open_for_writing(path) as store:
        store.put_own_words(checked, session_id)


def checked_words(by_place: Mapping[str, str], decisions: Sequence[Decision]) -> dict[str, str]:
    """Return a consultant's texts as they are kept, decisions by their keys; raises BadInput as above."""
    agreement_of(by_place)
    mix_of(by_place.get(MIX, ""))
    keys = {str(decision.number): OF_DECISION + decision.key for decision in decisions}
    checked: dict[str, str] = {}
    for place, text in by_place.items():
        clean = text.strip()
        if place not in (*LINES, *TEXTS, *NUMBERS, *keys):
            raise BadInput(
                _("there is no decision {number}; the report numbers them from 1 to {last}").format(
                    number=place, last=len(keys)
                )
            )
        if place in LINES and (len(clean) > LONGEST_LINE or not clean.isprintable()):
            raise BadInput(
                _("{place}: give one line of at most {most} characters").format(place=place, most=LONGEST_LINE)
            )
        if len(clean) > LONGEST_NOTE:
            raise BadInput(_("{place}: give at most {most:,} characters").format(place=place, most=LONGEST_NOTE))
        checked[keys.get(place, place)] = clean
    return checked


def checked_note(text: str) -> str:
    """Return a note as it is kept; raises BadInput where it is empty or very long."""
    clean = text.strip()
    if not 0 < len(clean) <= LONGEST_NOTE:
        raise BadInput(_("a note must have 1 to {most:,} characters").format(most=LONGEST_NOTE))
    return clean


def checked_tag(name: str) -> str:
    """Return a tag as it is kept; raises BadInput where it is empty, very long, or has a comma or line end in it."""
    clean = name.strip()
    if not 0 < len(clean) <= LONGEST_TAG or not clean.isprintable() or "," in clean:
        raise BadInput(
            _('tag "{name}" must have 1 to {most} characters, none of them a comma').format(
                name=clean[:LONGEST_TAG], most=LONGEST_TAG
            )
        )
    return clean


def _folded(text: str) -> str:
    """Return a text as it is compared: without case and accents."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in decomposed if not unicodedata.combining(char))
