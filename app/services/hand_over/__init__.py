"""Handing results over: reports, scripts, bundles, engagements."""
