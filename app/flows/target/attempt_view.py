"""Reading a target in the background, in words: going on, reached, failed."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from app.domain.connection import ToChoose
from app.domain.errors import NotChosen, NotTrusted, ReplituneError, TargetError
from app.domain.system import System, in_order
from app.flows.system_views import views_of
from app.flows.target.certificate_view import CertificateView, certificate_view
from app.flows.words import sentence, time_text
from app.foundation.texts import _
from app.services.look.reading import TargetReading
from app.services.target.answers import SILENT_FROM_S


class AttemptState(StrEnum):
    """How the test of a target stands."""

    NONE = "none"
    GOING_ON = "going on"
    REACHED = "reached"
    FAILED = "failed"


@dataclass(frozen=True)
class ChoiceView:
    """Names to choose from.

    Attributes:
        option: of an address, which says the one that is meant.
    """

    title: str
    option: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class Attempt:
    """The test of a target, in words.

    Attributes:
        detail: the server's own words, or why there is a choice all the same; "" for nothing more.
        certificate: the certificate to decide about, None where that is not what keeps it.
        choice: the names one of which is meant, None where that keeps nothing from being read.
    """

    state: AttemptState = AttemptState.NONE
    text: str = ""
    detail: str = ""
    certificate: CertificateView | None = None
    choice: ChoiceView | None = None


NO_ATTEMPT: Final = Attempt()


def attempt_begun(title: str) -> Attempt:
    """Return the view while a target is being read."""
    return Attempt(AttemptState.GOING_ON, _("Reading {title} …").format(title=title))


def waited_text(waited_s: float) -> str:
    """Return for how long a target is being read, seconds; "" as long as that is nothing unusual."""
    return _("Not read yet after {time}.").format(time=time_text(waited_s)) if waited_s >= SILENT_FROM_S else ""


def attempt_reached(reading: TargetReading, systems: Mapping[str, System]) -> Attempt:
    """Return the view once a target was read: the text of the first system that is there."""
    said = [views_of(system).reached(site) for system, site in reading.discovery.by_system[:1]]
    said += [views_of(system).reached(None) for system in in_order(systems.values())]
    nothing = _("Nothing was found that could be experimented on.")
    text, to_choose = next((text for text in said if text), nothing), reading.discovery.to_choose
    asked = "" if to_choose is None else sentence(to_choose.question)
    return Attempt(AttemptState.REACHED, text, asked, choice=choice_view(to_choose))


def choice_view(to_choose: ToChoose | None) -> ChoiceView | None:
    """Return the list to choose from, None where a target says enough."""
    return None if to_choose is None else ChoiceView(_("Which one is meant?"), to_choose.option, to_choose.names)


def attempt_failed(error: BaseException) -> Attempt:
    """Return the view when a target could not be read."""
    if isinstance(error, NotTrusted) and error.certificate is not None:
        view = certificate_view(error.certificate)
        untrusted = _("This computer does not trust the certificate of {where}.").format(where=error.certificate.where)
        return Attempt(AttemptState.FAILED, untrusted, certificate=view)
    if isinstance(error, NotTrusted):
        return Attempt(AttemptState.FAILED, sentence(str(error)))
    if isinstance(error, NotChosen):
        to_choose = error.to_choose
        return Attempt(AttemptState.FAILED, sentence(to_choose.question), choice=choice_view(to_choose))
    if isinstance(error, ReplituneError):
        said = error.server_error if isinstance(error, TargetError) else ""
        return Attempt(AttemptState.FAILED, sentence(str(error)), said)
    return Attempt(AttemptState.FAILED, _("Reading failed because of a mistake in this program; see the error report."))


def attempt_cancelled() -> Attempt:
    """Return the view after a person gave up waiting."""
    return Attempt(AttemptState.FAILED, _("Cancelled; nothing was changed."))


def is_mistake(error: BaseException) -> bool:
    """Tell whether an error is one of the program's own, to be shown as a report."""
    return not isinstance(error, ReplituneError)


def attempt_nothing(why: str) -> Attempt:
    """Return the view when a target was read but holds nothing to work with."""
    return Attempt(AttemptState.FAILED, why)
