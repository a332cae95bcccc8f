"""How a site stood through a night: what fell behind, when, for how long, and how it stands in the morning."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from app.domain.site_picture import SiteHop, SitePicture, Standing
from app.domain.view import Cell, Column, Row, TableContent, number_cell, text_cell
from app.flows.shell.start_view import local_time
from app.flows.target.site_view import site_pictures
from app.flows.words import counted, sentence
from app.foundation.durations import duration_text
from app.foundation.texts import _
from app.runner.time_agreed import seconds_until
from app.services.look.discovering import Discovery
from app.services.look.overnight import NightReading
from app.services.look.watching import Watch

_STANDS_STILL: Final = frozenset({Standing.STOPPED, Standing.FAILING})  # between two tries one that fails is stopped
_TROUBLE: Final = _STANDS_STILL | {Standing.SILENT, Standing.BEHIND}
MOST_EVENTS: Final = 60
"""Events listed in a report, the first ones; the rest is counted."""

_WHERE = Column("where", _("Where"), width=3)
_WORST = Column("worst", _("At its worst"), width=4)
_WHEN = Column("when", _("When"))
_BEHIND = Column("behind", _("Behind"), "min", is_number=True)
_STOPPED = Column("stopped", _("Stopped"), "min", is_number=True)
_MORNING = Column("at_the_end", _("At the end"), width=2)


@dataclass
class _Course:
    """One process through the night.

    Attributes:
        newest, worst: as it stood; worst_at_utc: when.
        since_utc: since when it has not kept up, where it does not.
        seconds: for how long it stood how.
    """

    where: str
    newest: SiteHop
    worst: SiteHop
    worst_at_utc: datetime
    since_utc: datetime
    seconds: dict[Standing, float] = field(default_factory=dict)

    @property
    def had_trouble(self) -> bool:
        """Whether it ever did not keep up."""
        return self.worst.standing in _TROUBLE

    def minutes(self, *standings: Standing) -> float:
        """Return for how long it stood so."""
        return sum(self.seconds.get(standing, 0.0) for standing in standings) / 60.0


class NightLog:
    """Takes the readings of a night, one after the other.

    Attributes:
        readings: how many were answered. unread_s: for how long nobody answered.
        events: what changed, a line each.
    """

    def __init__(self, discovery: Discovery) -> None:
        """Begin with nothing read."""
        self._discovery = discovery
        self._courses: dict[str, _Course] = {}
        self._first_utc: datetime | None = None
        self._newest_utc: datetime | None = None
        self._silent_since: datetime | None = None
        self.readings = 0
        self.unread_s = 0.0
        self.events: list[str] = []

    @property
    def watched_s(self) -> float:
        """For how long it has been watched."""
        return 0.0 if self._first_utc is None else (self._until() - self._first_utc).total_seconds()

    def take(self, night: NightReading) -> tuple[str, ...]:
        """Take a reading and return what changed with it, a line each."""
        self._pass_to(night.at_utc)
        told = tuple(f"{local_time(night.at_utc)}  {line}" for line in self._changes(night))
        self.events += told
        return told

    def _pass_to(self, at_utc: datetime) -> None:
        """Count the time since the reading before for how things stood then."""
        if self._newest_utc is not None:
            passed_s = (at_utc - self._newest_utc).total_seconds()
            if self._silent_since is not None:
                self.unread_s += passed_s
            else:
                for course in self._courses.values():
                    standing = course.newest.standing
                    course.seconds[standing] = course.seconds.get(standing, 0.0) + passed_s
        self._first_utc = self._first_utc or at_utc
        self._newest_utc = at_utc

    def _changes(self, night: NightReading) -> Iterator[str]:
        if night.reading is None:
            if self._silent_since is None:
                self._silent_since = night.at_utc
                yield _("No answer: {why}").format(why=sentence(night.problem))
            return
        self.readings += 1
        if self._silent_since is not None:
            silent_s = (night.at_utc - self._silent_since).total_seconds()
            self._silent_since = None
            yield _("Answers again, after {time}").format(time=duration_text(silent_s))
        for picture in site_pictures(self._discovery, None, night.reading):
            for hop in sorted(picture.hops, key=lambda one: one.badness):
                yield from self._take_hop(hop, picture, night.at_utc)

    def _take_hop(self, hop: SiteHop, picture: SitePicture, at_utc: datetime) -> Iterator[str]:
        course = self._courses.get(hop.key)
        before = None if course is None else course.newest.standing
        if course is None:
            course = self._courses[hop.key] = _Course(_where(hop, picture), hop, hop, at_utc, at_utc)
        course.newest = hop
        if hop.badness[:2] < course.worst.badness[:2]:
            course.worst, course.worst_at_utc = hop, at_utc
        is_news = hop.standing in _TROUBLE if before is None else hop.standing is not before
        is_news = is_news and not {before, hop.standing} <= _STANDS_STILL
        if before in _TROUBLE and hop.standing is Standing.KEEPS_UP:
            lasted_s = (at_utc - course.since_utc).total_seconds()
            yield _("{where}: keeps up again, after {time}").format(where=course.where, time=duration_text(lasted_s))
        elif is_news and Standing.UNKNOWN not in (before, hop.standing):
            yield f"{course.where}: {_state(hop)}"
        if before not in _TROUBLE:
            course.since_utc = at_utc

    def _until(self) -> datetime:
        assert self._newest_utc is not None
        return self._newest_utc

    def take_unread(self, why: str) -> str:
        """Take it that the servers' history could not be read at the end, and return the line that says so."""
        words = _("The history could not be read at the end, so the rest is as it was at the beginning: {why}")
        self.events.append(words.format(why=sentence(why)))
        return self.events[-1]

    def lines(self) -> list[str]:
        """Return it as lines of text: the summary, and what did not keep up throughout."""
        from app.reporting.render.terminal import table_lines  # only where lines are written

        table = self.table()
        return [self.summary(), *(["", *table_lines(table)] if table.rows else [])]

    def summary(self) -> str:
        """Return the summary in a sentence or two: how long it was watched, and whether anything was wrong."""
        if self._first_utc is None:
            return _("Nothing was read.")
        read = counted(self.readings, _("1 reading"), _("{count} readings"))
        told = _("Watched from {first} to {last}, by this computer's clock: {readings}.").format(
            first=local_time(self._first_utc), last=local_time(self._until()), readings=read
        )
        if self.unread_s:
            told += " " + _("Nobody answered for {time}.").format(time=duration_text(self.unread_s))
        trouble = sum(course.had_trouble for course in self._courses.values())
        if self._courses and not trouble:
            return f"{told} " + _("Everything kept up at every reading.")
        well = len(self._courses) - trouble
        if trouble and well:
            told += " " + counted(well, _("1 other kept up throughout."), _("{count} others kept up throughout."))
        return told

    def table(self) -> TableContent:
        """Return the processes that did not keep up throughout, the worst first."""
        courses = sorted(
            (course for course in self._courses.values() if course.had_trouble), key=lambda one: one.worst.badness
        )
        return TableContent(
            (_WHERE, _WORST, _WHEN, _BEHIND, _STOPPED, _MORNING),
            tuple(Row(course.worst.key, _cells(course)) for course in courses),
        )

    def document(self) -> dict[str, object]:
        """Return it for JSON."""
        return {
            "from": None if self._first_utc is None else self._first_utc.isoformat(),
            "to": None if self._newest_utc is None else self._newest_utc.isoformat(),
            "readings": self.readings,
            "unread_s": self.unread_s,
            "processes": [
                {
                    "where": course.where,
                    "worst": _state(course.worst),
                    "worst_at": course.worst_at_utc.isoformat(),
                    "seconds": {standing.value: course.seconds.get(standing, 0.0) for standing in Standing},
                    "at_the_end": _state(course.newest),
                }
                for course in self._courses.values()
            ],
            "events": self.events,
        }


def _cells(course: _Course) -> tuple[Cell, ...]:
    return (
        text_cell(course.where),
        text_cell(_state(course.worst)),
        text_cell(local_time(course.worst_at_utc)),
        number_cell(course.minutes(Standing.BEHIND)),
        number_cell(course.minutes(*_STANDS_STILL, Standing.SILENT)),
        text_cell(_state(course.newest)),
    )


def _where(hop: SiteHop, picture: SitePicture) -> str:
    """Return a process as it is told apart from others of its kind: with where it leads."""
    leads = picture.node(hop.destination)
    name = f"{hop.kind} {hop.name}"
    return name if leads is None or leads.name == hop.name else f"{name} → {leads.name}"


def _state(hop: SiteHop) -> str:
    return "; ".join((hop.state, *hop.lines))


def watch_text(watch: Watch, minutes: int) -> str:
    """Return in one sentence until when is watched, at a time of day in minutes since midnight."""
    left_s = seconds_until(watch.now_utc(), minutes)
    until = local_time(watch.now_utc() + timedelta(seconds=left_s))
    return _("Watching until {until}, {time} from now; nothing is changed. Ctrl+C ends it and reports.").format(
        until=until, time=duration_text(left_s)
    )
