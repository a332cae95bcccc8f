"""Rule packs: reading, evaluating, trying their cases."""
