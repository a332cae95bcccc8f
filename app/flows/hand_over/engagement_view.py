"""One client's file as plain data: its sessions, their notes and tags, and the hits of a search."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Final

from app.domain.events import RunStatus
from app.domain.view import (
    EVERYWHERE,
    ON_TERMINAL,
    Cell,
    Column,
    Emphasis,
    LazyRows,
    Row,
    TableContent,
    number_cell,
    text_cell,
)
from app.flows.shell.recent_view import showed_cell
from app.flows.shell.shell_view import ended_in_words
from app.flows.shell.start_view import local_time, opened_session, propose_folder
from app.flows.shell.wizard import Choices, Wizard
from app.flows.words import counted, sentence
from app.foundation.texts import _
from app.services.explain.verdict_counts import Showed
from app.services.hand_over.engagement import Engagement, EngagementSession, Hit
from app.services.hand_over.past_sessions import UNENDED, SessionSummary
from app.store import Remark

SUFFIX: Final = ".replitune"


def with_suffix(path: str) -> Path:
    """Return the path of a client's file as typed, with the end of its name."""
    named = Path(path)
    return named if named.suffix.lower() == SUFFIX else named.with_name(named.name + SUFFIX)


def engagement_line(engagement: Engagement) -> str:
    """Return which file is shown and how much it holds, in one line."""
    sessions = counted(len(engagement.sessions), _("1 session"), _("{count} sessions"))
    runs = counted(sum(len(s.runs) for s in engagement.sessions), _("1 run"), _("{count} runs"))
    return f"{engagement.path} · {sessions} · {runs}"


def access_line(why_read_only: str, *, is_running: bool) -> str:
    """Return why notes and tags cannot be changed, or that they are kept at once.

    Args:
        is_running: a run of this window goes on, which writes to its file.
    """
    if not why_read_only:
        return _("Measurements, notes and tags are saved at once.")
    if is_running:
        return _("A run is in progress. Notes and tags can be changed once it has ended.")
    return _("The file can only be read here: {why}").format(why=sentence(why_read_only))


def sessions_table(
    engagement: Engagement, titles: dict[str, str], showed: Mapping[str, Showed | None] | None = None
) -> TableContent:
    """Return the sessions of a file, newest first; the key of a row is the session's id.

    Args:
        titles: what a person calls each family, by id.
        showed: what is known so far of what each session showed, by its id; None where that cannot be told.
    """
    columns = (
        Column("date", _("Begun")),
        Column("title", _("Session")),
        Column("families", _("Experiments"), views=EVERYWHERE - ON_TERMINAL),
        Column("target", _("Target")),
        Column("state", _("State")),
        Column(
            "showed",
            _("Showed"),
            views=EVERYWHERE - ON_TERMINAL,
            hint=_("The best result, or how many comparisons came to which verdict"),
        ),
        Column("used", _("Used"), is_number=True, hint=_("Trials or windows that passed their checks")),
        Column("tags", _("Tags"), hint=_("Of the session and of its runs")),
        Column("notes", _("Notes"), is_number=True),
        Column("id", _("Number"), hint=_("Names the session in commands and reports")),
    )
    sessions = engagement.sessions
    keys = [session.session_id for session in sessions]
    is_written, told = engagement.writer is not None, showed or {}

    def row(place: int) -> Row:
        session = sessions[place]
        return _session_row(session, titles, _state_cell(session, is_written=is_written), _showed_cell(session, told))

    return TableContent(columns, LazyRows(keys, row))


def _session_row(session: EngagementSession, titles: dict[str, str], state: Cell, showed: Cell) -> Row:
    header, runs = session.overview.header, session.runs
    families = ", ".join(dict.fromkeys(titles.get(run.family, run.family) for run in runs))
    source = session.overview.imported_from
    targets = ", ".join(dict.fromkeys(run.target for run in runs)) or source
    tags = ", ".join(dict.fromkeys(tag.name for tag in session.tags))
    return Row(
        session.session_id,
        (
            text_cell(local_time(header.created_utc)),
            text_cell(header.title, hint=header.title),
            text_cell(families or _("measurements from elsewhere"), hint=families),
            text_cell(targets, hint=targets),
            state,
            showed,
            number_cell(sum(run.used_trials for run in runs)),
            text_cell(tags, emphasis=Emphasis.STRONG, hint=tags),
            number_cell(len(session.remarks)),
            text_cell(session.session_id, emphasis=Emphasis.QUIET),
        ),
    )


def _showed_cell(session: EngagementSession, showed: Mapping[str, Showed | None]) -> Cell:
    if session.session_id in showed:
        return showed_cell(showed[session.session_id])
    waits = bool(session.runs) or bool(session.overview.imported_from)
    return text_cell("…" if waits else "", emphasis=Emphasis.QUIET)


