"""The sides of a comparison: a run with its plan and environment, or the measurements a session brought from
elsewhere."""

from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from app.domain.comparison import Comparison
from app.domain.decision import Decision
from app.domain.errors import BadInput
from app.domain.measurement import Measurement, TrialStatus
from app.domain.plan import Plan
from app.domain.session import Environment, RunRecord, SessionRecord, began_here_utc
from app.foundation.texts import _
from app.services.explain.advising import Advisor
from app.store import SessionReader, open_for_reading


@dataclass(frozen=True)
class Side:
    """One side of a comparison.

    Attributes:
        run_id: "" for measurements made elsewhere; plan and environment are then None.
        started_utc: by this computer's clock; a lab's says nothing about when that was.
        measurements: of trials that can be used.
        comparisons, decisions: what this side says by itself.
    """

    session_id: str
    session_title: str
    run_id: str
    family: str
    target: str
    started_utc: datetime
    plan: Plan | None
    environment: Environment | None
    measurements: tuple[Measurement, ...]
    comparisons: tuple[Comparison, ...]
    decisions: tuple[Decision, ...]

    @property
    def is_windowed(self) -> bool:
        """Whether it was measured in windows."""
        return self.plan is not None and self.plan.design.is_windowed

    @property
    def label(self) -> str:
        """Return the side's label for a person."""
        run = self.run_id or _("measurements from elsewhere")
        return _("{run} of {day}").format(run=run, day=f"{self.started_utc:%Y-%m-%d}")

    @property
    def factors(self) -> tuple[str, ...]:
        """Names of the parameters it varies."""
        if self.plan is not None:
            return tuple(sorted(factor.name for factor in self.plan.factors))
        return tuple(sorted({name for m in self.measurements for name in m.setting}))


def labels_of(first: Side, second: Side) -> tuple[str, str]:
    """Return the labels of two sides beside each other: with their session where they belong to different ones."""
    if first.session_id == second.session_id:
        return first.label, second.label
    return f"{first.label} ({first.session_id})", f"{second.label} ({second.session_id})"


def read_sides(path: Path, reference: str, advisor: Advisor) -> tuple[Side, ...]:
    """Return the sides a reference names: `E1` (of the newest session), `SESSION/E1`, or `SESSION` for all it holds.

    Raises:
        BadInput: the session holds no such run, or nothing that can be compared.
        StoreError: the file cannot be read, or holds no such session.
    """
    with open_for_reading(path) as reader:
        session_id, run_id = _parse(reader, reference)
        session = reader.read_session(session_id, with_samples=False)
    runs = [run for run in session.runs if run_id in ("", run.run_id)]
    if run_id and not runs:
        run_ids = ", ".join(run.run_id for run in session.runs) or _("none")
        raise BadInput(
            _('{path}: session {session} has no run "{run}"; it has {known}').format(
                path=path, session=session.session_id, run=run_id, known=run_ids
            )
        )
    sides = [_run_side(session, run, advisor) for run in runs]
    if not run_id:
        families = dict.fromkeys(m.family for m in session.imported)
        sides += [_imported_side(session, family, advisor) for family in families]
    if not any(side.measurements for side in sides):
        raise BadInput(_("{path}: {reference} holds no trial that can be used").format(path=path, reference=reference))
    return tuple(side for side in sides if side.measurements)


def _parse(reader: SessionReader, reference: str) -> tuple[str | None, str]:
    """Return session id, None for the newest, and run id, "" for all."""
    session_id, slash, run_id = reference.rpartition("/")
    if slash:
        return session_id, run_id
    session_ids = {overview.header.session_id for overview in reader.list_sessions()}
    return (reference, "") if reference in session_ids else (None, reference)


def _run_side(session: SessionRecord, run: RunRecord, advisor: Advisor) -> Side:
    alone = replace(session, runs=(run,), imported=(), imported_from="")
    advice = advisor.advise(alone)
    return Side(
        session_id=session.session_id,
        session_title=session.title,
        run_id=run.run_id,
        family=run.plan.family,
        target=run.target,
        started_utc=began_here_utc(run.target, run.started_utc, session.created_utc),
        plan=run.plan,
        environment=next((e for e in session.environments if e.target == run.target), None),
        measurements=tuple(m for t in run.trials if t.status is TrialStatus.USED for m in t.measurements),
        comparisons=advice.comparisons,
        decisions=advice.decisions,
    )


def _imported_side(session: SessionRecord, family: str, advisor: Advisor) -> Side:
    imported = tuple(m for m in session.imported if m.family == family)
    advice = advisor.advise(replace(session, runs=(), imported=imported))
    return Side(
        session_id=session.session_id,
        session_title=session.title,
        run_id="",
        family=family,
        target=session.imported_from,
        started_utc=session.created_utc,
        plan=None,
        environment=None,
        measurements=imported,
        comparisons=advice.comparisons,
        decisions=advice.decisions,
    )
