"""The sessions and advice behind the expected files: what is looked at there holds whatever checks advice."""

import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from app.domain.session import Advice, SessionRecord
from app.foundation.paths import resource_path
from app.reporting.request import FamilyTexts
from app.services.explain.imported_session import read_session
from app.services.plan.plan_file import load_plan
from tests.contract.families.lab_runs import FAMILIES as OF_LAB
from tests.contract.families.lab_runs import run_on_lab, small_plan
from tests.golden.seen import PLAN, TRIALS
from tests.report.sample import FAMILIES, full_advice, full_session, imported_request
from tests.shipped_rules import ADVISOR

SHIPPED: Final = tuple(ADVISOR.families.values())


class Advised(NamedTuple):
    """A session, what is made of it, and the families it is told by."""

    session: SessionRecord
    advice: Advice
    families: tuple[FamilyTexts, ...]


def _sample() -> Advised:
    return Advised(full_session(), full_advice(), FAMILIES)


def _sample_imported() -> Advised:
    request = imported_request()
    return Advised(request.session, request.advice, FAMILIES)


def _published(path: Path) -> Advised:
    session = read_session(path, ADVISOR.families, None)
    return Advised(session, ADVISOR.advise(session), SHIPPED)


def _run(family_id: str, lab: str) -> Advised:
    family = OF_LAB[family_id]
    session = run_on_lab(family, small_plan(family), scenario=lab).session()
    return Advised(session, ADVISOR.advise(session), SHIPPED)


def _planned() -> Advised:
    """Return the run behind `streams/streams-2009-advice.txt`."""
    family = OF_LAB["streams_apply"]
    with tempfile.TemporaryDirectory() as folder:
        (path := Path(folder, "plan.toml")).write_text(PLAN, encoding="utf-8")
        plan = load_plan(path, OF_LAB)
    session = run_on_lab(family, plan, scenario="streams-2009").session()
    return Advised(session, ADVISOR.advise(session), SHIPPED)


SESSIONS: Final[Mapping[str, Callable[[], Advised]]] = {
    "hand_over": _sample,
    "hand_over, imported": _sample_imported,
    **{
        f"published {path.stem}": partial(_published, path) for path in sorted(resource_path("published").glob("*.csv"))
    },
    **{f"{folder}/{family}": partial(_run, family, lab) for folder, of in TRIALS.items() for family, lab in of.items()},
    "streams/streams-2009-advice": _planned,
}
