"""The hand-over: report, scripts and measurements of a session, made from its file."""

from dataclasses import dataclass, replace
from pathlib import Path

from app.domain.errors import BadInput
from app.domain.ports import FigureRenderer
from app.domain.session import Advice, SessionRecord
from app.foundation.clock import SystemClock
from app.foundation.files import write_atomically
from app.foundation.texts import _
from app.reporting import ReportRequest, apply_script, measurements_csv, measurements_of, rollback_script, write_report
from app.services.advising import Advisor
from app.services.workplace import Workplace
from app.store import open_for_reading, script_bytes
from app.store import rollback_script as undo_script


@dataclass(frozen=True)
class ReportOptions:
    """What a person wishes of a report.

    Attributes:
        client, consultant: for the cover; "" keeps what the session says.
        logo: PNG, JPEG or SVG, or None.
    """

    redact: bool = False
    client: str = ""
    consultant: str = ""
    logo: Path | None = None


def hand_over(place: Workplace, session_id: str, advisor: Advisor, renderer: FigureRenderer) -> Advice:
    """Write report, scripts and measurements of a session beside its file; return what it was advised.

    Raises:
        StoreError: the session file cannot be read.
        BadInput: a file cannot be written.
    """
    with open_for_reading(place.session_file) as reader:
        session = reader.read_session(session_id)
        digest = reader.session_hash(session_id)
    advice = advisor.advise(session)
    request = ReportRequest(
        session=session,
        advice=advice,
        issued_utc=SystemClock().now_utc(),
        session_hash=digest,
        families=tuple(advisor.families.values()),
    )
    write_report(request, renderer, place.report)
    _write(place.apply_script, script_bytes(apply_script(advice.findings, session)))
    _write(place.rollback_script, script_bytes(_rollback(session, advice)))
    _write(place.measurements, measurements_csv(measurements_of(session)))
    return advice


def _rollback(session: SessionRecord, advice: Advice) -> str:
    """Return one script: first what a run left changed (nothing, normally), then what takes apply.sql back."""
    return undo_script(session.changes) + "\n" + rollback_script(advice.findings, session)


def write_session_report(
    session_file: Path, out: Path, advisor: Advisor, renderer: FigureRenderer, wishes: ReportOptions
) -> None:
    """Write the report of a file's newest session.

    Raises:
        StoreError: the session file cannot be read.
        BadInput: the report cannot be written, or the logo cannot be read.
    """
    if wishes.logo is not None and not wishes.logo.is_file():
        raise BadInput(_("{path} is not a file; give a PNG, JPEG or SVG as logo").format(path=wishes.logo))
    with open_for_reading(session_file) as reader:
        session = reader.read_session()
        digest = reader.session_hash()
    named = replace(session, client=wishes.client or session.client, consultant=wishes.consultant or session.consultant)
    request = ReportRequest(
        session=named,
        advice=advisor.advise(session),
        issued_utc=SystemClock().now_utc(),
        session_hash=digest,
        families=tuple(advisor.families.values()),
        redact=wishes.redact,
        logo=wishes.logo,
    )
    write_report(request, renderer, out)


def _write(path: Path, content: bytes) -> None:
    try:
        write_atomically(path, content)
    except OSError as error:
        raise BadInput(
            _("{path} cannot be written: {why}; give another folder").format(path=path, why=error.strerror)
        ) from error
