"""Conditions and sums of rules: rule-engine's typed expressions, restricted to those that can be checked before use.

rule-engine lets texts be compared with numbers by `==`, reads the clock (`$now`) and calls functions; a rule may do
none of these, so that it is decidable from its facts alone and every mistake shows when the pack is loaded.
"""

import decimal
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from app.advice.grammar import Context, DataType, Rule, ast, errors, type_resolver_from_dict
from app.domain.facts import FactKinds, FactType, FactValue
from app.foundation.texts import _

_ENGINE_TYPES: Final = {
    FactType.NUMBER: DataType.FLOAT,
    FactType.TEXT: DataType.STRING,
    FactType.FLAG: DataType.BOOLEAN,
}
_TYPE_WORDS: Final = {DataType.FLOAT: "number", DataType.STRING: "text", DataType.BOOLEAN: "flag"}

_OPERATORS: Final = {
    **{"gt": ">", "ge": ">=", "lt": "<", "le": "<=", "eq": "==", "ne": "!=", "and": "and", "or": "or"},
    **{"add": "+", "sub": "-", "mul": "*", "tdiv": "/"},
}
_SUMS: Final = (ast.AddExpression, ast.SubtractExpression, ast.ArithmeticExpression)
# Larger than any backlog in commands; a typing error such as 1e99 is refused.
_LARGEST_NUMBER: Final = decimal.Decimal(10) ** 12
# The longest shipped one has 124.
_MOST_CHARACTERS: Final = 20_000
# rule-engine works out whatever has no fact in it while it still reads: a regular expression, a power, a shift, a
# function or a loop could take it for ever, so these are refused before it sees them.
_TEXT: Final = re.compile(r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\#.*""")
_UNENDING: Final = re.compile(r"[=!]~|(?P<sum>\*\*|<<)|\$(?P<name>\w*)(?!\w|\s*\()|\$|\bfor\b")
_IDENTIFIER: Final = re.compile(r"[A-Za-z_]\w*")

# rule-engine's classes carry no types.
_Node = Any


class ExpressionError(ValueError):
    """An expression cannot be used; the text says why, without saying where it stands."""


@dataclass(frozen=True)
class Expression:
    """A checked expression.

    Attributes:
        text: as written.
        names: facts it looks at.
    """

    text: str
    names: frozenset[str]
    _root: _Node = field(repr=False, compare=False)

    def truth(self, values: Mapping[str, FactValue]) -> bool | None:
        """Return whether the condition holds, None where that hangs on facts that are missing or cannot be combined.

        "and" is already false when one side is, "or" true when one side is, whatever the other side may be.
        """
        with decimal.localcontext(_arithmetic()):
            return _truth(self._root, values, None)

    def number(self, values: Mapping[str, FactValue]) -> float | None:
        """Return the value of a sum, None where a fact is missing or the sum has no finite value."""
        with decimal.localcontext(_arithmetic()):
            result = _value(self._root, values)
        if not isinstance(result, decimal.Decimal) or not result.is_finite():
            return None
        return float(result)

    def comparisons(self) -> tuple[str, ...]:
        """Return every comparison of numbers, as text, in the order they are written."""
        return tuple(_show(node) for node in _number_comparisons(self._root))

    def pins_boundary(self, index: int, values: Mapping[str, FactValue]) -> bool:
        """Return whether these values lie exactly on the comparison's boundary and the outcome hangs on it.

        Then changing `>` into `>=` (or back) changes what the condition says.
        """
        node = _number_comparisons(self._root)[index]
        with decimal.localcontext(_arithmetic()):
            left, right = _value(node.left, values), _value(node.right, values)
            if left is None or right is None or left != right:
                return False
            return _truth(self._root, values, None) is not _truth(self._root, values, node)


def parse_condition(text: str, types: Mapping[str, FactType], facts: FactKinds) -> Expression:
    """Return a condition over the named facts.

    Args:
        types: of the facts it may use.
        facts: what all there are mean: for the sentence about another one, and the words a text can be.

    Raises:
        ExpressionError: syntax, a name that is not among the facts, mixed types, or no condition at all.
    """
    expression = _parse(text, types, facts)
    if expression._root.result_type != DataType.BOOLEAN:
        raise ExpressionError(_("it must be a condition, true or false"))
    if not expression.names:
        raise ExpressionError(_("it looks at no fact, so it is always the same"))
    return expression


def parse_number(text: str, types: Mapping[str, FactType], facts: FactKinds) -> Expression:
    """Return a sum over the named facts.

    Raises:
        ExpressionError: as `parse_condition`, and when it is not a number.
    """
    expression = _parse(text, types, facts)
    if expression._root.result_type != DataType.FLOAT:
        raise ExpressionError(_("it must give a number"))
    return expression


def _arithmetic() -> decimal.Context:
    """Return the same decimal arithmetic in every thread."""
    return decimal.Context(prec=28)


def _parse(text: str, types: Mapping[str, FactType], facts: FactKinds) -> Expression:
    _refuse_unending(text)
    engine_types = {name: _ENGINE_TYPES[kind] for name, kind in types.items()}
    context = Context(type_resolver=type_resolver_from_dict(engine_types), default_timezone="utc")
    try:
        root = Rule(text, context=context).statement.expression
        for node in _walk(root):
            _check(node, facts)
    except errors.EngineError as error:
        raise ExpressionError(_explain(error, text, types, facts)) from error
    except RecursionError as error:
        raise ExpressionError(_("it is nested too deeply")) from error
    return Expression(text, frozenset(n.name for n in _walk(root) if isinstance(n, ast.SymbolExpression)), root)


def _refuse_unending(text: str) -> None:
    """Raise ExpressionError for a text that could keep rule-engine busy before anything can be checked."""
    if len(text) > _MOST_CHARACTERS:
        raise ExpressionError(_("it is longer than {most:,} characters").format(most=_MOST_CHARACTERS))
    unending = _UNENDING.search(_TEXT.sub("''", text))
    if unending is None:
        return
    if unending["name"] is not None:
        raise ExpressionError(_('"${name}" may not be used in a rule').format(name=unending["name"]))
    raise ExpressionError(_only_sums() if unending["sum"] else _only_facts())


def _only_sums() -> str:
    return _("it may add, subtract, multiply and divide, nothing else")


def _only_facts() -> str:
    return _("it may only compare facts, combine them with and, or, not, and add up numbers")


def _explain(error: errors.EngineError, text: str, types: Mapping[str, FactType], facts: FactKinds) -> str:
    """Return one sentence for an error of rule-engine, which gives neither name nor place."""
    if isinstance(error, errors.RuleSyntaxError):
        if error.token is None:
            return _("it ends too early")
        return _("it cannot be read from character {position} on").format(position=error.token.lexpos + 1)
    if isinstance(error, errors.SymbolResolutionError):
        name = error.symbol_name
        if name in facts:
            return _('it uses "{name}", which is not among the needs of the rule').format(name=name)
        return _('it uses "{name}", which is no fact').format(name=name)
    if "mismatch" in error.message:
        return _mixed_types(text, types)
    return str(error.message)


def _mixed_types(text: str, types: Mapping[str, FactType]) -> str:
    used = sorted({name for name in _IDENTIFIER.findall(text) if name in types})
    listed = ", ".join(f"{name}: {types[name].value}" for name in used)
    return _("it mixes numbers, texts and flags ({types})").format(types=listed)


def _children(node: _Node) -> tuple[_Node, ...]:
    if isinstance(node, ast.UnaryExpression):
        return (node.right,)
    if isinstance(node, ast.ContainsExpression):
        return (node.member, node.container)
    if isinstance(node, ast.ArrayExpression):
        return tuple(node.value)
    if hasattr(node, "left"):
        return (node.left, node.right)
    return ()


def _walk(node: _Node) -> Iterator[_Node]:
    for child in _children(node):
        yield from _walk(child)
    yield node


def _check(node: _Node, facts: FactKinds) -> None:
    """Raise ExpressionError where a node is not among those a rule may use, or mixes types."""
    if isinstance(node, ast.SymbolExpression):
        if node.scope is not None:
            raise ExpressionError(_('"${name}" may not be used in a rule').format(name=node.name))
    elif isinstance(node, ast.LogicExpression):
        _require(node, DataType.BOOLEAN, node.left, node.right)
    elif isinstance(node, ast.UnaryExpression):
        _require(node, DataType.BOOLEAN if node.type == "not" else DataType.FLOAT, node.right)
    elif isinstance(node, (ast.ArithmeticComparisonExpression, *_SUMS)):
        _require(node, DataType.FLOAT, node.left, node.right)
        if node.type not in _OPERATORS:
            raise ExpressionError(_only_sums())
    elif type(node) is ast.ComparisonExpression:
        _check_equality(node, node.left, (node.right,), facts)
        _check_equality(node, node.right, (node.left,), facts)
    elif isinstance(node, ast.ContainsExpression) and isinstance(node.container, ast.ArrayExpression):
        _check_equality(node, node.member, node.container.value, facts)
    else:
        _check_literal(node)


def _check_literal(node: _Node) -> None:
    if isinstance(node, ast.FloatExpression):
        if not node.value.is_finite() or abs(node.value) > _LARGEST_NUMBER:
            raise ExpressionError(_("its numbers must lie within ±1,000,000,000,000"))
        return
    if not isinstance(node, (ast.StringExpression, ast.BooleanExpression, ast.ArrayExpression)):
        raise ExpressionError(_only_facts())


def _require(node: _Node, wanted: DataType, *operands: _Node) -> None:
    for operand in operands:
        if operand.result_type != wanted:
            message = _('in "{part}", "{operand}" must be a {type}')
            raise ExpressionError(
                message.format(part=_show(node), operand=_show(operand), type=_TYPE_WORDS.get(wanted, wanted.name))
            )


def _check_equality(node: _Node, side: _Node, others: tuple[_Node, ...], facts: FactKinds) -> None:
    """Refuse comparing values of two types, which rule-engine would silently answer with false."""
    _require(node, side.result_type, *others)
    words = facts[side.name].words if isinstance(side, ast.SymbolExpression) and side.name in facts else ()
    if not words:
        return
    for other in others:
        if isinstance(other, ast.StringExpression) and other.value not in words:
            raise ExpressionError(
                _('{name} is never "{word}"; it is one of {words}').format(
                    name=side.name, word=other.value, words=", ".join(words)
                )
            )


def _value(node: _Node, values: Mapping[str, FactValue]) -> Any:
    """Return the value of a node, None where a fact is missing or arithmetic has no result (x / 0, inf - inf)."""
    if any(isinstance(n, ast.SymbolExpression) and n.name not in values for n in _walk(node)):
        return None
    try:
        return node.evaluate(values)
    except (errors.EngineError, ArithmeticError):
        return None


def _truth(node: _Node, values: Mapping[str, FactValue], flipped: _Node) -> bool | None:
    if isinstance(node, ast.LogicExpression):
        sides = {_truth(node.left, values, flipped), _truth(node.right, values, flipped)}
        decisive = bool(node.type == "or")
        if decisive in sides:
            return decisive
        return None if None in sides else not decisive
    if isinstance(node, ast.UnaryExpression):
        inner = _truth(node.right, values, flipped)
        return None if inner is None else not inner
    result = _value(node, values)
    if result is None:
        return None
    return bool(result) is not (node is flipped)


def _number_comparisons(root: _Node) -> tuple[_Node, ...]:
    return tuple(
        node
        for node in _walk(root)
        if isinstance(node, ast.ComparisonExpression) and node.left.result_type == DataType.FLOAT
    )


def _show(node: _Node) -> str:
    if isinstance(node, ast.SymbolExpression):
        return str(node.name)
    if isinstance(node, ast.UnaryExpression):
        return ("not " if node.type == "not" else "-") + _show(node.right)
    if isinstance(node, ast.ContainsExpression):
        return f"{_show(node.member)} in {_show(node.container)}"
    if isinstance(node, ast.ArrayExpression):
        return "[" + ", ".join(_show(item) for item in node.value) + "]"
    if hasattr(node, "left"):
        return f"{_show(node.left)} {_OPERATORS.get(node.type, node.type)} {_show(node.right)}"
    value = getattr(node, "value", None)
    if isinstance(value, decimal.Decimal):
        return f"{value:f}"
    return f"'{value}'" if isinstance(value, str) else str(value).lower()
