"""The stored draw and its play: states, advancing, match lengths, clocks, seats and history."""
