"""Tracer tokens: posted so that each can be removed again, whatever happened to the program that posted it.

The server gives a token its id only when it is posted, which is too late for an undo journal. What is written there
first is the short span of the Publisher's own time in which the token may be posted at all; the statement refuses to
post outside of it. Once the id is known, it takes the span's place.
"""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from app.domain.change import INSTANCE, Change
from app.domain.errors import ChangedByOthers, TargetError, Unsupported, VerificationFailed
from app.domain.setting import Value
from app.drivers.sqlserver.scripts import statement_script
from app.drivers.sqlserver.server_clock import ask_with_time
from app.drivers.sqlserver.session import Place, Rows, Session
from app.foundation.clock import Clock
from app.foundation.rows import Row
from app.foundation.texts import _
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.topology import Agent, TokenClocks, TracerLatency

TRACER_TOKEN: Final = "tracer_token"

# From the reading of the Publisher's time to the post are two round trips and a write to this disk.
_POST_WITHIN: Final = timedelta(seconds=5)
# The procedure notes its own moment after the statement looked at the time; nobody else's token should fall in.
_FOUND_WITHIN: Final = timedelta(seconds=10)
# Time zones differ by a quarter of an hour at least; reading two clocks takes less than a minute.
_SAME_ZONE_S: Final = 60.0
_TRACER_ID: Final = "tracer_id"
_PUBLISHER_AT: Final = "publisher_at"


def need_deliverer(agent: Agent) -> None:
    """Refuse an agent that delivers to no Subscriber; raises Unsupported."""
    if agent.kind is not AgentKind.DISTRIBUTION:
        raise Unsupported(
            _("{agent} is no Distribution Agent, so it has no Subscriber; choose a Distribution Agent").format(
                agent=agent.name
            )
        )


def plan_tracer_token(session: Session, agent: Agent, distribution_db: str) -> Change:
    """Return the change that posts one token in the publication of a Distribution Agent, within the next seconds.

    Raises:
        Unsupported: no Distribution Agent, or one shared by several publications, so that none can be named.
    """
    need_deliverer(agent)
    if agent.is_shared:
        raise Unsupported(
            _("{agent} is shared by several publications; a tracer token needs one").format(agent=agent.name)
        )
    now = session.run("local_time", Place(agent.publisher_at, "master"))[0]
    spans = {
        f"{name}_{clock}": _text(_moment(now, clock) + ahead)
        for clock in ("local", "utc")
        for name, ahead in (("from", timedelta()), ("until", _FOUND_WITHIN))
    }
    post_until = _text(_moment(now, "local") + _POST_WITHIN)
    subject = _("tracer token in publication {publication} of {database} on {publisher}").format(
        publication=agent.publication, database=agent.publisher_db, publisher=agent.publisher
    )
    details: dict[str, Value] = {
        "publisher": agent.publisher,
        "publisher_db": agent.publisher_db,
        "publication": agent.publication,
        **spans,
    }
    if agent.redirected:
        details[_PUBLISHER_AT] = agent.redirected
    return Change(
        kind=TRACER_TOKEN,
        subject=subject,
        original=_("not posted"),
        new=_("posted"),
        details=(
            (INSTANCE, spans["from_local"]),
            *details.items(),
            ("post_until_local", post_until),
            ("distribution_db", distribution_db),
            ("agent_id", agent.agent_id),
        ),
        apply_sql=statement_script(
            _("Post a {subject}").format(subject=subject),
            agent.publisher_at,
            agent.publisher_db,
            "post_tracer_token",
            {"publication": agent.publication, "from_local": spans["from_local"], "until_local": post_until},
        ),
        undo_sql=statement_script(
            _(
                "Lists the {subject} posted between {begin} and {end}, if it was: where it is the only one, delete it "
                "with sys.sp_deletetracertokenhistory in {database} on {publisher}; otherwise leave all, they go with "
                "the history that the Distributor cleans up itself"
            ).format(
                subject=subject,
                begin=spans["from_local"],
                end=spans["until_local"],
                database=agent.publisher_db,
                publisher=agent.publisher,
            ),
            session.own_server,
            distribution_db,
            "own_tracer_tokens",
            {**details, "is_known": 0, _TRACER_ID: 0},
        ),
        needs_consent=_(
            "one small transaction in the log of the publication database every 30 seconds while a steady "
            "load is measured, deleted from the distribution database once it has arrived; none while "
            "somebody else makes the changes"
        ),
    )


