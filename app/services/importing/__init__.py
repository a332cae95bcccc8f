"""Measurements made elsewhere: reading their files, and sorting them into experiments that can be judged."""

from app.services.importing.columns import (
    STANDARD_CONDITIONS,
    ColumnRole,
    ConditionColumn,
    FamilyColumns,
    columns_of,
)
from app.services.importing.experiments import ImportedExperiment, experiments
from app.services.importing.imported import ColumnUse, FileLayout, ImportedFile
from app.services.importing.preview import Preview, PreviewColumn, describe
from app.services.importing.published import PublishedSource, published_sources
from app.services.importing.reader import read_measurements

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
