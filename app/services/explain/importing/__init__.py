"""Measurements made elsewhere: reading their files, and sorting them into experiments that can be judged."""

from app.services.explain.importing.columns import FamilyColumns, columns_of
from app.services.explain.importing.experiments import ImportedExperiment, experiments
from app.services.explain.importing.preview import ImportedFile, Preview, describe
from app.services.explain.importing.published import PublishedSource, published_sources
from app.services.explain.importing.reader import read_measurements

__all__ = [
    "FamilyColumns",
    "ImportedExperiment",
    "ImportedFile",
    "Preview",
    "PublishedSource",
    "columns_of",
    "describe",
    "experiments",
    "published_sources",
    "read_measurements",
]
