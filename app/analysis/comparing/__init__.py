"""Which settings are compared with which, on which measure, with which noise and confidence, and what carries claims.

Data goes one way: measurements are sorted into experiments (`experiment`), the policy says what is asked of each
(`policy`, `pairs`), and what was asked is estimated and judged (`evidence`).
"""
