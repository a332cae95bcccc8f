"""Scripts of recommendations and what is said of values in effect, with what every system says, as the program does."""

from collections.abc import Sequence
from typing import Final

from app.domain.decision import Decision
from app.domain.finding import Finding
from app.domain.session import Advice, SessionRecord
from app.reporting.document.in_effect import InEffect
from app.reporting.document.scripts import Scripts
from app.reporting.wording import Vocabulary
from app.services.explain.advising import Advisor
from app.services.explain.deciding import decided
from tests.labs import FAMILIES

WORDS: Final = Vocabulary(FAMILIES.values())
DECLARED: Final = Advisor(FAMILIES, ()).declared_texts()
"""Whose words the texts of a session are, as the program knows it."""


def in_effect(session: SessionRecord) -> InEffect:
    """Return how values in effect stand to what was measured."""
    return InEffect(session, WORDS.writers)


def decisions_of(findings: Sequence[Finding], session: SessionRecord) -> tuple[Decision, ...]:
    """Return what findings come to where nothing else was compared."""
    advice = Advice(comparisons=(), forecasts=(), findings=tuple(findings), not_evaluated=(), plots=())
    return decided(session, advice, FAMILIES.values()).decisions


def apply_scripts(findings: Sequence[Finding], session: SessionRecord) -> list[str]:
    """Return what is set by T-SQL, a script for each decision and server."""
    return _texts(findings, session, is_oracle=False, is_rollback=False)


def rollback_scripts(findings: Sequence[Finding], session: SessionRecord) -> list[str]:
    """Return what takes each of `apply_scripts` back, in the same order."""
    return _texts(findings, session, is_oracle=False, is_rollback=True)


def apply_script(findings: Sequence[Finding], session: SessionRecord) -> str:
    """Return what is set by T-SQL, the scripts of all decisions and servers one after another."""
    return "".join(apply_scripts(findings, session))


def rollback_script(findings: Sequence[Finding], session: SessionRecord) -> str:
    """Return what takes `apply_script` back, the last decision first."""
    return "".join(rollback_scripts(findings, session)[::-1])


def oracle_apply_scripts(findings: Sequence[Finding], session: SessionRecord) -> list[str]:
    """Return what is set by PL/SQL, a script for each decision and database."""
    return _texts(findings, session, is_oracle=True, is_rollback=False)


def oracle_rollback_scripts(findings: Sequence[Finding], session: SessionRecord) -> list[str]:
    """Return what takes each of `oracle_apply_scripts` back, in the same order."""
    return _texts(findings, session, is_oracle=True, is_rollback=True)


def oracle_apply_script(findings: Sequence[Finding], session: SessionRecord) -> str:
    """Return what is set by PL/SQL, those of all decisions one after another, "" where nothing is."""
    return "".join(oracle_apply_scripts(findings, session))


def oracle_rollback_script(findings: Sequence[Finding], session: SessionRecord) -> str:
    """Return what takes `oracle_apply_script` back, the last decision first."""
    return "".join(oracle_rollback_scripts(findings, session)[::-1])


def look_scripts(findings: Sequence[Finding], session: SessionRecord, *, is_oracle: bool = False) -> list[str]:
    """Return what reads the state before each decision at each server, and then what reads it afterwards."""
    scripts = Scripts(session, WORDS, decisions_of(findings, session))
    read = [own for own in scripts.files() if own.verify and ("oracle" in own.apply) is is_oracle]
    return [look(own) for own in read for look in (scripts.before, scripts.verify)]


def _texts(findings: Sequence[Finding], session: SessionRecord, *, is_oracle: bool, is_rollback: bool) -> list[str]:
    scripts = Scripts(session, WORDS, decisions_of(findings, session))
    make = scripts.rollback if is_rollback else scripts.apply
    return [make(own) for own in scripts.files() if ("oracle" in own.apply) is is_oracle]
