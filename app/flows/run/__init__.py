"""View-models of the pages for running and restoring."""
