"""View-models of the pages for handing over."""
