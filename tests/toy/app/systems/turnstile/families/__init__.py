"""What experiments can be made with a turnstile, one folder each."""
