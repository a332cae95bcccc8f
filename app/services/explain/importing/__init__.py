"""Measurements made elsewhere: reading their files, and sorting them into experiments that can be judged."""

from app.services.explain.importing.columns import (
    STANDARD_CONDITIONS,
    ColumnRole,
    ConditionColumn,
    FamilyColumns,
    columns_of,
)
from app.services.explain.importing.experiments import ImportedExperiment, experiments
from app.services.explain.importing.imported import ColumnUse, FileLayout, ImportedFile
from app.services.explain.importing.preview import Preview, PreviewColumn, describe
from app.services.explain.importing.published import PublishedSource, published_sources
from app.services.explain.importing.reader import read_measurements

__all__ = [
    "STANDARD_CONDITIONS",
    "ColumnRole",
    "ColumnUse",
    "ConditionColumn",
    "FamilyColumns",
    "FileLayout",
    "ImportedExperiment",
    "ImportedFile",
    "Preview",
    "PreviewColumn",
    "PublishedSource",
    "columns_of",
    "describe",
    "experiments",
    "published_sources",
    "read_measurements",
]
