"""The report's content, section by section, as data for the template."""

from collections.abc import Sequence

from app.domain.session import is_lab
from app.foundation.texts import _
from app.reporting.blocks import Attachment, Cover, Document, Medium, Section
from app.reporting.document.decision_page import decision_section, paragraphs
from app.reporting.document.environment import environment_section
from app.reporting.document.evidence import EvidencePages
from app.reporting.document.figures import Figures
from app.reporting.document.in_effect import InEffect
from app.reporting.document.method import method_section
from app.reporting.document.provenance import provenance_section
from app.reporting.document.run_sheet import run_sheet_section
from app.reporting.document.scripts import Scripts
from app.reporting.document.sources import SourceList
from app.reporting.document.timeline import timeline_section
from app.reporting.place import Places
from app.reporting.request import ReportRequest
from app.reporting.wording import Vocabulary


def build_document(request: ReportRequest, attachments: Sequence[Attachment], medium: Medium = Medium.PDF) -> Document:
    """Return the report of a request whose names are already as they shall appear; empty sections are left out."""
    session, own = request.session, request.session.own_words
    sources = SourceList([finding for decision in request.advice.decisions for finding in decision.findings])
    sections = (
        *(request.observed or _measured(request, sources)),
        provenance_section(request, attachments, sources, medium),
    )
    title = title_of(request)
    return Document(
        title=title,
        author=session.consultant,
        header=" · ".join(part for part in (title, session.client, own.confidentiality, own.version) if part),
        footer=session.session_id,
        contents_title=_("Contents"),
        page_word=_("Page"),
        cover=_cover(title, request),
        sections=tuple(section for section in sections if section.blocks),
    )


def page_one(request: ReportRequest) -> tuple[Cover, Section]:
    """Return the head and the decision page of a report whose names are already as they shall appear."""
    words, figures = Vocabulary(request.families), Figures(request.advice.plots)
    return _cover(title_of(request), request), decision_section(request, words, figures)


def title_of(request: ReportRequest) -> str:
    """Return the title of a report: the consultant's, else the session's."""
    session = request.session
    return session.own_words.title or session.title or _("Replication settings, measured")


def _measured(request: ReportRequest, sources: SourceList) -> tuple[Section, ...]:
    """Return a session's measurements, from the decision to the method."""
    session, advice, own = request.session, request.advice, request.session.own_words
    words, figures = Vocabulary(request.families), Figures(advice.plots)
    places, in_effect = Places(session, words), InEffect(session, words.writers)
    return (
        Section(_("Foreword"), paragraphs(own.foreword)),
        decision_section(request, words, figures),
        run_sheet_section(advice.decisions, Scripts(session, words, advice.decisions), is_redacted=request.is_redacted),
        EvidencePages(advice, words, places, in_effect, sources, figures).section(),
        timeline_section(session, words),
        environment_section(session, words),
        method_section(session, advice, words),
        Section(_("The consultant's notes"), tuple(block for note in own.notes for block in paragraphs(note))),
    )


def _cover(title: str, request: ReportRequest) -> Cover:
    session = request.session
    targets = dict.fromkeys(environment.target for environment in session.environments)
    targets.pop(session.imported_from, None)
    pairs = (
        (_("Client"), session.client),
        (_("Consultant"), session.consultant),
        (_("Version"), session.own_words.version),
        (_("Date"), f"{request.issued_utc:%Y-%m-%d}"),
        (_("Confidentiality"), session.own_words.confidentiality),
        (_("Measured on"), ", ".join(targets)),
        (_("Measurements from"), session.imported_from),
    )
    notices = []
    if any(is_lab(environment.target) for environment in session.environments):
        notices.append(
            _(
                "Measured on simulated servers (the lab), not on a real installation. It shows how the program works; "
                "measure on your own servers before you change a setting."
            )
        )
    if request.is_redacted:
        notices.append(
            _("The client's names, those of servers, databases, logins and everything else, are replaced in this copy.")
        )
    return Cover(title, tuple((name, value) for name, value in pairs if value), " ".join(notices))
