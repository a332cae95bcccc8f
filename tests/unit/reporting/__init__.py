"""Parts of the hand-over."""