class TracerToken:
    """Posts a token; undo deletes that token and no other."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def apply(self, change: Change) -> Change:
        """Post it and return the change with its id, by which it is deleted from now on.

        Raises:
            TargetError: the moment for it had passed; none was posted.
        """
        rows = self._session.run(
            "post_tracer_token",
            _publication_place(change),
            publication=str(change.detail("publication")),
            from_local=str(change.detail("from_local")),
            until_local=str(change.detail("post_until_local")),
        )
        if rows[0].is_null(_TRACER_ID):
            raise TargetError(
                _("{subject}: none was posted, because its moment had passed").format(subject=change.subject)
            )
        return _with_id(change, rows[0].whole(_TRACER_ID))

    def undo(self, change: Change) -> None:
        """Delete the token unless it is gone, and look that it is.

        Raises:
            ChangedByOthers: its id was never learned, and somebody else posted one in the same seconds: all are left.
            VerificationFailed: it is still there.
        """
        own = self._own(change)
        if not own:
            return
        if len(own) > 1:
            raise ChangedByOthers(
                _(
                    "{subject}: {count} were posted within the same {seconds} seconds, and which is Replitune's cannot "
                    "be told, so all are left; they go with the history that the Distributor cleans up itself, or "
                    "close this entry with `replitune restore --keep-others`"
                ).format(subject=change.subject, count=len(own), seconds=round(_FOUND_WITHIN.total_seconds()))
            )
        self._session.run(
            "delete_tracer_token",
            _publication_place(change),
            publication=str(change.detail("publication")),
            tracer_id=own[0].whole(_TRACER_ID),
        )
        if self._own(change):
            raise VerificationFailed(
                _("{subject} is still there after it was deleted; restore again").format(subject=change.subject)
            )

    def is_applied(self, change: Change) -> bool:
        """Tell whether the token is there, or one that may be it."""
        return bool(self._own(change))

    def is_undone(self, change: Change) -> bool:
        """Tell whether neither the token nor one that may be it is there."""
        return not self._own(change)

    def _own(self, change: Change) -> Rows:
        """Read the token by its id, or the one posted in its span where the id was never learned."""
        tracer_id = change.detail_or(_TRACER_ID, "")
        names = ("publisher", "publisher_db", "publication", "from_local", "until_local", "from_utc", "until_utc")
        return self._session.run(
            "own_tracer_tokens",
            Place(self._session.own_server, str(change.detail("distribution_db"))),
            is_known=int(tracer_id != ""),
            tracer_id=int(tracer_id or 0),
            **{name: str(change.detail(name)) for name in names},
        )


def read_tracer_token(session: Session, posted: Change) -> TracerLatency:
    """Read how far a posted token has come; sub-second, from the datetime columns of the distribution database."""
    token_id, agent_id = int(posted.detail(_TRACER_ID)), int(posted.detail("agent_id"))
    place = Place(session.own_server, str(posted.detail("distribution_db")))
    rows = session.run("tracer_token", place, tracer_id=token_id, agent_id=agent_id)
    if not rows:
        return TracerLatency(None, None)
    return TracerLatency(_seconds(rows[0], "to_distributor_ms"), _seconds(rows[0], "to_subscriber_ms"))


def read_token_clocks(session: Session, clock: Clock, agent: Agent) -> TokenClocks:
    """Read how far the clocks a token is stamped with are apart; each is wrong by half of its round trip at most.

    Raises:
        Unsupported: the servers stand in different time zones, and each stamps with its own time of day.
    """
    here = session.own_server
    read = {
        name: _read_clock(session, clock, name) for name in dict.fromkeys((here, agent.publisher_at, agent.subscriber))
    }
    for name, (_ahead_s, zone_s) in read.items():
        if abs(zone_s - read[here][1]) > _SAME_ZONE_S:
            raise Unsupported(
                _(
                    "{server} is in another time zone than {distributor}, and tracer tokens are stamped with each "
                    "server's time of day"
                ).format(server=name, distributor=here)
            )
    ahead_s = {name: ahead_s - read[here][0] for name, (ahead_s, _zone_s) in read.items()}
    return TokenClocks(ahead_s[agent.publisher_at], ahead_s[agent.subscriber])


def _read_clock(session: Session, clock: Clock, server: str) -> tuple[float, float]:
    """Return how far a server's UTC is ahead of this computer's, and how far its time of day is ahead of its UTC."""
    (row,), here_utc = ask_with_time(clock, lambda: session.run("local_time", Place(server, "master")))
    now_utc = _moment(row, "utc")
    ahead_s = (now_utc - here_utc.replace(tzinfo=None)).total_seconds()
    return ahead_s, (_moment(row, "local") - now_utc).total_seconds()


def _with_id(change: Change, tracer_id: int) -> Change:
    """Return the change of a token whose id is known; its script deletes exactly that one."""
    place = _publication_place(change)
    title = _("Delete {subject}").format(subject=change.subject)
    values: dict[str, Value] = {"publication": str(change.detail("publication")), _TRACER_ID: tracer_id}
    return replace(
        change,
        details=(*change.details, (_TRACER_ID, tracer_id)),
        undo_sql=statement_script(title, place.server, place.database, "delete_tracer_token", values),
    )


def _publication_place(change: Change) -> Place:
    at = change.detail_or(_PUBLISHER_AT, change.detail("publisher"))
    return Place(str(at), str(change.detail("publisher_db")))


def _moment(row: Row, clock: str) -> datetime:
    return datetime.fromisoformat(row.text(f"now_{clock}"))


def _text(moment: datetime) -> str:
    """Return a moment as style 121 of CONVERT reads it, to the millisecond."""
    return moment.isoformat(" ", "milliseconds")


def _seconds(row: Row, column: str) -> float | None:
    return None if row.is_null(column) else row.whole(column) / 1000.0
