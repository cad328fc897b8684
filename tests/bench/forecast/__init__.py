"""How often forecasts come true: events played game by game by players of our own, forecast while they run."""
