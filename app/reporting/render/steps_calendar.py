"""The steps of the run sheet as a calendar (.ics, RFC 5545), for those who carry out the change and look after it."""

import hashlib
from collections.abc import Sequence
from datetime import datetime, time, timedelta
from itertools import groupby
from typing import TYPE_CHECKING, Final

from app.domain.errors import BadInput
from app.foundation.texts import _
from app.foundation.version import VERSION
from app.reporting.document.run_sheet import Step, run_sheet_steps
from app.reporting.document.scripts import Scripts
from app.reporting.document.whole import title_of
from app.reporting.render.characters import office_text
from app.reporting.render.prepared import with_names_shown
from app.reporting.request import ReportRequest
from app.reporting.wording import Vocabulary

if TYPE_CHECKING:
    from icalendar import Event

_WINDOW: Final = timedelta()
_DAY: Final = timedelta(days=1)
_BY_DAY: Final = time(10)  # what is done the day before or the next day is done in office hours
_PROVISIONAL_IN: Final = timedelta(days=7)
_PROVISIONAL_AT: Final = time(22)
_LASTS: Final = timedelta(minutes=15)


def render_calendar(request: ReportRequest) -> bytes:
    """Return the dated steps of the run sheet as events, those of one time together.

    Their times are those of the clock there, without a time zone. Where the window has no date yet, it is put a week
    after the report, and every event is tentative and says so. What an occasion brings stands with the window.

    Raises:
        BadInput: nothing is to be changed, so there are no steps.
    """
    from icalendar import Calendar  # only this format needs it

    request = with_names_shown(request)
    session, words = request.session, Vocabulary(request.families)
    steps = run_sheet_steps(request.advice.decisions, Scripts(session, words, request.advice.decisions))
    if not steps:
        raise BadInput(_("nothing is to be changed, so there are no steps for a calendar; write the report as .pdf"))
    begins = request.window or datetime.combine(request.issued_utc.date() + _PROVISIONAL_IN, _PROVISIONAL_AT)
    made = Calendar()
    made.add("prodid", f"-//Replitune//{VERSION}//")
    made.add("version", "2.0")
    occasional = [step for step in steps if step.after is None]
    dated = sorted((step for step in steps if step.after is not None), key=_after)
    for after, at_once in groupby(dated, key=_after):
        own = [*at_once, *(occasional if after == _WINDOW else ())]
        made.add_component(_event(request, own, _at(begins, after), after))
    return bytes(made.to_ical())


def _after(step: Step) -> timedelta:
    return step.after or _WINDOW


def _at(begins: datetime, after: timedelta) -> datetime:
    return datetime.combine(begins.date() + after, _BY_DAY) if abs(after) == _DAY else begins + after


def _event(request: ReportRequest, steps: Sequence[Step], at: datetime, after: timedelta) -> "Event":
    from icalendar import Event

    is_fixed = request.window is not None
    texts = [_told(step) for step in steps]
    if not is_fixed:
        texts.insert(0, _("The change window has no date yet: move this to it."))
    event, number = Event(), int(after.total_seconds())
    named = hashlib.sha256(f"{request.session.session_id} {number}".encode()).hexdigest()[:20]
    event.add("uid", f"{named}@replitune")
    event.add("dtstamp", request.issued_utc)
    event.add("dtstart", at)
    event.add("duration", timedelta(minutes=5) if after == -timedelta(minutes=5) else _LASTS)
    summary = _("{when}: {title}").format(when=steps[0].when, title=title_of(request))
    event.add("summary", office_text(summary))
    event.add("description", office_text("\n\n".join(texts)))
    event.add("status", "CONFIRMED" if is_fixed else "TENTATIVE")
    return event


def _told(step: Step) -> str:
    """Return a step with what is seen then and what else is done, and when, where an occasion brings it."""
    done = step.step if step.after is not None else _("{when}: {step}").format(when=step.when, step=step.step)
    seen, otherwise = _("You should see: {seen}"), _("If not: {otherwise}")
    return "\n".join((done, seen.format(seen=step.seen), otherwise.format(otherwise=step.otherwise)))
