"""Titles of measures and conditions where runs stand beside each other, in the window and on the command line."""

from collections.abc import Mapping

from app.domain.family import ExperimentFamily
from app.domain.plan import Phase
from app.domain.setting import Setting
from app.domain.view import NO_VALUE
from app.foundation.texts import _
from app.reporting.wording import Vocabulary


class CompareWords:
    """Titles of every family's measures; a measure no family knows is called by its name."""

    def __init__(self, families: Mapping[str, ExperimentFamily]) -> None:
        self._titles = {metric.name: metric.title for family in families.values() for metric in family.metrics}
        self._words = Vocabulary(families.values())

    def metric(self, name: str, phase: Phase) -> str:
        """Return a measure's title, and whether the trials are those that confirm."""
        title = self.title(name)
        return _("{metric}, confirming trials").format(metric=title) if phase is Phase.CONFIRM else title

    def title(self, name: str) -> str:
        """Return a measure's title."""
        return self._titles.get(name, name.replace("_", " "))

    def conditions(self, conditions: Setting) -> str:
        """Return the conditions of a measure in words, "" for none."""
        return self._words.conditions(conditions) if conditions else ""


def setting_label(setting: Setting) -> str:
    """Return a setting as a person writes it, a dash for none."""
    return setting.text() or NO_VALUE


def change_label(first: Setting, second: Setting) -> str:
    """Return two settings as a person writes them, once where they are equal."""
    return setting_label(first) if first == second else f"{setting_label(first)} → {setting_label(second)}"
