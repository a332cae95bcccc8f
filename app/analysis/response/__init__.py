"""A model of how a measure answers to settings, fitted to the trials so far, and the trial it would learn most from.

The family's curve is drawn with many constants (`ensemble`), each draw reweighted by the trials; a Gaussian process and
steps beyond a corner of the settings stand for what the curve does not know (`departures`). What it predicts names a
candidate and claims nothing: claims come from confirming trials alone.
"""
