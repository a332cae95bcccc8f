"""Headings and labels of people's tables: the measure, unit, run, setting and statistic of the values beside them."""

import re
from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_
from typing import Final, TypeAlias

from app.domain.measurement import Metric
from app.domain.setting import Parameter, plain
from app.domain.units import known_units, units_like
from app.services.explain.importing.columns import (
    BLOCK,
    NOTE,
    RUN,
    SOURCE,
    VALUE,
    Families,
    FamilyColumns,
    KnownColumns,
)
from app.services.explain.importing.quantity_text import PER, unit_called
from app.services.explain.importing.questions import FAMILY, METRIC, UNIT
from app.services.explain.importing.table import HEADINGS_JOINED, is_number_like

STATISTIC: Final = "statistic"
"""What a value sums up: mean, median, p95 …"""

TIME: Final = "time"
"""Stands for a measure of which only is said that it is a time."""

Said: TypeAlias = dict[str, str]
"""What a text says of values, by the names of columns, of STATISTIC and TIME."""

# How people head such columns in English and German beside their own names; spelt as `plain` makes it.
_OFTEN_CALLED: Final = {
    VALUE: ["value", "result", "measured", "measurement", "wert", "ergebnis"],
    UNIT: ["units", "uom", "einheit"],
    METRIC: ["measure", "kpi", "messgröße", "kennzahl"],
    FAMILY: ["experiment"],
    RUN: ["runid", "trial", "test", "lauf", "versuch", "messung", "iteration", "runno", "#"],
    BLOCK: ["round", "runde", "durchgang"],
    SOURCE: ["quelle"],
    NOTE: ["notes", "comment", "remark", "remarks", "bemerkung", "kommentar"],
}
_TIMES: Final = frozenset(
    ("time", "duration", "elapsed", "elapsedtime", "runtime", "dauer", "laufzeit", "zeit", "totaltime", "timetaken")
)
# A time of the whole work, as `plain` makes it; a time of waiting, answering or one part is another.
_WORK_TIME: Final = re.compile(
    r"(?:(?:data|initial|full)?(?:transfer|copy|drain|total|overall|entire|process|execution|apply|deliver|replic)"
    r"\w*?|(?:daten)?(?:übertrag|replik|synchron|gesamt|verarbeit|ausführ|kopier|zustell|abarbeit)\w*?)"
    r"(?:time|duration|dauer|laufzeit|zeit)|(?:dauer|zeit)(?:der|für|von)\w+|(?:durée|temps)(?:écoulé|(?:de|du|total)\w*)?"
)
DAYS: Final = frozenset(("day", "date", "night", "week", "tag", "datum", "nacht", "woche"))
"""Headings of what rows measured close together have in common."""
# Statistics, the ones that say most first; those without a rank are never a measured value where others are.
_STATISTICS: Final = {
    **dict.fromkeys(("mean", "average", "avg", "mittel", "mittelwert", "durchschnitt"), "mean"),
    **dict.fromkeys(("median", "p50"), "median"),
    **dict.fromkeys(("min", "minimum"), "min"),
    **dict.fromkeys(("max", "maximum"), "max"),
    **dict.fromkeys(("p75", "p90", "p95", "p99", "p999"), "percentile"),
    **dict.fromkeys(
        (
            "speedup",
            "faster",
            "slower",
            "gain",
            "improvement",
            "change",
            "diff",
            "difference",
            "ratio",
            "delta",
            "saved",
            "savings",
            "reduction",
        ),
        "gain",
    ),
}
RANKS: Final = ("mean", "median", "percentile", "max", "min")
_LONGEST: Final = 1_000  # letters of a heading; what is longer was never one
_RUN: Final = re.compile(r"(?:run|lauf|trial|test|repeat|versuch|messung|iteration|pass)[\s_#.-]*\d+", re.IGNORECASE)
_REPEAT: Final = re.compile(r"(.*[^\W\d])[\s_#.]*(?:#|\s)\d{1,2}")
_IN_BRACKETS: Final = re.compile(r"(.*?)[\s_]*(?:\((.+)\)|\[(.+)\])\s*")
_UNIT_BEHIND: Final = re.compile(r"(.*?\S)(?:[\s_]+|,\s*)([^\s_]+)")
_AMOUNT: Final = re.compile(r"(?:^|[\s,])\d[\d.,]*$")  # "LAN, 1 ms" is a place, and says no unit of values
_LEVEL: Final = re.compile(r"(.*?[^\W\d].*?)\s*[=:\s]\s*(\d[\d.,]*(?:\s?[kKMG]i?B?)?)(?:\s*\(.*\))?")
_LEVEL_FIRST: Final = re.compile(r"(\d[\d.,]*|single\b|one\b|eine?\b)[\s_x×-]*([^\W\d][^=:]*)", re.IGNORECASE)
_ONE: Final = frozenset(("single", "one", "ein", "eine"))
_CORNER: Final = re.compile(r"\s*[\\/↓→]\s*|\s+(?:by|vs\.?|x|×)\s+")
_DATE: Final = re.compile(r"\d{4}-\d\d?-\d|\d\d?[./]\d\d?[./]\d\d")
# Choices that are words of everyday say nothing by themselves.
_SHORTEST_CHOICE: Final = 4
_EVERYDAY: Final = frozenset(("default", "none", "full"))


