"""The topology of a target as a tree of nodes, each with its facts; systems make them, the window shows them."""

from dataclasses import dataclass

from app.domain.view import Column, Row, TableContent, text_cell
from app.foundation.texts import _

Facts = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Node:
    """One node of the tree.

    Attributes:
        key: unique in the tree, the same after reading again.
        kind: what it stands for, in its system's words.
        title: what the tree shows.
        heading: what stands over its facts or parameters.
        facts: name and value, in order.
        tuned: name of what its parameters belong to, in its system's words; "" where it has none.
        opens: the tree opens with the first such node.
        details: a table below the facts, None for none.
    """

    key: str
    kind: str
    title: str
    heading: str
    facts: Facts = ()
    tuned: str = ""
    opens: bool = False
    children: "tuple[Node, ...]" = ()
    details: TableContent | None = None


@dataclass(frozen=True)
class NodeParameters:
    """The parameters in effect of a node.

    Attributes:
        content: one row for each, those asked for.
        summary: one sentence on all of them.
        nothing: what stands in the table where it has no rows.
    """

    content: TableContent
    summary: str
    nothing: str


def walk(node: Node) -> tuple[Node, ...]:
    """Return a node and everything below it, in the order shown."""
    return (node, *(below for child in node.children for below in walk(child)))


def find_node(tree: tuple[Node, ...], key: str) -> Node | None:
    """Return the node of a key, None where there is none."""
    return next((node for root in tree for node in walk(root) if node.key == key), None)


def first_node(tree: tuple[Node, ...]) -> Node | None:
    """Return the node to show first: one the tree opens with, else the first of all; None for an empty tree."""
    opening = [node for root in tree for node in walk(root) if node.opens]
    return next(iter((*opening, *tree)), None)


def facts_table(node: Node) -> TableContent:
    """Return the facts of a node."""
    # another node is another table: its columns get the widths its own texts need
    columns = (Column("name", _("Property"), hint=node.heading), Column("value", _("Value")))
    rows = (Row(f"{n}", (text_cell(name), text_cell(value))) for n, (name, value) in enumerate(node.facts))
    return TableContent(columns, tuple(rows))


def no_rows_text(parameters: NodeParameters, wanted: str) -> str:
    """Return the text of a table of parameters that shows no row, under a search or without one."""
    if wanted.strip():
        return _("No parameter holds “{text}”.").format(text=wanted.strip())
    return parameters.nothing
