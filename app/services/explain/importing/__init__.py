"""Measurements made elsewhere: reading their files, and sorting them into experiments that can be judged."""

from app.services.explain.importing.columns import Families, FamilyColumns, columns_of
from app.services.explain.importing.experiments import ImportedExperiment, experiments
from app.services.explain.importing.mapping import (
    CONDITION,
    LABEL,
    LEFT_OUT,
    UNDECIDED,
    ColumnMapping,
    column_choices,
    guess_mapping,
    mapping_problems,
    read_raw,
    template_text,
)
from app.services.explain.importing.published import PublishedSource, published_sources
from app.services.explain.importing.questions import (
    BASELINE,
    FAMILY,
    METRIC,
    QUESTIONS,
    SHEET,
    UNIT,
    Answers,
    Asked,
    Question,
    answers_of,
    conditions_of,
)
from app.services.explain.importing.reader import ImportedFile, Preview, describe, read_measured, read_measurements
from app.services.explain.importing.rows import RowsRefused
from app.services.explain.importing.source_text import STANDARD_INPUT, name_of
from app.services.explain.importing.table import Grid

__all__ = [
    "BASELINE",
    "CONDITION",
    "FAMILY",
    "LABEL",
    "LEFT_OUT",
    "METRIC",
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
    "conditions_of",
    "describe",
    "experiments",
    "guess_mapping",
    "mapping_problems",
    "name_of",
    "published_sources",
    "read_measured",
    "read_measurements",
    "read_raw",
    "template_text",
]