def _choices_of(parameters: Iterable[Parameter]) -> dict[str, tuple[str, str]]:
    """Return parameter and choice of each word that stands for one alone and is no word of everyday."""
    choices: dict[str, tuple[str, str]] = {}
    twice: set[str] = set()
    for parameter in parameters:
        for choice, words in zip(parameter.choices, parameter.choices_called or ((),) * 9, strict=False):
            for word in {plain(text) for text in (choice, *words)} - _EVERYDAY:
                twice |= {word} & choices.keys()
                choices[word] = (parameter.name, choice)
    return {word: one for word, one in choices.items() if word not in twice and len(word) >= _SHORTEST_CHOICE}


class Headings:
    """The words of all families, found in texts.

    Args:
        families: whose words are meant.

    Attributes:
        known: their columns.
        families: what each accepts.
    """

    def __init__(self, families: Families) -> None:
        self.known = KnownColumns(families)
        self.families = tuple(families.values())
        self._often = {word: name for name, words in _OFTEN_CALLED.items() for word in words}
        chosen = [parameter for parameter in self.known.parameters.values() if parameter.choices]
        self._choices = _choices_of(chosen)
        names = (text for parameter in chosen for text in (parameter.name, *parameter.called))
        self._beside_choices = {plain(word) for text in names for word in re.split(r"[\W_]+", text)}
        self._said: dict[str, Said] = {}

    def column_of(self, heading: str) -> str:
        """Return the column a heading is the name of, "" where there is none; of two headings the lower one counts.

        A measure is preferred to a parameter that is spelt otherwise.
        """
        for part in reversed(heading.split(HEADINGS_JOINED)):
            name = self.known.name_of(part) or self.known.name_of("_".join(self.without_unit(part)))
            if name and not self._is_rather_measure(name, part):
                return name
            if plain(part) in self._often:
                return self._often[plain(part)]
        return ""

    def known_in(self, fields: Sequence[str]) -> int:
        """Return how many fields name columns."""
        return sum(bool(self.known.name_of(field)) for field in fields)

    def parameter_called(self, text: str) -> str:
        """Return the parameter or condition that a text names, if only by the end of its name; "" for none."""
        name = self.known.name_of(text)
        if self._is_rather_measure(name, text):
            return ""
        if name in self.known.parameters or name in self.known.conditions:
            return name
        word = plain(text)
        if word in _TIMES or word in self._often or word in _STATISTICS:
            return ""  # `group_commit_time` is not called by its last word
        ends = [known for known in self.known.parameters if plain(known).endswith((word, f"{word}s"))]
        return ends[0] if len(ends) == 1 and len(word) >= _SHORTEST_CHOICE else ""

    def corner(self, heading: str) -> tuple[str, str]:
        r"""Return the parameters of rows and columns that the corner of a grid names, as in "Size \ Threads"."""
        names = [self.parameter_called(part) for part in _CORNER.split(heading)]
        return (names[0], names[1]) if len(names) == 2 and all(names) else ("", "")

    def says(self, text: str) -> Said:
        """Return the meaning of a heading or a label for its values; {} where it has none that is known."""
        if len(text) > _LONGEST:
            return {}
        if text not in self._said:
            said: Said = {}
            for part in text.split(HEADINGS_JOINED):
                said |= self._part(part.strip())
            self._said[text] = said
        return self._said[text]

    def unknown_in(self, heading: str) -> str:
        """Return the part of two joined headings that says nothing that is known, "" for none."""
        parts = heading.split(HEADINGS_JOINED)
        return HEADINGS_JOINED.join(part for part in parts if len(parts) > 1 and not self.says(part))

    def _part(self, text: str) -> Said:
        if plain(text) in _STATISTICS:
            return {STATISTIC: plain(text)}
        settings = [self._setting(part) for part in re.split(r"\s*[,;/+&]\s+|\s*[;/+&]\s*", text)]
        if all(settings):
            return reduce(or_, settings)
        run = _RUN.search(text)
        said = {RUN: run.group()} if run else {}
        text = (text[: run.start()] + text[run.end() :]).strip(" :_-.,") if run else text
        name, unit = self.without_unit(text)
        repeat = _REPEAT.fullmatch(name)
        if repeat and (plain(repeat[1]) in _TIMES or self._is_metric(repeat[1])):
            said, name = {RUN: name} | said, repeat[1]
        return said | ({UNIT: unit} if unit else {}) | (self._words(name) or self._time_of(name, unit))

    def _time_of(self, name: str, unit: str) -> Said:
        """Return a measure that no family knows where seconds are of something else than a run."""
        is_other = unit in units_like("s") and name and plain(name) not in self._often
        return {METRIC: name} if is_other else {}

    def _metric(self, name: str) -> Said:
        unit = {UNIT: unit_called(name)} if unit_called(name) in known_units() else {}
        return {METRIC: name} | unit | ({TIME: name} if _is_time(name) else {})

    def _words(self, name: str) -> Said:
        """Return the measure, statistic and choice of a parameter that the words of a name stand for."""
        if self._is_metric(name):
            return self._metric(name)
        said, rest = self._word_by_word(name)
        words, unit_word = "".join(rest), unit_called(" ".join(rest))
        if self._is_metric(words):
            return said | {METRIC: words}
        if _is_time(words):
            return said | {TIME: words}
        if rest and unit_word in known_units():
            return said | {UNIT: unit_word}
        is_known = said.keys() - {STATISTIC} and all(plain(word) in self._beside_choices for word in rest)
        return said if is_known or not rest else {}

    def _word_by_word(self, name: str) -> tuple[Said, list[str]]:
        """Return the statistic and choice of a parameter that single words stand for, and the other words."""
        said: Said = {}
        rest: list[str] = []
        for word in re.findall(r"[A-ZÄÖÜ]?[a-zäöüß]+\d*|[A-ZÄÖÜ]+(?![a-z])|\d+|[^\W_]+", name):
            if plain(word) in _STATISTICS:
                said[STATISTIC] = plain(word)
            elif plain(word) in self._choices:
                parameter, choice = self._choices[plain(word)]
                said[parameter] = choice
            else:
                rest.append(word)
        return said, rest

    def _setting(self, text: str, *, is_inside: bool = False) -> Said:
        """Return the one level of a parameter or condition that a text says, or has in brackets; {} for none."""
        name, _equals, level = map(str.strip, text.partition("="))
        chosen = self.known.parameters.get(self.parameter_called(name)) if level else None
        if chosen is not None and chosen.choice_called(level) in chosen.choices:
            return {chosen.name: chosen.choice_called(level)}
        named, first = _LEVEL.fullmatch(text), _LEVEL_FIRST.fullmatch(text)
        for name, level in (
            (named[1], named[2]) if named else ("", ""),
            (first[2], "1" if first[1].casefold() in _ONE else first[1]) if first else ("", ""),
        ):
            column = self.parameter_called(name.strip(" -_")) if name else ""
            if column and not self.known.choices_of(column):
                return {column: level}
        word, bracketed = plain(text.rpartition("=")[2]), _IN_BRACKETS.fullmatch(text)
        if word in self._choices:
            return dict((self._choices[word],))
        if bracketed is None or is_inside:
            return {}
        return self._setting(bracketed[2] or bracketed[3], is_inside=True)

    def are_told_apart(self, labels: Iterable[str]) -> bool:
        """Tell whether different labels say different things, or the same one in words that are known as such."""
        said = [tuple(sorted(self.says(text).items())) for text in labels if plain(text) not in self._choices]
        told = list(filter(None, said))
        return len(told) == len(set(told))

    def without_unit(self, heading: str) -> tuple[str, str]:
        """Return a heading without the unit it ends with, and the unit; "" for none."""
        for pattern in (_IN_BRACKETS, _UNIT_BEHIND):
            found = pattern.fullmatch(PER.sub("/", heading.strip()))
            unit = unit_called(next(filter(None, found.groups()[1:]), "").strip()) if found else ""
            if found and unit in known_units() and not _AMOUNT.search(found[1]):
                return found[1].strip(" ,_").removesuffix(" in"), unit
        whole = unit_called(heading.strip())
        return ("", whole) if whole in known_units() and not self._is_metric(heading) else (heading, "")

    def _is_rather_measure(self, name: str, text: str) -> bool:
        return name in self.known.parameters and name != text and self._is_metric(text)

    def _is_metric(self, name: str) -> bool:
        return any(family.metric(name) for family in self.families)


