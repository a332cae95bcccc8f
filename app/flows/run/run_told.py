"""How a run stands, told wherever one is: on the bar above other pages, in the title, on the taskbar."""

from dataclasses import dataclass

from app.domain.events import HandRequested
from app.flows.run.mood import Mood
from app.flows.run.run_health import run_health
from app.flows.run.run_state import GOING_ON, RunState, Stage
from app.flows.run.run_view import clock_text, picture
from app.flows.shell.wizard import Choices
from app.foundation.texts import _


@dataclass(frozen=True)
class RunTold:
    """How a run stands, in one sentence.

    Attributes:
        percent: share done, None where no run goes on.
        sentence: how it stands.
        mood: whether that is good or bad.
        call: why somebody should come to the window, "" for no reason; told once for as long as it stays the same.
    """

    percent: int | None
    sentence: str
    mood: Mood
    call: str = ""

    @property
    def mark(self) -> str:
        """The sign and share before the title of the window."""
        signs = {Mood.GOOD: "✓", Mood.WARNING: "⚠", Mood.BAD: "⚠", Mood.NEUTRAL: ""}
        share = "" if self.percent is None else f"{self.percent}\N{NO-BREAK SPACE}%"
        return " ".join(filter(None, (signs[self.mood], share)))


def run_told(state: RunState) -> RunTold | None:
    """Return how a run stands, None before it begins."""
    if state.stage is Stage.IDLE:
        return None
    shown = picture(state, Choices())
    if state.stage not in GOING_ON:
        return RunTold(None, _("Run: {how}").format(how=shown.headline), shown.mood, shown.headline)
    percent = round(state.progress * 100)
    if alarm := run_health(state).alarm:
        kind = "still" if state.silence is None else "silent"
        return RunTold(percent, _("Run: {how}").format(how=alarm), Mood.BAD, kind)
    if state.request is not None:
        return RunTold(percent, _asked(state.request), Mood.WARNING, f"asked {state.request.number}")
    how = shown.headline if state.left_s is None else _left(shown.headline, state.left_s)
    return RunTold(percent, _("Run: {how}").format(how=how), Mood.NEUTRAL)


def _left(headline: str, left_s: float) -> str:
    return _("{headline}, about {time} left").format(headline=headline, time=clock_text(left_s))


def _asked(request: HandRequested) -> str:
    return _("Run: the DBA is waited for, {title}").format(title=request.title)
