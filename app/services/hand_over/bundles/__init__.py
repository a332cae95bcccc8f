"""Bundles: a client's file with its reports, scripts and tables as one archive, names replaced if asked."""

from app.services.hand_over.bundles.exporting import WrittenBundle, export_bundle
from app.services.hand_over.bundles.importing import OpenedBundle, import_bundle

__all__ = ["OpenedBundle", "WrittenBundle", "export_bundle", "import_bundle"]
