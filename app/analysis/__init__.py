"""Numeric estimators: intervals, verdicts, steady state, racing, order of trials, forecasts; pure."""
