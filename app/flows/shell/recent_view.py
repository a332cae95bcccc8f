"""The list of recent sessions, as plain data; their verdicts come later, because they have to be computed."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path

from app.domain.comparison import Verdict
from app.domain.errors import ReplituneError
from app.domain.events import RunStatus
from app.domain.setting import value_text
from app.domain.view import NO_VALUE, Cell, Column, Emphasis, Row, TableContent, text_cell
from app.flows.shell.shell_view import ended_in_words
from app.flows.shell.start_view import local_time
from app.flows.words import counted
from app.foundation.texts import _, local_number
from app.services.explain.verdict_counts import Showed, VerdictCounts
from app.services.hand_over.past_sessions import SessionSummary, how_it_ended, summarise_session
from app.services.program import Program
from app.services.target.target_spec import host_of, is_lab
from app.services.workplace import SESSION_FILE_NAME


@dataclass(frozen=True)
class RecentSession:
    """One session opened before.

    Attributes:
        summary: None where the file cannot be read.
        problem: one sentence why not, else "".
        is_missing: the file is not there any more.
    """

    path: Path
    summary: SessionSummary | None
    problem: str = ""
    is_missing: bool = False


@dataclass(frozen=True)
class RecentLine:
    """One line of the list of recent sessions, in words.

    Attributes:
        state: how it ended, or that the file cannot be read.
        trials: how many can be used, None where the file cannot be read or none was run here.
        servers: where it was measured, by its saved name where it has one.
        client: that of its report or file, else the servers; "" for measurements made elsewhere.
        is_lab: the servers are simulated.
        detail: the experiments, where the measurements come from, or why the file cannot be read.
        session_ids: of the sessions in the file.
        can_open: whether opening it makes sense.
        can_resume: its run ended before its time and can go on.
    """

    path: Path
    title: str
    date: str
    state: str
    trials: int | None
    detail: str
    servers: str
    client: str = ""
    is_lab: bool = False
    session_ids: tuple[str, ...] = ()
    can_open: bool = True
    can_resume: bool = False


def read_recent(paths: Sequence[str]) -> tuple[RecentSession, ...]:
    """Look at each session file; a file that cannot be read is told, not left out."""
    return tuple(_read_one(Path(path)) for path in paths)


def _read_one(path: Path) -> RecentSession:
    if not path.exists():
        return RecentSession(path, None, _("The file is missing; it was moved or deleted."), is_missing=True)
    try:
        return RecentSession(path, summarise_session(path))
    except ReplituneError as error:
        return RecentSession(path, None, str(error))


def recent_line(
    recent: RecentSession,
    family_titles: Mapping[str, str],
    zone: tzinfo | None = None,
    saved_name: Callable[[str], str] = lambda _target: "",
) -> RecentLine:
    """Return a session opened before, in words.

    Args:
        family_titles: what a person calls each family, by id.
        zone: of the times shown, None for the computer's own.
        saved_name: returns the name a target is saved under, "" for none.
    """
    summary = recent.summary
    path = recent.path
    if summary is None:
        return _unreadable(recent)
    status, _reason = how_it_ended(summary)
    target = "" if summary.last_run is None else summary.last_run.target
    can_resume = summary.last_run is not None and summary.sessions_in_file == 1 and status.may_go_on
    of_target = _name_of_target(target, saved_name)
    of_file = "" if summary.sessions_in_file == 1 else _name_of_file(path, of_target)
    return RecentLine(
        path=path,
        title=of_file or summary.title,
        date=local_time(summary.created_utc, zone),
        state=_state_in_words(summary, status, can_resume=can_resume),
        trials=_used_trials(summary),
        detail=_detail(summary, family_titles),
        servers=saved_name(target) or target,
        client=summary.client or of_file or of_target,
        is_lab=is_lab(target),
        session_ids=summary.ids_in_file,
        can_resume=can_resume,
    )


def _unreadable(recent: RecentSession) -> RecentLine:
    state = _("file is missing") if recent.is_missing else recent.problem
    return RecentLine(recent.path, recent.path.name, "", state, None, recent.problem, "", can_open=False)


def _name_of_target(target: str, saved_name: Callable[[str], str]) -> str:
    return _("Lab") if is_lab(target) else saved_name(target) or host_of(target)


def _used_trials(summary: SessionSummary) -> int | None:
    return summary.used_trials if summary.runs or not summary.imported_from else None


def _name_of_file(path: Path, of_target: str) -> str:
    """Return the name of a file of several sessions; of one that nobody named, its servers or else its folder."""
    return path.stem if path.name != SESSION_FILE_NAME else of_target or path.parent.name


def _state_in_words(summary: SessionSummary, status: RunStatus, *, can_resume: bool) -> str:
    if summary.last_run is None:
        return _("imported") if summary.imported_from else _("nothing was run")
    if status is RunStatus.SUCCEEDED:
        return _("finished")
    ended = ended_in_words(status)
    return _("{ended}, can be resumed").format(ended=ended) if can_resume else ended


def _detail(summary: SessionSummary, family_titles: Mapping[str, str]) -> str:
    if summary.imported_from:
        return _("measurements from {file}").format(file=summary.imported_from)
    return ", ".join(family_titles.get(family, family) for family in summary.families)


def read_recent_lines(paths: Sequence[str], program: Program) -> tuple[RecentLine, ...]:
    """Describe the sessions opened last, each in words; for a worker thread."""
    sessions = read_recent(paths)
    ran = any(session.summary is not None and session.summary.runs for session in sessions)
    # the families are imported only where one is named: the first look at an empty list must come at once
    titles = {family_id: family.title for family_id, family in program.families.items()} if ran else {}
    return tuple(recent_line(session, titles, saved_name=program.parts.saved_targets.name_of) for session in sessions)


def go_on_line(lines: Sequence[RecentLine], shown: Mapping[Path, Showed | None]) -> str:
    """Return the session worked on last with its best result, "" where none can be opened."""
    line = last_worked_on(lines)
    if line is None:
        return ""
    showed = shown.get(line.path)
    result = "" if showed is None or not showed.best else showed_cell(showed).text
    return " · ".join(filter(None, (line.title, _servers_beside(line), line.state, result)))


def _servers_beside(line: RecentLine) -> str:
    """Return the servers of a session, without login and options, "" where its title names them."""
    address, _mark, _options = host_of(line.servers).partition("?")
    host = re.split(r"[:\\/]", address, maxsplit=1)[0]
    return "" if line.is_lab or host.casefold() in line.title.casefold() else address


def last_worked_on(lines: Sequence[RecentLine]) -> RecentLine | None:
    """Return the newest session of the list that can be opened."""
    return next((line for line in lines if line.can_open), None)


def by_client(lines: Sequence[RecentLine]) -> tuple[RecentLine, ...]:
    """Return the lines with those of one client together: the client worked for last first, labs behind them all."""
    places = {client: place for place, client in reversed(list(enumerate(line.client for line in lines)))}
    return tuple(sorted(lines, key=lambda line: (not line.can_open, line.is_lab, places[line.client])))


def recent_table(
    lines: Sequence[RecentLine],
    shown: Mapping[Path, Showed | None] | None = None,
    standing: Mapping[str, int] | None = None,
) -> TableContent:
    """Return the recent sessions as a table; the key of a row is the path of its file.

    Args:
        shown: what is known so far of what each showed; None where that cannot be told.
        standing: how many changes of each session still stand on servers, by its id.
    """
    if not lines:
        return TableContent(())  # columns get their widths from their first rows
    columns = (
        Column("client", _("Client")),
        Column("title", _("Session")),
        Column("state", _("State")),
        Column(
            "verdicts",
            _("Showed"),
            hint=_("The best result, or how many comparisons came to which verdict"),
            room_for=verdicts_text({Verdict.IMPROVEMENT: 4, Verdict.CANNOT_TELL: 9}),
        ),
        Column("date", _("Begun")),
    )
    return TableContent(columns, tuple(_recent_row(line, shown or {}, standing or {}) for line in lines))


def _recent_row(line: RecentLine, shown: Mapping[Path, Showed | None], standing: Mapping[str, int]) -> Row:
    emphasis = Emphasis.PLAIN if line.can_open else Emphasis.QUIET
    date = text_cell(line.date, emphasis=emphasis, hint=line.date)
    client = text_cell(line.client, emphasis=emphasis, hint="\n".join(filter(None, (line.client, line.servers))))
    used = "" if line.trials is None else _("Measurements used: {count}").format(count=value_text(line.trials))
    told = (line.title, line.detail, used, str(line.path))
    title = text_cell(_title_of(line), emphasis=emphasis, hint="\n".join(filter(None, told)))
    state = _state_cell(line, sum(standing.get(session_id, 0) for session_id in line.session_ids))
    return Row(str(line.path), (client, title, state, _verdict_cell(line, shown), date))


def _title_of(line: RecentLine) -> str:
    """Return the title of a session; of a file that is called as its client, how many sessions it holds."""
    if line.title != line.client:
        return line.title
    count = len(line.session_ids)
    return counted(count, _("1 session"), _("{count} sessions")) if count else _("no session yet")


def _state_cell(line: RecentLine, changes: int) -> Cell:
    """Return how a session ended; changes of it that still stand on a server come first."""
    if not changes:
        return text_cell(line.state, emphasis=Emphasis.PLAIN if line.can_open else Emphasis.QUIET, hint=line.state)
    stand = counted(changes, _("1 change still in effect"), _("{count} changes still in effect"))
    told = f"{stand} · {line.state}"
    return text_cell(told, emphasis=Emphasis.STRONG, hint=told)


def _verdict_cell(line: RecentLine, shown: Mapping[Path, Showed | None]) -> Cell:
    """Return a session's verdicts: while they are being computed three dots, which are as wide as nothing."""
    if not line.can_open:
        return text_cell("")
    if line.path not in shown:
        return text_cell("…", emphasis=Emphasis.QUIET, hint=_("What was measured is being compared."))
    return showed_cell(shown[line.path])


