"""View-models of the pages for findings and comparisons."""
