"""A made-up system: the turnstile at the door of one server, with gates and a queue."""
