"""How often forecasts come true: simulates events game by game and forecasts them while they run."""