def _is_time(name: str) -> bool:
    return plain(name) in _TIMES or _WORK_TIME.fullmatch(plain(name)) is not None


def metric_of(said: Said, family: FamilyColumns) -> Metric | None:
    """Return the measure of a family that values are of, None where it cannot be told."""
    unit = "s" if TIME in said else said.get(UNIT, "")
    named = family.metric(said.get(METRIC, ""))
    if named is not None and (not unit or unit in units_like(named.unit)):
        return named
    if _is_named_otherwise(said, unit):
        return None
    return next((metric for metric in family.judged_by if unit and unit in units_like(metric.unit)), None)


def _is_named_otherwise(said: Said, unit: str) -> bool:
    return METRIC in said and TIME not in said and unit_called(said[METRIC]) != unit


def computed_among(every: Sequence[Said]) -> list[int]:
    """Return the places of statistics that are worked out from others beside them, or say less than another one.

    Where a measure has statistics only, the one that says most is kept: a mean before a median, both before a maximum.
    """
    measured = {but_for_statistic(said) for said in every if STATISTIC not in said}
    by_measure: dict[tuple[tuple[str, str], ...], list[int]] = {}
    for place, said in enumerate(every):
        if STATISTIC in said:
            by_measure.setdefault(but_for_statistic(said), []).append(place)
    dropped: list[int] = []
    for measure, places in by_measure.items():
        best = min(places, key=lambda place: _rank(every[place]))
        is_beside = measure in measured or (measured and not measure)
        is_kept = not is_beside and _rank(every[best]) < len(RANKS)
        dropped += [place for place in places if place != best or not is_kept]
    return sorted(dropped)


def statistic_of(said: Said) -> str:
    """Return the kind of a statistic: mean, median, min, max, percentile or gain; "" for none."""
    return _STATISTICS.get(said.get(STATISTIC, ""), "")


def are_numbers(texts: Iterable[str]) -> bool:
    """Tell whether most texts begin as numbers do, and not as a date does."""
    told = [is_number_like(text) and not _DATE.match(text) for text in texts]
    return bool(told) and 2 * sum(told) >= len(told)


def _rank(said: Said) -> int:
    kind = statistic_of(said)
    return RANKS.index(kind) if kind in RANKS else len(RANKS)


def but_for_statistic(said: Said) -> tuple[tuple[str, str], ...]:
    """Return the meaning of a heading without run and statistic, which is alike for values of one measure."""
    return tuple(sorted((name, text) for name, text in said.items() if name not in (STATISTIC, RUN)))
