"""Oracle Streams: capture, propagation and apply between two databases."""
