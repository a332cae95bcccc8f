"""The steps of a trial with a turnstile, who does them, and what such a trial shows."""

from dataclasses import dataclass
from functools import partial
from typing import Final

from app.analysis.plan_settings import plan_settings
from app.domain.change import Change
from app.domain.family import ExperimentFamily, Site
from app.domain.limits import TRIAL_DURATION
from app.domain.measurement import Sample
from app.domain.plan import Plan
from app.domain.rig import LimitExceeded, RigKind, RigParts, TrialCall
from app.domain.server import ServerInfo
from app.domain.setting import Setting
from app.domain.step import Step
from app.domain.target import Target
from app.runner.bench.steps import do_steps
from app.runner.limits import exceeded_limit

from .site import TurnstileSite, turnstile_port

LIMITS: Final = (TRIAL_DURATION,)
_PORTIONS: Final = 10


@dataclass(frozen=True)
class SetTurnstile:
    """Give the turnstile a setting; what counts from the next start is restarted."""

    setting: Setting

    def describe(self) -> str:
        """Return what it does, for a person."""
        return f"Set {self.setting.label()} and read it back"


@dataclass(frozen=True)
class LetPass:
    """Let people through and measure how long it takes."""

    people: int

    def describe(self) -> str:
        """Return what it does, for a person."""
        return f"Let {self.people:,} people through"


@dataclass(frozen=True)
class Passed:
    """What a trial showed: how many passed, in which time, and the rate as it went on."""

    people: int
    elapsed_s: float
    samples: tuple[Sample, ...]


class TurnstileRig:
    """Does the trials; each value goes to and fro under one journal entry."""

    def __init__(self, parts: RigParts) -> None:
        self._parts = parts
        self._port = turnstile_port(parts.target)
        self._open: dict[str, Change] = {}

    def run_trial(self, call: TrialCall) -> Passed:
        """Do the steps in order and return what the measuring one showed."""
        return do_steps(call, self._parts.control, partial(self._do, call))

    def _do(self, call: TrialCall, step: Step) -> Passed | None:
        if isinstance(step, LetPass):
            return self._measure(step, call)
        if isinstance(step, SetTurnstile):
            self._set(step.setting)
        return None

    def settle(self) -> None:
        """Wait for nothing: nobody is on the way."""

    def forget(self) -> None:
        """Start afresh after a restore."""
        self._open.clear()

    def _set(self, setting: Setting) -> None:
        for name, value in setting.items():
            held = self._open.get(name)
            if held is not None and held.new != str(value):
                self._parts.changer.take_back([self._open.pop(name)])
            for change in self._port.plan_setting(name, value):
                self._open[name] = change
                self._parts.changer.apply(change)

    def _measure(self, step: LetPass, call: TrialCall) -> Passed:
        samples: list[Sample] = []
        passed, elapsed_s = 0, 0.0
        for portion in range(1, _PORTIONS + 1):
            self._parts.control.check()
            people = step.people * portion // _PORTIONS - passed
            took_s = self._port.let_pass(people) if people else 0.0
            passed, elapsed_s = passed + people, elapsed_s + took_s
            sample = Sample("people waiting", elapsed_s, step.people - passed, "count")
            samples.append(sample)
            call.on_samples((sample,), portion / _PORTIONS)
            if sentence := exceeded_limit(LIMITS, self._parts.plan.limits, {TRIAL_DURATION.name: elapsed_s}):
                raise LimitExceeded(sentence)
        return Passed(passed, elapsed_s, tuple(samples))


def planned_changes(plan: Plan, family: ExperimentFamily, _site: Site, target: Target) -> tuple[Change, ...]:
    """Return the changes of every setting, each once, as seen from the present state."""
    port = turnstile_port(target)
    changes = [c for s in plan_settings(plan, family.parameters) for n, v in s.items() for c in port.plan_setting(n, v)]
    return tuple({(change.subject, change.new): change for change in changes}.values())


def servers_touched(_plan: Plan, site: Site) -> tuple[ServerInfo, ...]:
    """Return the one server."""
    return (site.found.server,) if isinstance(site, TurnstileSite) else ()


def complete_site(_plan: Plan, site: Site, _target: Target) -> Site:
    """Return the site as it is."""
    return site


RIG: Final = RigKind(TurnstileRig, planned_changes, servers_touched, complete_site)
