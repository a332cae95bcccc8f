"""The hand-over: report, scripts and measurements of a session, made from its file."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from app.domain.errors import BadInput
from app.domain.plot import PlotSpec
from app.domain.ports import FigureRenderer
from app.domain.session import Advice, SessionRecord
from app.foundation.clock import SystemClock
from app.foundation.files import write_atomically
from app.foundation.texts import _
from app.reporting import (
    ReportRequest,
    apply_script,
    measurements_csv,
    measurements_of,
    render_pages,
    rollback_script,
    session_json,
    write_report,
)
from app.services.advising import Advisor
from app.services.explaining import ExplainedSession, explain_session
from app.services.workplace import Workplace
from app.store import rollback_script as undo_script
from app.store import script_bytes


@dataclass(frozen=True)
class ReportOptions:
    """What a person wishes of a report.

    Attributes:
        client, consultant: for the cover; "" keeps what the session says.
        logo: PNG, JPEG or SVG, or None.
        template: folder whose `brand.typ` (colours, fonts) and other files replace the shipped ones, or None.
    """

    redact: bool = False
    client: str = ""
    consultant: str = ""
    logo: Path | None = None
    template: Path | None = None


class KeptFigures:
    """Draws each figure once, so that another preview of the same session costs no drawing; any thread may ask."""

    def __init__(self, renderer: FigureRenderer) -> None:
        self._renderer = renderer
        self._kept: dict[PlotSpec, bytes] = {}

    def render_svg(self, plots: Sequence[PlotSpec]) -> tuple[bytes, ...]:
        """Return one SVG document for each plot, as the renderer draws them."""
        missing = [plot for plot in plots if plot not in self._kept]
        self._kept.update(zip(missing, self._renderer.render_svg(missing), strict=True))
        return tuple(self._kept[plot] for plot in plots)


@dataclass(frozen=True)
class WrittenFile:
    """One file of a hand-over, as it lies on disk."""

    path: Path
    size_bytes: int


def hand_over(place: Workplace, session_id: str, advisor: Advisor, renderer: FigureRenderer) -> Advice:
    """Write report, scripts and measurements of a session beside its file; return what it was advised.

    Raises:
        StoreError: the session file cannot be read.
        BadInput: a file cannot be written.
    """
    explained = explain_session(place.session_file, session_id, advisor)
    write_explained_report(explained, place.report, advisor, renderer, ReportOptions())
    write_scripts(explained, place)
    _write(place.measurements, measurements_csv(measurements_of(explained.session)))
    return explained.advice


def write_session_report(
    session_file: Path, out: Path, advisor: Advisor, renderer: FigureRenderer, wishes: ReportOptions
) -> None:
    """Write the report of a file's newest session.

    Raises:
        StoreError: the session file cannot be read.
        BadInput: the report cannot be written, or the logo cannot be read.
    """
    write_explained_report(explain_session(session_file, None, advisor), out, advisor, renderer, wishes)


def write_explained_report(
    explained: ExplainedSession, out: Path, advisor: Advisor, renderer: FigureRenderer, wishes: ReportOptions
) -> tuple[WrittenFile, ...]:
    """Write the report of a session that was read and explained before.

    Raises:
        BadInput: the report cannot be written, or the logo cannot be read.
    """
    write_report(_request(explained, advisor, wishes), renderer, out)
    return (_written(out),)


def preview_report(
    explained: ExplainedSession,
    advisor: Advisor,
    renderer: FigureRenderer,
    wishes: ReportOptions,
    pixels_per_inch: float,
) -> tuple[bytes, ...]:
    """Return the pages of the report as PNG pictures; writes nothing.

    Raises:
        BadInput: the logo cannot be read.
    """
    return render_pages(_request(explained, advisor, wishes), renderer, pixels_per_inch)


def write_scripts(explained: ExplainedSession, place: Workplace) -> tuple[WrittenFile, ...]:
    """Write the scripts for the client's DBA: what applies the recommendations, and what takes everything back.

    Raises:
        BadInput: a file cannot be written.
    """
    session, advice = explained.session, explained.advice
    return (
        _write(place.apply_script, script_bytes(apply_script(advice.findings, session))),
        _write(place.rollback_script, script_bytes(_rollback(session, advice))),
    )


def write_data(explained: ExplainedSession, place: Workplace) -> tuple[WrittenFile, ...]:
    """Write what was measured as CSV, and what was found as JSON.

    Raises:
        BadInput: a file cannot be written.
    """
    return (
        _write(place.measurements, measurements_csv(measurements_of(explained.session))),
        _write(place.results, session_json(explained.session, explained.advice)),
    )


def _request(explained: ExplainedSession, advisor: Advisor, wishes: ReportOptions) -> ReportRequest:
    if wishes.logo is not None and not wishes.logo.is_file():
        raise BadInput(_("{path} is not a file; give a PNG, JPEG or SVG as logo").format(path=wishes.logo))
    session = explained.session
    named = replace(session, client=wishes.client or session.client, consultant=wishes.consultant or session.consultant)
    return ReportRequest(
        session=named,
        advice=explained.advice,
        issued_utc=SystemClock().now_utc(),
        session_hash=explained.digest,
        families=tuple(advisor.families.values()),
        redact=wishes.redact,
        logo=wishes.logo,
        template=wishes.template,
    )


def _rollback(session: SessionRecord, advice: Advice) -> str:
    """Return one script: first what a run left changed (nothing, normally), then what takes apply.sql back."""
    note = "-- " + _("Above: what the experiments left changed. Below: what takes apply.sql back, once it was run.")
    return undo_script(session.changes) + f"\n{note}\n" + rollback_script(advice.findings, session)


def _written(path: Path) -> WrittenFile:
    return WrittenFile(path, path.stat().st_size)


def _write(path: Path, content: bytes) -> WrittenFile:
    try:
        write_atomically(path, content)
    except OSError as error:
        raise BadInput(
            _("{path} cannot be written: {why}; give another folder").format(path=path, why=error.strerror)
        ) from error
    return _written(path)
