"""What every experiment family promises, whichever it is."""
