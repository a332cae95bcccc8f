"""The request for a report: the session, its analysis, and how the report should look."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

from app.domain.family import SweptCondition
from app.domain.limits import LimitField
from app.domain.measurement import Metric
from app.domain.naming import NOTHING_DECLARED, DeclaredTexts
from app.domain.plan_field import PlanField
from app.domain.plot import SiteFigure
from app.domain.session import Advice, SessionRecord
from app.domain.setting import Parameter
from app.reporting.blocks import Attachment, Section


class FamilyTexts(Protocol):
    """The report's texts on an experiment family; every `ExperimentFamily` is one."""

    @property
    def family_id(self) -> str:
        """Return the family's id."""
        ...

    @property
    def system(self) -> Any:
        """Return the `domain.system.System` it belongs to."""
        ...

    @property
    def title(self) -> str:
        """Return its name."""
        ...

    @property
    def question(self) -> str:
        """Return the question it answers."""
        ...

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Return the parameters it may vary."""
        ...

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """Return its measures, the main one first."""
        ...

    @property
    def main_metrics(self) -> tuple[Metric, ...]:
        """Return the main measures it accepts from elsewhere."""
        ...

    @property
    def stand_in_metrics(self) -> tuple[Metric, ...]:
        """Return the measures it judges by where none of the main ones was measured elsewhere."""
        ...

    @property
    def load_fields(self) -> tuple[PlanField, ...]:
        """Return the fields of its plans on the load."""
        ...

    @property
    def limit_fields(self) -> tuple[LimitField, ...]:
        """Return the limits its trials watch and its plans may set."""
        ...

    @property
    def compares_all(self) -> bool:
        """Return whether all its comparisons are named before a run."""
        ...

    @property
    def swept(self) -> tuple[SweptCondition, ...]:
        """Return the conditions that vary within each trial."""
        ...


class Paper(StrEnum):
    """A size of paper, as Typst calls it."""

    A4 = "a4"
    LETTER = "us-letter"


@dataclass(frozen=True)
class ReportRequest:
    """One report to be made.

    Attributes:
        session: the session, as stored.
        advice: computed from its measurements.
        issued_utc: the date on the report.
        session_hash: SHA-256 of the session's records, hexadecimal, or "".
        families: texts of the families that occur; unknown ones are named by their id.
        redact: replace names of servers, databases, logins, whatever else systems name, and the client.
        hide: further names to replace, which no record tells.
        observed: what was seen of a site without an experiment, printed in place of what a session measured.
        observed_figures: pictures of the site, counted before the plots by `FigureBlock.index`.
        observed_files: what is attached to that.
        declared: whose words the texts of the session are, for replacing names; what it does not name is a name.
        is_redacted: the names in session and advice are replaced already; the report says so.
        logo: PNG, JPEG or SVG for the cover, or None.
        paper: what the PDF is laid out for.
        measured_csv: makes measurements.csv of the session, None where nobody else needs it.
        template: folder whose files replace shipped ones of the same name (`brand.typ` …), or None.
        window: when the change window begins, by the clock there; None where no date is set yet.
    """

    session: SessionRecord
    advice: Advice
    issued_utc: datetime
    session_hash: str = ""
    families: tuple[FamilyTexts, ...] = ()
    redact: bool = False
    hide: tuple[str, ...] = ()
    is_redacted: bool = False
    logo: Path | None = None
    template: Path | None = None
    paper: Paper = Paper.A4
    declared: DeclaredTexts = NOTHING_DECLARED
    observed: tuple[Section, ...] = ()
    observed_figures: tuple[SiteFigure, ...] = ()
    observed_files: tuple[Attachment, ...] = ()
    measured_csv: Callable[[], bytes] | None = None
    window: datetime | None = None
