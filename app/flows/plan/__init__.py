"""View-models of the pages for planning and agreeing."""
