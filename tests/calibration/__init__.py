"""Fitting the lab to the published numbers, and the trials that both the fit and the tests run."""
