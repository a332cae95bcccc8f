"""A site's page in words: when it was read, the pictures, and worthwhile experiments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.domain.family import ExperimentFamily
from app.domain.setting import value_text
from app.domain.site_picture import SitePicture, Standing
from app.flows.system_views import views_of
from app.flows.target.proposals import Proposal, Sites, proposals
from app.flows.words import counted, sentence
from app.foundation.durations import duration, duration_text
from app.foundation.texts import _
from app.services.explain.advising import Advisor
from app.services.look.discovering import Discovery
from app.services.look.looking import Look
from app.services.look.watching import LiveReading, Watch


@dataclass(frozen=True)
class Worth:
    """The worthwhile experiments after a look.

    Attributes:
        looked: the look itself.
        proposals: the most promising first.
    """

    looked: Look
    proposals: tuple[Proposal, ...]


def look_for_proposals(
    watch: Watch, discovery: Discovery, sites: Sites, families: Mapping[str, ExperimentFamily], advisor: Advisor
) -> Worth | None:
    """Look at a site and return its worthwhile experiments, None once the watch is closed; for a worker thread."""
    looked = watch.look(advisor)
    return None if looked is None else Worth(looked, proposals(discovery, looked, sites, families))


def site_pictures(discovery: Discovery, looked: Look | None, reading: LiveReading | None) -> tuple[SitePicture, ...]:
    """Return a picture for each system that has one."""
    drawn: list[SitePicture] = []
    for system, discovered in discovery.by_system:
        observed = None if looked is None else looked.of(system.system_id)
        readings: Sequence[Any] = () if reading is None else reading.by_system.get(system.system_id, ())
        picture = views_of(system).picture(discovered, observed, readings)
        if picture is not None and picture.nodes:
            drawn.append(picture)
    return tuple(drawn)


def subject_at(discovery: Discovery, key: str) -> tuple[tuple[str, str], ...]:
    """Return the names by which a plan is about a box of the pictures, () where it cannot be experimented on."""
    for system, discovered in discovery.by_system:
        if names := views_of(system).subject_of(discovered, key):
            return tuple(sorted((name, text) for name, text in names.items() if text))
    return ()


def reading_line(pictures: Sequence[SitePicture], reading: LiveReading | None) -> str:
    """Return when the site was read, how often it is read, and the cost of that."""
    if reading is None:
        return _("Reading the state of the site; nothing is changed …")
    as_of = next((picture.as_of for picture in pictures if picture.as_of), "")
    statements = counted(reading.statements, _("1 statement"), _("{count} statements"))
    words = _("Read {as_of}, again every {pause}; {statements} in {time}, read-only.")
    if not as_of:
        words = _("Read again every {pause}; {statements} in {time}, read-only.")
    took = duration(max(1.0, reading.took_ms) / 1000.0)
    return words.format(as_of=as_of, pause=duration_text(reading.pause_s), statements=statements, time=took)


def unread_line(reading: LiveReading | None) -> str:
    """Return the readings that failed now, "" where none did."""
    return "" if reading is None else " ".join(sentence(text) for text in reading.unread)


def standing_line(pictures: Sequence[SitePicture]) -> str:
    """Return how many hops stand how, the worst first, and from where on one counts as behind."""
    hops = [hop for picture in pictures for hop in picture.hops]
    counts = [(standing, sum(hop.standing is standing for hop in hops)) for standing in Standing]
    parts = [_standing_count(standing, count, len(hops)) for standing, count in counts if count]
    return " · ".join([*parts, *dict.fromkeys(picture.threshold for picture in pictures if picture.threshold)])


def _standing_count(standing: Standing, count: int, total: int) -> str:
    words = {
        Standing.STOPPED: _("{count} of {all} stopped"),
        Standing.FAILING: _("1 of {all} fails") if count == 1 else _("{count} of {all} fail"),
        Standing.SILENT: _("{count} of {all} without an answer"),
        Standing.BEHIND: _("{count} of {all} behind"),
        Standing.UNKNOWN: _("{count} of {all} not known"),
        Standing.KEEPS_UP: _("1 of {all} keeps up") if count == 1 else _("{count} of {all} keep up"),
    }
    return words[standing].format(count=value_text(count), all=value_text(total))


def proposed_line(pictures: Sequence[SitePicture]) -> str:
    """Return the line above the worthwhile experiments; what is stopped or fails comes first."""
    standings = {hop.standing for picture in pictures for hop in picture.hops}
    first = {
        Standing.STOPPED: _("Start what is stopped before you test."),
        Standing.FAILING: _("Find out why something fails before you test."),
    }
    told = [words for standing, words in first.items() if standing in standings]
    return " ".join([*told, _("Most promising first. Only a test can confirm it.")])


def nothing_proposed() -> str:
    """Return the text where no experiment is worthwhile."""
    return _("Nothing here calls for a test. Every experiment can still be planned.")
