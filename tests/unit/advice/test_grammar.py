"""The tables of rule-engine's grammar that the program has at hand are those of the rule-engine it is used with."""

import runpy

import pytest
from rule_engine._vendor.ply import yacc
from rule_engine.parser import Parser

from app.advice import grammar
from app.foundation.paths import program_root, resource_path


def test_they_are_those_of_the_rule_engine_installed() -> None:
    """Else it would work them out at each start; `packaging/grammar.py` writes them."""
    made = runpy.run_path(str(program_root() / "packaging" / "grammar.py"))["made_tables"]()
    assert resource_path("grammar", "rule_engine.json").read_text(encoding="utf-8") == made


def test_none_are_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A parser made by the program's rule-engine has them from where the program put them."""
    made = list[object]()
    monkeypatch.setattr(yacc, "LRGeneratedTable", lambda *arguments: made.append(arguments))
    Parser()
    assert not made
    assert grammar.Rule("commands > 3").matches({"commands": 4})
