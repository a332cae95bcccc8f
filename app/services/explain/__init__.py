"""What it means: advice, comparisons, measurements made elsewhere."""
