"""What follows a run that confirmed a setting on the client's own work: it is kept, or stays undone."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from app.domain.change import Keep
from app.domain.errors import BadInput
from app.domain.family import ExperimentFamily
from app.flows.words import sentence
from app.foundation.texts import _
from app.services.run.journal_words import kept_sentences
from app.services.run.keeping import Keepable, find_to_keep
from app.services.run.restoring import state_if_any
from app.services.target.target_spec import is_lab_of_this_process
from app.services.workplace import Workplace


@dataclass(frozen=True)
class KeepOffer:
    """What can be kept of a session, and what is.

    Attributes:
        found: what its newest run confirmed, None where it has nothing to keep.
        kept: what stands on purpose, one sentence, "" for nothing.
        why_not: why nothing can be kept here, though something was confirmed; "" where it can.
    """

    found: Keepable | None = None
    kept: str = ""
    why_not: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to decide."""
        return self.found is None and not self.kept


def read_keep_offer(
    place: Workplace, families: Mapping[str, ExperimentFamily], journal_path: Path, session_id: str
) -> KeepOffer:
    """Read the settings of a session that can be kept, and those that are; for a worker thread.

    Raises:
        StoreError: the session file or the undo journal cannot be used.
    """
    own = [entry for entry in state_if_any(journal_path).kept if entry.session_id == session_id]
    kept = " ".join(kept_sentences(own))
    try:
        found = find_to_keep(place, families, session_id)
    except BadInput:
        return KeepOffer(None, kept)
    why_not = ""
    if is_lab_of_this_process(found.run.target):
        why_not = _("This lab ends with the program, so that nothing can be kept there; a served lab goes on.")
    return KeepOffer(found, kept, why_not)


def keep_title(how: Keep) -> str:
    """Return the text of the button that keeps a setting for so long."""
    return {
        Keep.UNTIL_CAUGHT_UP: _("Keep un&til caught up…"),
        Keep.FOR_GOOD: _("&Keep for good…"),
    }[how]


def offer_text(offer: KeepOffer, *, is_keeping: bool) -> str:
    """Return how a confirmed setting stands."""
    if offer.kept and not is_keeping:
        return offer.kept[:1].upper() + offer.kept[1:]
    if offer.found is None:
        return ""
    setting = offer.found.setting.text()
    if is_keeping:
        return _("{setting} is in effect.").format(setting=setting)
    said = _("Everything is undone. The client may keep {setting}.").format(setting=setting)
    why_not = "" if offer.why_not else offer.found.why_not(Keep.UNTIL_CAUGHT_UP)
    return f"{said} {sentence(why_not)}" if why_not else said


def consent_question(found: Keepable, how: Keep) -> str:
    """Return the question that is agreed to before a setting is kept."""
    return _("Does the client agree? {consent}.").format(consent=found.consent(how))
