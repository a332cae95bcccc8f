"""Rule packs to findings; pure.

`load_packs` reads and checks the packs, `evaluate` applies them to facts, `check_cases` tries each rule on its own
examples.
"""

from app.advice.cases import CaseFailure, CaseReport, check_cases
from app.advice.evaluate import evaluate
from app.advice.load import load_packs
from app.advice.rule import Case, Expect, Pack, Rule
from app.advice.text import format_fact

__all__ = [
    "Case",
    "CaseFailure",
    "CaseReport",
    "Expect",
    "Pack",
    "Rule",
    "check_cases",
    "evaluate",
    "format_fact",
    "load_packs",
]
