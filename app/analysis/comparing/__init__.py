"""Choice of comparisons: which settings, on which measure, with which noise and confidence, and which carry claims.

Data goes one way: measurements are sorted into experiments (`experiment`), the policy says what is asked of each
(`policy`, `pairs`), and what was asked is estimated and judged (`evidence`).
"""
