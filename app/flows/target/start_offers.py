"""The start page's targets: the servers that were saved, and the lab's scenarios."""

from dataclasses import dataclass

from app.foundation.texts import _
from app.services.program import Program


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


def read_servers(program: Program) -> tuple[Offer, ...]:
    """Return the saved servers by name; for a worker thread.

    Raises:
        StoreError: their file cannot be used.
    """
    return tuple(Offer(kept.target, kept.name, kept.shown) for kept in program.parts.saved_targets.list())


def read_labs(program: Program) -> tuple[Offer, ...]:
    """Return the lab's scenarios with their descriptions, the default one first; for a worker thread."""
    # these load the systems, which the first page does without
    from app.flows.target.target_view import listed_targets
    from app.services.target.targets_catalogue import list_lab_scenarios

    listed = listed_targets((), list_lab_scenarios(program.systems.values()), program.systems)
    return tuple(Offer(entry.target, entry.title, entry.shows or entry.detail) for entry in listed)