def showed_cell(showed: Showed | None) -> Cell:
    """Return a session's best result with its size, else its verdicts; a dash where nobody can tell."""
    if showed is None:
        return text_cell(NO_VALUE, emphasis=Emphasis.QUIET, hint=NO_VALUE)
    counts = verdicts_text(showed.counts)
    if not showed.best:
        return text_cell(counts, emphasis=Emphasis.PLAIN if showed.counts else Emphasis.QUIET, hint=counts)
    change = local_number(f"{showed.change * 100:+.0f}").replace("-", "\N{MINUS SIGN}")
    text = _("{setting}: {change}\N{NO-BREAK SPACE}%").format(setting=showed.best, change=change)
    return text_cell(text, hint=f"{text}\n{counts}")


def verdicts_text(counts: VerdictCounts) -> str:
    """Return how many comparisons came to which verdict, in few words."""
    words = {
        Verdict.IMPROVEMENT: _("{count} better"),
        Verdict.WORSE: _("{count} worse"),
        Verdict.NO_DIFFERENCE: _("{count} no difference"),
        Verdict.CANNOT_TELL: _("{count} undecided"),
    }
    told = [words[verdict].format(count=counts[verdict]) for verdict in Verdict if counts.get(verdict)]
    return " · ".join(told) or _("nothing compared")
