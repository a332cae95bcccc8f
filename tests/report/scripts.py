"""Scripts of recommendations and what is said of values in effect, with what every system says, as the program does."""

from collections.abc import Sequence
from typing import Final

from app.domain.finding import Finding
from app.domain.hand_over import ScriptFiles
from app.domain.session import SessionRecord
from app.reporting import Scripts, Vocabulary
from app.reporting.document.in_effect import InEffect
from app.services.explain.advising import Advisor
from tests.labs import FAMILIES

WORDS: Final = Vocabulary(FAMILIES.values())
DECLARED: Final = Advisor(FAMILIES, ()).declared_texts()
"""Whose words the texts of a session are, as the program knows it."""


def in_effect(session: SessionRecord) -> InEffect:
    """Return how values in effect stand to what was measured."""
    return InEffect(session, WORDS.writers)


def apply_script(findings: Sequence[Finding], session: SessionRecord) -> str:
    """Return what is set by T-SQL, the scripts of all servers one after another."""
    scripts = Scripts(session, WORDS)
    return "".join(scripts.apply(findings, files) for files in _files(scripts, findings, is_oracle=False))


def rollback_script(findings: Sequence[Finding], session: SessionRecord) -> str:
    """Return what takes `apply_script` back, the last server first."""
    scripts = Scripts(session, WORDS)
    return "".join(scripts.rollback(findings, files) for files in _files(scripts, findings, is_oracle=False)[::-1])


def _files(scripts: Scripts, findings: Sequence[Finding], *, is_oracle: bool) -> list[ScriptFiles]:
    return [files for files in scripts.files(findings) if ("oracle" in files.apply) is is_oracle]


def oracle_apply_script(findings: Sequence[Finding], session: SessionRecord) -> str:
    """Return what is set by PL/SQL, the scripts of all databases one after another, "" where nothing is."""
    scripts = Scripts(session, WORDS)
    return "".join(scripts.apply(findings, files) for files in _files(scripts, findings, is_oracle=True))


def oracle_rollback_script(findings: Sequence[Finding], session: SessionRecord) -> str:
    """Return what takes `oracle_apply_script` back, the last database first."""
    scripts = Scripts(session, WORDS)
    return "".join(scripts.rollback(findings, files) for files in _files(scripts, findings, is_oracle=True)[::-1])
