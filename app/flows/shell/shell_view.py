"""The frame around the pages: the steps and their states, the footer, and present changes on servers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from app.domain.change import Change, JournalEntry
from app.domain.events import ChangeApplied, ChangeRestored, RunEvent, RunFinished, RunStarted, RunStatus, status_word
from app.flows.open_changes import without
from app.flows.shell.wizard import STEPS, Choices, Step, Wizard, step_text, why_not_leave
from app.flows.words import counted
from app.foundation.texts import _
from app.reporting.tables.changes import from_to
from app.services.target.target_spec import server_of
from app.services.workplace import SESSION_FILE_NAME

if TYPE_CHECKING:  # loads the numeric libraries, which the first page does without
    from app.services.run.run_job import JobEnded


class StepState(StrEnum):
    """How a step stands in the list of steps."""

    DONE = "done"
    CURRENT = "current"
    OPEN = "open"
    CLOSED = "closed"


@dataclass(frozen=True)
class StepLine:
    """One line of the list of steps.

    Attributes:
        number: from 1.
        reason: why it cannot be reached, "" where it can.
    """

    step: Step
    number: int
    title: str
    state: StepState
    reason: str

    @property
    def spoken(self) -> str:
        """The line as a screen reader says it."""
        states = {
            StepState.DONE: _("done"),
            StepState.CURRENT: _("current step"),
            StepState.OPEN: _("can be opened"),
            StepState.CLOSED: _("not reachable yet"),
        }
        return _("Step {number}, {title}, {state}").format(
            number=self.number, title=self.title, state=states[self.state]
        )


@dataclass(frozen=True)
class Footer:
    """The footer of a page.

    Attributes:
        sentence: what is missing before the next step, or what comes next.
        is_missing: whether `sentence` says what is missing.
        leads: Next is the first thing to do; while something stands on a server, or a run may be resumed, it is not.
        is_last: no step follows: the next thing to test, or another client.
    """

    sentence: str
    is_missing: bool
    can_go_back: bool
    can_go_on: bool
    leads: bool = True
    is_last: bool = False


def step_lines(wizard: Wizard, *, running: bool) -> tuple[StepLine, ...]:
    """Return the list of steps."""
    return tuple(_line(wizard, step, number, running=running) for number, step in enumerate(STEPS, 1))


def _line(wizard: Wizard, step: Step, number: int, *, running: bool) -> StepLine:
    reason = "" if step is wizard.step else _why_closed(wizard, step, running=running)
    if step is wizard.step:
        state = StepState.CURRENT
    elif reason:
        # what was passed before a run began, or before the file was written, is done although it is closed now
        state = StepState.DONE if running and _is_before(step, wizard.step) else StepState.CLOSED
    else:
        state = StepState.DONE if _is_before(step, wizard.step) else StepState.OPEN
    return StepLine(step, number, step_text(step).title, state, reason)


def _is_before(step: Step, other: Step) -> bool:
    return STEPS.index(step) < STEPS.index(other)


def _why_closed(wizard: Wizard, step: Step, *, running: bool) -> str:
    if wizard.can_reach(step, running=running):
        return ""
    if running:
        return _("A run is in progress; stop it first.")
    if wizard.choices.opened:
        return _("This session was opened from its file: its findings can be read and handed over.")
    steps = wizard.choices.steps
    if step not in steps:
        return _("This run resumes with the target and plan it began with.")
    earlier = steps[: steps.index(step)]
    lacking = next(before for before in earlier if why_not_leave(before, wizard.choices))
    return _("{step}: {reason}").format(step=step_text(lacking).title, reason=why_not_leave(lacking, wizard.choices))


def footer(wizard: Wizard, *, running: bool) -> Footer:
    """Return the footer of the page shown."""
    if running and wizard.step is Step.TOPOLOGY:
        told = _("The run goes on meanwhile; the next experiment can be planned once it has ended.")
        return Footer(told, is_missing=False, can_go_back=False, can_go_on=True)
    missing = why_not_leave(wizard.step, wizard.choices, running=running)
    is_last = wizard.step is STEPS[-1]
    return Footer(
        sentence=missing or step_text(wizard.step).next,
        is_missing=bool(missing),
        can_go_back=wizard.back(running=running) is not wizard,
        can_go_on=not missing and not is_last,
        is_last=is_last,
        leads=wizard.step is not Step.RUN or not _is_unfinished(wizard.choices),
    )


def _is_unfinished(choices: Choices) -> bool:
    """Return whether restoring or resuming the run comes first."""
    end = choices.run_end
    return end is not None and (bool(end.not_restored) or RunStatus(end.status).may_go_on)


_MOST_LISTED: Final = 8
"""Changes listed in a question; the journal has them all."""


@dataclass(frozen=True)
class ServerState:
    """This program's changes on servers that are not yet undone.

    Attributes:
        target: where, "" before the first run.
        changes: in the order they were made.
        not_restored: sentences of the last run's end about what could not be put back.
        kept: sentences about what clients keep on purpose.
    """

    target: str = ""
    changes: tuple[Change, ...] = ()
    not_restored: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()

    @property
    def is_changed(self) -> bool:
        """Whether anything is changed right now that is to be undone."""
        return bool(self.changes or self.not_restored)

    def after(self, events: Iterable[RunEvent]) -> "ServerState":
        """Return the state after some more events of a run."""
        state = self
        for event in events:
            state = state._after_one(event)
        return state

    def _after_one(self, event: RunEvent) -> "ServerState":
        if isinstance(event, RunStarted):
            return replace(self, target=event.target, not_restored=())
        if isinstance(event, ChangeApplied):
            return replace(self, changes=(*self.changes, event.change))
        if isinstance(event, ChangeRestored):
            return replace(self, changes=without(self.changes, event.change))
        if isinstance(event, RunFinished):
            return replace(self, not_restored=event.not_restored)
        return self

    @staticmethod
    def of_journal(
        entries: Sequence[JournalEntry], problems: Sequence[str] = (), kept: Sequence[str] = ()
    ) -> "ServerState":
        """Return the state of the undo journal: its open entries, newest first, damaged ones, and what is kept."""
        if not entries:
            return ServerState(not_restored=tuple(problems), kept=tuple(kept))
        targets = ", ".join(dict.fromkeys(entry.target for entry in entries))
        changes = tuple(entry.change for entry in reversed(entries))
        return ServerState(targets, changes, not_restored=tuple(problems), kept=tuple(kept))

    @property
    def sentence(self) -> str:
        """Return the present changes, in one sentence."""
        if self.not_restored:
            many = _("{count} changes could not be undone")
            told = counted(len(self.not_restored), _("1 change could not be undone"), many)
            return f"{told}: {self.not_restored[0]}"
        if not self.changes and self.kept:
            return f"{self.kept[0]}."
        if not self.changes:
            return _("Nothing is changed on any server.")
        net = _net(self.changes)
        newest = net[-1]
        shown = f"{newest.subject}: {from_to(newest)}"
        if len(net) == 1:
            return _("Changed on {target} right now: {change}").format(target=self.target, change=shown)
        return _("{count} changes on {target} right now, newest {change}").format(
            count=len(net), target=self.target, change=shown
        )

    @property
    def details(self) -> str:
        """Everything changed, one a line, for a tooltip; "" where there is nothing."""
        lines = [f"{c.subject}: {from_to(c)}" for c in _net(self.changes)]
        return "\n".join([*lines, *self.not_restored, *self.kept])


def _net(changes: Sequence[Change]) -> tuple[Change, ...]:
    """Return the differences from the beginning: several changes of one value are one, from its first to its last."""
    chains: dict[tuple[str, str], Change] = {}
    for change in changes:
        first = chains.pop((change.kind, change.subject), change)
        chains[change.kind, change.subject] = replace(change, original=first.original)
    return tuple(chains.values())


def closing_sentence(end: "JobEnded", state: ServerState) -> str:
    """Return the message before closing after a run was stopped for it, "" where all is undone."""
    told = () if end.outcome is None else end.outcome.not_restored
    problems = told or tuple(change.subject for change in state.changes)
    return not_restored_sentence(problems) if problems else ""


def not_restored_sentence(problems: Sequence[str]) -> str:
    """Return the message before closing where a restore left changes open."""
    return "\n".join((_("Not everything could be undone:"), *_bullets(problems), "", _what_is_kept()))


def standing_sentence(entries: Sequence[JournalEntry], problems: Sequence[str] = ()) -> str:
    """Return the message before closing while changes stand on servers, "" where none do."""
    state = ServerState.of_journal(entries, problems)
    if not state.is_changed:
        return ""
    changes = [f"{change.subject}: {from_to(change)}" for change in _net(state.changes)]
    heading = _("Still changed on {targets}:").format(targets=state.target) if changes else _("The undo journal:")
    return "\n".join((heading, *_bullets((*changes, *problems)), "", _what_is_kept()))


def _bullets(lines: Sequence[str]) -> list[str]:
    """Return lines of a list that stays short enough for a question."""
    shown = [f"• {line}" for line in lines[:_MOST_LISTED]]
    more = len(lines) - len(shown)
    return [*shown, _("• and {count} more").format(count=more)] if more > 0 else shown


def _what_is_kept() -> str:
    return _(
        "The undo journal keeps what is open. Replitune offers to undo it at the next start; "
        "rollback.sql beside the session does so without Replitune."
    )


def ended_in_words(status: RunStatus) -> str:
    """Return how a run ended, in a word or two."""
    return status_word(status)


def window_title(page: str, mark: str = "") -> str:
    """Return the title of the window: that of the page shown, "" for the first one.

    Args:
        mark: how a run stands, "" where none does.
    """
    title = _("{step} – Replitune").format(step=page) if page else "Replitune"
    return f"{mark} · {title}" if mark else title


def place_at_hand(choices: Choices) -> str:
    """Return whose servers the session is about: the client's file and the server, "" before one is chosen."""
    file = choices.engagement
    client = "" if file is None or file.name == SESSION_FILE_NAME else file.stem  # a name nobody gave names no client
    return " · ".join(part for part in (client, server_of(choices.target)) if part)


def can_show_runs(wizard: Wizard, *, running: bool) -> bool:
    """Tell whether the session at hand has a file with runs."""
    return wizard.choices.place is not None and (running or wizard.choices.run_end is not None)
