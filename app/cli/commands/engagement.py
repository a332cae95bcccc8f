"""`replitune engagement`: a client's file: its content, searching it, notes and tags."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from app.cli.arguments import add_json, whole_number
from app.cli.effects import Effects
from app.cli.summary import print_json
from app.domain.errors import BadInput
from app.flows.explain.runs_view import browse_engagement, every_run_table
from app.flows.hand_over.engagement_view import engagement_line, hits_table, notes_table, sessions_table
from app.foundation.codec import Json
from app.foundation.terminal_text import lines_of
from app.foundation.texts import _
from app.reporting.render.terminal import table_lines
from app.services.hand_over import engagement
from app.services.hand_over.engagement import Engagement, EngagementSession, Hit
from app.services.program import Program
from app.store import LockHolder

_PLACES: Final = (
    ("title", _("title of the report")),
    ("foreword", _("foreword; an empty line begins a paragraph")),
    ("version", _("version of the report, such as 1.0")),
    ("confidentiality", _("line in the head of every page, such as Confidential")),
    ("due", _("when the client's load must have arrived, in UTC, such as 06:00: page 1 says whether it does")),
    ("most-behind", _("minutes that delivery may be behind, as agreed")),
    ("mix", _('rows per statement of the client and their share, such as "1: 80, 1000: 20"')),
    ("hourly-cost", _('price of an hour behind, such as "400 EUR"')),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's actions."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listing = _action(actions, "list", _("the sessions and runs of a file, with notes and tags"), _list)
    add_json(listing)
    searching = _action(actions, "search", _("find sessions by titles, notes, tags, settings and findings"), _search)
    searching.add_argument("words", nargs="+", metavar="WORD", help=_("all of them must occur in the session"))
    add_json(searching)
    note = _action(actions, "note", _("write a note on a session or run, or remove one"), _note)
    note.add_argument("text", nargs="?", default="", metavar="TEXT", help=_("the note"))
    note.add_argument("--remove", type=whole_number(1, 2**62), metavar="N", help=_("remove the note of this number"))
    _add_place(note)
    Effects(note).add("--run", _("the text of a note"), lambda given: given.remove is None)
    tag = _action(actions, "tag", _("add tags to a session or run, or remove them"), _tag)
    tag.add_argument("tags", nargs="+", metavar="TAG")
    tag.add_argument("--remove", action="store_true", help=_("remove them"))
    _add_place(tag)
    writing = _action(actions, "write", _("write your own texts into the report of a session"), _write)
    for place, purpose in _PLACES:
        writing.add_argument(f"--{place}", metavar="TEXT", help=purpose)
    writing.add_argument(
        "--decision",
        nargs=2,
        action="append",
        default=[],
        metavar=("N", "TEXT"),
        help=_("what you say of decision N of the report; may be repeated"),
    )
    writing.add_argument("--session", metavar="ID", help=_("which session (default: the newest)"))
    adding = _action(actions, "add", _("copy the sessions of other files into this one"), _add)
    adding.add_argument("sources", nargs="+", type=Path, metavar="SESSION", help=_("other .replitune files"))


def _action(
    actions: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    purpose: str,
    run: Callable[[argparse.Namespace, Program], int],
) -> argparse.ArgumentParser:
    action = actions.add_parser(name, help=purpose)
    action.add_argument("file", type=Path, metavar="FILE", help=_("the client's .replitune file"))
    action.set_defaults(run_command=run)
    return action


def _add_place(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--session", metavar="ID", help=_("which session (default: the newest)"))
    parser.add_argument("--run", default="", metavar="ID", help=_("on this run of it, such as E1"))


def _list(options: argparse.Namespace, program: Program) -> int:
    contents = engagement.read_engagement(options.file)
    if options.json:
        sessions = [_session_json(session) for session in contents.sessions]
        print_json({"schema": 1, "sessions": sessions, "written_by": _writer_json(contents.writer)})
    else:
        sys.stdout.write(lines_of(_lines(contents, program)))
    return 0


def _lines(contents: Engagement, program: Program) -> list[str]:
    """Return the tables of the window, those of runs and notes under a heading."""
    lines = [engagement_line(contents)]
    if contents.writer is not None:
        text = _("Being written by {user} on {computer}; it can only be read meanwhile.")
        unknown = _("somebody unknown")
        lines.append(text.format(user=contents.writer.user or unknown, computer=contents.writer.computer or "?"))
    if not contents.sessions:
        return [*lines, _("The file holds no session yet.")]
    browsed = browse_engagement(contents, program)
    lines += ["", *table_lines(sessions_table(contents, dict(browsed.titles)), "")]
    for heading, table in (
        (_("Runs:"), table_lines(every_run_table(browsed), "")),
        (_("Notes:"), table_lines(notes_table(contents.sessions), "")),
    ):
        lines += ["", heading, *table] if table else []
    return lines


def _search(options: argparse.Namespace, program: Program) -> int:
    hits = engagement.search(options.file, options.words, program.advisor)
    if options.json:
        print_json({"schema": 1, "hits": [_hit_json(hit) for hit in hits]})
        return 0
    found = table_lines(hits_table(hits), "") or [_("Nothing found.")]
    sys.stdout.write(lines_of(found))
    return 0


def _note(options: argparse.Namespace, _program: Program) -> int:
    if bool(options.text) == (options.remove is not None):
        raise BadInput(_("give either the text of a note or --remove with the number of one"))
    if options.remove is not None:
        engagement.remove_note(options.file, options.remove, options.session)
    else:
        engagement.add_note(options.file, options.text, options.session, options.run)
    return 0


def _tag(options: argparse.Namespace, _program: Program) -> int:
    change = engagement.remove_tags if options.remove else engagement.add_tags
    change(options.file, options.tags, options.session, options.run)
    return 0


def _write(options: argparse.Namespace, program: Program) -> int:
    places = [place.replace("-", "_") for place, _purpose in _PLACES]
    by_place = {place: text for place in places if (text := getattr(options, place)) is not None}
    by_place |= dict(options.decision)
    if not by_place:
        raise BadInput(_("give at least one text, such as --foreword TEXT; an empty one removes it"))
    engagement.write_own_words(options.file, by_place, program.advisor, options.session)
    return 0


def _add(options: argparse.Namespace, _program: Program) -> int:
    copied = engagement.gather(options.file, options.sources)
    sys.stdout.write(_("Sessions copied: {count}").format(count=len(copied)) + "\n")
    return 0


def _writer_json(writer: LockHolder | None) -> Json | None:
    if writer is None:
        return None
    since = None if writer.since_utc is None else writer.since_utc.isoformat()
    return {"user": writer.user, "computer": writer.computer, "since_utc": since}


def _session_json(session: EngagementSession) -> Json:
    header = session.overview.header
    return {
        "session": header.session_id,
        "title": header.title,
        "client": header.client,
        "created_utc": header.created_utc.isoformat(),
        "imported_from": session.overview.imported_from,
        "tags": list(session.tags_of()),
        "runs": [
            {
                "run": run.run_id,
                "family": run.family,
                "target": run.target,
                "status": str(run.status),
                "trials": run.finished_trials,
                "used": run.used_trials,
                "tags": list(session.tags_of(run.run_id)),
            }
            for run in session.runs
        ],
        "notes": [
            {"number": r.remark_id, "run": r.run_id, "written_utc": r.written_utc.isoformat(), "text": r.text}
            for r in session.remarks
        ],
    }


def _hit_json(hit: Hit) -> Json:
    return {
        "session": hit.session_id,
        "title": hit.session_title,
        "run": hit.run_id,
        "kind": hit.kind,
        "text": hit.text,
    }
