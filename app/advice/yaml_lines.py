"""YAML with the line of every value, so that an error can say where it is."""

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

import yaml
from yaml.reader import ReaderError

from app.domain.errors import BadInput
from app.foundation.texts import _, quoted_reason

KeyPath = tuple[str | int, ...]

# A pack is some hundred values; far more means aliases that multiply each other.
_MOST_VALUES: Final = 100_000
# Levels that fit on any stack. Each takes a bracket, or at least one character of its line's indentation.
_DEEPEST: Final = 2_000


@dataclass(frozen=True)
class Lines:
    """Where the values of one file are.

    Attributes:
        file: name of the file, as shown in errors.
        by_path: line (from 1) by the keys and list positions that lead to a value.
        elsewhere: file and line of values that were taken from another file.
    """

    file: str
    by_path: Mapping[KeyPath, int]
    elsewhere: Mapping[KeyPath, tuple[str, int]] = field(default_factory=dict)

    def line(self, path: KeyPath) -> int:
        """Return the line of a value, or of the nearest enclosing one that exists."""
        while path and path not in self.by_path:
            path = path[:-1]
        return self.by_path.get(path, 1)

    def error(self, path: KeyPath, message: str) -> BadInput:
        """Return an error that names file and line."""
        prefixes = (path[:length] for length in range(len(path), 0, -1))
        taken = next((self.elsewhere[prefix] for prefix in prefixes if prefix in self.elsewhere), None)
        return _error(*(taken or (self.file, self.line(path))), message)


def closest(name: str, names: Iterable[str]) -> str:
    """Return the end of a sentence that asks for the known name most like a wrong one, "" where none is."""
    found = difflib.get_close_matches(name, list(names), n=1)
    return _('; did you mean "{name}"?').format(name=found[0]) if found else ""


def _error(file: str, line: int, message: str) -> BadInput:
    return BadInput(_("{file}, line {line}: {message}").format(file=file, line=line, message=quoted_reason(message)))


def read_yaml(text: str, file: str) -> tuple[object, Lines]:
    """Return the content of a YAML document as plain values, with the lines they are on.

    Raises:
        BadInput: it is not YAML, a key occurs twice or is no text, or it refers to itself.
    """
    try:
        node = _compose(text)
        if node is None:
            raise BadInput(_("{file} is empty; a rule pack has the keys title, sources and rules").format(file=file))
        reader = _Reader(file)
        content = reader.read(node, ())
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        problem = error.problem or _("cannot be read")
        raise _error(file, line, _("this is not valid YAML: {problem}").format(problem=problem)) from error
    except ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise _error(file, line, _("this character is not allowed in a text file")) from error
    except RecursionError as error:
        raise BadInput(_("{file} is nested too deeply to be a rule pack").format(file=file)) from error
    return content, Lines(file, reader.lines)


def _compose(text: str) -> yaml.Node | None:
    """Return the nodes of a document, by libyaml where it may: it reads a pack in a tenth of the time.

    It nests on the stack of C, which overflows without an exception, and says less about mistakes; so a text that
    could nest deeply, and one it refuses, are left to the reader in Python.
    """
    flow_openers = text.count("[") + text.count("{")
    may_nest = max(map(len, text.splitlines()), default=0) + flow_openers > _DEEPEST
    if yaml.__with_libyaml__ and not may_nest:
        try:
            return yaml.compose(text, Loader=yaml.CSafeLoader)
        except yaml.YAMLError:
            pass
    return yaml.compose(text, Loader=yaml.SafeLoader)


class _Reader:
    """Makes plain values of YAML nodes and notes where each stands."""

    def __init__(self, file: str) -> None:
        self.lines: dict[KeyPath, int] = {}
        self._file = file
        self._open: list[yaml.Node] = []
        self._scalars = yaml.SafeLoader("")

    def read(self, node: yaml.Node, path: KeyPath) -> object:
        """Return the value of a node; `path` leads to it."""
        line = node.start_mark.line + 1
        self.lines.setdefault(path, line)
        if len(self.lines) > _MOST_VALUES:
            raise _error(self._file, line, _("the file holds too many values to be a rule pack"))
        if any(node is outer for outer in self._open):
            raise _error(self._file, line, _("a value refers to itself"))
        self._open.append(node)
        try:
            if isinstance(node, yaml.MappingNode):
                return self._mapping(node, path)
            if isinstance(node, yaml.SequenceNode):
                return [self.read(item, (*path, index)) for index, item in enumerate(node.value)]
            return self._scalar(node, line)
        finally:
            self._open.pop()

    def _scalar(self, node: yaml.Node, line: int) -> object:
        try:
            return self._scalars.construct_object(node)
        except ValueError as error:
            # A date such as 2020-99-99 or a number with too many digits.
            raise _error(self._file, line, _('"{value}" cannot be read').format(value=node.value[:60])) from error

    def _mapping(self, node: yaml.MappingNode, path: KeyPath) -> dict[str, object]:
        values: dict[str, object] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            key = key_node.value
            if not isinstance(key_node, yaml.ScalarNode) or not isinstance(key, str):
                raise _error(self._file, line, _("a key must be a plain word"))
            if key in values:
                raise _error(self._file, line, _('the key "{key}" occurs twice').format(key=key))
            self.lines[(*path, key)] = line
            values[key] = self.read(value_node, (*path, key))
        return values
