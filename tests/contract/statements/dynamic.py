"""Text a batch builds and runs: what it reads as, made only of its own words and of values safely quoted."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.contract.statements.tsql import Token, is_keyword, names_of, tokens_of

RUNNERS = {"sp_executesql": "@stmt", "sp_add_jobstep": "@command"}


@dataclass
class _Reader:
    """Reads `SET @text = …;` and keeps what each variable holds, with a sample in the place of each value."""

    parameters: frozenset[str]
    numbers: frozenset[str]
    held: dict[str, str] = field(default_factory=dict)
    versions: list[tuple[str, str]] = field(default_factory=list)

    def read(self, tokens: list[Token]) -> None:
        """Follow every assignment."""
        for position, token in enumerate(tokens):
            if not is_keyword(token, "SET") or tokens[position + 1].kind != "variable":
                continue
            end = next(at for at in range(position, len(tokens)) if tokens[at].text == ";")
            expression = tokens[position + 3 : end]
            if _is_text(expression, self.held):
                name = tokens[position + 1].text
                self.held[name] = self.rendered(expression)
                self.versions.append((name, self.held[name]))

    def rendered(self, tokens: list[Token]) -> str:
        """Return what an expression of `+` reads as; fails on a value that is not quoted."""
        return "".join(self._term(term) for term in _split(tokens))

    def _term(self, term: list[Token]) -> str:
        first = term[0]
        if first.kind == "text" and len(term) == 1:
            return _content(first.text)
        if first.kind == "variable" and len(term) == 1:
            assert first.text in self.held, f"{first.text} becomes part of SQL as it is"
            return self.held[first.text]
        if is_keyword(first, "CASE"):
            return self._first_case(term)
        assert len(term) > 2, f"{first.text} becomes part of SQL"
        assert term[1].text == "(", f"{first.text} becomes part of SQL"
        if first.text == "QUOTENAME":
            return "''name''".replace("''", "'") if term[-2].kind == "text" and len(term) > 4 else "[name]"
        if first.text == "CAST":
            assert term[2].text in self.numbers, f"{term[2].text} is no number"
            return "1"
        assert first.text == "REPLACE", f"{first.text} becomes part of SQL"
        assert [token.text for token in term[3:]] == [",", "N''''", ",", "N''''''", ")"], "quotes are not doubled"
        return "value"

    def _first_case(self, term: list[Token]) -> str:
        thens = [at for at, token in enumerate(term) if is_keyword(token, "THEN")]
        ends = [at for at, token in enumerate(term) if is_keyword(token, "WHEN", "ELSE", "END")]
        found = [self.rendered(term[at + 1 : min(end for end in ends if end > at)]) for at in thens]
        last_else = next((at for at, token in enumerate(term) if is_keyword(token, "ELSE")), None)
        if last_else is not None:
            self.rendered(term[last_else + 1 : len(term) - 1])
        return found[0]


def texts_run(sql: str, types: Mapping[str, str]) -> list[str]:
    """Return every text a batch hands to the server to run, as it reads; fails where a value could be read as SQL.

    Args:
        sql: the batch.
        types: of its parameters, by name.
    """
    tokens = tokens_of(sql)
    declared = {name for name, kind in types.items() if kind in ("int", "bigint")} | {"@file"}
    reader = _Reader(frozenset(types), frozenset(declared))
    reader.read(tokens)
    found = []
    for position, token in enumerate(tokens):
        if token.kind == "variable" and token.text in RUNNERS.values() and tokens[position + 1].text == "=":
            value = tokens[position + 2]
            if value.kind == "text":
                found.append(_content(value.text))
            else:
                assert value.text not in reader.parameters, f"{value.text} is run as it is"
                found.extend(text for name, text in reader.versions if name == value.text)
    calls = [call for call, _given in names_of(sql).calls if call.split(".")[-1] in RUNNERS]
    assert bool(calls) == bool(found)
    return found


def _is_text(expression: list[Token], held: Mapping[str, str]) -> bool:
    if any(token.kind == "text" for token in expression) and expression[0].text not in ("CAST",):
        return True
    return len(expression) == 1 and expression[0].text in held


def _split(tokens: list[Token]) -> list[list[Token]]:
    """Return the terms between `+` outside of parentheses and CASE."""
    terms: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        if token.text == "(" or is_keyword(token, "CASE"):
            depth += 1
        if token.text == ")" or is_keyword(token, "END"):
            depth -= 1
        if token.text == "+" and depth == 0:
            terms.append([])
        else:
            terms[-1].append(token)
    return [term for term in terms if term]


def _content(literal: str) -> str:
    return literal.removeprefix("N")[1:-1].replace("''", "'")
