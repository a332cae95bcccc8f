"""The start page's targets: the servers that were saved, and the lab's scenarios."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.foundation.texts import _
from app.services.program import Program
from app.services.target.target_spec import host_of, is_lab


@dataclass(frozen=True)
class Offer:
    """One target a session can begin at.

    Attributes:
        target: as accepted by `--target`.
        detail: its address, or what can be learned of it.
    """

    target: str
    title: str
    detail: str

    @property
    def spoken(self) -> str:
        """Return a screen reader's text for the button that connects to it."""
        return _("Connect to {name}").format(name=self.title)


def read_servers(program: Program, recent: Sequence[str] = ()) -> tuple[Offer, ...]:
    """Return the saved servers and those connected to before, those read last first; for a worker thread.

    Args:
        recent: targets that were read last, newest first.

    Raises:
        StoreError: their file cannot be used.
    """
    saved = tuple(Offer(kept.target, kept.name, kept.shown) for kept in program.parts.saved_targets.list())
    named = {offer.target for offer in saved}
    places = {target: place for place, target in enumerate(recent)}
    others = tuple(
        Offer(target, host_of(target), target) for target in recent if target not in named and not is_lab(target)
    )
    return tuple(sorted((*saved, *others), key=lambda offer: places.get(offer.target, len(places))))


def read_labs(program: Program) -> tuple[Offer, ...]:
    """Return the lab's scenarios with their descriptions, as they are listed; for a worker thread."""
    # these load the systems, which the first page does without
    from app.flows.target.target_view import listed_targets
    from app.services.target.targets_catalogue import list_lab_scenarios

    listed = listed_targets((), list_lab_scenarios(program.systems.values()), program.systems)
    return tuple(Offer(entry.target, entry.title, entry.shows or entry.detail) for entry in listed)
