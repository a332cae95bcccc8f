"""How this system behaves when simulated: physics only."""
