"""Measurements made elsewhere: reading their files, and sorting them into experiments that can be judged."""

from app.services.explain.importing.columns import Families, FamilyColumns, columns_of
from app.services.explain.importing.experiments import ImportedExperiment, experiments
from app.services.explain.importing.guessing import families_for, family_note, guess_mapping, with_levels_across
from app.services.explain.importing.mapping import column_choices, mapping_problems, template_text
from app.services.explain.importing.meaning import CONDITION, LABEL, LEFT_OUT, UNDECIDED, ColumnMapping, read_raw
from app.services.explain.importing.published import PublishedSource, published_sources
from app.services.explain.importing.questions import (
    BASELINE,
    CONDITIONS,
    FAMILY,
    METRIC,
    PARAMETER,
    QUESTIONS,
    SHEET,
    UNIT,
    Answers,
    Asked,
    Question,
    answers_of,
)
from app.services.explain.importing.reader import ImportedFile, Preview, describe, read_measured, read_measurements
from app.services.explain.importing.rows import RowsRefused
from app.services.explain.importing.source_text import STANDARD_INPUT, name_of
from app.services.explain.importing.table import Grid
from app.services.explain.importing.unjudged import NO_RULE

__all__ = [
    "BASELINE",
    "CONDITION",
    "CONDITIONS",
    "FAMILY",
    "LABEL",
    "LEFT_OUT",
    "METRIC",
    "NO_RULE",
    "PARAMETER",
    "QUESTIONS",
    "SHEET",
    "STANDARD_INPUT",
    "UNDECIDED",
    "UNIT",
    "Answers",
    "Asked",
    "ColumnMapping",
    "Families",
    "FamilyColumns",
    "Grid",
    "ImportedExperiment",
    "ImportedFile",
    "Preview",
    "PublishedSource",
    "Question",
    "RowsRefused",
    "answers_of",
    "column_choices",
    "columns_of",
    "describe",
    "experiments",
    "families_for",
    "family_note",
    "guess_mapping",
    "mapping_problems",
    "name_of",
    "published_sources",
    "read_measured",
    "read_measurements",
    "read_raw",
    "template_text",
    "with_levels_across",
]
