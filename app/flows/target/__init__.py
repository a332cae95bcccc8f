"""View-models of the pages for connecting and looking."""