def _state_cell(session: EngagementSession, *, is_written: bool) -> Cell:
    """Return how the last run stands; one without an end goes on where somebody writes the file, else it died."""
    if not session.runs:
        text = _("measurements") if session.overview.imported_from else _("nothing was run")
        return text_cell(text, emphasis=Emphasis.QUIET)
    last = session.runs[-1].status
    status = RunStatus.INTERRUPTED if last in UNENDED and not is_written else last
    return text_cell(
        ended_in_words(status), emphasis=Emphasis.PLAIN if status is RunStatus.SUCCEEDED else Emphasis.QUIET
    )


def places_of(session: EngagementSession) -> tuple[tuple[str, str], ...]:
    """Return the places for notes and tags: run id, "" for the session itself, and a title of each."""
    return (
        ("", _("the whole session")),
        *((run.run_id, _("run {run}").format(run=run.run_id)) for run in session.runs),
    )


def notes_table(sessions: Iterable[EngagementSession]) -> TableContent:
    """Return the notes on sessions and their runs, of each the oldest first; a row's key is the note's number."""
    columns = (
        Column("when", _("Written")),
        Column("on", _("On")),
        Column("text", _("Note")),
        Column("number", _("Number"), is_number=True, views=ON_TERMINAL),
        Column("session_id", _("Session number"), views=ON_TERMINAL),
    )
    rows = (_note_row(session, remark, dict(places_of(session))) for session in sessions for remark in session.remarks)
    return TableContent(columns, tuple(rows))


def _note_row(session: EngagementSession, remark: Remark, names: Mapping[str, str]) -> Row:
    return Row(
        str(remark.remark_id),
        (
            text_cell(local_time(remark.written_utc)),
            text_cell(names.get(remark.run_id, remark.run_id)),
            text_cell(" ".join(remark.text.split()), hint=remark.text),
            text_cell(str(remark.remark_id)),
            text_cell(session.session_id),
        ),
    )


def tags_text(session: EngagementSession, run_id: str) -> str:
    """Return the tags of a run, of the session itself for "", as they are typed."""
    return ", ".join(session.tags_of(run_id))


def tags_of_text(text: str) -> tuple[str, ...]:
    """Return the tags that were typed, with commas between them; each once, whatever its case."""
    names: dict[str, str] = {}
    for name in map(str.strip, text.split(",")):
        if name:
            names.setdefault(name.casefold(), name)
    return tuple(names.values())


def hits_table(hits: Sequence[Hit]) -> TableContent:
    """Return a search's hits, best first; the key of a row is its place and its session's id."""
    columns = (
        Column("session", _("Session")),
        Column("run", _("Run")),
        Column("kind", _("Found in")),
        Column("text", _("Text")),
        Column("id", _("Number"), hint=_("Names the session in commands and reports")),
    )
    rows = (
        Row(
            hit_key(place, hit),
            (
                text_cell(hit.session_title, hint=hit.session_id),
                text_cell(hit.run_id),
                text_cell(_kind_text(hit.kind)),
                text_cell(" ".join(hit.text.split()), hint=hit.text),
                text_cell(hit.session_id, emphasis=Emphasis.QUIET),
            ),
        )
        for place, hit in enumerate(hits)
    )
    return TableContent(columns, tuple(rows))


def hit_key(place: int, hit: Hit) -> str:
    """Return the key of a hit's row."""
    return f"{place} {hit.session_id}"


def session_of_hit(key: str) -> str:
    """Return the session a row of `hits_table` belongs to."""
    return key.partition(" ")[2]


def hits_line(hits: Sequence[Hit]) -> str:
    """Return how much was found, in one sentence."""
    if not hits:
        return _("Nothing found. Every word must occur in a session: in its title, notes, tags, settings or findings.")
    sessions = counted(len({hit.session_id for hit in hits}), _("1 session"), _("{count} sessions"))
    places = counted(len(hits), _("1 place"), _("{count} places"))
    return _("{places} in {sessions}; a double click goes to the session.").format(places=places, sessions=sessions)


def _kind_text(kind: str) -> str:
    return {
        "title": _("title"),
        "client": _("client"),
        "consultant": _("consultant"),
        "source": _("measurement file"),
        "notice": _("notice of the program"),
        "note": _("note"),
        "tag": _("tag"),
        "run": _("run"),
        "setting": _("settings"),
        "finding": _("finding"),
    }.get(kind, kind)


def session_in(engagement: Path, now: datetime) -> Wizard:
    """Return the wizard at the beginning of a session kept in a client's file; its report goes to a folder beside."""
    return Wizard(choices=Choices(folder=propose_folder(engagement.parent, now), engagement=engagement))


def opened_from(summary: SessionSummary) -> Wizard:
    """Return the wizard at the findings of a session of a client's file.

    Its report and scripts go to a folder of its own beside the file: the file's other sessions have theirs.
    """
    opened = opened_session(summary)
    folder = summary.path.parent / summary.session_id
    return opened.with_choices(replace(opened.choices, folder=folder, engagement=summary.path))
